import Schedule

extension AlarmBook {
  /// How often what rings is stored, so that after a crash it is known how long the engine was away.
  static let beat = Duration.seconds(30)

  /// Looks at what rings or is snoozed: ends of snoozes, nobody came, killed while ringing, slept while ringing.
  mutating func judgeLive(_ passage: Passage) {
    let now = passage.now
    let inOrder = live.values.sorted {
      ($0.order, $0.ringingSince ?? $0.due, $0.alarm) < ($1.order, $1.ringingSince ?? $1.due, $1.alarm)
    }
    for occurrence in inOrder {
      if occurrence.state == .snoozed {
        judgeSnooze(occurrence, passage)
      } else if passage.wasAway {
        ringAgain(occurrence, passage)
      }
    }
    guard !passage.wasAway, let sounding = live.values.first(where: \.isSounding) else { return }
    judgeSilence(sounding, passage)
    if now.boot - lastBeat >= AlarmBook.beat.microseconds { keepRings(at: now) }
  }

  private mutating func judgeSnooze(_ occurrence: Occurrence, _ passage: Passage) {
    guard let end = occurrence.snoozedUntil else { return }
    let overdue = .zero - end.remaining(at: passage.now)
    guard overdue >= .zero else { return }
    var occurrence = occurrence
    let reason = passage.unseen
    if beganByItself(occurrence.id, at: passage.now.wall - overdue, seenAfter: overdue) {
      (occurrence.late, occurrence.lateReason) = (nil, nil)
      return beginRing(occurrence, .again, at: passage.now, passage)
    }
    guard overdue < settings.alarm.lateWithin else {
      settle(&occurrence, .missed, reason, at: passage.now, passage)
      return
    }
    let isLate = overdue > Passage.tolerance
    (occurrence.late, occurrence.lateReason) = isLate ? (overdue, reason) : (nil, nil)
    beginRing(occurrence, .again, at: passage.now, passage)
  }

  /// Killed while it rang: it rings again, unless the engine was away too long.
  private mutating func ringAgain(_ occurrence: Occurrence, _ passage: Passage) {
    let now = passage.now
    var occurrence = occurrence
    let away: Duration =
      last.bootID == now.bootID ? .microseconds(now.boot - last.boot) : max(.zero, now.wall - last.wall)
    guard away < settings.alarm.lateWithin else {
      settle(&occurrence, .missed, .away, at: now, passage)
      return
    }
    let sounded = occurrence.soundedFor
    beginRing(occurrence, .restarted, at: now, passage, since: occurrence.ringingSince)
    live[occurrence.alarm]?.soundedFor = sounded
  }

  /// The one that sounds has sounded long enough: it snoozes by itself, or is missed.
  private mutating func judgeSilence(_ occurrence: Occurrence, _ passage: Passage) {
    let now = passage.now
    var occurrence = occurrence
    guard var deadline = silenceDeadline(of: occurrence) else { return }
    if passage.didSleep, let since = occurrence.soundingSince {
      if .microseconds(now.boot - deadline) >= settings.alarm.lateWithin {
        settle(&occurrence, .missed, .asleep, at: now, passage)
        return
      }
      // Nothing was heard meanwhile, so that time does not count.
      occurrence.soundingSince = min(now.boot, since + passage.slept.microseconds)
      live[occurrence.alarm] = occurrence
      deadline = silenceDeadline(of: occurrence) ?? deadline
    }
    guard now.boot >= deadline else { return }
    if occurrence.unansweredUsed < settings.alarm.unanswered {
      occurrence.unansweredUsed += 1
      snooze(occurrence, for: snoozeSpan(of: occurrence), at: now, by: nil)
    } else {
      settle(&occurrence, .missed, .unanswered, at: now)
    }
  }

