/// A day of the week; the raw value counts from Monday = 1 to Sunday = 7, as ISO 8601 does.
public enum Weekday: Int, CaseIterable, Hashable, Sendable, Comparable {
  case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}

/// A date of the proleptic Gregorian calendar, in no zone.
///
/// The conversions to and from day numbers follow the usual civil-from-days arithmetic: years are taken to begin in
/// March, so that the leap day is the last day of a year, and 400 years are one era of 146 097 days.
public struct LocalDate: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// A date that exists, or nil: 29 February only in leap years, 31 only in long months.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= LocalDate.length(ofMonth: month, year: year) else {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date that lies `dayNumber` days after 1970-01-01.
  public init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  public var dayNumber: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  public var weekday: Weekday {
    let fromThursday = (dayNumber % 7 + 7 + 3) % 7
    return Weekday(rawValue: fromThursday + 1) ?? .monday
  }

  public func adding(days: Int) -> LocalDate { LocalDate(dayNumber: dayNumber + days) }

  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// The number of days in a month (1–12) of a year.
  public static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension LocalDate: CustomStringConvertible {
  /// ISO 8601: `2026-11-30`.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// Reads `2026-11-30`, years of four to six digits; nil for everything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, (4...6).contains(parts[0].count), parts[1].count == 2, parts[2].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// A time of day as a clock on the wall shows it, 00:00:00 to 23:59:59.
public struct ClockTime: Hashable, Comparable, Sendable {
  /// Seconds after 00:00 on the face of the clock, 0 ..< 86 400.
  public let secondOfDay: Int

  /// nil outside 00:00:00 – 23:59:59.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  /// `secondOfDay` is known to be in 0 ..< 86 400.
  init(secondOfDay: Int) { self.secondOfDay = secondOfDay }

  public var hour: Int { secondOfDay / 3600 }
  public var minute: Int { secondOfDay / 60 % 60 }
  public var second: Int { secondOfDay % 60 }

  public static func < (left: ClockTime, right: ClockTime) -> Bool { left.secondOfDay < right.secondOfDay }
}

extension ClockTime: CustomStringConvertible {
  /// `07:00`, or `07:00:30` where there are seconds.
  public var description: String {
    let minutes = "\(padded(hour, 2)):\(padded(minute, 2))"
    return second == 0 ? minutes : "\(minutes):\(padded(second, 2))"
  }
}

/// `value` with leading zeros up to `width` digits.
func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(abs(value))
  return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}
