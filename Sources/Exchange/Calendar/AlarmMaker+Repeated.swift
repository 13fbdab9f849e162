import Core
import Schedule

extension AlarmMaker {
  /// A row that ends within so many is given as single alarms where no rule of ours says it.
  static let mostSingles = 100
  /// Counts beyond this are as good as without end.
  static let largestCount = 20_000

  mutating func repeated(
    _ event: CalendarEvent, _ trigger: Trigger, _ clock: ClockTime, isOff: Bool, into result: inout Import
  ) throws(Inexpressible) -> [AlarmCopy] {
    var copies: [AlarmCopy] = []
    var trouble: Inexpressible?
    let excepted = Set(event.exceptions.map { localDate($0, trigger.zone) })
    for given in event.rules {
      do throws(Inexpressible) {
        let rule = given.simplified(from: trigger.start.date)
        for time in try rule.clocks(from: clock) {
          if rule.interval > 1 || rule.count != nil && rule.clocks > 1 {
            copies += try singles(rule, trigger, time, excepted, into: &result, event)
          } else {
            copies.append(try row(rule, trigger, time, excepted, isOff: isOff, into: &result, event))
          }
        }
      } catch {
        trouble = trouble ?? error
      }
    }
    for extra in event.extraDates where !excepted.contains(localDate(extra, trigger.zone)) {
      do throws(Inexpressible) {
        copies.append(
          try single(trigger, on: localDate(extra, trigger.zone), extra.clock ?? clock, isOff: isOff))
      } catch {
        // Those that have passed are nobody's loss as long as others are to come.
        if event.rules.isEmpty, copies.isEmpty { trouble = error }
      }
    }
    guard let trouble else { return joined(copies) }
    if joined(copies).isEmpty { throw trouble }
    result.leftOut.append(Import.Remark(event.name, "of its repetitions some are left out: \(trouble.why)"))
    return joined(copies)
  }

  /// A point in a calendar as a date of the event's own zone.
  private func localDate(_ time: CalendarTime, _ zone: Zone?) -> LocalDate {
    guard let zone, let clock = time.clock else { return time.date }
    let other: Zone
    switch time.place {
    case .floating: return time.date
    case .utc: other = .utc
    case .zone(let name):
      guard let found = zones.zone(name) else { return time.date }
      other = found
    }
    guard other != zone, let resolved = other.instant(time.date, clock) else { return time.date }
    return zone.local(resolved.instant).date
  }

  /// Several rows at one time of day and with one end are one of ours.
  private func joined(_ copies: [AlarmCopy]) -> [AlarmCopy] {
    var result: [AlarmCopy] = []
    for copy in copies {
      guard case .every(let days, let clock) = copy.draft.rule,
        let place = result.firstIndex(where: { other in
          guard case .every(_, clock) = other.draft.rule else { return false }
          return (other.draft.zone, other.draft.until) == (copy.draft.zone, copy.draft.until)
            && other.draft.count == nil && copy.draft.count == nil && other.isEnabled == copy.isEnabled
            && other.skips == copy.skips
        }), case .every(let present, _) = result[place].draft.rule
      else {
        result.append(copy)
        continue
      }
      result[place].draft.rule = Rule.every(.any([present, days]), clock).normal
    }
    // What an exception is about may be another rule's, or have passed.
    for place in result.indices {
      let draft = result[place].draft
      let zone = draft.zone ?? context.zone
      let next = draft.rule.next(after: context.now, in: zone)
      result[place].skips.removeAll { range in
        let due = next.flatMap {
          $0.date < range.lowerBound ? draft.rule.next(onOrAfter: range.lowerBound, in: zone) : $0
        }
        return due.map { $0.date > range.upperBound } ?? true
      }
    }
    return result
  }

  // MARK: A row by one rule of ours

  private mutating func row(
    _ rule: RecurrenceRule, _ trigger: Trigger, _ clock: ClockTime, _ excepted: Set<LocalDate>, isOff: Bool,
    into result: inout Import, _ event: CalendarEvent
  ) throws(Inexpressible) -> AlarmCopy {
    let given = try rule.days(from: trigger.start.date)
    let wall = clock.secondOfDay + trigger.span.wall
    let (step, second) = wall.flooredDivision(by: 86_400)
    guard let days = given.shifted(by: step),
      let time = ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
    else {
      let place = step < 0 ? "before" : "after"
      throw Inexpressible(
        why:
          "its alarm is on a day \(place) the event's, and no rule of ours names those days (\(given.text))")
    }
    let first = trigger.start.date.adding(days: step)
    var copy = AlarmCopy(AlarmDraft(rule: Rule.every(days, time).normal, zone: trigger.zone))
    let zone = trigger.zone ?? context.zone
    let today = zone.local(context.now).date
    let next = copy.draft.rule.next(after: context.now, in: zone)
    if let end = rule.until {
      copy.draft.until = lastDate(until: end, clock, trigger.zone).adding(days: step)
    }
    if let count = rule.count {
      if isOff || first >= today, next?.date == copy.draft.rule.next(onOrAfter: first, in: .utc)?.date {
        copy.draft.count = count
      } else if count <= AlarmMaker.largestCount {
        copy.draft.until = try date(ofOccurrence: count, of: copy.draft.rule, from: first)
      } else {
        result.changed.append(
          Import.Remark(event.name, "it ends after \(count) times, which is taken for never"))
      }
    }
    if isOff {
      copy.isEnabled = false
      copy.isSpent = event.own["SPENT"] == "TRUE"
    } else if let until = copy.draft.until, next.map({ $0.date > until }) ?? true {
      throw Inexpressible(why: "it has passed: the last time was on or before \(until)")
    }
    // Nothing of ours begins in the future, but dates can be left out until then.
    if !isOff, first > today { copy.skips = [today...first.adding(days: -1)] }
    copy.skips += excepted.map { $0.adding(days: step) }.filter { $0 >= max(today, first) }.sorted().map {
      $0...$0
    }
    warnOfChanges(copy, rule, trigger, clock, step, into: &result, event)
    return copy
  }

