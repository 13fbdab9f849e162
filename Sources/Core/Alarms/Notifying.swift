import Schedule

/// Notifications, the inbox and the badge.
extension AlarmBook {
  /// So many stay in the inbox; of those that were missed the oldest go first.
  public static let inboxLimit = 100

  /// An occurrence fires, is snoozed or was missed: it is in the inbox, and counts in the badge once.
  mutating func deliver(_ occurrence: Occurrence) {
    out.notices[occurrence.id] = occurrence
    out.withdrawn.removeAll { $0 == occurrence.id }
    // A rehearsal is nothing to deal with.
    guard !occurrence.isRehearsal, let alarm = alarms[occurrence.alarm] else { return }
    let entry = InboxEntry(
      occurrence: occurrence.id, label: occurrence.label, body: alarm.body, action: alarm.action,
      info: alarm.info, at: occurrence.due, state: occurrence.state, reason: occurrence.reason)
    if let place = inbox.firstIndex(where: { $0.occurrence == entry.occurrence }) {
      guard inbox[place] != entry else { return }
      inbox[place] = entry
    } else {
      inbox.append(entry)
      setBadge(alarm.draft.badge ?? badge + 1)
      out.changes.append(.inbox(entry))
      limitInbox()
      return
    }
    out.changes.append(.inbox(entry))
  }

  /// The oldest goes, its notification with it.
  private mutating func limitInbox() {
    guard inbox.count > AlarmBook.inboxLimit,
      let oldest = inbox.first(where: { !$0.state.isLive })?.occurrence
    else { return }
    // One that was seen counts no more, and those behind it still do.
    let number = badge < inbox.count ? badge : badge - 1
    withdraw(oldest)
    setBadge(number)
  }

  /// A miss that is ahead again is none.
  mutating func takeBack(_ id: OccurrenceID) {
    takenBack[id] = inbox.first { $0.occurrence == id }
    withdraw(id)
  }

  /// It is one after all.
  mutating func giveBack(_ id: OccurrenceID) {
    guard let entry = takenBack.removeValue(forKey: id), !inbox.contains(where: { $0.occurrence == id })
    else {
      return
    }
    inbox.append(entry)
    setBadge(badge + 1)
    out.changes.append(.inbox(entry))
    limitInbox()
  }

  /// It was dealt with, or nothing is left of it.
  mutating func withdraw(_ id: OccurrenceID) {
    out.notices[id] = nil
    if !out.withdrawn.contains(id) { out.withdrawn.append(id) }
    guard let place = inbox.firstIndex(where: { $0.occurrence == id }) else { return }
    inbox.remove(at: place)
    out.changes.append(.outOfInbox(id))
    setBadge(max(0, badge - 1))
  }

  /// Takes out what a person has read; what rings or is snoozed stays.
  mutating func clearInbox() {
    for entry in inbox where !entry.state.isLive { withdraw(entry.occurrence) }
  }

  mutating func setBadge(_ number: Int) {
    let number = min(number, AlarmDraft.badges.upperBound)
    guard number != badge else { return }
    badge = number
    out.changes.append(.badge(number))
  }

  /// After a restart the desktop knows nothing of us.
  mutating func deliverAgain() {
    let ids = Set(live.values.map(\.id))
    for entry in inbox where entry.state.isLive && !ids.contains(entry.occurrence) {
      inbox.removeAll { $0.occurrence == entry.occurrence }
      out.changes.append(.outOfInbox(entry.occurrence))
    }
    for occurrence in live.values.sorted(by: { ($0.due, $0.alarm) < ($1.due, $1.alarm) }) {
      deliver(occurrence)
    }
  }

  /// What the desktop is to show and to take away, and the badge where it is another.
  mutating func notifications() -> [Effect] {
    var effects = out.withdrawn.map(Effect.withdraw)
    effects += out.notices.values
      .sorted { ($0.due, $0.order, $0.alarm) < ($1.due, $1.order, $1.alarm) }
      .compactMap { notification(of: live[$0.alarm]?.id == $0.id ? live[$0.alarm] ?? $0 : $0) }
      .map(Effect.notify)
    if badge != toldBadge {
      toldBadge = badge
      effects.append(.badge(badge))
    }
    return effects
  }

  private func notification(of occurrence: Occurrence) -> Notification? {
    guard let alarm = alarms[occurrence.alarm] else { return nil }
    var choices: [Notification.Choice] = []
    if occurrence.state == .ringing, snoozesLeft(of: occurrence) != 0 { choices.append(.snooze) }
    choices.append(.dismiss)
    if !alarm.action.isEmpty { choices.append(.open) }
    return Notification(
      occurrence: occurrence,
      title: occurrence.label.isEmpty ? "Alarm \(occurrence.alarm)" : occurrence.label, body: alarm.body,
      action: alarm.action, info: alarm.info, choices: choices)
  }

  // MARK: The story

  mutating func tell(
    _ id: OccurrenceID, _ kind: StoryLine.Kind, at now: Moment, _ text: String = "", until: Instant? = nil,
    change: (inout StoryLine) -> Void = { _ in }
  ) {
    var line = StoryLine(id, kind, at: now.wall, text: text)
    line.until = until
    change(&line)
    out.changes.append(.story(line))
  }
}

extension Passage {
  /// Writes down from when to when what is blamed went on.
  func explain(_ line: inout StoryLine, _ reason: Occurrence.Reason) {
    line.reason = reason
    switch reason {
    case .away:
      (line.from, line.until) = (lastWall, now.wall)
      if !wasAway { line.text = StoryLine.stopped }
    case .asleep: (line.from, line.until) = (now.wall - slept, now.wall)
    case .clockSet: (line.from, line.until) = (expectedWall, now.wall)
    case .zoneChanged: line.text = now.zone.identifier
    default: break
    }
  }
}
