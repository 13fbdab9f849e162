import Core
import Schedule
import Testing

@Suite("Locks at the system")
struct InhibitorTests {
  private func world(_ change: (inout Settings) -> Void = { _ in }) throws -> (
    Wakefulness, Wakefulness.Surroundings
  ) {
    var settings = Settings()
    change(&settings)
    var wakefulness = Wakefulness(settings: settings)
    let surroundings = Wakefulness.Surroundings()
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    return (wakefulness, surroundings)
  }

  private func locks(_ wakefulness: Wakefulness) -> [String] {
    wakefulness.inhibitors.map { "\($0.what.rawValue) \($0.mode.rawValue)" }
  }

  @Test("They come and go as the leases on the system do; one on the audio device alone takes none")
  func comeAndGo() throws {
    var (wakefulness, _) = try world()
    _ = try wakefulness.take { $0.kinds = ["audio"] }
    #expect(wakefulness.inhibitors.isEmpty)
    var effects = try wakefulness.take { ($0.kinds, $0.span) = (["audio", "system"], .seconds(60)) }
    let (idle, sleep) = (
      Inhibitor(.idle, .block, why: "a lease of person"), Inhibitor(.sleep, .block, why: "a lease of person")
    )
    #expect(effects.last == .hold([idle, sleep]))
    _ = try wakefulness.take { ($0.kinds, $0.span) = (["system"], .seconds(90)) }
    effects = try wakefulness.tick(60)
    #expect(wakefulness.inhibitors == [idle, sleep], "held on for the other without letting go")
    #expect(!effects.contains { if case .hold = $0 { true } else { false } })
    effects = try wakefulness.tick(90)
    #expect(effects.last == .hold([]))
  }

  @Test(
    "What is locked is a setting",
    arguments: [
      (.block, Settings.Awake.Sleep.delay, Settings.Awake.Lid.off, ["idle block", "sleep delay"]),
      (.block, .off, .off, ["idle block"]), (.off, .block, .off, ["sleep block"]),
      (.block, .block, .block, ["idle block", "sleep block", "handle-lid-switch block"]),
    ] as [(Settings.Awake.Idle, Settings.Awake.Sleep, Settings.Awake.Lid, [String])])
  func settings(
    _ idle: Settings.Awake.Idle, _ sleep: Settings.Awake.Sleep, _ lid: Settings.Awake.Lid,
    _ expected: [String]
  ) throws {
    var (wakefulness, _) = try world {
      ($0.awake.idle, $0.awake.sleep, $0.awake.lid) = (idle, sleep, lid)
    }
    _ = try wakefulness.take { $0.kinds = ["system"] }
    #expect(locks(wakefulness) == expected)
  }

  @Test(
    "On battery they go by awake.onBattery, and a machine that does not say counts as plugged in",
    arguments: [
      (Settings.Awake.OnBattery.yes, Power(isOnBattery: true, percent: 3), true),
      (.no, Power(isOnBattery: true, percent: 99), false),
      (.no, Power(isOnBattery: false), true), (.no, nil, true),
      (.above(30), Power(isOnBattery: true, percent: 30), true),
      (.above(30), Power(isOnBattery: true, percent: 29), false),
      (.above(30), Power(isOnBattery: true), false),
    ] as [(Settings.Awake.OnBattery, Power?, Bool)])
  func battery(_ setting: Settings.Awake.OnBattery, _ power: Power?, _ held: Bool) throws {
    var (wakefulness, surroundings) = try world { $0.awake.onBattery = setting }
    _ = try wakefulness.take { $0.kinds = ["system"] }
    surroundings.power = power
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(!wakefulness.inhibitors.isEmpty == held)
    #expect(wakefulness.leases.count == 1)
  }

  @Test("Music keeps the machine from idling only; a ring and a snooze from sleeping too")
  func own() throws {
    var (wakefulness, surroundings) = try world()
    surroundings.isPlaying = true
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block"])
    surroundings.isSnoozed = true
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block", "sleep block"])
    (surroundings.isPlaying, surroundings.isSnoozed) = (false, false)
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(wakefulness.inhibitors.isEmpty && wakefulness.leases.isEmpty)
    var settings = Settings()
    settings.awake.whilePlaying = false
    _ = try wakefulness.handle(.settings(settings), at: LeaseClock.now)
    surroundings.isPlaying = true
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(wakefulness.inhibitors.isEmpty)
  }

  @Test("Where nothing can wake the machine, sleep and the lid are blocked until the alarm if that is wished")
  func untilAlarm() throws {
    var (wakefulness, surroundings) = try world { $0.awake.untilAlarm = .block }
    surroundings.nextAlarm = (2, LeaseClock.now.wall + .seconds(30_000))
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(wakefulness.inhibitors.isEmpty)
    surroundings.canWake = false
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["sleep block", "handle-lid-switch block"])
    #expect(!wakefulness.isKeptAlive, "the audio device need not be awake all night")
  }

  @Test("Woken with its lid closed, it is kept from falling asleep again until what rings was dealt with")
  func lidClosed() throws {
    var (wakefulness, surroundings) = try world()
    surroundings.nextAlarm = (2, LeaseClock.now.wall + .seconds(120))
    surroundings.isLidClosed = true
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block", "sleep block"])
    _ = try wakefulness.tick(60)
    #expect(locks(wakefulness) == ["idle block", "sleep block", "handle-lid-switch block"])
    (surroundings.isRinging, surroundings.nextAlarm) = (true, nil)
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.later(120))
    #expect(locks(wakefulness).contains("handle-lid-switch block"))
    // Snoozed, it may sleep until it is woken again, as far as its lid goes.
    (surroundings.isRinging, surroundings.isSnoozed) = (false, true)
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.later(130))
    #expect(locks(wakefulness) == ["idle block", "sleep block"])
    (surroundings.isRinging, surroundings.isLidClosed) = (true, false)
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.later(140))
    #expect(locks(wakefulness) == ["idle block", "sleep block"])
  }

  @Test("Delayed sleep is no use to what rings or is snoozed, so it is blocked then; off is off")
  func ringBlocks() throws {
    var (wakefulness, surroundings) = try world { $0.awake.sleep = .delay }
    surroundings.isRinging = true
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block", "sleep block"])
    var settings = Settings()
    (settings.awake.sleep, settings.awake.untilAlarm) = (.off, .block)
    _ = try wakefulness.handle(.settings(settings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block"])
    surroundings.nextAlarm = (2, LeaseClock.now.wall + .seconds(30_000))
    surroundings.canWake = false
    _ = try wakefulness.handle(.surroundings(surroundings), at: LeaseClock.now)
    #expect(locks(wakefulness) == ["idle block", "sleep block", "handle-lid-switch block"])
  }
}
