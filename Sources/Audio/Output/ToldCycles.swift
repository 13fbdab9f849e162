import Glibc

/// When a device's frame 0 was heard, as PipeWire's own plugin of ALSA tells it.
///
/// The plugin tells what the sink says of itself and what was taken for the cycle of the graph that runs, less the time
/// since that cycle began (`snd_pcm_pipewire_delay`): the same to a tenth of a millisecond at every place in a cycle, or
/// some milliseconds too late where its thread came late. Cards and Bluetooth say that they hold a cycle at least, and then
/// that is all. A null sink says nothing; a driver begins a cycle when the one before is heard, and what it takes is in its
/// monitor, where alone it is heard, a cycle later. How long a cycle is nobody tells: what has been taken grows by whole
/// cycles, and what is told goes up and down by one, which settles how many there were between two looks.
struct ToldCycles {
  private struct Look {
    /// µs: when frame 0 was heard if nothing is missing.
    let zero: Int64
    /// Frames from what has been taken to what is heard, as told.
    let ahead: Int
    let taken: Int64
    let now: Int64
  }

  private let rate: Int
  private var looks: [Look] = []
  /// Frames of a cycle, once that is settled, and those that are not told.
  private var cycle: Double?
  private var missing: Double?
  /// When frame 0 was heard (µs); nil where that is not known to a few milliseconds.
  private(set) var zero: Int64?
  /// The same as far as it can be guessed; nil where nothing is told.
  private(set) var guess: Int64?

  private static let most = 16
  /// So many looks make a place, and so many make a jump.
  private static let least = 4
  /// µs; looks so close to each other say the same twice.
  private static let apart: Int64 = 15_000
  /// µs: what was told so long ago does not count where the device is seldom asked.
  private static let memory: Int64 = 5_000_000
  /// µs: clocks drift apart by 0.2 in a thousand.
  private static let tolerance: Int64 = 1500
  /// The longest cycle that can be had (`clock.quantum-limit`), in seconds, and the shortest in frames.
  private static let longest = 8192.0 / 44_100
  private static let shortest = 32.0

  init(rate: Int) { self.rate = rate }

  /// Frames that a thread may be late by, and frames that what is missing may be unsure by.
  private var slack: Double { Double(rate) / 500 }
  private var doubt: Double { Double(rate) * 3 / 1000 }

  mutating func observe(told: Int, queued: Int, written: Int64, now: Int64) {
    let taken = written - Int64(queued)
    // Before it has begun it tells of nothing but what is queued.
    guard taken > 0 else { return }
    if let last = looks.last, now - last.now < ToldCycles.apart { return }
    looks.removeFirst(looks.prefix { now - $0.now > ToldCycles.memory }.count)
    if looks.count == ToldCycles.most { looks.removeFirst() }
    looks.append(
      Look(
        zero: now - TimeLine.microseconds(written - Int64(told), rate), ahead: told - queued, taken: taken,
        now: now))
    zero = nil
    var middle = ToldCycles.middle(looks[...])
    let news = looks.suffix(ToldCycles.least)
    let newest = ToldCycles.middle(news)
    if news.count == ToldCycles.least, news.allSatisfy({ abs($0.zero - newest) <= ToldCycles.tolerance }),
      news.allSatisfy({ $0.zero - middle > ToldCycles.tolerance })
        || news.allSatisfy({ middle - $0.zero > ToldCycles.tolerance })
    {
      // Another cycle, another sink, or it ran dry.
      looks.removeFirst(looks.count - ToldCycles.least)
      (middle, cycle, missing) = (newest, nil, nil)
    }
    let good = looks.filter { abs($0.zero - middle) <= ToldCycles.tolerance }
    guess = middle + microseconds(missing ?? 0)
    guard good.count >= ToldCycles.least, good.count * 3 >= looks.count * 2 else { return }
    guard let range = settle(good) else {
      // Another cycle, of which the place tells nothing: what was before is in the way.
      looks.removeFirst(looks.count - 1)
      return
    }
    let middling = (range.lowerBound + range.upperBound) / 2
    if isSure(range) {
      missing = middling
    } else if let known = missing, !range.contains(known) {
      // What was known before stays so as long as nothing is against it.
      missing = nil
    }
    guess = middle + microseconds(missing ?? middling)
    if missing != nil { zero = guess }
  }

