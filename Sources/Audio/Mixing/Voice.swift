import CLinux
import Glibc
import Platform
import Synchronization

/// Rate and channels of a stretch of samples.
struct StreamFormat: Hashable, Sendable {
  /// Frames a second.
  var rate: Int
  var channels: Int
  var frameBytes: Int { channels * MemoryLayout<Float>.stride }

  func frames(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }
}

/// Wakes one waiting thread. An eventfd: ringing it twice is like once.
final class Bell: Sendable {
  private let descriptor: Descriptor

  init() throws(SystemError) {
    descriptor = Descriptor(
      owning: try check("cannot make an eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Any thread; never waits.
  func ring() {
    var one: UInt64 = 1
    _ = write(descriptor.number, &one, 8)
  }

  /// Waits until it is rung, at most for so many microseconds; nil waits for ever. ppoll(2).
  func wait(microseconds: Int64?) {
    var waiting = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    var time = timespec()
    if let microseconds {
      let whole = max(0, microseconds)
      time.tv_sec = Int(whole / 1_000_000)
      time.tv_nsec = Int(whole % 1_000_000) * 1000
      _ = ppoll(&waiting, 1, &time, nil)
    } else {
      _ = ppoll(&waiting, 1, nil, nil)
    }
    var count: UInt64 = 0
    if waiting.revents != 0 { _ = read(descriptor.number, &count, 8) }
  }
}

/// Something that sounds: a ring of decoded frames that a worker fills, and what the mixer must know of it.
final class Voice: @unchecked Sendable {
  // @unchecked: the constants are set once; `ring` and the atomics are made for two threads; `Mixer` keeps everything
  // that changes while it sounds.
  let id: UInt64
  let format: StreamFormat
  /// The samples are those of a file with at most 16 bits, neither resampled nor remixed.
  let isExact16: Bool
  let ring: SampleRing
  /// Rung when the ring has room again and the worker said that it sleeps.
  let feederBell: Bell
  let feederSleeps = Atomic<Bool>(false)
  /// The bits of the factor that evens its loudness; set before its first frame is put.
  private let evenedBits = Atomic<UInt64>((1.0).bitPattern)
  /// Frames of this voice heard, and the instant (µs) from which that number goes on by itself, 0 where it stands.
  let heard = Atomic<WordPair>(WordPair(first: 0, second: 0))

  init(id: UInt64, format: StreamFormat, seconds: Double, isExact16: Bool, bell: Bell) {
    self.id = id
    self.format = format
    self.isExact16 = isExact16
    feederBell = bell
    // A few seconds, but with many channels at a high rate no more than what fits the memory we allow ourselves.
    let most = max(format.frames(0.8), (1_600 << 10) / format.frameBytes)
    ring = SampleRing(
      channels: format.channels, capacity: min(format.frames(seconds), most), history: format.frames(0.4))
  }

  /// The factor that evens its loudness; 1 where that is not known or not wanted.
  var evening: Double {
    get { Double(bitPattern: evenedBits.load(ordering: .relaxed)) }
    set { evenedBits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// Enough is decoded to begin.
  var isPrimed: Bool { ring.isFinished || ring.waiting >= format.frames(0.1) }

  func wakeFeederIfLow() {
    if ring.isLow, feederSleeps.load(ordering: .relaxed),
      feederSleeps.exchange(false, ordering: .acquiringAndReleasing)
    {
      feederBell.ring()
    }
  }
}
