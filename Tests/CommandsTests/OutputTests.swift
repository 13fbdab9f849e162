import Core
import Platform
import Testing
import Wire

@testable import Commands

@Suite("What a person and a script see")
struct OutputTests {
  static func alarm(
    _ id: Int, _ sentence: String, next: String? = nil, inSeconds: Double? = nil, label: String = "",
    sound: String? = nil, state: String = "scheduled"
  ) -> AlarmEntry {
    var entry = AlarmEntry(id: id, when: sentence, sentence: sentence)
    (entry.nextShown, entry.inSeconds, entry.label, entry.sound) = (next, inSeconds, label, sound)
    (entry.state, entry.enabled) = (state, state != "off")
    return entry
  }

  static let alarms = [
    alarm(
      3, "every Mon-Fri 07:00", next: "Mon 30 Nov 07:00", inSeconds: 25_200, label: "Up",
      sound: "/m/one/dawn.flac"),
    alarm(4, "once 2026-12-24 18:00", label: "Gifts", state: "off"),
    alarm(
      12, "once +25m", next: "Mon 30 Nov 00:05", inSeconds: 299.6, label: "日本\u{1b}[31m", state: "snoozed"),
  ]

  static func status() -> Status {
    var status = Status(
      engine: .init(
        pid: 412, version: "0.1.0", startedAt: "2026-11-29T22:00:00+00:00", socket: "/run/s",
        configErrors: [],
        storeErrors: []))
    status.alarms.count = 2
    status.alarms.enabled = 1
    status.alarms.next = .init(id: 3, label: "Up", at: "2026-11-30T07:00:00+00:00")
    return status
  }

