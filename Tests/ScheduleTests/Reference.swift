import Foundation

@testable import Schedule

/// Next times found slowly and in another way: by Foundation's zones and calendar, day by day, and within the day minute by minute
/// until the wall shows what the rule says. Knows nothing of the code it checks but its plain values.
struct Reference {
  let zone: TimeZone
  let calendar: Calendar

  init?(_ identifier: String) {
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    self.zone = zone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? zone
    self.calendar = calendar
  }

  func offset(at second: Int) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))) }

  /// The first instant after `second` at which the rule is due, within so many days.
  func next(after second: Int, _ days: Days, _ clock: ClockTime, within limit: Int = 3300) -> Int? {
    let first = Int((Double(second + offset(at: second)) / 86_400).rounded(.down)) - 2
    for day in first..<(first + limit) where names(days, day) {
      if let found = instant(day, clock), found > second { return found }
    }
    return nil
  }

  /// The first minute at which the wall shows that day and time; where it never does, the minute at which it shows the time later
  /// by what the clocks jumped; nil where no minute belongs to the day.
  func instant(_ day: Int, _ clock: ClockTime) -> Int? {
    let wanted = day * 86_400 + clock.secondOfDay
    let start = wanted - 15 * 3600
    var before = start + offset(at: start)
    for second in stride(from: start + 60, through: wanted + 39 * 3600, by: 60) {
      let wall = second + offset(at: second)
      if wall == wanted { return second }
      if before < wanted, wall > wanted {
        let gap = wall - before - 60
        let lost = before < day * 86_400 && wall >= (day + 1) * 86_400
        return lost ? nil : second + (wanted + gap - wall)
      }
      before = wall
    }
    return nil
  }

  /// Whether the calendar counts a day (days since 1970) among the days of a rule.
  func names(_ days: Days, _ day: Int) -> Bool {
    let date = Date(timeIntervalSince1970: Double(day) * 86_400)
    let parts = calendar.dateComponents([.month, .day, .weekday, .weekdayOrdinal], from: date)
    // Foundation counts weekdays from Sunday = 1.
    let weekday = Weekday(rawValue: ((parts.weekday ?? 1) + 5) % 7 + 1)
    func isOther(after shift: Int, _ unit: Calendar.Component) -> Bool {
      calendar.component(unit, from: date.addingTimeInterval(Double(shift) * 86_400)) != parts.month
    }
    switch days {
    case .weekly(let several): return weekday.map { several.contains($0) } ?? false
    case .monthDays(let several): return parts.day.map { several.contains($0) } ?? false
    case .lastDayOfMonth: return isOther(after: 1, .month)
    case .ordinal(let ordinals, let named):
      guard named == weekday else { return false }
      if ordinals.contains(.last), isOther(after: 7, .month) { return true }
      return ordinals.contains { $0 != .last && $0.rawValue == parts.weekdayOrdinal }
    case .yearly(let month, let number): return parts.month == month && parts.day == number
    case .any(let several): return several.contains { names($0, day) }
    }
  }
}
