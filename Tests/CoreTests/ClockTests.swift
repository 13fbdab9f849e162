import Core
import Schedule
import Testing

@Suite("Clocks that were wrong")
struct ClockTests {
  let evening = Rule.every(.daily, clock(23, 30))
  let seven = Rule.every(.daily, clock(7))

  /// From 1970 to today, as a machine without a battery does it at each start.
  private func in1970(_ world: inout World, _ way: Way, _ body: (inout World) -> Void = { _ in }) {
    let gone = world.wall - Instant(seconds: 3600)
    func back(_ span: Duration) -> Duration { gone + span }
    switch way {
    case .set:
      world.setClock(by: .zero - gone)
      body(&world)
      world.pass(.seconds(30))
      world.setClock(by: back(.zero))
    case .restarts(let reboot):
      world.kill(away: .seconds(5), reboot: reboot, clockStep: .zero - gone)
      body(&world)
      world.pass(.seconds(30))
      world.kill(away: .seconds(5), reboot: reboot, clockStep: back(.zero))
    }
  }

  enum Way: Sendable { case set, restarts(reboot: Bool) }

  @Test(
    "A run with the clock in 1970 spends no --count, and nothing due before an alarm existed is judged",
    arguments: [Way.set, .restarts(reboot: false), .restarts(reboot: true)])
  func spendsNothing(way: Way) {
    var world = World("2026-11-30T14:03:00+01:00")
    world.add(evening) { $0.count = 3 }
    world.add(.every(.weekly([.monday, .tuesday, .wednesday, .thursday, .friday]), clock(6, 45)))
    in1970(&world, way)
    #expect(world.ends.isEmpty)
    #expect(world.book.inbox.isEmpty)
    world.pass(.seconds(4 * 86_400))
    let rang = world.begun.filter { $0.id.alarm == 1 && $0.id.date.description >= "2026" }.map(\.id.date)
    #expect(Set(rang) == [date("2026-11-30"), date("2026-12-01"), date("2026-12-02")])
    #expect(world.book.alarm(1)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "Of an alarm that rang for weeks a run with the clock in 1970 repeats nothing and counts nothing twice",
    arguments: [Way.set, .restarts(reboot: false), .restarts(reboot: true)])
  func oldAlarm(way: Way) {
    var world = World("2026-11-01T14:03:00+01:00")
    world.add(seven) { $0.count = 40 }
    world.add(.once(date("2026-11-20"), clock(8), clockAlone: false))
    for _ in 1...29 {
      world.pass(.seconds(86_400))
      world.send(.stopRinging())
    }
    let (ends, begun) = (world.ends, world.begun.count)
    in1970(&world, way)
    #expect(world.ends == ends)
    #expect(world.begun.count == begun)
    #expect(world.book.alarm(1)?.counted == 29)
    #expect(world.book.alarm(2)?.isSpent == true)
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "An alarm that was made, moved or switched on lately is not judged for what it would have been before",
    arguments: [Way.set, .restarts(reboot: false), .restarts(reboot: true)])
  func changedAlarm(way: Way) {
    var world = World("2026-09-01T14:03:00+02:00")
    world.add(seven) { $0.count = 5 }
    world.add(seven)
    world.send(.setEnabled([1], false))
    world.pass(.seconds(60 * 86_400))
    world.send(.stopRinging())
    world.send(.setEnabled([1], true))
    world.send(.edit(2, AlarmDraft(rule: .every(.daily, clock(12)))))
    let ends = world.ends.count
    in1970(&world, way)
    #expect(world.ends.count == ends)
    #expect(world.book.alarm(1)?.counted == 0)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "An alarm that was made while the clock was in 1970 begins when it is right; what comes once is told",
    arguments: [Way.set, .restarts(reboot: false), .restarts(reboot: true)], [false, true])
  func madeIn1970(way: Way, isFirst: Bool) {
    var world = World("2026-11-30T14:03:00+01:00")
    if !isFirst { world.add(.every(.daily, clock(5))) }
    in1970(&world, way) {
      $0.add(evening) { $0.count = 3 }
      $0.add(.once(date("1970-01-02"), clock(8), clockAlone: true))
    }
    let (id, once) = isFirst ? (1, 2) : (2, 3)
    let reason = if case .restarts(true) = way { "away" } else { "clockSet" }
    #expect(world.ends == ["\(once)@1970-01-02.1 missed \(reason)"])
    #expect(world.book.alarm(id)?.counted == 0)
    #expect(world.book.nextDue(of: id, at: world.now)?.date == date("2026-11-30"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "A run with the clock in 2036 takes nothing from a count, when it is right again",
    arguments: [false, true])
  func in2036(restarts: Bool) {
    var world = World("2026-11-01T14:03:00+01:00")
    world.add(seven) { $0.count = 300 }
    world.pass(.seconds(86_400))
    world.send(.stopRinging())
    let inbox = world.book.inbox
    let step = Duration.seconds(300_000_000)
    if restarts { world.kill(away: .seconds(5), clockStep: step) } else { world.setClock(by: step) }
    world.pass(.seconds(30))
    world.setClock(by: .zero - step)
    #expect(world.book.alarm(1)?.counted == 1)
    #expect(world.book.inbox == inbox)
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-11-03"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("What a set clock or another zone made pass while no engine ran is told as such")
  func reasonsAway() {
    var world = World("2026-11-30T14:58:00+01:00")
    world.add(.once(date("2026-11-30"), clock(15), clockAlone: false))
    world.add(.every(.daily, clock(16)))
    world.kill(away: .seconds(1), clockStep: .seconds(7200))
    #expect(
      world.ends == ["1@2026-11-30.1 missed clockSet", "2@2026-11-30.1 missed clockSet"])

    var moved = World("2026-11-30T13:58:00+01:00")
    moved.add(.once(date("2026-11-30"), clock(15), clockAlone: false))
    moved.add(.every(.daily, clock(13, 59)))
    moved.zone = Zone("Asia/Tokyo") ?? .utc
    moved.kill(away: .seconds(1))
    #expect(
      moved.ends.sorted() == ["1@2026-11-30.1 missed zoneChanged", "2@2026-11-30.1 missed zoneChanged"])
    #expect(world.broken.isEmpty && moved.broken.isEmpty, "\(world.broken) \(moved.broken)")
  }

  @Test(
    "Stopped over its instant with its output it rings late or is missed; where only the loop hung it was on time"
  )
  func stoppedAhead() {
    var settings = Settings()
    settings.alarm.lateWithin = .seconds(5)
    for (span, isStopped, expected) in [
      (4, true, "late"), (13, true, "missed"), (4, false, "rang"), (13, false, "rang"),
    ] {
      var world = World("2026-11-30T06:59:00+01:00", settings: settings)
      world.add(seven)
      world.pass(.seconds(59))
      #expect(!world.prepared.isEmpty)
      if isStopped { world.stop(.seconds(span)) } else { world.hang(.seconds(span)) }
      let line = world.story.last { [.late, .missed, .rang].contains($0.kind) }
      #expect(line?.kind.rawValue == expected)
      #expect((line?.text == StoryLine.stopped) == isStopped)
      #expect(world.book.ringing.first?.late == (expected == "late" ? .seconds(3) : nil))
      if expected == "rang" { #expect(line?.at.iso(in: .utc) == "2026-11-30T06:00:00+00:00") }
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test("So is a snooze's end")
  func stoppedAheadOfSnooze() {
    var settings = Settings()
    settings.alarm.lateWithin = .seconds(5)
    for (span, isStopped, expected) in [(4, true, "late"), (13, true, "missed"), (13, false, "again")] {
      var world = World("2026-11-30T06:59:00+01:00", settings: settings)
      world.add(seven)
      world.pass(.seconds(60))
      world.send(.snooze(id: nil, span: .seconds(60)))
      world.pass(.seconds(59))
      if isStopped { world.stop(.seconds(span)) } else { world.hang(.seconds(span)) }
      #expect(world.story.last { [.late, .missed, .again].contains($0.kind) }?.kind.rawValue == expected)
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test("Rehearsals push no end out of what is remembered: what was heard does not ring again")
  func rehearsals() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(61))
    world.send(.dismiss(id: nil))
    for _ in 0..<(AlarmBook.remembered + 1) {
      world.send(.rehearse(1))
      world.send(.dismiss(id: nil))
    }
    world.setClock(by: .seconds(-30))
    world.pass(.seconds(600))
    #expect(world.begun.filter { $0.id.rehearsal == 0 }.count == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }
}
