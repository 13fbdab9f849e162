import Glibc
import Harness
import Platform
import Schedule
import Testing
import Wire

@Suite("Many alarms at one instant", .serialized)
struct ManyRingsTests {
  private func ringThreads(of engine: Int32) -> Int {
    listFolder("/proc/\(engine)/task").filter { task in
      (try? readFile("/proc/\(engine)/task/\(task)/comm")).map { $0.starts(with: "alarm-ring".utf8) } ?? false
    }.count
  }

  /// Which of the sounds the alarm that sounds has, by its place.
  private func heard(_ status: Status, of tones: [String]) -> Int? {
    status.ringing.first(where: \.sounding)?.sound.flatMap { tones.firstIndex(of: $0) }
  }

  @Test(
    "A hundred ring: only the one that sounds is decoded, each has its own sound when it is uncovered, after a kill too, and all their commands run"
  )
  func hundred() throws {
    let world = try World()
    let tones = try (0..<3).map { try world.makeTone("\($0).wav", seconds: 2, hertz: 400 + 200 * $0) }
    let file = world.folder.path + "/ran"
    try world.must("engine", "start")
    // The first timer would be held ahead alone; an instant is the same for all of them.
    let due = Instant(microseconds: (Clocks.wallMicroseconds() / 1_000_000 + 8) * 1_000_000)
    let when = due.iso(in: Zone.utc)
    let alarms = (0..<100).map { number in
      "{\"label\": \"\(number)\", \"when\": \"\(when)\", \"sound\": \"\(tones[number % 3])\", \"run\": \"sleep 1; echo x >> \(file)\"}"
    }
    let list = world.folder.path + "/alarms.json"
    try replaceFile(
      list,
      with: Array(
        "{\"format\": \"reveille-alarms\", \"version\": 1, \"alarms\": [\(alarms.joined(separator: ","))]}"
          .utf8))
    try world.must("import", "--with-commands", list)
    let engine = try world.enginePID()
    try world.waitForStatus("all to ring", within: .seconds(20)) { $0.ringing.count == 100 }
    let asked = ContinuousClock.now
    try world.waitForStatus("the newest to be heard") { heard($0, of: tones) == 99 % 3 }
    #expect(ContinuousClock.now - asked < .seconds(3))
    #expect(ringThreads(of: engine) <= 2)
    for next in [98, 97] {
      try world.must("dismiss")
      try world.waitForStatus("number \(next) to be heard") { heard($0, of: tones) == next % 3 }
    }
    #expect(ringThreads(of: engine) <= 2)
    try wait(until: "all commands to have run", within: .seconds(30)) {
      ((try? readFile(file)) ?? []).filter { $0 == 10 }.count == 100
    }
    kill(engine, SIGKILL)
    try world.waitForStatus("another engine", within: .seconds(20)) {
      $0.engine.pid != engine && $0.ringing.count == 98
    }
    // None of those that were silent was being opened when it died.
    for next in [97, 96, 95] {
      try world.waitForStatus("number \(next) to be heard") { heard($0, of: tones) == next % 3 }
      try world.must("dismiss")
    }
    #expect(try !world.must("log").contains("died while"))
    try world.must("stop")
    try world.waitForStatus("silence") { $0.ringing.isEmpty }
    let left = try world.enginePID()
    try wait(until: "the end of what decoded") { ringThreads(of: left) == 0 }
  }
}
