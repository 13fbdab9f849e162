import Glibc
import Harness
import Platform

/// How soon a track is heard out of silence, and what silence costs the output's own thread.
enum SoundBench {
  static func run() throws {
    for isRecorded in [false, true] {
      let with = isRecorded ? "with a recorder" : "without a recorder"
      let world = try World(sound: .pulse)
      guard let server = world.pulse else { return }
      let file = world.folder.path + "/music.flac"
      try runOrThrow([
        "sox", "-n", "-r", "48000", "-c", "2", file, "synth", "30", "sine", "1000", "vol", "0.5",
      ])
      try world.must("awake", "10m")
      var recording = isRecorded ? try server.record() : nil
      let engine = try wait(for: "the engine") { world.processes().max() }
      // A cold server takes its time before it consumes evenly.
      sleep(4)
      let thread = try wait(for: "the output's thread") { outputThread(of: engine) }
      let before = switches(thread)
      sleep(10)
      Bench.row(
        "keep-alive, switches a second of the output's thread, \(with)",
        Bench.decimals(Double(switches(thread) - before) / 10, 1), toReach: "at most 12")
      var waits: [Double] = []
      for _ in 0..<5 {
        let said = Clocks.monotonicMicroseconds()
        try world.must("play", file)
        // Without one, it comes now: what is queued by then was queued without.
        let present = try recording ?? server.record()
        usleep(900_000)
        let (samples, start) = try present.stop()
        try world.must("stop")
        let from = max(0, Int((said - start) * 48 / 1000))
        if let first = samples.indices.first(where: { $0 >= from && abs(samples[$0]) > 0.01 }) {
          waits.append(Double(start + Int64(first) * 1_000_000 / 48_000 - said) / 1000)
        }
        sleep(2)
        recording = isRecorded ? try server.record() : nil
        sleep(2)
      }
      Bench.row(
        "`alarm play` out of silence until it is heard, \(with)",
        "\(waits.map { Bench.decimals($0, 0) }.joined(separator: ", ")) ms", toReach: "at most 450 ms")
    }
  }

  private static func outputThread(of process: pid_t) -> String? {
    listFolder("/proc/\(process)/task").map { "/proc/\(process)/task/\($0)" }.first {
      (try? readFile($0 + "/comm")).map { String(decoding: $0, as: UTF8.self).hasPrefix("alarm-output") }
        ?? false
    }
  }

  private static func switches(_ thread: String) -> Int {
    RestBench.fields(thread + "/status").filter { $0.0.hasSuffix("ctxt_switches") }.reduce(0) { $0 + $1.1 }
  }
}
