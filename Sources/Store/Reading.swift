import Core
import Schedule

extension Store {
  /// Everything that is stored.
  public func load() throws(StoreError) -> StoredState {
    let state = try Store.read(database)
    (storedQueue, storedOrder) = (state.player.queue, state.player.order)
    return state
  }

  /// What was measured of a file; nil where that was not done.
  public func loudness(of path: String) throws(StoreError) -> FileLoudness? {
    var result: FileLoudness?
    try database.statement("SELECT * FROM loudness WHERE path = ?").each([.text(path)]) {
      row throws(StoreError) in
      result = FileLoudness(
        path: path, size: row.integer(1) ?? 0, changedAt: row.integer(2) ?? 0, loudness: row.int(3),
        peak: row.int(4) ?? 0)
      result?.attempts = row.int(5) ?? 0
    }
    return result
  }

  static func read(_ database: Database) throws(StoreError) -> StoredState {
    var state = StoredState()
    // A backup that a program before this one made has not all of it.
    let shape = try database.integer("PRAGMA user_version") ?? 0
    try database.statement("SELECT * FROM alarms ORDER BY id").each([]) { row throws(StoreError) in
      state.alarms.append(try alarm(row, shape, &state.warnings))
    }
    try database.statement("SELECT * FROM occurrences WHERE settledAt IS NULL").each([]) {
      row throws(StoreError) in
      state.live.append(try occurrence(row, shape))
    }
    // Without the numbering of a window, which would sort all of a long story: only the newest of each are needed, and they
    // come first.
    // Rehearsals by themselves: they must not push out what rang.
    var kept: [Bool: [Int: Int]] = [:]
    try database.statement("SELECT * FROM occurrences WHERE settledAt IS NOT NULL ORDER BY settledAt DESC")
      .each(
        []
      ) { row throws(StoreError) in
        let isRehearsal = row.text(0)?.contains("r") ?? false
        guard let alarm = row.int(1), kept[isRehearsal]?[alarm] ?? 0 < AlarmBook.remembered else { return }
        kept[isRehearsal, default: [:]][alarm, default: 0] += 1
        state.settled.append(try occurrence(row, shape))
      }
    state.settled.reverse()
    try readState(database, &state)
    try database.statement("SELECT * FROM queue ORDER BY place").each([]) { row throws(StoreError) in
      var track = Track(path: try row.require(row.text(1), "a track"))
      (track.title, track.artist) = (row.text(2) ?? "", row.text(3) ?? "")
      (track.album, track.duration) = (row.text(4) ?? "", row.span(5))
      state.player.queue.append(track)
    }
    try database.statement("SELECT * FROM leases ORDER BY id").each([]) { row throws(StoreError) in
      state.leases.append(try lease(row))
    }
    if shape >= 5 { try readInbox(database, &state) }
    guard shape >= 2 else { return state }
    try database.statement("SELECT * FROM raised ORDER BY control").each([]) { row throws(StoreError) in
      state.raised.append(
        RaisedLevel(control: row.text(0) ?? "", before: row.text(1) ?? "", after: row.text(2) ?? ""))
    }
    return state
  }

  private static func readState(_ database: Database, _ state: inout StoredState) throws(StoreError) {
    var wall: Int64?
    var seen = Seen(wall: Instant(seconds: 0), boot: 0, bootID: "", zone: "UTC")
    try database.statement("SELECT key, value FROM state").each([]) { row throws(StoreError) in
      switch row.text(0) {
      case "nextID": state.nextID = row.int(1) ?? 1
      case "seenWall": wall = row.integer(1)
      case "seenBoot": seen.boot = row.integer(1) ?? 0
      case "seenBootID": seen.bootID = row.text(1) ?? ""
      case "seenZone": seen.zone = row.text(1) ?? "UTC"
      case "clockTurns": state.clockTurns = TurnCode.decode(row.text(1))
      case "badge": state.badge = row.int(1) ?? 0
      case "playerIndex": state.player.index = row.int(1)
      case "playerPosition": state.player.position = row.span(1) ?? .zero
      case "playerVolume": state.player.volume = row.int(1)
      case "playerMuted": state.player.isMuted = row.bool(1)
      case "outputDevice": state.outputDevice = row.text(1)
      case "playerRepeat": state.player.repeats = row.text(1).flatMap(Repeat.init) ?? .off
      case "playerStopAfter": state.player.stopsAfter = row.bool(1)
      case "playerOrder": state.player.order = row.text(1).map(OrderCode.decode)
      default: break
      }
    }
    if let wall {
      seen.wall = Instant(microseconds: wall)
      state.lastSeen = seen
    }
  }

  private static func lease(_ row: Row) throws(StoreError) -> Lease {
    let until = try row.require(deadline(row, 4), "a lease")
    var lease = Lease(
      id: row.int(0) ?? 0, owner: row.text(1) ?? "", reason: row.text(2) ?? "",
      kinds: ListCode.decode(row.text(3)), until: until, span: row.span(7) ?? .zero)
    // An older shape has no more.
    guard row.count > 8 else { return lease }
    lease.renewalsLeft = row.int(8) ?? 0
    if let id = row.integer(9).flatMap({ Int32(exactly: $0) }) {
      lease.process = LeaseProcess(id: id, started: row.integer(10) ?? 0, bootID: row.text(11) ?? "")
    }
    lease.then = row.text(12)
    return lease
  }

