import CLibical
import Core
import Schedule

/// Alarms as iCalendar (RFC 5545): each a VEVENT of no length with a VALARM at its beginning. What a calendar has no word
/// for goes into X-REVEILLE- properties, which `import` reads again.
public struct CalendarWriter {
  private let now: Instant
  private let machine: Zone
  private var written: Set<String> = []
  /// What cannot be written, and what is written otherwise than it is.
  public private(set) var leftOut: [Import.Remark] = []
  public private(set) var changed: [Import.Remark] = []

  /// - Throws: where libical is not installed.
  public init(now: Instant, machine: Zone) throws(ExchangeError) {
    try ICal.load()
    (self.now, self.machine) = (now, machine)
  }

  public static let header =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Reveille//alarm//EN\r\nCALSCALE:GREGORIAN\r\n"
  public static let footer = "END:VCALENDAR\r\n"

  /// The alarm's event, and before it its zone where that was not written yet; empty where it cannot be written.
  public mutating func text(_ alarm: AlarmCopy) -> String {
    let name = "alarm \(alarm.id ?? 0)" + (alarm.draft.label.isEmpty ? "" : " (\(alarm.draft.label))")
    guard let event = reveille_ical_component(ICAL_VEVENT_COMPONENT) else { return "" }
    do throws(Inexpressible) {
      ICalWriter.add(event, ICAL_UID_PROPERTY, raw: "alarm-\(alarm.id ?? 0)-\(now.microseconds)@reveille")
      ICalWriter.add(event, ICAL_DTSTAMP_PROPERTY, raw: now.calendarTime.iCalendar)
      try addTime(event, alarm, name)
    } catch {
      leftOut.append(Import.Remark(name, error.why))
      reveille_ical_free(event)
      return ""
    }
    addContent(event, alarm)
    var before = ""
    if let zone = alarm.draft.zone, zone.identifier != "UTC", written.insert(zone.identifier).inserted,
      let component = ZoneWriter.component(zone, around: now)
    {
      before = ICalWriter.text(component)
    }
    return before + ICalWriter.text(event)
  }

  // MARK: When

  private mutating func addTime(_ event: OpaquePointer, _ alarm: AlarmCopy, _ name: String)
    throws(Inexpressible)
  {
    let zone = alarm.draft.zone
    let place: CalendarTime.Place =
      zone.map { $0.identifier == "UTC" ? .utc : .zone($0.identifier) } ?? .floating
    let start: CalendarTime
    switch alarm.draft.rule {
    case .fixed(let instant):
      start = instant.calendarTime
      if instant.microseconds % 1_000_000 != 0 {
        changed.append(
          Import.Remark(name, "a calendar knows whole seconds only: it is written as \(start.shown) UTC"))
      }
    case .timer:
      guard let end = alarm.endsAt else { throw Inexpressible(why: "it is a timer that has run out") }
      start = end.calendarTime
      changed.append(Import.Remark(name, "it is a timer, and is written as the time at which it is over"))
    case .once(let date, let clock, let isAlone):
      start = CalendarTime(date, clock, place)
      if isAlone { ICalWriter.add(event, own: "CLOCK-ALONE", "TRUE") }
    case .every(let days, let clock):
      start = CalendarTime(try first(of: days, clock, alarm), clock, place)
      try addRules(event, alarm, days, start, name)
    }
    guard (1...9999).contains(start.date.year) else {
      throw Inexpressible(why: "a calendar has no year \(start.date.year)")
    }
    var zoneName: String?
    if case .zone(let identifier) = start.place { zoneName = identifier }
    ICalWriter.add(event, ICAL_DTSTART_PROPERTY, raw: start.iCalendar, zone: zoneName)
  }

