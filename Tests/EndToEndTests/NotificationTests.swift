import Glibc
import Harness
import Platform
import Testing
import Wire

/// A world with a desktop: a private bus and, unless it comes later, a real notification server.
private struct Desktop {
  let world: World
  let bus: PrivateBus
  let server: NotificationServer

  init(sound: World.Sound = .none, settings: String? = nil, hasServer: Bool = true) throws {
    bus = try PrivateBus()
    server = try NotificationServer(bus, isRunning: hasServer)
    world = try World(sound: sound, settings: settings)
    world.setEnvironment("DBUS_SESSION_BUS_ADDRESS", bus.address)
  }

  func wait(until what: String, within deadline: Duration = .seconds(15), _ condition: () throws -> Bool)
    throws
  {
    do {
      try Harness.wait(until: what, within: deadline, condition)
    } catch let timeout as Timeout {
      throw Timeout(description: "\(timeout.description); shown: \(server.shown()); log: \(world.log)")
    }
  }

  /// Waits until a ring is on the desktop with all that is said of it: without a sound device that is told a moment later,
  /// and a notification that is replaced just when something is chosen forgets the choice.
  func waitForRing() throws {
    try wait(until: "the ring, and why nobody hears it") {
      server.shown().last.map { $0.urgency == "CRITICAL" && $0.body.contains("nobody will hear") } == true
    }
  }

  /// Waits for something that stands in a file that a script wrote.
  func waitForFile(_ name: String) throws -> String {
    try wait(until: "the file “\(name)”") { access("\(world.folder.path)/\(name)", R_OK) == 0 }
    return String(decoding: try readFile("\(world.folder.path)/\(name)"), as: UTF8.self)
  }
}

