/// The names of days and months: English, whatever the locale, because the grammar is.
extension Weekday {
  /// `Mon`.
  var short: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][rawValue - 1] }
  /// `Monday`.
  var long: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
  }

  /// The day `days` later.
  func adding(_ days: Int) -> Weekday { Weekday(rawValue: (rawValue - 1 + days) % 7 + 1) ?? self }

  /// Reads a name in lower case: `mon`, `monday`; `plural` for `mondays`.
  static func named(_ word: String) -> (weekday: Weekday, plural: Bool)? {
    if let weekday = names[word] { return (weekday, false) }
    guard word.hasSuffix("s"), let weekday = names[String(word.dropLast())] else { return nil }
    return (weekday, true)
  }

  private static let names: [String: Weekday] = [
    "mon": .monday, "monday": .monday, "tue": .tuesday, "tues": .tuesday, "tuesday": .tuesday,
    "wed": .wednesday, "weds": .wednesday, "wednesday": .wednesday, "thu": .thursday, "thur": .thursday,
    "thurs": .thursday, "thursday": .thursday, "fri": .friday, "friday": .friday, "sat": .saturday,
    "saturday": .saturday, "sun": .sunday, "sunday": .sunday,
  ]
}

enum Month {
  /// `Jan` for 1.
  static func short(_ month: Int) -> String {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return names.indices.contains(month - 1) ? names[month - 1] : String(month)
  }

  /// Reads a name in lower case: `jan`, `january`, `sept`.
  static func named(_ word: String) -> Int? {
    if word == "sept" { return 9 }
    return long.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
  }

  private static let long = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]
}

extension Ordinal {
  /// `1st` … `4th`, `last`.
  var short: String { ["1st", "2nd", "3rd", "4th", "last"][rawValue - 1] }

  /// Reads a word in lower case: `first` … `fourth`, `last`.
  static func named(_ word: String) -> Ordinal? {
    switch word {
    case "first": .first
    case "second": .second
    case "third": .third
    case "fourth": .fourth
    case "last": .last
    default: nil
    }
  }
}

extension LocalDate {
  /// `Mon 2026-11-30`.
  var named: String { "\(weekday.short) \(self)" }
}