  /// The date of the event: the next that is due, or the last of an alarm whose time is over.
  private func first(of days: Days, _ clock: ClockTime, _ alarm: AlarmCopy) throws(Inexpressible) -> LocalDate
  {
    let zone = alarm.draft.zone ?? machine
    var due = alarm.draft.rule.next(after: now, in: zone)
    while let passed = due, let skip = alarm.skips.first(where: { $0.contains(passed.date) }) {
      due = alarm.draft.rule.next(onOrAfter: skip.upperBound.adding(days: 1), in: zone)
    }
    let until = alarm.draft.until
    if let due, until.map({ due.date <= $0 }) ?? true { return due.date }
    // Eight years lie between two leap days where a century is none.
    let latest = until ?? zone.local(now).date
    for back in 0..<(9 * 366) where days.contains(latest.adding(days: -back)) {
      return latest.adding(days: -back)
    }
    throw Inexpressible(why: "it is never due")
  }

  private mutating func addRules(
    _ event: OpaquePointer, _ alarm: AlarmCopy, _ days: Days, _ start: CalendarTime, _ name: String
  ) throws(Inexpressible) {
    let rules = days.calendarRules
    if rules.count > 1 {
      changed.append(
        Import.Remark(
          name,
          "it is written as \(rules.count) rules of one event, of which some programs read only the first"))
    }
    var until = alarm.draft.until
    var end = ""
    if let count = alarm.draft.count {
      // Those that are left out before the first count as well.
      var left = count - alarm.counted - skippedBefore(start.date, alarm)
      guard left > 0 || !alarm.isEnabled else { throw Inexpressible(why: "it never rings again") }
      left = max(1, left)
      if rules.count == 1, until == nil {
        end = ";COUNT=\(left)"
      } else if let last = lastDate(after: left, alarm.draft.rule, from: start.date) {
        until = min(until ?? last, last)
      }
    }
    if let until, end.isEmpty { end = ";UNTIL=\(endText(until, start, alarm.draft.zone))" }
    for rule in rules { ICalWriter.add(event, ICAL_RRULE_PROPERTY, raw: rule + end) }
    var zoneName: String?
    if case .zone(let identifier) = start.place { zoneName = identifier }
    let skips = alarm.skips.flatMap { range in
      (max(range.lowerBound, start.date).dayNumber..<max(range.upperBound, start.date).dayNumber + 1).lazy
        .map { LocalDate(dayNumber: $0) }.filter { range.contains($0) && days.contains($0) }
        .prefix(CalendarWriter.mostExceptions)
    }
    if skips.count >= CalendarWriter.mostExceptions {
      changed.append(Import.Remark(name, "of the dates that it leaves out not all are written"))
    }
    for skip in Set(skips.prefix(CalendarWriter.mostExceptions)).sorted() {
      ICalWriter.add(
        event, ICAL_EXDATE_PROPERTY, raw: CalendarTime(skip, start.clock, start.place).iCalendar,
        zone: zoneName)
    }
  }

  static let mostExceptions = 1000

  private func skippedBefore(_ first: LocalDate, _ alarm: AlarmCopy) -> Int {
    let zone = alarm.draft.zone ?? machine
    var (count, due) = (0, alarm.draft.rule.next(after: now, in: zone))
    while let passed = due, passed.date < first, count < AlarmMaker.largestCount {
      count += 1
      due = alarm.draft.rule.next(after: passed.instant, in: zone)
    }
    return count
  }

  private func lastDate(after count: Int, _ rule: Rule, from start: LocalDate) -> LocalDate? {
    var date = start
    // A rule of years is at an end of all dates long before.
    for index in 0..<min(count, AlarmMaker.largestCount) {
      guard let due = rule.next(onOrAfter: index == 0 ? date : date.adding(days: 1), in: .utc) else {
        return date
      }
      date = due.date
    }
    return date
  }

  /// UNTIL is in universal time where the event has a zone (RFC 5545, 3.3.10).
  private func endText(_ until: LocalDate, _ start: CalendarTime, _ zone: Zone?) -> String {
    guard let zone, let clock = start.clock, let last = zone.instant(until, clock) else {
      return CalendarTime(until, start.clock, .floating).iCalendar
    }
    return last.instant.calendarTime.iCalendar
  }

  // MARK: What

