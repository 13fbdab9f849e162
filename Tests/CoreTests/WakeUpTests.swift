import Core
import Schedule
import Testing

@Suite("What wakes the machine")
struct WakeUpTests {
  let now = Instant(seconds: 1_800_000_000)
  private var ring: Instant { now + .seconds(3600) }
  private var goal: Instant { now + .seconds(3540) }

  @Test("The machine's own clock comes first, a minute ahead, and nothing else is asked where it works")
  func clock() {
    var wakeUp = WakeUp()
    #expect(wakeUp.handle(.ring(ring), at: now) == [.arm(.clock, goal)])
    #expect(!wakeUp.isSettled && wakeUp.armed == nil)
    #expect(wakeUp.handle(.armed(.clock, goal), at: now) == [])
    #expect(wakeUp.armed == WakeUp.Armed(by: .clock, at: goal) && wakeUp.isSettled)
    #expect(wakeUp.handle(.ring(ring + .milliseconds(3)), at: now) == [], "it trembles")
    let later = now + .seconds(7200)
    #expect(wakeUp.handle(.ring(later), at: now) == [.arm(.clock, later - .seconds(60))])
    #expect(wakeUp.armed?.at == goal, "until the new one holds")
    #expect(wakeUp.handle(.armed(.clock, goal), at: now) == [], "an answer to an old question")
    _ = wakeUp.handle(.armed(.clock, later - .seconds(60)), at: now)
    #expect(wakeUp.armed?.at == later - .seconds(60))
    #expect(wakeUp.handle(.ring(nil), at: now) == [.disarm(.clock)])
    #expect(wakeUp.armed == nil)
  }

  @Test(
    "Where it is refused systemd is asked, then the helper, and where that fails nothing works, until somebody else answers"
  )
  func fallsBack() {
    var wakeUp = WakeUp()
    _ = wakeUp.handle(.refused(.clock, why: "no clock", isLasting: true), at: now)
    #expect(!wakeUp.isImpossible)
    #expect(wakeUp.handle(.ring(ring), at: now) == [.arm(.systemd, goal)], "not asked again")
    #expect(
      wakeUp.handle(.refused(.systemd, why: "failed", isLasting: false), at: now) == [.arm(.helper, goal)])
    #expect(!wakeUp.isImpossible && !wakeUp.isSettled)
    #expect(wakeUp.handle(.refused(.helper, why: "no right", isLasting: true), at: now) == [])
    #expect(wakeUp.isImpossible && wakeUp.isSettled && wakeUp.armed == nil)
    #expect(wakeUp.refusals == [.clock: "no clock", .systemd: "failed", .helper: "no right"])
    // The next wake-up tries again what may have been a mishap.
    let later = goal + .seconds(600)
    #expect(wakeUp.handle(.ring(ring + .seconds(600)), at: now) == [.arm(.systemd, later)])
    #expect(wakeUp.isImpossible, "until it is known better")
    _ = wakeUp.handle(.armed(.systemd, later), at: now)
    #expect(wakeUp.armed == WakeUp.Armed(by: .systemd, at: later) && !wakeUp.isImpossible)
    // Another manager holds nothing for us, and is asked.
    #expect(wakeUp.handle(.changed(.systemd), at: now) == [.arm(.systemd, later)])
    #expect(wakeUp.armed == nil)
    _ = wakeUp.handle(.refused(.systemd, why: "252 is too old", isLasting: true), at: now)
    #expect(wakeUp.handle(.ring(ring), at: now) == [], "nobody is left to ask")
    #expect(wakeUp.isImpossible)
    #expect(wakeUp.handle(.changed(.systemd), at: now) == [.arm(.systemd, goal)])
  }

  @Test("What the helper held is lost with it, and a better way takes over at the next instant")
  func helper() {
    var wakeUp = WakeUp()
    for way in [WakeUp.Way.clock, .systemd] {
      _ = wakeUp.handle(.refused(way, why: "no", isLasting: true), at: now)
    }
    #expect(wakeUp.handle(.ring(ring), at: now) == [.arm(.helper, goal)])
    #expect(wakeUp.isAsked(.helper, for: goal) && !wakeUp.isAsked(.systemd, for: goal))
    #expect(!wakeUp.isAsked(.helper, for: ring))
    _ = wakeUp.handle(.armed(.helper, goal), at: now)
    #expect(wakeUp.armed == WakeUp.Armed(by: .helper, at: goal))
    #expect(!wakeUp.isAsked(.helper, for: goal))
    // It died.
    #expect(wakeUp.handle(.changed(.helper), at: now) == [.arm(.helper, goal)])
    #expect(wakeUp.handle(.refused(.helper, why: "it ended", isLasting: true), at: now) == [])
    #expect(wakeUp.isImpossible && wakeUp.armed == nil)
    #expect(wakeUp.handle(.changed(.helper), at: now) == [.arm(.helper, goal)])
    _ = wakeUp.handle(.armed(.helper, goal), at: now)
    #expect(wakeUp.handle(.changed(.systemd), at: now) == [], "what holds is held")
    let later = now + .seconds(7200)
    #expect(wakeUp.handle(.ring(later), at: now) == [.arm(.systemd, later - .seconds(60))])
    #expect(wakeUp.handle(.armed(.systemd, later - .seconds(60)), at: now) == [.disarm(.helper)])
  }

  @Test("What holds an old instant and cannot be had for the new one is let go")
  func letsGo() {
    var wakeUp = WakeUp()
    _ = wakeUp.handle(.refused(.clock, why: "no clock", isLasting: true), at: now)
    _ = wakeUp.handle(.ring(ring), at: now)
    _ = wakeUp.handle(.armed(.systemd, goal), at: now)
    #expect(wakeUp.handle(.ring(ring + .seconds(60)), at: now) == [.arm(.systemd, ring)])
    #expect(
      wakeUp.handle(.refused(.systemd, why: "no", isLasting: false), at: now) == [.arm(.helper, ring)])
    #expect(wakeUp.handle(.refused(.helper, why: "no", isLasting: false), at: now) == [.disarm(.systemd)])
    #expect(wakeUp.armed == nil)
  }

  @Test(
    "Woken a minute ahead it may be sent to sleep once more, so it is woken ten seconds ahead too, and not after",
    arguments: [(61, 1), (60, 50), (30, 20), (11, 1), (10, nil), (0, nil), (-5, nil)] as [(Int, Int?)])
  func leads(_ seconds: Int, _ expected: Int?) {
    var wakeUp = WakeUp()
    #expect(
      wakeUp.handle(.ring(now + .seconds(seconds)), at: now)
        == (expected.map { [.arm(.clock, now + .seconds($0))] } ?? []))
  }

  @Test("A clock that is set, and time that passes, choose anew")
  func timePasses() {
    var wakeUp = WakeUp()
    _ = wakeUp.handle(.ring(ring), at: now)
    _ = wakeUp.handle(.armed(.clock, goal), at: now)
    #expect(wakeUp.handle(.ring(ring), at: goal) == [.arm(.clock, ring - .seconds(10))])
    _ = wakeUp.handle(.armed(.clock, ring - .seconds(10)), at: goal)
    #expect(wakeUp.handle(.ring(ring), at: now) == [.arm(.clock, goal)], "the clock went back")
    #expect(wakeUp.handle(.ring(ring), at: ring) == [.disarm(.clock)])
    #expect(wakeUp.handle(.armed(.clock, goal), at: ring) == [], "too late")
  }
}
