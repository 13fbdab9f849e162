import Glibc
import Harness
import Platform
import Testing
import Wire

@testable import Screen

/// The real screen in a real terminal (tmux), against an engine of canned answers.
@Suite("In a real terminal", .serialized)
final class TerminalTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/engine.sock" }

  init() throws { folder = try TemporaryFolder() }

  private static var stage: String {
    currentExecutable().split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
      + "/ScreenStage"
  }

  /// A shell in which the screen was started.
  private func opened(_ columns: Int = 80, _ rows: Int = 24, _ word: String = "", before: String = "") throws
    -> Terminal
  {
    let terminal = try Terminal(columns: columns, rows: rows)
    try terminal.wait(until: "the shell is there") { $0.contains { !$0.isEmpty } }
    try terminal.type(
      "stty -a > \(folder.path)/before; \(before) \(TerminalTests.stage) \(path) \(word); echo ended $?")
    try terminal.press("Enter")
    return terminal
  }

  /// The shell has its terminal again: the modes are what they were, no alternate screen, the cursor shown.
  private func checkRestored(_ terminal: Terminal) throws {
    // The picture may be there before the rest of what the terminal is told.
    try terminal.wait(until: "screen and cursor are 0 1 0") { _ in
      try terminal.ask("#{alternate_on} #{cursor_flag} #{keypad_flag}") == "0 1 0"
    }
    try terminal.type("stty -a | cmp - \(folder.path)/before && echo same")
    try terminal.press("Enter")
    try terminal.wait(until: "the modes are the same") { $0.contains("same") }
  }

  private func pid(_ terminal: Terminal) throws -> pid_t {
    let shell = try terminal.ask("#{pane_pid}")
    let found = String(decoding: try runOrThrow(["pgrep", "-P", shell, "ScreenStage"]), as: UTF8.self)
    return try #require(pid_t(found.split(separator: "\n").first.map(String.init) ?? ""))
  }

  @Test("It draws, follows the engine, takes a ring and its keys, and q gives the terminal back")
  func evening() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try opened()
    try terminal.wait(for: "市場 🥕 weekend")
    // The picture may be there before the rest of what the terminal is told.
    try terminal.wait(until: "screen and cursor are 1 0") { _ in
      try terminal.ask("#{alternate_on} #{cursor_flag}") == "1 0"
    }
    engine.tell {
      $0.player.state = "paused"
      $0.player.track = Samples.track
    }
    try terminal.wait(for: "夜想曲 🎹")
    try terminal.press("Space")
    try engine.wait(forRequest: "toggle")
    try terminal.wait(for: "toggle: done")

    engine.tell { $0.ringing = [Samples.ring] }
    try terminal.wait(for: "RINGING: Up")
    try terminal.press("d")
    try terminal.press("s")
    // The overlay wakes when it begins to take keys; d is pressed until it does.
    try terminal.wait(until: "the overlay is gone") { lines in
      if !lines.contains(where: { $0.contains("RINGING") }) { return true }
      try terminal.press("d")
      return false
    }
    #expect(engine.state.withLock { !$0.asked.contains("snooze") })
    try terminal.press("q")
    try terminal.wait(for: "ended 0")
    try checkRestored(terminal)
  }

  @Test("An alarm is typed with a live preview, pasted keys are text, and Enter adds it")
  func typing() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try opened()
    try terminal.wait(for: "Alarms")
    try terminal.press("a")
    try terminal.wait(for: "Add an alarm")
    #expect(try terminal.ask("#{cursor_flag}") == "1")
    try terminal.type("7")
    try terminal.wait(for: "write 07:00")
    try terminal.paste(":00q\nd")
    try terminal.wait(for: "7:00q d")
    try terminal.press("BSpace", "BSpace", "BSpace")
    try terminal.wait(for: "rings ")
    #expect(try terminal.lines().contains { $0.contains("07:00, in ") })
    try terminal.press("C-u")
    try terminal.type("mon-fri 7am")
    try terminal.press("Enter")
    try terminal.wait(for: "understood “mon-fri 7am”")
    try terminal.press("q")
    try terminal.wait(for: "ended 0")
    try checkRestored(terminal)
  }

  @Test("It follows every size down to one cell and back")
  func sizes() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try opened()
    try terminal.wait(for: "Alarms")
    for (columns, rows) in [(132, 43), (20, 6), (1, 1), (40, 12), (3, 2), (80, 24)] {
      try terminal.resize(columns: columns, rows: rows)
      let expected = (columns, rows) == (1, 1) ? "·" : columns > 30 ? "7:00" : columns > 10 ? "07:00 in" : "·"
      try terminal.wait(for: expected)
    }
    try terminal.wait(for: "Alarms")
    try terminal.press("q")
    try terminal.wait(for: "ended 0")
    try checkRestored(terminal)
  }

  @Test("A signal gives the terminal back", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(_ number: Int32) throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try opened()
    try terminal.wait(for: "Alarms")
    kill(try pid(terminal), number)
    try terminal.wait(for: "ended \(128 + number)")
    try checkRestored(terminal)
  }

  @Test(
    "A fault gives the terminal back and the process dies of it",
    arguments: [SIGILL, SIGSEGV, SIGABRT, SIGTRAP])
  func faults(_ number: Int32) throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try opened()
    try terminal.wait(for: "Alarms")
    kill(try pid(terminal), number)
    try terminal.wait(for: "ended \(128 + number)")
    try checkRestored(terminal)
  }

  @Test("A trap in the program itself, on another thread, gives the terminal back")
  func trap() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    let terminal = try opened(80, 24, "trap")
    try terminal.wait(for: "Alarms")
    try engine.end()
    try terminal.wait(until: "it has died") { $0.contains { $0.hasPrefix("ended 13") } }
    try checkRestored(terminal)
  }

  @Test("Ctrl-Z stops it and gives the terminal back, fg goes on where it was")
  func stopped() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try Terminal(columns: 80, rows: 24, running: ["bash", "--norc", "-i"])
    try terminal.wait(until: "the shell is there") { $0.contains { !$0.isEmpty } }
    try terminal.type("stty -a > \(folder.path)/before; \(TerminalTests.stage) \(path)")
    try terminal.press("Enter")
    try terminal.wait(for: "Alarms")
    try terminal.press("C-z")
    try terminal.wait(for: "Stopped")
    // The picture may be there before the rest of what the terminal is told.
    try terminal.wait(until: "screen and cursor are 0 1") { _ in
      try terminal.ask("#{alternate_on} #{cursor_flag}") == "0 1"
    }
    try terminal.press("C-l")
    try terminal.type("fg")
    try terminal.press("Enter")
    try terminal.wait(for: "Alarms")
    // The picture may be there before the rest of what the terminal is told.
    try terminal.wait(until: "screen and cursor are 1 0") { _ in
      try terminal.ask("#{alternate_on} #{cursor_flag}") == "1 0"
    }
    try terminal.press("q")
    try terminal.wait(until: "the shell is back") { !$0.contains { $0.contains("Alarms") } }
    try checkRestored(terminal)
  }

  @Test("The engine dies and comes back, and the screen says so and finds it by itself")
  func engineDies() throws {
    let first = try FakeEngine(at: path, Samples.status, Samples.alarms)
    let terminal = try opened()
    try terminal.wait(for: "Alarms")
    try first.end()
    try terminal.wait(for: "The engine has gone")
    let second = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? second.end() }
    try terminal.wait(for: "The engine is there again")
    try second.wait(forRequest: "list")
    try terminal.press("q")
    try terminal.wait(for: "ended 0")
    try checkRestored(terminal)
  }

  @Test("In the C locale only ASCII is drawn")
  func ascii() throws {
    let engine = try FakeEngine(at: path, Samples.status, Samples.alarms)
    defer { try? engine.end() }
    let terminal = try Terminal(
      columns: 80, rows: 24, running: ["env", "LC_ALL=C", TerminalTests.stage, path])
    try terminal.wait(for: "######")
    try terminal.wait(for: "* 3  every Mon-Fri 07:00")
    #expect(try terminal.lines().joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(
    "A terminal that cannot be drawn on is refused in a sentence, untouched",
    arguments: [("dumb", "“dumb”"), ("no-such-thing", "not known"), ("", "TERM is not set")])
  func refused(_ term: String, _ words: String) throws {
    let terminal = try opened(200, 10, before: "TERM=\(term)")
    try terminal.wait(for: "ended 1")
    let shown = try terminal.lines().filter { $0.hasPrefix("alarm: the ") && $0.contains(words) }
    #expect(shown.count == 1)
    // What was there before is there still: nothing was cleared.
    #expect(try terminal.lines().contains { $0.contains("stty -a") })
    try checkRestored(terminal)
  }

  @Test("Without a terminal it is refused, and so it is where no engine is to be had")
  func noTerminal() throws {
    let finished = try run([TerminalTests.stage, path])
    #expect(finished.status == .exited(1))
    #expect(finished.complaint.hasPrefix("alarm: the screen needs a terminal"))
    #expect(finished.output.isEmpty)
    let terminal = try opened()
    try terminal.wait(for: "alarm: no engine runs")
    try terminal.wait(for: "ended 1")
  }
}
