import Glibc
import Harness
import Platform
import Synchronization

/// From the instant an alarm is due to its first sample at the sink, over fifty alarms: by a device that is kept awake and by
/// one that is closed until ten seconds before, with a recorder attached all the time and without one.
///
/// A recorder lowers the server's latency, so the one of “without” comes 120 ms before the alarm is due, when its beginning
/// is queued already.
enum DueBench {
  static let alarms = 50

  static func run() throws {
    for isKeptAwake in [true, false] {
      for isRecorded in [true, false] {
        // A closed device takes ten seconds and more an alarm: several worlds at once do it in a fraction of the time.
        let worlds = isKeptAwake ? 2 : 5
        let outcomes = try together(worlds) { index in
          try heard(
            alarms / worlds, isKeptAwake: isKeptAwake, isRecorded: isRecorded, seed: UInt64(index + 1))
        }
        let lates = outcomes.flatMap(\.self)
        let known = lates.compactMap(\.self)
        let worst = known.max { abs($0) < abs($1) } ?? 0
        let device = isKeptAwake ? "kept awake" : "closed before"
        let lost = lates.count - known.count
        Bench.row(
          "due to first sample, device \(device), recorder \(isRecorded ? "attached" : "not attached")",
          "median \(Bench.decimals(known.median ?? 0, 1)) ms, worst \(Bench.decimals(worst, 1)) ms of \(known.count)"
            + (lost == 0 ? "" : ", \(lost) NOT HEARD"), toReach: "within ±30 ms")
      }
    }
  }

  /// Runs `body` on threads of its own and waits for all.
  private static func together<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
  ) throws -> [Value] {
    let mailbox = Outcomes<Value>()
    for index in 0..<count {
      try startThread("bench-\(index)") { mailbox.add(Result { try body(index) }) }
    }
    return try wait(for: "all of it", within: .seconds(900), every: .milliseconds(100)) {
      mailbox.all.count == count ? mailbox.all : nil
    }.map { try $0.get() }
  }

  /// How late each was heard, in milliseconds; nil: not at all.
  private static func heard(_ count: Int, isKeptAwake: Bool, isRecorded: Bool, seed: UInt64) throws
    -> [Double?]
  {
    var random = SeededGenerator(seed: seed)
    let world = try World(
      sound: .pulse,
      settings:
        "{ keepAlive: { when: \"\(isKeptAwake ? "always" : "lease")\" }, alarm: { fade: \"0s\", volume: 100 } }"
    )
    guard let server = world.pulse else { return [] }
    let file = world.folder.path + "/ring.wav"
    try runOrThrow([
      "sox", "-n", "-r", "48000", "-c", "2", "-b", "16", file, "synth", "0.3", "sine", "3000", "vol", "0.7",
    ])
    try world.must("engine", "start")
    // A cold server takes its time before it consumes evenly.
    sleep(5)
    var lates: [Double?] = []
    for _ in 0..<count {
      // Closed, it has been closed for a while when it is opened ten seconds ahead.
      let ahead = isKeptAwake ? 2_800_000 : 12_500_000
      let due = Clocks.wallMicroseconds() + Int64(ahead) + Int64.random(in: 0..<1_000_000, using: &random)
      let monotonic = due - Clocks.wallMicroseconds() + Clocks.monotonicMicroseconds()
      let alarm = "{\"when\": \"\(utc(due))\", \"sound\": \"\(file)\"}"
      let text = "{\"format\": \"reveille-alarms\", \"version\": 1, \"alarms\": [\(alarm)]}"
      let taken = try world.alarm(["import", "-"], input: text)
      guard taken.succeeded else { throw RunError(description: taken.complaint) }
      func waitUntil(_ instant: Int64) {
        usleep(UInt32(max(0, instant - Clocks.monotonicMicroseconds())))
      }
      // With a recorder attached it is there before the device is opened.
      waitUntil(isRecorded ? monotonic - (isKeptAwake ? 2_500_000 : 11_500_000) : monotonic - 120_000)
      let recording = try server.record()
      waitUntil(monotonic + 500_000)
      let (samples, start) = try recording.stop()
      try world.must("stop")
      // Silence first: what is left of the last one is no sample of this.
      let from = max(0, Int((monotonic - 300_000 - start) * 48 / 1000))
      let first = samples.indices.first { $0 >= from && abs(samples[$0]) > 0.01 }
      lates.append(first.map { Double(start + Int64($0) * 1_000_000 / 48_000 - monotonic) / 1000 })
      if !isKeptAwake { usleep(1_500_000) } else { usleep(300_000) }
    }
    return lates
  }

  /// ISO 8601 in universal time, to the microsecond.
  private static func utc(_ microseconds: Int64) -> String {
    var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: count - text.count) + text
    }
    let day = [
      digits(Int(parts.tm_year) + 1900, 4), digits(Int(parts.tm_mon) + 1, 2), digits(Int(parts.tm_mday), 2),
    ]
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
    return day.joined(separator: "-") + "T" + clock.joined(separator: ":") + "."
      + digits(Int(microseconds % 1_000_000), 6) + "Z"
  }
}

/// What threads have come to; the lock guards the list.
private final class Outcomes<Value: Sendable>: Sendable {
  private let list = Mutex<[Result<Value, any Error>]>([])
  var all: [Result<Value, any Error>] { list.withLock { $0 } }
  func add(_ outcome: Result<Value, any Error>) { list.withLock { $0.append(outcome) } }
}
