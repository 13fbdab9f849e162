import Desktop
import Harness
import Platform
import Testing

@Suite("A timer of systemd that wakes the machine")
struct WakeTimerTests {
  private final class Stage {
    let loop: EventLoop
    let bus: Bus
    let timer: WakeTimer

    init(_ bus: PrivateBus) throws {
      loop = try EventLoop()
      self.bus = try Bus(loop, .session, environment: bus.environment)
      timer = try WakeTimer(self.bus) {}
    }
    deinit { bus.close() }

    func run(until what: String, _ done: () throws -> Bool) throws {
      try DesktopTests.run(loop, until: what, done)
    }

    /// What came of a start; an empty text: it holds.
    func start(_ seconds: Int64) throws -> String {
      var answers: [String] = []
      timer.start(at: seconds * 1_000_000 + 999_999) { answers.append($0 ?? "") }
      try run(until: "an answer") { !answers.isEmpty }
      #expect(answers.count == 1)
      return answers[0]
    }
  }

  private func shown(_ seconds: Int64) -> String {
    "reveille-wake-\(seconds).timer @\(seconds) WakeSystem /bin/sh"
  }

  @Test("It is started and confirmed, moved without a moment between, found again and let go")
  func holds() throws {
    let bus = try PrivateBus()
    let manager = try UnitManager(bus, version: "257.4-1")
    let stage = try Stage(bus)
    #expect(stage.timer.problem == "there is no systemd user manager on the session bus")
    try stage.run(until: "the version") { stage.timer.problem == nil && stage.timer.isSettled }
    #expect(try stage.start(2_000_000_000) == "")
    #expect(try manager.timers() == [shown(2_000_000_000)])
    #expect(try stage.start(2_000_000_500) == "")
    try stage.run(until: "the old one's end") { try manager.timers() == [shown(2_000_000_500)] }
    // Another engine's, that was killed, wakes the machine just as well, and is ours from then on.
    let next = try Stage(bus)
    try next.run(until: "the version") { next.timer.problem == nil }
    #expect(try next.start(2_000_000_500) == "")
    next.timer.stop()
    try next.run(until: "none") { try manager.timers().isEmpty }
  }

  @Test(
    "Before version 254 it is not asked, nor one that does not say its version",
    arguments: [
      ("253.9", "systemd 253 lets no user's timer wake the machine; 254 and later do"),
      ("v246", "systemd 246 lets no user's timer wake the machine; 254 and later do"),
      ("rolling", "systemd's version is “rolling”, which says nothing"),
    ])
  func tooOld(_ version: String, _ problem: String) throws {
    let bus = try PrivateBus()
    let manager = try UnitManager(bus, version: version)
    let stage = try Stage(bus)
    try stage.run(until: "the version") { stage.timer.problem == problem }
    #expect(try stage.start(2_000_000_000) == problem)
    #expect(try manager.timers().isEmpty)
  }

  @Test("A start that fails is told, and one of which nothing is said, where somebody else answers or nobody")
  func fails() throws {
    let bus = try PrivateBus()
    let manager = try UnitManager(bus, version: "254", result: "failed")
    let stage = try Stage(bus)
    try stage.run(until: "the version") { stage.timer.problem == nil }
    #expect(try stage.start(2_000_000_000) == "systemd could not start its timer (failed)")
    manager.stop()
    try stage.run(until: "its end") { stage.timer.problem != nil }
    try manager.start(version: "254", result: "hang")
    try stage.run(until: "the next one") { stage.timer.problem == nil && stage.timer.isSettled }
    var answer: String?
    stage.timer.start(at: 2_000_000_000_000_000) { answer = $0 }
    try run(stage.loop, for: .milliseconds(100))
    #expect(answer == nil)
    manager.stop()
    try stage.run(until: "the answer") { answer == "there is no systemd user manager on the session bus" }
    #expect(try stage.start(2_000_000_000) == "there is no systemd user manager on the session bus")
  }

  @Test("A bus that dies and comes back is asked again, and its timer is ours still")
  func busDies() throws {
    let bus = try PrivateBus()
    var manager: UnitManager? = try UnitManager(bus, version: "254")
    let stage = try Stage(bus)
    try stage.run(until: "the version") { stage.timer.problem == nil }
    #expect(try stage.start(2_000_000_000) == "")
    bus.kill9()
    try stage.run(until: "the loss") { stage.timer.problem != nil }
    try bus.start()
    manager = nil
    manager = try UnitManager(bus, version: "254")
    try stage.run(until: "the version") { stage.timer.problem == nil }
    #expect(try stage.start(2_000_000_000) == "")
    #expect(try manager?.timers() == [shown(2_000_000_000)])
  }
}
