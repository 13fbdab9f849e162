import Core
import Schedule
import Testing

@Suite("What an alarm promises")
struct PromiseTests {
  let seven = Rule.every(.daily, clock(7))

  @Test("It rings at its time, and not before")
  func onTime() {
    var world = World("2026-11-30T06:00:00+01:00")
    let id = world.add(seven)
    world.pass(until: "2026-11-30T06:59:59+01:00")
    #expect(world.live.isEmpty)
    #expect(world.prepared.count == 1, "the output holds it two seconds ahead")
    world.pass(.seconds(1))
    #expect(world.live == ["\(id)@2026-11-30.1 ringing"])
    #expect(world.book.ringing.first?.late == nil)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A time that a gap leaves out rings later by the gap")
  func gap() {
    var world = World("2027-03-27T12:00:00+01:00")
    world.add(.every(.daily, clock(2, 30)))
    world.pass(until: "2027-03-28T03:29:59+02:00")
    #expect(world.begun.isEmpty)
    world.pass(.seconds(1))
    #expect(world.live == ["1@2027-03-28.1 ringing"])
  }

  @Test("A time that comes twice rings the first time only")
  func twice() {
    var world = World("2026-10-24T12:00:00+02:00")
    world.add(.every(.daily, clock(2, 30)))
    world.pass(until: "2026-10-25T02:30:00+02:00")
    world.send(.dismiss(id: nil))
    world.pass(until: "2026-10-25T12:00:00+01:00")
    #expect(world.begun.count == 1)
    #expect(world.ends == ["1@2026-10-25.1 dismissed person"])
  }

  @Test(
    "Due while the engine was away or the machine slept: it rings late if less than lateWithin has passed, else it is missed, with a notification that says why",
    arguments: [
      (true, 9, "ringing away"), (true, 11, "missed away"), (false, 9, "ringing asleep"),
      (false, 11, "missed asleep"),
    ])
  func lateOrMissed(away: Bool, minutesLate: Int, outcome: String) {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    let span = Duration.seconds(540 + minutesLate * 60)
    if away { world.kill(away: span, reboot: true) } else { world.sleep(span) }
    if outcome.hasPrefix("ringing") {
      #expect(world.book.ringing.first?.late == .seconds(minutesLate * 60))
      #expect(world.book.ringing.first?.lateReason?.rawValue == String(outcome.dropFirst(8)))
    } else {
      #expect(world.live.isEmpty)
      #expect(world.ends.last == "1@\(world.told.last?.id.date.description ?? "").1 \(outcome)")
      let shown = world.shown.values.map(\.occurrence)
      #expect(shown.map { "\($0.state.rawValue) \($0.reason?.rawValue ?? "")" } == [outcome])
    }
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("After days away the newest occurrence of each alarm is judged, the others are logged")
  func daysAway() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(12)))
    world.kill(away: .seconds(3 * 86_400 + 15 * 60), reboot: true)
    for (alarm, days) in [(1, ["11-30", "12-01", "12-02"]), (2, ["11-30", "12-01", "12-02"])] {
      #expect(
        world.ends.filter { $0.hasPrefix("\(alarm)@") } == days.map { "\(alarm)@2026-\($0).1 missed away" })
    }
    #expect(world.live == ["1@2026-12-03.1 ringing"])
    // Only the newest is shown.
    #expect(
      Set(world.shown.keys.map(\.description)) == ["1@2026-12-03.1", "2@2026-12-02.1"])
  }

  @Test(
    "Killed while ringing: it rings again if the engine was away for less than lateWithin, until somebody deals with it, and never after"
  )
  func killedRinging() {
    for (minutes, rings) in [(9, true), (11, false)] {
      var world = World("2026-11-30T06:59:00+01:00")
      world.add(seven)
      world.pass(.seconds(120))
      world.kill(away: .seconds(minutes * 60))
      #expect(world.live == (rings ? ["1@2026-11-30.1 ringing"] : []))
      #expect(world.ends == (rings ? [] : ["1@2026-11-30.1 missed away"]))
      if rings {
        world.kill(away: .seconds(5))
        #expect(world.live == ["1@2026-11-30.1 ringing"])
        world.send(.dismiss(id: nil))
      }
      for _ in 0..<3 {
        world.kill(away: .seconds(5))
        #expect(world.live.isEmpty)
      }
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test("What was dismissed never rings again, however often the engine is killed")
  func dismissedForGood() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(120))
    world.send(.dismiss(id: 1))
    for _ in 0..<5 { world.kill(away: .seconds(5)) }
    world.pass(.seconds(3600))
    #expect(world.begun.count == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "Nobody reacts: after 10 min of sounding it snoozes by itself, alarm.unanswered times (2), then it is missed, unanswered"
  )
  func unanswered() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(2 * 3600))
    #expect(
      world.begun.map { $0.wall.iso(in: world.zone).prefix(16) } == [
        "2026-11-30T07:00", "2026-11-30T07:20", "2026-11-30T07:40",
      ])
    #expect(world.ends == ["1@2026-11-30.1 missed unanswered"])
  }

  @Test("Snooze: counted from now in elapsed time; survives restart, midnight and clock changes")
  func snoozeMidnight() {
    // Over the night in which the clocks go back, and with an engine that is killed in it.
    var world = World("2026-10-24T23:50:00+02:00")
    world.add(.every(.daily, clock(23, 55)))
    world.pass(.seconds(400))
    world.send(.snooze(id: nil, span: .seconds(4 * 3600)))
    world.pass(.seconds(3600))
    world.kill(away: .seconds(60))
    world.pass(.seconds(3 * 3600 - 61))
    #expect(world.live == ["1@2026-10-24.1 snoozed"])
    world.pass(.seconds(1))
    #expect(world.live == ["1@2026-10-24.1 ringing"])
    #expect(world.wall.iso(in: world.zone) == "2026-10-25T02:56:40+01:00")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Snooze: a clock that is set meanwhile does not move its end")
  func snoozeElapsed() {
    for step in [-7200, 7200] {
      var world = World("2026-11-30T06:59:00+01:00")
      world.add(seven)
      world.pass(.seconds(60))
      world.send(.snooze(id: nil, span: .seconds(300)))
      #expect(world.live == ["1@2026-11-30.1 snoozed"])
      world.pass(.seconds(100))
      world.setClock(by: .seconds(step))
      world.pass(.seconds(199))
      #expect(world.live == ["1@2026-11-30.1 snoozed"], "\(step)")
      world.pass(.seconds(1))
      #expect(world.live == ["1@2026-11-30.1 ringing"])
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test("Snooze: it survives a restart of the machine; its end passing while away is judged as due then")
  func snoozeRestart() {
    for (away, state) in [(200, "snoozed"), (400, "ringing"), (1000, "missed")] {
      var world = World("2026-11-30T06:59:00+01:00")
      world.add(seven)
      world.pass(.seconds(60))
      world.send(.snooze(id: nil, span: .seconds(300)))
      world.kill(away: .seconds(away), reboot: true)
      #expect(world.live == (state == "missed" ? [] : ["1@2026-11-30.1 \(state)"]))
      if state == "snoozed" {
        world.pass(.seconds(99))
        #expect(world.book.ringing.isEmpty)
        world.pass(.seconds(1))
        #expect(!world.book.ringing.isEmpty)
      }
    }
  }

  @Test("Snooze: after --snooze-limit a further snooze is refused and it rings on")
  func snoozeLimit() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.snoozeLimit = 1 }
    world.pass(.seconds(60))
    world.send(.snooze(id: nil, span: nil))
    world.pass(.seconds(600))
    #expect(
      world.ask(.snooze(id: nil, span: nil))
        == "alarm 1 has been snoozed 1 times, which is its limit; it rings on until “alarm dismiss 1”")
    #expect(world.live == ["1@2026-11-30.1 ringing"])
  }

  @Test(
    "Its own next time comes while it is ringing or snoozed: the new occurrence takes over, the old is dismissed, superseded",
    arguments: [false, true])
  func superseded(isSnoozed: Bool) {
    var settings = Settings()
    settings.alarm.silenceAfter = .seconds(86_400)
    var world = World("2026-11-30T06:59:00+01:00", settings: settings)
    world.add(seven)
    world.pass(.seconds(120))
    if isSnoozed { world.send(.snooze(id: nil, span: .seconds(86_400))) }
    world.pass(.seconds(86_400))
    #expect(world.ends == ["1@2026-11-30.1 dismissed superseded"])
    #expect(world.live == ["1@2026-12-01.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("Two alarms at once: the newest sounds, and a snooze's end counts as newest")
  func newestSounds() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(7, 5)))
    world.pass(.seconds(60))
    world.send(.snooze(id: 1, span: .seconds(360)))
    world.pass(.seconds(300))
    #expect(world.live == ["2@2026-11-30.1 ringing", "1@2026-11-30.1 snoozed"])
    world.pass(.seconds(60))
    #expect(world.live == ["1@2026-11-30.1 ringing", "2@2026-11-30.1 ringing"])
    #expect(world.rings.filter(\.value).map(\.key.alarm) == [1])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "Two alarms at once: both are ringing and listed; dismissing one leaves the other, and the covered one's silence-after does not run"
  )
  func twoAtOnce() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(7, 5)))
    world.pass(until: "2026-11-30T07:05:00+01:00")
    #expect(world.live == ["2@2026-11-30.1 ringing", "1@2026-11-30.1 ringing"])
    world.pass(.seconds(540))
    world.send(.dismiss(id: nil))
    #expect(world.ends == ["2@2026-11-30.1 dismissed person"])
    #expect(world.answers.last?.rest.map(\.alarm) == [1])
    world.pass(.seconds(299))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    world.pass(.seconds(1))
    #expect(world.live == ["1@2026-11-30.1 snoozed"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("The clock is set: every due instant is worked out again at once, and is late or missed, clockSet")
  func setForward() {
    for (clock, state) in [("07:05", "ringing"), ("09:00", "missed")] {
      var world = World("2026-11-30T06:50:00+01:00")
      world.add(seven)
      world.setClock(to: "2026-11-30T\(clock):00+01:00")
      if state == "ringing" {
        #expect(world.book.ringing.first?.lateReason == .clockSet)
      } else {
        #expect(world.ends == ["1@2026-11-30.1 missed clockSet"])
      }
    }
  }

  @Test(
    "The clock is set: one that sounded is never repeated; one missed unheard is scheduled again when the clock goes back before it"
  )
  func setBack() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.pass(.seconds(660))
    world.send(.dismiss(id: nil))
    world.setClock(to: "2026-11-30T06:30:00+01:00")
    world.pass(.seconds(3600))
    #expect(world.begun.count == 1)

    var other = World("2026-11-30T06:50:00+01:00")
    other.add(seven)
    other.setClock(to: "2026-11-30T09:00:00+01:00")
    #expect(other.ends == ["1@2026-11-30.1 missed clockSet"])
    other.setClock(to: "2026-11-30T06:50:00+01:00")
    other.pass(.seconds(600))
    #expect(other.live == ["1@2026-11-30.1 ringing"])
    #expect(other.broken.isEmpty, "\(other.broken)")
  }

  @Test(
    "The clock is set: what was settled more than 6 h ahead of the new time is open again, a one-shot too")
  func clockIn2036() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.add(.once(date("2026-12-24"), clock(8), clockAlone: false))
    world.setClock(to: "2036-06-01T12:00:00+02:00")
    #expect(world.book.alarm(2)?.isSpent == true)
    world.setClock(to: "2026-11-30T06:55:00+01:00")
    #expect(world.book.alarm(2)?.isEnabled == true)
    world.pass(.seconds(300))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    world.send(.dismiss(id: nil))
    world.pass(until: "2026-12-24T08:00:00+01:00")
    #expect(world.book.ringing.first?.id.description == "2@2026-12-24.1")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A clock that starts in 1970 and is then put right repeats nothing")
  func clockFrom1970() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    world.send(.dismiss(id: nil))
    world.kill(away: .seconds(60), reboot: true, clockStep: .seconds(-1_796_000_000))
    world.pass(.seconds(30))
    world.setClock(to: "2026-11-30T07:02:00+01:00")
    world.pass(.seconds(3600))
    #expect(world.begun.count == 1)
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "The zone of the machine changes: alarms without a zone of their own follow the wall clock, alarms with one keep it, timers are untouched"
  )
  func zoneChange() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(9))) { $0.zone = Zone("Europe/Berlin") }
    world.send(.addTimer(.seconds(4 * 3600), label: "tea"))
    world.move(to: "America/New_York")
    let dues = (1...3).map { world.book.nextDue(of: $0, at: world.now)?.instant.iso(in: .utc) }
    #expect(dues == ["2026-11-30T12:00:00+00:00", "2026-11-30T08:00:00+00:00", "2026-11-30T09:00:00+00:00"])
  }

  @Test("The zone of the machine changes: an instant that has thereby passed is judged, zoneChanged")
  func zoneChangePasses() {
    var world = World("2026-11-30T06:00:00-05:00", zone: "America/New_York")
    world.add(seven)
    world.move(to: "Europe/Berlin")
    #expect(world.ends == ["1@2026-11-30.1 missed zoneChanged"])
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-01"))
    // And back again before it was due: it had not sounded.
    world.move(to: "America/New_York")
    world.pass(.seconds(3600))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A timer survives a restart and a suspend, and a set clock does not move it")
  func timer() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.send(.addTimer(.seconds(1500), label: "tea"))
    world.setClock(by: .seconds(-5000))
    world.kill(away: .seconds(200))
    world.sleep(.seconds(300))
    world.kill(away: .seconds(100), reboot: true)
    world.pass(.seconds(899))
    #expect(world.live.isEmpty)
    world.pass(.seconds(1))
    #expect(world.book.ringing.first?.alarm == 1)
    #expect(world.book.alarm(1)?.isSpent == true)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("The machine sleeping while it rings: after a short sleep it rings on, after a long one it is missed")
  func asleepRinging() {
    for (minutes, rings) in [(12, true), (60, false)] {
      var world = World("2026-11-30T06:59:00+01:00")
      world.add(seven)
      world.pass(.seconds(120))
      world.sleep(.seconds(minutes * 60))
      #expect(world.live == (rings ? ["1@2026-11-30.1 ringing"] : []))
      #expect(world.broken.isEmpty, "\(world.broken)")
    }
  }

  @Test(
    "Storing fails: ring, snooze, dismiss and stop act at once all the same, and changes of alarms are refused"
  )
  func fullDisk() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.isDiskFull = true
    world.pass(.seconds(60))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    let before = world.book.all
    #expect(world.ask(.edit(1, AlarmDraft(rule: .every(.daily, clock(8))))) == "the disk is full")
    #expect(world.ask(.add(AlarmDraft(rule: seven))) == "the disk is full")
    #expect(world.ask(.remove([1])) == "the disk is full")
    #expect(world.book.all == before)
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(!world.book.canUndo)
    world.send(.snooze(id: nil, span: .seconds(60)))
    #expect(world.live == ["1@2026-11-30.1 snoozed"])
    world.pass(.seconds(60))
    world.send(.stopRinging())
    #expect(world.live.isEmpty)
    world.pass(.seconds(86_400 - 60))
    #expect(world.live == ["1@2026-12-01.1 ringing"])
    world.send(.dismiss(id: nil))
    #expect(world.live.isEmpty)
    #expect(world.book.nextDue(of: 1, at: world.now)?.date == date("2026-12-02"))
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A ring that another covers keeps its sound, whatever the engine died of")
  func coveredSource() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.sound = "harp" }
    world.add(.every(.daily, clock(7, 1)))
    world.pass(.seconds(59))
    guard let id = world.prepared.keys.first else {
      Issue.record("nothing prepared")
      return
    }
    world.send(.attempting(id, source: "harp"))
    world.pass(.seconds(62))
    #expect(world.book.ringing.map(\.alarm) == [2, 1])
    world.send(.attempting(id, source: "harp"))
    world.kill(away: .seconds(2))
    #expect(world.book.ringing.last.flatMap { world.book.ring(for: $0) }?.sounds.first == "harp")
    // Being opened again when it is uncovered, it is a danger.
    world.send(.dismiss(id: 2))
    world.send(.attempting(id, source: "harp"))
    world.kill(away: .seconds(2))
    #expect(world.book.ringing.first.flatMap { world.book.ring(for: $0) }?.sounds == ["dawn"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A source that was being opened when the engine died is passed over")
  func crashedSource() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.sound = "/music/bad.flac" }
    world.pass(.seconds(59))
    guard let id = world.prepared.keys.first else {
      Issue.record("nothing prepared")
      return
    }
    world.send(.attempting(id, source: "/music/bad.flac"))
    world.kill(away: .seconds(2))
    #expect(world.live == ["1@2026-11-30.1 ringing"])
    #expect(world.book.ringing.first.flatMap { world.book.ring(for: $0) }?.sounds == ["dawn"])
    // One that was heard is no danger.
    world.send(.attempting(id, source: "dawn"))
    world.send(.sounding(id, source: "dawn"))
    world.kill(away: .seconds(2))
    #expect(world.book.ringing.first.flatMap { world.book.ring(for: $0) }?.sounds == ["dawn"])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }
}
