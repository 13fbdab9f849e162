import CLinux
import Glibc
import Platform
import Synchronization

/// Records what a sink plays, by `parec` from its monitor: 48 000 frames a second, one channel, 16 bit.
///
/// Every block is stamped with the wall clock when it arrives, which is later than it sounded by the recorder's latency
/// (asked to be 10 ms). A thread reads; the lock protects what it has collected.
public final class Recorder: Sendable {
  public static let rate = 48_000
  private struct State {
    var samples: [Int16] = []
    /// The number of samples that were there when a block had arrived, and the wall clock then (µs).
    var marks: [(count: Int, wall: Int64)] = []
  }
  private let state = Mutex(State())
  private let process: pid_t

  public init(_ server: PulseServer) throws {
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    process = try spawn(
      [
        "parec", "--device=sink.monitor", "--format=s16le", "--rate=48000", "--channels=1",
        "--latency-msec=10",
        "--raw",
      ], environment: currentEnvironment().merging(server.environment) { _, new in new },
      descriptors: [(1, writing.number)])
    writing.close()
    try startThread("recorder") { [weak self] in
      while let block = try? reading.read(65_536), !block.isEmpty {
        let now = Clocks.wallMicroseconds()
        guard let self else { return }
        state.withLock { state in
          block.withUnsafeBytes { state.samples += $0.bindMemory(to: Int16.self) }
          state.marks.append((state.samples.count, now))
        }
      }
    }
    // The stream is connected when the first block is there.
    try wait(until: "the recorder's first block") { self.count > 0 }
  }

  deinit { stop() }

  public func stop() {
    kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }

  public var count: Int { state.withLock { $0.samples.count } }
  public var samples: [Int16] { state.withLock { $0.samples } }

  /// The wall clock (µs) at which a sample had arrived at the latest.
  public func wall(ofSample index: Int) -> Int64 {
    state.withLock { state in
      guard let mark = state.marks.first(where: { $0.count > index }) else { return .max }
      return mark.wall - Int64(mark.count - index) * 1_000_000 / Int64(Recorder.rate)
    }
  }

  /// Waits for the first sample from `start` on that is louder than `level`; its index.
  public func waitForSound(
    from start: Int = 0, above level: Int16 = 300, within deadline: Duration = .seconds(15)
  )
    throws -> Int
  {
    var place = start
    return try wait(for: "a sound in the recording", within: deadline) {
      state.withLock { state in
        while place < state.samples.count {
          if abs(Int32(state.samples[place])) > Int32(level) { return place }
          place += 1
        }
        return nil
      }
    }
  }

  /// Waits for a stretch of silence that begins at or after `start` and lasts; the index where it begins.
  public func waitForSilence(
    from start: Int, lasting span: Duration, below level: Int16 = 300,
    within deadline: Duration = .seconds(15)
  ) throws -> Int {
    let needed = Int(span / .microseconds(1)) * Recorder.rate / 1_000_000
    var place = start
    var begin = start
    return try wait(for: "silence in the recording", within: deadline) {
      state.withLock { state in
        while place < state.samples.count {
          if abs(Int32(state.samples[place])) > Int32(level) { begin = place + 1 }
          place += 1
          if place - begin >= needed { return begin }
        }
        return nil
      }
    }
  }
}
