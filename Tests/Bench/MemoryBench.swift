import Harness
import Platform

/// Resident memory, CPU and switches of the engine while it plays.
enum MemoryBench {
  static func run() throws {
    for (format, rate) in [("flac", 44_100), ("mp3", 44_100), ("ogg", 48_000)] {
      let world = try World(sound: .pulse)
      let file = world.folder.path + "/music.\(format)"
      try runOrThrow([
        "sox", "-n", "-r", "\(rate)", "-c", "2", file, "synth", "120", "pinknoise", "vol", "0.3",
      ])
      for number in 0..<10 { try world.must("add", "mon-fri 0\(number):00") }
      try world.must("play", file)
      let engine = try wait(for: "the engine", within: .seconds(10)) { world.processes().max() }
      _ = try Recorder(try wait(for: "the server") { world.pulse }).waitForSound()
      var peak = 0
      let before = (RestBench.switches([engine]), cpu(engine))
      let span = Duration.seconds(10)
      let end = ContinuousClock.now + span
      try wait(until: "ten seconds of playing", within: span + .seconds(5), every: .milliseconds(200)) {
        peak = max(peak, RestBench.resident(engine))
        return ContinuousClock.now >= end
      }
      let after = (RestBench.switches([engine]), cpu(engine))
      Bench.row(
        "playing \(format) at \(rate), the engine's peak resident memory",
        Bench.decimals(Double(peak) / 1024, 1) + " MiB", toReach: "under 24 MiB")
      Bench.row(
        "playing \(format), CPU and context switches a second",
        Bench.decimals(Double(after.1 - before.1) / 10, 1) + " %, \((after.0 - before.0) / 10)")
    }
  }

  /// CPU time used, in hundredths of a second.
  private static func cpu(_ process: Int32) -> Int {
    guard let bytes = try? readFile("/proc/\(process)/stat") else { return 0 }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
  }
}
