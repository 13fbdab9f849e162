import Schedule

/// Times and spans in the words of the screen.
enum Wording {
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  static let longWeekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let longMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// `Monday 30 November 2026`
  static func longDate(_ date: LocalDate) -> String {
    let weekday = longWeekdays[date.weekday.rawValue - 1]
    return "\(weekday) \(date.day) \(longMonths[date.month - 1]) \(date.year)"
  }

  /// `Mon 30 Nov`, with the year where it is not the given one.
  static func date(_ date: LocalDate, year: Int) -> String {
    let short = "\(weekdays[date.weekday.rawValue - 1]) \(date.day) \(months[date.month - 1])"
    return date.year == year ? short : "\(short) \(date.year)"
  }

  /// `07:00` or `7:00 AM`; with seconds where there are any.
  static func time(_ time: ClockTime, _ style: ClockStyle) -> String {
    if style == .hours24 { return time.description }
    let minutes = "\(time.hour % 12 == 0 ? 12 : time.hour % 12):\(twoDigits(time.minute))"
    let seconds = time.second == 0 ? "" : ":\(twoDigits(time.second))"
    return "\(minutes)\(seconds) \(half(time))"
  }

  static func half(_ time: ClockTime) -> String { time.hour < 12 ? "AM" : "PM" }

  /// `Mon 30 Nov 07:00`
  static func instant(_ wall: WallTime, _ now: WallTime, _ style: ClockStyle) -> String {
    "\(date(wall.date, year: now.date.year)) \(time(wall.clock, style))"
  }

  /// How long until something, with seconds only where little is left.
  struct Span: Hashable {
    let words: String
    let hasSeconds: Bool
  }

  /// Microseconds in words: `8 h 12 min`, `2 d 4 h`, `1 min 35 s`.
  ///
  /// From two minutes on a part of a minute counts as a whole one, so that the words are the difference between what
  /// the face shows now and the time of the alarm.
  static func span(_ microseconds: Int64) -> Span {
    let seconds = max(0, microseconds) / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0)
    if seconds < 120 {
      let words = seconds < 60 ? "\(seconds) s" : "1 min" + (seconds == 60 ? "" : " \(seconds - 60) s")
      return Span(words: words, hasSeconds: true)
    }
    let minutes = seconds / 60 + (seconds % 60 > 0 ? 1 : 0)
    if minutes < 60 { return Span(words: "\(minutes) min", hasSeconds: false) }
    if minutes < 24 * 60 {
      let rest = minutes % 60
      return Span(words: "\(minutes / 60) h" + (rest == 0 ? "" : " \(rest) min"), hasSeconds: false)
    }
    let hours = minutes / 60
    let rest = hours % 24
    return Span(words: "\(hours / 24) d" + (rest == 0 ? "" : " \(rest) h"), hasSeconds: false)
  }

  /// A place in a track: `1:23`, `1:02:03`.
  static func position(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "?:??" }
    let whole = Int(max(0, seconds))
    let rest = twoDigits(whole % 60)
    return whole < 3600
      ? "\(whole / 60):\(rest)" : "\(whole / 3600):\(twoDigits(whole / 60 % 60)):\(rest)"
  }

  static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The last part of a path, for a track without a title.
  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