  private static func readInbox(_ database: Database, _ state: inout StoredState) throws(StoreError) {
    try database.statement("SELECT * FROM inbox ORDER BY at, occurrence").each([]) { row throws(StoreError) in
      let id = try row.require(row.text(0).flatMap { OccurrenceID($0) }, "a notification")
      state.inbox.append(
        InboxEntry(
          occurrence: id, label: row.text(1) ?? "", body: row.text(2) ?? "", action: row.text(3) ?? "",
          info: pairs(row.text(4)), at: Instant(microseconds: row.integer(5) ?? 0),
          state: try row.require(row.text(6).flatMap(Occurrence.State.init(rawValue:)), "a notification"),
          reason: row.text(7).flatMap(Occurrence.Reason.init(rawValue:))))
    }
  }

  private static func pairs(_ text: String?) -> [InfoPair] {
    let info = ListCode.decode(text)
    return stride(from: 0, to: info.count - 1, by: 2).map { InfoPair(info[$0], info[$0 + 1]) }
  }

  private static func deadline(_ row: Row, _ column: Int32) -> Deadline? {
    guard let bootID = row.text(column), let boot = row.integer(column + 1),
      let wall = row.integer(column + 2)
    else { return nil }
    return Deadline(bootID: bootID, boot: boot, wall: Instant(microseconds: wall))
  }

  private static func alarm(_ row: Row, _ shape: Int64, _ warnings: inout [String]) throws(StoreError)
    -> Alarm
  {
    let id = try row.require(row.int(0), "an alarm's number")
    let name = "alarm \(id)"
    var draft = AlarmDraft(rule: try row.require(row.text(1).flatMap(RuleCode.decode), name))
    if let zone = row.text(2) {
      draft.zone = Zone(zone)
      if draft.zone == nil {
        warnings.append(
          "\(name) is set in the zone “\(zone)”, which this machine does not know; it follows the machine's zone "
            + "until “alarm edit \(id) --zone ZONE” gives it another")
      }
    }
    draft.label = row.text(3) ?? ""
    (draft.sound, draft.volume, draft.fade) = (row.text(4), row.int(5), row.span(6))
    (draft.snooze, draft.snoozeLimit, draft.silenceAfter) = (row.span(7), row.int(8), row.span(9))
    draft.body = row.text(10) ?? ""
    draft.info = pairs(row.text(11))
    if let until = row.text(12) { draft.until = try row.require(LocalDate(until), name) }
    draft.count = row.int(13)
    if shape >= 3 {
      (draft.action, draft.badge, draft.run) = (row.text(22) ?? "", row.int(23), row.text(24) ?? "")
    }
    let created = Instant(microseconds: row.integer(21) ?? 0)
    var alarm = Alarm(id: id, draft: draft, createdAt: created)
    (alarm.version, alarm.isEnabled, alarm.isSpent) = (row.int(14) ?? 1, row.bool(15), row.bool(16))
    if shape >= 4, let dates = row.text(25) { alarm.skips = try row.require(DatesCode.decode(dates), name) }
    (alarm.counted, alarm.timerEnd) = (row.int(17) ?? 0, deadline(row, 18))
    return alarm
  }

  static func occurrence(_ row: Row, _ shape: Int64) throws(StoreError) -> Occurrence {
    let text = row.text(0) ?? ""
    let name = "occurrence \(text)"
    var occurrence = Occurrence(
      id: try row.require(OccurrenceID(text), name),
      due: Instant(microseconds: try row.require(row.integer(2), name)),
      state: try row.require(row.text(3).flatMap(Occurrence.State.init(rawValue:)), name),
      label: row.text(5) ?? "")
    occurrence.reason = row.text(4).flatMap(Occurrence.Reason.init(rawValue:))
    (occurrence.late, occurrence.wasHeard) = (row.span(6), row.bool(8))
    occurrence.lateReason = row.text(7).flatMap(Occurrence.Reason.init(rawValue:))
    occurrence.ringingSince = row.integer(9).map { Instant(microseconds: $0) }
    (occurrence.snoozedUntil, occurrence.snoozeSpan) = (deadline(row, 10), row.span(13))
    (occurrence.snoozesUsed, occurrence.unansweredUsed) = (row.int(14) ?? 0, row.int(15) ?? 0)
    (occurrence.soundedFor, occurrence.sound) = (row.span(16) ?? .zero, row.text(17))
    occurrence.attempts = ListCode.decode(row.text(18))
    occurrence.passedOver = ListCode.decode(row.text(19))
    occurrence.notes = ListCode.decode(row.text(20))
    occurrence.settledAt = row.integer(21).map { Instant(microseconds: $0) }
    occurrence.isReopened = row.bool(22)
    occurrence.hasRun = shape >= 5 && row.bool(23)
    return occurrence
  }
}
