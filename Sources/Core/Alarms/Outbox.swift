import Schedule

/// What one call of `handle` gathers, to be put in order at its end.
struct Outbox: Sendable {
  var changes: [Change] = []
  var cancelled: [OccurrenceID] = []
  var stopped: [OccurrenceID] = []
  /// Alarms whose ring begins.
  var started: [Int] = []
  var ringChanges: [Int] = []
  var told: [Occurrence] = []
  /// Notifications to show, and to take away.
  var notices: [OccurrenceID: Occurrence] = [:]
  var withdrawn: [OccurrenceID] = []
  var commands: [RingCommand] = []
  var answer: AlarmBook.Answer?
  /// Store even where nothing else changed: the clock was set, or something rings and the moment is worth keeping.
  var keepsMoment = false
  /// Times may be others although no alarm is: the clock was set, or the zone is another.
  var movesTimes = false

  /// Whoever shows the alarms must look again.
  var changesAlarms: Bool {
    movesTimes || !told.isEmpty
      || changes.contains {
        switch $0 {
        case .alarm, .removed: true
        default: false
        }
      }
  }
}

/// What a request has changed so far, so that it can be taken back where it cannot be stored.
struct Journal: Sendable {
  var alarms: [Int: Alarm?] = [:]
  var plans: [Int: Due?] = [:]
  var live: [Int: Occurrence]
  var settled: [Int: [Settled]?] = [:]
  var timers: Set<Int>
  var ids: [Int]
  var nextID: Int
  var upcoming: [OccurrenceID: Occurrence]
  var prepared: [OccurrenceID: Instant]
  var undoable: [Undoable]
  var inbox: [InboxEntry]
  var badge: Int
}

extension AlarmBook {
  // Every change of state that a request can make goes through these, so that none misses the journal.

  mutating func put(_ alarm: Alarm) {
    note(alarm.id)
    if alarms.updateValue(alarm, forKey: alarm.id) == nil { insertID(alarm.id) }
    out.changes.append(.alarm(alarm))
  }

  mutating func drop(alarm id: Int) {
    note(id)
    alarms[id] = nil
    if let place = ids.firstIndex(of: id) { ids.remove(at: place) }
    timers.remove(id)
    setPlan(nil, of: id)
    out.changes.append(.removed(alarm: id))
  }

  /// Many at once, for which the lists are gone through once and not once for each.
  mutating func drop(alarms gone: [Int]) {
    guard gone.count > 32 else {
      for id in gone { drop(alarm: id) }
      return
    }
    for id in gone {
      note(id)
      notePlan(id)
      (alarms[id], plans[id]) = (nil, nil)
      timers.remove(id)
      out.changes.append(.removed(alarm: id))
    }
    let set = Set(gone)
    ids.removeAll { set.contains($0) }
    agenda.removeAll(of: set)
  }

  /// Plans many that have no plan yet.
  mutating func plan(_ dues: [(id: Int, due: Due)]) {
    for (id, due) in dues {
      notePlan(id)
      plans[id] = due
    }
    agenda.insert(contentsOf: dues.map { Agenda.Entry(instant: $0.due.instant, alarm: $0.id) })
  }

  mutating func setPlan(_ due: Due?, of id: Int) {
    notePlan(id)
    let old = plans[id]
    if old == due { return }
    if let old { agenda.remove(Agenda.Entry(instant: old.instant, alarm: id)) }
    plans[id] = due
    if let due { agenda.insert(Agenda.Entry(instant: due.instant, alarm: id)) }
  }

  mutating func setLive(_ occurrence: Occurrence) {
    live[occurrence.alarm] = occurrence
    out.changes.append(.occurrence(occurrence))
    out.told.append(occurrence)
    deliver(occurrence)
  }

  /// Keeps the last few ends of each alarm. Only what the clock can be set back to matters, and no rule is due
  /// more than once a day.
  mutating func remember(_ occurrence: Occurrence) {
    let id = occurrence.alarm
    noteSettled(id)
    var kept = settled[id] ?? []
    kept.removeAll {
      ($0.date, $0.version, $0.rehearsal)
        == (occurrence.id.date, occurrence.id.version, occurrence.id.rehearsal)
    }
    kept.append(Settled(occurrence))
    // Rehearsals by themselves: they must not push out what rang.
    if kept.count(where: { $0.isRehearsal == occurrence.isRehearsal }) > AlarmBook.remembered,
      let oldest = kept.firstIndex(where: { $0.isRehearsal == occurrence.isRehearsal })
    {
      kept.remove(at: oldest)
    }
    settled[id] = kept
  }

