import Glibc
import Harness
import Platform
import Testing

@testable import Engine

@Suite("The helper that wakes the machine, as the engine has it", .serialized)
struct WakeHelperTests {
  /// A loop with the helper on it, in a folder of its own.
  private final class Bench {
    let folder: TemporaryFolder
    let loop: EventLoop
    let helper: WakeHelper
    private let heard = Heard()
    final class Heard { var changes = 0 }

    var changes: Int { heard.changes }
    var path: String { folder.path + "/alarm-wake" }

    init(_ script: String? = WakeHelperScript.obeys, patience: Int64 = 20_000_000, rest: Int64 = 60_000_000)
      throws
    {
      blockSignals([SIGCHLD])
      folder = try TemporaryFolder()
      loop = try EventLoop()
      let path = folder.path + "/alarm-wake"
      if let script { try WakeHelperScript.put(script, at: path) }
      let heard = heard
      helper = try WakeHelper(loop, try Workers(loop), [path], patience: patience, rest: rest) {
        heard.changes += 1
      }
    }

    func run(until what: String, _ done: () -> Bool) throws {
      let end = Clocks.monotonicMicroseconds() + 20_000_000
      while !done() {
        guard Clocks.monotonicMicroseconds() < end else {
          throw Timeout(description: "\(what) did not come; \(helper.problem ?? "no problem")")
        }
        try loop.runOnce(waitingAtMost: 20_000)
      }
    }

    /// What came of a question; an empty text: it does.
    func ask(_ second: Int64?) throws -> String {
      var answer: String?
      if let second {
        helper.start(at: second * 1_000_000 + 999_999) { answer = $0 ?? "" }
      } else {
        helper.probe { answer = $0 ?? "" }
      }
      try run(until: "an answer") { answer != nil }
      #expect(helper.isSettled)
      return answer ?? ""
    }

    func process() throws -> pid_t {
      try run(until: "its process") { WakeHelperScript.process(path) != nil }
      return try #require(WakeHelperScript.process(path))
    }
  }

