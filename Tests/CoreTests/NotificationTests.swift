import Core
import Schedule
import Testing

@Suite("Notifications, the inbox and the badge")
struct NotificationTests {
  let seven = Rule.every(.daily, clock(7))

  @Test("A notification carries title, body, action and user-info untouched, and is urgent while it rings")
  func carries() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) {
      ($0.label, $0.body, $0.action) = ("Up", "<b>Now</b>", "Read")
      $0.info = [InfoPair("room", "kitchen"), InfoPair("", "\u{1b}[2J")]
      $0.snoozeLimit = 1
    }
    world.pass(.seconds(60))
    let ringing = try #require(world.shown.values.first)
    #expect(ringing.title == "Up")
    #expect(ringing.body == "<b>Now</b>")
    #expect(ringing.action == "Read")
    #expect(ringing.info == [InfoPair("room", "kitchen"), InfoPair("", "\u{1b}[2J")])
    #expect(ringing.choices == [.snooze, .dismiss, .open])
    #expect(ringing.isUrgent)
    world.send(.snooze(id: nil, span: nil))
    let snoozed = try #require(world.shown.values.first)
    #expect(snoozed.choices == [.dismiss, .open])
    #expect(!snoozed.isUrgent)
    #expect(world.shown.count == 1, "one for each occurrence")
    world.pass(.seconds(600))
    #expect(world.shown.values.first?.choices == [.dismiss, .open], "no snooze is left")
    world.send(.dismiss(id: nil))
    #expect(world.shown.isEmpty)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A sound that failed and what a person edits show on the notification at once")
  func changes() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    let id = try #require(world.book.ringing.first?.id)
    world.send(.ringFailed(id, source: "/gone.ogg", sentence: "“/gone.ogg”: no such file"))
    #expect(world.shown[id]?.occurrence.notes == ["“/gone.ogg”: no such file"])
    world.send(.edit(1, AlarmDraft(rule: seven, label: "Other")))
    #expect(world.shown[id]?.title == "Other")
    #expect(world.book.inbox.map(\.label) == ["Other"])
    world.send(.undo)
    #expect(world.shown[id]?.title == "Alarm 1")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A choice on a notification acts on its occurrence, and on nothing else")
  func choices() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(60))
    let id = try #require(world.book.ringing.first?.id)
    world.send(.chosen(id, .snooze, by: .desktop))
    #expect(world.live == ["1@2026-11-30.1 snoozed"])
    world.send(.chosen(id, .dismiss, by: .desktop))
    #expect(world.live.isEmpty)
    world.pass(.seconds(86_400))
    world.send(.chosen(id, .dismiss, by: .desktop))
    #expect(world.live == ["1@2026-12-01.1 ringing"])
    #expect(
      world.ask(.chosen(id, .snooze, by: .desktop))
        == "1@2026-11-30.1 neither rings nor is snoozed any more, so there is nothing to snooze")
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "A notification adds one to the badge, dealing with one takes one away, and seeing the inbox sets it to none"
  )
  func badge() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.add(.every(.daily, clock(7, 1)))
    world.pass(.seconds(120))
    #expect(world.badge == 2)
    world.send(.snooze(id: 1, span: .seconds(5)))
    world.pass(.seconds(5))
    #expect(world.badge == 2, "it counts once, however often it rings")
    world.kill(away: .seconds(5))
    #expect(world.badge == 2)
    world.send(.dismiss(id: 1))
    #expect(world.badge == 1)
    world.send(.inboxSeen)
    #expect(world.badge == 0)
    world.send(.dismiss(id: 2))
    #expect(world.badge == 0, "never below none")
    #expect(world.book.inbox.isEmpty)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("An alarm with a number of its own sets the badge to it, the last one wins")
  func badgeSet() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.badge = 7 }
    world.add(.every(.daily, clock(7, 1))) { $0.badge = 3 }
    world.add(.every(.daily, clock(7, 2)))
    world.pass(.seconds(60))
    #expect(world.badge == 7)
    world.pass(.seconds(60))
    #expect(world.badge == 3)
    world.pass(.seconds(60))
    #expect(world.badge == 4)
    world.send(.stopRinging())
    #expect(world.badge == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "What was missed stays in the inbox with its reason, over a restart and its alarm's removal, until it is cleared"
  )
  func missed() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven) { $0.label = "Up" }
    world.sleep(.seconds(3600))
    #expect(world.book.inbox.map(\.state) == [.missed])
    #expect(world.book.inbox.map(\.reason) == [.asleep])
    #expect(world.shown.values.map(\.isUrgent) == [false])
    #expect(world.badge == 1)
    world.kill(away: .seconds(5))
    world.send(.remove([1]))
    #expect(world.book.inbox.map(\.label) == ["Up"])
    #expect(world.badge == 1)
    world.send(.inboxCleared)
    #expect(world.book.inbox.isEmpty)
    #expect(world.badge == 0)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("After days away one notification tells of the newest, not one for each day")
  func daysAway() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.kill(away: .seconds(3 * 86_400 + 3600), reboot: true)
    #expect(world.book.inbox.map(\.occurrence.description) == ["1@2026-12-03.1"])
    #expect(world.badge == 1)
    #expect(world.ends.count == 4)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("What its own next time takes over leaves the inbox, so that the badge counts the alarm once")
  func superseded() {
    var settings = Settings()
    settings.alarm.silenceAfter = .seconds(86_400)
    var world = World("2026-11-30T06:59:00+01:00", settings: settings)
    world.add(seven)
    world.pass(.seconds(86_400 + 120))
    #expect(world.book.inbox.map(\.occurrence.description) == ["1@2026-12-01.1"])
    #expect(world.badge == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A rehearsal shows its notification and counts nowhere")
  func rehearsal() {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven) { $0.run = "echo" }
    world.send(.rehearse(1))
    #expect(world.shown.count == 1)
    #expect(world.book.inbox.isEmpty)
    #expect(world.badge == 0)
    #expect(world.commands.isEmpty)
    world.send(.stopRinging())
    #expect(world.shown.isEmpty)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("The inbox keeps a hundred; of those that were missed the oldest go")
  func limit() {
    var world = World("2026-11-30T06:59:00+01:00")
    for minute in 0..<110 {
      world.send(.add(AlarmDraft(rule: .every(.daily, clock(7 + minute / 60, minute % 60)))))
    }
    world.sleep(.seconds(3 * 3600))
    #expect(world.book.inbox.count == AlarmBook.inboxLimit)
    #expect(world.book.inbox.first?.occurrence.alarm == 11)
    #expect(world.badge == 100, "what went is counted no more")
    #expect(world.shown.count == 100, "its notification went with it")
    #expect(world.broken.isEmpty, "\(world.broken)")
    world.send(.inboxSeen)
    world.add(.every(.daily, clock(12)))
    world.sleep(.seconds(4 * 3600))
    #expect(world.badge == 1, "one that was seen goes without taking from those that were not")
    world.send(.inboxCleared)
    #expect(world.badge == 0)
    #expect(world.shown.isEmpty)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "A miss that the clock went back before is none: it leaves the inbox, and is there again with the clock")
  func takenBack() {
    var world = World("2026-11-30T20:00:00+01:00")
    world.add(seven)
    world.setClock(to: "2026-12-01T09:00:00+01:00")
    #expect(world.book.inbox.map(\.occurrence.description) == ["1@2026-12-01.1"])
    #expect(world.book.lastMissed(of: 1)?.reason == .clockSet)
    world.setClock(to: "2026-11-30T20:00:00+01:00")
    #expect(world.book.inbox.isEmpty)
    #expect(world.shown.isEmpty)
    #expect(world.badge == 0)
    #expect(world.book.lastMissed(of: 1) == nil)
    world.setClock(to: "2026-12-01T09:00:00+01:00")
    #expect(world.book.inbox.map(\.occurrence.description) == ["1@2026-12-01.1"])
    #expect(world.badge == 1)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "The command of a ring is run once for an occurrence: not after a snooze, a restart or at a rehearsal")
  func command() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { ($0.run, $0.label) = ("echo", "Up") }
    world.pass(.seconds(60))
    #expect(world.commands.map(\.line) == ["echo"])
    #expect(world.commands.map(\.label) == ["Up"])
    world.kill(away: .seconds(5))
    world.send(.snooze(id: nil, span: .seconds(5)))
    world.pass(.seconds(5))
    world.send(.dismiss(id: nil))
    #expect(world.commands.count == 1)
    world.pass(.seconds(86_400))
    #expect(world.commands.count == 2)
    #expect(world.broken.isEmpty, "\(world.broken)")
  }
}
