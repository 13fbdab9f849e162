import Schedule

/// An instant as the engine sends it (ISO 8601 with offset), for showing on the wall clock it was written for.
struct Moment {
  let date: LocalDate
  let clock: ClockTime
  /// The zone's offset at that moment, in seconds east of UTC.
  let offset: Int

  /// Reads `2026-11-30T07:00:00+01:00`, with or without seconds and parts of them; nil for everything else.
  init?(_ text: String) {
    guard let mark = text.firstIndex(of: "T"), let date = LocalDate(text[..<mark]) else { return nil }
    let rest = text[text.index(after: mark)...]
    guard let end = rest.firstIndex(where: { "Z+-".contains($0) }) else { return nil }
    let parts = rest[..<end].prefix { $0 != "." && $0 != "," }.split(separator: ":")
    guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
      let clock = ClockTime(hour: hour, minute: minute, second: parts.count > 2 ? Int(parts[2]) ?? 0 : 0)
    else { return nil }
    (self.date, self.clock) = (date, clock)
    let digits = rest[end...].dropFirst().split(separator: ":").compactMap { Int($0) }
    let east = (digits.first ?? 0) * 3600 + (digits.count > 1 ? digits[1] * 60 : 0)
    offset = rest[end] == "-" ? -east : east
  }

  var instant: Instant {
    Instant(seconds: Int64(date.dayNumber) * 86_400 + Int64(clock.secondOfDay - offset))
  }

  /// `07:00` today, else `Mon 30 Nov 07:00`, with the year where it is another one.
  func shown(at now: Instant) -> String {
    let days = (now.seconds + Int64(offset)) / 86_400
    let today = LocalDate(dayNumber: Int(days))
    guard date != today else { return clock.description }
    let year = date.year == today.year ? "" : " \(date.year)"
    return
      "\(Moment.weekdays[date.weekday.rawValue - 1]) \(date.day) \(Moment.months[date.month - 1])\(year) \(clock)"
  }

  /// The same for text from the engine; what cannot be read is shown as it came.
  static func shown(_ text: String, at now: Instant) -> String { Moment(text)?.shown(at: now) ?? text }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

/// Spans as people read them.
enum SpanText {
  /// `45 s`, `25 min`, `8 h 12 min`. What is a breath short of a whole second is shown as that.
  static func shown(_ seconds: Double) -> String {
    Span.text(.seconds(Int64(min(max(0, seconds), 1e12).rounded())))
  }

  /// `1:23`, `1:02:03`: a place in a track.
  static func position(_ seconds: Double) -> String {
    let total = Int(min(max(0, seconds), 1e9))
    let (minutes, rest) = (total / 60, total % 60)
    let tail = rest < 10 ? "0\(rest)" : "\(rest)"
    guard minutes >= 60 else { return "\(minutes):\(tail)" }
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(tail)"
  }
}