  private func isAlive(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

  @Test("It is started when it is wanted, told each instant, and ended when none is wanted")
  func obeys() throws {
    let bench = try Bench()
    #expect(try bench.ask(nil) == "" && WakeHelperScript.armed(bench.path) == [])
    #expect(try bench.ask(2_000_000_000) == "")
    #expect(try bench.ask(2_000_000_000) == "", "it is held already")
    #expect(try bench.ask(2_000_000_060) == "")
    #expect(WakeHelperScript.armed(bench.path) == [2_000_000_000, 2_000_000_060])
    let process = try bench.process()
    bench.helper.stop()
    try bench.run(until: "its end") { !isAlive(process) }
    #expect(bench.changes == 0 && bench.helper.problem == nil)
    #expect(try bench.ask(2_000_000_120) == "")
    #expect(try bench.process() != process)
  }

  @Test("Of instants in a row each is answered, and the last one holds")
  func inARow() throws {
    let bench = try Bench()
    var answers: [String?] = []
    for second in 0..<50 {
      bench.helper.start(at: (2_000_000_000 + Int64(second)) * 1_000_000) { answers.append($0) }
    }
    try bench.run(until: "all answers") { answers.count == 50 }
    #expect(answers.allSatisfy { $0 == nil })
    #expect(WakeHelperScript.armed(bench.path) == (0..<50).map { 2_000_000_000 + $0 })
  }

  @Test("Killed while it holds something: that is told with the reason, and it is had again after a rest")
  func dies() throws {
    let bench = try Bench(rest: 300_000)
    #expect(try bench.ask(2_000_000_000) == "")
    let began = Clocks.monotonicMicroseconds()
    kill(try bench.process(), SIGKILL)
    try bench.run(until: "word of it") { bench.changes == 1 }
    #expect(bench.helper.problem == "the helper “\(bench.path)” ended (137)")
    #expect(try bench.ask(2_000_000_060).hasSuffix("ended (137)"), "it is left alone for a while")
    try bench.run(until: "it to be had again") { bench.changes == 2 }
    #expect(bench.helper.problem == nil)
    #expect(Clocks.monotonicMicroseconds() - began >= 300_000)
    #expect(try bench.ask(2_000_000_060) == "")
  }

  @Test("One that always ends is tried more and more rarely")
  func alwaysEnds() throws {
    let bench = try Bench("echo x >>\"$0.starts\"; exit 3", rest: 100_000)
    #expect(try bench.ask(2_000_000_000) == "the helper “\(bench.path)” ended (3)")
    let end = Clocks.monotonicMicroseconds() + 1_000_000
    while Clocks.monotonicMicroseconds() < end { try bench.loop.runOnce(waitingAtMost: 20_000) }
    // At 0, 0.1, 0.3, 0.7 and 1.5 s at the earliest.
    let starts = try readFile(bench.path + ".starts").count { $0 == 10 }
    #expect((2...4).contains(starts), "\(starts)")
    #expect(bench.changes == 0)
  }

  @Test(
    "One that hangs, says nothing more or means nothing costs its patience and no more",
    arguments: [
      (WakeHelperScript.hangs, "does not answer"), ("exec 1>&-; exec sleep 1000", "does not answer"),
      ("exec 0<&- 1>&-; exec sleep 1000", "does not"),
      ("read -r word; echo armed", "says what means nothing"),
      ("read -r word; echo armed 7; exec sleep 1000", "says what means nothing"),
      ("read -r word; echo off; exec sleep 1000", "says what means nothing"),
      ("read -r word; echo armed -2000000000", "says what means nothing"),
      ("read -r word; echo; exec sleep 1000", "says what means nothing"),
      ("read -r word; printf '\\377\\000\\n'; exec sleep 1000", "says what means nothing"),
      ("read -r word; cat /dev/zero", "says what means nothing"),
      ("read -r word; echo refused", "says what means nothing"),
      ("read -r word; echo refused 99999999999999999999", "says what means nothing"),
    ])
  func misbehaves(_ script: String, problem: String) throws {
    let bench = try Bench(script, patience: problem.hasPrefix("does not") ? 300_000 : 20_000_000)
    #expect(try bench.ask(2_000_000_000).contains(problem))
    #expect(bench.helper.problem?.contains(problem) == true && bench.changes == 0)
  }

  @Test("One that speaks unasked is done without")
  func unasked() throws {
    let bench = try Bench("read -r word second; echo armed $second; sleep 0.2; echo off; exec sleep 1000")
    #expect(try bench.ask(2_000_000_000) == "")
    try bench.run(until: "word of it") { bench.changes == 1 }
    #expect(bench.helper.problem?.hasSuffix("speaks unasked") == true)
  }

  @Test(
    "What refuses is asked again when another file is there, or its attributes are others, and not before")
  func refuses() throws {
    let bench = try Bench(
      "echo x >>\"$0.starts\"; while read -r word; do echo 'refused 1 Operation not permitted'; done",
      rest: 50_000)
    let lacks = "the helper “\(bench.path)” lacks the capability cap_wake_alarm"
    #expect(try bench.ask(2_000_000_000) == lacks)
    let end = Clocks.monotonicMicroseconds() + 300_000
    while Clocks.monotonicMicroseconds() < end { try bench.loop.runOnce(waitingAtMost: 20_000) }
    #expect(try bench.ask(2_000_000_000) == lacks)
    #expect(try readFile(bench.path + ".starts") == Array("x\n".utf8))
    chmod(bench.path, 0o755)
    try bench.run(until: "another attempt") {
      (try? readFile(bench.path + ".starts")) == Array("x\nx\n".utf8) && bench.helper.isSettled
    }
    #expect(bench.helper.problem == lacks && bench.changes == 0)
    // Another reason is told, too.
    try WakeHelperScript.put("read -r word; echo refused 95; exec sleep 1000", at: bench.path + ".new")
    rename(bench.path + ".new", bench.path)
    try bench.run(until: "the other one") { bench.changes == 1 }
    #expect(bench.helper.problem == WakeHelper.neither)
    try WakeHelperScript.put(WakeHelperScript.obeys, at: bench.path + ".new")
    rename(bench.path + ".new", bench.path)
    try bench.run(until: "the better one") { bench.changes == 2 }
    #expect(bench.helper.problem == nil)
    #expect(try bench.ask(2_000_000_000) == "")
  }

  @Test("Where none is installed that is said, and one that comes is used")
  func missing() throws {
    let bench = try Bench(nil)
    #expect(try bench.ask(nil) == (Clocks.canWake ? WakeHelper.nobody : WakeHelper.neither))
    try WakeHelperScript.put(WakeHelperScript.obeys, at: bench.path)
    try bench.run(until: "the helper") { bench.changes == 1 }
    #expect(try bench.ask(2_000_000_000) == "")
  }

  @Test("One that cannot be run is no end of anything", arguments: ["#!/no/such/program\n", "\0\0\0\0"])
  func notAProgram(_ text: String) throws {
    let bench = try Bench(nil)
    try runOrThrow(["install", "-m", "700", "/dev/stdin", bench.path], input: Array(text.utf8))
    #expect(try bench.ask(2_000_000_000).contains("the helper"))
  }

  @Test(
    "The real one refuses where the machine has no clock that wakes it",
    .enabled(if: !Clocks.canWake && getuid() == 0))
  func real() throws {
    let bench = try Bench(nil)
    try runOrThrow(["cp", try builtProgram("alarm-wake"), bench.path])
    #expect(try bench.ask(2_000_000_000) == "a helper could not either")
  }
}
