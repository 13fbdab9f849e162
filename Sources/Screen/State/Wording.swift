import Schedule

/// Times and spans in the words of the screen.
enum Wording {
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

// Dates and times as the person's locale and settings have them.
extension Model {
  /// `Monday 30 November 2026`
  func longDate(_ date: LocalDate) -> String {
    "\(names.longWeekdays[date.weekday.rawValue - 1]) \(date.day) \(names.longMonths[date.month - 1]) \(date.year)"
  }

  /// `Mon 30 Nov`, with the year where it is not this one.
  func shown(_ date: LocalDate) -> String {
    let short = "\(names.weekdays[date.weekday.rawValue - 1]) \(date.day) \(names.months[date.month - 1])"
    return date.year == now.wall.date.year ? short : "\(short) \(date.year)"
  }

  /// `07:00` or `7:00 AM`; with seconds where there are any.
  func shown(_ time: ClockTime) -> String {
    if clock == .hours24 { return time.description }
    let minutes = "\(time.hour % 12 == 0 ? 12 : time.hour % 12):\(Wording.twoDigits(time.minute))"
    let seconds = time.second == 0 ? "" : ":\(Wording.twoDigits(time.second))"
    return "\(minutes)\(seconds) \(half(time))"
  }

  func half(_ time: ClockTime) -> String { names.halves[time.hour < 12 ? 0 : 1] }

  /// `Mon 30 Nov 07:00`
  func shown(_ wall: WallTime) -> String { "\(shown(wall.date)) \(shown(wall.clock))" }
}
