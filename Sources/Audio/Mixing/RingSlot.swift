/// What a ring is to do.
struct RingPlan: Sendable {
  let id: String
  /// The factor at the end of the fade.
  var level: Double
  /// Seconds from −40 dB up to `level`.
  var fade: Double
  /// CLOCK_MONOTONIC, µs; nil: now.
  var atMonotonic: Int64?
  var isSounding = true
}

/// One ring in the mixer.
struct RingSlot {
  var plan: RingPlan
  var voice: Voice
  var level: Ramp
  /// From −40 dB to 0.
  private var rise: Ramp
  var gate: Ramp
  var isSounding: Bool
  var isLeaving = false
  private(set) var hasBegun = false
  /// Frames of silence before the first one, in the step in which it begins.
  var offset = 0
  private var began: Int64 = 0
  /// What was told to be heard: nothing yet, the tone or the file.
  private var toldTone: Bool?
  private var tone = Tone()
  /// Frames for which the disk has had nothing, and whether the tone stands in for it.
  private var starved = 0
  private var usesTone = false
  private var isFed = false

  private static let patience = 0.15

  init(plan: RingPlan, voice: Voice, rate: Int) {
    self.plan = plan
    self.voice = voice
    level = Ramp(plan.level)
    rise = Ramp(plan.fade > 0 ? Loudness.factor(decibels: -40) : 1)
    isSounding = plan.isSounding
    gate = Ramp(plan.isSounding ? 1 : 0)
  }

  /// The gain it will begin with.
  var firstGain: Double { level.value * rise.value * loudnessOfVoice }

  /// What is known of its loudness for the music under it. One that was evened is at `Gains.ringTarget`, and music may be
  /// 8 dB louder than that by itself: even then it must be 12 dB below.
  private var loudnessOfVoice: Double {
    let evening = voice.evening
    return evening == 1 ? 1 : min(evening, RingSlot.loudMusic)
  }

  private static let loudMusic = Loudness.factor(decibels: -8)

  mutating func begin(offset: Int, heardAt: Int64) {
    hasBegun = true
    self.offset = offset
    began = heardAt
  }

  /// The news of its beginning, once it is known what is heard; and again where the file takes over from the tone that
  /// stood in for it.
  mutating func takeReport() -> MixerEvent? {
    guard hasBegun, usesTone || isFed, toldTone == nil || (toldTone == true && !usesTone) else { return nil }
    toldTone = usesTone
    return .ringStarted(id: plan.id, voice: voice.id, atMonotonic: began, byTone: usesTone)
  }

  /// Adds its next frames; what the music under it goes by at the beginning and the end of them.
  mutating func render(into out: UnsafeMutablePointer<Float>, frames: Int, format: StreamFormat) -> (
    Double, Double
  ) {
    if plan.fade > 0, rise.value < 1, !rise.isMoving { rise.move(to: 1, frames: format.frames(plan.fade)) }
    let first = level.value * rise.value * gate.value
    let last = level.advance(frames) * rise.advance(frames) * gate.advance(frames)
    let evening = voice.evening
    var done = 0
    if voice.format == format, voice.isPrimed || starved == 0 {
      while done < frames {
        let (start, count) = voice.ring.next(limit: frames - done)
        if count == 0 { break }
        let step = (last - first) / Double(max(1, frames))
        Kernels.add(
          start, to: out + done * format.channels, frames: count, channels: format.channels,
          from: (first + step * Double(done)) * evening, to: (first + step * Double(done + count)) * evening)
        voice.ring.take(count)
        done += count
      }
      voice.wakeFeederIfLow()
    }
    if done == frames {
      isFed = true
      starved = 0
      usesTone = false
    } else {
      // A ring must be heard: what the disk or the decoder does not give in time, the tone does.
      starved += frames - done
      if starved > format.frames(RingSlot.patience) || voice.ring.isSpent {
        usesTone = true
        tone.add(
          to: out + done * format.channels, frames: frames - done, channels: format.channels,
          rate: format.rate, from: first, to: last)
      }
    }
    let heard = usesTone ? 1 : loudnessOfVoice
    return (first * heard, last * heard)
  }
}
