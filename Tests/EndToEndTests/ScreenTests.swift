import Glibc
import Harness
import Platform
import Testing
import Wire

/// The real screen in a real terminal, attached to a real engine.
@Suite("The screen", .serialized)
struct ScreenTests {
  private func opened(_ world: World, _ columns: Int = 80, _ rows: Int = 24) throws -> Terminal {
    try Terminal(
      columns: columns, rows: rows, running: ["sh", "-c", "\(world.program); echo ended $?; read more"],
      environment: world.environment)
  }

  /// The keys that are typed one after the other, a word each by tmux's names.
  private func press(_ terminal: Terminal, _ keys: String) throws {
    for key in keys.split(separator: " ") { try terminal.press(String(key)) }
  }

  @Test(
    "An evening: first run, an alarm by the form, music, seek, search, detach, ring, snooze, dismiss, inbox, quit"
  )
  func evening() throws {
    let world = try World(sound: .pulse)
    mkdir(world.folder.path + "/home/Music", 0o700)
    for name in ["1 First", "2 Second", "3 Third"] {
      _ = try world.makeTone("home/Music/\(name).wav", seconds: 60)
    }
    var terminal = try opened(world)
    try terminal.wait(for: "Nothing is set yet.")

    try press(terminal, "a")
    try terminal.type("mon-fri 7am")
    try terminal.wait(for: "rings ")
    try press(terminal, "Tab")
    try terminal.type("Get up")
    try press(terminal, "Tab C-n Enter")
    try terminal.wait(for: "every Mon-Fri 07:00")
    let alarm = try #require(try world.list().first)
    #expect(alarm.label == "Get up" && alarm.sound == "beeps")

    try press(terminal, "4")
    try terminal.wait(for: "2 Second.wav")
    try press(terminal, "j j Enter")
    try world.waitForStatus("music") { $0.player.state == "playing" && $0.queue.length == 3 }
    try press(terminal, "3")
    try terminal.wait(until: "the queue") { $0.contains { $0.contains("3 of 3") || $0.contains("1 of 3") } }
    try press(terminal, "Right Right")
    try world.waitForStatus("the seek") { $0.player.position >= 9 }
    try press(terminal, "/")
    try terminal.type("third")
    try press(terminal, "Enter Enter")
    try world.waitForStatus("the third track") { $0.queue.index == 2 }
    try press(terminal, "-")
    try world.waitForStatus("less volume") { $0.player.volume == 95 }

    try press(terminal, "q")
    try terminal.wait(for: "ended 0")
    #expect(try world.status().player.state == "playing")
    terminal = try opened(world)
    try terminal.wait(for: "Get up")

    try world.must("timer", "1s", "Tea")
    try terminal.wait(for: "RINGING: Tea")
    // Deaf at first, and it says when it is no longer.
    try terminal.wait(for: "1–9 snooze")
    try press(terminal, "9")
    try terminal.wait(for: "snooze 9 min")
    try world.waitForStatus("the snooze") { $0.snoozed.first?.label == "Tea" }
    try terminal.wait(for: "is snoozed until")
    try press(terminal, "5")
    try terminal.wait(for: "snoozed")
    try world.waitForStatus("a badge that was seen") { $0.badge == 0 }
    try press(terminal, "d")
    try world.waitForStatus("the end") { $0.snoozed.isEmpty && $0.inbox.isEmpty }
    try terminal.wait(for: "Nothing is waiting for you.")
    try press(terminal, "6")
    try terminal.wait(for: "dismissed by the screen")
    try press(terminal, "Q")
    try terminal.wait(for: "Stop the engine?")
    try press(terminal, "y")
    try wait(until: "the engine has ended") { world.processes().count == 1 }
    try terminal.wait(for: "The engine has gone")
    try press(terminal, "q")
    try terminal.wait(for: "ended 0")
  }

  @Test("An alarm is edited, turned off, skipped, rehearsed, removed and brought back by single keys")
  func alarms() throws {
    let world = try World()
    try world.must("add", "daily", "07:00", "--label", "Up")
    let terminal = try opened(world)
    // A key acts on what is shown.
    try terminal.wait(for: "every day 07:00")
    try press(terminal, "2 e")
    try terminal.wait(for: "Edit alarm 1")
    try press(terminal, "C-u")
    try terminal.type("6:15")
    try terminal.wait(until: "the preview of the edit") {
      $0.contains { $0.contains("rings") && $0.contains("06:15") }
    }
    try press(terminal, "Enter")
    try terminal.wait(for: "every day 06:15")
    try press(terminal, "x")
    try wait(until: "the skip") { try world.list().first?.skips.count == 1 }
    try terminal.wait(for: "skips 20")
    try press(terminal, "x")
    try wait(until: "no skip") { try world.list().first?.skips.isEmpty == true }
    try press(terminal, "o")
    try wait(until: "it is off") { try world.list().first?.enabled == false }
    try terminal.wait(for: "o turns it on")
    try press(terminal, "o")
    try wait(until: "it is on") { try world.list().first?.enabled == true }
    try press(terminal, "D")
    try terminal.wait(for: "u brings it back")
    try wait(until: "it is gone") { try world.list().isEmpty }
    try press(terminal, "u")
    // In the list, and not in the answer to its removal.
    try terminal.wait(for: "● 1  every day 06:15")
    try press(terminal, "R")
    try terminal.wait(for: "RINGING: Up")
    try world.must("stop")
    try terminal.wait(until: "the ring is over") { !$0.contains { $0.contains("RINGING") } }
  }

  @Test("A command that was typed answers on the screen, and two screens show the same")
  func twoScreens() throws {
    let world = try World()
    let (first, second) = (try opened(world), try opened(world, 132, 43))
    try first.wait(for: "Nothing is set yet.")
    try press(first, ":")
    try first.type("add 07:00 --label \"By the line\"")
    try press(first, "Enter")
    try first.wait(for: "once ")
    try second.wait(for: "By the line")
    try press(first, ":")
    try first.type("help")
    try press(first, "Enter")
    try first.wait(for: ":help")
    try press(first, "G q")
    try world.must("timer", "1s", "Both")
    try first.wait(for: "RINGING: Both")
    try second.wait(for: "RINGING: Both")
    try second.wait(for: "1–9 snooze")
    try second.press("d")
    try second.wait(until: "the ring was dismissed there") { !$0.contains { $0.contains("RINGING") } }
    try first.wait(until: "the ring is gone here") { !$0.contains { $0.contains("RINGING") } }
  }
}
