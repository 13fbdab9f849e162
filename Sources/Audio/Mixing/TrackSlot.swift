import Synchronization

/// What all tracks have in common in one step of the mixer.
struct TrackStep {
  let frames: Int
  let clock: Int64
  /// From its first to its last value.
  let ceiling: (Double, Double)
  /// What everything is multiplied by, likewise.
  let dusk: (Double, Double)
  /// Frames of a fade.
  let fade: Int
}

/// One piece of music in the mixer: the current one, or one that fades out.
struct TrackSlot {
  let voice: Voice
  var level: Ramp
  var gate = Ramp(0)
  var isCurrent = true
  /// No longer the current one, it sounds on until another begins, and up to this place of the mixer's clock at most.
  var leavesAt: Int64?
  /// Begins in the middle of a sound and therefore fades in.
  var joins = false
  private(set) var hasBegun = false
  /// The mixer's clock behind the last frame rendered.
  var renderedEnd: Int64 = 0
  /// Frames rendered with every gain at 1, for what only holds then.
  private(set) var exactFrames = 0
  /// The voice's frame at which the present stretch without a pause began.
  private var stretchStart = 0
  private(set) var toldEnd = false

  /// It sounds, and would for ever as it does now.
  var isStill: Bool {
    isCurrent && hasBegun && leavesAt == nil && !level.isMoving && gate.value == 1 && gate.target == 1
  }

  init(voice: Voice, level: Ramp) { (self.voice, self.level) = (voice, level) }

  /// It has something to say, now or as soon as enough is decoded.
  var sounds: Bool { !gate.isShut && !(hasBegun && voice.ring.isSpent) }

  /// Will never sound again.
  func isOver(format: StreamFormat) -> Bool {
    gate.isShut || voice.ring.isSpent || !hasBegun || voice.format != format
  }

  mutating func takeBack(toClock heard: Int64) {
    let unheard = renderedEnd - heard
    if hasBegun, unheard > 0 { voice.ring.takeBack(Int(unheard)) }
    renderedEnd = min(renderedEnd, heard)
    stretchStart = voice.ring.position
    voice.heard.store(WordPair(first: UInt(voice.ring.position), second: 0), ordering: .relaxed)
  }

  /// Adds its next frames, behind the first `start` of the step; how many those were, 0 where it has none yet.
  mutating func render(into out: UnsafeMutablePointer<Float>, from start: Int, _ step: TrackStep) -> Int {
    if !hasBegun {
      guard voice.isPrimed else { return 0 }
      hasBegun = true
      stretchStart = voice.ring.position
      if joins, gate.target == 1 {
        // Half as long as a fade out: a person waits for it.
        gate = Ramp(0)
        gate.move(to: 1, frames: step.fade / 2)
      }
    }
    if renderedEnd != step.clock + Int64(start) { stretchStart = voice.ring.position }
    let (frames, fade) = (step.frames, step.frames - start)
    let evening = voice.evening
    let first = min(level.value * gate.value * step.dusk.0, step.ceiling.0) * evening
    let last = min(level.advance(fade) * gate.advance(fade) * step.dusk.1, step.ceiling.1) * evening
    let channels = voice.format.channels
    var done = start
    while done < frames {
      let (samples, count) = voice.ring.next(limit: frames - done)
      if count == 0 { break }
      let here = out + done * channels
      if first == 1, last == 1 {
        Kernels.add(samples, to: here, count: count * channels)
      } else {
        let rise = (last - first) / Double(fade)
        Kernels.add(
          samples, to: here, frames: count, channels: channels, from: first + rise * Double(done - start),
          to: first + rise * Double(done - start + count))
      }
      voice.ring.take(count)
      done += count
    }
    if done > start {
      renderedEnd = step.clock + Int64(done)
      if first == 1, last == 1, voice.isExact16 { exactFrames += done - start }
    }
    voice.wakeFeederIfLow()
    return done - start
  }

  /// Publishes what is heard; the voice's id once its last frame was.
  mutating func heard(upTo reached: Int64, now: Int64, moving: Bool) -> UInt64? {
    guard isCurrent, hasBegun else { return nil }
    let unheard = max(0, renderedEnd - reached)
    let place = max(stretchStart, voice.ring.position - Int(unheard))
    let goesOn = moving && unheard > 0 && place > stretchStart
    voice.heard.store(
      WordPair(first: UInt(max(0, place)), second: goesOn ? UInt(now) : 0), ordering: .relaxed)
    guard !toldEnd, voice.ring.isSpent, unheard == 0 else { return nil }
    toldEnd = true
    return voice.id
  }
}
