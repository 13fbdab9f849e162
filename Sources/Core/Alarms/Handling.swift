import Schedule

extension AlarmBook {
  /// Tells the book what happened, or what a person asks, and when; performs nothing itself.
  ///
  /// - Returns: what is to be done, in this order.
  /// - Throws: a `Refusal` where the request cannot be done; nothing of it was changed then.
  public mutating func handle(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    journal = nil
    switch event {
    case .loaded: return load(at: now)
    // Told in the middle of performing other effects, so they answer none.
    case .storeBroken(let sentence):
      storeTrouble = sentence
      return []
    case .storeMended:
      storeTrouble = nil
      return []
    default: break
    }
    // What began by itself is known before what is due is judged.
    if case .began(let id, let at) = event, prepared[id] != nil { heardAt[id] = at }
    judge(at: now)
    held += flush(at: now)
    var mustSucceed = false
    switch event {
    case .loaded, .tick, .began, .storeBroken, .storeMended: break
    case .add, .addTimer, .bringIn, .edit, .remove, .removeSpent, .setEnabled, .skip, .undo:
      mustSucceed = true
      if let storeTrouble { throw Refusal(storeTrouble) }
      beginJournal()
      do {
        try change(event, at: now)
      } catch {
        revert()
        throw error
      }
    case .rehearse(let id): try rehearse(id, at: now)
    case .snooze(let id, let span, let hand): try snooze(id, span, at: now, by: hand)
    case .dismiss(let id, let hand): try dismiss(id, at: now, by: hand)
    case .stopRinging(let hand):
      out.answer = Answer()
      for occurrence in ringing { end(occurrence, at: now, by: hand) }
    case .chosen(let id, let choice, let hand): try choose(id, choice, at: now, by: hand)
    case .inboxSeen: setBadge(0)
    case .inboxCleared: clearInbox()
    case .commandEnded(let id, let kind, let sentence): tell(id, kind, at: now, sentence)
    case .attempting, .sounding, .ringFailed, .ringNoted: hear(event, at: now)
    case .ending: forgetAttempts()
    case .settings(let settings):
      self.settings = settings
      out.ringChanges += ringing.map(\.alarm)
    }
    defer { held = [] }
    return held + flush(at: now, mustSucceed: mustSucceed)
  }

  private mutating func load(at now: Moment) -> [Effect] {
    if isNew {
      last = Seen(now)
      lastZone = now.zone
    }
    lastSuspended = now.suspended
    let from = last.wall
    planAll(in: lastZone) { _, _ in from }
    for var occurrence in live.values where alarms[occurrence.alarm] == nil {
      settle(&occurrence, .dismissed, .edited, at: now)
    }
    judge(at: now, wasAway: !isNew)
    deliverAgain()
    return flush(at: now)
  }

  /// What the output says of a ring's sources.
  private mutating func hear(_ event: Event, at now: Moment) {
    func update(_ id: OccurrenceID, _ body: (inout Occurrence) -> Void) {
      if var occurrence = live[id.alarm], occurrence.id == id {
        body(&occurrence)
        live[id.alarm] = occurrence
        out.changes.append(.occurrence(occurrence))
      } else if let due = prepared[id] {
        let label = alarms[id.alarm]?.label ?? ""
        var occurrence = upcoming[id] ?? Occurrence(id: id, due: due, state: .scheduled, label: label)
        body(&occurrence)
        upcoming[id] = occurrence
        out.changes.append(.occurrence(occurrence))
      }
    }
    switch event {
    case .attempting(let id, let source):
      update(id) { if !$0.attempts.contains(source) { $0.attempts.append(source) } }
    case .sounding(let id, let source, let file):
      let present = live[id.alarm].flatMap { $0.id == id ? $0 : nil }
      if let present, present.sound == source, !present.attempts.contains(source) {
        // The next file of a folder: whoever looks sees it, a story names the first.
        live[id.alarm]?.file = file
        return
      }
      if present?.state == .ringing {
        if present?.sound != source { tell(id, .sounds, at: now, file ?? source) }
      } else if prepared[id] != nil, present == nil || present?.sound != source {
        // The output's clock is a little ahead of ours; a story begins with the ring.
        soundsAhead[id] = Heard(source: source, file: file)
      }
      update(id) {
        $0.attempts.removeAll { $0 == source }
        ($0.sound, $0.file) = (source, file)
      }
    case .ringFailed(let id, let source, let sentence):
      note(id, .soundFailed, sentence, at: now)
      update(id) {
        $0.attempts.removeAll { $0 == source }
        if !$0.passedOver.contains(source) { $0.passedOver.append(source) }
        if !$0.notes.contains(sentence) { $0.notes.append(sentence) }
      }
    case .ringNoted(let id, let sentence):
      note(id, .noted, sentence, at: now)
      update(id) { if !$0.notes.contains(sentence) { $0.notes.append(sentence) } }
    default: break
    }
  }

  /// A sentence that the story and the notification are to say, once.
  private mutating func note(
    _ id: OccurrenceID, _ kind: StoryLine.Kind, _ sentence: String, at now: Moment
  ) {
    guard let occurrence = live[id.alarm]?.id == id ? live[id.alarm] : upcoming[id] else {
      if prepared[id] != nil { tell(id, kind, at: now, sentence) }
      return
    }
    guard !occurrence.notes.contains(sentence) else { return }
    tell(id, kind, at: now, sentence)
    if occurrence.state.isLive { out.notices[id] = occurrence }
  }

