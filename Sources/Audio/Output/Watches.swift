/// How late this machine lets a thread run that has slept, and how much more must be queued for it.
struct Strain {
  private var worst: Int64 = 0
  private var since: Int64 = 0
  private var awaited: Int64?

  /// Lateness (µs) that is no strain, and the most that is queued for it.
  private static let usual: Int64 = 20_000
  private static let most: Int64 = 250_000
  /// So long (µs) one late turn is remembered.
  private static let memory: Int64 = 30_000_000

  mutating func sleeps(until instant: Int64) { awaited = instant }

  mutating func wakes(at now: Int64) {
    defer { awaited = nil }
    if now - since > Strain.memory { worst = 0 }
    guard let awaited, now - awaited > Strain.usual, now - awaited < 2_000_000 else { return }
    worst = max(worst, now - awaited)
    since = now
  }

  /// The server's thread may be as late as ours.
  var margin: Int64 { min(Strain.most, worst * 2) }
}

/// Notices devices that claim to run but consume nothing.
struct ConsumptionWatch {
  private(set) var hasConsumed = false
  var toldSwallowing = false
  private var best: Int64 = 0
  private var lastProgress: Int64?
  private var prepares = 0

  /// Made ready again and not yet consuming.
  var isPrepared: Bool { prepares > 0 }

  mutating func restart(now: Int64) { lastProgress = now }

  mutating func mayPrepare(now: Int64) -> Bool {
    prepares += 1
    lastProgress = now
    return prepares <= 3
  }

  /// A sentence where nothing has been consumed for too long.
  mutating func observe(consumed: Int64, queued: Int, now: Int64) -> String? {
    if consumed > best {
      best = consumed
      hasConsumed = true
      prepares = 0
      lastProgress = now
    }
    guard queued > 0 else {
      lastProgress = now
      return nil
    }
    // A cold PulseAudio consumes nothing for up to two seconds.
    let patience: Int64 = hasConsumed ? 1_000_000 : 4_000_000
    guard let lastProgress else {
      self.lastProgress = now
      return nil
    }
    return now - lastProgress > patience ? "the sound device takes no more sound" : nil
  }
}
