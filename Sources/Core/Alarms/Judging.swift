import Schedule

/// How the present moment follows on the last one.
struct Passage {
  var now: Moment
  /// What the wall clock would show had nobody set it; nil after a restart of the machine, when nothing can be said.
  var expectedWall: Instant?
  /// The engine was not running in between.
  var wasAway: Bool
  /// The wall clock was set, or may have been.
  var wasSet: Bool
  var wentBack: Bool
  var zoneChanged: Bool
  /// How long the machine slept in between.
  var slept: Duration
  /// The wall clock at the last moment.
  var lastWall: Instant

  /// Less than this is the clock being slewed, or the rounding of two clocks read one after the other.
  static let tolerance = Duration.seconds(1)

  init(from last: Seen, suspended: Int64, _ lastZone: Zone, to now: Moment, wasAway: Bool) {
    self.now = now
    lastWall = last.wall
    self.wasAway = wasAway
    if last.bootID == now.bootID {
      let expected = last.wall + .microseconds(now.boot - last.boot)
      expectedWall = expected
      let step = now.wall - expected
      wasSet = step > Passage.tolerance || step < .zero - Passage.tolerance
      wentBack = step < .zero - Passage.tolerance
    } else {
      expectedWall = nil
      wasSet = true
      wentBack = now.wall < last.wall
    }
    zoneChanged = lastZone != now.zone
    slept = wasAway ? .zero : max(.zero, .microseconds(now.suspended - suspended))
  }

  /// Why a wall-clock instant passed without being seen in time. What a set clock or another zone made pass is theirs, though
  /// no engine ran meanwhile.
  func reason(for due: Instant, movedByZone: Bool) -> Occurrence.Reason {
    if movedByZone { return .zoneChanged }
    if let expectedWall, due > expectedWall + Passage.tolerance { return .clockSet }
    return unseen
  }

  /// Why elapsed time passed without being seen in time: an engine that was stopped or hung was as good as away.
  var unseen: Occurrence.Reason { didSleep ? .asleep : .away }

  /// Long enough to matter; two clocks read one after the other differ a little.
  var didSleep: Bool { slept > Passage.tolerance }
}

extension AlarmBook {
  /// Brings everything up to `now`: what was due since the last time rings, rings late or is missed.
  mutating func judge(at now: Moment, wasAway: Bool = false) {
    let passage = Passage(from: last, suspended: lastSuspended, lastZone, to: now, wasAway: wasAway)
    let leap = Leap(passage, after: clockTurns)
    if passage.wasSet {
      out.keepsMoment = true
      noteTurn(passage)
      cancelPrepared()
      anchorDeadlines(at: now)
    } else if passage.slept > .milliseconds(10) {
      // They are set for the clock that stands still meanwhile.
      cancelPrepared()
    }
    out.movesTimes = passage.wasSet || passage.zoneChanged
    if passage.wentBack || passage.zoneChanged { reopen(at: now) }
    if passage.zoneChanged {
      out.keepsMoment = true
      follow(now)
    } else if passage.wentBack {
      let before = Instant(microseconds: now.wall.microseconds - 1)
      planAll(in: now.zone) { _, _ in before }
    }
    judgeLive(passage)
    judgeTimers(passage)
    judgeDues(passage, leap)
  }

  /// After the clock was set or the machine restarted, elapsed time is told by the new clocks.
  private mutating func anchorDeadlines(at now: Moment) {
    for id in timers {
      guard var alarm = alarms[id], let end = alarm.timerEnd, case .timer(let span) = alarm.rule else {
        continue
      }
      alarm.timerEnd = end.anchored(at: now, limit: span)
      put(alarm)
    }
    for (id, var occurrence) in live {
      guard let end = occurrence.snoozedUntil else { continue }
      occurrence.snoozedUntil = end.anchored(at: now, limit: occurrence.snoozeSpan ?? .seconds(86_400))
      live[id] = occurrence
      out.changes.append(.occurrence(occurrence))
    }
  }

  /// The zone of the machine is another: alarms without their own follow it.
  private mutating func follow(_ now: Moment) {
    let before = Instant(microseconds: now.wall.microseconds - 1)
    planAll(in: now.zone) { alarm, plan in
      guard let plan else { return before }
      // What was ahead by the old zone is ahead or has just passed by the new one, and is not lost.
      guard alarm.zone == nil, let shifted = alarm.rule.due(on: plan.date, in: now.zone) else {
        return min(before, Instant(microseconds: plan.instant.microseconds - 1))
      }
      return min(before, Instant(microseconds: shifted.instant.microseconds - 1))
    }
  }

