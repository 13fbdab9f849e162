import Core
import Schedule

/// Makes alarms of events.
struct AlarmMaker {
  let context: ImportContext
  let zones: CalendarZones
  /// So many dates of rules may be gone through for one file; what needs more is left out.
  var patience = 300_000

  init(_ context: ImportContext, _ zones: CalendarZones) { (self.context, self.zones) = (context, zones) }

  /// The time and zone of one trigger, worked out for the event that has it.
  struct Trigger: Hashable {
    /// The event's own beginning; its clock is there.
    var start: CalendarTime
    /// nil: floating.
    var zone: Zone?
    var span: CalendarSpan
    /// An instant of its own; the rest does not matter then.
    var fixed: Instant?
  }

  mutating func take(_ event: CalendarEvent, into result: inout Import) {
    func leaveOut(_ why: String) { result.leftOut.append(Import.Remark(event.name, why)) }
    for problem in event.problems { result.changed.append(Import.Remark(event.name, problem)) }
    guard !event.alarms.isEmpty else {
      result.silent += 1
      return
    }
    let isOff = event.own["ENABLED"] == "FALSE"
    if event.status == "CANCELLED", !isOff { return leaveOut("it was cancelled") }
    if event.hasBrokenRule { return leaveOut("the rule by which it repeats cannot be read") }
    if event.status == "COMPLETED" { return leaveOut("it is done") }
    var taken: Set<AlarmDraft> = []
    for alarm in event.alarms {
      do throws(Inexpressible) {
        if let why = refusal(alarm) { throw Inexpressible(why: why) }
        let trigger = try self.trigger(of: alarm, event)
        if alarm.repeats > 0 {
          result.changed.append(
            Import.Remark(
              event.name,
              "its \(alarm.repeats) repetitions are left out; an alarm that nobody answers snoozes by itself")
          )
        }
        for var copy in try copies(event, trigger, isOff: isOff, into: &result) {
          dress(&copy, event, isFirst: taken.isEmpty, into: &result)
          // A sound and a message at one instant are one alarm here.
          var same = copy.draft
          same.info = []
          if taken.insert(same).inserted { result.alarms.append(copy) }
        }
      } catch {
        leaveOut(error.why)
      }
    }
  }

  private func refusal(_ alarm: CalendarEvent.Alarm) -> String? {
    switch alarm.action {
    case "AUDIO", "DISPLAY", "": nil
    case "NONE": "its alarm is one that does nothing (ACTION:NONE)"
    case "EMAIL": "its alarm is a letter to be sent (ACTION:EMAIL)"
    case "PROCEDURE": "its alarm runs a program (ACTION:PROCEDURE)"
    default: "its alarm is of a kind nobody here knows (ACTION:\(alarm.action))"
    }
  }

  // MARK: The trigger

  private func trigger(of alarm: CalendarEvent.Alarm, _ event: CalendarEvent) throws(Inexpressible) -> Trigger
  {
    guard let anchor = event.anchor else {
      guard case .absolute(let time) = alarm.trigger else {
        throw Inexpressible(why: "it has no date from which its alarm could be counted")
      }
      return Trigger(
        start: time, zone: nil, span: CalendarSpan(days: 0, seconds: 0), fixed: try instant(time))
    }
    let zone = try self.zone(of: anchor)
    var start = anchor
    // All of a day begins at midnight.
    start.clock = anchor.clock ?? ClockTime(hour: 0, minute: 0)
    switch alarm.trigger {
    case .none: throw Inexpressible(why: "its alarm has no trigger that can be read")
    case .absolute(let time):
      return Trigger(start: start, zone: zone, span: .init(days: 0, seconds: 0), fixed: try instant(time))
    case .relative(var span, let toEnd):
      if toEnd {
        let length = try self.length(of: event, anchor)
        span = CalendarSpan(days: span.days + length.days, seconds: span.seconds + length.seconds)
      }
      return Trigger(start: start, zone: zone, span: span, fixed: nil)
    }
  }

  private func zone(of time: CalendarTime) throws(Inexpressible) -> Zone? {
    switch time.place {
    case .utc: return .utc
    case .floating: return nil
    case .zone(let name):
      guard let zone = zones.zone(name) else {
        throw Inexpressible(why: "nobody here knows its time zone “\(name)”")
      }
      return zone
    }
  }

