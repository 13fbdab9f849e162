import Glibc
import Harness
import Platform
import Testing
import Wire

@testable import Commands

@Suite("What is refused says why and what to do")
struct RefusalTests {
  @Test(
    "Wrong words end with 2 and one sentence, and nothing reaches the engine",
    arguments: [
      ("lst", "there is no command “lst”; did you mean “alarm list”?"),
      ("frobnicate", "there is no command “frobnicate”; “alarm help” lists them all"),
      ("07:00", "there is no command “07:00”; to add an alarm write “alarm add 07:00”"),
      ("+25m", "there is no command “+25m”; to add an alarm write “alarm add +25m”"),
      ("--verbose", "alarm has no option “--verbose”; “alarm --help” lists what it has"),
      ("-x", "alarm has no option “-x”; “alarm --help” lists what it has"),
      ("--zone UTC list", "alarm list has no option “--zone”; “alarm list --help” lists what it has"),
      (
        "add",
        "say when: “alarm add 07:00”, “alarm add mon-fri 07:00” or “alarm add +25m”; “alarm help when” shows every form"
      ),
      ("add 07:00 --volume loud", "“--volume loud” is out of place; give a whole number from 0 to 100"),
      ("add 07:00 --volume 101", "“--volume 101” is out of place; give a whole number from 0 to 100"),
      ("add 07:00 --badge -1", "“--badge -1” is out of place; give a whole number from 0 to 9999"),
      ("add 07:00 --run=", "“--run” is empty; write --run COMMAND, or leave it out"),
      ("add 07:00 --volume -1", "“--volume -1” is out of place; give a whole number from 0 to 100"),
      ("add 07:00 --count 0", "“--count 0” is out of place; give a whole number from 1 to 1000000"),
      (
        "add 07:00 --snooze-limit 1.5",
        "“--snooze-limit 1.5” is out of place; give a whole number from 0 to 1000"
      ),
      ("add 07:00 --info kitchen", "“--info kitchen” is no pair; write KEY=VALUE, as in --info room=kitchen"),
      ("add 07:00 --info =x", "“--info =x” is no pair; write KEY=VALUE, as in --info room=kitchen"),
      ("add 07:00 --until=", "“--until” is empty; write --until DATE, or leave it out"),
      ("add 07:00 --label", "“--label” needs a value: --label TEXT"),
      ("add 07:00 --colour 3", "alarm add has no option “--colour”; “alarm add --help” lists what it has"),
      ("edit", "say which alarm and what to change: “alarm edit 3 06:45”; “alarm list” shows their numbers"),
      ("skip", "say which alarm: “alarm skip 3”; “alarm list” shows their numbers"),
      ("skip --all", "say up to when: “alarm skip --all --until 2027-01-06”"),
      (
        "skip 3 --all --until fri",
        "give a number or --all, not both: “alarm skip 3”, or “alarm skip --all --until DATE”"
      ),
      (
        "skip 3 --off --until fri",
        "--off takes everything back, so --until has no place beside it; leave one out"
      ),
      ("edit x 07:00", "“x” is not an alarm's number; “alarm list” shows them, as in “alarm edit 3”"),
      (
        "edit 3", "say what to change: a new time as in “alarm edit 3 06:45”, or an option as in “--label Up”"
      ),
      (
        "skip 3 --until 24 December",
        "a value of several words stands in quotation marks: --until \"24 December\""
      ),
      (
        "add mon-fri 07:00 --until 24 December 2027",
        "a value of several words stands in quotation marks: --until \"24 December 2027\""
      ),
      (
        "add 07:00 --label Green tea",
        "a value of several words stands in quotation marks: --label \"Green tea\""
      ),
      (
        "edit 3 07:00 --label Green tea",
        "a value of several words stands in quotation marks: --label \"Green tea\""
      ),
      (
        "snooze 5m 1",
        "the number of the alarm stands before the span: “alarm snooze 1 5m”; minutes are written 1m"
      ),
      ("list all", "“alarm list” takes no words, and “all” is one; leave it out"),
      ("show", "say which alarm: “alarm show 3”; “alarm list” shows their numbers"),
      ("show 1 2", "“alarm show” takes one alarm's number, as in “alarm show 3”"),
      ("show 0", "“0” is not an alarm's number; “alarm list” shows them, as in “alarm show 3”"),
      ("remove", "say which alarm: “alarm remove 3”; “alarm list” shows their numbers"),
      ("remove 3 --spent", "give numbers or --spent, not both: “alarm remove 3”, or “alarm remove --spent”"),
      (
        "remove 99999999999999999999",
        "“99999999999999999999” is not an alarm's number; “alarm list” shows them, as in “alarm remove 3”"
      ),
      ("on -3", "“-3” is not an alarm's number; “alarm list” shows them, as in “alarm on 3”"),
      ("off", "say which alarm: “alarm off 3”; “alarm list” shows their numbers"),
      ("undo 3", "“alarm undo” takes no words, and “3” is one; leave it out"),
      ("next many", "“many” is no number of occurrences; give one from 1 to 1000: “alarm next 5”"),
      ("next 0", "“0” is no number of occurrences; give one from 1 to 1000: “alarm next 5”"),
      ("timer", "say how long: “alarm timer 25m”, or with a label “alarm timer 4 min Tea”"),
      (
        "timer Tea",
        "“Tea” does not begin with a span of time: “alarm timer 25m”, or with a label “alarm timer 4 min Tea”"
      ),
      (
        "timer 99999w",
        "\"99999w\" is longer than ten years: write 52w, as in “alarm timer 25m”, or with a label “alarm timer 4 min Tea”"
      ),
      ("ring", "say which alarm: “alarm ring 3”; “alarm list” shows their numbers"),
      ("dismiss all", "“all” is not an alarm's number; “alarm list” shows them, as in “alarm dismiss 3”"),
      ("stop it", "“alarm stop” takes no words, and “it” is one; leave it out"),
      (
        "play https://example.org/x.mp3",
        "“https://example.org/x.mp3” is an address (https), and only files and folders can be played; download it first"
      ),
      (
        "play file://nonsense", "“file://nonsense” is not a file's URI; write file:///path/to/it, or its path"
      ),
      ("seek", "say where to: “alarm seek +30s”, “alarm seek -10s”, “alarm seek 1:30” or “alarm seek 50%”"),
      (
        "seek 90s",
        "“90s” is no place in a track: “alarm seek +30s”, “alarm seek -10s”, “alarm seek 1:30” or “alarm seek 50%”"
      ),
      (
        "seek 101%",
        "“101%” is no place in a track: “alarm seek +30s”, “alarm seek -10s”, “alarm seek 1:30” or “alarm seek 50%”"
      ),
      ("volume loud", "“loud” is no volume; give one from 0 to 100, or a change as in “alarm volume +5”"),
      ("volume 101", "“101” is no volume; give one from 0 to 100, or a change as in “alarm volume +5”"),
      ("volume 5 5", "“5 5” is no volume; give one from 0 to 100, or a change as in “alarm volume +5”"),
      ("track", "write “alarm track next” or “alarm track previous”"),
      ("track first", "“first” is neither: write “alarm track next” or “alarm track previous”"),
      ("awake list all", "“alarm awake list” takes no more words; leave them out"),
      (
        "awake off x", "“x” is not a lease's number; “alarm awake list” shows them, as in “alarm awake off 2”"
      ),
      ("awake off --reason x", "“--reason” belongs to a new lease, not to “alarm awake off”; leave it out"),
      (
        "awake renew", "say which lease: “alarm awake renew 2”; “alarm awake list” shows them"
      ),
      (
        "awake renew x",
        "“x” is not a lease's number; “alarm awake list” shows them, as in “alarm awake renew 2”"
      ),
      (
        "awake --while make",
        "“--while make” is not a process's number; “ps” shows them, as in --while 1234"
      ),
      ("awake 1h --until 23:00", "a span and --until contradict each other; give one of the two"),
      (
        "awake 1h -- make",
        "with a command the lease lasts as long as it runs; leave out the span, --until and --while"
      ),
      ("awake --json -- make", "with a command only the command prints; leave out --json"),
      ("engine", "write “alarm engine status”, “start”, “stop” or “run”"),
      ("engine restart", "“restart” is none of them: write “alarm engine status”, “start”, “stop” or “run”"),
      (
        "engine run --background --fork",
        "alarm engine has no option “--background”; “alarm engine --help” lists what it has"
      ),
      ("help me now", "“alarm help” takes one word, as in “alarm help me”"),
      ("help lst", "there is no help on “lst”; did you mean “alarm help list”?"),
      ("when", "say the rule: “alarm when mon-fri 07:00”; “alarm help when” shows every form"),
      ("when 07:00 --zone Europe/Berln", "there is no time zone “Europe/Berln”; did you mean Europe/Berlin?"),
      ("when 07:00 --after noon", "“--after noon” is no instant; write it as 2026-11-30T07:00:00+01:00"),
      ("when 07:00 --count none", "“--count none” is out of place; give a whole number from 1 to 100000"),
    ])
  func wrongWords(_ line: String, _ sentence: String) {
    let bench = Bench()
    #expect(bench.run(line) == 2)
    #expect(bench.complaint == "alarm: \(sentence)\n")
    #expect(bench.text.isEmpty)
    #expect(bench.engine.asked.isEmpty)
  }

