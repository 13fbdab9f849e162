import Schedule
import Testing
import Wire

@testable import Screen

@Suite("The form for an alarm")
struct FormTests {
  private func opened(_ keys: [Key] = ["a"]) -> Model {
    var model = Samples.attached()
    Samples.press(&model, keys)
    return model
  }

  @Test("Words are previewed as they are typed, sent by Enter, and stay where the engine refuses them")
  func adding() {
    var model = opened()
    #expect(model.update(.key("7"), at: Samples.now()) == [.preview("7", changing: nil)])
    #expect(model.update(.paste(":00\n"), at: Samples.now()) == [.preview("7:00", changing: nil)])
    #expect(model.update(.previewed("7", .wrong("old")), at: Samples.now()) == [])
    #expect(model.form?.preview == nil)
    let request = Request.add(["when": "7:00"])
    #expect(model.update(.key(.enter), at: Samples.now()) == [.request(request)])
    #expect(model.update(.key("x"), at: Samples.now()) == [])
    let refusal = WireError(code: ErrorCode.wrongWords, "no")
    _ = model.update(.replied(request, .failure(refusal)), at: Samples.now())
    #expect(model.form?.refusal == "no")
    #expect(model.form?.words == "7:00")
    _ = model.update(.key(.enter), at: Samples.now())
    let entry = Samples.alarm(9, "once 2026-11-30 07:00", next: "2026-11-30T07:00:00+01:00")
    let reply = Reply.alarm(AlarmReply(alarms: [entry], warnings: ["mind"]))
    #expect(model.update(.replied(request, .success(reply)), at: Samples.now()) == [.request(.list)])
    #expect(model.typing == nil)
    #expect(model.message?.text == "9  once 2026-11-30 07:00  next Mon 30 Nov 07:00, in 8 h 12 min  mind")
  }

