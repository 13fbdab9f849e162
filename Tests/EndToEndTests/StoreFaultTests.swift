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
    #expect(refused.complaint.contains("another program holds it locked"), "\(refused.complaint)")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    let storeErrors = try world.status().engine.storeErrors
    #expect(storeErrors.allSatisfy { $0.contains("another program holds it locked") }, "\(storeErrors)")
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

  private func killed(_ world: World) throws {
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try wait(until: "another engine", within: .seconds(20)) { ((try? world.enginePID()) ?? engine) != engine }
  }

  @Test(
    "Files removed under the engine: what it acknowledged is there after its end, with its history, and it says so",
    arguments: [
      ["reveille.db", "reveille.db-wal", "reveille.db-shm"], ["reveille.db-wal"], ["reveille.db"], [],
    ], [true, false])
  func removed(_ names: [String], isKilled: Bool) throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Old")
    try world.must("ring", "1")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try world.must("dismiss")
    let engine = try world.enginePID()
    let folder = world.folder.path + "/data/reveille"
    // The engine makes it anew while its files are still being taken away one by one.
    if names.isEmpty {
      let aside = world.folder.path + "/aside"
      #expect(rename(folder, aside) == 0)
      try runOrThrow(["rm", "-r", aside])
    }
    for name in names { unlink(folder + "/" + name) }
    try world.must("add", "daily 08:00", "--label", "New")
    #expect(try world.enginePID() == engine)
    let errors = try world.status().engine.storeErrors
    #expect(errors.count == 1 && errors[0].contains("was removed while the engine ran"), "\(errors)")
    try wait(until: "the lock's file") { access(folder + "/engine.lock", F_OK) == 0 }
    #expect(try world.must("engine", "status").contains("process \(engine)"))
    if isKilled {
      try killed(world)
    } else {
      #expect(try world.must("engine", "stop").contains("has stopped"))
    }
    #expect(try world.list().map(\.label) == ["Old", "New"])
    #expect(try world.must("log", "1").contains("dismissed"))
    #expect(try world.status().engine.storeErrors.isEmpty)
  }

  @Test("Files removed under an engine at rest are made anew without a change")
  func removedAtRest() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Old")
    for name in ["", "-wal", "-shm"] { unlink(world.database + name) }
    try wait(until: "the database") { access(world.database, F_OK) == 0 }
    try killed(world)
    #expect(try world.list().map(\.label) == ["Old"])
  }

  @Test("Another file in the place of the database is left alone, and changes are refused with a sentence")
  func replaced() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Old")
    let other = Array("another file".utf8)
    try replaceFile(world.database, with: other)
    let refused = try world.alarm("add", "daily 08:00")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("replaced by another file"), "\(refused.complaint)")
    #expect(try readFile(world.database) == other)
    unlink(world.database)
    try wait(until: "changes to be stored again") { try world.alarm("add", "daily 09:00").succeeded }
    try killed(world)
    #expect(try world.list().count == 2)
  }

  @Test("An engine whose lock is not to be found is not said to be none")
  func lockGone() throws {
    let world = try World()
    let engine = try world.enginePID()
    kill(engine, SIGSTOP)
    defer { kill(engine, SIGCONT) }
    unlink(world.folder.path + "/data/reveille/engine.lock")
    let asker = try Conversation([world.program, "engine", "status"], environment: world.environment)
    usleep(300_000)
    kill(engine, SIGCONT)
    #expect(try asker.line { $0.contains("process \(engine)") } != nil)
  }

  @Test("What cannot be stored is in the log all the same")
  func logOfFullDisk() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Daily")
    let engine = try world.enginePID()
    // No file of the engine may grow any more, which is an error like a full disk.
    try runOrThrow(["prlimit", "--pid", "\(engine)", "--fsize=0:"])
    _ = try world.alarm("ring", "1")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(try world.must("log").contains("ringing"))
    _ = try world.alarm("dismiss")
    let log = try world.must("log")
    #expect(log.contains("dismissed") && !log.contains("ringing"), "\(log)")
    try runOrThrow(["prlimit", "--pid", "\(engine)", "--fsize=unlimited:"])
    try wait(until: "changes to be stored again") { try world.alarm("add", "daily 09:00").succeeded }
    try killed(world)
    #expect(try world.must("log") == log)
  }

  @Test(
    "A command that talks without end lengthens the log by a little, and a long log is put aside under the engine"
  )
  func talkative() throws {
    let world = try World()
    for number in 1...3 { try world.must("add", "+\(2 + number)s", "--run", "yes 'wake up \(number)'") }
    let path = world.folder.path + "/data/reveille/engine.log"
    let log = try Descriptor.open(path, O_WRONLY | O_APPEND)
    try log.writeAll(Array(repeating: 0x2e, count: 1_100_000) + [10])
    try world.waitForStatus("the rings") { $0.ringing.count == 3 }
    try wait(until: "the first of them to be cut short") { world.log.contains("the rest is not kept") }
    try wait(until: "the old log") { access(path + ".1", F_OK) == 0 }
    let both = {
      world.log + ((try? readFile(path + ".1")).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    try wait(until: "all to be cut short") {
      (1...3).allSatisfy { both().contains("alarm \($0): its command said 32 KB; the rest is not kept") }
    }
    #expect(both().contains("alarm 2: its command says: wake up 2"))
    let length = world.log.utf8.count
    #expect(length < 300_000)
    let later = ContinuousClock.now + .seconds(1)
    try wait(until: "a second") { ContinuousClock.now > later }
    #expect(world.log.utf8.count - length < 20_000)
    try world.must("stop")
  }
}
