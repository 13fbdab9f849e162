import Glibc
import Harness
import Platform
import Testing
import Wire

extension World {
  /// The program's two buses are this one from here on.
  func use(_ bus: PrivateBus) {
    setEnvironment("DBUS_SESSION_BUS_ADDRESS", bus.address)
    setEnvironment("DBUS_SYSTEM_BUS_ADDRESS", bus.address)
  }
}

@Suite("Locks at the system, of the whole program", .serialized)
struct InhibitorTests {
  /// Held always, for sleep to wait until the device is closed.
  private static let delay = "sleep delay: closes the audio device first"

  private func locks(_ server: LoginServer) throws -> [String] {
    try server.locks().filter { $0.who == "Reveille" }.map { "\($0.what) \($0.mode): \($0.why)" }.sorted()
  }

  private func wait(_ server: LoginServer, for expected: [String], _ world: World) throws {
    do {
      try Harness.wait(until: "the locks \(expected)") {
        try locks(server) == (expected + [InhibitorTests.delay]).sorted()
      }
    } catch let timeout as Timeout {
      throw Timeout(
        description: "\(timeout.description); there were: \(try locks(server)); log: \(world.log)")
    }
  }

  @Test("At a real logind (elogind) they come and go as the leases do", .enabled(if: LoginServer.hasReal))
  func comeAndGo() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus, .real)
    let world = try World()
    world.use(bus)
    try world.must("engine", "start")
    try wait(server, for: [], world)
    // On the system alone; on the device alone.
    try world.must("awake", "1h", "--system", "--reason", "film")
    let person = "a lease of person: film"
    try wait(server, for: ["idle block: \(person)", "sleep block: \(person)"], world)
    var status = try world.status()
    #expect(status.awake.leases.map(\.kinds) == [["system"]] && !status.keepAlive.active)
    #expect(
      status.awake.inhibitors
        == ["idle", "sleep"].map {
          Status.Inhibitor(what: $0, mode: "block", by: "logind", held: true, refused: nil)
        })
    #expect(try world.must("status").contains("sleep, block: held by logind"))
    try world.must("awake", "1h", "--audio")
    try world.must("awake", "off", "1")
    try wait(server, for: [], world)
    status = try world.status()
    #expect(status.awake.leases.map(\.kinds) == [["audio"]] && status.keepAlive.active)
    #expect(status.awake.inhibitors.isEmpty)
    // One that ends by itself; what is locked is a setting, from the moment it is changed.
    try world.must("awake", "4s")
    let other = "a lease of person"
    try wait(server, for: ["idle block: \(other)", "sleep block: \(other)"], world)
    #expect(try world.status().awake.leases.map(\.kinds).last == ["audio", "system"])
    try world.write(settings: "{ awake: { idle: 'off', sleep: 'delay', lid: 'block' } }")
    try wait(server, for: ["handle-lid-switch block: \(other)", "sleep delay: \(other)"], world)
    try wait(server, for: [], world)
    // With the engine everything goes.
    try world.must("awake", "1h")
    try world.must("engine", "stop")
    try Harness.wait(until: "no lock") { try locks(server).isEmpty }
  }

  @Test(
    "Music keeps the machine from idling; what rings or is snoozed, and what is due soon, from sleeping",
    .enabled(if: LoginServer.hasReal))
  func own() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus, .real)
    let world = try World()
    world.use(bus)
    try world.must("play", try world.makeTone(seconds: 60))
    try wait(server, for: ["idle block: music plays"], world)
    try world.must("pause")
    try wait(server, for: [], world)
    try world.must("add", "daily 07:00")
    try world.must("ring", "1")
    for why in ["an alarm rings", "an alarm is snoozed"] {
      try Harness.wait(until: "sleep to be blocked") {
        Set(try server.locks().filter { $0.mode == "block" }.map(\.what)) == ["idle", "sleep"]
      }
      #expect(try world.status().awake.leases.contains { $0.owner == "engine" && $0.reason == why })
      if why == "an alarm rings" { try world.must("snooze", "5m") }
    }
    try world.must("dismiss")
    try wait(server, for: [], world)
    // A quarter of an hour before an alarm, or as the settings say.
    try world.write(settings: "{ awake: { beforeAlarm: '1 min', whilePlaying: 'off' } }")
    try world.must("play")
    try world.must("timer", "5m")
    try world.waitForStatus("music, and nothing on the system") {
      $0.player.state == "playing" && $0.awake.leases.allSatisfy { !$0.kinds.contains("system") }
    }
    try world.must("timer", "50s")
    try Harness.wait(until: "sleep to be blocked") {
      try server.locks().contains { $0.what == "sleep" && $0.mode == "block" && $0.why.hasPrefix("alarm 3 ") }
    }
  }

  @Test("The bus killed and started again: the locks are there again", .enabled(if: LoginServer.hasReal))
  func busDies() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus, .real)
    let world = try World()
    world.use(bus)
    try world.must("awake", "1h", "--system")
    let held = ["idle block: a lease of person", "sleep block: a lease of person"]
    try wait(server, for: held, world)
    bus.kill9()
    server.stop()
    try Harness.wait(until: "the loss") { world.log.contains("there is no system bus") }
    #expect(try world.status().awake.leases.count == 1)
    try bus.start()
    try server.start()
    try wait(server, for: held, world)
    try world.waitForStatus("them to be held") { $0.awake.inhibitors.allSatisfy(\.held) }
    try world.must("awake", "off")
    try wait(server, for: [], world)
  }

  @Test("Without a bus that is said once, and everything else works")
  func noBus() throws {
    let world = try World()
    #expect(try world.must("awake", "1h").hasPrefix("awake until "))
    var status = try world.waitForStatus("the keep-alive") { $0.keepAlive.active }
    #expect(status.awake.inhibitors.map(\.what) == ["idle", "sleep"])
    #expect(status.awake.inhibitors.allSatisfy { !$0.held && $0.refused?.contains("no logind") == true })
    #expect(
      try world.must("status").contains(
        "sleep, block: refused by logind: there is no logind on the system bus"))
    let added = try world.alarm("add", "+1s")
    #expect(!added.complaint.contains("sleep"), "\(added.complaint)")
    status = try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(status.awake.wakeUp == nil)
    try world.must("dismiss")
    try world.must("awake", "off")
    try world.waitForStatus("nothing to hold") { $0.awake.inhibitors.isEmpty }
    #expect(world.log.components(of: "there is no system bus") == 1, "\(world.log)")
  }

  @Test("On battery it goes by awake.onBattery, from word of UPower")
  func battery() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let power = try PowerServer(bus, isOnBattery: true, percentage: 60)
    let world = try World(settings: "{ awake: { onBattery: '50%' } }")
    world.use(bus)
    try world.must("awake", "1h", "--system")
    let held = ["idle block: a lease of person", "sleep block: a lease of person"]
    try wait(server, for: held, world)
    try power.set(percentage: 49)
    try wait(server, for: [], world)
    #expect(try world.status().awake.leases.count == 1)
    try power.set(isOnBattery: false)
    try wait(server, for: held, world)
    try world.write(settings: "{ awake: { onBattery: false } }")
    try power.set(isOnBattery: true)
    try wait(server, for: [], world)
    try world.write(settings: "{ awake: { onBattery: 'yes' } }")
    try wait(server, for: held, world)
  }

  @Test("The desktop's own services are asked beside it, and let go")
  func session() throws {
    let bus = try PrivateBus()
    let name = "org.gnome.SessionManager"
    let desktop = try DBusMock(
      bus, name, at: "/org/gnome/SessionManager", [name, "/org/gnome/SessionManager", name])
    try desktop.call("AddMethod", "sssss", name, "Inhibit", "susu", "u", "ret = dbus.UInt32(7)")
    try desktop.call("AddMethod", "sssss", name, "Uninhibit", "u", "", "")
    let monitor = try bus.monitor("interface='\(name)'")
    let world = try World()
    world.use(bus)
    try world.must("awake", "1h", "--system", "--reason", "film")
    let asked = try monitor.wait(for: "member=Inhibit")
    #expect(asked.contains("\"reveille\"") && asked.contains("\"a lease of person: film\""))
    #expect(asked.contains("uint32 12"), "suspend and idle: \(asked)")
    let status = try world.waitForStatus("the lock") { $0.awake.inhibitors.contains { $0.held } }
    #expect(
      status.awake.inhibitors.last
        == Status.Inhibitor(what: "idle:sleep", mode: "block", by: name, held: true, refused: nil))
    try world.must("awake", "off")
    #expect(try monitor.wait(for: "member=Uninhibit").contains("uint32 7"))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let place = rest.firstRange(of: part) {
      count += 1
      rest = rest[place.upperBound...]
    }
    return count
  }
}
