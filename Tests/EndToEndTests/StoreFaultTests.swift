import CLinux
import Glibc
import Harness
import Platform
import Testing

@Suite("A store that fails", .serialized)
struct StoreFaultTests {
  private func stopped(_ world: World) throws {
    try world.must("engine", "stop")
    try wait(until: "the end of every process") { world.processes().isEmpty }
  }

  @Test("A database of random bytes is left untouched, the backup's alarms ring, and changes are refused")
  func brokenDatabase() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Daily")
    try stopped(world)
    // The backup of the day is made at the start at the latest.
    try world.must("list")
    try stopped(world)
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for name in ["-wal", "-shm"] { unlink(world.database + name) }
    try replaceFile(world.database, with: noise)
    let labels = try world.list().map(\.label)
    #expect(labels == ["Daily"])
    let refused = try world.alarm("add", "daily 08:00")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("reveille.db"), "\(refused.complaint)")
    #expect(try world.status().engine.storeErrors.isEmpty == false)
    #expect(try readFile(world.database) == noise)
  }

  @Test("A database of a newer version is refused with a sentence and left untouched")
  func newerDatabase() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Daily")
    try stopped(world)
    try runOrThrow([
      "/usr/bin/python3", "-c",
      "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('pragma wal_checkpoint(truncate)'); d.execute('pragma user_version=999'); d.commit(); d.execute('pragma journal_mode=delete'); d.close()",
      world.database,
    ])
    let before = try readFile(world.database)
    let finished = try world.alarm("add", "daily 08:00")
    #expect(finished.status == .exited(1))
    #expect(finished.complaint.contains("newer"), "\(finished.complaint)")
    #expect(try readFile(world.database) == before)
  }
}