  /// By the zone before this one the time of that date would be ahead still.
  private func isMovedByZone(_ due: Due, of alarm: Alarm, _ passage: Passage) -> Bool {
    guard passage.zoneChanged, alarm.zone == nil, let was = alarm.rule.due(on: due.date, in: lastZone) else {
      return false
    }
    return was.instant > passage.now.wall
  }

  /// Opens what ended but must not have: unheard ones that are ahead again, and everything far ahead of the clock,
  /// which was then wrong.
  private mutating func reopen(at now: Moment) {
    let far = now.wall + .seconds(6 * 3600)
    for (id, ends) in settled {
      guard var alarm = alarms[id], !alarm.isTimer else { continue }
      var opened = 0
      for index in ends.indices {
        let end = ends[index]
        guard !end.isReopened, end.rehearsal == 0, end.version == alarm.version else { continue }
        let due = alarm.rule.due(on: end.date, in: alarm.zone ?? now.zone)?.instant ?? end.due
        guard end.due > far || (!end.wasHeard && due > now.wall) else { continue }
        settled[id]?[index].isReopened = true
        let id = occurrenceID(alarm, end.date)
        out.changes.append(.reopened(id, true))
        tell(id, .reopened, at: now)
        // A clock that shows what was long before the alarm is wrong, and soon right again.
        if end.state == .missed, now.wall > alarm.createdAt - .seconds(7 * 86_400) { takeBack(id) }
        opened += 1
      }
      guard opened > 0 else { continue }
      alarm.counted = max(0, alarm.counted - opened)
      if alarm.isSpent { (alarm.isSpent, alarm.isEnabled) = (false, true) }
      put(alarm)
      // Planned here too, for a change of zone plans from where the plans stand.
      plan(id, after: Instant(microseconds: now.wall.microseconds - 1), in: lastZone)
    }
  }

  private mutating func judgeTimers(_ passage: Passage) {
    for id in timers.sorted() {
      guard let alarm = alarms[id], let end = alarm.timerEnd else { continue }
      let remaining = end.remaining(at: passage.now)
      guard remaining <= .zero else { continue }
      let instant = passage.now.wall + remaining
      let due = Due(date: date(ofTimer: alarm), instant: instant, kind: .exact)
      come(due, of: alarm, overdue: .zero - remaining, reason: passage.unseen, passage)
    }
  }

  private mutating func judgeDues(_ passage: Passage, _ leap: Leap) {
    let due = agenda.takeDue(at: passage.now.wall)
    for entry in due {
      guard let alarm = alarms[entry.alarm], let first = plans.removeValue(forKey: entry.alarm) else {
        continue
      }
      judge(alarm, from: first, passage, leap)
    }
    // Planned together, because inserting a thousand one by one moves the rest a thousand times.
    var entries: [Agenda.Entry] = []
    for entry in due {
      guard var alarm = alarms[entry.alarm], alarm.isEnabled else { continue }
      if let next = firstOpenDue(of: alarm, after: passage.now.wall, in: passage.now.zone) {
        plans[alarm.id] = next
        entries.append(Agenda.Entry(instant: next.instant, alarm: alarm.id))
      } else {
        (alarm.isEnabled, alarm.isSpent) = (false, true)
        put(alarm)
      }
    }
    agenda.insert(contentsOf: entries)
  }

  /// Judges all open dues of one alarm from `first` up to now: the newest rings or is missed, the others are logged.
  private mutating func judge(_ alarm: Alarm, from first: Due, _ passage: Passage, _ leap: Leap) {
    let zone = alarm.zone ?? passage.now.zone
    var passed: [Due] = []
    var counted = 0
    // Of what nobody lived through no more is counted than is written down, so that all of it can be taken back.
    var most = Int.max
    var candidate: Due? = first
    if let end = leap.passesOver(alarm), first.instant <= end {
      counted = closeAgain(of: alarm, upTo: end)
      candidate = next(of: alarm, after: end, in: zone)
    }
    if leap.isInOneBoot { most = counted + AlarmBook.logged }
    while let due = candidate, due.instant <= passage.now.wall {
      if !isTaken(due.date, of: alarm) {
        counted = min(most, counted + 1)
        if passed.count == AlarmBook.logged { passed.removeFirst() }
        passed.append(due)
        if let count = alarm.count, alarm.counted + counted >= count { break }
      }
      // Without a count nobody asks how many there were years ago.
      let horizon = passage.now.wall - .seconds(90 * 86_400)
      let from = alarm.count == nil ? max(due.instant, horizon) : due.instant
      candidate = next(of: alarm, after: from, in: zone)
    }
    guard counted > 0 else { return }
    var changed = alarm
    changed.counted += counted
    changed.forgetSkips(before: zone.local(passage.now.wall).date)
    put(changed)
    for due in passed where alarm.isSkipped(due.date) && !closeAgain(due, of: alarm, passage, leap) {
      var occurrence = Occurrence(
        id: occurrenceID(alarm, due.date), due: due.instant, state: .scheduled, label: alarm.label)
      settle(&occurrence, .skipped, .person, at: passage.now)
    }
    passed.removeAll { alarm.isSkipped($0.date) }
    guard let newest = passed.popLast() else { return }
    for due in passed where !closeAgain(due, of: alarm, passage, leap) {
      var occurrence = Occurrence(
        id: occurrenceID(alarm, due.date), due: due.instant, state: .scheduled, label: alarm.label)
      let reason = passage.reason(
        for: due.instant, movedByZone: isMovedByZone(due, of: alarm, passage))
      settle(&occurrence, .missed, reason, at: passage.now, passage, quietly: true)
    }
    if closeAgain(newest, of: alarm, passage, leap) { return }
    let reason = passage.reason(
      for: newest.instant, movedByZone: isMovedByZone(newest, of: alarm, passage))
    come(newest, of: changed, overdue: passage.now.wall - newest.instant, reason: reason, passage)
  }

