import Platform
import Synchronization

/// Which device is wanted, and how.
struct DeviceWish: Hashable, Sendable {
  var device: String
  /// Tried in this order where `device` cannot be opened.
  var others: [String] = []
  /// How many outputs hang in which device.
  var hung: [String: Int] = [:]
  var format: StreamFormat

  /// So many outputs may hang in one device; more would only hang too.
  private static let mostHung = 3

  /// In the order in which they are tried: those that hang last, though one may answer who comes anew.
  var names: [String] {
    let all = [device] + others.filter { $0 != device }
    let again = all.filter { (1..<DeviceWish.mostHung).contains(hung[$0] ?? 0) }
    return all.filter { hung[$0] == nil } + again.sorted { hung[$0] ?? 0 < hung[$1] ?? 0 }
  }

  /// Whether a device opened for the other wish does for this one.
  func matches(_ other: DeviceWish) -> Bool { device == other.device && format == other.format }
}

/// The silent clip, decoded.
final class Clip: Sendable {
  let format: StreamFormat
  /// Interleaved; empty where the clip is nothing but zeros.
  let samples: [Float]
  let frames: Int

  init(format: StreamFormat, samples: [Float]) {
    self.format = format
    frames = samples.count / format.channels
    self.samples = samples.allSatisfy { $0 == 0 } ? [] : samples
  }
}

/// What the loop tells the stage.
enum StageOrder: Sendable {
  case wish(DeviceWish?)
  case keepAlive(KeepAlivePlan)
  case track(Voice, playing: Bool, joining: Bool, level: Double)
  case nextTrack(Voice?)
  case dropTrack
  /// Another is loaded in its place.
  case relieveTrack
  case trackPlaying(Bool)
  case trackLevel(Double)
  /// Seconds to silence; nil: back.
  case dusk(Double?)
  case ring(RingPlan, Voice, replacing: Bool)
  case ringSounding(String, Bool)
  case ringLevel(String, Double)
  case dropRing(String)
  /// Everything fades out for a device that is to be closed, and keeps its place; false: it sounds again.
  case suspend(Bool)
  case quit
}

/// The mixer and what is wanted of it: all that goes on when an output is abandoned.
///
/// One output at a time holds it, by its generation, and only between calls into ALSA, never across one. So an output
/// that is stuck in such a call does not hold it, another one can be put in its place, and the stuck one finds out
/// before it touches anything when it comes back.
final class Stage: @unchecked Sendable {
  // @unchecked: `mixer`, `wish`, `keepAlive`, `quits`, `isSuspended`, `clip` and `meter` are touched only between `enter`
  // and `leave` (see `holder`); all else is made for many threads.

  /// Wakes the output's thread.
  let bell: Bell
  /// CLOCK_MONOTONIC (µs) by which the output's thread has promised to show itself again.
  private let promise = Atomic<Int64>(.max)
  /// The same for a ring that waits and could sound elsewhere.
  private let hurriedPromise = Atomic<Int64>(.max)
  /// The device that the output tried last.
  private let place = Mutex("")
  let opens = Atomic<Int>(0)
  let streams = Atomic<Int>(0)
  let underruns = Atomic<Int>(0)
  let framesWritten = Atomic<Int>(0)
  /// How loud it is, for who shows that.
  let levels = LevelBoard()

  /// Twice the generation that owns the stage, and one more while it is inside.
  private let holder = Atomic<UInt64>(0)
  /// Protects only the list, for an append or a swap.
  private let orders = Mutex<[StageOrder]>([])

  var mixer = Mixer()
  private(set) var wish: DeviceWish?
  private(set) var keepAlive = KeepAlivePlan()
  private(set) var quits = false
  private(set) var isSuspended = false
  private(set) var clip = SilentClip()
  private var meter = LevelMeter()

  init() throws(SystemError) { bell = try Bell() }

  // MARK: Any thread

  func send(_ order: StageOrder) {
    orders.withLock { $0.append(order) }
    bell.ring()
  }

  /// The device in which an output that does not come back hangs.
  var lastTried: String { place.withLock { $0 } }

