import Core
import Schedule
import Testing

/// Clocks that start on 15 January 2027 at 08:00 UTC.
enum LeaseClock {
  static let now = Moment(wall: Instant(seconds: 1_800_000_000), boot: 0, bootID: "a", zone: .utc)

  static func later(_ seconds: Double, bootID: String = "a") -> Moment {
    let span = Duration.seconds(seconds)
    return Moment(
      wall: now.wall + span, boot: bootID == "a" ? span.microseconds : 7, bootID: bootID, zone: .utc)
  }
}

extension Wakefulness {
  mutating func take(_ change: (inout LeaseRequest) -> Void = { _ in }) throws -> [Effect] {
    var request = LeaseRequest()
    change(&request)
    return try handle(.take(request), at: LeaseClock.now)
  }

  mutating func tick(_ seconds: Double) throws -> [Effect] {
    try handle(.tick, at: LeaseClock.later(seconds))
  }
}

@Suite("Wakefulness")
struct WakefulnessTests {
  let now = LeaseClock.now

  @Test(
    "The keep-alive goes by when it is set, and says why",
    arguments: [
      (Settings.KeepAlive.When.alarm, 901, false, false, nil),
      (.alarm, 900, false, false, "alarm 3 is due at 08:15"),
      (.alarm, 9000, true, false, "a track is loaded"),
      (.alarm, 9000, false, true, "an alarm rings"),
      (.lease, 10, true, true, nil),
      (.always, 9000, false, false, "it is set to be always on"),
    ] as [(Settings.KeepAlive.When, Int, Bool, Bool, String?)])
  func reasons(when: Settings.KeepAlive.When, seconds: Int, track: Bool, rings: Bool, why: String?) throws {
    var settings = Settings()
    settings.keepAlive.when = when
    var wakefulness = Wakefulness(settings: settings)
    var surroundings = Wakefulness.Surroundings()
    surroundings.nextAlarm = (3, now.wall + .seconds(seconds))
    (surroundings.hasTrack, surroundings.isRinging) = (track, rings)
    let effects = try wakefulness.handle(.surroundings(surroundings), at: now)
    #expect(wakefulness.why == why)
    #expect(
      effects.filter { if case .hold = $0 { false } else { true } }
        == (why == nil ? [] : [.keepAlive(true, why: why)]))
    #expect(try wakefulness.handle(.tick, at: now) == [], "said once")
  }

  @Test("Before an alarm the engine holds a lease of its own until it rings, which nobody else can end")
  func beforeAlarm() throws {
    var wakefulness = Wakefulness()
    var surroundings = Wakefulness.Surroundings()
    surroundings.nextAlarm = (3, now.wall + .seconds(899))
    _ = try wakefulness.handle(.surroundings(surroundings), at: now)
    let lease = try #require(wakefulness.leases.first)
    #expect(lease.owner == "engine" && lease.kinds == ["audio", "system"])
    #expect(lease.until == Deadline(wall: now.wall + .seconds(899)))
    #expect(
      throws: Refusal(
        "lease 1 is the engine's own (alarm 3 is due at 08:14:59); it ends with what it is held for")
    ) { try wakefulness.handle(.release(id: 1), at: now) }
    _ = try wakefulness.handle(.release(id: nil), at: now)
    #expect(wakefulness.leases == [lease])
    #expect(wakefulness.lasting.isEmpty, "it is not stored")
    // The end of a snooze trembles by microseconds; its lease does not.
    surroundings.nextAlarm = (3, now.wall + .seconds(899) + .microseconds(3))
    #expect(try wakefulness.handle(.surroundings(surroundings), at: now) == [])
    #expect(wakefulness.leases == [lease])
    surroundings.nextAlarm = nil
    #expect(
      try wakefulness.handle(.surroundings(surroundings), at: now) == [
        .keepAlive(false, why: nil), .hold([]),
      ])
    #expect(wakefulness.leases.isEmpty)
  }

  @Test("In the background first the short lease, then the silent clip; a screen ends what only it needed")
  func background() throws {
    var wakefulness = Wakefulness()
    var surroundings = Wakefulness.Surroundings()
    (surroundings.hasTrack, surroundings.hasScreen) = (true, true)
    _ = try wakefulness.handle(.surroundings(surroundings), at: now)
    #expect(wakefulness.leases.isEmpty && wakefulness.why == "a track is loaded")
    surroundings.hasScreen = false
    var effects = try wakefulness.handle(.surroundings(surroundings), at: now)
    #expect(wakefulness.why == "a track is loaded and no screen is open")
    #expect(wakefulness.leases.map(\.renewalsLeft) == [5])
    // Half a minute and five times as much again; the device is never let go of.
    for second in stride(from: 0.5, to: 180, by: 0.5) {
      effects = try wakefulness.tick(second)
      #expect(wakefulness.leases.count == 1 && wakefulness.isKeptAlive, "after \(second) s")
    }
    effects = try wakefulness.tick(180)
    #expect(effects.contains(.keepAlive(true, why: "a track is loaded")))
    #expect(effects.contains { if case .expired(_, .time) = $0 { true } else { false } })
    #expect(wakefulness.leases.isEmpty)
    // Going again, and coming back at once.
    for hasScreen in [true, false] {
      surroundings.hasScreen = hasScreen
      _ = try wakefulness.handle(.surroundings(surroundings), at: now)
      #expect(wakefulness.leases.count == (hasScreen ? 0 : 1))
    }
    surroundings.hasScreen = true
    #expect(
      try wakefulness.handle(.surroundings(surroundings), at: now)
        == [.armLease(nil), .keepAlive(true, why: "a track is loaded")])
  }
}