  @Test("The doctor prints a line for each thing and what to do below it, and fails where one fails")
  func doctor() throws {
    let bench = Bench()
    let rows: [Finding] = [
      .ok("sound", "it can be played"), .warn("lid", "it\u{1b}[31m sleeps", advice: "leave it open"),
    ]
    try bench.engine.answer("doctor", DoctorReply(rows))
    #expect(bench.run("doctor") == 0)
    #expect(
      bench.text == """
        ok    sound  it can be played
        warn  lid    it\u{fffd}[31m sleeps
                     leave it open

        """)
    try bench.engine.answer("doctor", DoctorReply(rows + [.fail("disk", "it is full", advice: "make room")]))
    #expect(bench.run("doctor --json") == 1)
    #expect(bench.text.contains("\"result\": \"fail\""))
  }

  @Test("Where no engine can be started the doctor asks what needs none")
  func doctorAlone() throws {
    let bench = Bench()
    bench.engineRuns = false
    bench.outside.examineAlone = { reason throws(Complaint) in
      [.fail("engine", reason, advice: "mend that"), .ok("disk", "there is room")]
    }
    #expect(bench.run("doctor") == 1)
    #expect(bench.text.contains("\nok    disk    there is room\n"), "\(bench.text)")
    #expect(bench.complaint.isEmpty)
  }

  @Test("Add prints number, rule, next time and label on one line, and warnings beside it")
  func add() throws {
    let bench = Bench()
    let entry = Self.alarm(
      3, "every Mon-Fri 07:00", next: "Mon 30 Nov 07:00", inSeconds: 29_519.7, label: "Up")
    try bench.engine.answer("add", AlarmReply(alarms: [entry], warnings: ["volume 0 only notifies"]))
    #expect(bench.run("add mon-fri 07:00 --label Up") == 0)
    #expect(bench.text == "3  every Mon-Fri 07:00  next Mon 30 Nov 07:00, in 8 h 12 min  Up\n")
    #expect(bench.complaint == "alarm: volume 0 only notifies\n")
  }

  @Test("With --json it prints what the engine answered, and warnings still on standard error")
  func addJSON() throws {
    let bench = Bench()
    var entry = Self.alarm(3, "once 2026-12-01 07:00", label: "a\"\u{1b}\u{202e}")
    entry.userInfo = ["b": "2", "a": "1"]
    try bench.engine.answer("add", AlarmReply(alarms: [entry], warnings: ["w"]))
    #expect(bench.run("add 07:00 --json") == 0)
    #expect(
      bench.text == """
        {
          "alarms": [
            {
              "action": "",
              "badge": null,
              "body": "",
              "count": null,
              "enabled": true,
              "fade": null,
              "id": 3,
              "inSeconds": null,
              "label": "a\\"\\u001b\\u202e",
              "missed": null,
              "next": null,
              "nextShown": null,
              "run": "",
              "sentence": "once 2026-12-01 07:00",
              "silenceAfter": null,
              "skips": [],
              "snooze": null,
              "snoozeLimit": null,
              "sound": null,
              "state": "scheduled",
              "until": null,
              "userInfo": {
                "a": "1",
                "b": "2"
              },
              "volume": null,
              "when": "once 2026-12-01 07:00",
              "zone": null
            }
          ],
          "done": null,
          "warnings": [
            "w"
          ]
        }

        """)
    #expect(bench.complaint == "alarm: w\n")
  }

  @Test("List is a table: in a pipe whole and without a head")
  func list() throws {
    let bench = Bench()
    try bench.engine.answer("list", Self.alarms)
    #expect(bench.run("list") == 0)
    #expect(
      bench.text == """
        3   on       every Mon-Fri 07:00    Mon 30 Nov 07:00  7 h    Up         dawn.flac
        4   off      once 2026-12-24 18:00                           Gifts
        12  snoozed  once +25m              Mon 30 Nov 00:05  5 min  日本�[31m

        """)
    #expect(bench.complaint.isEmpty)
  }

  @Test("On a terminal it has a head, fits the width, and colours what rings or is off")
  func listOnTerminal() throws {
    let bench = Bench()
    bench.outside.outputIsTerminal = true
    bench.outside.columns = { 72 }
    try bench.engine.answer("list", Self.alarms)
    #expect(bench.run("list") == 0)
    let lines = bench.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0].contains("WHEN"))
    #expect(lines[2].hasPrefix("\u{1b}[2m4 "))
    #expect(lines[3].hasPrefix("\u{1b}[33m12 "))
    #expect(!lines[3].dropFirst(5).dropLast(4).contains("\u{1b}"))
    for line in lines.map(plain) { #expect(Columns.width(line) <= 72) }
    #expect(!lines[0].contains("SOUND") && lines[0].contains("IN"))
  }

  @Test(
    "On a narrow terminal sound and remaining time go first, and nothing is wider",
    arguments: [1, 20, 40, 56, 64, 65])
  func narrow(_ columns: Int) {
    let lines = AlarmLines.table(Self.alarms, columns: columns, style: Style(isOn: false))
    #expect(!lines[0].contains("SOUND"))
    #expect(lines[0].contains("IN") == (columns >= 65))
    // Number, state and next time are never cut.
    if columns >= 50 { for line in lines { #expect(Columns.width(line) <= columns) } }
  }

  /// Without colours.
  private func plain(_ line: String) -> String {
    var (result, inside) = ("", false)
    for character in line {
      if character == "\u{1b}" { inside = true }
      if !inside { result.append(character) }
      if inside, character == "m" { inside = false }
    }
    return result
  }

  @Test(
    "No colour where it is not wanted",
    arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"], [:]] as [[String: String]])
  func noColour(_ environment: [String: String]) throws {
    let bench = Bench(environment: environment.merging(["HOME": "/home/ann"]) { $1 })
    bench.outside.outputIsTerminal = true
    try bench.engine.answer("list", Self.alarms)
    #expect(bench.run("list") == 0)
    #expect(!bench.output.contains(0x1b))
  }

  @Test("An empty list says how to add one, and prints no line")
  func empty() throws {
    let bench = Bench()
    try bench.engine.answer("list", [AlarmEntry]())
    try bench.engine.answer("status", Self.status())
    #expect(bench.run("list") == 0)
    #expect(bench.text.isEmpty)
    #expect(bench.complaint == "alarm: there are no alarms; add one with “alarm add mon-fri 07:00”\n")
    // None because they cannot be read is another thing.
    var status = Self.status()
    status.engine.storeErrors = ["the database is damaged"]
    let broken = Bench()
    try broken.engine.answer("list", [AlarmEntry]())
    try broken.engine.answer("status", status)
    #expect(broken.run("list") == 0)
    #expect(broken.complaint == "alarm: the database is damaged\n")
    let json = Bench()
    try json.engine.answer("list", [AlarmEntry]())
    #expect(json.run("list --json") == 0)
    #expect(json.text == "[]\n")
    #expect(json.complaint.isEmpty)
  }

  @Test("Show says everything that is set, a line a thing")
  func show() throws {
    let bench = Bench()
    var entry = Self.alarms[0]
    (entry.zone, entry.volume, entry.fade, entry.snooze) = ("Europe/Berlin", 60, 30, 600)
    (entry.userInfo, entry.until, entry.count) = (["room": "kitchen"], "2027-01-31", 5)
    entry.skips = [
      AlarmEntry.Skip(from: "2026-12-01", until: "2026-12-01"),
      AlarmEntry.Skip(from: "2026-12-24", until: "2027-01-06"),
    ]
    (entry.action, entry.badge, entry.run) = ("Read", 3, "echo $ALARM_LABEL")
    try bench.engine.answer("show", entry)
    #expect(bench.run("show 3") == 0)
    #expect(
      bench.text == """
        3  every Mon-Fri 07:00 Europe/Berlin  next Mon 30 Nov 07:00, in 7 h  Up
          when           every Mon-Fri 07:00
          next           Mon 30 Nov 07:00, in 7 h
          state          scheduled
          label          Up
          zone           Europe/Berlin
          sound          /m/one/dawn.flac
          volume         60
          fade           30 s
          snooze         10 min
          action         Read
          badge          3
          run            echo $ALARM_LABEL
          info           room=kitchen
          until          2027-01-31
          count          5
          skips          2026-12-01
          skips          2026-12-24 to 2027-01-06

        """)
  }

  @Test("Remove and undo say what went and what came back")
  func removed() throws {
    let bench = Bench()
    try bench.engine.answer("remove", AlarmReply(alarms: [Self.alarms[0]]))
    try bench.engine.answer("undo", AlarmReply(alarms: [Self.alarms[0]], done: "undone: removal of alarm 3"))
    #expect(bench.run("remove 3") == 0)
    #expect(bench.run("undo") == 0)
    #expect(
      bench.text == """
        removed 3  every Mon-Fri 07:00  Up
        undone: removal of alarm 3
        3  every Mon-Fri 07:00  next Mon 30 Nov 07:00, in 7 h  Up

        """)
  }

  @Test("Next prints a line an occurrence")
  func next() throws {
    let bench = Bench()
    let entries = [
      NextEntry(
        id: 3, at: "2026-11-30T07:00:00+00:00", shown: "Mon 30 Nov 07:00", inSeconds: 25_200, label: "Up"),
      NextEntry(
        id: 5, at: "2026-12-01T07:00:00+00:00", shown: "Tue 1 Dec 07:00", inSeconds: 111_600, label: ""),
    ]
    try bench.engine.answer("next", entries)
    #expect(bench.run("next 2") == 0)
    #expect(bench.text == "3  Mon 30 Nov 07:00, in 7 h  Up\n5  Tue 1 Dec 07:00, in 1 d 7 h\n")
  }

  @Test("Sentences of the engine go to standard output, its warnings to standard error")
  func done() throws {
    let bench = Bench()
    try bench.engine.answer("dismiss", DoneReply(lines: ["dismissed 3"], warnings: ["4 still rings"]))
    #expect(bench.run("dismiss") == 0)
    #expect(bench.text == "dismissed 3\n")
    #expect(bench.complaint == "alarm: 4 still rings\n")
  }

  @Test("Status at rest is a handful of lines")
  func statusLines() throws {
    let bench = Bench()
    var status = Self.status()
    status.output.audible = false
    status.output.reason = "the device is null"
    try bench.engine.answer("status", status)
    #expect(bench.run("status") == 0)
    #expect(
      bench.text == """
        next        3 “Up” 07:00, in 7 h (1 of 2 on)
        player      stopped, volume 100
        output      default, closed; nobody will hear: the device is null
        keep-alive  off
        engine      version 0.1.0, process 412 since Sun 29 Nov 22:00, background

        """)
  }

  @Test("Status in full names what rings, plays and keeps awake, and what is wrong")
  func fullStatus() throws {
    let bench = Bench()
    var status = Self.status()
    status.ringing = [
      .init(
        id: 3, occurrence: "3/1", label: "Up", body: "Bus at 8", since: "2026-11-30T00:00:00+00:00",
        sound: "/m/Morning", file: "/m/Morning/1\u{1b}.ogg",
        sounding: true, snoozesLeft: 1, userInfo: [:], notes: ["it rings 2 min late", "the sound is gone"])
    ]
    status.snoozed = [.init(id: 4, occurrence: "4/1", label: "", until: "2026-11-30T00:05:00+00:00")]
    status.alarms.next = nil
    status.player.state = "playing"
    status.player.track = .init(path: "/m/x.flac", title: "", artist: "Ann", album: "", duration: 245.5)
    (status.player.position, status.player.volume, status.player.muted) = (83.2, 80, true)
    (status.queue.length, status.queue.index) = (3, 0)
    (status.output.state, status.output.rate, status.output.format, status.output.channels) = (
      "running", 48_000, "S16_LE", 2
    )
    (status.keepAlive.active, status.keepAlive.why) = (true, "a track is loaded")
    status.awake.leases = [
      .init(
        id: 2, owner: "ann", reason: "film", kinds: ["audio"], expiresAt: "2026-11-30T02:00:00+00:00",
        secondsLeft: 7200,
        renewalsLeft: 5)
    ]
    status.engine.configErrors = ["alarm.fade is “x”"]
    status.engine.configWarnings = ["alarm.sound: no “\u{1b}”"]
    try bench.engine.answer("status", status)
    #expect(bench.run("status") == 0)
    #expect(
      bench.text == """
        ringing     3 “Up” since 00:00, sounding 1�.ogg of Morning, 1 snooze left: Bus at 8 (it rings 2 min late; the sound is gone)
        snoozed     4 until 00:05, in 5 min
        next        none; 2 in the list
        player      playing “x.flac” by Ann, 1:23 of 4:05, track 1 of 3, volume 80, muted
        output      default, running, 48000 Hz S16_LE, 2 channels
        keep-alive  on (stream, zero): a track is loaded
        awake       2  audio until 02:00, 2 h left and 5 times as long again: film (ann)
        engine      version 0.1.0, process 412 since Sun 29 Nov 22:00, background
        settings    alarm.fade is “x”
                    until that is mended the settings stay as they are, all of them
        settings    alarm.sound: no “�”

        """)
  }

  @Test("Following prints every change once, and with --json a line each")
  func follow() throws {
    var second = Self.status()
    second.player.volume = 40
    let changes = try [Self.status(), second, second].map { status in
      let bench = Bench()
      try bench.engine.answer("status", status)
      return try #require(try bench.engine.answers["status"]?.get())
    }
    let people = Bench()
    people.engine.answers["subscribe"] = .success(changes[0])
    people.engine.notifications = changes
    #expect(people.run("status --follow") == 0)
    #expect(people.text.split(separator: "\n\n", omittingEmptySubsequences: true).count == 2)
    let script = Bench()
    script.engine.answers["subscribe"] = .success(changes[0])
    script.engine.notifications = changes
    #expect(script.run("status --follow --json") == 0)
    let lines = script.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"alarms\":") && $0.hasSuffix("}") })
  }

  @Test("Following ends when nobody reads any more")
  func followIntoNothing() throws {
    let bench = Bench()
    try bench.engine.answer("subscribe", Self.status())
    bench.engine.notifications = [.null]
    bench.writeFault = 32
    #expect(bench.run("status --follow") == 0)
    #expect(bench.engine.notifications.count == 1)
  }

  @Test("Leases are a line each, and none is said")
  func leases() throws {
    let bench = Bench()
    try bench.engine.answer(
      "awake.list",
      [
        Status.Lease(
          id: 2, owner: "ann", reason: "", kinds: ["audio"], expiresAt: "2026-12-01T02:00:00+00:00",
          secondsLeft: 93_600,
          renewalsLeft: 5)
      ])
    #expect(bench.run("awake list") == 0)
    #expect(bench.text == "2  audio until Tue 1 Dec 02:00, 1 d 2 h left and 5 times as long again (ann)\n")
    let none = Bench()
    try none.engine.answer("awake.list", [Status.Lease]())
    #expect(none.run("awake list") == 0)
    #expect(none.text.isEmpty && !none.complaint.isEmpty)
  }

  @Test(
    "Columns are counted as a terminal shows them",
    arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("", 0)])
  func width(_ text: String, _ width: Int) { #expect(Columns.width(text) == width) }

  @Test(
    "A text is cut with an ellipsis, wide characters whole",
    arguments: [
      ("abcdef", 4, "abc…"), ("日本語", 4, "日…"), ("ab", 2, "ab"), ("abc", 0, ""),
    ])
  func cut(_ text: String, _ limit: Int, _ expected: String) {
    #expect(Columns.cut(text, to: limit) == expected)
  }
}
