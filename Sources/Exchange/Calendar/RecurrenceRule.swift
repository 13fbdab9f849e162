import CLibical
import Schedule

/// Something that our rules do not say: the rest of a sentence about it.
struct Inexpressible: Error, Hashable { let why: String }

/// An RRULE (RFC 5545, 3.3.10) as libical has read it.
struct RecurrenceRule: Hashable {
  enum Frequency: Int {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly, none
  }

  struct NumberedDay: Hashable {
    /// 0: every one; 1 the first, -1 the last.
    var position: Int
    var weekday: Weekday
  }

  var frequency: Frequency
  var interval: Int
  /// How often in all; nil without end.
  var count: Int?
  var until: CalendarTime?
  var weekStart: Weekday
  var days: [NumberedDay]
  var monthDays: [Int]
  var months: [Int]
  var positions: [Int]
  var hours: [Int]
  var minutes: [Int]
  var seconds: [Int]
  /// By days of the year or numbers of weeks, or by another calendar's months.
  var isExotic: Bool

  init(_ property: ICalProperty) {
    var rule = reveille_ical_rule(property.pointer)
    func values(_ part: reveille_ical_part) -> [Int] {
      var result: [Int] = []
      while case let value = Int(reveille_ical_part_value(&rule, part, Int32(result.count))),
        value != ICAL_RECURRENCE_ARRAY_MAX.rawValue
      {
        result.append(value)
      }
      return result
    }
    func weekday(_ number: Int) -> Weekday { Weekday(rawValue: (number + 5) % 7 + 1) ?? .monday }
    frequency = Frequency(rawValue: Int(rule.freq.rawValue)) ?? .none
    interval = max(1, Int(rule.interval))
    count = rule.count > 0 ? Int(rule.count) : nil
    until = nil
    weekStart = rule.week_start == ICAL_NO_WEEKDAY ? .monday : weekday(Int(rule.week_start.rawValue))
    days = values(REVEILLE_BY_DAY).map {
      NumberedDay(
        position: Int(reveille_ical_position(Int16($0))),
        weekday: weekday(Int(reveille_ical_weekday(Int16($0)))))
    }
    monthDays = values(REVEILLE_BY_MONTH_DAY)
    months = values(REVEILLE_BY_MONTH)
    positions = values(REVEILLE_BY_POSITION)
    hours = values(REVEILLE_BY_HOUR)
    minutes = values(REVEILLE_BY_MINUTE)
    seconds = values(REVEILLE_BY_SECOND)
    isExotic =
      !values(REVEILLE_BY_YEAR_DAY).isEmpty || !values(REVEILLE_BY_WEEK_NUMBER).isEmpty
      || rule.rscale != nil
    let end = rule.until
    if end.year > 0, let date = LocalDate(year: Int(end.year), month: Int(end.month), day: Int(end.day)) {
      let clock =
        end.is_date != 0
        ? nil : ClockTime(hour: Int(end.hour), minute: Int(end.minute), second: min(59, Int(end.second)))
      until = CalendarTime(date, clock, property.value.uppercased().contains("Z") ? .utc : .floating)
    }
  }

  /// The days of it for an event that begins on `start`, `interval` left out of account.
  func days(from start: LocalDate) throws(Inexpressible) -> Days {
    guard !isExotic else {
      throw Inexpressible(why: "it repeats by days of the year, by weeks' numbers or by another calendar")
    }
    switch frequency {
    case .secondly, .minutely, .hourly, .none:
      throw Inexpressible(why: "it repeats several times a day")
    case .daily: return try everyDay()
    case .weekly:
      guard months.isEmpty, monthDays.isEmpty, positions.isEmpty else {
        throw Inexpressible(why: "it repeats weekly, but in some months or on some days of them only")
      }
      return .weekly(days.isEmpty ? [start.weekday] : Set(days.map(\.weekday)))
    case .monthly:
      guard months.isEmpty else { return try inSomeMonths(start) }
      return try inMonth(start)
    case .yearly:
      guard days.isEmpty else {
        throw Inexpressible(why: "it repeats yearly on a weekday, as in “the second Sunday of May”")
      }
      guard positions.isEmpty else { throw Inexpressible(why: "it picks some of its days by their places") }
      // “The 13th, yearly”: of every month for some programs, of the event's own month for others (libical).
      guard !months.isEmpty || monthDays.isEmpty else {
        throw Inexpressible(
          why: "it is on numbered days of the year without a month, which programs read differently")
      }
      return try inSomeMonths(start)
    }
  }

  private func everyDay() throws(Inexpressible) -> Days {
    guard months.isEmpty, positions.isEmpty, days.isEmpty || monthDays.isEmpty else {
      throw Inexpressible(why: "it repeats daily, but in some months or on some days of them only")
    }
    if !monthDays.isEmpty { return try numbered() }
    guard days.allSatisfy({ $0.position == 0 }) else {
      throw Inexpressible(why: "it numbers the weekdays of a rule that has no months")
    }
    return days.isEmpty ? .daily : .weekly(Set(days.map(\.weekday)))
  }