@Suite("Notifications of the alarms")
struct NotificationTests {
  @Test("A ring is on the desktop; snoozed there it is silent and comes back, dismissed there it has ended")
  func actsFromTheDesktop() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must(
      "add", "+1s", "--label", "Up <now>", "--body", "Trains & planes", "--snooze", "2s", "--info",
      "room=kitchen")
    try desktop.wait(until: "the notification") { server.shown().count == 1 }
    let first = try #require(server.shown().first)
    #expect(first.title == "Up <now>")
    #expect(first.body.hasPrefix("Trains &amp; planes"))
    #expect(first.urgency == "CRITICAL")
    try desktop.waitForRing()
    try server.choose("Snooze")
    try world.waitForStatus("the snooze") { $0.snoozed.count == 1 && $0.ringing.isEmpty }
    try desktop.wait(until: "word of the snooze") {
      server.shown().last?.body.contains("snoozed until") == true
    }
    #expect(server.shown().last?.urgency == "NORMAL")
    try desktop.waitForRing()
    #expect(try server.displayed() == 1, "one notification an occurrence")
    try server.choose("Dismiss")
    try world.waitForStatus("the end") { $0.ringing.isEmpty && $0.snoozed.isEmpty && $0.inbox.isEmpty }
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
    #expect(try world.must("log").contains("the desktop"))
  }

  @Test(
    "A screen that has the focus shows a ring in the desktop's place; when it is left the desktop shows it")
  func seenOnTheScreen() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must("engine", "start")
    var screen: Client? = try Client(path: world.socket)
    try screen?.hello(client: "screen")
    func focus(_ focused: Bool) throws {
      let _: DoneReply? = try screen?.call("focus", ["focused": .bool(focused)])
    }
    try focus(true)
    try world.must("add", "+1s", "--label", "Up", "--snooze", "1h")
    try world.waitForStatus("the ring") { $0.ringing.count == 1 }
    try focus(false)
    try desktop.wait(until: "the notification") { try server.displayed() == 1 }
    #expect(server.shown().count == 1, "it was not shown before")
    try focus(true)
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
    #expect(try world.status().ringing.count == 1)
    screen = nil
    try desktop.wait(until: "the notification again") { try server.displayed() == 1 }
    // A screen whose terminal does not report its focus may be anywhere.
    let other = try Client(path: world.socket)
    try other.hello(client: "screen")
    try world.waitForStatus("the screen") { $0.lifecycle == "active" }
    #expect(try server.displayed() == 1)
    // What is snoozed stays on the desktop, whoever looks.
    let _: DoneReply = try other.call("focus", ["focused": true])
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
    try world.must("snooze")
    try desktop.wait(until: "word of the snooze") { try server.displayed() == 1 }
    try world.must("dismiss")
  }

  @Test("Dealt with elsewhere it is gone; the badge is told, and the user-info read by another client")
  func actsFromElsewhere() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    let calls = try desktop.bus.monitor("interface='org.freedesktop.Notifications',member='Notify'")
    let badges = try desktop.bus.monitor("interface='com.canonical.Unity.LauncherEntry'")
    try world.must(
      "add", "+1s", "--label", "Up", "--badge", "5", "--info", "room=kitchen", "--info", "cat=🐈 <fed>")
    try desktop.wait(until: "the notification") { server.shown().count == 1 }
    let call = try calls.wait(for: "member=Notify").split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    #expect(
      call.contains(
        #"string "x-reveille-info" variant array [ dict entry( string "cat" string "🐈 <fed>" ) dict entry( string "room" string "kitchen" ) ]"#
      ), "\(call)")
    // Without a sound card nobody would hear it: the desktop is asked to make a sound.
    try calls.wait(for: "member=Notify") { $0.contains("alarm-clock-elapsed") }
    try badges.wait(for: "member=Update") {
      $0.contains("int64 5\n")
        && $0.split(separator: "\n").last { $0.contains("boolean") }?.contains("true") == true
    }
    try world.must("dismiss")
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
    try badges.wait(for: "member=Update") { $0.contains("int64 4\n") }
    #expect(try world.must("badge") == "4\n")
  }

  @Test("User-info stands in the text only where alarm.info asks for it, and from then on")
  func infoInBody() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must("add", "+1s", "--label", "Up", "--body", "Trains", "--info", "room=kitchen <2>")
    try desktop.wait(until: "the notification") { server.shown().count >= 1 }
    #expect(server.shown().allSatisfy { $0.body.contains("Trains") && !$0.body.contains("kitchen") })
    try world.write(settings: #"{ alarm: { info: "body" } }"#)
    try desktop.wait(until: "the user-info in the text") {
      server.shown().last?.body.contains("room: kitchen &lt;2&gt;") == true
    }
    #expect(server.shown().last?.body.contains("Trains") == true)
    #expect(try server.displayed() == 1)
    try world.must("snooze", "1h")
    try desktop.wait(until: "word of the snooze") { server.shown().last?.urgency == "NORMAL" }
    #expect(server.shown().last?.body.contains("room: kitchen") == true)
  }

  @Test("Closed on the desktop it rings on and is shown again; stopped with the engine it is gone")
  func closing() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must("add", "+1s", "--label", "Up")
    try desktop.wait(until: "the notification") { server.shown().count >= 1 }
    let before = server.shown().count
    try server.closeAll()
    try desktop.wait(until: "it again") { try server.shown().count > before && server.displayed() == 1 }
    #expect(try world.status().ringing.count == 1)
    try world.must("engine", "stop")
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
  }

  @Test("What was missed is shown with its reason, and can be put away from the desktop")
  func missed() throws {
    let desktop = try Desktop(settings: #"{ alarm: { lateWithin: "1 s" } }"#)
    let (world, server) = (desktop.world, desktop.server)
    try world.must("add", "+2s", "--label", "Gone")
    let due = try microseconds(world.list().first?.next)
    try world.must("engine", "stop")
    try desktop.wait(until: "the alarm to be too late") { wallMicroseconds() > due + 2_500_000 }
    try world.must("engine", "start")
    try desktop.wait(until: "the notification") { server.shown().count == 1 }
    let shown = try #require(server.shown().first)
    #expect(shown.title == "Gone" && shown.urgency == "NORMAL")
    #expect(shown.body.contains("the engine was not running"))
    try server.choose("Dismiss")
    try world.waitForStatus("an empty inbox") { $0.inbox.isEmpty && $0.badge == 0 }
  }

  @Test(
    "The bus killed and started again while it rings: the ring goes on, is shown again and heeds the desktop")
  func busKilled() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must("add", "+1s", "--label", "Up")
    try desktop.waitForRing()
    let before = server.shown().count
    desktop.bus.kill9()
    server.stop()
    #expect(try world.status().ringing.count == 1)
    try desktop.bus.start()
    try server.start()
    try desktop.wait(until: "it again") { server.shown().count > before }
    try server.choose("Dismiss")
    try world.waitForStatus("the end") { $0.ringing.isEmpty }
  }

  @Test("An engine that is killed while it rings leaves no second notification behind")
  func engineKilled() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    try world.must("add", "+1s", "--label", "Up")
    try desktop.waitForRing()
    let before = server.shown().count
    kill(try world.enginePID(), SIGKILL)
    try desktop.wait(until: "it again") { server.shown().count > before }
    #expect(try server.displayed() == 1)
    try server.choose("Dismiss")
    try world.waitForStatus("the end") { $0.ringing.isEmpty }
    try desktop.wait(until: "nothing on the desktop") { try server.displayed() == 0 }
  }

  @Test("Without a bus it rings all the same, and the log says so once")
  func noBus() throws {
    let world = try World()
    try world.must("add", "+1s", "--label", "Up")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try wait(until: "more than one attempt to find the bus") {
      wallMicroseconds() > (try microseconds(world.status().ringing.first?.since)) + 2_000_000
    }
    try world.must("dismiss")
    for kind in ["session", "system"] {
      #expect(world.log.components("there is no \(kind) bus") == 1, "\(world.log)")
    }
  }

  @Test(
    "Its own action opens a terminal on it, with the words as they are; a screen that is open shows it itself"
  )
  func ownAction() throws {
    let desktop = try Desktop()
    let (world, server) = (desktop.world, desktop.server)
    let terminal = world.folder.path + "/terminal"
    try replaceFile(
      terminal,
      with: Array("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.new\" && mv \"$0.new\" \"$0.said\"\n".utf8),
      mode: 0o700)
    try world.write(settings: #"{ ui: { terminal: ["\#(terminal)", "-e"] } }"#)
    try world.must(
      "add", "+1s", "--label", "Up", "--body", "The train", "--info", "room=kitchen", "--action", "See it")
    try desktop.waitForRing()
    let occurrence = try #require(try world.status().ringing.first?.occurrence)
    try server.choose("See it")
    #expect(try desktop.waitForFile("terminal.said") == "-e\n\(world.program)\nopen\n\(occurrence)\n")

    // What the terminal would have run.
    let screen = try Terminal(
      columns: 80, rows: 24, running: [world.program, "open", occurrence], environment: world.environment)
    try screen.wait(until: "title, body and user-info are shown") { lines in
      let text = lines.joined(separator: "\n")
      return ["Up", "The train", "room: kitchen"].allSatisfy(text.contains)
    }
    try world.must("snooze", "1h")
    try screen.wait(until: "what was opened is shown, not ringing any more") { lines in
      let text = lines.joined(separator: "\n")
      return ["SNOOZED: Up", "The train", "room: kitchen"].allSatisfy(text.contains)
    }
    try screen.tmux("send-keys", "Enter")
    try screen.wait(until: "the clock is shown") { !$0.joined().contains("The train") }
    // Now that a screen is open no other terminal is needed.
    unlink(terminal + ".said")
    try server.choose("See it")
    try screen.wait(until: "it is shown once more") { $0.joined().contains("SNOOZED: Up") }
    #expect(access(terminal + ".said", F_OK) != 0)
    #expect(try world.alarm("open", "9@2026-01-01.1").status == .exited(1))
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(_ part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.firstRange(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
