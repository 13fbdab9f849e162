import Desktop
import Harness
import Platform
import Testing

@Suite("Notifications on a real server")
struct NotificationTests {
  @Test("A ring is shown critical, with its markup escaped and the user-info in its hints")
  func shown() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let monitor = try bus.monitor("interface='org.freedesktop.Notifications'")
    let stage = try NoticeStage(bus)
    stage.notifications.show("1@2026-12-01.1", ring)
    try stage.run(until: "the notification") { server.shown().count == 1 }
    let shown = try #require(server.shown().first)
    #expect(shown.title == "Up")
    #expect(shown.body == "Get &lt;b&gt;up&lt;/b&gt; &amp; go")
    #expect(shown.urgency == "CRITICAL")
    #expect(shown.category == "x-reveille.alarm")
    #expect(shown.desktopEntry == "reveille")
    #expect(try server.displayed() == 1)

    let call = try monitor.wait(for: "member=Notify")
    let words = call.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        #"string "x-reveille-info" variant array [ dict entry( string "room" string "kitchen" ) dict entry( string "tune" string "<1> & "2"" ) ]"#
      ), "\(words)")
    #expect(words.contains(#"string "suppress-sound" variant boolean true"#))
    #expect(words.contains(#"string "resident" variant boolean true"#))
    #expect(words.contains(#"string "urgency" variant byte 2"#))
    #expect(
      words.contains(
        #"array [ string "default" string "Open the kitchen" string "open" string "Open the kitchen" string "snooze" string "Snooze" string "dismiss" string "Dismiss" ]"#
      ))
    // Never expires.
    #expect(words.hasSuffix("int32 0"))
  }

  @Test(
    "Choosing an action on the desktop tells which, of which notification",
    arguments: [("Snooze", NoticeAction.snooze), ("Dismiss", .dismiss), ("Open the kitchen", .open)])
  func actions(_ title: String, _ action: NoticeAction) throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("key", ring)
    try stage.run(until: "the notification") { server.shown().count == 1 }
    try server.choose(title)
    try stage.run(until: "the action") { !stage.events.isEmpty && stage.events.last != .shown(key: "key") }
    #expect(stage.events.contains(.invoked(key: "key", action, token: nil)))
  }

  @Test("A click on the notification itself opens")
  func click() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("key", ring)
    try stage.run(until: "the notification") { server.shown().count == 1 }
    try server.click()
    try stage.run(until: "the action") { stage.events.contains(.invoked(key: "key", .open, token: nil)) }
  }

  @Test("A changed notification stands in the place of the one before; a closed one is gone")
  func replaced() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("a", ring)
    stage.notifications.show("b", Notice(title: "Missed", body: "the machine slept"))
    try stage.run(until: "both") { server.shown().count == 2 }
    var other = ring
    other.title = "Other"
    stage.notifications.show("a", other)
    try stage.run(until: "the change") { server.shown().count == 3 }
    let shown = server.shown()
    let first = try #require(shown.first { $0.title == "Up" })
    #expect(shown.last?.title == "Other" && shown.last?.id == first.id)
    #expect(shown.first { $0.title == "Missed" }?.urgency == "NORMAL")
    #expect(try server.displayed() == 2)
    stage.notifications.close("a")
    try stage.run(until: "one left") { try server.displayed() == 1 }
    // The same again is not sent again.
    stage.notifications.show("b", Notice(title: "Missed", body: "the machine slept"))
    try run(stage.loop, for: .milliseconds(200))
    #expect(server.shown().count == 3)
  }

  @Test("A ring that is closed on the desktop is shown again and stays; what was missed stays closed")
  func closedOnTheDesktop() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("ring", ring)
    stage.notifications.show("missed", Notice(title: "Missed"))
    try stage.run(until: "both") { server.shown().count == 2 }
    try server.closeAll()
    try stage.run(until: "the ring again") { server.shown().filter { $0.title == "Up" }.count == 2 }
    #expect(stage.events.contains(.closed(key: "ring", .byPerson)))
    #expect(stage.events.contains(.closed(key: "missed", .byPerson)))
    #expect(stage.notifications.wanted == ["ring"])
    #expect(try server.displayed() == 1)
  }

  @Test("A server that closes everything at once is asked less and less often")
  func brake() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("ring", ring)
    let end = ContinuousClock.now + .seconds(4)
    while ContinuousClock.now < end {
      try run(stage.loop, for: .milliseconds(20))
      if try server.displayed() > 0 { try server.closeAll() }
    }
    // At 0, 0.5, 1.5 and 3.5 seconds.
    #expect((3...5).contains(server.shown().count), "\(server.shown().count) times")
  }

  @Test("A server that comes later shows what is wanted; one that restarts or crashes shows it again")
  func serverComesAndGoes() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus, isRunning: false)
    let stage = try NoticeStage(bus)
    stage.notifications.show("ring", ring)
    stage.notifications.show("gone", Notice(title: "Gone"))
    try stage.run(until: "the bus") { stage.connection.isConnected }
    stage.notifications.close("gone")
    try run(stage.loop, for: .milliseconds(100))
    #expect(!stage.notifications.isServed)
    try server.start()
    try stage.run(until: "the notification") { server.shown().map(\.title) == ["Up"] }
    server.stop()
    try server.start()
    try stage.run(until: "it again") { server.shown().map(\.title) == ["Up", "Up"] }
    server.kill9()
    try server.start()
    try stage.run(until: "it a third time") { server.shown().count == 3 }
    stage.notifications.close("ring")
    try stage.run(until: "none") { try server.displayed() == 0 }
    server.stop()
    try server.start()
    try run(stage.loop, for: .milliseconds(300))
    #expect(server.shown().count == 3)
  }

  @Test("A bus that is killed and started again while it rings: the ring is on the desktop again")
  func busDies() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    stage.notifications.show("ring", ring)
    try stage.run(until: "the notification") { server.shown().count == 1 }
    bus.kill9()
    try stage.run(until: "the loss") { !stage.connection.isConnected }
    server.stop()
    // What is asked meanwhile counts afterwards.
    var other = ring
    other.title = "Later"
    stage.notifications.show("ring", other)
    try bus.start()
    try server.start()
    try stage.run(until: "the notification again") { server.shown().map(\.title) == ["Up", "Later"] }
    try server.choose("Snooze")
    try stage.run(until: "the action") { stage.events.contains(.invoked(key: "ring", .snooze, token: nil)) }
  }

  @Test("A server that hangs holds up nothing, and shows the last word once it goes on")
  func serverHangs() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let stage = try NoticeStage(bus)
    try stage.run(until: "the bus") { stage.notifications.isServed }
    server.suspend()
    let start = ContinuousClock.now
    stage.notifications.show("ring", ring)
    for number in 0..<50 {
      var other = ring
      other.title = "Number \(number)"
      stage.notifications.show("ring", other)
    }
    try run(stage.loop, for: .milliseconds(200))
    #expect(ContinuousClock.now - start < .seconds(1))
    server.resume()
    try stage.run(until: "the last") { server.shown().last?.title == "Number 49" }
    #expect(Set(server.shown().map(\.id)).count == 1)
    #expect(try server.displayed() == 1)
  }

  @Test("Text of any kind arrives sanitised, and the connection lives")
  func hostileText() throws {
    let bus = try PrivateBus()
    let server = try NotificationServer(bus)
    let monitor = try bus.monitor("interface='org.freedesktop.Notifications',member='Notify'")
    let stage = try NoticeStage(bus)
    let odd = "a\u{0}b\u{1b}[31m\u{202e}\u{fffe}\u{1ffff}\u{7f}\u{9b}"
    var notice = Notice(title: odd, body: odd + "\nsecond\r\nthird", info: [.init("k\u{0}", odd)])
    notice.showsInfo = true
    stage.notifications.show("odd", notice)
    stage.notifications.show("long", Notice(title: String(repeating: "x", count: 100_000)))
    try stage.run(until: "both") { server.shown().count == 2 }
    let text = monitor.text
    for bad in ["\u{1b}", "\u{202e}", "\u{9b}", "\u{7f}"] {
      // The user-info is handed on untouched, in the hint alone.
      let shown = text.split(separator: "\n").filter { $0.contains(bad) }
      #expect(shown.count <= 1, "\(bad.unicodeScalars.map(\.value)): \(shown)")
    }
    #expect(text.contains("second"))
    #expect(stage.connection.isConnected)
    #expect(server.shown().contains { $0.title.count < 600 && $0.title.hasPrefix("xxx") })
  }
}
