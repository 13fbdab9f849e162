import Desktop
import Harness
import Platform
import Testing

@Suite("What keeps the desktop from blanking")
struct SessionInhibitorTests {
  /// The three services in this process, on a connection of their own; what was called, in words.
  private final class Services {
    var calls: [String] = []
    var refusal: BusError?
    let bus: Bus
    private var objects: [ExportedObject] = []
    private var names: [OwnedName] = []

    init(_ loop: EventLoop, _ environment: [String: String]) throws {
      bus = try Bus(loop, .session, environment: environment)
      func method(_ name: String, _ takes: String, _ answer: [BusValue]) -> BusMethod {
        BusMethod(name, takes: takes) { [weak self] call throws(BusError) in
          if let refusal = self?.refusal { throw refusal }
          let words = call.arguments.compactMap {
            $0.text ?? $0.number.map(String.init) ?? $0[key: "reason"]?.text
          }
          self?.calls.append(
            ([call.interface.split(separator: ".").last.map(String.init) ?? "", name] + words)
              .joined(separator: " "))
          return answer
        }
      }
      let services: [(String, String, String, [BusMethod])] = [
        (
          "org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager",
          [method("Inhibit", "susu", [.uint32(7)]), method("Uninhibit", "u", [])]
        ),
        (
          "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver",
          [method("Inhibit", "ss", [.uint32(8)]), method("UnInhibit", "u", [])]
        ),
        (
          "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
          "org.freedesktop.portal.Inhibit",
          [method("Inhibit", "sua{sv}", [.objectPath("/request/9")])]
        ),
        (
          "org.freedesktop.portal.Desktop", "/request/9", "org.freedesktop.portal.Request",
          [method("Close", "", [])]
        ),
      ]
      for (_, path, interface, methods) in services {
        objects.append(ExportedObject(bus, path, [BusInterface(interface, methods: methods)]))
      }
      for name in Set(services.map(\.0)) { names.append(OwnedName(bus, name)) }
    }
    deinit { bus.close() }
    var areThere: Bool { names.allSatisfy(\.isOwned) }
  }

  @Test("Each service that runs is asked, asked anew when more is wanted, and let go")
  func holds() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    let inhibitors = SessionInhibitors(connection) {}
    inhibitors.hold(.init(idle: true, sleep: false), reason: "music")
    try run(loop, for: .milliseconds(50))
    #expect(inhibitors.states.isEmpty, "nobody runs")
    let services = try Services(loop, bus.environment)
    try run(loop, until: "three locks") { inhibitors.states.filter(\.isHeld).count == 3 }
    #expect(
      services.calls.sorted() == [
        "Inhibit Inhibit  8 music", "ScreenSaver Inhibit reveille music",
        "SessionManager Inhibit reveille 0 music 8",
      ])
    services.calls = []
    inhibitors.hold(.init(idle: true, sleep: true), reason: "a ring")
    try run(loop, until: "more") {
      inhibitors.states.filter { $0.isHeld }.count == 3 && services.calls.count == 6
    }
    #expect(
      services.calls.sorted() == [
        "Inhibit Inhibit  12 a ring", "Request Close", "ScreenSaver Inhibit reveille a ring",
        "ScreenSaver UnInhibit 8", "SessionManager Inhibit reveille 0 a ring 12",
        "SessionManager Uninhibit 7",
      ])
    services.calls = []
    inhibitors.hold(.init(idle: false, sleep: false), reason: "")
    try run(loop, until: "all let go") { services.calls.count == 3 }
    #expect(
      services.calls.sorted() == ["Request Close", "ScreenSaver UnInhibit 8", "SessionManager Uninhibit 7"])
    #expect(inhibitors.states.isEmpty)
    connection.close()
  }

  @Test("A refusal is told, and a bus that was killed costs nothing but time")
  func refusedAndLost() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    let services = try Services(loop, bus.environment)
    services.refusal = BusError("org.freedesktop.DBus.Error.AccessDenied", "no\u{1b}!")
    let inhibitors = SessionInhibitors(connection) {}
    inhibitors.hold(.init(idle: true, sleep: true), reason: "x")
    try run(loop, until: "the refusals") {
      inhibitors.states.compactMap(\.refused) == ["no\u{fffd}!", "no\u{fffd}!", "no\u{fffd}!"]
    }
    services.refusal = nil
    bus.kill9()
    try run(loop, until: "the loss") { !connection.isConnected && !services.areThere }
    #expect(inhibitors.states.isEmpty)
    try bus.start()
    try run(loop, until: "three locks") { inhibitors.states.filter(\.isHeld).count == 3 }
    connection.close()
  }
}