  func isOverdue(now: Int64, isHurried: Bool) -> Bool {
    now > (isHurried ? hurriedPromise.load(ordering: .relaxed) : promise.load(ordering: .relaxed))
  }

  /// Gives the stage to another generation; false while the present owner is inside.
  func hand(from old: UInt64, to new: UInt64) -> Bool {
    guard
      holder.compareExchange(expected: old * 2, desired: new * 2, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    promiseReturn(within: nil, now: 0)
    bell.ring()
    return true
  }

  // MARK: The owner's thread

  /// False where the stage belongs to another generation by now.
  func enter(_ generation: UInt64) -> Bool {
    holder.compareExchange(
      expected: generation * 2, desired: generation * 2 + 1, ordering: .acquiringAndReleasing
    ).exchanged
  }

  func leave(_ generation: UInt64) { holder.store(generation * 2, ordering: .releasing) }

  /// Inside: this device is tried now.
  func tries(_ device: String) { place.withLock { $0 = device } }

  /// The owner will be back within so many microseconds, or nil: whenever it is called. `hurried`: within so many it would
  /// be where nothing hangs.
  func promiseReturn(within microseconds: Int64?, hurried: Int64? = nil, now: Int64) {
    promise.store(microseconds.map { now + $0 } ?? .max, ordering: .relaxed)
    hurriedPromise.store((hurried ?? microseconds).map { now + $0 } ?? .max, ordering: .relaxed)
  }

  /// Inside: does what was ordered; false where that was nothing.
  func obey() -> Bool {
    let list = orders.withLock { list in
      let all = list
      if !all.isEmpty { list = [] }
      return all
    }
    if list.isEmpty { return false }
    for order in list {
      switch order {
      case .wish(let wish): self.wish = wish
      case .keepAlive(let plan): keepAlive = plan
      case .track(let voice, let playing, let joining, let level):
        mixer.setTrack(voice, playing: playing, joining: joining, level: level)
      case .nextTrack(let voice): mixer.setNextTrack(voice)
      case .dropTrack: mixer.dropTrack()
      case .relieveTrack: mixer.relieveTrack()
      case .trackPlaying(let playing): mixer.setTrackPlaying(playing)
      case .trackLevel(let level): mixer.setTrackLevel(level)
      case .dusk(let seconds): mixer.setDusk(seconds: seconds)
      case .ring(let plan, let voice, let replacing): mixer.setRing(plan, voice: voice, replacing: replacing)
      case .ringSounding(let id, let sounding): mixer.setRing(id, sounding: sounding)
      case .ringLevel(let id, let level): mixer.setRing(id, level: level)
      case .dropRing(let id): mixer.dropRing(id)
      case .suspend(let isSuspended):
        self.isSuspended = isSuspended
        if !isSuspended { mixer.rejoin() }
      case .quit:
        quits = true
        wish = nil
      }
    }
    return true
  }

  /// What was rendered.
  struct Rendered {
    var isSilent: Bool
    /// 16 bits hold the samples.
    var isExact: Bool
    /// Frames that are to be the device's least bits.
    var leastBits: Range<Int>
  }

  /// Inside: the next frames, at most a quantum. Where no voice sounds they are the silent clip's.
  func render(into out: UnsafeMutablePointer<Float>, frames: Int, heardAt: Int64) -> Rendered {
    var exact = true
    let clock = mixer.clock
    let isSilent = mixer.render(into: out, frames: frames, heardAt: heardAt, exact: &exact)
    if levels.isWanted.load(ordering: .relaxed) {
      meter.take(
        isSilent ? nil : UnsafePointer(out), frames: frames, mixer.format, heardAt: heardAt, to: levels)
    }
    guard isSilent else {
      clip.pass(keepAlive, heardAt: heardAt, frames: frames, format: mixer.format)
      return Rendered(isSilent: false, isExact: exact, leastBits: 0..<0)
    }
    let leastBits = clip.render(
      keepAlive, into: out, frames: frames, heardAt: heardAt, clock: clock, format: mixer.format)
    return Rendered(isSilent: true, isExact: exact, leastBits: leastBits)
  }

  /// Inside: a device begins.
  func begin(_ format: StreamFormat) {
    mixer.begin(format)
    clip = SilentClip()
    levels.clear()
  }
}
