import Schedule

extension AlarmBook {
  /// A request that changes alarms. All of it is done or, where this throws, nothing.
  mutating func change(_ event: Event, at now: Moment) throws(Refusal) {
    out.answer = Answer()
    switch event {
    case .add(let draft): try add(draft, at: now)
    case .addTimer(let span, let label): try add(AlarmDraft(rule: .timer(span), label: label), at: now)
    case .bringIn(let copies): try bringIn(copies, at: now)
    case .edit(let id, let draft, let namesTime): try edit(id, draft, namesTime: namesTime, at: now)
    case .remove(let ids): try remove(ids, at: now)
    case .removeSpent: try remove(self.ids.filter { alarms[$0]?.isSpent == true && live[$0] == nil }, at: now)
    case .setEnabled(let ids, let isEnabled): try setEnabled(ids, isEnabled, at: now)
    case .skip(let skip): try self.skip(skip, at: now)
    case .undo: try undo(at: now)
    default: break
    }
  }

  private mutating func add(_ draft: AlarmDraft, at now: Moment) throws(Refusal) {
    try check(draft)
    var alarm = Alarm(id: nextID, draft: draft, createdAt: now.wall)
    start(&alarm, at: now)
    try requireFuture(of: alarm, at: now)
    nextID += 1
    out.changes.append(.nextID(nextID))
    put(alarm)
    plan(alarm.id, after: now.wall, in: now.zone)
    out.answer?.alarms = [alarm.id]
  }

  private mutating func edit(_ id: Int, _ draft: AlarmDraft, namesTime: Bool, at now: Moment) throws(Refusal)
  {
    let before = try existing(id)
    try check(draft)
    var alarm = before
    alarm.draft = draft
    // Elapsed time knows no zone, and “+25m” is 25 minutes from now whatever it was before.
    let isOtherTime =
      before.rule != draft.rule || (alarm.isTimer ? namesTime : before.zone != draft.zone)
    if isOtherTime {
      alarm.version += 1
      (alarm.isEnabled, alarm.isSpent, alarm.counted) = (true, false, 0)
      start(&alarm, at: now)
      alarm = alarm.withoutNeedlessSkips(in: now.zone)
    }
    if alarm.isEnabled, live[id] == nil || isOtherTime { try requireFuture(of: alarm, at: now) }
    keepForUndo(.edit, [before], ended: isOtherTime ? live[id].map { [$0] } ?? [] : [])
    put(alarm)
    if isOtherTime, var occurrence = live[id] {
      settle(&occurrence, .dismissed, .edited, at: now)
    } else if var occurrence = live[id] {
      if before.sound != draft.sound { occurrence.passedOver = [] }
      occurrence.label = draft.label
      live[id] = occurrence
      out.changes.append(.occurrence(occurrence))
      out.ringChanges.append(id)
      deliver(occurrence)
    }
    if isOtherTime || before.until != draft.until || before.count != draft.count {
      plan(id, after: now.wall, in: now.zone)
      if alarm.isEnabled, !alarm.isTimer, plans[id] == nil {
        (alarm.isEnabled, alarm.isSpent) = (false, true)
        put(alarm)
      }
    }
    // What the output holds of it is the old ring.
    let held = prepared.keys.filter { $0.alarm == id }
    for occurrence in held { prepared[occurrence] = nil }
    out.cancelled += held
    out.answer?.alarms = [id]
  }

  private mutating func remove(_ ids: [Int], at now: Moment) throws(Refusal) {
    var removed: [Alarm] = []
    var named: Set<Int> = []
    for id in ids where named.insert(id).inserted { removed.append(try existing(id)) }
    guard !removed.isEmpty else {
      out.answer?.done = "nothing to remove"
      return
    }
    keepForUndo(.removal, removed, ended: removed.compactMap { live[$0.id] })
    end(andDrop: removed.map(\.id), at: now)
    out.answer?.removed = removed
  }

  private mutating func end(andDrop gone: [Int], at now: Moment) {
    for id in gone { if var occurrence = live[id] { settle(&occurrence, .dismissed, .edited, at: now) } }
    drop(alarms: gone)
  }

  private mutating func setEnabled(_ ids: [Int], _ isEnabled: Bool, at now: Moment) throws(Refusal) {
    var (before, ended): ([Alarm], [Occurrence]) = ([], [])
    for id in ids {
      var alarm = try existing(id)
      let wasLive = isEnabled ? nil : live[id]
      if isEnabled {
        try switchOn(&alarm, at: now)
      } else {
        alarm.isEnabled = false
        alarm.skips = []
        if var occurrence = live[id] { settle(&occurrence, .dismissed, .edited, at: now) }
      }
      if let wasLive { ended.append(wasLive) }
      // A one-shot that rang is off already: what was ended of it is the whole deed.
      if let old = alarms[id], alarm != old || wasLive != nil {
        before.append(old)
        put(alarm)
        plan(id, after: now.wall, in: now.zone)
      }
    }
    keepForUndo(isEnabled ? .switchingOn : .switchingOff, before, ended: ended)
    out.answer?.alarms = ids
  }

