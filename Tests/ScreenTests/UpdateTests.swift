import Testing
import Wire

@testable import Screen

@Suite("What events do to the screen")
struct UpdateTests {
  private func attached(_ change: (inout Status) -> Void = { _ in }) -> Model {
    Samples.attached(80, 24, change)
  }

  private func ringing() -> Status {
    var status = Samples.status
    status.ringing = [Samples.ring]
    return status
  }

  @Test("q leaves and the engine is asked nothing")
  func detach() {
    var model = attached()
    #expect(model.update(.key(.character("q")), at: Samples.now()) == [.quit])
  }

  @Test(
    "The overlay takes no key in its first second and a half, then s, space and Enter snooze and d dismisses")
  func deafOverlay() {
    useUTF8()
    var model = attached()
    _ = model.update(.status(ringing()), at: Samples.now(10))
    for key in [Key.character("d"), .character("s"), .character(" "), .enter, .character("q")] {
      #expect(model.update(.key(key), at: Samples.now(11.4)) == [])
    }
    #expect(model.deadline == Samples.now(11.5).monotonic)
    // It says so, and when keys count again.
    #expect(Picture.text(of: view(model)).contains("keys count in a moment"))
    _ = model.update(.tick, at: Samples.now(11.5))
    #expect(Picture.text(of: view(model)).contains("1–9 snooze"))
    for key in [Key.character("s"), .character(" "), .enter] {
      #expect(model.update(.key(key), at: Samples.now(11.5)) == [.request(.snooze(minutes: nil))])
    }
    #expect(model.update(.key(.character("d")), at: Samples.now(12)) == [.request(.dismiss(3))])
    #expect(model.update(.key(.character("p")), at: Samples.now(12)) == [])
  }

  @Test("Another alarm that comes to show is deaf at first again, so that d twice does not dismiss it unread")
  func secondRing() {
    var model = attached()
    var status = ringing()
    _ = model.update(.status(status), at: Samples.now(10))
    var newer = Samples.ring
    (newer.id, newer.occurrence) = (4, "4@x")
    status.ringing[0].sounding = false
    status.ringing.append(newer)
    _ = model.update(.status(status), at: Samples.now(20))
    #expect(model.shownRing?.id == 4)
    #expect(model.update(.key(.character("d")), at: Samples.now(20.1)) == [])
    #expect(model.update(.key(.character("d")), at: Samples.now(22)) == [.request(.dismiss(4))])
  }

  @Test("While something is typed a ring leaves the keys to the text; after Esc the overlay is deaf at first")
  func textKeepsKeys() {
    for opening in ["a", ":"] as [Key] {
      var model = attached()
      Samples.press(&model, [opening])
      _ = model.update(.status(ringing()), at: Samples.now(10))
      for key in "sd " { _ = model.update(.key(.character(key)), at: Samples.now(20)) }
      let text: String? =
        switch model.typing {
        case .form(let form): form[.when].text
        case .command(let entry): entry.field.text
        default: nil
        }
      #expect(text == "sd ")
      #expect(model.overlay == nil)
      _ = model.update(.key(.escape), at: Samples.now(21))
      #expect(model.overlay == "3@2026-11-30")
      #expect(model.update(.key("d"), at: Samples.now(22)) == [])
      #expect(model.update(.key("d"), at: Samples.now(23)) == [.request(.dismiss(3))])
    }
  }

  @Test("Digits snooze for that many minutes: after a moment, or at once with a key")
  func digits() {
    var model = attached()
    _ = model.update(.status(ringing()), at: Samples.now(10))
    // Deaf at first, as for every key.
    #expect(model.update(.key("9"), at: Samples.now(11)) == [])
    #expect(model.update(.tick, at: Samples.now(14)) == [])
    for (digit, second) in [("0", 14.0), ("1", 14.5), ("5", 15)] as [(Key, Double)] {
      #expect(model.update(.key(digit), at: Samples.now(second)) == [])
    }
    #expect(model.deadline == Samples.now(16.2).monotonic)
    #expect(model.update(.tick, at: Samples.now(16.1)) == [])
    #expect(model.update(.tick, at: Samples.now(16.2)) == [.request(.snooze(minutes: 15))])
    _ = model.update(.key("7"), at: Samples.now(20))
    #expect(model.update(.key(.escape), at: Samples.now(20.1)) == [])
    #expect(model.update(.tick, at: Samples.now(25)) == [])
    _ = model.update(.key("7"), at: Samples.now(30))
    #expect(model.update(.key(.enter), at: Samples.now(30.1)) == [.request(.snooze(minutes: 7))])
    // Another alarm comes to show: the digits were not meant for it.
    _ = model.update(.key("8"), at: Samples.now(40))
    var status = ringing()
    status.ringing[0].occurrence = "3@2026-12-01"
    #expect(model.update(.status(status), at: Samples.now(40.1)) == [])
    #expect(model.update(.tick, at: Samples.now(50)) == [])
  }