  @Test("Tab and the arrows go through the fields, and every field is sent by its name")
  func fields() {
    var model = opened()
    Samples.type(&model, "+25m")
    for text in ["Tea", "", "80", "30s", "5 min", "Pot on the left"] {
      Samples.press(&model, [.tab])
      Samples.type(&model, text)
    }
    Samples.press(&model, [.tab])
    #expect(model.form?.current == .when)
    Samples.press(&model, [.up, .down, .backTab])
    #expect(model.form?.current == .body)
    #expect(
      model.update(.key(.enter), at: Samples.now())
        == [
          .request(
            .add([
              "when": "+25m", "label": "Tea", "volume": "80", "fade": "30s", "snooze": "5 min",
              "body": "Pot on the left",
            ]))
        ])
  }

  @Test("A sound is a name, or a path seen from the working folder; the names are offered")
  func sounds() {
    func sound(_ text: String) -> JSON? {
      var form = Form()
      form[.sound] = TextField(text)
      return form.params(Samples.places)?["sound"]
    }
    #expect(sound("dawn") == "dawn")
    #expect(sound("./a b.ogg") == "/home/ann/work/./a b.ogg")
    #expect(sound("~/x.ogg") == "/home/ann/x.ogg")
    #expect(sound("/x.ogg") == "/x.ogg")
    var model = opened(["a", .tab, .tab, .control("n"), .control("n")])
    #expect(model.form?[.sound].text == "chimes")
    Samples.press(&model, [.control("p"), .control("p")])
    #expect(model.form?[.sound].text == "surf")
  }

  @Test("An edit begins with what the alarm is, and sends what was changed alone; an emptied field removes")
  func editing() {
    var model = opened(["2", "e"])
    #expect(model.form?.words == "every Mon-Fri 07:00")
    #expect(model.form?[.fade].text == "30 s" && model.form?[.snooze].text == "10 min")
    #expect(model.form?.preview != nil)
    #expect(model.update(.key(.enter), at: Samples.now()) == [])
    #expect(model.typing == nil && model.message?.text == "Nothing was changed.")
    Samples.press(&model, ["e", .control("u")])
    #expect(
      model.update(.paste("6am"), at: Samples.now()) == [.preview("6am", changing: "every Mon-Fri 07:00")])
    Samples.press(&model, [.tab, .tab, .control("u")])
    #expect(
      model.update(.key(.enter), at: Samples.now())
        == [.request(.edit(["id": 3, "when": "6am", "sound": ""]))])
  }

  @Test("Enter without a time asks for one and leaves the form open, so that what is typed next is no key")
  func empty() {
    for keys in [["a"], ["a", .tab], ["2", "e", .control("u")]] as [[Key]] {
      var model = opened(keys)
      Samples.press(&model, [.enter])
      #expect(model.form?.current == .when && model.form?.refusal?.contains("07:00") == true)
      Samples.type(&model, "D")
      #expect(model.form?.words == "D" && model.form?.refusal == nil)
      Samples.press(&model, [.control("g")])
      #expect(model.typing == nil)
    }
  }

  @Test("The form of an alarm as it is shows when it rings, and nothing that a new span or time would do")
  func unchanged() throws {
    var timer = Samples.alarm(5, "+25m", next: "2026-11-29T22:50:13+01:00")
    var model = Samples.attached(alarms: [timer])
    Samples.answer(&model, model.update(.key("2"), at: Samples.now()), [timer])
    #expect(model.update(.key("e"), at: Samples.now()) == [])
    #expect(model.form?.preview == .rings("2026-11-29T22:50:13+01:00", warnings: []))
    #expect(model.update(.tick, at: Samples.now(60)) == [])
    #expect(model.update(.paste("x"), at: Samples.now(60)) == [.preview("+25mx", changing: "+25m")])
    #expect(model.update(.key(.backspace), at: Samples.now(60)) == [])
    #expect(model.form?.preview == .rings("2026-11-29T22:50:13+01:00", warnings: []))
    (timer.next, timer.enabled, timer.state) = (nil, false, "off")
    model = Samples.attached(alarms: [timer])
    Samples.answer(&model, model.update(.key("2"), at: Samples.now()), [timer])
    Samples.answer(&model, model.update(.key("e"), at: Samples.now()), [timer])
    #expect(model.form?.preview == .rests)
  }

  @Test("What is refused is told by the field's own title, shows it, and stays until that field is changed")
  func refusedField() {
    var model = opened()
    Samples.type(&model, "7:00")
    Samples.press(&model, [.tab, .tab, .tab])
    Samples.type(&model, "x")
    Samples.press(&model, [.tab, .enter])
    let request = Request.add(["when": "7:00", "volume": "x"])
    let sentence = "“x” is not right for --volume: give a whole number from 0 to 100"
    _ = model.update(
      .replied(request, .failure(.init(code: ErrorCode.wrongWords, sentence))), at: Samples.now())
    let shown = "“x” is not right for Volume: give a whole number from 0 to 100"
    #expect(model.form?.current == .volume && model.form?.refusal == shown)
    Samples.press(&model, [.tab])
    Samples.type(&model, "30s")
    #expect(model.form?.refusal == shown)
    Samples.press(&model, [.backTab])
    Samples.type(&model, "1")
    #expect(model.form?.refusal == nil)
  }

  @Test("A preview follows the time")
  func previewFollows() {
    var model = opened()
    _ = model.update(.paste("7:00"), at: Samples.now())
    #expect(model.update(.tick, at: Samples.now(0.5)) == [])
    #expect(model.update(.tick, at: Samples.now(60)) == [.preview("7:00", changing: nil)])
  }

  @Test(
    "What the words would do is worked out as the engine does it",
    arguments: [
      ("07:00", nil, "2026-11-30T07:00:00+01:00"), ("+25m", nil, "2026-11-29T23:13:00+01:00"),
      ("6am", "every Mon-Fri 07:00", "2026-11-30T06:00:00+01:00"),
      ("sat", "every Mon-Fri 07:00", "2026-12-05T07:00:00+01:00"),
    ] as [(String, String?, String)])
  func previews(_ words: String, _ old: String?, _ next: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    #expect(
      Preview(of: words, changing: old, at: Samples.wall.instant, in: zone) == .rings(next, warnings: []))
    guard case .wrong(let sentence) = Preview(of: "7", changing: old, at: Samples.wall.instant, in: zone)
    else {
      Issue.record("“7” is no time")
      return
    }
    #expect(sentence.contains("07:00"))
  }
}