  private func switchOn(_ alarm: inout Alarm, at now: Moment) throws(Refusal) {
    guard !alarm.isEnabled else { return }
    let id = alarm.id
    if alarm.isTimer {
      guard !alarm.isSpent, let end = alarm.timerEnd, !end.isDue(at: now) else {
        throw Refusal("timer \(id) has run out; set a new one with “alarm timer SPAN”")
      }
    } else if case .once(_, let clock, true) = alarm.rule {
      let zone = alarm.zone ?? now.zone
      // The same time stays the same occurrence, so that one that rang already does not ring again.
      if firstOpenDue(of: alarm.switchedOn, after: now.wall, in: now.zone) == nil {
        guard let due = Rule.every(.daily, clock).next(after: now.wall, in: zone) else {
          throw Refusal("alarm \(id) has no next time; give it one with “alarm edit \(id) WHEN”")
        }
        alarm.draft.rule = .once(due.date, clock, clockAlone: true)
        alarm.version += 1
        alarm.counted = 0
      }
    } else if firstOpenDue(of: alarm.switchedOn, after: now.wall, in: now.zone) == nil {
      throw Refusal(
        "alarm \(id) (\(alarm.rule.text)) has no time left at which it could ring; give it one with "
          + "“alarm edit \(id) WHEN”")
    }
    alarm = alarm.switchedOn
  }

  private mutating func undo(at now: Moment) throws(Refusal) {
    guard let last = undoable.popLast() else {
      throw Refusal(
        "there is nothing to undo: what was done to alarms since the engine was started is undone already, or nothing was"
      )
    }
    guard last.deed != .bringingIn else {
      let present = last.added.filter { alarms[$0] != nil }
      end(andDrop: present, at: now)
      out.answer?.done = "undone: import of \(present.count) alarm\(present.count == 1 ? "" : "s")"
      return
    }
    switch last.deed {
    case .switchingOn, .switchingOff, .skip, .endOfSkip:
      for before in last.before {
        restoreTimes(of: before, endsRing: last.deed != .switchingOff, at: now)
      }
      return answerUndone(last, at: now)
    case .removal, .edit, .bringingIn: break
    }
    for before in last.before {
      var alarm = before
      var isRinging = false
      if let present = alarms[before.id], present.rule == before.rule,
        before.isTimer ? present.version == before.version : present.zone == before.zone
      {
        // What became of it meanwhile is not undone.
        alarm = present
        alarm.draft = before.draft
        isRinging = live[before.id] != nil
      } else if let present = alarms[before.id] {
        // Another version again, because the present one's occurrences are not this rule's.
        alarm.version = present.version + 1
        if var occurrence = live[before.id] { settle(&occurrence, .dismissed, .edited, at: now) }
      }
      if alarm.isTimer, alarm.isEnabled, alarm.timerEnd?.isDue(at: now) ?? true {
        (alarm.isEnabled, alarm.isSpent) = (false, true)
      }
      put(alarm)
      if isRinging, var occurrence = live[alarm.id] {
        occurrence.label = alarm.label
        live[alarm.id] = occurrence
        out.changes.append(.occurrence(occurrence))
        out.ringChanges.append(alarm.id)
        deliver(occurrence)
      }
      planOrSpend(alarm, at: now)
    }
    answerUndone(last, at: now)
  }

  /// On or off as it was, and with what it skipped then. What became of it meanwhile, and what was edited, is as it is.
  /// `endsRing`: what rings of one that becomes off is ended.
  private mutating func restoreTimes(of before: Alarm, endsRing: Bool, at now: Moment) {
    guard let present = alarms[before.id] else { return }
    var alarm = present
    (alarm.isEnabled, alarm.isSpent, alarm.skips) = (before.isEnabled, before.isSpent, before.skips)
    if !before.isEnabled, present.rule != before.rule {
      // Switched on it got another date.
      (alarm.draft.rule, alarm.version, alarm.counted) = (before.rule, present.version + 1, before.counted)
    }
    if endsRing, !alarm.isEnabled, var occurrence = live[alarm.id] {
      settle(&occurrence, .dismissed, .edited, at: now)
    }
    if alarm.isTimer, alarm.isEnabled, alarm.timerEnd?.isDue(at: now) ?? true {
      (alarm.isEnabled, alarm.isSpent) = (false, true)
    }
    put(alarm)
    planOrSpend(alarm, at: now)
  }

  /// What has no time left any more is off, and has rung for the last time.
  private mutating func planOrSpend(_ alarm: Alarm, at now: Moment) {
    plan(alarm.id, after: now.wall, in: now.zone)
    guard alarm.isEnabled, !alarm.isTimer, plans[alarm.id] == nil else { return }
    var spent = alarm
    (spent.isEnabled, spent.isSpent) = (false, true)
    put(spent)
  }

