/// What frames are given to: a PCM, or the clock that stands in for one. Confined to its output's thread.
protocol SoundDevice: AnyObject {
  var format: StreamFormat { get }
  /// Frames it can hold.
  var bufferFrames: Int { get }
  /// Frames that it takes, or asks for, at once.
  var step: Int { get }
  /// Frames given to it since it was opened.
  var given: Int64 { get }
  /// It swallows everything at once and is paced by the clock alone.
  var isPacedByClock: Bool { get }

  /// Frames given and not consumed yet at the instant `now` (µs); negative is ALSA's error.
  func queued(now: Int64) -> Int
  /// When which of the given frames is heard; to be asked right after `queued`, with its answer. `exactly`: by what the
  /// device says now, not what it has said for a while.
  func line(queued: Int, now: Int64, exactly: Bool) -> TimeLine
  /// That line is known and not a guess.
  var knowsItsLine: Bool { get }
  /// Frames that can be given before it must be flushed.
  var room: Int { get }
  /// Gives at most `room` frames. `dither` where 16 bits do not hold them. Those of `leastBits` are silent and are made
  /// the device's least bit, up and down 50 times a second.
  func give(_ samples: UnsafePointer<Float>, frames: Int, dither: Bool, leastBits: Range<Int>)
  /// Passes on what was given; 0, −EAGAIN where it takes no more now, or ALSA's error.
  func flush() -> Int
  /// Begins consuming where it has not.
  func startIfReady(now: Int64)
  /// True where it worked.
  func pause(_ on: Bool) -> Bool
}

extension SoundDevice {
  /// The line of a device that plays exactly what is queued.
  func pacedLine(queued: Int, now: Int64) -> TimeLine {
    TimeLine(
      zero: now - TimeLine.microseconds(given - Int64(queued), format.rate), rate: format.rate)
  }
}

/// Keeps time where no device can be had, so that an alarm clock goes on being one.
final class StandIn: SoundDevice {
  let format: StreamFormat
  var bufferFrames: Int { format.rate / 2 }
  var step: Int { 0 }
  private(set) var given: Int64 = 0
  var isPacedByClock: Bool { true }
  private var pace: ClockPace

  init(format: StreamFormat, now: Int64) {
    self.format = format
    pace = ClockPace(rate: format.rate, now: now)
  }

  func queued(now: Int64) -> Int { pace.queued(written: given, now: now) }
  func line(queued: Int, now: Int64, exactly: Bool) -> TimeLine { pacedLine(queued: queued, now: now) }
  var knowsItsLine: Bool { true }
  var room: Int { .max }
  func give(_ samples: UnsafePointer<Float>, frames: Int, dither: Bool, leastBits: Range<Int>) {
    given += Int64(frames)
  }
  func flush() -> Int { 0 }
  func startIfReady(now: Int64) {}
  func pause(_ on: Bool) -> Bool { true }
}

/// How much of what was written a device of this rate would not have consumed yet.
struct ClockPace {
  private let rate: Int
  private var anchor: Int64
  private var anchorWritten: Int64 = 0

  init(rate: Int, now: Int64) { (self.rate, anchor) = (rate, now) }

  mutating func queued(written: Int64, now: Int64) -> Int {
    let consumed = anchorWritten + (now - anchor) * Int64(rate) / 1_000_000
    if consumed >= written {
      (anchor, anchorWritten) = (now, written)
      return 0
    }
    // Before the product grows too large, the anchor moves on by whole seconds.
    if now - anchor > 3_600_000_000 {
      let seconds = (now - anchor) / 1_000_000
      anchor += seconds * 1_000_000
      anchorWritten += seconds * Int64(rate)
    }
    return Int(written - consumed)
  }
}