@Suite("Leases")
struct LeaseTests {
  let now = LeaseClock.now

  @Test("A lease lasts an hour unless said, holds in each setting, and expires to the moment")
  func lease() throws {
    var settings = Settings()
    settings.keepAlive.when = .lease
    var wakefulness = Wakefulness(settings: settings)
    var effects = try wakefulness.take { $0.reason = "a talk" }
    #expect(effects.contains(.keepAlive(true, why: "a lease of person: a talk")))
    #expect(wakefulness.leases.map(\.until) == [Deadline(.seconds(3600), after: now)])
    #expect(effects.contains(.armLease(Deadline(.seconds(3590), after: now))))
    effects = try wakefulness.tick(3590)
    #expect(effects == [.expiring(wakefulness.leases[0]), .armLease(Deadline(.seconds(3600), after: now))])
    #expect(try wakefulness.tick(3599.999) == [])
    effects = try wakefulness.tick(3600)
    #expect(effects.contains(.keepAlive(false, why: nil)))
    #expect(effects.contains(.armLease(nil)))
    #expect(wakefulness.leases.isEmpty)
  }

  @Test("At the end it is stored first, then the command is told once, then everything is released")
  func order() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { ($0.span, $0.then) = (.seconds(5), "echo") }
    #expect(wakefulness.leases[0].renewalsLeft == 0, "two hours are two hours")
    #expect(try wakefulness.tick(2.4) == [])
    let effects = try wakefulness.tick(2.5)
    let announced = wakefulness.leases[0]
    #expect(
      effects == [.expiring(announced), .armLease(announced.until)], "a short one half of its length before")
    #expect(
      try wakefulness.tick(5) == [
        .save([.leases([])]), .expired(announced, .time), .armLease(nil),
        .keepAlive(false, why: nil),
      ])
    #expect(try wakefulness.tick(6) == [])
  }

  @Test("Each is its owner's: they stack, and the end of one leaves the others")
  func stacked() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { $0.span = .seconds(60) }
    _ = try wakefulness.take { ($0.span, $0.owner) = (.seconds(120), "script") }
    _ = try wakefulness.take { $0.span = .seconds(30) }
    #expect(wakefulness.leases.map(\.id) == [1, 2, 3])
    _ = try wakefulness.handle(.release(id: 1), at: now)
    #expect(wakefulness.leases.map(\.id) == [2, 3])
    let effects = try wakefulness.tick(30)
    #expect(wakefulness.leases.map(\.owner) == ["script"])
    #expect(wakefulness.why == "a lease of script")
    #expect(!effects.contains { if case .keepAlive = $0 { true } else { false } }, "it was so before")
    _ = try wakefulness.tick(120)
    #expect(wakefulness.leases.isEmpty && !wakefulness.isKeptAlive)
  }

  @Test(
    "What ends with a process or connection renews itself when under ten seconds are left, up to the limit",
    arguments: [(3600.0, 10.0, 5), (3600, 10, 0), (3600, 10, 1)])
  func renewals(length: Double, notice: Double, limit: Int) throws {
    var settings = Settings()
    settings.awake.renewals = limit
    var wakefulness = Wakefulness(settings: settings)
    _ = try wakefulness.take { $0.connection = 9 }
    for taken in 0..<limit {
      let end = length * Double(taken + 1)
      _ = try wakefulness.tick(end - notice)
      #expect(wakefulness.leases.map(\.renewalsLeft) == [limit - taken])
      _ = try wakefulness.tick(end - notice + 0.001)
      #expect(wakefulness.leases.map(\.renewalsLeft) == [limit - taken - 1])
    }
    let end = length * Double(limit + 1)
    #expect(wakefulness.leases.map(\.until) == [Deadline(.seconds(end), after: now)])
    #expect(try wakefulness.tick(end - 1).contains { if case .expiring = $0 { true } else { false } })
    _ = try wakefulness.tick(end)
    #expect(wakefulness.leases.isEmpty)
  }

  @Test("A suspend over several lengths takes the renewals that were due in it and no more")
  func suspended() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { $0.connection = 9 }
    _ = try wakefulness.tick(9000)
    #expect(wakefulness.leases.map(\.renewalsLeft) == [3])
    #expect(wakefulness.leases.map(\.until) == [Deadline(.seconds(10_800), after: now)])
    _ = try wakefulness.tick(50_000)
    #expect(wakefulness.leases.isEmpty)
  }

  @Test("A person's renewal is always granted, from now on, and gives the automatic ones back")
  func personRenews() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { $0.connection = 9 }
    for second in stride(from: 3591.0, through: 18_000, by: 3600) { _ = try wakefulness.tick(second) }
    #expect(wakefulness.leases.map(\.renewalsLeft) == [0])
    _ = try wakefulness.handle(.renew(id: 1, span: nil), at: LeaseClock.later(21_599))
    #expect(wakefulness.leases.map(\.renewalsLeft) == [5])
    #expect(wakefulness.leases.map(\.until) == [Deadline(.seconds(3600), after: LeaseClock.later(21_599))])
    _ = try wakefulness.handle(.renew(id: 1, span: .seconds(20)), at: LeaseClock.later(21_600))
    #expect(wakefulness.leases.map(\.until) == [Deadline(.seconds(20), after: LeaseClock.later(21_600))])
    #expect(throws: Refusal("there is no lease 7; “alarm awake list” shows those there are")) {
      try wakefulness.handle(.renew(id: 7, span: nil), at: now)
    }
  }

  @Test("It ends with its process or connection, which counts as its end; what a person ends does not")
  func otherEnds() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { ($0.process, $0.then) = (LeaseProcess(id: 5, started: 1, bootID: "a"), "x") }
    _ = try wakefulness.take { ($0.connection, $0.then) = (4, "y") }
    _ = try wakefulness.take { ($0.span, $0.then) = (.seconds(9), "z") }
    let leases = wakefulness.leases
    #expect(wakefulness.lasting.map(\.id) == [1, 3], "a connection does not outlive the engine")
    #expect(
      try wakefulness.handle(.processEnded(lease: 1), at: now).contains(.expired(leases[0], .process)))
    #expect(
      try wakefulness.handle(.connectionClosed(4), at: now).contains(.expired(leases[1], .connection)))
    let effects = try wakefulness.handle(.release(id: 3), at: now)
    #expect(!effects.contains { if case .expired = $0 { true } else { false } })
    #expect(wakefulness.leases.isEmpty)
    #expect(try wakefulness.handle(.connectionClosed(4), at: now) == [])
  }

  @Test("A time of day moves with a clock that is set; a span does not")
  func wallClock() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { $0.until = now.wall + .seconds(600) }
    _ = try wakefulness.take { $0.span = .seconds(600) }
    var set = LeaseClock.later(10)
    set.wall = now.wall + .seconds(595)
    _ = try wakefulness.handle(.tick, at: set)
    #expect(wakefulness.leases.count == 2)
    set.wall = now.wall + .seconds(600)
    _ = try wakefulness.handle(.tick, at: set)
    #expect(wakefulness.leases.map(\.id) == [2])
    #expect(
      throws: Refusal(
        "that time has passed: give a coming one, as in “alarm awake --until 23:00”", aboutWords: true)
    ) { try wakefulness.take { $0.until = now.wall } }
  }

  @Test("A lease outlives a restart of the engine and of the machine, and ends when it would have")
  func restart() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.take { $0.span = .seconds(600) }
    for bootID in ["a", "b"] {
      var again = Wakefulness(leases: wakefulness.lasting)
      #expect(
        try again.handle(.loaded, at: LeaseClock.later(599, bootID: bootID)).contains(
          .keepAlive(true, why: "a lease of person")))
      var late = Wakefulness(leases: wakefulness.lasting)
      let effects = try late.handle(.loaded, at: LeaseClock.later(600, bootID: bootID))
      #expect(late.leases.isEmpty)
      #expect(effects.first == .save([.leases([])]))
      #expect(effects.contains { if case .expired(_, .time) = $0 { true } else { false } })
    }
  }

  @Test("There is room for so many leases and no more")
  func most() throws {
    var wakefulness = Wakefulness()
    for _ in 0..<Wakefulness.mostLeases { _ = try wakefulness.take() }
    #expect(throws: Refusal.self) { try wakefulness.take() }
    #expect(wakefulness.leases.count == Wakefulness.mostLeases)
  }
}