  @Test(
    "A span without its unit is refused before the engine is asked",
    arguments: ["awake 5", "snooze 3 5", "awake soon"])
  func spans(_ line: String) {
    let bench = Bench()
    #expect(bench.run(line) == 2)
    #expect(bench.complaint.hasPrefix("alarm: "))
    #expect(bench.complaint.contains("write ") && bench.complaint.contains("as in “alarm "))
    #expect(bench.engine.asked.isEmpty)
  }

  @Test(
    "Words that are no UTF-8 are refused where they are no files",
    arguments: ["add", "edit", "show", "awake", "when", "timer", "help"])
  func odd(_ command: String) {
    let bench = Bench()
    #expect(bench.run(words: [Argument(command), Argument(bytes: [0x6d, 0xff])]) == 2)
    #expect(
      bench.complaint == "alarm: “m\u{fffd}” is not valid UTF-8; only names of files may be otherwise\n")
  }

  @Test("Escapes in what was typed do not reach the terminal")
  func escapes() {
    let bench = Bench()
    #expect(bench.run("l\u{1b}[31mst\u{202e}") == 2)
    #expect(bench.complaint.utf8.allSatisfy { $0 != 0x1b })
    #expect(!bench.complaint.unicodeScalars.contains("\u{202e}"))
  }

  @Test(
    "The engine's refusal is passed on: wrong words with 2, all else with 1",
    arguments: [
      (ErrorCode.wrongWords, 2), (ErrorCode.invalidParams, 2), (ErrorCode.refused, 1),
      (ErrorCode.connectionLost, 1),
    ] as [(Int, Int32)])
  func passedOn(_ code: Int, _ status: Int32) {
    let bench = Bench()
    bench.engine.answers["add"] = .failure(WireError(code: code, "“7” has\u{1b} no minutes: write 07:00"))
    #expect(bench.run("add 7") == status)
    #expect(bench.complaint == "alarm: “7” has\u{fffd} no minutes: write 07:00\n")
  }

  @Test(
    "An engine of another version is named as such, when it knows no method or answers what cannot be read")
  func otherVersion() {
    let bench = Bench()
    #expect(bench.run("undo") == 1)
    #expect(
      bench.complaint
        == "alarm: the engine that runs is of another version and does not know this; “alarm engine stop” lets the next command start a new one\n"
    )
  }

  @Test(
    "Where no engine can be had, the sentence says so",
    arguments: ["list", "add 07:00", "status", "engine start"])
  func noEngine(_ line: String) {
    let bench = Bench()
    bench.engineRuns = false
    #expect(bench.run(line) == 1)
    #expect(bench.complaint == "alarm: the engine cannot be started: it is a test\n")
  }

  @Test("The screen needs a terminal that can show it")
  func screen() {
    let bench = Bench()
    #expect(bench.run("") == 1)
    #expect(
      bench.complaint
        == "alarm: the screen needs a terminal; “alarm status” says how things stand, and “alarm help” lists all commands\n"
    )
    for term in ["dumb", ""] {
      let dumb = Bench(environment: ["HOME": "/home/ann", "TERM": term])
      (dumb.outside.inputIsTerminal, dumb.outside.outputIsTerminal) = (true, true)
      #expect(dumb.run("") == 1)
      #expect(dumb.complaint.contains("“alarm status”") && dumb.complaint.contains("“alarm help”"))
      #expect(!dumb.screenOpened)
    }
    let good = Bench()
    (good.outside.inputIsTerminal, good.outside.outputIsTerminal) = (true, true)
    #expect(good.run("") == 0)
    #expect(good.screenOpened)
  }

  @Test("A full disk is told, a reader that has gone is not")
  func output() throws {
    let full = Bench()
    full.writeFault = ENOSPC
    #expect(full.run("help") == 1)
    #expect(full.complaint.hasPrefix("alarm: cannot write the output: no space left on device; "))
    let gone = Bench()
    gone.writeFault = EPIPE
    #expect(gone.run("help") == 0)
    #expect(gone.complaint.isEmpty)
  }
}
