import Schedule

extension AlarmBook {
  /// Whose coming times are left out, or ring again.
  public enum Skip: Hashable, Sendable {
    /// The next time of one alarm.
    case next(Int)
    /// Every time of one alarm up to and with a date.
    case until(Int, LocalDate)
    /// Every time of all alarms there are now up to and with a date. Timers run on, and an alarm that is added later
    /// rings: whoever adds one for a holiday means it.
    case all(LocalDate)
    /// Takes back what one alarm skips, or all.
    case off(Int?)
  }

  /// What is skipped belongs to local dates, so that another clock, label or sound changes nothing about it. What rings or
  /// is snoozed is never skipped. What comes but once is switched off instead.
  mutating func skip(_ what: Skip, at now: Moment) throws(Refusal) {
    switch what {
    case .next(let id): try skip(id, until: nil, at: now)
    case .until(let id, let date): try skip(id, until: date, at: now)
    case .all(let date): skipAll(until: date, at: now)
    case .off(let id): try unskip(id, at: now)
    }
  }

  private mutating func skip(_ id: Int, until: LocalDate?, at now: Moment) throws(Refusal) {
    let alarm = try existing(id)
    if !alarm.rule.repeats, live[id] != nil {
      throw Refusal(
        "alarm \(id) comes only once and is here already, so there is nothing to skip; end it with “alarm dismiss \(id)”"
      )
    }
    guard alarm.isEnabled else {
      throw Refusal("alarm \(id) is off, so there is nothing to skip; “alarm on \(id)” switches it on")
    }
    if !alarm.rule.repeats {
      if let until, let due = nextDue(of: id, at: now),
        (alarm.zone ?? now.zone).local(due.instant).date > until
      {
        throw nothingUpTo(until, of: alarm, due, now)
      }
      keepForUndo(.skip, [alarm])
      switchOff(alarm, at: now)
      out.answer?.alarms = [id]
      out.answer?.done = "alarm \(id) comes only once, so it is off; “alarm on \(id)” takes that back"
      return
    }
    guard let due = firstRing(of: alarm, after: now.wall, in: now.zone) else {
      throw Refusal("alarm \(id) has no time left to skip; “alarm show \(id)” says why")
    }
    if let until, due.date > until { throw nothingUpTo(until, of: alarm, due, now) }
    keepForUndo(.skip, [alarm])
    leaveOut(due.date...(until ?? due.date), of: alarm)
    let shown = due.instant.shown(in: now.zone, now: now.wall)
    out.answer?.done =
      until.map { "alarm \(id) skips every time up to and with \($0)" } ?? "alarm \(id) skips \(shown)"
    out.answer?.alarms = [id]
  }

  private func nothingUpTo(_ date: LocalDate, of alarm: Alarm, _ due: Due, _ now: Moment) -> Refusal {
    let shown = due.instant.shown(in: now.zone, now: now.wall)
    return Refusal(
      "alarm \(alarm.id) does not ring up to \(date), its next time is \(shown); give a later date with --until"
    )
  }

  private mutating func skipAll(until date: LocalDate, at now: Moment) {
    var concerned: [Int] = []
    var before: [Alarm] = []
    for id in ids {
      guard let alarm = alarms[id], let due = plans[id].flatMap({ _ in nextDue(of: id, at: now) }),
        due.date <= date
      else { continue }
      before.append(alarm)
      if alarm.rule.repeats {
        leaveOut(due.date...date, of: alarm)
      } else {
        switchOff(alarm, at: now)
      }
      concerned.append(id)
    }
    keepForUndo(.skip, before)
    out.answer?.alarms = concerned
    let count = concerned.count
    out.answer?.done =
      count == 0
      ? "no alarm rings up to \(date), so there is nothing to skip"
      : "\(count == 1 ? "1 alarm skips" : "\(count) alarms skip") every time up to and with \(date)"
  }

  private mutating func unskip(_ id: Int?, at now: Moment) throws(Refusal) {
    if let id { _ = try existing(id) }
    let concerned = ids.filter { (id == nil || $0 == id) && alarms[$0]?.skips.isEmpty == false }
    keepForUndo(.endOfSkip, concerned.compactMap { alarms[$0] })
    for id in concerned {
      guard var alarm = alarms[id] else { continue }
      alarm.skips = []
      put(alarm)
    }
    out.answer?.alarms = concerned
    if concerned.isEmpty {
      out.answer?.done = id.map { "alarm \($0) skips nothing" } ?? "no alarm skips anything"
    }
  }

  private mutating func switchOff(_ alarm: Alarm, at now: Moment) {
    var off = alarm
    off.isEnabled = false
    put(off)
    plan(alarm.id, after: now.wall, in: now.zone)
  }

  private mutating func leaveOut(_ dates: ClosedRange<LocalDate>, of alarm: Alarm) {
    var changed = alarm
    changed.skips.append(dates)
    put(changed)
  }

  // MARK: What rings all the same

  /// The first due of an alarm after an instant that has not ended already and is not skipped.
  func firstRing(of alarm: Alarm, after instant: Instant, in machine: Zone) -> Due? {
    let zone = alarm.zone ?? machine
    var from = instant
    var left = alarm.count.map { $0 - alarm.counted }
    while let due = firstOpenDue(of: alarm, after: from, in: machine) {
      guard let range = alarm.skips.first(where: { $0.contains(due.date) }) else { return due }
      from = due.instant
      if let count = left {
        // Skipped ones count too.
        if count <= 1 { return nil }
        left = count - 1
      } else if let later = alarm.rule.next(onOrAfter: range.upperBound.adding(days: 1), in: zone) {
        from = max(from, Instant(microseconds: later.instant.microseconds - 1))
      }
    }
    return nil
  }

  /// Whether the time an alarm is planned for is skipped.
  func skipsPlan(_ id: Int) -> Bool {
    guard let alarm = alarms[id], !alarm.skips.isEmpty, let due = plans[id] else { return false }
    return alarm.isSkipped(due.date)
  }
}

extension Alarm {
  func isSkipped(_ date: LocalDate) -> Bool { !skips.isEmpty && skips.contains { $0.contains(date) } }

  /// Without what its rule is not due on any more.
  func withoutNeedlessSkips(in machine: Zone) -> Alarm {
    var alarm = self
    alarm.skips.removeAll { range in
      guard rule.repeats, let due = rule.next(onOrAfter: range.lowerBound, in: zone ?? machine) else {
        return true
      }
      return due.date > range.upperBound
    }
    return alarm
  }

  /// So many dates that have passed are remembered: the clock may have been set, and set back again.
  static let skipMemory = 16

  mutating func forgetSkips(before today: LocalDate) {
    var past = skips.count { $0.upperBound < today } - Alarm.skipMemory
    skips.removeAll { range in
      guard past > 0, range.upperBound < today else { return false }
      past -= 1
      return true
    }
  }
}
