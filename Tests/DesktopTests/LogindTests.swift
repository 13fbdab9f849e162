import Desktop
import Glibc
import Harness
import Platform
import Testing

@Suite("Locks at logind, and sleep")
struct LogindTests {
  private final class Stage {
    let loop: EventLoop
    let bus: Bus
    let logind: Logind
    private final class Heard { var events: [Logind.Event] = [] }
    private let heard = Heard()
    var events: [Logind.Event] { heard.events.filter { $0 != .changed } }

    init(_ bus: PrivateBus) throws {
      loop = try EventLoop()
      self.bus = try Bus(loop, .system, environment: bus.environment)
      let heard = heard
      logind = Logind(self.bus) { heard.events.append($0) }
    }
    deinit { bus.close() }

    func run(until what: String, _ done: () throws -> Bool) throws {
      try DesktopTests.run(loop, until: what, done)
    }
  }

  private func expectLocks(_ bus: PrivateBus, _ server: LoginServer) throws {
    let stage = try Stage(bus)
    stage.logind.hold([.idle: .block, .sleep: .block, .lid: .block], reason: "an alarm\trings")
    try stage.run(until: "three locks") { stage.logind.states.allSatisfy(\.isHeld) }
    let why = "an alarm rings"
    let all = [
      LoginServer.Lock("handle-lid-switch", "Reveille", why, "block"),
      .init("idle", "Reveille", why, "block"), .init("sleep", "Reveille", why, "block"),
    ]
    let listed = try server.locks()
    #expect(listed == all)
    #expect(
      stage.logind.states.map { [$0.what, $0.mode] } == [
        ["idle", "block"], ["sleep", "block"], ["handle-lid-switch", "block"],
      ])
    // Another mode: held anew before the old one goes, so that there is no moment without.
    stage.logind.hold([.sleep: .delay], reason: "still")
    try stage.run(until: "the other mode") {
      try server.locks() == [.init("sleep", "Reveille", "still", "delay")]
    }
    stage.logind.hold([:], reason: "")
    try stage.run(until: "none") { try server.locks().isEmpty }
    #expect(stage.logind.states.isEmpty)
    // What is held goes with the connection's descriptors.
    stage.logind.hold([.idle: .block], reason: "x")
    try stage.run(until: "a lock") { try server.locks().count == 1 }
    stage.logind.close()
    try stage.run(until: "none") { try server.locks().isEmpty }
  }

  @Test("Locks come and go as they are wanted")
  func locks() throws {
    let bus = try PrivateBus()
    try expectLocks(bus, try LoginServer(bus))
  }

  @Test("The same at a real logind (elogind)", .enabled(if: LoginServer.hasReal))
  func realLocks() throws {
    let bus = try PrivateBus()
    try expectLocks(bus, try LoginServer(bus, .real))
  }

  @Test("Sleep waits for us: the delay lock goes when all is ready, and is there again after waking")
  func sleep() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let stage = try Stage(bus)
    stage.logind.watchSleep(reason: "the device is closed first")
    try stage.run(until: "the lock") { stage.logind.delaysSleep }
    let lock = LoginServer.Lock("sleep", "Reveille", "the device is closed first", "delay")
    for round in 1...2 {
      #expect(try server.locks() == [lock])
      try run(stage.loop, for: .milliseconds(50))
      try server.announceSleep(true)
      try stage.run(until: "the announcement") { stage.events.count == 2 * round - 1 }
      #expect(stage.events.last == .sleeping)
      #expect(try server.locks() == [lock])
      stage.logind.readyToSleep()
      try stage.run(until: "the lock's end") { try server.locks().isEmpty }
      try server.announceSleep(false)
      try stage.run(until: "the waking") { stage.events.count == 2 * round && stage.logind.delaysSleep }
      #expect(stage.events.last == .woke)
    }
  }

  @Test("A logind or a bus that was started again is asked again")
  func comesBack() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let stage = try Stage(bus)
    stage.logind.watchSleep(reason: "a")
    stage.logind.hold([.idle: .block], reason: "b")
    try stage.run(until: "two locks") { try server.locks().count == 2 }
    server.stop()
    try stage.run(until: "the loss") { !stage.logind.isServed }
    try server.start()
    try stage.run(until: "two locks again") { try server.locks().count == 2 }
    bus.kill9()
    server.stop()
    try stage.run(until: "the loss") { !stage.bus.isConnected }
    try bus.start()
    try server.start()
    try stage.run(until: "two locks a third time") { try server.locks().count == 2 }
    try run(stage.loop, for: .milliseconds(50))
    try server.announceSleep(true)
    try stage.run(until: "the announcement") { stage.events == [.sleeping] }
  }

  @Test("A refusal is told with its reason, sanitised, and another answer than a descriptor is one")
  func refusals() throws {
    let bus = try PrivateBus()
    let stage = try Stage(bus)
    let peer = try Bus(stage.loop, .system, environment: bus.environment)
    let object = ExportedObject(
      peer, "/org/freedesktop/login1",
      [
        BusInterface(
          "org.freedesktop.login1.Manager",
          methods: [
            BusMethod("Inhibit", takes: "ssss") { call throws(BusError) in
              if call[0]?.text == "idle" { return [.string("yes")] }
              throw BusError("org.freedesktop.DBus.Error.AccessDenied", "Permission\u{1b} denied")
            }
          ])
      ])
    let name = OwnedName(peer, "org.freedesktop.login1")
    stage.logind.hold([.idle: .block, .sleep: .block], reason: "x")
    #expect(
      stage.logind.states.map(\.refused) == Array(repeating: "there is no logind on the system bus", count: 2)
    )
    try stage.run(until: "the refusals") {
      stage.logind.states.map(\.refused)
        == ["the answer has another shape than it should have", "Permission\u{fffd} denied"]
    }
    #expect(stage.logind.states.allSatisfy { !$0.isHeld })
    peer.close()
    withExtendedLifetime((object, name)) {}
  }

  @Test("UPower's word on the battery is read and followed")
  func power() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Bus(loop, .system, environment: bus.environment)
    let peer = try Bus(loop, .system, environment: bus.environment)
    var (onBattery, share, isPresent) = (false, 80.0, true)
    let objects = [
      ExportedObject(
        peer, "/org/freedesktop/UPower",
        [
          BusInterface(
            "org.freedesktop.UPower", properties: [BusProperty("OnBattery", "b") { .bool(onBattery) }])
        ]),
      ExportedObject(
        peer, "/org/freedesktop/UPower/devices/DisplayDevice",
        [
          BusInterface(
            "org.freedesktop.UPower.Device",
            properties: [
              BusProperty("Percentage", "d") { .double(share) },
              BusProperty("IsPresent", "b") { .bool(isPresent) },
            ])
        ]),
    ]
    var told: [PowerState] = []
    let source = PowerSource(connection) { told.append($0) }
    let name = OwnedName(peer, "org.freedesktop.UPower")
    try run(loop, until: "the state") { source.state == PowerState(isOnBattery: false, percentage: 80) }
    (onBattery, share) = (true, 12.5)
    objects[0].tellChanged(["OnBattery"], of: "org.freedesktop.UPower")
    objects[1].tellChanged(["Percentage"], of: "org.freedesktop.UPower.Device")
    try run(loop, until: "the change") { source.state == PowerState(isOnBattery: true, percentage: 12.5) }
    isPresent = false
    objects[1].tellChanged(["IsPresent"], of: "org.freedesktop.UPower.Device")
    try run(loop, until: "no battery") { source.state.percentage == nil }
    peer.close()
    try run(loop, until: "nobody") { source.state == PowerState() }
    #expect(told.last == PowerState())
    connection.close()
    withExtendedLifetime(name) {}
  }

  @Test(
    "Without UPower the kernel's word counts",
    arguments: [
      (
        [("AC", ["type": "Mains", "online": "1"]), ("BAT0", ["type": "Battery", "capacity": "55"])], false, 55
      ),
      (
        [("AC", ["type": "Mains", "online": "0"]), ("BAT0", ["type": "Battery", "capacity": "5"])], true, 5
      ),
      ([("BAT0", ["type": "Battery", "capacity": "140", "status": "Discharging"])], true, 100),
      ([("mouse", ["type": "Battery", "capacity": "9", "scope": "Device"])], nil, nil),
      ([("AC", ["type": "Mains", "online": "1"])], nil, nil), ([], nil, nil),
    ] as [([(String, [String: String])], Bool?, Double?)])
  func kernel(_ supplies: [(String, [String: String])], _ onBattery: Bool?, _ share: Double?) throws {
    let folder = try TemporaryFolder()
    for (name, words) in supplies {
      mkdir("\(folder.path)/\(name)", 0o700)
      for (word, text) in words {
        try folder.write(Array("\(text)\n".utf8), to: folder.file("\(name)/\(word)"))
      }
    }
    #expect(PowerState.ofKernel(folder.path) == PowerState(isOnBattery: onBattery, percentage: share))
  }
}
