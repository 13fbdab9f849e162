/// Which frame of the source a frame of the output belongs to, also where the decoder jumped over damage.
struct SourceClock {
  private let sourceRate: Int64
  private let rate: Int64
  /// The frame of the source that counting began at.
  private let start: Int64
  /// Frames that came out since then, and frames that the decoder gave since then.
  private var out: Int64 = 0
  private var taken: Int64 = 0
  /// Frames jumped over, as far as the output has come.
  private var passed: Int64 = 0
  /// Jumps still ahead of the output (the resampler holds some frames back): after how many decoded frames, over how many.
  private var ahead: [(after: Int64, over: Int64)] = []

  init(sourceRate: Int, rate: Int, start: Int64 = 0) {
    (self.sourceRate, self.rate, self.start) = (Int64(sourceRate), Int64(rate), start)
  }

  /// The frame of the source that the next frame to come out begins at.
  var position: Int64 { start + passed + consumed }

  /// `frames` came from the decoder, which now stands at `position` where it knows. A jump lies before them, because a
  /// decoder ends a read at the damage.
  mutating func decoded(_ frames: Int, upTo position: Int64?) {
    if let position {
      let over = position - Int64(frames) - (start + passed + ahead.reduce(0) { $0 + $1.over } + taken)
      if over != 0 { ahead.append((after: taken, over: over)) }
    }
    taken += Int64(frames)
  }

  /// `frames` came out.
  mutating func advance(by frames: Int) {
    out += Int64(frames)
    while let jump = ahead.first, jump.after <= consumed {
      passed += jump.over
      ahead.removeFirst()
    }
  }

  /// The decoded frames that what came out amounts to.
  private var consumed: Int64 {
    // In parts, so that no product overflows however long the track is.
    let (whole, rest) = out.quotientAndRemainder(dividingBy: rate)
    return whole * sourceRate + rest * sourceRate / rate
  }
}
