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
