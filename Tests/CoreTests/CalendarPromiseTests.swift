import Core
import Schedule
import Testing

@Suite("What an alarm promises: calendars and clocks")
struct CalendarPromiseTests {
  /// What rings in a stretch of time, each dismissed at once.
  private func rings(_ rule: Rule, in zone: String, from start: String, until end: String) -> [String] {
    var world = World(start, zone: zone)
    world.add(rule)
    guard let end = Instant(iso: end) else { return ["no instant: \(end)"] }
    while let next = world.book.nextDue(of: 1, at: world.now), next.instant <= end {
      world.pass(next.instant - world.wall)
      world.send(.stopRinging())
    }
    #expect(world.broken.isEmpty, "\(world.broken)")
    return world.begun.map { $0.wall.iso(in: world.zone) }
  }

  @Test(
    "The wall time does not exist (clocks go forward): it rings later by the length of the gap, on the next date if it comes to that, and never skips the day"
  )
  func gaps() {
    #expect(
      rings(
        .every(.daily, clock(2, 30)), in: "Europe/Berlin", from: "2027-03-27T12:00:00+01:00",
        until: "2027-03-29T12:00:00+02:00") == ["2027-03-28T03:30:00+02:00", "2027-03-29T02:30:00+02:00"])
    // Half an hour on Lord Howe.
    #expect(
      rings(
        .every(.daily, clock(2, 10)), in: "Australia/Lord_Howe", from: "2026-10-03T12:00:00+10:30",
        until: "2026-10-05T12:00:00+11:00") == ["2026-10-04T02:40:00+11:00", "2026-10-05T02:10:00+11:00"])
    // On the next date if it comes to that: Santiago leaves out the first hour of the day, Cairo too.
    #expect(
      rings(
        .every(.daily, clock(0, 30)), in: "America/Santiago", from: "2026-09-05T12:00:00-04:00",
        until: "2026-09-07T12:00:00-03:00") == ["2026-09-06T01:30:00-03:00", "2026-09-07T00:30:00-03:00"])
  }

  @Test("The wall time exists twice (clocks go back): the first, once")
  func overlap() {
    #expect(
      rings(
        .every(.daily, clock(1, 45)), in: "Australia/Lord_Howe", from: "2026-04-04T12:00:00+11:00",
        until: "2026-04-06T12:00:00+10:30") == ["2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"])
  }

  @Test("A whole calendar day does not exist: that occurrence is skipped")
  func missingDay() {
    #expect(
      rings(
        .every(.daily, clock(7)), in: "Pacific/Apia", from: "2011-12-28T12:00:00-10:00",
        until: "2012-01-01T12:00:00+14:00") == [
          "2011-12-29T07:00:00-10:00", "2011-12-31T07:00:00+14:00", "2012-01-01T07:00:00+14:00",
        ])
  }

  @Test("Day 31, 29 February: only in the months and years that have it")
  func shortMonths() {
    #expect(
      rings(
        .every(.monthDays([31]), clock(7)), in: "UTC", from: "2026-03-01T00:00:00Z",
        until: "2026-09-30T00:00:00Z"
      ).map { $0.prefix(10) } == ["2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31"])
    #expect(
      rings(
        .every(.yearly(month: 2, day: 29), clock(7)), in: "UTC", from: "2026-03-01T00:00:00Z",
        until: "2033-03-01T00:00:00Z"
      ).map { $0.prefix(10) } == ["2028-02-29", "2032-02-29"])
  }

  @Test("--until, --count: inclusive; every due occurrence counts, skipped and missed too")
  func ends() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(.every(.daily, clock(7))) { $0.until = date("2026-12-01") }
    world.add(.every(.daily, clock(8))) { $0.count = 2 }
    world.add(.every(.daily, clock(9))) { $0.count = 3 }
    world.send(.skip(.until(3, date("2026-12-01"))))
    world.sleep(.seconds(86_400))
    #expect(
      world.ends.sorted() == [
        "1@2026-11-30.1 missed asleep", "2@2026-11-30.1 missed asleep", "3@2026-11-30.1 skipped person",
      ])
    world.pass(until: "2026-12-05T06:00:00+01:00")
    #expect(
      Set(world.begun.map { "\($0.id.alarm) \($0.id.date)" })
        == ["1 2026-12-01", "2 2026-12-01", "3 2026-12-02"])
    #expect(world.book.all.map(\.isSpent) == [true, true, true])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("An engine that is stopped or hangs while the output holds the ring: it began on time by itself")
  func hangOverTheInstant() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.every(.daily, clock(7)))
    world.pass(.seconds(59))
    #expect(world.prepared.count == 1)
    world.hang(.seconds(11))
    #expect(world.book.ringing.first?.late == nil)
    #expect(world.book.ringing.first?.ringingSince?.iso(in: world.zone) == "2026-11-30T07:00:00+01:00")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("An engine that was stopped before the output held the ring was as good as away")
  func hangBefore() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(.every(.daily, clock(7)))
    world.hang(.seconds(720))
    #expect(world.book.ringing.first?.late == .seconds(120))
    #expect(world.book.ringing.first?.lateReason == .away)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "A suspend shortly before the instant is noticed by the clocks alone, and the ring is handed over anew")
  func suspendWhilePrepared() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.every(.daily, clock(7)))
    world.pass(.seconds(59))
    #expect(world.prepared.count == 1)
    world.sleep(.seconds(121))
    #expect(world.book.ringing.first?.late == .seconds(120))
    #expect(world.book.ringing.first?.lateReason == .asleep)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Ten minutes of sounding are ten minutes heard: what the machine slept meanwhile does not count")
  func silenceAfterSleep() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.every(.daily, clock(7)))
    world.pass(.seconds(60 + 300))
    world.sleep(.seconds(200))
    world.pass(.seconds(299))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    world.pass(.seconds(1))
    #expect(world.live == ["1@2026-11-30.1 snoozed"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }
}
