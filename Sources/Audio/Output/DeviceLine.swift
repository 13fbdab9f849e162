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
/// altogether. After a cold open PulseAudio answers 0 for up to three seconds. So every answer is turned into the instant
/// at which frame 0 was heard, which is the same again and again for a device that goes on evenly; the median of those of
/// the last second or so is the line. How much is queued does not enter into it: sound servers count that in steps. A real
/// jump (the stream was moved, the server ran dry) shows in a few answers that agree with each other and not with the line:
/// what was before is then forgotten.
struct DeviceLine {
  private let rate: Int
  private var zeros: [Int64] = []
  /// Frames between the queue's end and the ear, as last known: where there is no line, better than nothing.
  private var latency = 0
  private(set) var line: TimeLine?

  private static let most = 16
  /// So many answers make a line, and so many make a jump.
  private static let least = 4
  /// µs; PipeWire's answers are up to 8 ms off, PulseAudio's under 1.
  private static let tolerance: Int64 = 10_000

  init(rate: Int) {
    self.rate = rate
    zeros.reserveCapacity(DeviceLine.most + 1)
  }

  /// The device began anew: nothing known of its time holds.
  mutating func forget() {
    zeros.removeAll(keepingCapacity: true)
    line = nil
  }

  /// At the instant `now` (µs) a frame given behind the `written` ones would be heard in `told` frames. `queued` of those
  /// written have not been taken yet, as far as the server says.
  mutating func observe(told: Int, queued: Int, written: Int64, now: Int64) {
    guard told > 0 || queued < rate / 50 else { return forget() }
    zeros.append(now - TimeLine.microseconds(written - Int64(told), rate))
    if zeros.count > DeviceLine.most { zeros.removeFirst() }
    var middle = DeviceLine.median(zeros[...])
    let news = zeros.suffix(DeviceLine.least)
    let newest = DeviceLine.median(news)
    if news.count == DeviceLine.least, agree(news, on: newest),
      news.allSatisfy({ $0 - middle > DeviceLine.tolerance })
        || news.allSatisfy({ middle - $0 > DeviceLine.tolerance })
    {
      zeros.removeFirst(zeros.count - DeviceLine.least)
      middle = newest
    }
    let agreeing = zeros.count { abs($0 - middle) <= DeviceLine.tolerance }
    guard zeros.count >= DeviceLine.least, agreeing * 4 >= zeros.count * 3 else {
      line = nil
      return
    }
    line = TimeLine(zero: middle, rate: rate)
    latency = max(0, told - queued)
  }

  /// The line, or what comes nearest to it.
  func estimate(queued: Int, written: Int64, now: Int64) -> TimeLine {
    line ?? TimeLine(zero: now - TimeLine.microseconds(written - Int64(queued + latency), rate), rate: rate)
  }

  private func agree(_ zeros: ArraySlice<Int64>, on middle: Int64) -> Bool {
    zeros.allSatisfy { abs($0 - middle) <= DeviceLine.tolerance }
  }

  private static func median(_ zeros: ArraySlice<Int64>) -> Int64 {
    let sorted = zeros.sorted()
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}
