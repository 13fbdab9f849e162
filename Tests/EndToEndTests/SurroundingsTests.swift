import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Surroundings that do not help", .serialized)
struct SurroundingsTests {
  private func stopped(_ world: World) throws {
    try world.must("engine", "stop")
    try wait(until: "the end of every process") { world.processes().isEmpty }
  }

  @Test("The engine keeps neither the folder nor the descriptors of whoever started it")
  func holdsNothing() throws {
    let world = try World()
    let lock = world.folder.path + "/lock"
    try runOrThrow(
      [
        "/bin/bash", "-c", "cd \"$2\" && exec 9>\"$3\" && flock 9 && \"$1\" engine start", "-", world.program,
        world.folder.path, lock,
      ], environment: world.environment)
    #expect(try run(["flock", "-n", lock, "true"]).succeeded, "the engine holds the script's lock")
    for process in world.processes() {
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/\(process)/cwd", &target, target.count)
      #expect(count == 1 && target[0] == CChar(UInt8(ascii: "/")), "it stands in a folder of its own choice")
    }
  }

  @Test(
    "An engine in place of a dead one rings although its socket cannot be made, and is reached once it can")
  func ringsWithoutSocket() throws {
    let world = try World()
    try world.must("add", "+3s", "--label", "Up")
    let engine = try world.enginePID()
    // As after the last logout: the runtime folder is gone and nobody can make it.
    let runtime = world.folder.path + "/run"
    rename(runtime, runtime + ".gone")
    try replaceFile(runtime, with: [])
    kill(engine, SIGKILL)
    try wait(until: "the ring", within: .seconds(20)) { world.log.contains(": ringing") }
    unlink(runtime)
    rename(runtime + ".gone", runtime)
    let status = try wait(for: "an answer") { try? world.status() }
    #expect(status.ringing.map(\.label) == ["Up"])
    try world.must("dismiss")
  }

  @Test("Data and settings may lie behind a link, and changes of the settings are still noticed")
  func links() throws {
    let world = try World()
    for name in ["data", "config"] {
      mkdir(world.folder.path + "/real-" + name, 0o755)
      rmdir(world.folder.path + "/\(name)/reveille")
      symlink(world.folder.path + "/real-" + name, world.folder.path + "/\(name)/reveille")
    }
    try world.must("add", "daily 07:00")
    try replaceFile(
      world.folder.path + "/real-config/config.json5", with: Array("{ alarm: { volume: 'loud' } }".utf8))
    try world.waitForStatus("the complaint") { !$0.engine.configErrors.isEmpty }
    #expect(access(world.folder.path + "/real-data/reveille.db", F_OK) == 0)
  }

  @Test("The runtime folder may be no link, for in /tmp anybody could have made it")
  func runtimeIsNoLink() throws {
    let world = try World()
    symlink(world.folder.path + "/home", world.folder.path + "/run/reveille")
    let finished = try world.alarm("list")
    #expect(finished.status == .exited(1))
    #expect(finished.complaint.contains("not a folder of your own"), "\(finished.complaint)")
  }

  @Test("A pipe in the place of the settings does not keep the engine from starting")
  func settingsArePipe() throws {
    let world = try World()
    mkdir(world.folder.path + "/config/reveille", 0o700)
    mkfifo(world.folder.path + "/config/reveille/config.json5", 0o600)
    try world.must("add", "daily 07:00")
    #expect(try world.list().count == 1)
  }

  @Test("A socket in a folder with a line feed in its name is found from elsewhere")
  func lineFeedInPath() throws {
    let world = try World()
    let odd = world.folder.path + "/li\nne"
    mkdir(odd, 0o700)
    world.setEnvironment("XDG_RUNTIME_DIR", odd)
    try world.must("add", "daily 07:00")
    let engine = try world.enginePID()
    world.setEnvironment("XDG_RUNTIME_DIR", world.folder.path + "/run")
    #expect(try world.enginePID() == engine)
    world.setEnvironment("XDG_RUNTIME_DIR", odd)
  }

  @Test("A limit on the size of files is an error like a full disk, and the engine goes on")
  func fileSizeLimit() throws {
    let world = try World()
    try world.must("engine", "start")
    let engine = try world.enginePID()
    try runOrThrow(["prlimit", "--pid", "\(engine)", "--fsize=65536"])
    let body = String(repeating: "b", count: 15_000)
    var refused: Finished?
    for _ in 0..<20 where refused == nil {
      let finished = try world.alarm("add", "daily 07:00", "--body", body)
      if !finished.succeeded { refused = finished }
    }
    #expect(refused?.status == .exited(1))
    #expect(refused?.complaint.contains("reveille.db") == true, "\(refused?.complaint ?? "")")
    #expect(try world.enginePID() == engine)
    // Whatever room was left that was too little for an alarm: now there is none.
    try runOrThrow(["prlimit", "--pid", "\(engine)", "--fsize=1"])
    let set = try world.alarm("volume", "30")
    #expect(set.succeeded && set.complaint.contains("reveille.db"), "a volume that is not stored is not told")
  }

  @Test("What could not be written when the engine was started is written once it can be")
  func writableAgain() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Old")
    try stopped(world)
    try runOrThrow(
      ["/bin/bash", "-c", "ulimit -S -f 0 && \"$1\" engine start", "-", world.program],
      environment: world.environment)
    #expect(try world.list().map(\.label) == ["Old"])
    let refused = try world.alarm("add", "daily 08:00")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("reveille.db"), "\(refused.complaint)")
    for process in world.processes() {
      try runOrThrow(["prlimit", "--pid", "\(process)", "--fsize=unlimited"])
    }
    try world.must("add", "daily 08:00", "--label", "New")
    #expect(try world.status().engine.storeErrors.isEmpty)
    kill(try world.enginePID(), SIGKILL)
    let labels = try wait(for: "the next engine") { try? world.list().map(\.label) }
    #expect(labels == ["Old", "New"])
  }

  @Test("Whoever follows the status ends with its reader, even where nothing changes any more")
  func followsNobody() throws {
    let world = try World()
    try world.must("add", "daily 07:00")
    let first = try runOrThrow(
      ["/bin/bash", "-c", "\"$1\" status --json --follow | head -n 1", "-", world.program],
      environment: world.environment, within: .seconds(20))
    #expect(!first.isEmpty)
  }

  @Test("Connections that only wait make room for a new client, and those that listen stay")
  func idleMakeRoom() throws {
    let world = try World()
    try world.must("engine", "start")
    let listener = try Connection(world.socket)
    listener.send(line: #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
    _ = try listener.readLine()
    let idle = try (0..<80).map { _ in try Connection(world.socket) }
    try world.must("add", "daily 07:00")
    let told = try wait(for: "the news") { () -> Bool? in
      let line = try #require(try listener.readLine())
      return line.contains("\"count\":1") ? true : nil
    }
    #expect(told && idle.count == 80)
  }
}