  /// The last date whose time is not after the end that a rule gives.
  private func lastDate(until end: CalendarTime, _ clock: ClockTime, _ zone: Zone?) -> LocalDate {
    guard let last = end.clock else { return end.date }
    guard end.place == .utc, let zone, let resolved = Zone.utc.instant(end.date, last) else {
      return clock <= last ? end.date : end.date.adding(days: -1)
    }
    let local = zone.local(resolved.instant)
    guard let there = zone.instant(local.date, clock) else { return local.date.adding(days: -1) }
    return there.instant <= resolved.instant ? local.date : local.date.adding(days: -1)
  }

  private mutating func date(ofOccurrence number: Int, of rule: Rule, from first: LocalDate)
    throws(Inexpressible)
    -> LocalDate
  {
    var date = first
    var number = number
    if case .every(.weekly(let weekdays), _) = rule, number > 14, !weekdays.isEmpty {
      // Whole weeks are reckoned and not gone through.
      let weeks = (number - 7) / weekdays.count
      date = first.adding(days: 7 * weeks)
      number -= weeks * weekdays.count
    }
    for index in 0..<number {
      patience -= 1
      guard patience > 0 else { throw Inexpressible(why: "the file has too many rules to count out") }
      guard let due = rule.next(onOrAfter: index == 0 ? date : date.adding(days: 1), in: .utc) else { break }
      date = due.date
    }
    return date
  }

  /// RFC 5545 counts a trigger in hours from the event, ours is a clock time: where the clocks change in between, the two
  /// differ, and the person is told of the first such day.
  private mutating func warnOfChanges(
    _ copy: AlarmCopy, _ rule: RecurrenceRule, _ trigger: Trigger, _ clock: ClockTime, _ step: Int,
    into result: inout Import, _ event: CalendarEvent
  ) {
    guard trigger.span.seconds != 0, let zone = trigger.zone, zone != .utc else { return }
    let margin = Duration.seconds(abs(trigger.span.seconds) + 86_400)
    for change in zones.changes(of: zone) {
      var from = max(context.now, change - margin)
      // A rule is due once a day at most.
      for _ in 0..<24 {
        guard let due = copy.draft.rule.next(after: from, in: zone), due.instant <= change + margin else {
          break
        }
        if let until = copy.draft.until, due.date > until { return }
        from = due.instant
        let date = due.date.adding(days: -step).adding(days: trigger.span.days)
        guard let begins = zone.instant(date, clock) else { continue }
        let exact = begins.instant + .seconds(trigger.span.seconds)
        guard exact != due.instant else { continue }
        result.changed.append(
          Import.Remark(
            event.name,
            "on \(due.date), when the clocks change, it rings at \(zone.local(due.instant).clock) as always, and not "
              + "at \(zone.local(exact).clock)"))
        return
      }
    }
  }

  // MARK: A row one by one

  private mutating func singles(
    _ rule: RecurrenceRule, _ trigger: Trigger, _ clock: ClockTime, _ excepted: Set<LocalDate>,
    into result: inout Import, _ event: CalendarEvent
  ) throws(Inexpressible) -> [AlarmCopy] {
    let days = try rule.days(from: trigger.start.date)
    let unit = ["second", "minute", "hour", "day", "week", "month", "year", ""][rule.frequency.rawValue]
    let often =
      rule.interval > 1
      ? "it repeats every \(rule.interval) \(unit)s" : "it is counted over several times a day"
    guard rule.clocks == 1 || rule.count == nil, rule.count != nil || rule.until != nil else {
      throw Inexpressible(why: "\(often), which no rule of ours says, and without an end")
    }
    let base = Rule.every(days, clock)
    let last = rule.until.map { lastDate(until: $0, clock, trigger.zone) }
    var copies: [AlarmCopy] = []
    var date = trigger.start.date
    var counted = 0
    var steps = 0
    while let due = base.next(onOrAfter: date, in: .utc), last.map({ due.date <= $0 }) ?? true,
      rule.count.map({ counted < $0 }) ?? true
    {
      patience -= 1
      steps += 1
      guard patience > 0, steps <= AlarmMaker.largestCount else {
        throw Inexpressible(why: "\(often), which no rule of ours says, and it is too much to count out")
      }
      date = due.date.adding(days: 1)
      guard rule.includes(due.date, from: trigger.start.date) else { continue }
      counted += 1
      guard !excepted.contains(due.date), let copy = try? single(trigger, on: due.date, clock, isOff: false)
      else {
        continue
      }
      copies.append(copy)
      guard copies.count <= AlarmMaker.mostSingles else {
        throw Inexpressible(
          why: "\(often), which no rule of ours says, and more than \(AlarmMaker.mostSingles) times")
      }
    }
    guard !copies.isEmpty else { throw Inexpressible(why: "it has passed: all of its repetitions") }
    result.changed.append(
      Import.Remark(
        event.name,
        "\(often), which no rule of ours says: the \(copies.count) that are to come are alarms of their own"))
    return copies
  }
}

extension RecurrenceRule {
  /// Times a day.
  fileprivate var clocks: Int { max(1, hours.count) * max(1, minutes.count) * max(1, seconds.count) }
}

extension Rule {
  /// The same rule as the grammar would have it: nothing nested, nothing twice.
  var normal: Rule { Rule(text: text) ?? self }
}

extension Int {
  /// The quotient rounded down, and what is left, which is never negative.
  func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
