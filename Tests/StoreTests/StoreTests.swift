import Core
import Glibc
import Platform
import Schedule
import Testing

@testable import Store

@Suite("The store")
struct StoreTests {
  @Test("What was committed is loaded again, whatever it holds")
  func roundTrip() throws {
    let folder = try Folder()
    for seed in 1...20 {
      var generator = Seeded(UInt64(seed))
      unlink(folder.database)
      unlink(folder.database + "-wal")
      unlink(folder.database + "-shm")
      let alarms = (1...12).map { generator.alarm($0) }
      let live = (1...4).map { generator.occurrence($0, settledAt: nil) }
      let wall = Clocks.wallMicroseconds()
      let settled = (1...8).map { generator.occurrence($0, settledAt: wall + Int64($0)) }
      let turns = (0..<Int64(3)).map {
        ClockTurn(from: Instant(seconds: $0 * 900_000_000), to: Instant(seconds: -$0))
      }
      var player = PlayerState()
      player.queue = (0..<3).map { _ in
        var track = Track(path: generator.text())
        (track.title, track.artist, track.album) = (generator.text(), generator.text(), generator.text())
        track.duration = generator.maybe(generator.span())
        return track
      }
      (player.index, player.position) = (generator.maybe(2), generator.span())
      (player.volume, player.isMuted) = (generator.maybe(30), true)
      (player.order, player.repeats, player.stopsAfter) = (generator.maybe([2, 0, 1]), .all, true)
      var lease = Lease(
        id: 4, owner: generator.text(), reason: generator.text(), kinds: ["audio", generator.text()],
        until: generator.deadline(), span: generator.span())
      lease.process = generator.maybe(LeaseProcess(id: 77, started: 1234, bootID: generator.text()))
      (lease.renewalsLeft, lease.then) = (3, generator.maybe(generator.text()))
      let raised = [RaisedLevel(control: generator.text(), before: "on 1 1", after: generator.text())]
      let inbox = (1...3).map { number in
        let occurrence = generator.occurrence(number, settledAt: nil)
        return InboxEntry(
          occurrence: occurrence.id, label: generator.text(), body: generator.text(),
          action: generator.text(), info: [InfoPair(generator.text(), generator.text())],
          at: Instant(microseconds: Int64(number)), state: occurrence.state, reason: occurrence.reason)
      }
      let seen = Seen(wall: Instant(microseconds: 5), boot: 6, bootID: "seven", zone: "Asia/Kolkata")
      do {
        let store = try Store(folder.database)
        try store.commit(
          alarms.map(Change.alarm) + [
            .nextID(13), .seen(seen), .clockTurns(turns), .player(player), .leases([lease]), .raised(raised),
          ])
        try store.commit((live + settled).map(Change.occurrence))
        try store.commit(inbox.map(Change.inbox) + [.badge(seed)])
      }
      let state = try Store(folder.database).load()
      #expect(state.alarms == alarms, "seed \(seed)")
      #expect(Set(state.live) == Set(live))
      #expect(state.settled == settled)
      #expect(state.player == player)
      #expect(state.leases == [lease])
      #expect(state.raised == raised)
      #expect(state.inbox == inbox)
      #expect(state.badge == seed)
      #expect(state.nextID == 13)
      #expect(state.lastSeen == seen)
      #expect(state.clockTurns == turns)
    }
  }

  @Test("A later change takes the place of an earlier one; removed alarms leave their story")
  func changes() throws {
    let folder = try Folder()
    var generator = Seeded(7)
    let store = try Store(folder.database)
    var alarm = generator.alarm(1)
    let ended = generator.occurrence(1, settledAt: Clocks.wallMicroseconds())
    try store.commit([.alarm(alarm), .alarm(generator.alarm(2)), .occurrence(ended)])
    alarm.draft.label = "another"
    try store.commit([.alarm(alarm), .removed(alarm: 2), .reopened(ended.id, !ended.isReopened)])
    try store.commit([.removed(alarm: 1), .dropped(ended.id)])
    let state = try store.load()
    #expect(state.alarms == [])
    #expect(state.settled.map(\.id) == [ended.id])
    #expect(state.settled.first?.isReopened == !ended.isReopened)
  }

