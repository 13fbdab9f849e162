import Core
import Glibc
import Platform
import Schedule
import Testing

@testable import Store

@Suite("A database that cannot be used")
struct RefusalTests {
  /// A folder with a database of three alarms, closed.
  private func filled() throws -> Folder {
    let folder = try Folder()
    var generator = Seeded(11)
    try Store(folder.database).commit((1...300).map { .alarm(generator.alarm($0)) } + [.nextID(301)])
    return folder
  }

  @Test("A newer one is refused, and not a byte of it is changed")
  func newer() throws {
    let folder = try filled()
    do {
      let database = try Database(folder.database, .readWrite)
      try database.run("PRAGMA user_version = 99")
    }
    let before = bytes(folder.database)
    let error = #expect(throws: StoreError.self) { try Store(folder.database) }
    #expect(error?.kind == .newer)
    #expect(
      error?.description
        == "“\(folder.database)” was made by a newer version of this program (99, this one knows \(Migrations.all.count)); it is left as it is, "
        + "install the newer program")
    #expect(bytes(folder.database) == before)
  }

  @Test("One of another program is refused, and not a byte of it is changed")
  func foreign() throws {
    let folder = try Folder()
    do {
      let database = try Database(folder.database, .readWrite)
      try database.run("CREATE TABLE other (id INTEGER)")
    }
    let before = bytes(folder.database)
    let error = #expect(throws: StoreError.self) { try Store(folder.database) }
    #expect(error?.kind == .broken)
    #expect(bytes(folder.database) == before)
  }

  @Test(
    "Random bytes are refused, left as they are, and the alarms ring from the backup",
    arguments: [1, 16, 4096, 100_000])
  func random(count: Int) throws {
    let folder = try filled()
    try Store.backUp(folder.database)
    var generator = Seeded(UInt64(count))
    let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try write(noise, to: folder.database)
    let opened = Store.openOrFallBack(folder.database)
    #expect(opened.store == nil)
    #expect(opened.state.alarms.count == 300)
    #expect(opened.state.nextID == 301)
    #expect(opened.sentences.count == 1)
    #expect(
      opened.sentences.first?.hasSuffix(
        "it is left as it is; the alarms ring from its backup, and changes are refused until that is mended")
        == true)
    #expect(bytes(folder.database) == noise)
  }

  @Test("A database cut short at any place, or with a hole in it, is refused and left as it is")
  func damaged() throws {
    let folder = try filled()
    try Store.backUp(folder.database)
    let whole = bytes(folder.database)
    var damages = [whole.count / 2, whole.count - 4096, whole.count - 1, 5000, 100].map {
      Array(whole[..<$0])
    }
    var hole = whole
    hole.replaceSubrange(8192..<16_384, with: repeatElement(0x55, count: 8192))
    damages.append(hole)
    for damaged in damages {
      try write(damaged, to: folder.database)
      let opened = Store.openOrFallBack(folder.database)
      #expect(opened.store == nil, "\(damaged.count) of \(whole.count)")
      #expect(opened.state.alarms.count == 300)
      #expect(bytes(folder.database) == damaged)
    }
  }

  @Test("Missing or empty beside a backup is not a fresh start")
  func missing() throws {
    let folder = try filled()
    try Store.backUp(folder.database)
    unlink(folder.database)
    var opened = Store.openOrFallBack(folder.database)
    #expect(opened.store == nil)
    #expect(opened.state.alarms.count == 300)
    #expect(access(folder.database, F_OK) != 0)
    try write([], to: folder.database)
    opened = Store.openOrFallBack(folder.database)
    #expect(opened.state.alarms.count == 300)
    #expect(opened.sentences.first?.contains("is missing or empty") == true)
  }

  @Test("Without a backup there is nothing to ring from, and a sentence says so")
  func noBackup() throws {
    let folder = try Folder()
    try write(Array(repeating: 7, count: 5000), to: folder.database)
    let opened = Store.openOrFallBack(folder.database)
    #expect(opened.store == nil)
    #expect(opened.state.alarms.isEmpty)
    #expect(
      opened.sentences.first?.contains("there is no backup to ring from, so no alarm will ring") == true)
  }

  @Test("In a folder that is read-only the alarms ring from the database itself")
  func readOnlyFolder() throws {
    let folder = try filled()
    let before = bytes(folder.database)
    let opened = folder.readOnly { Store.openOrFallBack(folder.database) }
    #expect(opened.store == nil)
    #expect(opened.state.alarms.count == 300)
    #expect(
      opened.sentences.first?.hasSuffix("changes are refused until that is mended") == true,
      "\(opened.sentences)")
    #expect(bytes(folder.database) == before)
  }

  @Test("A new database in a folder that is read-only is an error with the way out")
  func nothingInReadOnlyFolder() throws {
    let folder = try Folder()
    let opened = folder.readOnly { Store.openOrFallBack(folder.database) }
    #expect(opened.store == nil)
    #expect(opened.sentences.first?.contains("make its folder writable") == true, "\(opened.sentences)")
  }

  @Test("A folder in its place is not a database")
  func folderInPlace() throws {
    let folder = try Folder()
    mkdir(folder.database, 0o700)
    defer { rmdir(folder.database) }
    let error = #expect(throws: StoreError.self) { try Store(folder.database) }
    #expect(error?.description == "“\(folder.database)” is not a file; move it away")
  }

  @Test("A backup holds all that was committed, is due once a day, and replaces the one before")
  func backups() throws {
    let folder = try Folder()
    var generator = Seeded(4)
    let store = try Store(folder.database)
    let wall = Clocks.wallMicroseconds()
    #expect(Store.isBackupDue(of: folder.database, at: wall))
    try store.commit([.alarm(generator.alarm(1))])
    try Store.backUp(folder.database)
    #expect(!Store.isBackupDue(of: folder.database, at: wall))
    #expect(Store.isBackupDue(of: folder.database, at: wall + 86_500 * 1_000_000))
    #expect(Store.isBackupDue(of: folder.database, at: wall - 86_500 * 1_000_000), "the clock was set back")
    // Left by a crash, and in the way of the next.
    try write([1, 2, 3], to: folder.backup + ".new")
    try store.commit([.alarm(generator.alarm(2))])
    try Store.backUp(folder.database)
    try write([0], to: folder.database)
    #expect(Store.openOrFallBack(folder.database).state.alarms.map(\.id) == [1, 2])
  }
}
