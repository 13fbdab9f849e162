import CLinux
import Glibc
import Platform
import Synchronization

/// What a sink plays, by `parec` from its monitor: 48 000 frames a second, two channels.
///
/// A null sink renders a block at the instant at which the block's first sample is due and hands it to the monitor then,
/// so the earliest of all arrivals, each less the samples before it, is the instant of sample 0; how long the recorder
/// holds a block back, and how long it waited for the processor, does not enter into it.
///
/// PipeWire's sink that drives its graph does so a cycle later: its monitor is read at the beginning of a cycle, before the
/// sink has its block. That is when a card, which holds a cycle, would play it.
public final class Recording: Sendable {
  public static let rate = 48_000
  private struct State {
    var bytes: [UInt8] = []
    /// The instant (CLOCK_MONOTONIC, µs) at which sample 0 was played, by the earliest block so far.
    var start = Int64.max
    /// Instant of the last arrival, for blocks that come in pieces.
    var last: Int64 = 0
    /// For each block the samples before it, and the instant of sample 0 by its arrival.
    var arrivals: [(before: Int, start: Int64)] = []
  }
  private let state = Mutex(State())
  private let isStopped = Atomic<Bool>(false)
  private let process: pid_t
  private let channels: Int

  /// Waits for the first block, of which the server is asked to send so many frames at once.
  init(
    environment: [String: String], sink: String = "sink", channels: Int = 2, map: String? = nil,
    block: Int = 512
  ) throws {
    self.channels = channels
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    let (reading, writing) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    process = try spawn(
      [
        "parec", "--device=\(sink).monitor", "--format=s16le", "--rate=48000", "--channels=\(channels)",
        // A cycle of PipeWire's, so that what is sent at once is what was played at once.
        "--latency=\(block * 2 * channels)", "--raw",
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
            let before = state.bytes.count / (2 * channels)
            let start = now - Int64(before) * 1_000_000 / Int64(Recording.rate)
            state.start = min(state.start, start)
            state.arrivals.append((before, start))
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

  /// The instant (CLOCK_MONOTONIC, µs) at which a sample was played, by the earliest of the blocks within a quarter of a
  /// second of it: a server that comes too late on a busy machine plays all that follows later, and is not made up for by
  /// blocks of before.
  public func instant(ofSample index: Int) -> Int64 {
    state.withLock { state in
      let near = state.arrivals.lazy.filter { abs($0.before - index) <= Recording.rate / 4 }
      return (near.map(\.start).min() ?? state.start) + Int64(index) * 1_000_000 / Int64(Recording.rate)
    }
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
