extension Days {
  /// Whether a date is one of these days.
  public func contains(_ date: LocalDate) -> Bool {
    switch self {
    case .weekly(let weekdays): weekdays.contains(date.weekday)
    case .monthDays(let days): days.contains(date.day)
    case .lastDayOfMonth: date.day == LocalDate.length(ofMonth: date.month, year: date.year)
    case .ordinal(let ordinals, let weekday):
      date.weekday == weekday
        && (Ordinal(rawValue: (date.day - 1) / 7 + 1).map { $0 != .last && ordinals.contains($0) } ?? false
          || ordinals.contains(.last)
            && date.day + 7 > LocalDate.length(ofMonth: date.month, year: date.year))
    case .yearly(let month, let day): date.month == month && date.day == day
    case .any(let several): several.contains { $0.contains(date) }
    }
  }

  /// The first of these days on or after a date; nil where there is none, as with 30 February or an empty set.
  func first(onOrAfter date: LocalDate) -> LocalDate? {
    switch self {
    case .weekly(let weekdays):
      guard !weekdays.isEmpty else { return nil }
      return (0..<7).lazy.map { date.adding(days: $0) }.first { weekdays.contains($0.weekday) }
    case .monthDays(let days):
      return Days.first(onOrAfter: date) { year, month in
        days.compactMap { LocalDate(year: year, month: month, day: $0) }
      }
    case .lastDayOfMonth:
      return Days.first(onOrAfter: date) { year, month in
        [LocalDate(year: year, month: month, day: LocalDate.length(ofMonth: month, year: year))].compactMap(
          \.self)
      }
    case .ordinal(let ordinals, let weekday):
      return Days.first(onOrAfter: date) { year, month in
        ordinals.compactMap { Days.date($0, weekday, year: year, month: month) }
      }
    case .yearly(let month, let day):
      // Eight years lie between two leap days where a century is none.
      return (0...8).lazy.compactMap { LocalDate(year: date.year + $0, month: month, day: day) }.first {
        $0 >= date
      }
    case .any(let several): return several.compactMap { $0.first(onOrAfter: date) }.min()
    }
  }

  /// Goes through a year of months, in which every day of a month there can be, 1–31, has had its turn.
  private static func first(onOrAfter date: LocalDate, in days: (Int, Int) -> [LocalDate]) -> LocalDate? {
    for index in 0...12 {
      let (years, month) = floorDivide(date.month - 1 + index, by: 12)
      if let found = days(date.year + years, month + 1).filter({ $0 >= date }).min() { return found }
    }
    return nil
  }

  private static func date(_ ordinal: Ordinal, _ weekday: Weekday, year: Int, month: Int) -> LocalDate? {
    let length = LocalDate.length(ofMonth: month, year: year)
    // The first such weekday is one of days 1 to 7, the last one of the last seven.
    let earliest = ordinal == .last ? length - 6 : ordinal.rawValue * 7 - 6
    guard let start = LocalDate(year: year, month: month, day: earliest) else { return nil }
    return start.adding(days: (weekday.rawValue - start.weekday.rawValue + 7) % 7)
  }
}
