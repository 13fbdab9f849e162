import Glibc
import Harness
import Platform
import Testing
import Wire

/// The screen as a person lives with it, against the real engine and a sound server.
@Suite("An evening with the screen", .serialized)
struct ScreenEveningTests {
  @Test(
    "First run, an alarm in the form, a folder played, seek, search, detach, attach, a ring snoozed by a digit, dismissed, the inbox, quit",
    arguments: TerminalKind.allCases)
  func evening(_ kind: TerminalKind) throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum()
    let screen = try world.screen(kind)
    try screen.see("Nothing is set yet")

    // An alarm, with what it means shown as it is typed.
    try screen.type("a")
    try screen.see("Add an alarm")
    try screen.type("mon-fri 7")
    try screen.see("write")
    try screen.type("am")
    try screen.see("rings ")
    try screen.type("\tUp")
    try screen.type("\r")
    try screen.see("next ")
    #expect(try world.list().map(\.label) == ["Up"])

    // A folder is played from its second track on.
    try screen.type("4")
    try screen.see("Album/")
    try screen.type("/Album\r\r")
    try screen.see("2 second.wav")
    try screen.type("/second\r\r")
    try world.waitForStatus("the second track") { $0.player.track?.path.hasSuffix("2 second.wav") == true }
    let queued = try world.status().queue.length
    #expect(queued == 2)
    try screen.type("3")
    try screen.see("1 of 2")
    let before = try world.waitForStatus("it plays") { $0.player.state == "playing" }.player.position
    try screen.type("\u{1b}[C\u{1b}[C")
    try world.waitForStatus("ten seconds further on") { $0.player.position >= before + 10 }
    try screen.type("/third\r\r")
    try world.waitForStatus("the third track") { $0.player.track?.path.hasSuffix("3 third.wav") == true }

    // It plays on while nobody looks.
    try screen.type("q")
    try screen.see("ended 0")
    #expect(try world.status().player.state == "playing")
    try screen.type("\r")
    try screen.see("1 Clock")
    try screen.see("3 third")

    // A ring takes no key at first, then a digit: so many minutes.
    try screen.type(":timer 1s Tea\r")
    try screen.see("RINGING: Tea")
    try screen.type("d")
    #expect(try world.status().ringing.count == 1)
    try screen.see("1–9 snooze")
    try screen.type("5")
    try screen.see("snooze 5 min")
    try world.waitForStatus("a snooze") { $0.ringing.isEmpty && $0.snoozed.map(\.label) == ["Tea"] }
    try screen.seeNo("RINGING")

    // Whoever reads the inbox has seen it.
    try screen.type("\u{1b}[I")
    #expect(try world.status().badge == 1)
    try screen.type("5")
    try screen.see("Tea")
    try world.waitForStatus("the badge") { $0.badge == 0 }
    try screen.type("1d")
    try world.waitForStatus("nothing is snoozed") { $0.snoozed.isEmpty }

    // A second ring is dismissed.
    try screen.type(":timer 1s Bread\r")
    try screen.see("RINGING: Bread")
    try screen.see("1–9 snooze")
    try screen.type("d")
    try screen.seeNo("RINGING")
    #expect(try world.status().snoozed.isEmpty)

    try screen.type("Q")
    try screen.see("Stop the engine?")
    try screen.type("n")
    try screen.seeNo("Stop the engine?")
    try screen.type("Q")
    try screen.see("Stop the engine?")
    try screen.type("y")
    try wait(until: "the engine has ended") { try world.alarm("engine", "status").status == .exited(1) }
  }

  @Test("Two screens show the same, in different terminals, and what is done on one is seen on the other")
  func two() throws {
    let world = try World(sound: .pulse)
    try world.must("add", "mon-fri", "07:00", "--label", "市場 🥕 Étude")
    try world.must("add", "sat", "09:30", "--label", "שלום e\u{301}")
    let (left, right) = (try world.screen(.tmux), try world.screen(.pyte))
    for screen in [left, right] { try screen.type("2") }
    try left.see("Sat")
    try right.wait(until: "both show the same", within: .seconds(20)) { lines in
      let other = try left.lines()
      // What is marked as unfit to be shown apart; the emulator draws a mark into the letter before it.
      return lines.map(ScreenEveningTests.plain)
        == Array(other.prefix(lines.count)).map(ScreenEveningTests.plain)
    }
    try left.type("jo")
    try right.see("○")
    try right.type(":timer 1s Tea\r")
    for screen in [left, right] { try screen.see("RINGING: Tea") }
    try right.see("1–9 snooze")
    try right.type("d")
    try right.seeNo("RINGING")
    try left.seeNo("RINGING")
  }

  /// A line without the spaces that stand for the right halves of wide characters in one terminal and not in the other.
  private static func plain(_ line: String) -> String { line.split(separator: " ").joined(separator: " ") }

  @Test(
    "The engine is killed under the screen: it says so, finds the next one by itself, and leaves the terminal whole"
  )
  func killed() throws {
    let world = try World(sound: .none)
    try world.must("add", "07:00")
    let terminal = try Emulator(
      running: ["/bin/sh", "-c", "sleep 0.2; \(world.program); echo ended $?; read line"],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    let before = try terminal.modes()
    try terminal.see("1 Clock")
    for process in world.processes() where try process != terminal.pid() && !screenProcess(process, world) {
      kill(process, SIGKILL)
    }
    try terminal.see("The engine has gone")
    try world.must("list")
    try terminal.see("The engine is there again")
    try terminal.type("q")
    try terminal.see("ended 0")
    try wait(until: "the modes are as before") { try terminal.modes() == before }
  }

  /// The screen and the engine are one program; the engine's words are others.
  private func screenProcess(_ process: pid_t, _ world: World) -> Bool {
    let words = (try? readFile("/proc/\(process)/cmdline")) ?? []
    return !String(decoding: words, as: UTF8.self).contains("engine")
  }
}