  private mutating func forgetAttempts() {
    for (id, occurrence) in live where !occurrence.attempts.isEmpty {
      live[id]?.attempts = []
      if let changed = live[id] { out.changes.append(.occurrence(changed)) }
    }
    for (id, occurrence) in upcoming where !occurrence.attempts.isEmpty {
      upcoming[id]?.attempts = []
      if let changed = upcoming[id] { out.changes.append(.occurrence(changed)) }
    }
  }

  // MARK: What rings

  private mutating func end(_ occurrence: Occurrence, at now: Moment, by hand: Hand) {
    var occurrence = occurrence
    settle(&occurrence, .dismissed, .person, at: now, by: hand)
    out.answer?.occurrences.append(occurrence)
  }

  /// What a command acts on that names an alarm.
  private func liveOne(_ id: Int, _ word: String) throws(Refusal) -> Occurrence {
    if let occurrence = live[id] { return occurrence }
    // A bare number is an alarm's, and whoever wakes up means minutes.
    if word == "snooze", !live.isEmpty, (1...1440).contains(id) {
      let why = alarms[id] == nil ? "there is no alarm \(id)" : "alarm \(id) neither rings nor is snoozed"
      throw Refusal("\(why); to snooze what rings for \(id) min say “alarm snooze \(id)m”")
    }
    _ = try existing(id)
    throw Refusal(
      "alarm \(id) neither rings nor is snoozed, so there is nothing to \(word); to leave out its next time say "
        + "“alarm skip \(id)”")
  }

  private func nothingRings(_ word: String) -> Refusal {
    Refusal("nothing rings or is snoozed, so there is nothing to \(word); “alarm next” shows what comes")
  }

  private mutating func dismiss(_ id: Int?, at now: Moment, by hand: Hand) throws(Refusal) {
    let target: Occurrence
    if let id {
      target = try liveOne(id, "dismiss")
    } else {
      guard let first = ringing.first ?? snoozed.first else { throw nothingRings("dismiss") }
      target = first
    }
    out.answer = Answer()
    end(target, at: now, by: hand)
    let rest = ringing + snoozed
    if id == nil { out.answer?.rest = rest }
  }

  private mutating func snooze(_ id: Int?, _ span: Duration?, at now: Moment, by hand: Hand) throws(Refusal) {
    if let span, span < .seconds(1) || span > .seconds(86_400) {
      throw Refusal(
        "a snooze lasts between 1 s and 24 h, not \(Span.compact(span)); say for example “alarm snooze 10m”",
        aboutWords: true)
    }
    let targets: [Occurrence]
    if let id {
      targets = [try liveOne(id, "snooze")]
    } else {
      targets = ringing.isEmpty ? snoozed : ringing
      if targets.isEmpty { throw nothingRings("snooze") }
    }
    let (free, spent) = (
      targets.filter { snoozesLeft(of: $0) != 0 }, targets.filter { snoozesLeft(of: $0) == 0 }
    )
    let sentences = spent.map { occurrence in
      "alarm \(occurrence.alarm) has been snoozed \(occurrence.snoozesUsed) times, which is its limit; it "
        + (occurrence.state == .ringing ? "rings on" : "stays as it is")
        + " until “alarm dismiss \(occurrence.alarm)”"
    }
    guard !free.isEmpty else { throw Refusal(sentences.joined(separator: "; ")) }
    var answer = Answer()
    answer.warnings = sentences
    for var occurrence in free {
      occurrence.snoozesUsed += 1
      snooze(occurrence, for: span ?? snoozeSpan(of: occurrence), at: now, by: hand)
      if let snoozed = live[occurrence.alarm] { answer.occurrences.append(snoozed) }
    }
    if id == nil { answer.rest = ringing }
    out.answer = answer
  }

  /// A choice on a notification is for its occurrence alone, whatever its alarm does meanwhile.
  private mutating func choose(
    _ id: OccurrenceID, _ choice: Notification.Choice, at now: Moment, by hand: Hand
  ) throws(Refusal) {
    let isLive = live[id.alarm]?.id == id
    switch choice {
    case .open: break
    case .snooze:
      guard isLive else {
        throw Refusal("\(id) neither rings nor is snoozed any more, so there is nothing to snooze")
      }
      try snooze(id.alarm, nil, at: now, by: hand)
    case .dismiss: if isLive { try dismiss(id.alarm, at: now, by: hand) } else { withdraw(id) }
    }
  }

  private mutating func rehearse(_ id: Int, at now: Moment) throws(Refusal) {
    let alarm = try existing(id)
    if let occurrence = live[id] {
      let how = occurrence.state == .ringing ? "rings already" : "is snoozed"
      throw Refusal("alarm \(id) \(how); end that first with “alarm dismiss \(id)”")
    }
    let date = (alarm.zone ?? now.zone).local(now.wall).date
    let used =
      settled[id]?.filter { $0.date == date && $0.version == alarm.version }.map(\.rehearsal).max() ?? 0
    let name = OccurrenceID(alarm: id, date: date, version: alarm.version, rehearsal: used + 1)
    beginRing(
      Occurrence(id: name, due: now.wall, state: .scheduled, label: alarm.label), .rehearsed, at: now)
    var answer = Answer()
    answer.alarms = [id]
    if let occurrence = live[id] { answer.occurrences = [occurrence] }
    out.answer = answer
  }

  func existing(_ id: Int) throws(Refusal) -> Alarm {
    guard let alarm = alarms[id] else {
      throw Refusal("there is no alarm \(id); “alarm list” shows those there are")
    }
    return alarm
  }
}
