import Harness
import Platform
import Testing
import Wire

@Suite("The level meter, from the mixer to the screen", .serialized)
struct MeterTests {
  /// A sine of −12 dB under full scale, in stereo; its right channel is of half that size.
  private func play(_ world: World) throws {
    let path = world.folder.path + "/sine.wav"
    try runOrThrow([
      "sox", "-n", "-r", "48000", "-b", "16", path, "synth", "120", "sine", "997", "gain", "-12", "remix",
      "1",
      "1v0.5",
    ])
    try world.must("play", path)
    try world.waitForStatus("music that is heard") { $0.player.position > 1 }
  }

  /// The levels that come within that many seconds.
  private func levels(_ client: Client, within seconds: Double) throws -> [Levels] {
    let end = Clocks.monotonicMicroseconds() + Int64(seconds * 1e6)
    var found: [Levels] = []
    while case let left = end - Clocks.monotonicMicroseconds(), left > 0,
      let notification = try client.nextNotification(waitingAtMost: Double(left) / 1e6)
    {
      if notification.method == "levels" { found.append(try notification.params.decode()) }
    }
    return found
  }

  /// How often a process's first thread wakes in a second, and how often levels are told.
  private func wakeUps(of process: Int32, _ client: Client) throws -> (times: Double, told: Double) {
    func count() throws -> Int {
      let text = String(decoding: try readFile("/proc/\(process)/task/\(process)/status"), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }
    let (before, start) = (try count(), Clocks.monotonicMicroseconds())
    let told = Double(try levels(client, within: 3).count)
    let seconds = Double(Clocks.monotonicMicroseconds() - start) / 1e6
    return (Double(try count() - before) / seconds, told / seconds)
  }

  /// Waits for the next that is told.
  private func awaitLevels(_ client: Client) throws {
    try wait(until: "levels are told", within: .seconds(20)) { try !levels(client, within: 0.2).isEmpty }
  }

  /// Waits until none is told any more.
  private func awaitNone(_ client: Client) throws {
    try wait(until: "no levels are told", within: .seconds(20)) { try levels(client, within: 0.6).isEmpty }
  }

  @Test("Who asks is told ten times a second what is heard, while music plays; nobody else is told anything")
  func told() throws {
    let world = try World(sound: .pulse)
    try play(world)
    let (client, other) = (try Client(path: world.socket), try Client(path: world.socket))
    let _: Status = try other.call("subscribe")
    let _: Status = try client.call("subscribe", ["levels": "always"])
    try awaitLevels(client)
    let told = try levels(client, within: 2)
    #expect((10...22).contains(told.count), "\(told.count)")
    for levels in told.dropFirst() {
      #expect(levels.peak.count == 2 && levels.rms.count == 2)
      #expect(
        zip(levels.peak + levels.rms, [-12, -18, -12, -18]).allSatisfy { abs($0 - $1) < 0.5 }, "\(levels)")
    }
    #expect(try levels(other, within: 0.3).isEmpty)
    // Half the volume is 18 dB less, as it is heard.
    try world.must("volume", "50")
    try wait(until: "it is quieter", within: .seconds(10)) {
      try levels(client, within: 0.2).contains { abs($0.peak[0] + 30) < 0.6 }
    }
    try world.must("pause")
    try awaitNone(client)
    try world.must("play")
    try awaitLevels(client)
    let loop = try world.enginePID()
    let busy = try wakeUps(of: loop, client)
    let _: Status = try client.call("subscribe")
    try awaitNone(client)
    // One for each that is told, fewer where something else woke it just then, and none when nobody asks.
    let quiet = try wakeUps(of: loop, client)
    #expect(busy.told > 2 && quiet.told == 0)
    #expect(busy.times - quiet.times > busy.told * 0.6, "\(busy) with a meter, \(quiet) without")
    #expect(throws: WireError.self) { let _: Status = try client.call("subscribe", ["levels": "loud"]) }
  }

  @Test(
    "Who wants none on battery is told none there, and is told when the mains are back; by word of UPower")
  func battery() throws {
    let bus = try PrivateBus()
    let power = try PowerServer(bus, isOnBattery: true, percentage: 60)
    let world = try World(sound: .pulse)
    world.use(bus)
    try play(world)
    let client = try Client(path: world.socket)
    let _: Status = try client.call("subscribe", ["levels": "mains"])
    try awaitNone(client)
    try power.set(isOnBattery: false)
    try awaitLevels(client)
    try power.set(isOnBattery: true)
    try awaitNone(client)
    let _: Status = try client.call("subscribe", ["levels": "always"])
    try awaitLevels(client)
  }

  @Test(
    "The player's page shows it with its number, v takes it away and brings it back",
    arguments: TerminalKind.allCases)
  func screen(_ kind: TerminalKind) throws {
    let world = try World(sound: .pulse)
    try play(world)
    let screen = try world.screen(kind)
    try screen.type("3")
    func isShown(_ lines: [String]) -> Bool {
      lines.contains { $0.contains("L ━") && $0.contains("-12") && $0.contains("R ━") && $0.contains("-18") }
    }
    try screen.wait(until: "the meter is shown", within: .seconds(20)) { isShown($0) }
    try screen.type("v")
    try screen.see("The meter is off.")
    try screen.seeNo("L ━")
    try screen.type("v")
    try screen.wait(until: "the meter is back", within: .seconds(20)) { isShown($0) }
    // In a pause there is nothing to be shown.
    try screen.type("p")
    try screen.seeNo("L ━")
  }

  @Test("On battery there is no meter, unless ui.meter or the key says so", arguments: ["auto", "on", "off"])
  func setting(_ choice: String) throws {
    let bus = try PrivateBus()
    let power = try PowerServer(bus, isOnBattery: choice != "off", percentage: 60)
    defer { withExtendedLifetime(power) {} }
    let world = try World(sound: .pulse, settings: "{ ui: { meter: \"\(choice)\" } }")
    world.use(bus)
    try play(world)
    let screen = try world.screen()
    try screen.type("3")
    try screen.see("1 of 1")
    if choice == "on" { return try screen.see("L ━") }
    // The key turns it on, so it was off.
    #expect(try !screen.lines().contains { $0.contains("L ━") })
    try screen.type("v")
    try screen.see("The meter is on.")
    try screen.see("L ━")
  }
}
