/// Which frame of a device is heard at which instant of CLOCK_MONOTONIC.
struct TimeLine: Sendable, Equatable {
  /// When frame 0 was heard, or would have been (µs).
  let zero: Int64
  /// Frames a second.
  let rate: Int

  func instant(ofFrame frame: Int64) -> Int64 { zero + TimeLine.microseconds(frame, rate) }

  /// The frame that is heard at an instant.
  func frame(at instant: Int64) -> Int64 {
    let (seconds, rest) = (instant - zero).quotientAndRemainder(dividingBy: 1_000_000)
    return seconds * Int64(rate) + rest * Int64(rate) / 1_000_000
  }

  /// In whole seconds first: no product overflows, however long a device is open.
  static func microseconds(_ frames: Int64, _ rate: Int) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    return seconds * 1_000_000 + rest * 1_000_000 / Int64(rate)
  }
}

/// A device's time line, made from many answers to the question how long a frame takes to be heard.
///
/// One answer is not enough: it can be off by a step of the server, by its thread having waited for the processor, or
/// altogether. So every answer is turned into the instant at which frame 0 was heard, which is the same again and again for
/// a device that goes on evenly; the median of those of the last second or so is the line. A real jump (the stream was
/// moved, the server ran dry) shows in a few answers that agree with each other and not with the line: what was before is
/// then forgotten.
///
/// After a cold open PulseAudio's answers are worthless for up to four seconds: libpulse's clock of a stream runs from the
/// start whether the server consumes or not (its null sink does not for up to two seconds), never goes back, and so stands
/// still for as long as it ran ahead. Until then what is queued must do, which servers count in steps: see `QueueSteps`.
struct DeviceLine {
  private let rate: Int
  private var zeros: [Int64] = []
  /// Instant of the last answer.
  private var last: Int64?
  /// Answers in a row that cannot be.
  private var impossible = 0
  private var steps = QueueSteps()
  /// µs by which the line was behind what the steps said, as last known.
  private var lag: Int64 = 0
  private(set) var line: TimeLine?

  private static let most = 16
  /// So many answers make a line, and so many make a jump.
  private static let least = 4
  /// µs; PipeWire's answers are up to 8 ms off, PulseAudio's under 1.
  private static let tolerance: Int64 = 10_000
  /// So many answers that agree to so many µs make a first line whatever was before.
  private static let few = 3
  private static let close: Int64 = 1000
  /// µs; an answer so soon after another says nothing new, though the one after it would be the same again.
  private static let apart: Int64 = 15_000

  init(rate: Int) {
    self.rate = rate
    zeros.reserveCapacity(DeviceLine.most + 1)
  }

  /// The device began anew: nothing known of its time holds.
  mutating func forget() {
    forgetAnswers()
    steps = QueueSteps()
  }

  private mutating func forgetAnswers() {
    zeros.removeAll(keepingCapacity: true)
    line = nil
  }

  /// At the instant `now` (µs) a frame given behind the `written` ones would be heard in `told` frames. `queued` of those
  /// written have not been taken yet, as far as the server says: a frame cannot be heard before those, but for a step of
  /// the server.
  mutating func observe(told: Int, queued: Int, written: Int64, now: Int64) {
    steps.observe(now - TimeLine.microseconds(written - Int64(queued), rate), now: now)
    guard told >= queued - rate / 20 else {
      impossible += 1
      if impossible >= DeviceLine.few { forgetAnswers() }
      return
    }
    impossible = 0
    if let last, line != nil || !zeros.isEmpty, now - last < DeviceLine.apart { return }
    last = now
    zeros.append(now - TimeLine.microseconds(written - Int64(told), rate))
    if zeros.count > DeviceLine.most { zeros.removeFirst() }
    var middle = DeviceLine.median(zeros[...])
    let news = zeros.suffix(DeviceLine.least)
    let newest = DeviceLine.median(news)
    if news.count == DeviceLine.least, agree(news, on: newest, within: DeviceLine.tolerance),
      news.allSatisfy({ $0 - middle > DeviceLine.tolerance })
        || news.allSatisfy({ middle - $0 > DeviceLine.tolerance })
    {
      zeros.removeFirst(zeros.count - DeviceLine.least)
      middle = newest
    }
    let few = zeros.suffix(DeviceLine.few)
    let first = DeviceLine.median(few)
    if line == nil, few.count == DeviceLine.few, agree(few, on: first, within: DeviceLine.close) {
      zeros.removeAll { abs($0 - first) > DeviceLine.tolerance }
      middle = DeviceLine.median(zeros[...])
    } else {
      let agreeing = zeros.count { abs($0 - middle) <= DeviceLine.tolerance }
      guard zeros.count >= DeviceLine.least, agreeing * 4 >= zeros.count * 3 else {
        line = nil
        return
      }
    }
    line = TimeLine(zero: middle, rate: rate)
    if zeros.count >= DeviceLine.most / 2, let zero = steps.zero { lag += (middle - zero - lag) / 8 }
  }

  /// The line, or what comes nearest to it.
  func estimate(queued: Int, written: Int64, now: Int64) -> TimeLine {
    line
      ?? TimeLine(
        zero: (steps.zero ?? now - TimeLine.microseconds(written - Int64(queued), rate)) + lag, rate: rate)
  }

  private func agree(_ zeros: ArraySlice<Int64>, on middle: Int64, within tolerance: Int64) -> Bool {
    zeros.allSatisfy { abs($0 - middle) <= tolerance }
  }

  private static func median(_ zeros: ArraySlice<Int64>) -> Int64 {
    let sorted = zeros.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}

/// When a device's frame 0 was heard, as far as what it has taken tells.
///
/// A server takes a block of frames when the block is due, so just before it does all that it has taken has been heard:
/// of the instants at which frame 0 would have been heard if nothing were on the way, the latest is right. Blocks shorter
/// than what a server asks for at once (25 ms where this was measured, the period then) are told of several at a time, when the first of them has
/// been heard long ago: then what lies in the middle is nearer.
struct QueueSteps {
  private var seen: [(zero: Int64, now: Int64)] = []

  /// µs: so long is looked back.
  private static let memory: Int64 = 500_000
  private static let most = 64
  private static let shortBlock: Int64 = 40_000

  mutating func observe(_ zero: Int64, now: Int64) {
    let old = seen.prefix { now - $0.now > QueueSteps.memory }.count
    seen.removeFirst(max(old, seen.count - QueueSteps.most + 1))
    seen.append((zero, now))
  }

  /// nil where nothing is known.
  var zero: Int64? {
    guard let latest = seen.lazy.map(\.zero).max(), let first = seen.lazy.map(\.zero).min() else {
      return nil
    }
    return latest - first > QueueSteps.shortBlock ? latest : (latest + first) / 2
  }
}
