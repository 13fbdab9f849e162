import Glibc

/// How the device is kept awake while nothing else sounds.
struct KeepAlivePlan: Sendable {
  /// µs from clip to clip; nil: without end.
  var interval: Int64?
  /// A clip of one's own, or the program's, which is nothing but zeros.
  var clip: Clip?
  /// What the silence is made of where the clip is nothing; nil: nothing is to be kept awake.
  var signal: SoundSettings.Signal?
}

/// The voice that is there when no other is.
///
/// `stream`: the clip again and again, least bits without end, or two seconds of sine every minute. `pulse`: one clip
/// every interval, placed on the device's time line like a ring, and between the clips nothing.
struct SilentClip {
  /// `pulse`: when the next clip begins (µs).
  private(set) var due: Int64 = 0
  /// The mixer's clock behind the last clip of `pulse`.
  private(set) var end: Int64 = 0
  /// `pulse`: the frame of the clip that comes next; nil between two.
  private var position: Int?
  /// `stream`: frames of the cycle that are past.
  private var cycle = 0

  static let sineSeconds = 2.0
  private static let sinePitch = 30.0
  private static let sineLevel = 0.01
  private static let edge = 0.25
  private static let minute = 60.0
  private static let clipSeconds = 0.5

  var isBetweenClips: Bool { position == nil }

  /// Something else sounds, and keeps the device awake as a clip would.
  mutating func pass(_ plan: KeepAlivePlan, heardAt: Int64, frames: Int, format: StreamFormat) {
    position = nil
    cycle = format.frames(SilentClip.sineSeconds)
    if let interval = plan.interval, heardAt >= due { due = heardAt + interval }
  }

  /// Adds the clip to a silent step of the mixer, whose first frame is heard at `heardAt` (µs) and stands at `clock`.
  /// The frames that are to be least bits of the device, which only the device can make.
  mutating func render(
    _ plan: KeepAlivePlan, into out: UnsafeMutablePointer<Float>, frames: Int, heardAt: Int64, clock: Int64,
    format: StreamFormat
  ) -> Range<Int> {
    guard plan.signal != nil else { return 0..<0 }
    guard let interval = plan.interval else {
      position = nil
      return stream(plan, into: out, frames: frames, format: format)
    }
    var start = 0
    if position == nil {
      // After a stop of the whole machine, or a change of the interval, there is nothing to catch up with.
      if due - heardAt > interval || heardAt - due > interval { due = heardAt }
      let wait = TimeLine(zero: heardAt, rate: format.rate).frame(at: due)
      guard wait < frames else { return 0..<0 }
      start = max(0, Int(wait))
      position = 0
      due += interval
    }
    guard let place = position else { return 0..<0 }
    let length = SilentClip.length(plan, format)
    // Another clip, signal or interval since the last step: what is behind that one's end has been.
    guard place < length else {
      position = nil
      end = clock
      return 0..<0
    }
    let count = min(frames - start, length - place)
    fill(plan, into: out + start * format.channels, frames: count, from: place, of: length, format: format)
    position = place + count
    if place + count == length {
      position = nil
      end = clock + Int64(start + count)
    }
    return isLeastBits(plan, format) ? start..<(start + count) : 0..<0
  }

  private mutating func stream(
    _ plan: KeepAlivePlan, into out: UnsafeMutablePointer<Float>, frames: Int, format: StreamFormat
  ) -> Range<Int> {
    if isLeastBits(plan, format) { return 0..<frames }
    let length = SilentClip.length(plan, format)
    let round = SilentClip.own(plan, format) == nil ? format.frames(SilentClip.minute) : length
    // Another clip, or none, since the last step.
    if cycle >= round { cycle = 0 }
    var done = 0
    while done < frames {
      let count = min(frames - done, cycle < length ? length - cycle : round - cycle)
      if cycle < length {
        fill(
          plan, into: out + done * format.channels, frames: count, from: cycle, of: length, format: format)
      }
      cycle = (cycle + count) % round
      done += count
    }
    return 0..<0
  }

  private func fill(
    _ plan: KeepAlivePlan, into out: UnsafeMutablePointer<Float>, frames: Int, from place: Int,
    of length: Int,
    format: StreamFormat
  ) {
    if let clip = SilentClip.own(plan, format) {
      clip.samples.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        Kernels.add(base + place * format.channels, to: out, count: frames * format.channels)
      }
    } else if plan.signal == .sine {
      let edge = min(SilentClip.edge * Double(format.rate), Double(length) / 2)
      for frame in 0..<frames {
        let at = Double(place + frame)
        let rise = min(1, at / edge, (Double(length) - at) / edge)
        let gain = SilentClip.sineLevel * (0.5 - 0.5 * cos(.pi * rise))
        let sample = Float(gain * sin(2 * .pi * SilentClip.sinePitch * at / Double(format.rate)))
        for channel in 0..<format.channels { out[frame * format.channels + channel] += sample }
      }
    }
  }

  private func isLeastBits(_ plan: KeepAlivePlan, _ format: StreamFormat) -> Bool {
    plan.signal == .lsb && SilentClip.own(plan, format) == nil
  }

  /// The clip of one's own, where there is something in it and it was decoded for this device.
  private static func own(_ plan: KeepAlivePlan, _ format: StreamFormat) -> Clip? {
    plan.clip.flatMap { $0.samples.isEmpty || $0.format != format ? nil : $0 }
  }

  /// Frames of one clip.
  private static func length(_ plan: KeepAlivePlan, _ format: StreamFormat) -> Int {
    if let own = own(plan, format) { return max(1, own.frames) }
    let whole = plan.interval.map { Double($0) / 2_000_000 } ?? .infinity
    return max(1, format.frames(min(plan.signal == .sine ? sineSeconds : clipSeconds, whole)))
  }
}