  /// CLOCK_BOOTTIME at which the one that sounds has sounded long enough.
  func silenceDeadline(of occurrence: Occurrence) -> Int64? {
    guard let since = occurrence.soundingSince else { return nil }
    let limit = alarms[occurrence.alarm]?.silenceAfter ?? settings.alarm.silenceAfter
    return since + max(0, (limit - occurrence.soundedFor).microseconds)
  }

  func snoozeSpan(of occurrence: Occurrence) -> Duration {
    alarms[occurrence.alarm]?.snooze ?? settings.alarm.snooze
  }

  // MARK: Changing its state

  /// It rings, as the newest of all. `how` stands in its story; where it is late that does instead.
  mutating func beginRing(
    _ occurrence: Occurrence, _ how: StoryLine.Kind, at now: Moment, _ passage: Passage? = nil,
    since: Instant? = nil
  ) {
    var occurrence = occurrence
    // What was said of the output before a snooze may be otherwise by now; a sound that failed is not tried again.
    if how == .again, occurrence.passedOver.isEmpty { occurrence.notes = [] }
    if let at = armedAt.removeValue(forKey: occurrence.id), let instant = prepared[occurrence.id] {
      tell(occurrence.id, .armed, at: now, until: instant) { $0.at = at }
    }
    if let late = occurrence.late, let reason = occurrence.lateReason, how != .restarted {
      tell(occurrence.id, .late, at: now) { line in
        passage?.explain(&line, reason)
        line.span = late
      }
    } else {
      // One that began by itself did so then, whenever that was seen.
      tell(occurrence.id, how, at: now) { line in
        if how == .rang, let since { line.at = since }
        if how == .restarted { passage?.explain(&line, .away) }
      }
    }
    if let heard = soundsAhead[occurrence.id] {
      (occurrence.sound, occurrence.file) = (heard.source, heard.file)
    } else if occurrence.state == .scheduled {
      // Heard by an engine that died before its instant.
      (occurrence.sound, occurrence.file) = (nil, nil)
    }
    heardAt[occurrence.id] = nil
    order += 1
    occurrence.order = order
    occurrence.state = .ringing
    occurrence.wasHeard = true
    occurrence.ringingSince = since ?? now.wall
    (occurrence.snoozedUntil, occurrence.snoozeSpan, occurrence.soundingSince) = (nil, nil, nil)
    (occurrence.soundedFor, occurrence.isCovered, occurrence.wasCovered) = (.zero, false, false)
    lastBeat = now.boot
    if !occurrence.hasRun, !occurrence.isRehearsal, let alarm = alarms[occurrence.alarm], !alarm.run.isEmpty {
      occurrence.hasRun = true
      out.commands.append(
        RingCommand(
          occurrence: occurrence.id, line: alarm.run, label: occurrence.label, body: alarm.body,
          info: alarm.info))
    }
    setLive(occurrence)
    out.started.append(occurrence.alarm)
    prepared[occurrence.id] = nil
  }

  /// `hand` is whose it was; nil: nobody came.
  mutating func snooze(_ occurrence: Occurrence, for span: Duration, at now: Moment, by hand: Hand?) {
    var occurrence = occurrence
    if occurrence.state == .ringing { out.stopped.append(occurrence.id) }
    tellUnheard(occurrence, at: now)
    occurrence.state = .snoozed
    occurrence.snoozedUntil = Deadline(span, after: now)
    occurrence.snoozeSpan = span
    occurrence.soundingSince = nil
    out.started.removeAll { $0 == occurrence.alarm }
    tell(
      occurrence.id, hand == nil ? .silenced : .snoozed, at: now, hand?.rawValue ?? "", until: now.wall + span
    )
    setLive(occurrence)
  }

