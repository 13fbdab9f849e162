import Core
import Schedule
import Testing

@Suite("Skipping")
struct SkipTests {
  let seven = Rule.every(.daily, clock(7))

  @Test("Skip leaves out the next occurrence, and the one after it rings")
  func next() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.send(.skip(.next(1)))
    #expect(world.answers.last?.done == "alarm 1 skips Mon 30 Nov 07:00")
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.book.soonest(at: world.now)?.at.iso(in: world.zone) == "2026-12-01T07:00:00+01:00")
    world.pass(until: "2026-11-30T06:59:59+01:00")
    #expect(world.prepared.isEmpty)
    world.pass(.seconds(60))
    #expect(world.begun.isEmpty)
    #expect(world.ends == ["1@2026-11-30.1 skipped person"])
    world.pass(until: "2026-12-01T07:00:00+01:00")
    #expect(world.live == ["1@2026-12-01.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip again leaves out the one after it too; --off takes all of it back")
  func again() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(.every(.weekly([.monday, .thursday]), clock(7)))
    world.send(.skip(.next(1)))
    world.send(.skip(.next(1)))
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-07"))
    #expect(
      world.book.nextOccurrences(2, at: world.now).map(\.due.date) == [
        date("2026-12-07"), date("2026-12-10"),
      ])
    world.send(.skip(.off(1)))
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-11-30"))
    #expect(world.ask(.skip(.off(1))) == nil)
    #expect(world.answers.last?.done == "alarm 1 skips nothing")
    world.pass(until: "2026-11-30T07:00:00+01:00")
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip up to a date is inclusive, survives a restart, and each time ends as skipped, even while away")
  func holiday() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(9)))
    world.send(.skip(.until(1, date("2026-12-03"))))
    world.kill(away: .seconds(3600 + 86_400), reboot: true)
    #expect(
      world.ends.filter { $0.hasPrefix("1") } == [
        "1@2026-11-30.1 skipped person", "1@2026-12-01.1 skipped person",
      ])
    #expect(world.live.isEmpty)
    world.pass(until: "2026-12-03T07:30:00+01:00")
    #expect(!world.begun.contains { $0.id.alarm == 1 })
    world.send(.stopRinging())
    world.pass(until: "2026-12-04T07:00:00+01:00")
    #expect(world.book.ringing.map(\.id.description) == ["1@2026-12-04.1"])
    #expect(world.book.alarm(1)?.skips.count == 1, "kept for a clock that is set back")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip belongs to a local date; survives edits of clock, label and sound")
  func survivesEdits() {
    var world = World("2026-11-30T05:00:00+01:00")
    world.add(seven)
    world.send(.skip(.next(1)))
    var draft = AlarmDraft(rule: .every(.daily, clock(6)), label: "Other")
    draft.sound = "harp"
    world.send(.edit(1, draft))
    world.pass(until: "2026-11-30T12:00:00+01:00")
    #expect(world.ends == ["1@2026-11-30.2 skipped person"])
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip is gone with off or days that exclude it")
  func goneWithOff() {
    var world = World("2026-11-30T05:00:00+01:00")
    world.add(seven)
    world.add(seven)
    world.send(.skip(.next(1)))
    world.send(.setEnabled([1], false))
    world.send(.setEnabled([1], true))
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-11-30"))
    world.send(.skip(.next(2)))
    world.send(.edit(2, AlarmDraft(rule: .every(.weekly([.tuesday]), clock(7)))))
    world.send(.edit(2, AlarmDraft(rule: seven)))
    #expect(world.book.nextDue(of: 2, at: world.now)?.date == date("2026-11-30"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip is never for the one ringing: that rings on, and the next is left out")
  func notTheRinging() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    world.send(.skip(.next(1)))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-02"))
    world.send(.snooze(id: 1, span: .seconds(1)))
    world.pass(until: "2026-12-01T12:00:00+01:00")
    // It does not take over from one that still rings, for it does not ring.
    #expect(world.ends.sorted() == ["1@2026-11-30.1 missed unanswered", "1@2026-12-01.1 skipped person"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip on a one-shot and on a timer is off; one that is here already has nothing to skip")
  func oneShot() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.once(date("2026-11-30"), clock(8), clockAlone: true))
    world.send(.addTimer(.seconds(600), label: "tea"))
    world.add(.once(date("2026-11-30"), clock(7), clockAlone: true))
    world.send(.skip(.next(1)))
    #expect(world.book.alarm(1)?.isEnabled == false)
    #expect(
      world.answers.last?.done == "alarm 1 comes only once, so it is off; “alarm on 1” takes that back")
    world.send(.skip(.next(2)))
    #expect(world.book.alarm(2)?.isEnabled == false)
    world.pass(.seconds(60))
    #expect(
      world.ask(.skip(.next(3)))
        == "alarm 3 comes only once and is here already, so there is nothing to skip; end it with “alarm dismiss 3”"
    )
    #expect(world.live == ["3@2026-11-30.1 ringing"])
    #expect(
      world.ask(.skip(.next(1))) == "alarm 1 is off, so there is nothing to skip; “alarm on 1” switches it on"
    )
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Skip of all up to a date: repeating ones are silent, timers run on, what is added later rings")
  func all() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.every(.weekly([.sunday]), clock(7)))
    world.add(.once(date("2026-12-01"), clock(8), clockAlone: false))
    world.send(.addTimer(.seconds(7200), label: "tea"))
    world.send(.skip(.all(date("2026-12-02"))))
    #expect(world.answers.last?.done == "2 alarms skip every time up to and with 2026-12-02")
    #expect(world.answers.last?.alarms == [1, 3])
    world.add(.every(.daily, clock(9)))
    world.pass(until: "2026-11-30T08:00:00+01:00")
    #expect(world.book.ringing.map(\.alarm) == [4])
    world.send(.stopRinging())
    world.pass(until: "2026-12-03T06:00:00+01:00")
    #expect(Set(world.begun.map(\.id.alarm)) == [4, 5])
    world.send(.skip(.off(nil)))
    #expect(world.book.alarm(1)?.skips == [])
    #expect(
      world.ask(.skip(.until(2, date("2026-12-04"))))
        == "alarm 2 does not ring up to 2026-12-04, its next time is Sun 6 Dec 07:00; give a later date with --until"
    )
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A skipped occurrence counts: of three, one skipped, two ring")
  func counts() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven) { $0.count = 3 }
    world.send(.skip(.until(1, date("2026-12-01"))))
    #expect(world.book.nextOccurrences(9, at: world.now).map(\.due.date) == [date("2026-12-02")])
    world.pass(until: "2026-12-05T06:00:00+01:00")
    #expect(
      world.ends == [
        "1@2026-11-30.1 skipped person", "1@2026-12-01.1 skipped person", "1@2026-12-02.1 missed unanswered",
      ])
    #expect(world.book.alarm(1)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A clock set back before a skipped time skips it again")
  func setBack() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.send(.skip(.next(1)))
    world.pass(until: "2026-11-30T08:00:00+01:00")
    world.setClock(to: "2026-11-30T06:30:00+01:00")
    world.pass(until: "2026-11-30T08:00:00+01:00")
    #expect(world.begun.isEmpty)
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }
}
