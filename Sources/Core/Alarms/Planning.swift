import Schedule

extension AlarmBook {
  /// The first due of an alarm after an instant that has not ended already; nil where there is none.
  func firstOpenDue(of alarm: Alarm, after instant: Instant, in machine: Zone) -> Due? {
    guard alarm.isEnabled, !alarm.isTimer, !isCountedOut(alarm) else { return nil }
    let zone = alarm.zone ?? machine
    var from = instant
    // Each turn passes one that is taken; those kept are few.
    for _ in 0..<(AlarmBook.remembered + 4) {
      guard let due = next(of: alarm, after: from, in: zone) else { return nil }
      if !isTaken(due.date, of: alarm) { return due }
      from = due.instant
    }
    return nil
  }

  /// The alarm's next due after an instant by its rule and its last date.
  func next(of alarm: Alarm, after instant: Instant, in zone: Zone) -> Due? {
    guard let due = alarm.rule.next(after: instant, in: zone) else { return nil }
    if let until = alarm.until, due.date > until { return nil }
    return alarm.named(due)
  }

  /// Whether the occurrence of that date rings already or has ended.
  func isTaken(_ date: LocalDate, of alarm: Alarm) -> Bool {
    if let occurrence = live[alarm.id], occurrence.id.date == date, occurrence.id.version == alarm.version,
      !occurrence.isRehearsal
    {
      return true
    }
    return settled[alarm.id]?.contains {
      $0.date == date && $0.version == alarm.version && $0.rehearsal == 0 && !$0.isReopened
    } ?? false
  }

  func isCountedOut(_ alarm: Alarm) -> Bool { alarm.count.map { alarm.counted >= $0 } ?? false }

  /// A timer's occurrence is named by the UTC date it was made on, which nothing changes.
  func date(ofTimer alarm: Alarm) -> LocalDate { alarm.createdAt.utcDate }

  func occurrenceID(_ alarm: Alarm, _ date: LocalDate) -> OccurrenceID {
    OccurrenceID(alarm: alarm.id, date: date, version: alarm.version)
  }

  /// Plans an alarm anew, from `instant` on (exclusive).
  mutating func plan(_ id: Int, after instant: Instant, in zone: Zone) {
    guard let alarm = alarms[id] else { return }
    if alarm.isTimer {
      if alarm.isEnabled { timers.insert(id) } else { timers.remove(id) }
      setPlan(nil, of: id)
    } else {
      timers.remove(id)
      setPlan(firstOpenDue(of: alarm, after: instant, in: zone), of: id)
    }
  }

  /// Plans every alarm anew; `lower` says from where on (exclusive).
  mutating func planAll(in zone: Zone, lower: (Alarm, Due?) -> Instant) {
    var entries: [Agenda.Entry] = []
    entries.reserveCapacity(ids.count)
    var planned: [Int: Due] = [:]
    planned.reserveCapacity(ids.count)
    timers.removeAll()
    for id in ids {
      guard let alarm = alarms[id], alarm.isEnabled else { continue }
      if alarm.isTimer {
        timers.insert(id)
      } else if let due = firstOpenDue(of: alarm, after: lower(alarm, plans[id]), in: zone) {
        planned[id] = due
        entries.append(Agenda.Entry(instant: due.instant, alarm: id))
      }
    }
    plans = planned
    agenda.removeAll()
    agenda.insert(contentsOf: entries)
  }

  /// The next `limit` occurrences of all alarms, soonest first.
  public func nextOccurrences(_ limit: Int, at now: Moment) -> [(alarm: Int, due: Due)] {
    guard limit > 0 else { return [] }
    // No alarm but the first `limit` of the agenda and the timers can be among the first `limit` occurrences.
    var heads: [(alarm: Int, due: Due)] = []
    var certain = 0
    for entry in agenda.entries {
      guard certain < limit else { break }
      // One that is skipped may come after others that are no heads yet.
      if !skipsPlan(entry.alarm) { certain += 1 }
      if let due = nextDue(of: entry.alarm, at: now) { heads.append((entry.alarm, due)) }
    }
    heads += timers.compactMap { id in nextDue(of: id, at: now).map { (id, $0) } }
    let isLater: ((alarm: Int, due: Due), (alarm: Int, due: Due)) -> Bool = {
      ($0.due.instant, $0.alarm) > ($1.due.instant, $1.alarm)
    }
    // The soonest is last, so that taking it costs nothing.
    heads.sort(by: isLater)
    var result: [(alarm: Int, due: Due)] = []
    var taken: [Int: Int] = [:]
    while result.count < limit, let head = heads.popLast() {
      result.append(head)
      taken[head.alarm, default: 0] += 1
      guard let alarm = alarms[head.alarm], !alarm.isTimer,
        let due = following(alarm, head.due, taken[head.alarm] ?? 0, in: now.zone)
      else { continue }
      let place = heads.firstIndex { !isLater($0, (head.alarm, due)) } ?? heads.count
      heads.insert((head.alarm, due), at: place)
    }
    return result
  }
}

extension AlarmBook {
  /// What comes after a time that rings, `taken` of them counted already.
  private func following(_ alarm: Alarm, _ due: Due, _ taken: Int, in zone: Zone) -> Due? {
    var alarm = alarm
    // Those that are skipped up to there count as well.
    if alarm.count != nil, !alarm.skips.isEmpty, let first = plans[alarm.id] {
      var skipped = 0
      var next: Due? = first
      while let passed = next, passed.instant < due.instant {
        if alarm.isSkipped(passed.date) { skipped += 1 }
        next = firstOpenDue(of: alarm, after: passed.instant, in: zone)
      }
      alarm.counted += skipped
    }
    alarm.counted += taken
    return firstRing(of: alarm, after: due.instant, in: zone)
  }
}

extension Alarm {
  /// A fixed instant is known by its date in UTC, which is the same in every zone.
  func named(_ due: Due) -> Due {
    guard case .fixed = rule else { return due }
    return Due(date: due.instant.utcDate, instant: due.instant, kind: due.kind)
  }
}

extension Instant {
  /// The date in UTC.
  var utcDate: LocalDate {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return LocalDate(dayNumber: Int(rest < 0 ? days - 1 : days))
  }
}