  /// Frames that are not told, at least and at most; nil where the looks fit no cycle.
  private mutating func settle(_ looks: [Look]) -> ClosedRange<Double>? {
    let aheads = looks.map { Double($0.ahead) }.sorted()
    // The least of many may be of a thread that came late.
    let span = aheads[looks.count > 2 * ToldCycles.least ? 1 : 0]...aheads[looks.count - 1]
    let least = max(span.upperBound - span.lowerBound - slack, ToldCycles.shortest)
    if let known = cycle, known >= least, let cycle = ToldCycles.fit(known, to: looks) {
      self.cycle = cycle
      return notTold(cycle, span)
    }
    cycle = nil
    let cycles = likely(
      among: ToldCycles.cycles(of: looks, from: least, to: ToldCycles.longest * Double(rate)))
    guard let longest = cycles.first, let shortest = cycles.last else { return nil }
    if cycles.count == 1 { cycle = longest }
    let (first, last) = (notTold(longest, span), notTold(shortest, span))
    return min(first.lowerBound, last.lowerBound)...max(first.upperBound, last.upperBound)
  }

  /// Looks that have fallen into step with the cycle fit many: of those the ones that a graph has unless a person wants
  /// another, powers of two at 44 100 or 48 000 frames a second. Where there are only short ones they mean nothing.
  private func likely(among cycles: [Double]) -> [Double] {
    let usual = cycles.filter { cycle in
      [44_100, 48_000].contains { graph in
        let frames = cycle * graph / Double(rate)
        let power = exp2(log2(frames).rounded())
        return abs(frames - power) <= power / 200
      }
    }
    return (usual.first ?? 0) * 48_000 > 230 * Double(rate) ? usual : cycles
  }

  private func isSure(_ range: ClosedRange<Double>) -> Bool {
    range.upperBound - range.lowerBound <= 2 * doubt
  }

  /// `span`: what is told to be ahead goes from what the sink says of itself to a cycle more.
  private func notTold(_ cycle: Double, _ span: ClosedRange<Double>) -> ClosedRange<Double> {
    let saysNothing = span.upperBound <= cycle + slack
    let saysAll = span.lowerBound >= cycle - slack
    if saysNothing { return (saysAll ? 0 : cycle)...cycle }
    let least = saysAll ? 0 : max(0, cycle - span.lowerBound)
    return least...(saysAll ? 0 : max(least, 2 * cycle - span.upperBound))
  }

  /// All cycles (frames, the longest first) of which whole numbers were taken between any two looks: the longest, and what
  /// that is a multiple of.
  private static func cycles(of looks: [Look], from least: Double, to most: Double) -> [Double] {
    guard let first = looks.first, let second = looks.first(where: { $0.taken > first.taken }) else {
      return []
    }
    let apart = Double(second.taken - first.taken)
    let counts = (max(1, Int((apart / most).rounded(.up))), Int(apart / least))
    guard counts.0 <= counts.1 else { return [] }
    return (counts.0...counts.1).compactMap { fit(apart / Double($0), to: looks) }
  }

  /// The cycle near this one of which whole numbers were taken; nil where there is none.
  ///
  /// A resampler makes two frames of a difference; a look that is farther off makes it known better.
  private static func fit(_ near: Double, to looks: [Look]) -> Double? {
    guard let first = looks.first else { return nil }
    var (cycle, known) = (near, 0.0)
    for look in looks where look.taken > first.taken {
      let apart = Double(look.taken - first.taken)
      let count = (apart / cycle).rounded()
      guard count > 0, abs(apart - count * cycle) <= 2 + (known > 0 ? 2 * count / known : 2) else {
        return nil
      }
      (cycle, known) = (apart / count, count)
    }
    return known > 0 ? cycle : nil
  }

  private func microseconds(_ frames: Double) -> Int64 {
    Int64(frames * 1_000_000 / Double(rate))
  }

  private static func middle(_ looks: ArraySlice<Look>) -> Int64 {
    let sorted = looks.map(\.zero).sorted()
    return sorted[sorted.count / 2]
  }
}
