import Core
import Schedule

/// How a rule stands in the database: words of its own, so that no change of the WHEN grammar changes what is stored.
///
/// `once 2026-12-01 25200`, `once 2026-12-01 25200 alone`, `every 25200 weekly 1 2 3`, `fixed 1780000000000000`,
/// `timer 1500000000` (seconds of the day; microseconds).
enum RuleCode {
  static func encode(_ rule: Rule) -> String {
    switch rule {
    case .once(let date, let clock, let alone): "once \(date) \(clock.secondOfDay)" + (alone ? " alone" : "")
    case .every(let days, let clock): "every \(clock.secondOfDay) \(encode(days))"
    case .fixed(let instant): "fixed \(instant.microseconds)"
    case .timer(let span): "timer \(span.microseconds)"
    }
  }

  static func decode(_ text: String) -> Rule? {
    // By bytes, for thousands of them are read at a start.
    let words = text.utf8.split(separator: 32, omittingEmptySubsequences: false).map { Substring($0) }
    guard words.count >= 2 else { return nil }
    switch words[0] {
    case "once":
      guard words.count == 3 || words.count == 4 && words[3] == "alone", let date = LocalDate(words[1]),
        let clock = clock(words[2])
      else { return nil }
      return .once(date, clock, clockAlone: words.count == 4)
    case "every":
      guard words.count >= 3, let clock = clock(words[1]) else { return nil }
      return decodeDays(words[2...].joined(separator: " ")).map { .every($0, clock) }
    case "fixed":
      return words.count == 2 ? Int64(words[1]).map { .fixed(Instant(microseconds: $0)) } : nil
    case "timer":
      return words.count == 2 ? Int64(words[1]).map { .timer(.microseconds($0)) } : nil
    default: return nil
    }
  }

  private static func encode(_ days: Days) -> String {
    func list(_ numbers: some Sequence<Int>) -> String { numbers.sorted().map { " \($0)" }.joined() }
    switch days {
    case .weekly(let weekdays): return "weekly" + list(weekdays.map(\.rawValue))
    case .monthDays(let days): return "month" + list(days)
    case .lastDayOfMonth: return "last"
    case .ordinal(let ordinals, let weekday):
      return "nth \(weekday.rawValue)" + list(ordinals.map(\.rawValue))
    case .yearly(let month, let day): return "year \(month) \(day)"
    case .any(let several): return "any [" + several.map(encode).joined(separator: "|") + "]"
    }
  }

  private static func decodeDays(_ text: String) -> Days? {
    if text.hasPrefix("any ["), text.hasSuffix("]") {
      let inner = text.dropFirst(5).dropLast()
      var several: [Days] = []
      for part in splitOutside(inner) {
        guard let days = decodeDays(part) else { return nil }
        several.append(days)
      }
      return .any(several)
    }
    let words = text.utf8.split(separator: 32).map { Substring($0) }
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard let kind = words.first, numbers.count == words.count - 1 else { return nil }
    switch kind {
    case "weekly":
      let weekdays = numbers.compactMap(Weekday.init(rawValue:))
      return weekdays.count == numbers.count ? .weekly(Set(weekdays)) : nil
    case "month": return .monthDays(Set(numbers))
    case "last": return numbers.isEmpty ? .lastDayOfMonth : nil
    case "nth":
      let ordinals = numbers.dropFirst().compactMap(Ordinal.init(rawValue:))
      guard let weekday = numbers.first.flatMap(Weekday.init(rawValue:)), ordinals.count == numbers.count - 1
      else { return nil }
      return .ordinal(Set(ordinals), weekday)
    case "year": return numbers.count == 2 ? .yearly(month: numbers[0], day: numbers[1]) : nil
    default: return nil
    }
  }

  /// Splits at `|` outside of brackets.
  private static func splitOutside(_ text: Substring) -> [String] {
    guard !text.isEmpty else { return [] }
    var parts = [""]
    var depth = 0
    for letter in text {
      if letter == "[" { depth += 1 }
      if letter == "]" { depth -= 1 }
      if letter == "|", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(letter)
      }
    }
    return parts
  }

  private static func clock(_ word: Substring) -> ClockTime? {
    guard let second = Int(word), (0..<86_400).contains(second) else { return nil }
    return ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
  }
}

/// A list of texts in one: a line each, with `\` before what would be mistaken. nil is the empty list.
enum ListCode {
  static func encode(_ list: [String]) -> String? {
    if list.isEmpty { return nil }
    var result = String.UnicodeScalarView()
    for (index, text) in list.enumerated() {
      if index > 0 { result.append("\n") }
      // By scalars: a line break and what follows it can be one character.
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
        case "\n": result.append(contentsOf: "\\n".unicodeScalars)
        default: result.append(scalar)
        }
      }
    }
    return String(result)
  }

  static func decode(_ text: String?) -> [String] {
    guard let text else { return [] }
    var list = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        list[list.count - 1].append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "\n" {
        list.append(String.UnicodeScalarView())
      } else {
        list[list.count - 1].append(scalar)
      }
    }
    return list.map { String($0) }
  }
}

/// How the order of a shuffled queue stands in the database: places with spaces between.
enum OrderCode {
  static func encode(_ order: [Int]) -> String { order.map(String.init).joined(separator: " ") }
  /// What is no place is left out; the queue then takes another order.
  static func decode(_ text: String) -> [Int] { text.split(separator: " ").compactMap { Int($0) } }
}

/// Ranges of dates in one text: `2026-12-01 2026-12-24/2027-01-06`. nil where there are none.
enum DatesCode {
  static func encode(_ ranges: [ClosedRange<LocalDate>]) -> String? {
    if ranges.isEmpty { return nil }
    return ranges.map {
      $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)/\($0.upperBound)"
    }.joined(separator: " ")
  }

  static func decode(_ text: String) -> [ClosedRange<LocalDate>]? {
    var ranges: [ClosedRange<LocalDate>] = []
    for word in text.split(separator: " ") {
      let ends = word.split(separator: "/").map { LocalDate($0) }
      guard ends.count == 1 || ends.count == 2, let first = ends[0], let last = ends[ends.count - 1],
        first <= last
      else { return nil }
      ranges.append(first...last)
    }
    return ranges
  }
}

/// Turns of the clock: `1780000000000000/3600000000`, several with spaces between them (microseconds).
enum TurnCode {
  static func encode(_ turns: [ClockTurn]) -> String {
    turns.map { "\($0.from.microseconds)/\($0.to.microseconds)" }.joined(separator: " ")
  }

  static func decode(_ text: String?) -> [ClockTurn] {
    (text ?? "").split(separator: " ").compactMap { turn in
      let sides = turn.split(separator: "/").compactMap { Int64($0) }
      guard sides.count == 2 else { return nil }
      return ClockTurn(from: Instant(microseconds: sides[0]), to: Instant(microseconds: sides[1]))
    }
  }
}