  /// It ends, once and for all. `passage` explains the reason; `quietly`: it is only written down, because a newer one
  /// of its alarm is judged.
  mutating func settle(
    _ occurrence: inout Occurrence, _ state: Occurrence.State, _ reason: Occurrence.Reason, at now: Moment,
    _ passage: Passage? = nil, by hand: Hand? = nil, quietly: Bool = false
  ) {
    if occurrence.state == .ringing {
      if let index = out.started.firstIndex(of: occurrence.alarm) {
        out.started.remove(at: index)
      }
      out.stopped.append(occurrence.id)
    }
    tellUnheard(occurrence, at: now)
    if live[occurrence.alarm]?.id == occurrence.id { live[occurrence.alarm] = nil }
    upcoming[occurrence.id] = nil
    (armedAt[occurrence.id], soundsAhead[occurrence.id], heardAt[occurrence.id]) = (nil, nil, nil)
    occurrence.state = state
    occurrence.reason = reason
    occurrence.settledAt = now.wall
    (occurrence.snoozedUntil, occurrence.snoozeSpan, occurrence.soundingSince) = (nil, nil, nil)
    occurrence.isReopened = false
    takenBack[occurrence.id] = nil
    remember(occurrence)
    out.changes.append(.occurrence(occurrence))
    out.told.append(occurrence)
    let kind: StoryLine.Kind =
      switch (state, reason) {
      case (.skipped, _): .skipped
      case (.missed, _): .missed
      case (_, .superseded): .superseded
      case (_, .edited): .edited
      default: .dismissed
      }
    tell(occurrence.id, kind, at: now, hand?.rawValue ?? "") { line in
      if kind == .missed {
        line.reason = reason
        passage?.explain(&line, reason)
      }
    }
    if state == .missed {
      if !quietly { deliver(occurrence) }
    } else {
      withdraw(occurrence.id)
    }
  }

  /// Where others rang over it from its beginning on, or before its sound began, its story says so.
  private mutating func tellUnheard(_ occurrence: Occurrence, at now: Moment) {
    guard occurrence.state == .ringing, occurrence.wasCovered,
      occurrence.isCovered && occurrence.soundedFor == .zero || occurrence.sound == nil,
      // One that only shows was not to be heard.
      (alarms[occurrence.alarm]?.volume ?? settings.alarm.volume) > 0
    else { return }
    tell(occurrence.id, .unheard, at: now)
  }

  /// Stores what rings as it stands.
  private mutating func keepRings(at now: Moment) {
    lastBeat = now.boot
    out.keepsMoment = true
    for (id, var occurrence) in live where occurrence.state == .ringing {
      if let since = occurrence.soundingSince {
        occurrence.soundedFor += .microseconds(max(0, now.boot - since))
        occurrence.soundingSince = now.boot
        live[id] = occurrence
      }
      out.changes.append(.occurrence(occurrence))
    }
  }

  /// The newest sounds; says which of the others are covered or uncovered by that. Those that begin now are told by
  /// their own `Ring`.
  mutating func settleSounding(at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    let first = ringing.first
    let newest = first?.alarm
    for (id, var occurrence) in live.sorted(by: { $0.value.order < $1.value.order })
    where occurrence.state == .ringing {
      let shallSound = id == newest
      // The output lets go of it: nothing of it is being opened.
      if !shallSound, !occurrence.attempts.isEmpty {
        occurrence.attempts = []
        live[id] = occurrence
        out.changes.append(.occurrence(occurrence))
      }
      if !shallSound, !occurrence.isCovered, let first {
        let label = first.label.isEmpty ? "" : " (\(first.label))"
        tell(occurrence.id, .covered, at: now, "alarm \(first.alarm)\(label)")
        (occurrence.isCovered, occurrence.wasCovered) = (true, true)
        live[id] = occurrence
      }
      guard shallSound != occurrence.isSounding else { continue }
      if shallSound {
        if occurrence.isCovered { tell(occurrence.id, .uncovered, at: now) }
        occurrence.isCovered = false
        if let heard = soundsAhead.removeValue(forKey: occurrence.id) {
          tell(occurrence.id, .sounds, at: now, heard.file ?? heard.source)
        }
        occurrence.soundingSince = now.boot
      } else if let since = occurrence.soundingSince {
        occurrence.soundedFor += .microseconds(max(0, now.boot - since))
        occurrence.soundingSince = nil
      }
      live[id] = occurrence
      if !out.started.contains(id) { effects.append(.setSounding(occurrence.id, shallSound)) }
    }
    return effects
  }

