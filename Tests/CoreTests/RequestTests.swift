import Core
import Schedule
import Testing

@Suite("What a person asks of the alarms")
struct RequestTests {
  let seven = Rule.every(.daily, clock(7))

  @Test(
    "A one-shot has rung: it stays in the list, off; on schedules the next such time if it was a clock alone, else it is refused"
  )
  func oneShot() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.once(date("2026-11-30"), clock(7), clockAlone: true))
    world.add(.once(date("2026-11-30"), clock(7), clockAlone: false))
    world.pass(.seconds(60))
    #expect(world.book.all.map(\.isSpent) == [true, true])
    world.send(.stopRinging())
    world.send(.setEnabled([1], true))
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.book.alarm(1)?.version == 2)
    #expect(
      world.ask(.setEnabled([2], true))
        == "alarm 2 (2026-11-30 07:00) has no time left at which it could ring; give it one with “alarm edit 2 WHEN”"
    )
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "Edited while ringing or snoozed: a new time or new days, off and remove silence it at once (dismissed, edited); its story stays",
    arguments: [false, true])
  func editedWhileRinging(isSnoozed: Bool) {
    let deeds: [AlarmBook.Event] = [
      .edit(1, AlarmDraft(rule: .every(.daily, clock(8)))),
      .edit(1, AlarmDraft(rule: .every(.weekly([.sunday]), clock(7)))), .setEnabled([1], false),
      .remove([1]),
    ]
    for deed in deeds {
      var world = World("2026-11-30T06:59:00+01:00")
      world.add(seven)
      world.pass(.seconds(60))
      if isSnoozed { world.send(.snooze(id: nil, span: .seconds(600))) }
      world.send(deed)
      #expect(world.live.isEmpty)
      #expect(world.ends == ["1@2026-11-30.1 dismissed edited"])
      #expect(world.story.map(\.kind).suffix(2) == [isSnoozed ? .snoozed : .rang, .edited])
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test("Edited while ringing or snoozed: label, sound and volume change at once, and it rings on")
  func labelWhileRinging() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    var draft = try #require(world.book.alarm(1)?.draft)
    (draft.label, draft.volume) = ("Up", 30)
    let effects = try world.book.handle(.edit(1, draft), at: world.now)
    let changed = effects.compactMap { if case .changeRing(let ring) = $0 { ring } else { nil } }
    #expect(changed.map(\.label) == ["Up"])
    #expect(changed.map(\.volume) == [30])
    #expect(changed.map(\.sounding) == [true])
    #expect(world.live == ["1@2026-11-30.1 ringing"])
  }

  @Test("Undo brings back what was last removed or edited, the last first")
  func undo() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven) { $0.label = "Up" }
    world.send(.edit(1, AlarmDraft(rule: .every(.daily, clock(8)))))
    world.send(.remove([1]))
    #expect(world.book.count == 0)
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: removal of alarm 1")
    #expect(world.book.alarm(1)?.rule == .every(.daily, clock(8)))
    world.send(.undo)
    #expect(world.book.alarm(1)?.rule == seven)
    #expect(world.book.alarm(1)?.label == "Up")
    #expect(world.book.alarm(1)?.version == 3)
    #expect(world.ask(.undo)?.hasPrefix("there is nothing to undo") == true)
    world.pass(.seconds(3600))
    #expect(world.live == ["1@2026-11-30.3 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Undo switches on what was switched off, and the other way round, with what was skipped")
  func undoSwitches() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(8)))
    world.send(.skip(.next(1)))
    world.send(.setEnabled([1, 2], false))
    // Nothing is another by that.
    world.send(.setEnabled([1], false))
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: switching off of alarms 1, 2")
    #expect(world.book.all.map(\.isEnabled) == [true, true])
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"), "the skip is there again")
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: skip of alarm 1")
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-11-30"))
    world.send(.setEnabled([2], false))
    world.send(.setEnabled([2], true))
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: switching on of alarm 2")
    #expect(world.book.alarm(2)?.isEnabled == false)
    world.send(.undo)
    #expect(world.book.alarm(2)?.isEnabled == true)
    world.pass(.seconds(7200))
    #expect(Set(world.begun.map(\.id.alarm)) == [1, 2])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "Undo of a skip of all alarms, of a one-shot's and of a skip's end; what comes meanwhile is not undone")
  func undoSkips() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.once(date("2026-12-01"), clock(8), clockAlone: true))
    world.send(.skip(.all(date("2026-12-02"))))
    world.send(.skip(.off(nil)))
    #expect(world.book.alarm(1)?.skips == [])
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: end of the skip of alarm 1")
    world.pass(.seconds(7200))
    #expect(world.begun.isEmpty)
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: skip of alarms 1, 2")
    #expect(world.book.alarm(2)?.isEnabled == true && world.book.alarm(1)?.skips == [])
    #expect(world.ends == ["1@2026-11-30.1 skipped person"])
    world.pass(until: "2026-12-01T07:30:00+01:00")
    world.send(.stopRinging())
    world.send(.setEnabled([2], false))
    world.pass(.seconds(3600))
    world.send(.undo)
    #expect(
      world.book.alarm(2)?.isEnabled == false && world.book.alarm(2)?.isSpent == true, "its time is over")
    world.send(.setEnabled([2], true))
    #expect(world.book.nextDue(of: 2, at: world.now)?.date == date("2026-12-02"))
    world.send(.undo)
    #expect(world.book.alarm(2)?.rule == .once(date("2026-12-01"), clock(8), clockAlone: true))
    #expect(world.book.alarm(2)?.isEnabled == false && world.book.alarm(2)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Undo of “on” silences what rings by it; an alarm that is gone meanwhile stays so")
  func undoWhileRinging() {
    var world = World("2026-11-30T06:00:00+01:00")
    for _ in 0..<2 { world.add(seven) }
    world.send(.setEnabled([1, 2], false))
    world.send(.setEnabled([1, 2], true))
    world.pass(.seconds(3600))
    #expect(world.live == ["2@2026-11-30.1 ringing", "1@2026-11-30.1 ringing"])
    for _ in 0..<16 { world.send(.edit(1, AlarmDraft(rule: seven))) }
    world.send(.remove([2]))
    for _ in 0..<16 { world.send(.undo) }
    #expect(world.ask(.undo)?.hasPrefix("there is nothing to undo") == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
    world = World("2026-11-30T06:00:00+01:00")
    for _ in 0..<2 { world.add(seven) }
    world.send(.setEnabled([1, 2], false))
    world.send(.setEnabled([1, 2], true))
    world.pass(.seconds(3600))
    world.send(.undo)
    #expect(world.live.isEmpty)
    #expect(world.ends == ["1@2026-11-30.1 dismissed edited", "2@2026-11-30.1 dismissed edited"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Undo of what ended a snooze brings it back, and takes back nothing older without a word")
  func undoEndOfSnooze() {
    var world = World("2026-11-30T06:00:00+01:00")
    for _ in 0..<2 { world.add(.every(.daily, clock(9))) }
    world.send(.remove([2]))
    world.add(.timer(.seconds(3)))
    world.pass(.seconds(3))
    world.send(.snooze(id: 3, span: .seconds(300)))
    world.send(.setEnabled([3], false))
    #expect(world.live.isEmpty)
    world.pass(.seconds(60))
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: switching off of alarm 3; snoozed again: alarm 3")
    #expect(world.live == ["3@2026-11-30.1 snoozed"])
    #expect(world.book.alarm(2) == nil)
    world.pass(.seconds(240))
    #expect(world.live == ["3@2026-11-30.1 ringing"], "at the end it had")
    world.send(.setEnabled([3], false))
    world.send(.undo)
    #expect(
      world.answers.last?.done
        == "undone: switching off of alarm 3; what rang or was snoozed of alarm 3 stays ended")
    #expect(world.live.isEmpty && world.book.alarm(2) == nil)
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: removal of alarm 2")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A snooze comes back with its alarm that was removed or switched off, while it is ahead")
  func undoSnoozed() {
    var world = World("2026-11-30T06:00:00+01:00")
    for _ in 0..<2 { world.add(seven) }
    world.pass(.seconds(3600))
    world.send(.snooze(id: 1, span: .seconds(600)))
    world.send(.snooze(id: 2, span: .seconds(60)))
    world.send(.remove([1, 2]))
    world.pass(.seconds(120))
    world.send(.undo)
    #expect(
      world.answers.last?.done
        == "undone: removal of alarms 1, 2; snoozed again: alarm 1; what rang or was snoozed of alarm 2 stays ended"
    )
    world.send(.setEnabled([1], false))
    world.send(.undo)
    #expect(world.live == ["1@2026-11-30.1 snoozed"])
    world.send(.setEnabled([1], false))
    // The disk takes it not: it stays undoable.
    world.isDiskFull = true
    #expect(world.ask(.undo) == "the disk is full")
    #expect(world.live.isEmpty)
    world.isDiskFull = false
    world.send(.undo)
    #expect(world.answers.last?.done == "undone: switching off of alarm 1; snoozed again: alarm 1")
    world.kill(away: .seconds(1))
    #expect(world.live == ["1@2026-11-30.1 snoozed"], "it is stored")
    world.pass(.seconds(479))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    world.send(.edit(1, AlarmDraft(rule: .every(.daily, clock(8)))))
    world.send(.undo)
    #expect(
      world.answers.last?.done
        == "undone: edit of alarm 1; what rang or was snoozed of alarm 1 stays ended")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A bare number to snooze by is answered with the minutes that were meant, while something rings")
  func bareNumber() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(8)))
    #expect(world.ask(.snooze(id: 2, span: nil, by: .commandLine))?.contains("alarm skip 2") == true)
    world.pass(.seconds(60))
    #expect(
      world.ask(.snooze(id: 2, span: nil, by: .commandLine))
        == "alarm 2 neither rings nor is snoozed; to snooze what rings for 2 min say “alarm snooze 2m”")
    #expect(
      world.ask(.snooze(id: 5, span: nil, by: .commandLine))
        == "there is no alarm 5; to snooze what rings for 5 min say “alarm snooze 5m”")
  }

  @Test("Undoing a label does not undo what became of the alarm meanwhile")
  func undoLabel() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.count = 2 }
    world.send(.edit(1, with(AlarmDraft(rule: seven, label: "new")) { $0.count = 2 }))
    world.pass(.seconds(60))
    world.send(.undo)
    #expect(world.book.alarm(1)?.label == "")
    #expect(world.book.alarm(1)?.counted == 1)
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A timer goes on whatever zone it is given, and starts again where its span is given again")
  func editedTimer() throws {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(.timer(.seconds(1500)))
    let end = try #require(world.book.alarm(1)?.timerEnd)
    world.pass(.seconds(600))
    var draft = try #require(world.book.alarm(1)?.draft)
    draft.zone = Zone("Asia/Tokyo")
    world.send(.edit(1, draft))
    #expect(world.book.alarm(1)?.timerEnd == end)
    world.send(.edit(1, draft, namesTime: true))
    #expect(world.book.alarm(1)?.timerEnd?.remaining(at: world.now) == .seconds(1500))
    world.send(.undo)
    #expect(world.book.alarm(1)?.timerEnd == end)
    world.pass(.seconds(900))
    world.send(.stopRinging())
    // It has run out; the same span again is no edit that changes nothing.
    world.send(.edit(1, draft, namesTime: true))
    #expect(world.book.alarm(1)?.isEnabled == true)
    world.pass(.seconds(1500))
    #expect(world.book.ringing.count == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A number is never used again, not even after a restart")
  func numbers() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(seven)
    world.send(.remove([2]))
    world.kill(away: .seconds(1))
    #expect(world.add(seven) == 3)
  }

  @Test("--until is inclusive, and the alarm is then spent")
  func until() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven) { $0.until = date("2026-12-01") }
    for _ in 0..<2 {
      world.pass(.seconds(3600))
      world.send(.stopRinging())
      world.pass(.seconds(82_800))
    }
    #expect(world.ends.count == 2)
    #expect(world.book.alarm(1)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("--count counts every due occurrence, missed ones too")
  func count() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven) { $0.count = 4 }
    #expect(world.book.nextOccurrences(9, at: world.now).count == 4)
    world.kill(away: .seconds(2 * 86_400 + 7200), reboot: true)
    #expect(world.book.alarm(1)?.counted == 3)
    world.pass(.seconds(86_400))
    #expect(world.book.alarm(1)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("remove --spent takes those that have rung for the last time")
  func removeSpent() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.once(date("2026-11-30"), clock(7), clockAlone: true))
    world.add(seven)
    world.send(.addTimer(.seconds(30), label: ""))
    world.pass(.seconds(61))
    world.send(.stopRinging())
    world.send(.removeSpent)
    #expect(world.book.all.map(\.id) == [2])
    #expect(world.answers.last?.removed.map(\.id) == [1, 3])
  }

  @Test("A rehearsal rings now and leaves the next time alone")
  func rehearsal() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.send(.rehearse(1))
    #expect(world.live == ["1@2026-11-30.1r1 ringing"])
    #expect(
      world.ask(.rehearse(1)) == "alarm 1 rings already; end that first with “alarm dismiss 1”")
    world.send(.dismiss(id: 1))
    world.send(.rehearse(1))
    #expect(world.live == ["1@2026-11-30.1r2 ringing"])
    world.send(.dismiss(id: 1))
    world.pass(.seconds(3600))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("The next occurrences of all alarms come soonest first")
  func next() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.every(.weekly([.tuesday]), clock(6, 30)))
    world.add(.once(date("2026-12-24"), clock(18), clockAlone: false))
    world.send(.addTimer(.seconds(60), label: ""))
    let next = world.book.nextOccurrences(5, at: world.now)
    #expect(
      next.map { "\($0.alarm) \($0.due.instant.iso(in: world.zone).prefix(16))" } == [
        "4 2026-11-30T06:01", "1 2026-11-30T07:00", "2 2026-12-01T06:30", "1 2026-12-01T07:00",
        "1 2026-12-02T07:00",
      ])
  }

  @Test(
    "What cannot be done is refused with a sentence",
    arguments: [
      (AlarmBook.Event.remove([9]), "there is no alarm 9; “alarm list” shows those there are"),
      (
        .dismiss(id: nil),
        "nothing rings or is snoozed, so there is nothing to dismiss; “alarm next” shows what comes"
      ),
      (
        .dismiss(id: 1),
        "alarm 1 neither rings nor is snoozed, so there is nothing to dismiss; to leave out its next time say "
          + "“alarm skip 1”"
      ),
      (
        .add(AlarmDraft(rule: .once(date("2026-11-29"), clock(7), clockAlone: false))),
        "“2026-11-29 07:00” has passed; give a time that is still to come, such as “tomorrow 07:00”"
      ),
      (
        .snooze(id: 1, span: .seconds(90_000)),
        "a snooze lasts between 1 s and 24 h, not 1d1h; say for example “alarm snooze 10m”"
      ),
    ])
  func refusals(event: AlarmBook.Event, sentence: String) {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    #expect(world.ask(event) == sentence)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "What a refused request comes upon is not lost: the ring that was due then begins with the next answer")
  func heldEffects() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    // The clock passes seven before anybody ticks, and the request is refused.
    world.wall = world.wall + .seconds(60)
    world.boot += 60_000_000
    #expect(world.ask(.remove([9])) != nil)
    #expect(world.book.nextWake(at: world.now).wall == world.wall)
    world.send(.tick)
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("With a store that takes nothing changes are refused with its sentence, and dismiss acts")
  func storeBroken() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.send(.storeBroken("the database is broken"))
    world.pass(.seconds(60))
    #expect(world.ask(.setEnabled([1], false)) == "the database is broken")
    #expect(world.ask(.dismiss(id: nil)) == nil)
    world.send(.storeMended)
    #expect(world.ask(.setEnabled([1], false)) == nil)
  }
}

func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}
