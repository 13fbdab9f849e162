extension Meaning {
  var today: LocalDate { zone.local(now).date }

  /// The date a part of the words stands for, with a time on it that is still ahead.
  func date(_ day: WhenParts.Day, _ clock: ClockTime) throws(Complaint) -> LocalDate {
    switch day {
    case .days: return today
    case .today:
      guard ahead(today, clock) else {
        throw Complaint(
          message: "has passed, it is \(zone.local(now).clock) now", forms: ["tomorrow \(clock)"])
      }
      return today
    case .tomorrow:
      let date = today.adding(days: 1)
      guard ahead(date, clock) else { throw missing(date, clock) }
      return date
    case .coming(let weekday): return try coming(weekday, clock)
    case .date(let date, let named):
      try check(date, named, clock)
      guard zone.instant(date, clock) != nil else { throw missing(date, clock) }
      guard ahead(date, clock) else { throw passed("\(date.day) \(Month.short(date.month)) \(clock)") }
      return date
    case .monthDay(let month, let day, let named):
      let days = Days.yearly(month: month, day: day)
      guard let due = Rule.every(days, clock).next(after: now, in: zone) else {
        throw passed("tomorrow \(clock)")
      }
      try check(due.date, named, clock)
      return due.date
    }
  }

  /// The next such weekday: today while the time is ahead, else in a week.
  func coming(_ weekday: Weekday, _ clock: ClockTime) throws(Complaint) -> LocalDate {
    guard let due = Rule.every(.weekly([weekday]), clock).next(after: now, in: zone) else {
      throw passed("tomorrow \(clock)")
    }
    return due.date
  }

  /// An instant with its offset.
  func fixed(_ date: LocalDate, _ named: Weekday?, _ clock: ClockTime, _ offset: Int) throws(Complaint)
    -> Rule
  {
    if zoneGiven {
      throw Complaint(
        message: "has an offset, and --zone names another", forms: ["\(date) \(clock)", "tomorrow \(clock)"])
    }
    try check(date, named, clock)
    let instant = Instant(seconds: Int64(date.dayNumber * ZoneTable.day + clock.secondOfDay - offset))
    guard instant > now else {
      throw passed("\(today.adding(days: 1))T\(clock)\(Offset.text(offset))")
    }
    return .fixed(instant)
  }

  /// What `tomorrow` means to somebody who is still up.
  func tomorrow(_ clock: ClockTime) -> [String] {
    let present = zone.local(now).clock
    guard present.hour < 4 else { return [] }
    let meaning =
      "It is \(ClockTime(secondOfDay: present.secondOfDay / 60 * 60)), so tomorrow is \(today.adding(days: 1).named)"
    return [ahead(today, clock) ? "\(meaning); for this morning write: today \(clock)" : "\(meaning)."]
  }

  /// A sentence on the first gap in the coming year that moves the rule's time, or on the one that moves its only time.
  func gapAhead(_ rule: Rule) -> [String] {
    var dues = [rule.next(after: now, in: zone)]
    if rule.repeats {
      // A gap belongs to the date before it, or to the one behind it.
      dues = zone.table.turns(after: now.seconds, until: now.seconds + 366 * 86_400).flatMap { turn in
        [-1, 0].map { rule.due(on: zone.local(Instant(seconds: turn + $0)).date, in: zone) }
      }
    }
    for case let due? in dues where due.instant > now {
      guard case .shifted = due.kind, let remark = due.remark(in: zone) else { continue }
      return [remark]
    }
    return []
  }

  func passed(_ form: String) -> Complaint {
    Complaint(message: "has passed", forms: [form, "tomorrow 07:00"])
  }

  private func ahead(_ date: LocalDate, _ clock: ClockTime) -> Bool {
    zone.instant(date, clock).map { $0.instant > now } ?? false
  }

  private func missing(_ date: LocalDate, _ clock: ClockTime) -> Complaint {
    Complaint(
      message: "names a day that \(zone.identifier) leaves out (\(date))",
      forms: ["\(date.adding(days: 1)) \(clock)"])
  }

  private func check(_ date: LocalDate, _ named: Weekday?, _ clock: ClockTime) throws(Complaint) {
    guard let named, named != date.weekday else { return }
    throw Complaint(
      message: "names a \(named.long), but \(date) is a \(date.weekday.long)",
      forms: ["\(date.named) \(clock)"])
  }
}
