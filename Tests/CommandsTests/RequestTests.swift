import Harness
import Platform
import Testing
import Wire

@testable import Commands

@Suite("What is typed reaches the engine as a request")
struct RequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let line: String
    let method: String
    let params: JSON
    var testDescription: String { line }
  }

  @Test(
    "Words are joined, options become params",
    arguments: [
      Row(line: "add mon-fri 07:00", method: "add", params: ["when": "mon-fri 07:00"]),
      Row(line: "add 7am tomorrow", method: "add", params: ["when": "7am tomorrow"]),
      Row(line: "add +25m --label Tea", method: "add", params: ["when": "+25m", "label": "Tea"]),
      Row(line: "--label Tea add +25m", method: "add", params: ["when": "+25m", "label": "Tea"]),
      Row(
        line: "--lab=Tea --soun dawn add +25m", method: "add",
        params: ["when": "+25m", "label": "Tea", "sound": "dawn"]),
      Row(
        line: "add --info a=b --volume 40 07:00 --info c= --count=3 --snooze-l 2", method: "add",
        params: ["when": "07:00", "volume": 40, "count": 3, "snooze-limit": 2, "info": ["a": "b", "c": ""]]),
      Row(
        line: "add 07:00 --label= --fade 5s", method: "add",
        params: ["when": "07:00", "label": "", "fade": "5s"]),
      Row(line: "add 07:00 --sound dawn", method: "add", params: ["when": "07:00", "sound": "dawn"]),
      Row(
        line: "add 07:00 --sound ./x.ogg", method: "add",
        params: ["when": "07:00", "sound": "/home/ann/./x.ogg"]),
      Row(
        line: "add 07:00 --sound ~/x.ogg", method: "add",
        params: ["when": "07:00", "sound": "/home/ann/x.ogg"]),
      Row(line: "add 07:00 --sound /m/x.ogg", method: "add", params: ["when": "07:00", "sound": "/m/x.ogg"]),
      Row(line: "edit 3 sat,sun", method: "edit", params: ["id": 3, "when": "sat,sun"]),
      Row(
        line: "edit 3 --until= --sound= --info room=", method: "edit",
        params: ["id": 3, "until": "", "sound": "", "info": ["room": ""]]),
      Row(
        line: "add 07:00 --action Read --badge 3 --run echo", method: "add",
        params: ["when": "07:00", "action": "Read", "badge": 3, "run": "echo"]),
      Row(
        line: "edit 3 --action= --badge= --run=", method: "edit",
        params: ["id": 3, "action": "", "badge": "", "run": ""]),
      Row(line: "show 3", method: "show", params: ["id": 3]),
      Row(line: "remove 3 5 3", method: "remove", params: ["ids": [3, 5]]),
      Row(line: "remove --spent", method: "remove", params: ["spent": true]),
      Row(line: "on 3", method: "on", params: ["ids": [3]]),
      Row(line: "off 3 4", method: "off", params: ["ids": [3, 4]]),
      Row(line: "skip 3", method: "skip", params: ["id": 3]),
      Row(line: "skip 3 --until fri", method: "skip", params: ["id": 3, "until": "fri"]),
      Row(
        line: "skip --all --until 2027-01-06", method: "skip", params: ["all": true, "until": "2027-01-06"]),
      Row(line: "skip 3 --off", method: "skip", params: ["id": 3, "off": true]),
      Row(line: "undo", method: "undo", params: [:]),
      Row(line: "next", method: "next", params: [:]),
      Row(line: "next 5", method: "next", params: ["count": 5]),
      Row(line: "timer 25m", method: "timer", params: ["span": "25m"]),
      Row(
        line: "timer 4 min 30 s Green tea", method: "timer",
        params: ["span": "4 min 30 s", "label": "Green tea"]),
      Row(line: "timer +5m x", method: "timer", params: ["span": "5m", "label": "x"]),
      Row(line: "timer half an hour", method: "timer", params: ["span": "half an hour"]),
      Row(line: "ring 3", method: "ring", params: ["id": 3]),
      Row(line: "snooze", method: "snooze", params: [:]),
      Row(line: "snooze 3", method: "snooze", params: ["id": 3]),
      Row(line: "snooze 3 5m", method: "snooze", params: ["id": 3, "span": "5m"]),
      Row(line: "snooze 5m", method: "snooze", params: ["span": "5m"]),
      Row(line: "snooze 5 min", method: "snooze", params: ["span": "5 min"]),
      Row(line: "snooze 3 5 min", method: "snooze", params: ["id": 3, "span": "5 min"]),
      Row(line: "dismiss", method: "dismiss", params: [:]),
      Row(line: "dismiss 3", method: "dismiss", params: ["id": 3]),
      Row(line: "stop", method: "stop", params: [:]),
      Row(line: "play", method: "play", params: [:]),
      Row(
        line: "play a.ogg ../b /c", method: "play",
        params: ["sources": ["/home/ann/a.ogg", "/home/ann/../b", "/c"]]),
      Row(line: "play -- --odd.ogg", method: "play", params: ["sources": ["/home/ann/--odd.ogg"]]),
      Row(line: "play file:///m/a%20b.ogg", method: "play", params: ["sources": ["/m/a b.ogg"]]),
      Row(line: "pause", method: "pause", params: [:]),
      Row(line: "toggle", method: "toggle", params: [:]),
      Row(line: "seek -10s", method: "seek", params: ["by": -10]),
      Row(line: "seek +1m30s", method: "seek", params: ["by": 90]),
      Row(line: "seek 1:30", method: "seek", params: ["to": 90]),
      Row(line: "seek 1:02:03", method: "seek", params: ["to": 3723]),
      Row(line: "seek 50%", method: "seek", params: ["percent": 50]),
      Row(line: "volume", method: "volume", params: [:]),
      Row(line: "volume 40", method: "volume", params: ["set": 40]),
      Row(line: "volume -5", method: "volume", params: ["by": -5]),
      Row(line: "volume +5%", method: "volume", params: ["by": 5]),
      Row(line: "mute", method: "mute", params: [:]),
      Row(line: "track next", method: "track.next", params: [:]),
      Row(line: "track previous", method: "track.previous", params: [:]),
      Row(line: "status", method: "status", params: [:]),
      Row(line: "status --follow", method: "subscribe", params: [:]),
      Row(line: "awake", method: "awake", params: [:]),
      Row(line: "awake 3h --reason film", method: "awake", params: ["span": "3h", "reason": "film"]),
      Row(
        line: "awake --until 23:00 --then date", method: "awake", params: ["until": "23:00", "then": "date"]),
      Row(line: "awake 5m --while 12", method: "awake", params: ["span": "5m", "while": 12]),
      Row(line: "awake renew 2", method: "awake.renew", params: ["id": 2]),
      Row(
        line: "awake renew 2 half an hour", method: "awake.renew", params: ["id": 2, "span": "half an hour"]),
      Row(line: "awake list", method: "awake.list", params: [:]),
      Row(line: "awake off", method: "awake.off", params: [:]),
      Row(line: "awake off 2", method: "awake.off", params: ["id": 2]),
    ])
  func request(_ row: Row) {
    let bench = Bench()
    // The engine of the bench knows no method; what it was asked is all that matters here.
    #expect(bench.run(row.line) == 1, "\(bench.complaint)")
    // 90 and 90.0 are the same number.
    #expect(bench.engine.asked.map(\.method) == [row.method])
    #expect(bench.engine.asked.first.map { JSONText.line($0.params) } == JSONText.line(row.params))
  }

  @Test("With a command the lease is bound to it, and the command is handed over byte by byte")
  func awakeCommand() {
    let bench = Bench()
    var ran: [([Argument], JSON)] = []
    bench.outside.runAwake = { command, params in
      ran.append((command, .object(params)))
      return 3
    }
    let odd = Argument(bytes: [0x66, 0xff])
    #expect(bench.run(words: ["awake", "--then", "date", "--", "cp", "--list", odd]) == 3)
    #expect(ran.map(\.0) == [["cp", "--list", odd]])
    #expect(ran.map(\.1) == [["bind": true, "then": "date", "reason": "cp --list f\u{fffd}"]])
    #expect(bench.run("awake --reason tests -- make") == 3)
    #expect(ran.last?.1 == ["bind": true, "reason": "tests"])
    #expect(bench.engine.asked.isEmpty)
  }

  @Test("A word that names a file from here is a path, with or without a slash")
  func sound() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: folder.file("dawn"))
    let bench = Bench(folder: folder.path)
    _ = bench.run("add 07:00 --sound dawn")
    _ = bench.run("add 07:00 --sound dusk")
    #expect(bench.engine.asked.map { $0.params["sound"] } == [.string("\(folder.path)/dawn"), "dusk"])
  }

  @Test("A name that is no UTF-8 travels as a URI")
  func bytes() {
    let bench = Bench()
    _ = bench.run(words: ["play", Argument(bytes: [0x61, 0xff])])
    #expect(bench.engine.asked.first?.params == ["sources": ["file:///home/ann/a%FF"]])
  }

  @Test("A relative name is refused where the folder is gone")
  func goneFolder() {
    let bench = Bench()
    bench.outside.currentFolder = { () throws(SystemError) in
      throw SystemError("the current folder cannot be told", code: 2)
    }
    #expect(bench.run("play x.ogg") == 1)
    #expect(
      bench.complaint
        == "alarm: “x.ogg” cannot be found from here: the current folder cannot be told: no such file or directory; write its whole path, beginning with “/”\n"
    )
    #expect(bench.run("play /x.ogg") == 1)
    #expect(bench.engine.asked.count == 1)
  }

  @Test("The engine's own words reach the engine and no other command")
  func engineWords() {
    #expect(Bench().run("engine run") == 7)
    #expect(Bench().run("engine run --background") == 7)
    #expect(Bench().run("engine run --ready") == 7)
  }

  @Test("“open” opens the screen on a notification that is there, and on no other")
  func open() throws {
    var status = Status(
      engine: .init(
        pid: 1, version: "1", startedAt: "", socket: "", configErrors: [], storeErrors: []))
    status.snoozed = [.init(id: 4, occurrence: "4@2026-12-01.1", label: "Tea", until: "")]
    for (words, code, opened) in [
      (["open", "4@2026-12-01.1"], 0, "4@2026-12-01.1"), (["open", "5@2026-12-01.1"], 1, nil),
      (["open", "4"], 0, "4@2026-12-01.1"), (["open", "5"], 1, nil),
      (["open"], 2, nil), (["open", "a", "b"], 2, nil),
    ] as [([String], Int32, String?)] {
      let bench = Bench()
      (bench.outside.inputIsTerminal, bench.outside.outputIsTerminal) = (true, true)
      try bench.engine.answer("status", status)
      #expect(bench.run(words: words.map { Argument($0) }) == code, "\(words)")
      #expect(bench.opened == opened)
    }
    for (isThere, sentence) in [(true, "alarm 5 has no notification"), (false, "there is no alarm 5")] {
      let bench = Bench()
      try bench.engine.answer("status", status)
      if isThere {
        try bench.engine.answer("show", AlarmEntry(id: 5, when: "07:00", sentence: "every day 07:00"))
      } else {
        bench.engine.answers["show"] = .failure(WireError(code: -32000, "there is no alarm 5"))
      }
      #expect(bench.run("open 5") == 1)
      #expect(bench.complaint.hasPrefix("alarm: \(sentence)"), "\(bench.complaint)")
    }
  }
}
