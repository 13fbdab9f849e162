import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The engine as a service", .serialized)
struct ActivationTests {
  /// Starts the engine as a service manager does, and ends it with this object.
  private final class Service {
    let process: pid_t
    init(_ world: World, _ words: [String], _ more: [String: String] = [:]) throws {
      let log = try Descriptor.open(world.folder.path + "/service.log", O_WRONLY | O_CREAT | O_APPEND)
      process = try spawn(
        words, environment: world.environment.merging(more) { $1 },
        descriptors: [(1, log.number), (2, log.number)],
        newGroup: true)
    }
    /// Its exit status.
    func awaitEnd() throws -> Platform.ExitStatus {
      var status: Int32 = 0
      _ = try wait(for: "the end of the service", within: .seconds(15)) {
        waitpid(process, &status, WNOHANG) == process ? true : nil
      }
      isGone = true
      return Platform.ExitStatus(waitStatus: status)
    }
    private var isGone = false
    deinit {
      guard !isGone else { return }
      kill(process, SIGCONT)
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
  }

  private func activated(_ world: World, _ more: [String: String] = [:]) throws -> Service {
    mkdir(world.folder.path + "/run/reveille", 0o700)
    let passed = (Array(world.environment.keys) + Array(more.keys)).flatMap { ["-E", $0] }
    let service = try Service(
      world, ["systemd-socket-activate", "-l", world.socket] + passed + [world.program, "engine", "run"], more
    )
    try wait(until: "the socket to be there") { access(world.socket, F_OK) == 0 }
    return service
  }

  @Test(
    "It answers at the socket it is handed, without a tiny parent, and leaves the socket behind when it stops"
  )
  func socketActivation() throws {
    let world = try World()
    let service = try activated(world)
    // Looking and stopping start nothing, although somebody listens.
    #expect(try world.alarm("engine", "status").status == .exited(1))
    #expect(try world.alarm("engine", "stop").succeeded)
    #expect(try world.alarm("completions", "words", "--", "show", "").succeeded)
    #expect(world.processes().isEmpty)
    var before = stat()
    #expect(stat(world.socket, &before) == 0)

    #expect(try world.must("add", "daily", "07:00").contains("every day 07:00"))
    #expect(world.processes() == [service.process])
    #expect(try world.enginePID() == service.process)
    #expect(try world.status().engine.socket == world.socket)
    try world.must("engine", "stop")
    #expect(try service.awaitEnd() == .exited(0))
    var after = stat()
    #expect(stat(world.socket, &after) == 0 && after.st_ino == before.st_ino)
  }

  @Test("Of twenty clients at once each is answered by the one engine that the socket starts")
  func startRace() throws {
    let world = try World()
    let service = try activated(world)
    var children: [pid_t] = []
    for number in 0..<20 {
      children.append(
        try spawn(
          [world.program, "add", "daily 07:00", "--label", "c\(number)"], environment: world.environment))
    }
    for child in children {
      var status: Int32 = 0
      try check("cannot wait") { waitpid(child, &status, 0) }
      #expect(Platform.ExitStatus(waitStatus: status) == .exited(0))
    }
    #expect(Set(try world.list().map(\.label)) == Set((0..<20).map { "c\($0)" }))
    #expect(world.processes() == [service.process])
    try world.must("engine", "stop")
  }

  @Test(
    "A handed socket whose file is gone, or that lies elsewhere, is no hindrance: the engine makes its own")
  func uselessSocket() throws {
    let world = try World()
    mkdir(world.folder.path + "/run/reveille", 0o700)
    let elsewhere = world.folder.path + "/elsewhere.sock"
    let passed = world.environment.keys.flatMap { ["-E", $0] }
    let service = try Service(
      world, ["systemd-socket-activate", "-l", elsewhere] + passed + [world.program, "engine", "run"])
    try wait(until: "the socket to be there") { access(elsewhere, F_OK) == 0 }
    try UnixSocket.connect(elsewhere).close()
    try wait(until: "the engine to listen at its own") { access(world.socket, F_OK) == 0 }
    #expect(try world.enginePID() == service.process)
    try world.must("engine", "stop")
    #expect(access(world.socket, F_OK) != 0)
    #expect(access(elsewhere, F_OK) == 0)
  }

  @Test("Where another engine has the data it ends with 75, which its unit knows, and the other one is found")
  func anotherHasTheData() throws {
    let world = try World()
    let runtime = world.folder.path + "/home"
    world.setEnvironment("XDG_RUNTIME_DIR", runtime)
    try world.must("engine", "start")
    let other = try world.enginePID()
    world.setEnvironment("XDG_RUNTIME_DIR", world.folder.path + "/run")
    let service = try activated(world)
    // The one that runs is asked before the socket at which none does.
    #expect(try world.enginePID() == other)
    try UnixSocket.connect(world.socket).close()
    #expect(try service.awaitEnd() == .exited(75))
    #expect(try world.enginePID() == other)
    // Its tiny parent would start it anew elsewhere.
    try world.must("engine", "stop")
  }

  @Test("The manager is told when it is ready, what rings next, and that it stops")
  func tellsManager() throws {
    let world = try World()
    let manager = try NotifySocket(world.folder.path + "/notify")
    let service = try Service(world, [world.program, "engine", "run"], ["NOTIFY_SOCKET": manager.path])
    try manager.wait(for: "READY=1")
    #expect(try world.enginePID() == service.process)
    try world.must("add", "2099-01-05 07:00", "--label", "Up")
    try manager.wait(forLine: "STATUS with the next alarm") {
      $0.hasPrefix("STATUS=alarm 1 “Up” rings at 2099-01-05T07:00:00")
    }
    try world.must("ring", "1")
    try manager.wait(for: "STATUS=alarm 1 “Up” rings")
    try world.must("dismiss")
    try world.must("remove", "1")
    try manager.wait(for: "STATUS=no alarm is to ring")
    try world.must("engine", "stop")
    try manager.wait(for: "STOPPING=1")
    #expect(try service.awaitEnd() == .exited(0))
  }

  @Test("The watchdog is fed by the loop in time, and not while the loop stands still")
  func watchdog() throws {
    let world = try World()
    let interval = Duration.seconds(2)
    let manager = try NotifySocket(world.folder.path + "/notify")
    let service = try Service(
      world, [world.program, "engine", "run"],
      [
        "NOTIFY_SOCKET": manager.path,
        "WATCHDOG_USEC": "\(interval / .microseconds(1))".split(separator: ".").first.map(String.init) ?? "",
      ])
    try manager.wait(for: "READY=1")
    // sd-event feeds it between half and three quarters of the interval.
    var last = try manager.wait(for: "WATCHDOG=1", within: interval)
    for _ in 0..<3 {
      let next = try manager.wait(for: "WATCHDOG=1", within: interval)
      #expect(next - last < Int64(interval / .microseconds(1)))
      last = next
    }
    kill(service.process, SIGSTOP)
    try wait(until: "the engine to stand still") {
      String(decoding: try readFile("/proc/\(service.process)/stat"), as: UTF8.self).contains(") T ")
    }
    // What it said before it was stopped.
    while try manager.next(within: .zero) != nil {}
    // Nothing for longer than the interval: systemd would have ended it.
    #expect(try manager.next(within: interval + .milliseconds(500)) == nil)
    kill(service.process, SIGCONT)
    try manager.wait(for: "WATCHDOG=1", within: interval)
    try world.must("engine", "stop")
    try manager.wait(for: "STOPPING=1")
  }
}
