import CLinux
import Glibc
import Platform
import Synchronization

/// What a sink plays, by `parec` from its monitor: 48 000 frames a second, two channels.
///
/// A null sink renders a block at the instant at which the block's first sample is due and hands it to the monitor then,
/// so the earliest of all arrivals, each less the samples before it, is the instant of sample 0; how long the recorder
/// holds a block back, and how long it waited for the processor, does not enter into it.
public final class Recording: Sendable {
  public static let rate = 48_000
  private struct State {
    var bytes: [UInt8] = []
    /// The instant (CLOCK_MONOTONIC, µs) at which sample 0 was played, by the earliest block so far.
    var start = Int64.max
    /// Instant of the last arrival, for blocks that come in pieces.
    var last: Int64 = 0
  }
  private let state = Mutex(State())
  private let isStopped = Atomic<Bool>(false)
  private let process: pid_t
  private let channels: Int

  /// Waits for the first block.
  init(environment: [String: String], sink: String = "sink", channels: Int = 2, map: String? = nil) throws {
    self.channels = channels
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    process = try spawn(
      [
        "parec", "--device=\(sink).monitor", "--format=s16le", "--rate=48000", "--channels=\(channels)",
        "--latency-msec=10", "--raw",
      ] + (map.map { ["--channel-map=\($0)"] } ?? []), environment: environment,
      descriptors: [(1, writing.number)])
    writing.close()
    try startThread("recording") { [weak self] in
      while let block = try? reading.read(65_536), !block.isEmpty {
        let now = Clocks.monotonicMicroseconds()
        guard let self else { return }
        state.withLock { state in
          // What follows at once is the rest of the block before, and no later.
          if now - state.last > 2000 {
            state.start = min(
              state.start, now - Int64(state.bytes.count / (2 * channels)) * 1_000_000 / Int64(Recording.rate)
            )
          }
          state.last = now
          state.bytes += block
        }
      }
    }
    try wait(until: "parec records") { self.state.withLock { !$0.bytes.isEmpty } }
  }

  deinit { end() }

  /// Ends it: the left channel, −1 … 1, and the instant (CLOCK_MONOTONIC, µs) at which its first sample was played.
  public func stop() throws -> (samples: [Float], start: Int64) {
    (try stop(channel: 0), state.withLock { $0.start })
  }

  /// Ends it: one channel, −1 … 1. May be asked for one after another.
  public func stop(channel: Int) throws -> [Float] {
    end()
    return state.withLock { state in
      state.bytes.withUnsafeBytes { raw in
        stride(from: 2 * channel, to: raw.count - 1, by: 2 * channels).map {
          Float(raw.loadUnaligned(fromByteOffset: $0, as: Int16.self)) / 32_768
        }
      }
    }
  }

  private func end() {
    guard isStopped.exchange(true, ordering: .relaxed) == false else { return }
    _ = kill(process, SIGTERM)
    _ = waitpid(process, nil, 0)
  }
}
