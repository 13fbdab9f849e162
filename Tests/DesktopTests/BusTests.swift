import Desktop
import Glibc
import Harness
import Platform
import Testing

@Suite("A bus")
struct BusTests {
  /// Whether each round of the loop was short.
  private func longestRound(_ loop: EventLoop, for span: Duration) throws -> Duration {
    var longest = Duration.zero
    let end = ContinuousClock.now + span
    while ContinuousClock.now < end {
      let start = ContinuousClock.now
      try loop.runOnce(waitingAtMost: 10_000)
      longest = max(longest, ContinuousClock.now - start)
    }
    return longest
  }

  @Test("A bus that is not there yet is found soon after its socket appears")
  func comesLater() throws {
    let bus = try PrivateBus(isRunning: false)
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    // Long enough for the pauses to have grown beyond what is waited for below.
    try run(loop, for: .milliseconds(1700))
    #expect(!connection.isConnected)
    try bus.start()
    try run(loop, until: "the connection", within: .seconds(1)) { connection.isConnected }
    connection.close()
    #expect(!connection.isConnected)
  }

  @Test("Its folder may not be there either")
  func folderComesLater() throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop()
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/run/bus"]
    let connection = try Bus(loop, .session, environment: environment)
    try run(loop, for: .milliseconds(150))
    mkdir("\(folder.path)/run", 0o700)
    let bus = try PrivateBus()
    #expect(symlink(bus.socket, "\(folder.path)/run/bus") == 0)
    try run(loop, until: "the connection") { connection.isConnected }
    connection.close()
  }

  @Test("A bus that hangs while we connect holds up nothing; connecting ends well when it goes on")
  func hangsAtConnect() throws {
    let bus = try PrivateBus()
    bus.suspend()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    var answers: [Result<Received, BusError>] = []
    connection.call(BusTarget("a.b", "/", "a.b"), "C") { answers.append($0) }
    let longest = try longestRound(loop, for: .milliseconds(500))
    #expect(longest < .seconds(1), "a round of the loop took \(longest)")
    #expect(!connection.isConnected && answers.count == 1)
    bus.resume()
    try run(loop, until: "the connection") { connection.isConnected }
    connection.close()
  }

  @Test("A bus that hangs later holds up neither calls nor the end")
  func hangsLater() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    try run(loop, until: "the connection") { connection.isConnected }
    bus.suspend()
    let start = ContinuousClock.now
    var answers: [Result<Received, BusError>] = []
    for _ in 0..<2000 {
      connection.call(
        BusTarget("a.b", "/", "a.b"), "C", [.string(String(repeating: "x", count: 1000))],
        patience: .span(.milliseconds(300))
      ) { answers.append($0) }
    }
    let longest = try longestRound(loop, for: .milliseconds(100))
    #expect(longest < .seconds(1), "a round of the loop took \(longest)")
    try run(loop, until: "the answers") { answers.count == 2000 }
    #expect(answers.allSatisfy { if case .failure = $0 { true } else { false } })
    connection.close()
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test("Calls that are open when the bus dies are answered by an error, once")
  func openCalls() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    let server = try ScriptedServer(loop, bus.environment)
    try run(loop, until: "the connection") { connection.isConnected }
    bus.suspend()
    var answers: [Result<Received, BusError>] = []
    for _ in 0..<10 {
      connection.call(
        BusTarget("org.freedesktop.Notifications", "/org/freedesktop/Notifications", "a.b"), "C",
        patience: .endless
      ) { answers.append($0) }
    }
    bus.kill9()
    try run(loop, until: "the answers") { answers.count == 10 }
    try run(loop, for: .milliseconds(50))
    #expect(answers.count == 10 && !connection.isConnected)
    connection.close()
    withExtendedLifetime(server) {}
  }

  @Test("A name, an object and its signals are there again after the bus was killed and started again")
  func comesBack() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    var volume = 1.0
    let object = ExportedObject(
      connection, "/a/b",
      [
        BusInterface(
          "a.b.C",
          methods: [
            BusMethod("Twice", takes: "i", gives: "i") { call throws(BusError) in
              [.int32(Int32(clamping: (call[0]?.number ?? 0) * 2))]
            }
          ],
          properties: [
            BusProperty("Volume", "d") {
              .double(volume)
            } write: { value throws(BusError) in
              volume = value.real ?? 0
            }, BusProperty("Fixed", "s") { .string("x") },
          ], signals: [("Happened", "sa{sv}")])
      ])
    let name = OwnedName(connection, "a.b.Name")
    for round in 1...3 {
      try run(loop, until: "the name") { name.isOwned }
      let monitor = try bus.monitor("interface='org.freedesktop.DBus.Properties'")
      // Another client, which runs beside the loop.
      let script = """
        call() { busctl --address="$ADDRESS" --timeout=5 "$@" 2>&1; }
        call call a.b.Name /a/b a.b.C Twice i 21
        call set-property a.b.Name /a/b a.b.C Volume d 0.\(round)
        call get-property a.b.Name /a/b a.b.C Volume
        call set-property a.b.Name /a/b a.b.C Volume s loud
        call set-property a.b.Name /a/b a.b.C Fixed s y
        call call a.b.Name /a/b a.b.C Twice s x
        call call a.b.Name /a/b a.b.C Thrice
        call introspect a.b.Name /a/b a.b.C
        echo end
        """
      let folder = try TemporaryFolder()
      let output = try Descriptor.open(folder.path + "/out", O_WRONLY | O_CREAT)
      let child = try spawn(
        ["sh", "-c", script],
        environment: bus.environment.merging(["ADDRESS": bus.address]) { _, new in new },
        descriptors: [(1, output.number), (2, output.number)])
      var text: String {
        (try? readFile(folder.path + "/out")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      try run(loop, until: "the other client", within: .seconds(30)) { text.hasSuffix("end\n") }
      _ = waitpid(child, nil, 0)
      #expect(text.hasPrefix("i 42\nd 0.\(round)\n"), "\(text)")
      for part in [
        "“Volume” has the type d", "“Fixed” cannot be set", "“Twice” takes “i”, not “s”",
        "there is no method “Thrice” here", ".Happened", "sa{sv}", ".Twice",
      ] { #expect(text.contains(part), "\(part) is not in \(text)") }
      object.tellChanged(["Volume"], of: "a.b.C")
      try run(loop, for: .milliseconds(20))
      try monitor.wait(for: "member=PropertiesChanged") { $0.contains("double 0.\(round)") }
      bus.kill9()
      try run(loop, until: "the loss") { !connection.isConnected && !name.isOwned }
      try bus.start()
    }
    connection.close()
  }

  @Test("The badge is told to docks, and again on a new bus", arguments: [true, false])
  func badge(_ isUrgent: Bool) throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .session, environment: bus.environment)
    let badge = LauncherBadge(connection)
    badge.set(0, isUrgent: false)
    var monitor = try bus.monitor("interface='com.canonical.Unity.LauncherEntry'")
    try run(loop, until: "the connection") { connection.isConnected }
    func expectSignal(_ count: Int, _ isUrgent: Bool) throws {
      try run(loop, for: .milliseconds(20))
      let signal = try monitor.wait(for: "member=Update") { $0.contains("int64 \(count)\n") }
      let words = signal.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(#"string "application://reveille.desktop""#))
      #expect(words.contains(#"string "count-visible" variant boolean \#(count > 0)"#))
      #expect(words.contains(#"string "urgent" variant boolean \#(isUrgent)"#))
    }
    badge.set(3, isUrgent: isUrgent)
    try expectSignal(3, isUrgent)
    bus.kill9()
    try run(loop, until: "the loss") { !connection.isConnected }
    try bus.start()
    monitor = try bus.monitor("interface='com.canonical.Unity.LauncherEntry'")
    try run(loop, until: "the connection") { connection.isConnected }
    try expectSignal(3, isUrgent)
    badge.set(0, isUrgent: false)
    try expectSignal(0, false)
    #expect(monitor.messages("member=Update").count == 2)
    connection.close()
  }

  @Test("A new time zone is told by its name, or that there is one")
  func zone() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .system, environment: bus.environment)
    var zones: [String?] = []
    let watch = ZoneWatch(connection) { zones.append($0) }
    let service = try Bus(loop, .system, environment: bus.environment)
    let name = OwnedName(service, "org.freedesktop.timedate1")
    try run(loop, until: "the service") { name.isOwned && connection.isConnected }
    func tell(_ changed: [(key: String, value: BusValue)], _ invalid: [String]) {
      service.emit(
        "/org/freedesktop/timedate1", "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string("org.freedesktop.timedate1"), .properties(changed), .strings(invalid)])
    }
    tell([("NTP", .bool(true))], [])
    tell([("Timezone", .int32(4))], [])
    tell([("Timezone", .string("Asia/Kolkata"))], [])
    tell([], ["Timezone"])
    try run(loop, until: "both") { zones.count == 2 }
    #expect(zones == ["Asia/Kolkata", nil])
    connection.close()
    service.close()
    withExtendedLifetime(watch) {}
  }
}
