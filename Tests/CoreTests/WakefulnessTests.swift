import Core
import Schedule
import Testing

@Suite("Wakefulness")
struct WakefulnessTests {
  var now = Moment(wall: Instant(seconds: 1_800_000_000), boot: 0, bootID: "a", zone: .utc)

  func later(_ seconds: Int, bootID: String = "a") -> Moment {
    Moment(
      wall: now.wall + .seconds(seconds), boot: bootID == "a" ? Int64(seconds) * 1_000_000 : 7,
      bootID: bootID,
      zone: .utc)
  }

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
    #expect(effects == (why == nil ? [] : [.keepAlive(true, why: why)]))
    #expect(try wakefulness.handle(.tick, at: now) == [], "said once")
  }

  @Test("A lease lasts an hour unless said, holds in each setting, is renewed from now, and expires")
  func lease() throws {
    var settings = Settings()
    settings.keepAlive.when = .lease
    var wakefulness = Wakefulness(settings: settings)
    var effects = try wakefulness.handle(.take(span: nil, reason: "a talk"), at: now)
    #expect(effects.contains(.keepAlive(true, why: "a lease of person: a talk")))
    #expect(effects.contains(.armLease(Deadline(.seconds(3600), after: now))))
    _ = try wakefulness.handle(.take(span: .seconds(60), reason: nil), at: later(10))
    #expect(wakefulness.leases.map(\.id) == [1])
    #expect(try wakefulness.handle(.tick, at: later(69)) == [])
    effects = try wakefulness.handle(.tick, at: later(70))
    #expect(effects.contains(.keepAlive(false, why: nil)))
    #expect(effects.contains(.armLease(nil)))
    #expect(wakefulness.leases.isEmpty)
  }

  @Test("A lease outlives a restart of the engine and of the machine, and ends when it would have")
  func restart() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.handle(.take(span: .seconds(600), reason: nil), at: now)
    for bootID in ["a", "b"] {
      var again = Wakefulness(leases: wakefulness.leases)
      #expect(
        try again.handle(.loaded, at: later(599, bootID: bootID)).contains(
          .keepAlive(true, why: "a lease of person")))
      var late = Wakefulness(leases: wakefulness.leases)
      _ = try late.handle(.loaded, at: later(600, bootID: bootID))
      #expect(late.leases.isEmpty)
    }
  }

  @Test("Off ends it; a lease there is not is refused")
  func release() throws {
    var wakefulness = Wakefulness()
    _ = try wakefulness.handle(.take(span: nil, reason: nil), at: now)
    #expect(throws: Refusal("there is no lease 9; “alarm awake list” shows those there are")) {
      try wakefulness.handle(.release(id: 9), at: now)
    }
    #expect(try wakefulness.handle(.release(id: nil), at: now).contains(.keepAlive(false, why: nil)))
  }
}
