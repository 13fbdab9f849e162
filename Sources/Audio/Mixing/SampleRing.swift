import Synchronization

/// Decoded frames on their way from one worker to the mixer: bounded, without locks.
///
/// One thread puts, one takes. `taken` frames stay readable for a while behind the mixer, so that what a lost device
/// has swallowed unheard can be taken again.
final class SampleRing: @unchecked Sendable {
  // @unchecked: `samples` is written by the putting thread only in frames that the taking one cannot reach, and the
  // two counters are published with release and read with acquire.
  let channels: Int
  let capacity: Int
  private let history: Int
  private let samples: UnsafeMutablePointer<Float>
  private let put = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private let end = Atomic<Int>(Int.max)

  /// `capacity` and `history` in frames; `history` of them are kept behind the taker.
  init(channels: Int, capacity: Int, history: Int) {
    self.channels = channels
    self.capacity = max(capacity, history + 1024)
    self.history = history
    samples = .allocate(capacity: self.capacity * channels)
    samples.initialize(repeating: 0, count: self.capacity * channels)
  }

  deinit { samples.deallocate() }

  // MARK: The putting thread

  /// Frames that can be put now.
  var free: Int {
    capacity - history - (put.load(ordering: .relaxed) - taken.load(ordering: .acquiring))
  }

  /// Hands out the next stretch of free room, of at most `limit` frames; `body` returns how many frames it filled.
  func fill<Failure: Error>(
    limit: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let at = put.load(ordering: .relaxed)
    let place = at % capacity
    let frames = min(limit, free, capacity - place)
    guard frames > 0 else { return 0 }
    let room = UnsafeMutableBufferPointer(start: samples + place * channels, count: frames * channels)
    let count = try body(room)
    put.store(at + min(count, frames), ordering: .releasing)
    return count
  }

  /// Nothing comes any more.
  func finish() { end.store(put.load(ordering: .relaxed), ordering: .releasing) }

  // MARK: The taking thread

  /// Frames waiting.
  var waiting: Int { put.load(ordering: .acquiring) - taken.load(ordering: .relaxed) }
  /// Frames taken so far.
  var position: Int { taken.load(ordering: .relaxed) }
  /// Everything was put.
  var isFinished: Bool { end.load(ordering: .acquiring) != Int.max }
  /// Everything was put and taken.
  var isSpent: Bool { position >= end.load(ordering: .acquiring) }
  var isLow: Bool { waiting < (capacity - history) / 2 }

  /// The next stretch of waiting frames, of at most `limit`, without taking it.
  func next(limit: Int) -> (start: UnsafePointer<Float>, frames: Int) {
    let place = position % capacity
    return (UnsafePointer(samples + place * channels), min(limit, waiting, capacity - place))
  }

  func take(_ frames: Int) { taken.store(position + frames, ordering: .releasing) }

  /// Takes back the last frames taken, as far as they are still there.
  func takeBack(_ frames: Int) {
    taken.store(position - max(0, min(frames, history, position)), ordering: .releasing)
  }
}