  @Test("A paste outside of text does nothing at all")
  func pasteIsNoKey() {
    for page in ["1", "2", "3", "4", "5", "6", "7"] as [Key] {
      var model = attached()
      Samples.press(&model, [page])
      let before = model
      #expect(model.update(.paste("qdsa d\n:"), at: Samples.now()) == [])
      #expect(model == before)
    }
  }

  @Test("The list is asked for when the alarms change, and not because a track moved on")
  func lists() {
    var model = attached()
    var status = Samples.status
    status.player.state = "playing"
    #expect(model.update(.status(status), at: Samples.now(1)) == [])
    status.alarms.count = 4
    #expect(model.update(.status(status), at: Samples.now(2)) == [.request(.list)])
    #expect(model.update(.status(status), at: Samples.now(3)) == [])
    // An edit of an alarm that is not the next one changes nothing in the status but this.
    status.alarms.changes += 1
    #expect(model.update(.status(status), at: Samples.now(4)) == [.request(.list)])
  }

  @Test("What comes next stands first in the list, what is off stands last")
  func order() {
    #expect(attached().alarms.map(\.id) == [3, 4, 1])
  }

  @Test("The engine is looked for at growing pauses for a quarter of a minute, then a key starts it")
  func engineGone() {
    var model = attached { $0.ringing = [Samples.ring] }
    _ = model.update(.disconnected("died"), at: Samples.now())
    #expect(model.overlay == nil)
    var attempts: [Double] = []
    var time = 0.0
    while case .lost = model.link, time < 60 {
      guard let deadline = model.deadline else { break }
      time = Double(deadline - Samples.now().monotonic) / 1e6
      if model.update(.tick, at: Samples.now(time)) == [.connect(mayStart: false)] {
        attempts.append(time)
        _ = model.update(.connectFailed("no engine runs"), at: Samples.now(time))
      }
    }
    #expect(attempts.prefix(4) == [0.25, 0.5, 1, 2])
    guard case .down("no engine runs", _) = model.link else {
      Issue.record("\(model.link)")
      return
    }
    #expect(time <= 15)
    #expect(model.update(.key(.character("s")), at: Samples.now(time + 1)) == [])
    #expect(model.message?.isError == true)
    // Every five seconds it looks whether somebody else has started it.
    #expect(model.update(.tick, at: Samples.now(60)) == [.connect(mayStart: false)])
    _ = model.update(.connectFailed("no engine runs"), at: Samples.now(60))
    #expect(model.deadline == Samples.now(65).monotonic)
    #expect(model.update(.key("E"), at: Samples.now(61)) == [.connect(mayStart: true)])
    #expect(model.update(.connected, at: Samples.now(62)) == [.request(.subscribe)])
    #expect(model.link == .up)
  }

  @Test("An alarm that was on its way when the engine died is not said to be added")
  func diedWhileAdding() {
    var model = attached()
    Samples.press(&model, ["a"])
    _ = model.update(.paste("7:00"), at: Samples.now())
    _ = model.update(.key(.enter), at: Samples.now())
    _ = model.update(.disconnected("died"), at: Samples.now())
    #expect(model.form?.isSent == false)
    #expect(model.form?.refusal != nil)
    #expect(model.form?.words == "7:00")
  }

  @Test("The focus is told to the engine, once it is there, and nothing moves each second while nobody looks")
  func focus() {
    useUTF8()
    var model = Samples.model(80, 24)
    _ = model.update(.disconnected(nil), at: Samples.now())
    #expect(model.update(.focus(true), at: Samples.now()) == [])
    #expect(model.update(.connected, at: Samples.now(0.1)) == [.request(.subscribe), .request(.focus(true))])
    var status = Samples.status
    Samples.playing(&status)
    Samples.answer(&model, model.update(.replied(.subscribe, .success(.status(status))), at: Samples.now(1)))
    #expect(view(model).refresh == .second)
    #expect(model.update(.focus(false), at: Samples.now(2)) == [.request(.focus(false))])
    #expect(view(model).refresh == .minute)
    _ = model.update(.focus(true), at: Samples.now(3))
    #expect(view(model).refresh == .second)
  }

