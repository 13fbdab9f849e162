import Testing
import Wire

@testable import Commands

@Suite("Looking after the engine")
struct EngineCommandTests {
  @Test("Without an engine, status says so with 1 and stop is done")
  func none() {
    let bench = Bench()
    bench.engineRuns = false
    #expect(bench.run("engine status") == 1)
    #expect(bench.run("engine stop") == 0)
    #expect(bench.text == "no engine runs; no alarm rings until one does\nno engine was running\n")
    let json = Bench()
    json.engineRuns = false
    #expect(json.run("engine status --json") == 1)
    #expect(json.text == "{\n  \"running\": false\n}\n")
  }

  @Test("Status names version, process and socket")
  func status() throws {
    let bench = Bench()
    try bench.engine.answer("status", OutputTests.status())
    #expect(bench.run("engine status") == 0)
    #expect(
      bench.text == "the engine runs: version 0.1.0, process 412 since Sun 29 Nov 22:00, socket /run/s\n")
    #expect(bench.run("engine start") == 0)
    #expect(bench.text.contains("was running already"))
  }

  @Test(
    "Stop names what will not ring; on a terminal it asks and takes only yes",
    arguments: [("y", true), ("YES", true), ("n", false), ("", false), (nil, false)] as [(String?, Bool)])
  func asks(_ answer: String?, _ stops: Bool) throws {
    let bench = Bench()
    (bench.outside.inputIsTerminal, bench.outside.errorIsTerminal) = (true, true)
    bench.typed = answer.map { [$0] } ?? []
    try bench.engine.answer("status", OutputTests.status())
    try bench.engine.answer("engine.stop", DoneReply())
    #expect(bench.run("engine stop") == (stops ? 0 : 1))
    #expect(bench.complaint.hasPrefix("alarm: alarm 3 “Up”, due 07:00, will not ring while no engine runs\n"))
    #expect(bench.complaint.contains("[y/N] "))
    #expect(bench.engine.asked.contains { $0.method == "engine.stop" } == stops)
    #expect(bench.text == (stops ? "the engine has stopped\n" : ""))
  }

  @Test("Without a terminal it names it and does not ask; without a coming alarm it does neither")
  func doesNotAsk() throws {
    let bench = Bench()
    try bench.engine.answer("status", OutputTests.status())
    try bench.engine.answer("engine.stop", DoneReply())
    #expect(bench.run("engine stop") == 0)
    #expect(bench.complaint == "alarm: alarm 3 “Up”, due 07:00, will not ring while no engine runs\n")
    let quiet = Bench()
    (quiet.outside.inputIsTerminal, quiet.outside.errorIsTerminal) = (true, true)
    var status = OutputTests.status()
    status.alarms.next = nil
    try quiet.engine.answer("status", status)
    try quiet.engine.answer("engine.stop", DoneReply())
    #expect(quiet.run("engine stop") == 0)
    #expect(quiet.complaint.isEmpty)
  }

  @Test("An engine that does not end is told")
  func doesNotEnd() throws {
    let bench = Bench()
    bench.outside.awaitEngineEnd = { false }
    try bench.engine.answer("status", OutputTests.status())
    try bench.engine.answer("engine.stop", DoneReply())
    #expect(bench.run("engine stop") == 1)
    #expect(
      bench.complaint.contains("alarm: the engine was told to stop and has not ended within 5 seconds; "))
    #expect(bench.text.isEmpty)
  }
}
