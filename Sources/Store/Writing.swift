import Core
import Schedule

extension Store {
  func write(_ change: Change) throws(StoreError) {
    switch change {
    case .alarm(let alarm): try write(alarm)
    case .removed(let id): try database.run("DELETE FROM alarms WHERE id = ?", [.integer(id)])
    case .occurrence(let occurrence): try write(occurrence)
    case .dropped(let id):
      try database.run(
        "DELETE FROM occurrences WHERE id = ? AND settledAt IS NULL", [.text(id.description)])
    case .reopened(let id, let isReopened):
      try database.run(
        "UPDATE occurrences SET reopened = ? WHERE id = ?", [.bool(isReopened), .text(id.description)])
    case .inbox(let entry):
      try replace(
        "inbox",
        [
          .text(entry.occurrence.description), .text(entry.label), .text(entry.body), .text(entry.action),
          .text(ListCode.encode(entry.info.flatMap { [$0.key, $0.value] })), .integer(entry.at.microseconds),
          .text(entry.state.rawValue), .text(entry.reason?.rawValue),
        ])
    case .outOfInbox(let id):
      try database.run("DELETE FROM inbox WHERE occurrence = ?", [.text(id.description)])
    case .badge(let number): try set("badge", .integer(number))
    case .story(let line):
      try replace(
        "story",
        [
          .null, .text(line.occurrence.description), .integer(line.at.microseconds),
          .text(line.kind.rawValue), .text(line.text), .text(line.reason?.rawValue),
          .integer(line.from?.microseconds), .integer(line.until?.microseconds), .span(line.span),
        ])
    case .nextID(let id): try set("nextID", .integer(id))
    case .seen(let seen):
      try set("seenWall", .integer(seen.wall.microseconds))
      try set("seenBoot", .integer(seen.boot))
      try set("seenBootID", .text(seen.bootID))
      try set("seenZone", .text(seen.zone))
    case .clockTurns(let turns): try set("clockTurns", .text(TurnCode.encode(turns)))
    case .player(let state): try write(state)
    case .outputDevice(let name): try set("outputDevice", .text(name))
    case .leases(let leases): try write(leases)
    case .loudness(let file):
      try replace(
        "loudness",
        [
          .text(file.path), .integer(file.size), .integer(file.changedAt), .integer(file.loudness),
          .integer(file.peak), .integer(file.attempts),
        ])
      // The oldest can be measured again in a second or two where they are wanted after all.
      try database.run("DELETE FROM loudness WHERE rowid <= (SELECT max(rowid) FROM loudness) - 5000")
    case .raised(let levels):
      try database.run("DELETE FROM raised")
      for level in levels {
        try replace("raised", [.text(level.control), .text(level.before), .text(level.after)])
      }
    }
  }

  private func set(_ key: String, _ value: Value) throws(StoreError) {
    try database.run("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", [.text(key), value])
  }

  /// `INSERT OR REPLACE` with as many places as there are values.
  private func replace(_ table: String, _ values: [Value]) throws(StoreError) {
    let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
    try database.run("INSERT OR REPLACE INTO \(table) VALUES (\(places))", values)
  }

  private func write(_ alarm: Alarm) throws(StoreError) {
    let draft = alarm.draft
    try replace(
      "alarms",
      [
        .integer(alarm.id), .text(RuleCode.encode(draft.rule)), .text(draft.zone?.identifier),
        .text(draft.label), .text(draft.sound), .integer(draft.volume), .span(draft.fade),
        .span(draft.snooze),
        .integer(draft.snoozeLimit), .span(draft.silenceAfter), .text(draft.body),
        .text(ListCode.encode(draft.info.flatMap { [$0.key, $0.value] })), .text(draft.until?.description),
        .integer(draft.count), .integer(alarm.version), .bool(alarm.isEnabled), .bool(alarm.isSpent),
        .integer(alarm.counted), .text(alarm.timerEnd?.bootID), .integer(alarm.timerEnd?.boot),
        .integer(alarm.timerEnd?.wall.microseconds), .integer(alarm.createdAt.microseconds),
        .text(draft.action), .integer(draft.badge), .text(draft.run),
        .text(DatesCode.encode(alarm.skips)),
      ])
  }

  private func write(_ occurrence: Occurrence) throws(StoreError) {
    let snooze = occurrence.snoozedUntil
    try replace(
      "occurrences",
      [
        .text(occurrence.id.description), .integer(occurrence.alarm), .integer(occurrence.due.microseconds),
        .text(occurrence.state.rawValue), .text(occurrence.reason?.rawValue), .text(occurrence.label),
        .span(occurrence.late), .text(occurrence.lateReason?.rawValue), .bool(occurrence.wasHeard),
        .integer(occurrence.ringingSince?.microseconds), .text(snooze?.bootID), .integer(snooze?.boot),
        .integer(snooze?.wall.microseconds), .span(occurrence.snoozeSpan), .integer(occurrence.snoozesUsed),
        .integer(occurrence.unansweredUsed), .span(occurrence.soundedFor), .text(occurrence.sound),
        .text(ListCode.encode(occurrence.attempts)), .text(ListCode.encode(occurrence.passedOver)),
        .text(ListCode.encode(occurrence.notes)), .integer(occurrence.settledAt?.microseconds),
        .bool(occurrence.isReopened), .bool(occurrence.hasRun),
      ])
  }

  private func write(_ state: PlayerState) throws(StoreError) {
    try set("playerIndex", .integer(state.index))
    try set("playerPosition", .span(state.position))
    try set("playerVolume", .integer(state.volume))
    try set("playerMuted", .bool(state.isMuted))
    try set("playerRepeat", .text(state.repeats.rawValue))
    try set("playerStopAfter", .bool(state.stopsAfter))
    if state.order != storedOrder {
      try set("playerOrder", state.order.map { .text(OrderCode.encode($0)) } ?? .null)
      storedOrder = state.order
    }
    guard state.queue != storedQueue else { return }
    // What was there is written over only where it is another: one title that was read must not write a thousand rows.
    let before = storedQueue ?? []
    storedQueue = nil
    for (place, track) in state.queue.enumerated() where place >= before.count || before[place] != track {
      try replace(
        "queue",
        [
          .integer(place), .text(track.path), .text(track.title), .text(track.artist), .text(track.album),
          .span(track.duration),
        ])
    }
    try database.run("DELETE FROM queue WHERE place >= ?", [.integer(state.queue.count)])
    storedQueue = state.queue
  }

  private func write(_ leases: [Lease]) throws(StoreError) {
    try database.run("DELETE FROM leases")
    for lease in leases {
      guard let until = lease.until else { continue }
      try replace(
        "leases",
        [
          .integer(lease.id), .text(lease.owner), .text(lease.reason), .text(ListCode.encode(lease.kinds)),
          .text(until.bootID), .integer(until.boot), .integer(until.wall.microseconds), .span(lease.span),
          .integer(lease.renewalsLeft), .integer(lease.process.map { Int64($0.id) }),
          .integer(lease.process?.started), .text(lease.process?.bootID), .text(lease.then),
        ])
    }
  }
}