  private func instant(_ time: CalendarTime) throws(Inexpressible) -> Instant {
    let zone = try zone(of: time) ?? context.zone
    guard let clock = time.clock, let resolved = zone.instant(time.date, clock) else {
      throw Inexpressible(why: "its alarm's time (\(time.shown)) does not exist")
    }
    return resolved.instant
  }

  /// How long it is, by its calendar.
  private func length(of event: CalendarEvent, _ anchor: CalendarTime) throws(Inexpressible) -> CalendarSpan {
    let none = CalendarSpan(days: 0, seconds: 0)
    if let duration = event.duration { return duration }
    if event.isToDo, event.start == nil { return none }
    guard let end = event.isToDo ? event.due : event.end else {
      return anchor.clock == nil && !event.isToDo ? CalendarSpan(days: 1, seconds: 0) : none
    }
    if end.place == anchor.place || end.clock == nil {
      let days = end.date.dayNumber - anchor.date.dayNumber
      let seconds = (end.clock?.secondOfDay ?? 0) - (anchor.clock?.secondOfDay ?? 0)
      guard abs(days) <= 3653 else {
        throw Inexpressible(why: "it ends more than ten years after its beginning")
      }
      return CalendarSpan(days: days, seconds: seconds)
    }
    let span = try instant(end) - instant(anchor)
    return CalendarSpan(days: 0, seconds: Int(span.components.seconds))
  }

  // MARK: Once

  /// One time: the wall's where it can be said so, else an instant.
  func once(_ trigger: Trigger, on date: LocalDate, _ clock: ClockTime) throws(Inexpressible) -> (
    Rule, Zone?, Instant
  ) {
    if let fixed = trigger.fixed { return (.fixed(fixed), nil, fixed) }
    guard let zone = trigger.zone else {
      let wall = date.dayNumber * 86_400 + clock.secondOfDay + trigger.span.wall
      let (local, _, _) = Zone.utc.local(Instant(seconds: Int64(wall)))
      let rest = ClockTime(
        hour: mod(wall, 86_400) / 3600, minute: mod(wall, 3600) / 60, second: mod(wall, 60))
      guard (1...9999).contains(local.year), let rest, let resolved = context.zone.instant(local, rest) else {
        throw Inexpressible(why: "its alarm's time does not exist")
      }
      return (.once(local, rest, clockAlone: false), nil, resolved.instant)
    }
    guard let resolved = zone.instant(date.adding(days: trigger.span.days), clock) else {
      throw Inexpressible(why: "its alarm's time does not exist")
    }
    let instant = resolved.instant + .seconds(trigger.span.seconds)
    let local = zone.local(instant)
    guard (1...9999).contains(local.date.year) else {
      throw Inexpressible(why: "its alarm's time does not exist")
    }
    if zone != .utc, zone.instant(local.date, local.clock)?.instant == instant {
      return (.once(local.date, local.clock, clockAlone: false), zone, instant)
    }
    return (.fixed(instant), nil, instant)
  }

  private func mod(_ value: Int, _ divisor: Int) -> Int { (value % divisor + divisor) % divisor }

  /// `isOff`: one of ours that had rung.
  func single(_ trigger: Trigger, on date: LocalDate, _ clock: ClockTime, isOff: Bool) throws(Inexpressible)
    -> AlarmCopy
  {
    let (rule, zone, instant) = try once(trigger, on: date, clock)
    var copy = AlarmCopy(AlarmDraft(rule: rule, zone: zone))
    if isOff {
      (copy.isEnabled, copy.isSpent) = (false, instant <= context.now)
    } else if instant <= context.now {
      throw Inexpressible(why: "it has passed: \(instant.shown(in: zone ?? context.zone, now: context.now))")
    }
    return copy
  }

  private mutating func copies(
    _ event: CalendarEvent, _ trigger: Trigger, isOff: Bool, into result: inout Import
  ) throws(Inexpressible) -> [AlarmCopy] {
    guard let clock = trigger.start.clock else { return [] }
    guard trigger.fixed == nil, !event.rules.isEmpty || !event.extraDates.isEmpty, event.instance == nil
    else {
      return [try single(trigger, on: trigger.start.date, clock, isOff: isOff)]
    }
    return try repeated(event, trigger, clock, isOff: isOff, into: &result)
  }
}
