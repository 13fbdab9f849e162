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

  /// A library that lets every fsync(2) of a program wait as long as a file is there: a disk that stalls.
  private func stallingDisk(_ world: World) throws -> String {
    let source = world.folder.path + "/stall.c"
    let library = world.folder.path + "/stall.so"
    try replaceFile(
      source,
      with: Array(
        """
        #include <stdlib.h>
        #include <unistd.h>
        #include <sys/syscall.h>
        static void stall(void) {
          const char *file = getenv("STALL_FILE");
          while (file && access(file, F_OK) == 0) usleep(10000);
        }
        int fsync(int fd) { stall(); return syscall(SYS_fsync, fd); }
        int fdatasync(int fd) { stall(); return syscall(SYS_fdatasync, fd); }
        """.utf8))
    try runOrThrow(["clang", "-shared", "-fPIC", "-o", library, source], within: .seconds(60))
    let file = world.folder.path + "/stall"
    world.setEnvironment("STALL_FILE", file)
    world.setEnvironment("LD_PRELOAD", library)
    return file
  }

  @Test(
    "A disk that stalls over ten seconds: the ring is on time and can be silenced, changes fail with a sentence, and all is stored afterwards"
  )
  func stalls() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let stall = try stallingDisk(world)
    let tone = try world.makeTone()
    try world.must("add", "+6s", "--sound", tone, "--fade", "0s", "--label", "Up")
    try world.must("add", "daily 07:00", "--label", "Daily")
    let due = try microseconds(world.list().first?.next)
    let engine = try world.enginePID()
    try replaceFile(stall, with: [])
    let began = ContinuousClock.now
    let refused = try world.alarm("add", "daily 08:00", "--label", "Refused")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("does not answer"), "\(refused.complaint)")
    let edited = try world.alarm("edit", "2", "--label", "Other")
    #expect(edited.status == .exited(1))
    #expect(ContinuousClock.now - began < .seconds(4))
    let first = try recorder.waitForSound(within: .seconds(12))
    let late = Double(recorder.wall(ofSample: first) - due) / 1e6
    // An instant in the answer is cut to the second.
    #expect(late > -0.2 && late < 1.5, "heard \(late) s after the printed second")
    // The output rings by itself, and may be heard a moment before the loop sees the instant.
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    let asked = ContinuousClock.now
    let dismissed = try world.alarm("dismiss")
    #expect(dismissed.status == .exited(1))
    #expect(dismissed.complaint.contains("a restart may ring again"), "\(dismissed.complaint)")
    #expect(ContinuousClock.now - asked < .seconds(3))
    _ = try recorder.waitForSilence(from: first, lasting: .milliseconds(500))
    try wait(until: "ten seconds to have passed") { ContinuousClock.now - began > .seconds(10) }
    #expect(try world.status().engine.storeErrors.count == 1)
    unlink(stall)
    try world.waitForStatus("the disk to answer") { $0.engine.storeErrors.isEmpty }
    #expect(try world.enginePID() == engine)
    try world.must("add", "daily 09:00", "--label", "New")
    kill(engine, SIGKILL)
    try wait(until: "another engine", within: .seconds(20)) { ((try? world.enginePID()) ?? engine) != engine }
    #expect(try world.list().map(\.label).sorted() == ["Daily", "New", "Up"])
    #expect(try world.status().ringing.isEmpty, "it was dismissed")
  }

  @Test(
    "A database that another program holds locked: it rings and can be silenced, changes fail with a sentence, and the engine lives"
  )
  func locked() throws {
    let world = try World()
    try world.must("add", "+3s", "--label", "Up")
    let engine = try world.enginePID()
    let holder = try Conversation(
      [
        "python3", "-uc",
        "import sqlite3,sys; d=sqlite3.connect(sys.argv[1],isolation_level=None); d.execute('begin immediate'); print('held'); sys.stdin.readline(); d.execute('rollback'); print('free')",
        world.database,
      ])
    _ = try #require(try holder.line { $0 == "held" })
    let refused = try world.alarm("add", "daily 08:00")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("reveille.db"), "\(refused.complaint)")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    let dismissed = try world.alarm("dismiss")
    #expect(dismissed.complaint.contains("a restart may ring again"), "\(dismissed.complaint)")
    #expect(try world.status().ringing.isEmpty)
    try holder.say("")
    _ = try #require(try holder.line { $0 == "free" })
    try wait(until: "changes to be stored again") { try world.alarm("add", "daily 09:00").succeeded }
    #expect(try world.enginePID() == engine)
    #expect(try world.list().map(\.label) == ["Up", ""])
  }

  @Test(
    "A database that cannot be written from the start: what it holds rings and can be silenced, changes are refused"
  )
  func readOnly() throws {
    let world = try World()
    try world.must("add", "+8s", "--label", "Up")
    try stopped(world)
    // Root is asked by no permission, but a file system is never written that says it takes nothing.
    try runOrThrow(
      ["/bin/bash", "-c", "ulimit -S -f 0 && \"$1\" engine start", "-", world.program],
      environment: world.environment)
    let refused = try world.alarm("add", "daily 08:00")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("changes are refused until that is mended"), "\(refused.complaint)")
    try world.waitForStatus("the ring") { $0.ringing.map(\.label) == ["Up"] }
    let dismissed = try world.alarm("dismiss")
    #expect(dismissed.complaint.contains("a restart may ring again"), "\(dismissed.complaint)")
    #expect(try world.status().ringing.isEmpty)
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