  @Test("An older database is brought up to date, and what was in it is there")
  func migration() throws {
    let folder = try Folder()
    var generator = Seeded(3)
    let alarm = generator.alarm(1)
    try Store(folder.database).commit([.alarm(alarm)])
    let store = try Store(
      folder.database, migrations: Migrations.all + ["CREATE TABLE later (id INTEGER)", "DROP TABLE later"])
    #expect(try store.database.integer("PRAGMA user_version") == Int64(Migrations.all.count + 2))
    #expect(try store.load().alarms == [alarm])
  }

  @Test("A database and a backup of the first shape are read and brought to the newest")
  func firstShape() throws {
    let folder = try Folder()
    var generator = Seeded(4)
    var alarm = generator.alarm(1)
    (alarm.draft.action, alarm.draft.badge, alarm.draft.run, alarm.skips) = ("", nil, "", [])
    do {
      // What the first program wrote is what this one writes, without what has been added since.
      let store = try Store(folder.database, migrations: Migrations.all)
      try store.commit([.alarm(alarm)])
      for column in ["action", "badge", "run", "skips"] {
        try store.database.run("ALTER TABLE alarms DROP COLUMN \(column)")
      }
      for column in ["renewals", "process", "processStarted", "processBootID", "command"] {
        try store.database.run("ALTER TABLE leases DROP COLUMN \(column)")
      }
      try store.database.run("ALTER TABLE occurrences DROP COLUMN ran")
      try store.database.run("DROP INDEX occurrencesDue")
      for table in ["raised", "loudness", "inbox", "story"] { try store.database.run("DROP TABLE \(table)") }
      try store.database.run("PRAGMA user_version = 1")
    }
    try Store.backUp(folder.database)
    let path = folder.database
    #expect(try Store(path).load().alarms == [alarm])
    #expect(try Store(path).load().raised.isEmpty)
    try write(Array("no database".utf8), to: path)
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    #expect(Store.openOrFallBack(path).state.alarms == [alarm])
  }

  @Test("What was measured of a file is kept by its path, the newest of it, and not without end")
  func loudness() throws {
    let folder = try Folder()
    let store = try Store(folder.database)
    var file = FileLoudness(path: "/a", size: 1, changedAt: 2, loudness: nil, peak: 0)
    file.attempts = 1
    try store.commit([.loudness(file)])
    #expect(try store.loudness(of: "/a") == file)
    (file.loudness, file.peak, file.attempts) = (-14_000, -300, 0)
    try store.commit([.loudness(file)])
    #expect(try store.loudness(of: "/a") == file)
    #expect(try store.loudness(of: "/b") == nil)
    try store.commit(
      (0..<5100).map { .loudness(FileLoudness(path: "/\($0)", size: 1, changedAt: 2, loudness: 3, peak: 4)) })
    #expect(try store.database.integer("SELECT count(*) FROM loudness") == 5000)
    #expect(try store.loudness(of: "/5099") != nil)
  }

