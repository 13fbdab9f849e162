import Glibc
import Harness
import Platform

/// What many alarms cost: whole processes of `add` and `next`, the engine's start, a zone that changes, and rest.
enum AlarmBench {
  static let counts = [1000, 10_000, 100_000]

  static func run() throws {
    for count in counts {
      let isMost = count == counts.last
      let world = try World(settings: #"{ keepAlive: { when: "lease" } }"#)
      let zone = world.folder.path + "/zone"
      try runOrThrow(["cp", "/usr/share/zoneinfo/Europe/Berlin", zone])
      world.setEnvironment("TZ", zone)
      try world.folder.write(document(count), to: world.folder.file("alarms.json"))
      let name = "\(count) alarms: "
      let taken = try ContinuousClock().measure {
        try world.must("import", world.folder.path + "/alarms.json")
      }
      Bench.row(name + "`alarm import`", Bench.milliseconds(taken))
      try bench(world, name, ["add", "mon-fri 07:00"], toReach: isMost ? "under 20 ms" : "")
      try bench(world, name, ["next"], toReach: isMost ? "under 20 ms" : "")
      try bench(world, name, ["off", "77"])
      try bench(world, name, ["status"])
      let list = try ContinuousClock().measure { try world.must("list") }
      Bench.row(name + "`alarm list`, once", Bench.milliseconds(list))
      try world.must("engine", "stop")
      let start = try ContinuousClock().measure { try world.must("engine", "start") }
      Bench.row(name + "the engine's start", Bench.milliseconds(start), toReach: isMost ? "under 2 s" : "")
      let change = try zoneChange(world, zone)
      Bench.row(
        name + "a changed zone until `next` tells by it", Bench.milliseconds(change),
        toReach: isMost ? "under 3 s" : "")
      try rest(world, name)
    }
  }

  private static func bench(_ world: World, _ name: String, _ words: [String], toReach: String = "") throws {
    let spans = try (0..<21).map { _ in
      try ContinuousClock().measure {
        let finished = try world.alarm(words)
        if !finished.succeeded { throw RunError(description: finished.complaint) }
      }
    }
    let worst = spans.max() ?? .zero
    Bench.row(
      name + "`alarm \(words.joined(separator: " "))`, median of 21",
      "\(Bench.milliseconds(spans.median ?? .zero)) (worst \(Bench.milliseconds(worst)))", toReach: toReach)
  }

  /// From the new file in its place until the engine answers by it.
  private static func zoneChange(_ world: World, _ path: String) throws -> Duration {
    // The offset at the end of the instant: +01:00, +09:00.
    func offset() -> Substring? {
      (try? world.must("next", "--json"))?.split(separator: "\"").first { $0.hasPrefix("20") }?.suffix(6)
    }
    let before = offset()
    try runOrThrow(["cp", "/usr/share/zoneinfo/Asia/Tokyo", path + ".new"])
    let start = ContinuousClock.now
    rename(path + ".new", path)
    try wait(until: "the new zone", within: .seconds(60), every: .milliseconds(5)) {
      offset() != before
    }
    return ContinuousClock.now - start
  }

  /// While nothing is due, many cost no more than ten.
  private static func rest(_ world: World, _ name: String) throws {
    let processes = world.processes()
    var before = RestBench.switches(processes)
    // A backup follows a change by a minute.
    for _ in 0..<40 {
      sleep(3)
      let now = RestBench.switches(processes)
      if now == before { break }
      before = now
    }
    sleep(10)
    Bench.row(
      name + "context switches in 10 s at rest", "\(RestBench.switches(processes) - before)", toReach: "0")
    Bench.row(
      name + "resident at rest, engine and parent",
      processes.map { "\(RestBench.resident($0) / 1024) MiB" }.joined(separator: ", "))
  }

  /// Alarms of every kind, none of which is due within three hours in either zone.
  private static func document(_ count: Int) -> [UInt8] {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    // Tokyo is seven or eight hours ahead of Berlin, and its clock is what counts later.
    let hour = Int(Clocks.wallMicroseconds() / 3_600_000_000) % 24 + 1
    var text = #"{"format": "reveille-alarms", "version": 1, "alarms": ["#
    let days = [
      "every Mon-Fri", "every day", "every 1st,3rd Mon", "every day 1,15", "every last day", "every 24 Dec",
      "",
    ]
    for index in 0..<count {
      let free = [3, 4, 11, 12, 13, 14, 15][index / 7 % 7]
      let clock = "\(two((hour + free) % 24)):\(two(index / 49 % 60))"
      let zone = index % 10 == 0 && index % 7 < 6 ? #", "zone": "Europe/Berlin""# : ""
      let kind = days[index % 7]
      let day = kind.isEmpty ? "20\(27 + index % 60)-\(two(index % 12 + 1))-\(two(index % 28 + 1))" : kind
      text +=
        "\(index == 0 ? "" : ",")\n{\"when\": \"\(day) \(clock)\", \"label\": \"Alarm \(index)\"\(zone)}"
    }
    return Array((text + "\n]}\n").utf8)
  }
}
