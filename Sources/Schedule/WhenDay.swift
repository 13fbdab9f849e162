/// Days: which of the grammar's `days` and `date` stands here.
extension WhenReader {
  mutating func readDay() throws(Complaint) -> WhenParts.Day? {
    let start = cursor.at
    switch cursor.word() {
    case "every", "each":
      cursor.at += 1
      if let ambiguous = everySecond() { throw ambiguous }
      if let days = try readItems(yearly: true) { return .days(days) }
      throw badEvery(from: start)
    case "today", "tomorrow":
      cursor.at += 1
      return cursor.tokens[start].text == "today" ? .today : .tomorrow
    case "this", "on":
      let this = cursor.take("this")
      if !this { cursor.at += 1 }
      if let day = try readOne(this: this) { return day }
      if !this, let days = try readItems(yearly: false) { return .days(days) }
      cursor.at = start
      return nil
    case "next":
      throw next(from: start)
    default:
      if let date = try readDate() { return date }
      return try readItems(yearly: false).map { .days($0) }
    }
  }

  /// Behind `this` and `on`: one weekday is a date; several, or a plural, repeat and are left alone.
  private mutating func readOne(this: Bool) throws(Complaint) -> WhenParts.Day? {
    if let date = try readDate() { return date }
    guard let (weekday, plural) = cursor.word().flatMap({ Weekday.named($0) }), !plural else { return nil }
    let start = cursor.at
    cursor.at += 1
    if takesRange() || takesSeparator(), cursor.word().flatMap({ Weekday.named($0) }) != nil {
      // Those of this week are one date each; the same days without the word repeat.
      let rest =
        this
        ? cursor.words.replacing(start..<(cursor.at + 1), by: weekday.short)
        : cursor.words.string(ofTokens: start..<cursor.tokens.count)
      throw Complaint(
        message: "names several days behind a word that names one date",
        forms: [rest, rest + " 07:00", this ? "this mon 07:00" : "mon,wed 07:00"])
    }
    cursor.at = start + 1
    return .coming(weekday)
  }

  /// A list of items; nil where none begins here.
  private mutating func readItems(yearly: Bool) throws(Complaint) -> Days? {
    var items: [Days] = []
    while true {
      let before = cursor.at
      if !items.isEmpty { _ = takesSeparator() }
      guard let item = try readItem(yearly: yearly) else {
        cursor.at = before
        break
      }
      items.append(item)
    }
    return items.isEmpty ? nil : Days.joined(items)
  }

  private mutating func readItem(yearly: Bool) throws(Complaint) -> Days? {
    if yearly, let (month, day) = try readDayAndMonth() {
      if let year = cursor.number(digits: 4...4), !isClock(0) {
        let clock = "\(padded(year / 100, 2)):\(padded(year % 100, 2))"
        throw Complaint(
          message: "names a year, which comes only once",
          forms: [
            cursor.words.string(ofTokens: 1..<cursor.tokens.count), replacing(cursor.at, by: clock),
            "every \(day) \(Month.short(month)) 07:00",
          ])
      }
      return .yearly(month: month, day: day)
    }
    switch cursor.word() {
    case "daily", "everyday": return take(.daily)
    case "weekdays", "weekday": return take(.weekly([.monday, .tuesday, .wednesday, .thursday, .friday]))
    case "weekends", "weekend": return take(.weekly([.saturday, .sunday]))
    case "day":
      cursor.at += 1
      if isDayNumber(0) { return .monthDays(try readDayNumbers()) }
      if yearly { return .daily }
      cursor.at -= 1
      return nil
    case "last" where cursor.word(1) == "day":
      cursor.at += 2
      // "of the month", "of every month"
      if cursor.word() == "of", let month = [1, 2].first(where: { cursor.word($0) == "month" }) {
        cursor.at += month + 1
      }
      return .lastDayOfMonth
    default: break
    }
    if let ordinal = try readOrdinals() { return ordinal }
    guard let first = cursor.word().flatMap({ Weekday.named($0) }) else { return nil }
    cursor.at += 1
    let before = cursor.at
    guard takesRange(), let last = cursor.word().flatMap({ Weekday.named($0) }) else {
      cursor.at = before
      return .weekly([first.weekday])
    }
    cursor.at += 1
    let length = (last.weekday.rawValue - first.weekday.rawValue + 7) % 7
    return .weekly(Set((0...length).map { first.weekday.adding($0) }))
  }

  private mutating func take(_ days: Days) -> Days {
    cursor.at += 1
    return days
  }

  /// `1st,3rd mon`, `first and last friday`.
  private mutating func readOrdinals() throws(Complaint) -> Days? {
    let start = cursor.at
    var ordinals: Set<Ordinal> = []
    while true {
      let before = cursor.at
      if !ordinals.isEmpty { _ = takesSeparator() }
      if let ordinal = cursor.word().flatMap({ Ordinal.named($0) }) {
        ordinals.insert(ordinal)
        cursor.at += 1
      } else if let number = cursor.number(digits: 1...2), isSuffix(1) {
        guard let ordinal = Ordinal(rawValue: number), ordinal != .last else {
          guard cursor.word(2).flatMap({ Weekday.named($0) }) != nil else {
            cursor.at = start
            return nil
          }
          throw Complaint(
            message: "names a weekday that most months do not have, there are 1st to 4th and last",
            forms: [cursor.words.replacing(cursor.at..<(cursor.at + 2), by: "last"), "last mon 07:00"])
        }
        ordinals.insert(ordinal)
        cursor.at += 2
      } else {
        cursor.at = before
        break
      }
    }
    guard !ordinals.isEmpty, let (weekday, _) = cursor.word().flatMap({ Weekday.named($0) }) else {
      cursor.at = start
      return nil
    }
    cursor.at += 1
    return .ordinal(ordinals, weekday)
  }

  /// Behind `day`: `1`, `1,15`, `1 and 15`.
  private mutating func readDayNumbers() throws(Complaint) -> Set<Int> {
    var days: Set<Int> = []
    while true {
      let before = cursor.at
      if !days.isEmpty, !takesSeparator() { break }
      guard isDayNumber(0), let day = cursor.number(digits: 1...2) else {
        cursor.at = before
        break
      }
      guard (1...31).contains(day) else {
        throw Complaint(
          message: "names a day that no month has",
          forms: [
            cursor.words.replacing(cursor.at..<(cursor.at + 1), by: day == 0 ? "1" : "31"), "day 1 07:00",
          ])
      }
      days.insert(day)
      cursor.at += 1
    }
    return days
  }

  /// One or two digits that begin neither a clock time nor a date nor `1st`.
  private func isDayNumber(_ offset: Int) -> Bool {
    guard cursor.number(offset, digits: 1...2) != nil, !isClock(offset), !isSuffix(offset + 1) else {
      return false
    }
    return cursor.word(offset + 1).flatMap { Month.named($0) } == nil
  }

  /// `,`, `and`, `&`, or a comma and `and`.
  private mutating func takesSeparator() -> Bool {
    let comma = cursor.takeSymbol(",")
    return cursor.take("and") || cursor.takeSymbol("&") || comma
  }

  /// What stands between the two ends of a range.
  private mutating func takesRange() -> Bool {
    if cursor.isSymbol("."), cursor.isSymbol(".", 1, glued: true) {
      cursor.at += 2
      return true
    }
    for dash in ["-", "\u{2013}", "\u{2014}"] where cursor.takeSymbol(dash) { return true }
    return cursor.take("to") || cursor.take("through")
  }
}
