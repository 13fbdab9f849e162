/// Dates.
extension WhenReader {
  /// `[weekday[,]] (YYYY-MM-DD | D[th] Month [YYYY] | Month D[th][,] [YYYY])`.
  mutating func readDate() throws(Complaint) -> WhenParts.Day? {
    let start = cursor.at
    var named: Weekday?
    if let (weekday, plural) = cursor.word().flatMap({ Weekday.named($0) }), !plural {
      named = weekday
      cursor.at += 1
      _ = cursor.takeSymbol(",")
    }
    if let date = try readISO() { return .date(date, named: named) }
    if let (month, day) = try readDayAndMonth() {
      guard let year = takeYear() else { return .monthDay(month: month, day: day, named: named) }
      guard let date = LocalDate(year: year, month: month, day: day) else {
        throw noSuchDate(year: year, month: month, day: day, from: start)
      }
      return .date(date, named: named)
    }
    cursor.at = start
    return nil
  }

  /// `24 Dec`, `24th of December`, `Dec 24th`; the 29th of February too.
  mutating func readDayAndMonth() throws(Complaint) -> (month: Int, day: Int)? {
    let start = cursor.at
    _ = cursor.take("the")
    var found: (month: Int, day: Int)?
    if let day = cursor.number(digits: 1...2) {
      cursor.at += isSuffix(1) ? 2 : 1
      _ = cursor.take("of")
      if let month = cursor.word().flatMap({ Month.named($0) }) {
        cursor.at += 1
        found = (month, day)
      }
    } else if let month = cursor.word().flatMap({ Month.named($0) }),
      let day = cursor.number(1, digits: 1...2),
      !isClock(1)
    {
      cursor.at += isSuffix(2) ? 3 : 2
      found = (month, day)
    }
    guard let (month, day) = found else {
      cursor.at = start
      return nil
    }
    // 2000 is a leap year: 29 February is a day of some years.
    guard LocalDate(year: 2000, month: month, day: day) != nil else {
      throw noSuchDate(year: nil, month: month, day: day, from: start)
    }
    return (month, day)
  }

  private mutating func readISO() throws(Complaint) -> LocalDate? {
    guard let year = cursor.number(digits: 4...4), cursor.isSymbol("-", 1, glued: true),
      let monthToken = cursor.peek(2), let month = monthToken.value, monthToken.glued,
      cursor.isSymbol("-", 3, glued: true), let dayToken = cursor.peek(4), let day = dayToken.value,
      dayToken.glued
    else { return nil }
    let start = cursor.at
    cursor.at += 5
    guard let date = LocalDate(year: year, month: month, day: day) else {
      throw noSuchDate(year: year, month: month, day: day, from: start)
    }
    guard monthToken.digits == 2, dayToken.digits == 2 else {
      throw Complaint(message: "has a date with a digit missing", forms: forms(start, date))
    }
    if cursor.word() == "t", cursor.peek()?.glued == true, cursor.peek(1)?.glued == true { cursor.at += 1 }
    return date
  }

  /// Four digits right behind day and month, with a comma between or not.
  private mutating func takeYear() -> Int? {
    let comma = cursor.isSymbol(",") ? 1 : 0
    guard let year = cursor.number(comma, digits: 4...4), !isClock(comma) else { return nil }
    parts.yearAt = cursor.at + comma
    cursor.at += comma + 1
    return year
  }

  /// Whether `st`, `nd`, `rd` or `th` stands there, glued to a number.
  func isSuffix(_ offset: Int) -> Bool {
    guard let token = cursor.peek(offset), token.glued else { return false }
    return ["st", "nd", "rd", "th"].contains(token.text)
  }

  /// Right forms with `date` for what was read since `start`: with the rest of the words, then alone with a time.
  func forms(_ start: Int, _ date: LocalDate) -> [String] {
    [date, LocalDate(year: today.year + 1, month: date.month, day: date.day) ?? date].flatMap {
      [replacing(start, by: "\($0)"), replacing(start, by: "\($0)") + " 07:00"]
    }
  }

  private func noSuchDate(year: Int?, month: Int, day: Int, from start: Int) -> Complaint {
    guard (1...12).contains(month), day > 0 else {
      return Complaint(
        message: "has no date of the calendar (year, month and day are written in this order)",
        forms: forms(start, today.adding(days: 1)))
    }
    let last = LocalDate.length(ofMonth: month, year: year ?? 2000)
    let right = "\(last) \(Month.short(month))" + (year.map { " \($0)" } ?? "")
    return Complaint(
      message:
        "names a date that does not exist, \(Month.short(month))\(year.map { " \($0)" } ?? "") has \(last) days",
      forms: [right, "\(last) \(Month.short(month))"].flatMap {
        [replacing(start, by: $0), replacing(start, by: $0) + " 07:00", $0 + " 07:00"]
      })
  }
}
