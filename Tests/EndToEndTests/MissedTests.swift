import Harness
import Testing
import Wire

@Suite("Late, missed and stopped in between", .serialized)
struct MissedTests {
  private func stop(_ world: World) throws {
    try world.must("engine", "stop")
    try wait(until: "the end of every process") { world.processes().isEmpty }
  }

  @Test("An alarm that came due while no engine ran, too long ago, says that it was missed and why")
  func missedAway() throws {
    let world = try World(settings: #"{ alarm: { lateWithin: "1 s" } }"#)
    try world.must("add", "+2s", "--label", "Gone")
    let due = try microseconds(world.list().first?.next)
    try stop(world)
    try wait(until: "the alarm to be too late") { wallMicroseconds() > due + 2_500_000 }
    let alarm = try #require(try world.list().first)
    #expect(alarm.missed?.reason == "away")
    #expect(try world.must("list").contains("missed"))
    #expect(try world.must("show", "1").contains("the engine was not running"))
  }

  @Test("An alarm that nobody answers snoozes by itself as often as is set, and is then missed, unanswered")
  func missedUnanswered() throws {
    let world = try World(
      settings: #"{ alarm: { silenceAfter: "1 s", unanswered: 1, snooze: "1 s" } }"#)
    try world.must("add", "+1s")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try world.waitForStatus("the snooze") { !$0.snoozed.isEmpty }
    try world.waitForStatus("the second ring") { !$0.ringing.isEmpty }
    let alarm = try wait(for: "the miss") { try world.list().first { $0.missed != nil } }
    #expect(alarm.missed?.reason == "unanswered")
    #expect(alarm.state == "off")
  }

  @Test("An engine that was stopped in order just before a ring plays the chosen sound at the next start")
  func stoppedBeforeRing() throws {
    let world = try World(sound: .pulse)
    let tone = try world.makeTone()
    // Within the two seconds in which the output already holds the ring.
    try world.must("add", "+2s", "--sound", tone)
    let due = try microseconds(world.list().first?.next)
    try stop(world)
    try wait(until: "the instant to have passed") { wallMicroseconds() > due + 3_200_000 }
    try world.must("engine", "start")
    let status = try world.waitForStatus("the sound") { $0.ringing.first?.sound == tone }
    let notes = status.ringing.first?.notes ?? []
    #expect(!notes.contains { $0.contains("died") }, "\(notes)")
    #expect(notes.contains { $0.contains("late") }, "\(notes)")
    try world.must("stop")
  }

  @Test("A snoozed alarm says when it rings again, although its rule is spent")
  func snoozedSaysWhen() throws {
    let world = try World()
    try world.must("add", "+1s")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try world.must("snooze", "20m")
    let alarm = try #require(try world.list().first)
    #expect(alarm.state == "snoozed")
    let seconds = try #require(alarm.inSeconds)
    #expect(seconds > 1100 && seconds <= 1201)
  }
}
