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
/// After a cold open the answers of ALSA's plugin for PulseAudio are worthless for up to four seconds: libpulse's clock of a
/// stream, which it goes by, runs from the start whether the server consumes or not (its null sink does not for up to two
/// seconds), never goes back, and so stands still for as long as it ran ahead. Until then what is queued must do, which
/// servers count in steps: see `QueueSteps`.
///
/// Behind PipeWire (`Taking.goesByCycles`) they stay so for good: what it tells is of the beginning of a cycle, whenever it
/// is asked, and what it has begun to play and what waits counts as heard, so the clock that libpulse makes of it is one and
/// a half cycles early and wanders by more. What is queued is exact there, and the answers only tell how long the device behind takes.
/// PipeWire's own plugin (`Taking.tellsOfCycles`) answers exactly: see `ToldCycles`.
struct DeviceLine {
  private let rate: Int
  /// How the device takes what it is given; may become known while it is open.
  var taking: Taking {
    get { steps.taking }
    set {
      if newValue.goesByCycles != steps.taking.goesByCycles { forgetAnswers() }
      steps.taking = newValue
    }
  }
  private var zeros: [Int64] = []
  /// Instant of the last answer.
  private var last: Int64?
  /// Answers in a row that cannot be.
  private var impossible = 0
  private var steps: QueueSteps
  private var told: ToldCycles
  /// µs by which the line was behind what the steps said, as last known.
  private var lag: Int64 = 0
  private(set) var line: TimeLine?
  private var behind = DelayBehind()
  private var settled = SettledLine()
  /// Instant at which the line was last made of steps or cycles.
  private var sure: Int64 = 0

  private static let most = 16
  /// So many answers make a line, and so many make a jump.
  private static let least = 4
  /// µs; PipeWire's answers are up to 8 ms off, PulseAudio's under 1.
  private static let tolerance: Int64 = 10_000
  /// So many answers that agree to so many µs make a first line whatever was before.
  private static let few = 3
  private static let close: Int64 = 1000
  private static let moment: Int64 = 1_000_000
  /// µs; an answer so soon after another says nothing new, though the one after it would be the same again.
  private static let apart: Int64 = 15_000

  init(rate: Int, taking: Taking = Taking()) {
    self.rate = rate
    steps = QueueSteps(rate: rate, taking: taking)
    told = ToldCycles(rate: rate)
    zeros.reserveCapacity(DeviceLine.most + 1)
  }

  /// The device began anew: nothing known of its time holds.
  mutating func forget() {
    forgetAnswers()
    steps = QueueSteps(rate: rate, taking: steps.taking)
    told = ToldCycles(rate: rate)
    behind = DelayBehind()
  }

  private mutating func forgetAnswers() {
    zeros.removeAll(keepingCapacity: true)
    line = nil
    settled.forget()
  }

  /// The line, where the device need not be asked for it: `queued` of the frames `written` have not been taken.
  func known(queued: Int, written: Int64, now: Int64) -> TimeLine? {
    guard let line, settled.holds(line, taken: written - Int64(queued), now: now) else { return nil }
    return line
  }

  /// At the instant `now` (µs) a frame given behind the `written` ones would be heard in `told` frames. `queued` of those
  /// written have not been taken yet, as far as the server says: a frame cannot be heard before those, but for a step that
  /// it has taken and not told of. `seen`: when `queued` was so, where that was another instant.
  mutating func observe(told: Int, queued: Int, written: Int64, now: Int64, seen: Int64? = nil) {
    if taking.tellsOfCycles {
      self.told.observe(told: told, queued: queued, written: written, now: now)
      return settle(on: self.told.zero, now: now)
    }
    steps.observe(taken: written - Int64(queued), now: seen ?? now)
    if taking.goesByCycles {
      return observeCycles(answer: now - TimeLine.microseconds(written - Int64(told), rate), now: now)
    }
    guard told >= queued - max(rate / 20, taking.least + rate / 200) else {
      impossible += 1
      if impossible >= DeviceLine.few { forgetAnswers() }
      return
    }
    impossible = 0
    defer {
      settled.observe(
        zeros, enough: DeviceLine.most, line: line, taken: written - Int64(queued), now: seen ?? now)
    }
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

  /// `answer` (µs): when frame 0 was heard, by what is told.
  private mutating func observeCycles(answer: Int64, now: Int64) {
    guard let (zero, doubt) = steps.place, let cycle = steps.cycle, doubt <= DeviceLine.tolerance else {
      return settle(on: nil, now: now)
    }
    // What it has begun to play and what waits count as heard, and half a cycle is past on average.
    let length = TimeLine.microseconds(Int64(cycle), rate)
    behind.observe(answer + 3 * length / 2 - zero, now: now)
    // Of the two cycles one is what any device holds and tells of, and what a null sink's monitor is behind by.
    settle(on: zero + max(0, (behind.delay ?? 0) - length), now: now)
  }

  /// `zero` (µs): when frame 0 was heard, where that is known at the instant `now`.
  private mutating func settle(on zero: Int64?, now: Int64) {
    if let zero {
      sure = now
      line = TimeLine(zero: zero, rate: rate)
    } else if now - sure > DeviceLine.moment {
      // A cycle that came too late, or others from now on: for a moment the line is what it was.
      line = nil
    }
  }

  /// The line, or what comes nearest to it.
  func estimate(queued: Int, written: Int64, now: Int64) -> TimeLine {
    line
      ?? TimeLine(
        zero: (told.guess ?? steps.zero ?? now - TimeLine.microseconds(written - Int64(queued), rate)) + lag,
        rate: rate)
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
