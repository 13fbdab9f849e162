import Platform
import Testing
import Wire

@testable import Screen

/// Events at random, by seeds that tell the same story each time. `SOAK_EVENTS` makes it a longer one (`make soak`).
@Suite("Everything at random")
struct RandomTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4]
  private static let events = currentEnvironment()["SOAK_EVENTS"].flatMap { Int($0) } ?? 8000

  private static let keys: [Key] =
    KeyTable.standard.bindings.flatMap(\.keys)
    + Array("asdpqjke?7: 早\u{301}🇩0123456789").map { .character($0) } + [
      .enter, .escape, .tab, .backspace, .delete, .left, .right, .up, .down, .home, .end, .control("w"),
      .control("u"), .control("l"), .control("k"), .control("n"), .control("p"), .control("g"),
    ]

  @Test(
    "Keys, mouse, pastes, sizes and answers at random neither trap nor break what holds", arguments: seeds)
  func random(_ seed: UInt64) {
    useUTF8()
    var random = Seeded(seed)
    var model = Samples.model(80, 24)
    var time = 0.0
    // What was asked and not answered: an answer comes to what was asked, whenever it likes.
    var asked: [Request] = []
    for step in 0..<RandomTests.events / RandomTests.seeds.count {
      // The wall clock is set now and then; the other one never goes back.
      time += Double.random(in: 0...2, using: &random)
      let wallJump =
        Int.random(in: 0..<500, using: &random) == 0 ? Double.random(in: -1e9...1e9, using: &random) : 0
      let now = Moment(wall: Samples.now(time + wallJump).wall, monotonic: Samples.now(time).monotonic)
      let event = event(step, model, &asked, &random)
      let before = model
      let effects = model.update(event, at: now)
      for case .request(let request) in effects { asked.append(request) }
      asked = asked.suffix(40)
      // Drawing takes the most of the time; what it shows is the work of all the events before.
      if step % 4 == 0 { checkInvariants(view(model), "seed \(seed), step \(step)") }
      checkModel(model, "seed \(seed), step \(step)")
      check(effects, of: event, before, now)
    }
  }

  private func event(_ step: Int, _ model: Model, _ asked: inout [Request], _ random: inout Seeded) -> Event {
    let text = HostileTests.texts.randomElement(using: &random) ?? ""
    func path() -> FileName { FileName(bytes: Array("/\(step % 7)".utf8)) ?? Places.root.home }
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return .paste(text)
    case 1:
      return .resize(
        Size(columns: Int.random(in: -1...140, using: &random), rows: Int.random(in: -1...45, using: &random))
      )
    case 2, 3: return .status(HostileTests.status(text, ringing: Bool.random(using: &random), &random))
    case 4: return .tick
    case 5: return step % 4 == 0 ? .disconnected(text) : .tick
    case 6: return .connected
    case 7: return .connectFailed(text)
    case 8, 9, 10:
      guard !asked.isEmpty else { return .tick }
      return answer(asked.remove(at: Int.random(in: 0..<asked.count, using: &random)), step, text, &random)
    case 11: return .previewed(model.form?.words ?? "", .wrong(text))
    case 12:
      let kinds: [Mouse.Kind] = [.press, .release, .drag, .wheelUp, .wheelDown]
      return .mouse(
        Mouse(
          kinds.randomElement(using: &random) ?? .press, .left, row: Int.random(in: -1...45, using: &random),
          column: Int.random(in: -1...140, using: &random)))
    case 13: return .focus(Bool.random(using: &random))
    case 14:
      let names = (0..<step % 40).map {
        Folder.Entry(
          name: Array("\($0)\(text)".utf8.prefix(60)), kind: $0 % 2 == 0 ? .folder : .track,
          trouble: $0 % 5 == 0 ? text : nil)
      }
      let path = model.folderWanted?.path ?? path()
      return .folder(
        path,
        step % 5 == 0
          ? .failure(FolderTrouble(text))
          : .success(Folder(path: path, entries: names, isPlaylist: step % 3 == 0)))
    case 15:
      return .ran(
        model.running ?? text,
        CommandOutcome(lines: Array(repeating: text, count: step % 50), opens: step % 9 == 0 ? text : nil))
    case 16: return .opened(text)
    case 17:
      let levels = (0..<step % 4).map { _ in Double.random(in: -120...20, using: &random) }
      return .levels(Levels(peak: levels, rms: levels.reversed()))
    default: return .key(RandomTests.keys.randomElement(using: &random) ?? .enter)
    }
  }

  private func answer(_ request: Request, _ step: Int, _ text: String, _ random: inout Seeded) -> Event {
    if Int.random(in: 0..<5, using: &random) == 0 {
      return .replied(request, .failure(WireError(code: 1, text)))
    }
    let reply: Reply =
      switch request {
      case .subscribe, .levels:
        .status(HostileTests.status(text, ringing: Bool.random(using: &random), &random))
      case .list: .list((0..<step % 30).map { AlarmEntry(id: $0, when: text, sentence: text) })
      case .add, .edit, .on, .off, .skip, .remove, .undo:
        .alarm(AlarmReply(alarms: [AlarmEntry(id: step, when: text, sentence: text)], warnings: [text]))
      case .queue(let from): .queue((0..<step % 20).map { Samples.queueEntry(from + $0) })
      case .inbox, .clearInbox: .inbox(Array(repeating: Samples.missed, count: step % 9))
      case .log: .log(Array(repeating: Samples.log[step % 2], count: step % 9))
      default: .done(DoneReply(lines: [text]))
      }
    return .replied(request, .success(reply))
  }

  private func checkModel(_ model: Model, _ about: String) {
    let place = model.place
    var isSound = place.selected >= 0 && place.selected < max(1, model.count)
    isSound = isSound && place.first >= 0 && place.first <= place.selected
    if let form = model.form {
      for field in Form.Field.allCases {
        isSound = isSound && (0...form[field].characters.count).contains(form[field].cursor)
        isSound = isSound && form[field].text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      }
    }
    isSound = isSound && (model.overlay == nil) == (model.typing != nil || model.shownRing == nil)
    isSound = isSound && model.history.count <= 100 && (model.snoozeDigits.isEmpty || model.overlay != nil)
    #expect(isSound, "\(about)")
  }

  private func check(_ effects: [Effect], of event: Event, _ before: Model, _ now: Moment) {
    let requests = effects.compactMap { if case .request(let request) = $0 { request } else { nil } }
    // An alarm is dealt with only by a key or a click, and only when the overlay had stood for its time.
    if requests.contains(where: { if case .dismiss(_?) = $0 { true } else { false } }) {
      #expect(before.overlay != nil && now.monotonic >= before.overlayDeafUntil)
    }
    // The engine is stopped only by an answer to the question.
    if requests.contains(.stopEngine) { #expect(before.question == .stopEngine) }
    // Digits that were typed before count when their time has come, whatever else happens then.
    guard before.snoozeDigits.isEmpty else { return }
    if case .paste = event { #expect(requests.allSatisfy { !$0.isDeed }) }
    if before.typing != nil, case .key = event {
      #expect(requests.allSatisfy { $0.method == "add" || $0.method == "edit" || !$0.isDeed })
    }
  }

  @Test("A hundred thousand alarms are drawn no slower than the lines that show")
  func manyAlarms() {
    useUTF8()
    let alarms = (1...100_000).map { Samples.alarm($0, "every Mon 07:00", next: "2026-11-30T07:00:00+01:00") }
    var model = Samples.attached(alarms: alarms)
    Samples.answer(&model, model.update(.key("2"), at: Samples.now()), alarms)
    Samples.answer(&model, model.update(.key("G"), at: Samples.now()), alarms)
    let clock = ContinuousClock()
    func fastest(_ model: Model) -> Duration {
      (0..<5).map { _ in clock.measure { _ = view(model) } }.min() ?? .zero
    }
    var few = Samples.attached(alarms: Array(alarms.prefix(30)))
    Samples.answer(&few, few.update(.key("2"), at: Samples.now()), Array(alarms.prefix(30)))
    // A view that looked at each alarm would take some hundred times as long.
    #expect(fastest(model) < fastest(few) * 10)
  }
}

extension Request {
  /// It changes something at the engine that a person would notice.
  fileprivate var isDeed: Bool {
    switch self {
    case .subscribe, .levels, .list, .queue, .inbox, .log, .focus: false
    default: true
    }
  }
}
