/// How a device takes what it is given, as far as that is known.
struct Taking: Sendable, Equatable {
  /// The fewest frames that it asks for at once; 0 where every block is told of.
  var least = 0
  /// Frames that it renders at once; nil: as many as it asks for, which holds where nobody else wants it sooner.
  var block: Int?
  /// PipeWire: it takes a cycle of its graph at once and exactly, of which nothing is told, and that is heard from the next
  /// one on at the earliest. A card and Bluetooth hold a cycle; what a driving sink has taken is in its monitor one later.
  var goesByCycles = false
  /// PipeWire's own plugin, which tells of every cycle: see `ToldCycles`.
  var tellsOfCycles = false
}

/// When a device's frame 0 was heard, as far as what it has taken tells.
///
/// A server renders a block when it is due, so at that instant all before that block has been heard, and the block's first
/// frame is; behind PipeWire one block later. It asks for more when at least `least` frames have been taken since it last
/// did. So at any look frame 0 was heard later than if nothing were on the way, by what is taken `ahead` at most and by that
/// less a step at least. Looks that do not fall into step with the server narrow that down.
struct QueueSteps {
  private let rate: Int
  var taking: Taking
  private var seen: [(zero: Int64, now: Int64)] = []
  private var taken: Int64?
  /// By how much more had been taken, each time it was more.
  private var jumps: [Int] = []
  /// Frames that it asks for at once, by the latest of those; nil while that is not known or changes.
  private(set) var step: Int?
  /// The one before that.
  private var lastStep: Int?

  /// µs: so long is looked back, and so long where only takings count.
  private static let memory: Int64 = 600_000
  private static let longMemory: Int64 = 3_000_000
  private static let most = 64
  private static let jumpsKept = 3
  /// Frames of the longest cycle that PipeWire has unless a person allows a longer one (`clock.max-quantum`), at 48 000.
  private static let longest = 2048

  init(rate: Int, taking: Taking) { (self.rate, self.taking) = (rate, taking) }

  mutating func observe(taken now: Int64, now instant: Int64) {
    let memory = taking.goesByCycles ? QueueSteps.longMemory : QueueSteps.memory
    let old = seen.prefix { instant - $0.now > memory }.count
    seen.removeFirst(max(old, seen.count - QueueSteps.most + 1))
    seen.append((instant - TimeLine.microseconds(now, rate), instant))
    defer { taken = now }
    guard let taken, now > taken else { return }
    jumps.append(Int(now - taken))
    if jumps.count > QueueSteps.jumpsKept { jumps.removeFirst() }
    step = unit()
    guard let step else { return }
    if let lastStep, lastStep != step { seen.removeFirst(max(0, seen.count - 1)) }
    lastStep = step
  }

  /// Frames of PipeWire's cycle; nil while that is not known.
  var cycle: Int? {
    guard let step, taking.goesByCycles else { return nil }
    return QueueSteps.cycle(step, least: taking.least, rate: rate) ?? longestCycle
  }

  /// Frames that have been taken and not been heard right after it took some; nil while that is not known.
  private var ahead: Int? {
    if taking.goesByCycles { return cycle.map { 2 * $0 } }
    return step.map { min($0, taking.block ?? $0) }
  }

  /// Where most looks agree that it was (µs), and by how much that can be off; nil where nothing is known.
  ///
  /// Most, because what was taken is told late now and then, and a server that came too late is late from then on.
  var place: (zero: Int64, doubt: Int64)? {
    guard let step, let ahead, seen.count > 3 else { return nil }
    let (late, early) = (
      TimeLine.microseconds(Int64(ahead), rate), TimeLine.microseconds(Int64(step - ahead), rate)
    )
    var ends =
      seen.map { (at: $0.zero - early, opens: true) } + seen.map { (at: $0.zero + late, opens: false) }
    ends.sort { $0.at != $1.at ? $0.at < $1.at : $0.opens && !$1.opens }
    var (open, most, best) = (0, 0, (from: Int64(0), to: Int64(0)))
    for (index, end) in ends.enumerated() {
      open += end.opens ? 1 : -1
      // The later of two that are as good.
      if end.opens, open >= most, index + 1 < ends.count {
        (most, best) = (open, (end.at, ends[index + 1].at))
      }
    }
    guard most * 3 >= seen.count * 2 else { return nil }
    return ((best.from + best.to) / 2, (best.to - best.from) / 2)
  }

  /// nil where nothing is known.
  var zero: Int64? {
    guard let latest = seen.lazy.map(\.zero).max(), let first = seen.lazy.map(\.zero).min() else {
      return nil
    }
    guard let step, let ahead else { return latest }
    // Both ends are seen a little late: what lies between them is nearer than either.
    return (latest + first - TimeLine.microseconds(Int64(step), rate)) / 2
      + TimeLine.microseconds(Int64(ahead), rate)
  }

  /// What all jumps are multiples of, but for a few frames of a clock that differs.
  private func unit() -> Int? {
    guard jumps.count > 1, let smallest = jumps.min() else { return nil }
    // What asks in whole cycles asks for less than one more than it must: the jumps were some steps at a time.
    let most = taking.goesByCycles ? taking.least + longestCycle : .max
    let units = (1...4).map { smallest / $0 }.filter { unit in
      guard unit >= max(64, taking.least), unit <= most else { return false }
      return jumps.allSatisfy { jump in
        let rest = jump % unit
        return min(rest, unit - rest) <= unit / 100 * (jump / unit + 1)
      }
    }
    let ofCycles = units.first { QueueSteps.cycle($0, least: taking.least, rate: rate) != nil }
    return taking.goesByCycles ? ofCycles ?? units.first : units.first
  }

  private var longestCycle: Int { QueueSteps.longest * rate / 48_000 }

  /// The cycle of PipeWire's graph by what it asks for, which is the fewest whole cycles that make `least` frames. A cycle
  /// is a power of two in the graph's own frames, 48 000 a second as a rule; where two of them ask for the same, what lies
  /// between; nil where none does.
  static func cycle(_ step: Int, least: Int, rate: Int) -> Int? {
    var found: [Int] = []
    for cycles in 1...(least / 32 + 1) {
      let cycle = step / cycles
      guard cycle >= 32, (cycles - 1) * cycle < least else { break }
      let frames = (step * 48_000 / rate + cycles / 2) / cycles
      let power = 1 << (Int.bitWidth - 1 - (frames + frames / 50).leadingZeroBitCount)
      if frames <= longest + longest / 50, abs(frames - power) <= power / 50 { found.append(cycle) }
    }
    guard let first = found.first, let last = found.last else { return nil }
    return (first + last) / 2
  }
}

/// How long what was rendered takes to be heard, by answers that wander: told where they have agreed for a while.
struct DelayBehind {
  private var seen: [(delay: Int64, now: Int64)] = []
  /// µs; nil while it is not known.
  private(set) var delay: Int64?

  /// µs.
  private static let memory: Int64 = 3_000_000
  private static let tolerance: Int64 = 5_000

  mutating func observe(_ told: Int64, now: Int64) {
    let old = seen.prefix { now - $0.now > DelayBehind.memory }.count
    seen.removeFirst(max(old, seen.count - 63))
    seen.append((told, now))
    guard let first = seen.first, now - first.now > DelayBehind.memory / 2,
      let least = seen.lazy.map(\.delay).min(), let most = seen.lazy.map(\.delay).max(),
      most - least <= DelayBehind.tolerance
    else { return }
    delay = (least + most) / 2
  }
}