  /// How many dues that passed while nobody was there are written down for one alarm.
  static let logged = 8

  /// An end that was opened because the clock had gone back is an end again when the clock jumps forward over it.
  private mutating func closeAgain(
    _ due: Due, of alarm: Alarm, _ passage: Passage, _ leap: Leap
  ) -> Bool {
    let isLeaptOver = passage.expectedWall.map { due.instant > $0 + Passage.tolerance } ?? false
    guard isLeaptOver || leap.wasJudged(due.instant),
      let index = settled[alarm.id]?.firstIndex(where: {
        $0.date == due.date && $0.version == alarm.version && $0.rehearsal == 0 && $0.isReopened
      })
    else { return false }
    closeAgain(alarm, index)
    return true
  }

  /// All of an alarm's that were opened, up to an instant; how many.
  private mutating func closeAgain(of alarm: Alarm, upTo end: Instant) -> Int {
    var closed = 0
    for (index, last) in (settled[alarm.id] ?? []).enumerated()
    where last.isReopened && last.rehearsal == 0 && last.version == alarm.version && last.due <= end {
      closeAgain(alarm, index)
      closed += 1
    }
    return closed
  }

  private mutating func closeAgain(_ alarm: Alarm, _ index: Int) {
    guard let end = settled[alarm.id]?[index] else { return }
    settled[alarm.id]?[index].isReopened = false
    let id = occurrenceID(alarm, end.date)
    out.changes.append(.reopened(id, false))
    giveBack(id)
  }

  /// Whether the output held this ring for that instant and began it by itself, whatever kept the engine from seeing it. An
  /// engine that was stopped kept its output from it too: of what was not seen at once the output must have said so.
  func beganByItself(_ id: OccurrenceID, at due: Instant, seenAfter overdue: Duration) -> Bool {
    guard let instant = prepared[id], instant - due < Passage.tolerance, due - instant < Passage.tolerance
    else { return false }
    return overdue <= Passage.tolerance || heardAt[id].map { $0 - due <= Passage.tolerance } ?? false
  }

  /// An occurrence is due: it rings, late or not, or it is missed.
  private mutating func come(
    _ due: Due, of alarm: Alarm, overdue: Duration, reason: Occurrence.Reason, _ passage: Passage
  ) {
    if var old = live[alarm.id] { settle(&old, .dismissed, .superseded, at: passage.now) }
    let id = occurrenceID(alarm, due.date)
    var occurrence =
      upcoming.removeValue(forKey: id)
      ?? Occurrence(id: id, due: due.instant, state: .scheduled, label: alarm.label)
    occurrence.due = due.instant
    if alarm.isTimer {
      var spent = alarm
      (spent.isEnabled, spent.isSpent, spent.counted) = (false, true, 1)
      timers.remove(alarm.id)
      put(spent)
    }
    if beganByItself(id, at: due.instant, seenAfter: overdue) {
      return beginRing(occurrence, .rang, at: passage.now, passage, since: due.instant)
    }
    guard overdue < settings.alarm.lateWithin else {
      settle(&occurrence, .missed, reason, at: passage.now, passage)
      return
    }
    if overdue > Passage.tolerance { (occurrence.late, occurrence.lateReason) = (overdue, reason) }
    beginRing(occurrence, .rang, at: passage.now, passage)
  }
}
