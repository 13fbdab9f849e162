import Synchronization

/// How loud a stretch of what is heard was: what a meter shows.
public struct SoundLevels: Sendable, Equatable {
  /// Of one channel, in decibels under full scale; `silence` where there is nothing.
  public struct Channel: Sendable, Equatable {
    /// The largest sample.
    public var peak: Double
    /// The root of the mean square, on the scale on which a sine has the same as its peak (AES17-2015, 3.12).
    public var rms: Double
    public init(peak: Double, rms: Double) { (self.peak, self.rms) = (peak, rms) }
  }

  /// Left and right, or the only one; of more than two channels the first two.
  public var channels: [Channel]
  public static let silence = -100.0

  public init(channels: [Channel]) { self.channels = channels }
}

/// Short stretches of what is mixed, measured, each with the instant at which it is heard.
///
/// Whoever is inside the stage writes them as they are mixed, ahead of the ear; one other thread reads those whose instant
/// has come. Nobody waits for the other: there are so many places that the one that is written was read a second ago, and
/// one that is written while it is read is passed over.
final class LevelBoard: Sendable {
  /// What was measured of one stretch. Sums and not decibels: several are put together before they are shown.
  struct Block {
    var frames = 0
    var channels = 0
    var peaks: (Float, Float) = (0, 0)
    var squares: (Float, Float) = (0, 0)
  }

  /// The instant is 0 while the rest is written.
  private final class Place: Sendable {
    let instant = Atomic<Int64>(0)
    let size = Atomic<UInt64>(0)
    let peaks = Atomic<UInt64>(0)
    let squares = Atomic<UInt64>(0)
  }

  /// Somebody looks. While nobody does nothing is measured.
  let isWanted = Atomic<Bool>(false)
  private let places: [Place] = (0..<64).map { _ in Place() }

  // MARK: Inside the stage

  /// `number` counts the blocks.
  func put(_ block: Block, number: Int, at instant: Int64) {
    let place = places[number % places.count]
    place.instant.store(0, ordering: .sequentiallyConsistent)
    place.size.store(UInt64(block.frames) << 8 | UInt64(block.channels), ordering: .sequentiallyConsistent)
    place.peaks.store(LevelBoard.packed(block.peaks), ordering: .sequentiallyConsistent)
    place.squares.store(LevelBoard.packed(block.squares), ordering: .sequentiallyConsistent)
    place.instant.store(instant, ordering: .sequentiallyConsistent)
  }

  /// What was to be heard later will not be.
  func clear() {
    for place in places { place.instant.store(0, ordering: .sequentiallyConsistent) }
  }

  // MARK: Any thread

  /// What is heard behind `start` and until `end` (CLOCK_MONOTONIC, µs); nil where nothing was measured.
  func levels(after start: Int64, until end: Int64) -> SoundLevels? {
    var all = Block()
    for place in places {
      let instant = place.instant.load(ordering: .sequentiallyConsistent)
      guard instant > start, instant <= end else { continue }
      let size = place.size.load(ordering: .sequentiallyConsistent)
      let peaks = LevelBoard.unpacked(place.peaks.load(ordering: .sequentiallyConsistent))
      let squares = LevelBoard.unpacked(place.squares.load(ordering: .sequentiallyConsistent))
      guard place.instant.load(ordering: .sequentiallyConsistent) == instant else { continue }
      all.frames += Int(size >> 8)
      all.channels = Int(size & 0xff)
      all.peaks = (max(all.peaks.0, peaks.0), max(all.peaks.1, peaks.1))
      all.squares = (all.squares.0 + squares.0, all.squares.1 + squares.1)
    }
    guard all.frames > 0 else { return nil }
    let both = [(all.peaks.0, all.squares.0), (all.peaks.1, all.squares.1)]
    return SoundLevels(
      channels: both.prefix(all.channels).map { peak, square in
        SoundLevels.Channel(
          peak: LevelBoard.decibels(Double(peak)),
          rms: LevelBoard.decibels((2 * Double(square) / Double(all.frames)).squareRoot()))
      })
  }

  private static func decibels(_ size: Double) -> Double {
    size > 0 ? max(SoundLevels.silence, Loudness.decibels(size)) : SoundLevels.silence
  }

  private static func packed(_ pair: (Float, Float)) -> UInt64 {
    UInt64(pair.0.bitPattern) << 32 | UInt64(pair.1.bitPattern)
  }

  private static func unpacked(_ bits: UInt64) -> (Float, Float) {
    (Float(bitPattern: UInt32(bits >> 32)), Float(bitPattern: UInt32(bits & 0xffff_ffff)))
  }
}

/// Measures what is mixed in blocks of some hundredths of a second, and puts them on the board. Owned by whoever is inside
/// the stage.
struct LevelMeter: Sendable {
  private var block = LevelBoard.Block()
  /// When the first frame of the block is heard (µs).
  private var begin: Int64 = 0
  private var number = 0

  private static let blocksPerSecond = 40

  /// The next frames, of which the first is heard at `heardAt`; nil: silence. However many they are, a block is no longer
  /// than another.
  mutating func take(
    _ samples: UnsafePointer<Float>?, frames: Int, _ format: StreamFormat, heardAt: Int64,
    to board: LevelBoard
  ) {
    // What was begun before nobody looked, or on another time line, does not belong to this.
    let expected = begin + Int64(block.frames) * 1_000_000 / Int64(format.rate)
    if block.frames > 0, abs(heardAt - expected) > 100_000 { block = LevelBoard.Block() }
    let whole = max(1, format.rate / LevelMeter.blocksPerSecond)
    var done = 0
    while done < frames {
      if block.frames == 0 { begin = heardAt + Int64(done) * 1_000_000 / Int64(format.rate) }
      let count = min(frames - done, max(1, whole - block.frames))
      if let samples { measure(samples + done * format.channels, frames: count, channels: format.channels) }
      done += count
      block.frames += count
      block.channels = min(2, format.channels)
      guard block.frames >= whole else { continue }
      board.put(block, number: number, at: begin)
      number &+= 1
      block = LevelBoard.Block()
    }
  }

  private mutating func measure(_ samples: UnsafePointer<Float>, frames: Int, channels: Int) {
    let (peak, square) = Kernels.level(samples, frames: frames, stride: channels)
    block.peaks.0 = max(block.peaks.0, peak)
    block.squares.0 += square
    guard channels > 1 else { return }
    let (second, secondSquare) = Kernels.level(samples + 1, frames: frames, stride: channels)
    block.peaks.1 = max(block.peaks.1, second)
    block.squares.1 += secondSquare
  }
}
