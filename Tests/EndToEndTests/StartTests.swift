import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("One engine a user", .serialized)
struct StartTests {
  @Test("Twenty clients that start at once end up with one engine, and every one is served")
  func startRace() throws {
    let world = try World()
    var children: [pid_t] = []
    for number in 0..<20 {
      let output = try Descriptor.open(world.folder.path + "/out\(number)", O_WRONLY | O_CREAT)
      children.append(
        try spawn(
          [world.program, "add", "daily 07:00", "--label", "c\(number)"], environment: world.environment,
          descriptors: [(1, output.number), (2, output.number)]))
    }
    for (number, child) in children.enumerated() {
      var status: Int32 = 0
      try check("cannot wait") { waitpid(child, &status, 0) }
      let said = String(decoding: try readFile(world.folder.path + "/out\(number)"), as: UTF8.self)
      #expect(ExitStatus(waitStatus: status) == .exited(0), "client \(number): \(said)")
    }
    #expect(Set(try world.list().map(\.label)) == Set((0..<20).map { "c\($0)" }))
    // The engine and its tiny parent, and nobody else.
    try wait(until: "the losers to be gone") { world.processes().count == 2 }
  }

  @Test("A second engine on the same data refuses and names the first one's socket")
  func secondRefuses() throws {
    let world = try World()
    try world.must("engine", "start")
    let second = try world.alarm("engine", "run")
    #expect(second.status == .exited(1))
    #expect(second.complaint.hasPrefix("alarm: "))
    #expect(second.complaint.contains(world.socket))
    // With another runtime folder it is still the same data.
    world.setEnvironment("XDG_RUNTIME_DIR", world.folder.path + "/home")
    let third = try world.alarm("engine", "run")
    #expect(third.status == .exited(1))
    #expect(third.complaint.contains(world.socket))
    world.setEnvironment("XDG_RUNTIME_DIR", world.folder.path + "/run")
  }

  @Test("The engine is a session of its own and outlives whoever started it")
  func ownSession() throws {
    let world = try World()
    try world.must("engine", "start")
    let engine = try world.enginePID()
    #expect(getsid(engine) != getsid(0))
    #expect(isAlive(engine))
    for process in world.processes() { #expect(getsid(process) != getsid(0)) }
  }

  @Test("An engine whose runtime folder vanished binds anew, and no second one is started")
  func bindsAnew() throws {
    let world = try World()
    try world.must("add", "daily 07:00")
    let engine = try world.enginePID()
    unlink(world.socket)
    rmdir(world.folder.path + "/run/reveille")
    let status = try wait(for: "the socket to be back") { try? world.status() }
    #expect(status.engine.pid == engine)
    #expect(status.alarms.count == 1)
  }

  @Test("A command that starts another engine right after one was killed: one is left, and ended it stays so")
  func startedTwice() throws {
    let world = try World()
    for _ in 0..<6 {
      try world.must("engine", "start")
      let engine = try world.enginePID()
      kill(engine, SIGKILL)
      try world.must("engine", "start")
      try wait(until: "one engine and one parent") { world.processes().count <= 2 }
      try world.must("engine", "stop")
      try wait(until: "the end of both") { world.processes().isEmpty }
      // Longer than a parent waits before it starts the engine again.
      usleep(400_000)
      #expect(world.processes().isEmpty)
    }
  }

  @Test("engine stop and engine status start nothing")
  func stopStartsNothing() throws {
    let world = try World()
    #expect(try world.alarm("engine", "status").status == .exited(1))
    #expect(try world.alarm("engine", "stop").status != .exited(2))
    #expect(world.processes().isEmpty)
    try world.must("engine", "start")
    try world.must("engine", "stop")
    try wait(until: "the end of every process") { world.processes().isEmpty }
  }

  @Test(
    "The socket's folder is closed to others, and a peer of another user is refused even where it can connect"
  )
  func otherUserIsRefused() throws {
    let world = try World()
    try world.must("engine", "start")
    var status = stat()
    #expect(stat(world.folder.path + "/run/reveille", &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(world.socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Only root can become somebody else.
    guard getuid() == 0 else { return }
    for path in [world.folder.path, world.folder.path + "/run", world.folder.path + "/run/reveille"] {
      chmod(path, 0o755)
    }
    chmod(world.socket, 0o666)
    let script = """
      import os, socket
      os.setgid(65534); os.setuid(65534)
      s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect("\(world.socket)")
      try: s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\\n')
      except OSError: pass
      said = b""
      try:
        while True:
          got = s.recv(65536)
          if not got: break
          said += got
      except ConnectionResetError: pass
      print(said.decode())
      """
    let said = try run(["/usr/bin/python3", "-c", script])
    #expect(said.succeeded, "\(said.complaint)")
    #expect(!said.text.contains("\"result\""))
    #expect(try world.status().engine.pid > 0)
  }
}