  @Test(
    "The process wakes each second only for what shows seconds",
    arguments: [
      ("idle", 80, 24, Refresh.minute), ("playing", 80, 24, .second), ("playing", 1, 1, .minute),
      ("playing", 40, 2, .minute), ("player", 80, 24, .second), ("alarms", 80, 24, .second),
      ("ringing", 80, 24, .second), ("no sound card", 80, 24, .second),
      ("engine gone", 80, 24, .minute), ("help", 80, 24, .minute),
    ])
  func refresh(_ scene: String, _ columns: Int, _ rows: Int, _ refresh: Refresh) {
    useUTF8()
    #expect(view(Scenes.model(scene, columns, rows)).refresh == refresh)
  }

  @Test("Messages go away by themselves")
  func messages() {
    var model = attached()
    let reply = Reply.done(DoneReply(lines: ["paused"]))
    _ = model.update(.replied(.toggle, .success(reply)), at: Samples.now())
    #expect(model.message?.text == "paused")
    let deadline = Double((model.deadline ?? 0) - Samples.now().monotonic) / 1e6
    _ = model.update(.tick, at: Samples.now(deadline))
    #expect(model.message == nil && model.deadline == nil)
  }

  @Test(
    "A message goes in its time while something is typed, with another page, and with a ring that it is not about"
  )
  func oldMessages() {
    func said(_ keys: [Key]) -> Model {
      var model = attached()
      Samples.press(&model, ["2"])
      let reply = Reply.done(DoneReply(lines: ["alarm 3 (Tea) is dismissed"]))
      _ = model.update(.replied(.dismiss(3), .success(reply)), at: Samples.now())
      Samples.press(&model, keys)
      return model
    }
    for opening in [":", "/", "a"] as [Key] {
      var model = said([opening, "x"])
      #expect(model.message != nil)
      #expect(model.deadline == Samples.now(6).monotonic)
      _ = model.update(.tick, at: Samples.now(6))
      #expect(model.message == nil)
      model = said([opening, "x"])
      _ = model.update(.status(ringing()), at: Samples.now(1))
      _ = model.update(.key(.escape), at: Samples.now(2))
      #expect(model.overlay != nil && model.message == nil)
    }
    var model = said([])
    _ = model.update(.status(ringing()), at: Samples.now(1))
    #expect(model.overlay != nil && model.message == nil)
    // What is answered while it rings is shown there.
    let snoozed = Reply.done(DoneReply(lines: ["snoozed"]))
    _ = model.update(.replied(.snooze(minutes: nil), .success(snoozed)), at: Samples.now(2))
    _ = model.update(.status(ringing()), at: Samples.now(2))
    #expect(model.message?.text == "snoozed")
    #expect(said(["2"]).message != nil)
    #expect(said(["3"]).message == nil)
  }

  @Test("A notification that was opened is shown until a key is pressed, and what rings comes before it")
  func opened() {
    var model = Scenes.model("opened", 80, 24)
    #expect(model.openedEntry?.label == "Up")
    var status = Samples.status
    status.inbox = model.status?.inbox ?? []
    status.ringing = [Samples.ring]
    _ = model.update(.status(status), at: Samples.now())
    #expect(model.overlay == Samples.ring.occurrence)
    status.ringing = []
    _ = model.update(.status(status), at: Samples.now())
    #expect(model.overlay == nil && model.openedEntry != nil)
    #expect(model.update(.key(.enter), at: Samples.now()) == [])
    #expect(model.openedEntry == nil)
  }

  @Test("Of two that ring the opened one is shown; one that was dealt with is said to be")
  func openedRing() {
    var model = Samples.model(80, 24)
    var status = Samples.status
    var other = Samples.ring
    (other.id, other.occurrence, other.sounding) = (4, "4@2026-11-30", false)
    status.ringing = [Samples.ring, other]
    _ = model.update(.status(status), at: Samples.now())
    #expect(model.overlay == Samples.ring.occurrence)
    _ = model.update(.opened(other.occurrence), at: Samples.now())
    #expect(model.overlay == other.occurrence)
    _ = model.update(.opened("9@2026-11-30.1"), at: Samples.now())
    #expect(model.overlay == Samples.ring.occurrence)
    #expect(model.message?.text == "That notification has been dealt with.")
  }
}
