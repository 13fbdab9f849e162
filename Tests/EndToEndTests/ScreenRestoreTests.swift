import Glibc
import Harness
import Platform
import Testing

@Suite("The terminal is given back", .serialized)
struct ScreenRestoreTests {
  private static let ways: [(String, Int32?)] = [
    ("q", nil), ("SIGTERM", SIGTERM), ("SIGHUP", SIGHUP), ("SIGINT", SIGINT),
    ("SIGILL, a trap of Swift's", SIGILL),
    ("SIGTRAP", SIGTRAP), ("SIGSEGV", SIGSEGV), ("SIGABRT", SIGABRT),
  ]

  @Test(
    "Its modes and settings are what they were, however the screen ends", arguments: ways.indices,
    [Emulator.Kind.usual, .kitty])
  func ends(_ index: Int, _ kind: Emulator.Kind) throws {
    let (name, number) = ScreenRestoreTests.ways[index]
    let world = try World()
    let terminal = try Emulator(
      kind,
      running: [
        "/bin/sh", "-c",
        "trap : HUP INT TERM; echo ready; read line; \(world.program); echo ended $?; read line",
      ],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    try terminal.see("ready")
    let before = try terminal.modes()
    try terminal.type("\r")
    try terminal.see("1 Clock")
    try wait(until: "all modes are on") {
      try terminal.modes().on.isSuperset(of: ["alternate", "focus", "mouse", "paste"])
    }
    if kind == .kitty { try wait(until: "kitty's keys") { try terminal.modes().kitty == [1] } }
    if let number {
      let shell = try terminal.pid()
      let found = String(decoding: try runOrThrow(["pgrep", "-P", "\(shell)"]), as: UTF8.self)
      kill(try #require(pid_t(found.split(separator: "\n").first.map(String.init) ?? "")), number)
    } else {
      try terminal.type("q")
    }
    try terminal.see("ended \(number.map { 128 + $0 } ?? 0)")
    #expect(try terminal.modes() == before, "after \(name)")
  }

  @Test(
    "A terminal that takes nothing keeps the screen neither from its signals nor from giving the settings back"
  )
  func stalled() throws {
    let world = try World()
    let terminal = try Emulator(
      running: ["/bin/sh", "-c", "echo ready; read line; \(world.program); echo ended $?; read line"],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    try terminal.see("ready")
    let before = try terminal.modes()
    try terminal.type("\r")
    try terminal.see("1 Clock")
    let shell = try terminal.pid()
    let found = String(decoding: try runOrThrow(["pgrep", "-P", "\(shell)"]), as: UTF8.self)
    let screen = try #require(pid_t(found.split(separator: "\n").first.map(String.init) ?? ""))
    // Output is stopped as by Ctrl-S, and much is to be drawn.
    try terminal.stop()
    for page in [2, 3, 4, 5, 6, 7, 1] { try terminal.type("\(page)") }
    kill(screen, SIGTERM)
    try wait(until: "it has ended") { !isAlive(screen) }
    try terminal.goOn()
    try terminal.see("ended \(128 + SIGTERM)")
    #expect(try terminal.modes().settings == before.settings)
  }

  @Test(
    "Inside GNU screen and tmux it draws, takes keys, and leaves no trace", arguments: ["screen", "tmux"])
  func inside(_ multiplexer: String) throws {
    let world = try World()
    try world.must("add", "07:00", "--label", "早上好 Étude")
    let inner = "\(world.program); echo ended $?; read line"
    let folder = world.folder.path
    mkdir(folder + "/screens", 0o700)
    let words =
      multiplexer == "screen"
      ? ["screen", "-c", "/dev/null", "-U", "sh", "-c", inner]
      : ["tmux", "-u", "-S", folder + "/tmux", "-f", "/dev/null", "new-session", "sh", "-c", inner]
    let terminal = try Emulator(
      running: words,
      environment: world.environment.merging([
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SCREENDIR": folder + "/screens",
      ]) { $1 })
    try terminal.see("1 Clock")
    try terminal.type("2")
    try terminal.see("Étude")
    try terminal.type("a")
    try terminal.see("Add an alarm")
    try terminal.type("+25m\r")
    try wait(until: "it is added") { try world.list().count == 2 }
    try terminal.type("q")
    try terminal.see("ended 0")
    // GNU screen has no second picture to put aside unless it is told to.
    if multiplexer == "tmux" { try terminal.seeNo("1 Clock") }
    try terminal.type("\r")
    try wait(until: "the multiplexer has ended") { try terminal.status() != nil }
  }
}