  /// It goes on after all.
  mutating func forgetEnd(_ occurrence: OccurrenceID) {
    noteSettled(occurrence.alarm)
    settled[occurrence.alarm]?.removeAll {
      ($0.date, $0.version, $0.rehearsal) == (occurrence.date, occurrence.version, occurrence.rehearsal)
    }
  }

  /// How many ends of one alarm are kept in the book, and as many of its rehearsals (the store keeps more, for the story).
  public static let remembered = 12

  private mutating func insertID(_ id: Int) {
    if let last = ids.last, last > id {
      ids.insert(id, at: ids.firstIndex { $0 > id } ?? ids.count)
    } else {
      ids.append(id)
    }
  }

  private mutating func note(_ id: Int) {
    if journal != nil, journal?.alarms[id] == nil { journal?.alarms[id] = .some(alarms[id]) }
  }

  private mutating func noteSettled(_ id: Int) {
    if journal != nil, journal?.settled[id] == nil { journal?.settled[id] = .some(settled[id]) }
  }

  private mutating func notePlan(_ id: Int) {
    if journal != nil, journal?.plans[id] == nil { journal?.plans[id] = .some(plans[id]) }
  }

  mutating func beginJournal() {
    journal = Journal(
      live: live, timers: timers, ids: ids, nextID: nextID, upcoming: upcoming, prepared: prepared,
      undoable: undoable, inbox: inbox, badge: badge)
  }

  /// Takes back the last request, because the store refused it. What the judgement before it did stays.
  public mutating func revert() {
    guard let old = journal else { return }
    journal = nil
    if old.plans.count > 32 {
      agenda.removeAll(of: Set(old.plans.keys))
      for (id, due) in old.plans { plans[id] = due }
      agenda.insert(
        contentsOf: old.plans.compactMap { id, due in
          due.map { Agenda.Entry(instant: $0.instant, alarm: id) }
        })
    } else {
      for (id, due) in old.plans { setPlan(due, of: id) }
    }
    for (id, alarm) in old.alarms { alarms[id] = alarm }
    for (id, kept) in old.settled { settled[id] = kept }
    (live, timers, ids, nextID) = (old.live, old.timers, old.ids, old.nextID)
    (upcoming, prepared, undoable) = (old.upcoming, old.prepared, old.undoable)
    (inbox, badge) = (old.inbox, old.badge)
    out = Outbox()
  }

  // MARK: Putting in order

  /// Turns what was gathered into effects. A ring comes before everything, unless the person's request must be stored
  /// to count (`mustSucceed`), in which case nothing is done that would have to be undone.
  mutating func flush(at now: Moment, mustSucceed: Bool = false) -> [Effect] {
    if out.changesAlarms { changes += 1 }
    var deeds = out.cancelled.map(Effect.cancelRing) + out.stopped.map(Effect.stopRing)
    let covering = settleSounding(at: now)
    deeds += out.started.compactMap { live[$0] }.sorted { $0.order < $1.order }
      .compactMap { ring(for: $0).map(Effect.startRing) }
    deeds += covering
    deeds += Set(out.ringChanges).sorted().compactMap { live[$0] }.filter { $0.state == .ringing }
      .compactMap { ring(for: $0).map(Effect.changeRing) }
    deeds += notifications()
    deeds += prepareRings(at: now)
    last = Seen(now)
    lastZone = now.zone
    lastSuspended = now.suspended
    var save: [Effect] = []
    if !out.changes.isEmpty || out.keepsMoment {
      save = [.save(out.changes + [.seen(last)], mustSucceed: mustSucceed)]
    }
    let told = out.commands.map(Effect.run) + out.told.map(Effect.changed)
    let answer = out.answer.map { [Effect.answer($0)] } ?? []
    out = Outbox()
    return (mustSucceed ? save + deeds : deeds + save) + told + answer
  }
}
