import Platform
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
    (status.queue.length, status.queue.index, status.queue.repeat) = (1, 0, text)
    status.player.sleepAt = instant()
    status.badge = 3
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

  /// Everything that can come from outside, made of one text.
  static func model(
    _ text: String, _ columns: Int, _ rows: Int, _ charset: Charset, ringing: Bool, _ random: inout Seeded
  )
    -> Model
  {
    var model = Samples.model(columns, rows, charset: charset)
    let status = HostileTests.status(text, ringing: ringing, &random)
    let now = Samples.now()
    _ = model.update(.replied(.subscribe, .success(.status(status))), at: now)
    for (page, reply) in replies(text, &random) {
      model.page = page
      for (request, answer) in reply { _ = model.update(.replied(request, .success(answer)), at: now) }
    }
    if let path = FileName(bytes: Array("/\(text)".utf8.filter { $0 != 0 })) {
      model.page = .files
      model.folderWanted = .init(path: path, selecting: nil)
      let name = Array(text.utf8.filter { $0 != 0 && $0 != 0x2f }) + [0xff, 0xc3]
      let entries =
        [Folder.Entry.Kind.folder, .playlist, .track].map { Folder.Entry(name: name, kind: $0) } + [
          Folder.Entry(name: name, kind: .track, trouble: text)
        ]
      let folder = Folder(path: path, entries: entries, isPlaylist: Bool.random(using: &random))
      _ = model.update(.folder(path, .success(folder)), at: now)
    }
    model.page = .clock
    return model
  }

  private static func replies(_ text: String, _ random: inout Seeded) -> [(Page, [(Request, Reply)])] {
    var entry = AlarmEntry(id: 1, when: text, sentence: text)
    (entry.label, entry.next, entry.state, entry.body, entry.sound) = (text, text, text, text, text)
    (entry.zone, entry.run, entry.until, entry.userInfo) = (text, text, text, [text: text])
    (entry.fade, entry.snooze) = (.nan, .infinity)
    entry.skips = [.init(from: text, until: text)]
    entry.missed = .init(at: text, shown: text, reason: text, because: text)
    var second = entry
    second.next = "2026-11-30T07:00:00+01:00"
    second.missed = .init(at: "2026-11-28T07:00:00+01:00", shown: text, reason: text, because: text)
    let track = QueueEntry(
      place: 1, current: true, path: text, title: text, artist: text, album: text,
      duration: [.nan, .infinity, -1, 1e300].randomElement(using: &random))
    let notice = Status.InboxEntry(
      occurrence: text, id: .max, label: text, body: text, action: text, userInfo: [text: text], at: text,
      state: text, reason: text, because: text)
    let line = LogEntry.Line(at: text, what: text, text: text)
    let story = LogEntry(
      occurrence: text, id: .min, label: text, at: text, state: text, reason: text, because: text, late: .nan,
      rehearsal: true, story: [line, line])
    return [
      (.alarms, [(.list, .list([entry, second]))]), (.player, [(.queue(from: 1), .queue([track]))]),
      (.inbox, [(.inbox(seen: true), .inbox([notice]))]), (.log, [(.log, .log([story]))]),
    ]
  }

  @Test("No such text reaches a cell in any view, at any size", arguments: texts, [Charset.unicode, .ascii])
  func hostile(_ text: String, _ charset: Charset) {
    useUTF8()
    var random = Seeded(UInt64(text.utf8.count))
    let openings: [[Key]] =
      Page.allCases.map { [Key(name: "\($0.rawValue)") ?? .escape] } + [
        ["a"], ["2", "e"], [":"], ["3", "/"], ["5", .enter], ["Q"],
      ]
    let sizes = [(80, 24), (40, 12), (20, 6), (7, 2), (1, 1), (0, 0), (80, 0)]
    // What is very long costs a moment each time that it is made ready; the widest and the narrowest tell enough of it.
    for (columns, rows) in text.utf8.count > 1000 ? [sizes[0], sizes[2], sizes[4]] : sizes {
      for ringing in [false, true] {
        let start = HostileTests.model(text, columns, rows, charset, ringing: ringing, &random)
        for keys in ringing ? [[]] : openings {
          var model = start
          // Behind the overlay's back too.
          if ringing { model.typing = .command(CommandEntry()) }
          if ringing {
            _ = model.update(.key(.escape), at: Samples.now())
          } else {
            for key in keys { _ = model.update(.key(key), at: Samples.now()) }
          }
          check(model, charset)
          _ = model.update(.paste(text), at: Samples.now())
          let words = model.form?.words ?? ""
          _ = model.update(.previewed(words, .rings(text, warnings: [text])), at: Samples.now())
          check(model, charset)
          _ = model.update(.replied(.mute, .failure(WireError(code: 1, text))), at: Samples.now())
          check(model, charset)
          model.running = text
          _ = model.update(
            .ran(text, CommandOutcome(lines: [text, text], complaints: [text])), at: Samples.now())
          check(model, charset)
          _ = model.update(.disconnected(text), at: Samples.now())
          _ = model.update(.connectFailed(text), at: Samples.now(60))
          check(model, charset)
        }
      }
    }
  }

  private func check(_ model: Model, _ charset: Charset) {
    let frame = view(model)
    checkInvariants(frame)
    if charset == .ascii { #expect(frame.cells.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } }) }
  }
}
