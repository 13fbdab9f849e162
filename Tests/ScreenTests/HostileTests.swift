import Testing
import Wire

@testable import Screen

@Suite("Text that means harm, and everything at random")
struct HostileTests {
  static let texts = [
    "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}", "\u{9b}31m\u{9d}0;title\u{9c}", "a\nb\r\nc\u{85}d\u{2028}e",
    "\u{202e}evil\u{202c}\u{2066}x\u{2069}", "\u{7f}\u{0}\u{8}\u{8}", String(repeating: "long ", count: 2000),
    String(repeating: "字", count: 10_000), "e" + String(repeating: "\u{301}", count: 10_000),
    String(repeating: "👩‍👩‍👧‍👦", count: 3000), "\u{feff}\u{e0041}\u{200d}\u{200d}", "",
  ]

  static func status(_ text: String, ringing: Bool, _ random: inout Seeded) -> Status {
    var status = Status(
      engine: .init(
        pid: 1, version: text, startedAt: text, socket: text, configErrors: [text], storeErrors: [text])
    )
    let instants = ["2026-11-29T23:00:00+01:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00-23:59", text]
    func instant() -> String { instants.randomElement(using: &random) ?? text }
    status.alarms.count = 2
    if Bool.random(using: &random) { status.alarms.next = .init(id: .max, label: text, at: instant()) }
    status.player.state = ["playing", "paused", "interrupted", text].randomElement(using: &random) ?? ""
    status.player.position = [0, -1, .nan, .infinity, 1e300, 12.5].randomElement(using: &random) ?? 0
    if Bool.random(using: &random) {
      let duration = [nil, 0, -1, Double.nan, .infinity, 296].randomElement(using: &random) ?? nil
      status.player.track = .init(path: text, title: text, artist: text, album: text, duration: duration)
    }
    status.output.audible = Bool.random(using: &random)
    status.output.reason = text
    status.keepAlive.why = text
    status.awake.leases = [
      .init(
        id: 1, owner: text, reason: text, kinds: [text], expiresAt: instant(), secondsLeft: .nan,
        renewalsLeft: 0)
    ]
    if Bool.random(using: &random) {
      status.snoozed = [.init(id: .min, occurrence: text, label: text, until: instant())]
    }
    if ringing {
      status.ringing = [
        .init(
          id: .max, occurrence: "\(UInt64.random(in: 0...3, using: &random))", label: text, body: text,
          since: instant(), sound: text, sounding: Bool.random(using: &random), snoozesLeft: .max,
          userInfo: [text: text], notes: [text])
      ]
    }
    return status
  }

  @Test("No such text reaches a cell in any view, at any size", arguments: texts, [Charset.unicode, .ascii])
  func hostile(_ text: String, _ charset: Charset) {
    useUTF8()
    var random = Seeded(UInt64(text.utf8.count))
    var entry = AlarmEntry(id: 1, when: text, sentence: text)
    (entry.label, entry.next, entry.state) = (text, text, text)
    for (columns, rows) in [
      (80, 24), (40, 12), (20, 6), (7, 2), (1, 1), (5, 1), (0, 0), (80, 0),
    ] {
      for keys in [[], [Key.character("a")], [.character("?")]] {
        for ringing in [false, true] {
          var model = Samples.model(columns, rows, charset: charset)
          let status = HostileTests.status(text, ringing: ringing, &random)
          _ = model.update(.replied(.subscribe, .success(.status(status))), at: Samples.now())
          _ = model.update(.replied(.list, .success(.list([entry, entry]))), at: Samples.now())
          for key in keys { _ = model.update(.key(key), at: Samples.now()) }
          _ = model.update(.paste(text), at: Samples.now())
          _ = model.update(
            .previewed(model.prompt?.field.text ?? "", .rings(text, warnings: [text])), at: Samples.now())
          let refusal = WireError(code: 1, text)
          _ = model.update(.replied(.snooze, .failure(refusal)), at: Samples.now())
          let frame = view(model)
          checkInvariants(frame)
          if charset == .ascii {
            #expect(frame.cells.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } })
          }
        }
      }
    }
  }

  @Test(
    "Twenty thousand events at random neither trap nor break what holds", arguments: [1, 2, 3, 4] as [UInt64])
  func random(_ seed: UInt64) {
    useUTF8()
    var random = Seeded(seed)
    var model = Samples.model(80, 24)
    var time = 0.0
    let keys: [Key] =
      Array("asdpqjke?7: 早\u{301}🇩").map { .character($0) } + [
        .enter, .escape, .tab, .backspace, .delete, .left, .right, .up, .down, .home, .end, .control("w"),
        .control("u"), .control("l"), .control("k"),
      ]
    for step in 0..<5000 {
      // The wall clock is set now and then; the other one never goes back.
      time += Double.random(in: 0...2, using: &random)
      let wallJump =
        Int.random(in: 0..<500, using: &random) == 0 ? Double.random(in: -1e9...1e9, using: &random) : 0
      let now = Moment(wall: Samples.now(time + wallJump).wall, monotonic: Samples.now(time).monotonic)
      let text = HostileTests.texts.randomElement(using: &random) ?? ""
      let event: Event =
        switch Int.random(in: 0..<16, using: &random) {
        case 0: .paste(text)
        case 1:
          .resize(
            Size(
              columns: Int.random(in: -1...90, using: &random), rows: Int.random(in: -1...26, using: &random)
            ))
        case 2, 3: .status(HostileTests.status(text, ringing: Bool.random(using: &random), &random))
        case 4: .tick
        case 5: .disconnected(text)
        case 6: .connected
        case 7: .connectFailed(text)
        case 8:
          .replied(
            .list,
            .success(
              .list(Array(repeating: AlarmEntry(id: step, when: text, sentence: text), count: step % 30))))
        case 9: .replied(.add(text), .failure(WireError(code: 1, text)))
        case 10: .previewed(model.prompt?.field.text ?? "", .wrong(text))
        default: .key(keys.randomElement(using: &random) ?? .enter)
        }
      let before = model
      let effects = model.update(event, at: now)
      checkInvariants(view(model), "seed \(seed), step \(step)")
      checkModel(model, "seed \(seed), step \(step)")
      // An alarm is dealt with only by a key that was pressed when the overlay had stood for its time.
      if effects.contains(where: { if case .request(.dismiss(_?)) = $0 { true } else { false } }) {
        #expect(before.overlay != nil && now.monotonic >= before.overlayDeafUntil)
      }
      if case .paste = event { #expect(!effects.contains { if case .request = $0 { true } else { false } }) }
    }
  }

  private func checkModel(_ model: Model, _ about: String) {
    var isSound = model.scroll >= 0 && model.scroll <= max(0, model.alarms.count - 1)
    if let prompt = model.prompt {
      isSound = isSound && model.overlay == nil && !model.showsHelp
      isSound = isSound && (0...prompt.field.characters.count).contains(prompt.field.cursor)
      isSound = isSound && prompt.field.text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
    }
    isSound = isSound && (model.overlay == nil) == (model.prompt != nil || model.shownRing == nil)
    #expect(isSound, "\(about)")
  }
}