  /// Days by their numbers, the last too.
  private func numbered() throws(Inexpressible) -> Days {
    var parts: [Days] = []
    let plain = monthDays.filter { $0 > 0 }
    if !plain.isEmpty { parts.append(.monthDays(Set(plain))) }
    if monthDays.contains(-1) { parts.append(.lastDayOfMonth) }
    guard monthDays.allSatisfy({ $0 >= -1 && $0 != 0 && $0 <= 31 }) else {
      throw Inexpressible(why: "it counts days from the end of the month, other than the last")
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private func inMonth(_ start: LocalDate) throws(Inexpressible) -> Days {
    guard days.isEmpty || monthDays.isEmpty else {
      throw Inexpressible(why: "it is due only where a weekday falls on some days of a month")
    }
    if days.isEmpty {
      guard positions.isEmpty else { throw Inexpressible(why: "it picks some of its days by their places") }
      return monthDays.isEmpty ? .monthDays([start.day]) : try numbered()
    }
    var numberedDays = days
    if !positions.isEmpty {
      // “The first of all Mondays”, as some programs write the first Monday.
      guard days.count == 1, days[0].position == 0 else {
        throw Inexpressible(why: "it picks some of its days by their places")
      }
      numberedDays = positions.map { NumberedDay(position: $0, weekday: days[0].weekday) }
    }
    let every = numberedDays.filter { $0.position == 0 }
    var parts: [Days] = every.isEmpty ? [] : [.weekly(Set(every.map(\.weekday)))]
    for weekday in Weekday.allCases {
      var ordinals: Set<Ordinal> = []
      for day in numberedDays where day.weekday == weekday && day.position != 0 {
        guard let ordinal = day.position == -1 ? .last : Ordinal(rawValue: day.position), day.position != 5
        else {
          throw Inexpressible(
            why: "it is due on a fifth weekday, or on one counted from the end of the month")
        }
        ordinals.insert(ordinal)
      }
      if !ordinals.isEmpty { parts.append(.ordinal(ordinals, weekday)) }
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private func inSomeMonths(_ start: LocalDate) throws(Inexpressible) -> Days {
    guard days.isEmpty, positions.isEmpty, monthDays.allSatisfy({ $0 > 0 && $0 <= 31 }) else {
      throw Inexpressible(why: "it is due in some months only, on other days than plain dates")
    }
    guard months.allSatisfy({ (1...12).contains($0) }) else {
      throw Inexpressible(why: "it repeats by another calendar")
    }
    let dates = (months.isEmpty ? [start.month] : months).flatMap { month in
      (monthDays.isEmpty ? [start.day] : monthDays).map { (month, $0) }
    }
    // A date that no year has, such as 30 February, is never due.
    let real = dates.filter { $0.1 <= LocalDate.length(ofMonth: $0.0, year: 2028) }
    guard !real.isEmpty else { throw Inexpressible(why: "it falls on a date that no year has") }
    let parts = real.map { Days.yearly(month: $0.0, day: $0.1) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// The times of day of an event that begins at `clock`.
  func clocks(from clock: ClockTime) throws(Inexpressible) -> [ClockTime] {
    let (hours, minutes) = (hours.isEmpty ? [clock.hour] : hours, minutes.isEmpty ? [clock.minute] : minutes)
    let seconds = seconds.isEmpty ? [clock.second] : seconds
    guard hours.count * minutes.count * seconds.count <= 24 else {
      throw Inexpressible(why: "it repeats more than 24 times a day")
    }
    return hours.flatMap { hour in
      minutes.flatMap { minute in
        seconds.compactMap { ClockTime(hour: hour, minute: minute, second: min(59, $0)) }
      }
    }
  }

  /// Whether `interval` lets a date through, counted from the date it begins on.
  func includes(_ date: LocalDate, from start: LocalDate) -> Bool {
    func week(_ date: LocalDate) -> Int {
      date.dayNumber - (date.weekday.rawValue - weekStart.rawValue + 7) % 7
    }
    return switch frequency {
    case .daily: (date.dayNumber - start.dayNumber) % interval == 0
    case .weekly: (week(date) - week(start)) / 7 % interval == 0
    case .monthly: (date.year * 12 + date.month - start.year * 12 - start.month) % interval == 0
    case .yearly: (date.year - start.year) % interval == 0
    default: true
    }
  }

  /// The same without an interval where there is one for it: every seven days is weekly, every twelve months yearly.
  func simplified(from start: LocalDate) -> RecurrenceRule {
    var rule = self
    if frequency == .daily, interval == 7, days.isEmpty, monthDays.isEmpty {
      (rule.frequency, rule.interval) = (.weekly, 1)
    } else if frequency == .monthly, interval == 12, days.isEmpty, months.isEmpty, positions.isEmpty {
      (rule.frequency, rule.interval, rule.months) = (.yearly, 1, [start.month])
    }
    return rule
  }
}

extension Days {
  /// The days that lie `step` days later (earlier where negative) than each of these; nil where no rule of ours names
  /// exactly those.
  func shifted(by step: Int) -> Days? {
    guard step != 0 else { return self }
    switch self {
    case .weekly(let weekdays):
      return .weekly(
        Set(weekdays.compactMap { Weekday(rawValue: (($0.rawValue - 1 + step) % 7 + 7) % 7 + 1) }))
    case .monthDays(let days):
      // The day before the first is the last. Beyond the 28th it depends on the month whether there is such a day.
      if days == [1], step == -1 { return .lastDayOfMonth }
      guard days.allSatisfy({ (1...28).contains($0) && (1...28).contains($0 + step) }) else { return nil }
      return .monthDays(Set(days.map { $0 + step }))
    case .lastDayOfMonth: return step == 1 ? .monthDays([1]) : nil
    case .ordinal: return nil
    case .yearly(let month, let day):
      guard (month, day) != (2, 29), (-300...300).contains(step) else { return nil }
      // A leap day in between, of that year or one beside it, would make it another date every so often.
      let dates = (2026...2029).compactMap { LocalDate(year: $0, month: month, day: day)?.adding(days: step) }
      guard let leap = dates.first, dates.allSatisfy({ ($0.month, $0.day) == (leap.month, leap.day) }) else {
        return nil
      }
      return .yearly(month: leap.month, day: leap.day)
    case .any(let several):
      var result: [Days] = []
      for days in several {
        guard let days = days.shifted(by: step) else { return nil }
        result.append(days)
      }
      return .any(result)
    }
  }
}