  private func addContent(_ event: OpaquePointer, _ alarm: AlarmCopy) {
    let draft = alarm.draft
    if !draft.label.isEmpty { ICalWriter.add(event, ICAL_SUMMARY_PROPERTY, text: draft.label) }
    if !draft.body.isEmpty { ICalWriter.add(event, ICAL_DESCRIPTION_PROPERTY, text: draft.body) }
    ICalWriter.add(event, ICAL_TRANSP_PROPERTY, raw: "TRANSPARENT")
    if !alarm.isEnabled { ICalWriter.add(event, ICAL_STATUS_PROPERTY, raw: "CANCELLED") }
    func own(_ name: String, _ value: String?) { ICalWriter.add(event, own: name, value) }
    func text(_ name: String, _ value: String?) { own(name, value.map { OwnText.encode($0) }) }
    own("ID", alarm.id.map { String($0) })
    if !alarm.isEnabled { own("ENABLED", "FALSE") }
    if alarm.isSpent { own("SPENT", "TRUE") }
    text("SOUND", draft.sound)
    own("VOLUME", draft.volume.map { String($0) })
    own("FADE", draft.fade.map(Span.compact))
    own("SNOOZE", draft.snooze.map(Span.compact))
    own("SNOOZE-LIMIT", draft.snoozeLimit.map { String($0) })
    own("SILENCE-AFTER", draft.silenceAfter.map(Span.compact))
    text("ACTION", draft.action.isEmpty ? nil : draft.action)
    own("BADGE", draft.badge.map { String($0) })
    text("RUN", draft.run.isEmpty ? nil : draft.run)
    for pair in draft.info {
      own("INFO", "\(OwnText.encode(pair.key, isKey: true))=\(OwnText.encode(pair.value))")
    }
    guard let bell = reveille_ical_component(ICAL_VALARM_COMPONENT) else { return }
    ICalWriter.add(bell, ICAL_ACTION_PROPERTY, raw: "DISPLAY")
    ICalWriter.add(bell, ICAL_DESCRIPTION_PROPERTY, text: draft.label.isEmpty ? "Alarm" : draft.label)
    ICalWriter.add(bell, ICAL_TRIGGER_PROPERTY, raw: "PT0S")
    reveille_ical_add_inner(event, bell)
  }
}

extension Instant {
  /// In universal time, whole seconds.
  var calendarTime: CalendarTime {
    let (date, clock, _) = Zone.utc.local(self)
    return CalendarTime(date, clock, .utc)
  }
}

extension Days {
  /// As RRULEs without an end; several only where one cannot say it.
  var calendarRules: [String] {
    func list(_ values: some Sequence<Int>) -> String {
      values.sorted().map { String($0) }.joined(separator: ",")
    }
    switch self {
    case .weekly(let weekdays):
      if weekdays.count == 7 { return ["FREQ=DAILY"] }
      return ["FREQ=WEEKLY;BYDAY=" + weekdays.sorted().map(\.calendarName).joined(separator: ",")]
    case .monthDays(let days): return ["FREQ=MONTHLY;BYMONTHDAY=\(list(days))"]
    case .lastDayOfMonth: return ["FREQ=MONTHLY;BYMONTHDAY=-1"]
    case .ordinal(let ordinals, let weekday):
      let days = ordinals.sorted().map { "\($0 == .last ? -1 : $0.rawValue)\(weekday.calendarName)" }
      return ["FREQ=MONTHLY;BYDAY=" + days.joined(separator: ",")]
    case .yearly(let month, let day): return ["FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)"]
    case .any(let several):
      // Lists of the same kind are one list.
      var result: [String] = []
      for rule in several.flatMap(\.calendarRules) {
        let (head, values) = rule.splitAtLastEquals
        let place = result.firstIndex { $0.splitAtLastEquals.head == head && head.contains(";") }
        if let place { result[place] += "," + values } else { result.append(rule) }
      }
      return result
    }
  }
}

extension String {
  fileprivate var splitAtLastEquals: (head: Substring, values: Substring) {
    guard let equals = lastIndex(of: "=") else { return (self[...], "") }
    return (self[...equals], self[index(after: equals)...])
  }
}
