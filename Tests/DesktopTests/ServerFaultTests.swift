import Desktop
import Harness
import Platform
import Testing

@Suite("A notification server that cannot be trusted")
struct ServerFaultTests {
  @Test("Where the server reads no markup and knows no actions, the body is plain and no actions are sent")
  func plainServer() throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment)
    stage.notifications.show("key", ring)
    try stage.run(until: "the call") { server.calls.count == 1 }
    #expect(server.calls[0][4]?.text == "Get <b>up</b> & go")
    #expect(server.calls[0][5] == .strings([]))
  }

  @Test(
    "An answer of the wrong shape harms nothing, and the ring is tried again",
    arguments: [
      [], [.string("1")], [.uint32(0)], [.uint64(5)], [.strings(["a"])],
      [.string(String(repeating: "x", count: 5 << 20))],
    ] as [[BusValue]])
  func wrongAnswers(_ answer: [BusValue]) throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment) { $0 == 0 ? answer : [.uint32(7)] }
    stage.notifications.show("key", ring)
    try stage.run(until: "it is shown") { stage.events == [.shown(key: "key")] }
    #expect(server.calls.count == 2)
    stage.notifications.close("key")
    try stage.run(until: "it is closed") { server.closed == [7] }
  }

  @Test("An error is tried again with a pause, and never once it is no longer wanted")
  func errors() throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment) { _ throws(BusError) in
      throw BusError("org.freedesktop.DBus.Error.LimitsExceeded", "too many\u{1b}[31m")
    }
    stage.notifications.show("key", ring)
    try stage.run(until: "two calls") { server.calls.count == 2 }
    stage.notifications.close("key")
    try run(stage.loop, for: .milliseconds(1300))
    #expect(server.calls.count == 2 && stage.events.isEmpty)
  }

  @Test(
    "Capabilities of any shape are read as far as they are texts",
    arguments: [
      .uint32(1), .array(of: "v", [.variant(.string("actions")), .variant(.int32(1))]),
      .array(of: "u", (0..<60_000).map { .uint32($0) }),
    ] as [BusValue])
  func capabilities(_ capabilities: BusValue) throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment, capabilities: capabilities)
    stage.notifications.show("key", ring)
    try stage.run(until: "it is shown") { stage.events == [.shown(key: "key")] }
    #expect(server.calls.count == 1)
  }

  @Test("Signals of the wrong shape, of unknown notifications and from strangers are passed over")
  func signals() throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment)
    stage.notifications.show("key", ring)
    try stage.run(until: "it is shown") { stage.events == [.shown(key: "key")] }
    for arguments in [
      [], [.uint32(1)], [.string("1"), .string("dismiss")], [.uint32(1), .uint32(1)],
      [.uint32(9), .string("dismiss")], [.uint32(1), .string("format-disk")],
      [.int64(-1), .string("dismiss")],
    ] as [[BusValue]] { server.tell("ActionInvoked", arguments) }
    server.tell("NotificationClosed", [.string("x")])
    server.tell("ActivationToken", [.uint32(1), .string(String(repeating: "t", count: 100_000))])
    // A stranger can send a signal to everybody; only the owner of the name is believed.
    try bus.send(
      "--type=signal", "/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked",
      "uint32:1", "string:dismiss")
    try run(stage.loop, for: .milliseconds(200))
    #expect(stage.events == [.shown(key: "key")])
    server.tell("ActivationToken", [.uint32(1), .string("token")])
    server.tell("ActionInvoked", [.uint32(1), .string("open")])
    try stage.run(until: "the action") { stage.events.count == 2 }
    #expect(stage.events.last == .invoked(key: "key", .open, token: "token"))
  }

  @Test("A notification that was closed before the server had answered is taken away afterwards")
  func closedTooEarly() throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment)
    try stage.run(until: "the server") { stage.notifications.isServed }
    stage.notifications.show("key", ring)
    try stage.run(until: "the call") { server.calls.count == 1 }
    stage.notifications.close("key")
    try stage.run(until: "it is closed") { server.closed == [1] }
    #expect(stage.notifications.wanted.isEmpty)
  }

  @Test("A sound of the desktop's is asked for only where ours failed")
  func soundName() throws {
    let bus = try PrivateBus()
    let stage = try NoticeStage(bus)
    let server = try ScriptedServer(stage.loop, bus.environment)
    var silent = ring
    silent.soundName = "alarm-clock-elapsed"
    stage.notifications.show("ours", ring)
    stage.notifications.show("theirs", silent)
    try stage.run(until: "both") { server.calls.count == 2 }
    let hints = server.calls.map { ($0[6]?[key: "suppress-sound"], $0[6]?[key: "sound-name"]) }
    #expect(hints.contains { $0.0 == .bool(true) && $0.1 == nil })
    #expect(hints.contains { $0.0 == nil && $0.1 == .string("alarm-clock-elapsed") })
  }
}