  // MARK: What the output holds

  /// The ring of what rings or is snoozed.
  public func ring(for occurrence: Occurrence) -> Ring? {
    guard let alarm = alarms[occurrence.alarm] else { return nil }
    var sounds: [String] = []
    for sound in [alarm.sound, settings.alarm.sound] {
      guard let sound, !sound.isEmpty, !sounds.contains(sound), !occurrence.passedOver.contains(sound) else {
        continue
      }
      sounds.append(sound)
    }
    return Ring(
      occurrence: occurrence.id, sounds: sounds, volume: alarm.volume ?? settings.alarm.volume,
      fade: alarm.fade ?? settings.alarm.fade, label: alarm.label, body: alarm.body, info: alarm.info,
      sounding: occurrence.state != .ringing || occurrence.isSounding, isRehearsal: occurrence.isRehearsal)
  }

  mutating func cancelPrepared() {
    out.cancelled += prepared.keys.sorted { ($0.alarm, $0.date) < ($1.alarm, $1.date) }
    prepared.removeAll()
    armedAt.removeAll()
    heardAt.removeAll()
  }

  /// Hands rings over that begin within two seconds, and takes back those that do not come about.
  mutating func prepareRings(at now: Moment) -> [Effect] {
    let near = now.wall + AlarmBook.prepareAhead
    var wanted: [(occurrence: Occurrence, at: Instant)] = []
    func add(_ alarm: Alarm, _ due: Due) {
      let id = occurrenceID(alarm, due.date)
      let occurrence =
        upcoming[id] ?? Occurrence(id: id, due: due.instant, state: .scheduled, label: alarm.label)
      wanted.append((occurrence, due.instant))
    }
    // Of several at one instant only the last will sound, so it alone is held.
    var chosen: (alarm: Int, instant: Instant)?
    func take(_ next: (alarm: Int, instant: Instant)?) {
      if let chosen, chosen.instant != next?.instant, let alarm = alarms[chosen.alarm],
        let due = plans[chosen.alarm]
      {
        add(alarm, due)
      }
      chosen = next
    }
    for entry in agenda.entries {
      guard entry.instant <= near else { break }
      if skipsPlan(entry.alarm) { continue }
      take((entry.alarm, entry.instant))
    }
    take(nil)
    for id in timers.sorted() {
      if let alarm = alarms[id], let due = nextDue(of: id, at: now), due.instant <= near { add(alarm, due) }
    }
    for occurrence in snoozed {
      guard let remaining = occurrence.snoozedUntil?.remaining(at: now), remaining <= AlarmBook.prepareAhead
      else { continue }
      wanted.append((occurrence, now.wall + remaining))
    }
    var effects: [Effect] = []
    let ids = Set(wanted.map(\.occurrence.id))
    for id in prepared.keys.sorted(by: { $0.alarm < $1.alarm }) where !ids.contains(id) {
      effects.append(.cancelRing(id))
      (prepared[id], armedAt[id], heardAt[id]) = (nil, nil, nil)
    }
    // A source was opened for a ring that will not be.
    for id in upcoming.keys where !ids.contains(id) {
      (upcoming[id], soundsAhead[id]) = (nil, nil)
      out.changes.append(.dropped(id))
    }
    for (occurrence, instant) in wanted {
      let id = occurrence.id
      if let held = prepared[id] {
        // Two clocks read one after the other differ by a little.
        let shift = instant - held
        if shift < .milliseconds(20), shift > .milliseconds(-20) { continue }
        effects.append(.cancelRing(id))
        heardAt[id] = nil
      }
      guard let ring = ring(for: occurrence) else { continue }
      prepared[id] = instant
      armedAt[id] = now.wall
      effects.append(.prepareRing(ring, at: instant))
    }
    return effects
  }
}