  /// Snoozes that are still ahead go on; whether they do is told, as is what stays ended.
  private mutating func answerUndone(_ last: Undoable, at now: Moment) {
    func names(_ ids: [Int]) -> String {
      ids.count > 20
        ? "\(ids.count) alarms"
        : (ids.count == 1 ? "alarm " : "alarms ") + ids.map(String.init).joined(separator: ", ")
    }
    var (back, over): ([Int], [Int]) = ([], [])
    for occurrence in last.ended {
      if snoozeAgain(occurrence, at: now) {
        back.append(occurrence.alarm)
      } else {
        over.append(occurrence.alarm)
      }
    }
    let ids = last.before.map(\.id)
    out.answer?.done =
      "undone: \(last.deed.words) \(names(ids))"
      + (back.isEmpty ? "" : "; snoozed again: \(names(back))")
      + (over.isEmpty ? "" : "; what rang or was snoozed of \(names(over)) stays ended")
    out.answer?.alarms = ids.filter { alarms[$0] != nil }
  }

  /// A snooze that was ended goes on to the end it had. False where that has come, or the alarm is another since.
  private mutating func snoozeAgain(_ occurrence: Occurrence, at now: Moment) -> Bool {
    let id = occurrence.alarm
    guard occurrence.state == .snoozed, let end = occurrence.snoozedUntil, !end.isDue(at: now),
      live[id] == nil, let alarm = alarms[id], alarm.version == occurrence.id.version,
      // A newer one took over.
      settled[id]?.contains(where: { $0.due > occurrence.due }) != true
    else { return false }
    forgetEnd(occurrence.id)
    var occurrence = occurrence
    occurrence.label = alarm.label
    tell(occurrence.id, .snoozed, at: now, "undo", until: now.wall + end.remaining(at: now))
    setLive(occurrence)
    return true
  }

  /// How many deeds can be undone, the last first.
  static let undoDepth = 16

  /// What was the same before is nothing to undo.
  mutating func keepForUndo(_ deed: Undoable.Deed, _ before: [Alarm], ended: [Occurrence] = []) {
    if !before.isEmpty { keepForUndo(Undoable(deed: deed, before: before, ended: ended)) }
  }

  mutating func keepForUndo(_ deed: Undoable) {
    undoable.append(deed)
    if undoable.count > AlarmBook.undoDepth { undoable.removeFirst() }
  }

  /// A timer begins to run.
  private func start(_ alarm: inout Alarm, at now: Moment) {
    if case .timer(let span) = alarm.rule {
      alarm.timerEnd = Deadline(span, after: now)
    } else {
      alarm.timerEnd = nil
    }
  }

  private func requireFuture(of alarm: Alarm, at now: Moment) throws(Refusal) {
    guard !alarm.isTimer, firstOpenDue(of: alarm, after: now.wall, in: now.zone) == nil else { return }
    if let until = alarm.until, alarm.rule.next(after: now.wall, in: alarm.zone ?? now.zone) != nil {
      throw Refusal(
        "“\(alarm.rule.text)” would never ring: its last date, \(until), comes before its next time; give a later one with --until",
        aboutWords: true)
    }
    if isCountedOut(alarm) {
      throw Refusal(
        "“\(alarm.rule.text)” would not ring again: it was due \(alarm.counted) times already; give a larger --count",
        aboutWords: true)
    }
    throw Refusal(
      "“\(alarm.rule.text)” has passed; give a time that is still to come, such as “tomorrow 07:00”",
      aboutWords: true)
  }

  func check(_ draft: AlarmDraft) throws(Refusal) {
    if let volume = draft.volume, !(0...100).contains(volume) {
      throw Refusal(
        "the volume goes from 0 to 100, not \(volume); say for example --volume 80", aboutWords: true)
    }
    for (name, span, least) in [
      ("--fade", draft.fade, Duration.zero), ("--snooze", draft.snooze, .seconds(1)),
      ("--silence-after", draft.silenceAfter, .seconds(1)),
    ] {
      if let span, span < least || span > .seconds(86_400) {
        throw Refusal(
          "\(name) takes a span \(least == .zero ? "up to" : "from 1 s to") 24 h, not \(Span.compact(span)); say for example \(name) 10m",
          aboutWords: true)
      }
    }
    if let limit = draft.snoozeLimit, limit < 0 {
      throw Refusal("--snooze-limit is 0 or more, not \(limit); leave it out for no limit", aboutWords: true)
    }
    if let badge = draft.badge, !AlarmDraft.badges.contains(badge) {
      throw Refusal(
        "the badge goes from 0 to \(AlarmDraft.badges.upperBound), not \(badge); say for example --badge 1",
        aboutWords: true)
    }
    // C's strings end at it, so the shell would see half the line.
    if draft.run.utf8.contains(0) {
      throw Refusal(
        "the line for --run holds a NUL character, which no shell takes; leave it out", aboutWords: true)
    }
    if let count = draft.count, count < 1 {
      throw Refusal("--count is 1 or more, not \(count); leave it out to ring without end", aboutWords: true)
    }
    if case .timer(let span) = draft.rule, span <= .zero || span > .seconds(3653 * 86_400) {
      throw Refusal("a timer runs between 1 s and ten years; say for example +25m", aboutWords: true)
    }
  }
}

extension Alarm {
  /// The same alarm, on and not spent.
  var switchedOn: Alarm {
    var alarm = self
    (alarm.isEnabled, alarm.isSpent) = (true, false)
    return alarm
  }
}