  @Test("A migration that fails changes nothing")
  func brokenMigration() throws {
    let folder = try Folder()
    try Store(folder.database).commit([.nextID(5)])
    #expect(throws: StoreError.self) {
      try Store(folder.database, migrations: Migrations.all + ["CREATE TABLE later (id INTEGER)", "no SQL"])
    }
    let store = try Store(folder.database)
    #expect(try store.database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'later'") == 0)
    #expect(try store.load().nextID == 5)
  }

  @Test("The file and its backup are for nobody else to read")
  func permissions() throws {
    let folder = try Folder()
    let store = try Store(folder.database)
    try store.commit([.nextID(5)])
    try Store.backUp(folder.database)
    for path in [folder.database, folder.database + "-wal", folder.backup] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(path)")
    }
  }

  @Test("A full disk: the commit fails with a sentence, nothing of it is stored, and the store lives on")
  func fullDisk() throws {
    let folder = try Folder()
    var generator = Seeded(5)
    let store = try Store(folder.database)
    let first = generator.alarm(1)
    try store.commit([.alarm(first)])
    let pages = try #require(try store.database.integer("PRAGMA page_count"))
    try store.database.run("PRAGMA max_page_count = \(pages)")
    let many = (2...500).map { Change.alarm(generator.alarm($0)) }
    let error = #expect(throws: StoreError.self) { try store.commit(many) }
    #expect(error?.kind == .cannotWrite)
    #expect(error?.description == "cannot write “\(folder.database)”: the disk is full; make room on it")
    #expect(try store.load().alarms == [first])

    // What was done already is owed, the last of each kind, and stored when there is room.
    var alarm = first
    alarm.counted = 4
    let owed = #expect(throws: StoreError.self) {
      try store.commit(many + [.alarm(alarm)], mustSucceed: false)
    }
    #expect(owed?.description.hasSuffix("make room on it; until then a restart may ring again") == true)
    #expect(store.owed.count == 500)
    try store.database.run("PRAGMA max_page_count = 100000")
    try store.commit([.nextID(501)])
    #expect(store.owed.isEmpty)
    #expect(try store.load().alarms.count == 500)
    #expect(try store.load().alarms.first == alarm)
  }

  @Test("The story is kept for 90 days, and the last ends of an alarm longer")
  func pruning() throws {
    let folder = try Folder()
    var generator = Seeded(9)
    let old = Clocks.wallMicroseconds() - 91 * 86_400 * 1_000_000
    var ended: [Occurrence] = []
    for number in 0..<99 {
      var occurrence = generator.occurrence(number < 10 ? 2 : 1, settledAt: old + Int64(number))
      occurrence.label = "\(number)"
      ended.append(occurrence)
    }
    do {
      // Alarm 2 is gone.
      try Store(folder.database).commit([.alarm(generator.alarm(1))])
      let database = try Database(folder.database, .readWrite)
      _ = database
      let store = try Store(folder.database)
      try store.commit([.nextID(3)])
      try store.commit(ended.map(Change.occurrence))
    }
    let store = try Store(folder.database)
    try store.commit([.nextID(4)])
    let labels = try store.load().settled.map(\.label)
    // Rehearsals push none out.
    let last = ended.filter { $0.alarm == 1 && !$0.isRehearsal }.suffix(AlarmBook.remembered)
    #expect(labels == last.map(\.label))
  }

  @Test("The story is told by occurrence, the newest first, whole or for one alarm, and kept for 90 days")
  func stories() throws {
    let folder = try Folder()
    let wall = Clocks.wallMicroseconds()
    func occurrence(_ alarm: Int, _ day: Int) -> Occurrence {
      let id = OccurrenceID(alarm: alarm, date: LocalDate(dayNumber: 20_000 + day), version: 1)
      var occurrence = Occurrence(
        id: id, due: Instant(microseconds: wall + Int64(day)), state: .dismissed, label: "\(day)")
      (occurrence.reason, occurrence.settledAt) = (.person, occurrence.due)
      return occurrence
    }
    let occurrences = [occurrence(1, 1), occurrence(2, 2), occurrence(1, 3)]
    var lines: [StoryLine] = []
    for kind in StoryLine.Kind.allCases {
      var line = StoryLine(occurrences[0].id, kind, at: Instant(microseconds: wall), text: "a\n\0")
      (line.reason, line.from, line.until) = (.asleep, line.at, line.at)
      line.span = .seconds(5)
      lines.append(line)
    }
    let old = StoryLine(
      occurrences[0].id, .rang, at: Instant(microseconds: wall - 91 * 86_400 * 1_000_000))
    do {
      let store = try Store(folder.database)
      try store.commit([.nextID(3)])
      try store.commit(occurrences.map(Change.occurrence) + ([old] + lines).map(Change.story))
      #expect(try store.stories(of: nil, limit: 9).map(\.occurrence) == occurrences.reversed())
      #expect(try store.stories(of: 1, limit: 9).map(\.lines) == [[], [old] + lines])
      #expect(try store.stories(of: nil, limit: 1).map(\.occurrence.label) == ["3"])
    }
    let store = try Store(folder.database)
    try store.commit([.nextID(4)])
    #expect(try store.stories(of: 1, limit: 9).last?.lines == lines)
  }

  @Test("Ten thousand alarms are stored and loaded, and one more costs one row")
  func many() throws {
    let folder = try Folder()
    var generator = Seeded(2)
    let alarms = (1...10_000).map { generator.alarm($0) }
    let store = try Store(folder.database)
    try store.commit(alarms.map(Change.alarm))
    #expect(try store.load().alarms.count == 10_000)
    let before = bytes(folder.database + "-wal").count
    try store.commit([.alarm(generator.alarm(10_001))])
    #expect(bytes(folder.database + "-wal").count <= before + 16 * 4200)
  }
}
