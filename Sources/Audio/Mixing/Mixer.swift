import Glibc
import Synchronization

/// What the mixer has to tell.
enum MixerEvent: Sendable {
  case ringStarted(id: String, voice: UInt64, atMonotonic: Int64, byTone: Bool)
  case ended(voice: UInt64)
  /// The mixer will not touch it again.
  case released(Voice)
}

/// All voices on one time line: gains, ducking, scheduled beginnings, limiting.
///
/// Owned by whichever output holds the stage; it is not thread-safe and makes no call that can wait. Its clock counts
/// the frames rendered since `begin`. What it says of itself is in `Mixer+State`.
struct Mixer {
  /// Frames of one step while a gain moves or may begin to.
  static let quantum = 256
  /// Samples of the longest step.
  static let longest = 8192

  private(set) var format = StreamFormat(rate: 48_000, channels: 2)
  private(set) var clock: Int64 = 0
  /// The clock behind the last frame that was anything but silence made here.
  private(set) var lastSound: Int64 = 0
  /// How much of the clock has been heard.
  private(set) var lastHeard: Int64 = 0
  private(set) var events: [MixerEvent] = []

  /// Those that fade out, and the current ones: the second of these begins at the frame behind the last of the first.
  private(set) var tracks: [TrackSlot] = []
  private(set) var rings: [RingSlot] = []
  /// What music may be at most; under 1 while a ring sounds or is about to.
  private(set) var ceiling = Ramp(1)
  /// The music on its way to silence, where it is to stop by itself.
  private(set) var dusk = Ramp(1)
  private var limiter = Limiter()
  /// Everything, for a change of device and for the end.
  private(set) var master = Ramp(1)
  /// Set by an interruption: music keeps its place, rings go on.
  private(set) var holdsMusic = false

  private static let fadeSeconds = 0.02
  private static let reliefSeconds = 0.1
  private static let duckSeconds = 0.15
  private static let returnSeconds = 0.8
  /// −18 dB: under the 12 dB that are promised.
  private static let duckFactor = 0.125_892_5

  init() {
    events.reserveCapacity(64)
    tracks.reserveCapacity(16)
    rings.reserveCapacity(16)
  }

  mutating func takeEvents() -> [MixerEvent] {
    if events.isEmpty { return [] }
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  // MARK: What changes

  /// A device of this format begins at clock 0.
  mutating func begin(_ format: StreamFormat) {
    self.format = format
    clock = 0
    lastSound = 0
    lastHeard = 0
    for index in tracks.indices { tracks[index].renderedEnd = 0 }
    master.move(to: 1, frames: 0)
  }

  /// Fades everything out for a change of device; `begin` lets it sound again.
  mutating func yield() {
    if master.target != 0 { master.move(to: 0, frames: fade) }
  }

  /// Sounds after all.
  mutating func unyield() {
    if master.target != 1 { master.move(to: 1, frames: fade) }
  }

  /// The device was lost: music goes back to what was heard last, and is held where `holding` says so. True where music
  /// was playing.
  mutating func lose(holding: Bool) -> Bool {
    var played = false
    for index in tracks.indices where tracks[index].isCurrent {
      // Told to pause: the way down was not heard, and would be by itself on the next device.
      if tracks[index].gate.target == 0 { tracks[index].gate = Ramp(0) }
      played = played || tracks[index].sounds
      tracks[index].takeBack(toClock: lastHeard)
    }
    for index in tracks.indices where tracks[index].leavesAt != nil {
      tracks[index].gate = Ramp(0)
      tracks[index].leavesAt = nil
    }
    if holding { holdsMusic = true }
    return played
  }

  mutating func releaseMusic() {
    guard holdsMusic else { return }
    holdsMusic = false
    rejoin()
  }

  /// Music that goes on in the middle of a sound fades in.
  mutating func rejoin() {
    for index in tracks.indices
    where tracks[index].isCurrent && tracks[index].hasBegun && tracks[index].gate.target > 0 {
      tracks[index].gate.move(to: 0, frames: 0)
      tracks[index].gate.move(to: 1, frames: fade)
    }
  }

  /// A track takes the place of the current one, which fades out. `joining`: in the middle of a sound, so it fades in.
  mutating func setTrack(_ voice: Voice, playing: Bool, joining: Bool, level: Double) {
    for index in tracks.indices where tracks[index].isCurrent { leave(index) }
    var slot = TrackSlot(voice: voice, level: Ramp(level))
    slot.joins = joining
    if playing { slot.gate = Ramp(1) }
    tracks.append(slot)
  }

  mutating func dropTrack() {
    for index in tracks.indices where tracks[index].isCurrent || tracks[index].leavesAt != nil {
      leave(index)
    }
  }

  /// As `dropTrack`, but it sounds on until the track that is loaded in its place begins, so that there is no silence
  /// between them; a tenth of a second at most, because a person waits.
  mutating func relieveTrack() {
    for index in tracks.indices where tracks[index].isCurrent {
      guard tracks[index].hasBegun, canSound(tracks[index]), tracks[index].gate.target > 0 else { continue }
      tracks[index].isCurrent = false
      tracks[index].leavesAt = clock + Int64(format.frames(Mixer.reliefSeconds))
    }
    for index in tracks.indices where tracks[index].isCurrent { leave(index) }
  }

  private mutating func leave(_ index: Int) {
    tracks[index].isCurrent = false
    tracks[index].leavesAt = nil
    tracks[index].gate.move(to: 0, frames: tracks[index].hasBegun ? fade : 0)
  }

  /// What begins at the frame behind the current track's last, under the same gains; nil: nothing.
  mutating func setNextTrack(_ voice: Voice?) {
    // One that was heard to its end, and whose place the next has taken, is not the one that is followed.
    settleTracks()
    let first = tracks.firstIndex(where: \.isCurrent)
    for index in tracks.indices where tracks[index].isCurrent && index != first { leave(index) }
    guard let voice, let last = tracks.last(where: \.isCurrent) else { return }
    var slot = TrackSlot(voice: voice, level: last.level)
    slot.gate = last.gate
    tracks.append(slot)
  }

  mutating func setTrackPlaying(_ playing: Bool) {
    for index in tracks.indices where !playing && tracks[index].leavesAt != nil { leave(index) }
    for index in tracks.indices where tracks[index].isCurrent {
      if tracks[index].hasBegun, !holdsMusic {
        tracks[index].gate.move(to: playing ? 1 : 0, frames: fade)
      } else {
        tracks[index].gate = Ramp(playing ? 1 : 0)
      }
    }
  }

  mutating func setTrackLevel(_ level: Double) {
    for index in tracks.indices { tracks[index].level.move(to: level, frames: fade) }
  }

  /// The music goes to silence in so many seconds; nil: back to where it was, at once where none sounds.
  mutating func setDusk(seconds: Double?) {
    if let seconds { return dusk.move(to: 0, frames: max(1, format.frames(seconds))) }
    let isHeard = tracks.contains { canSound($0) && $0.hasBegun }
    dusk.move(to: 1, frames: isHeard ? format.frames(Mixer.returnSeconds) : 0)
  }

  /// Adds a ring, or gives one that is there another voice without beginning anew.
  mutating func setRing(_ plan: RingPlan, voice: Voice, replacing: Bool) {
    if replacing, let index = rings.firstIndex(where: { $0.plan.id == plan.id && !$0.isLeaving }) {
      events.append(.released(rings[index].voice))
      rings[index].voice = voice
      return
    }
    dropRing(plan.id)
    rings.append(RingSlot(plan: plan, voice: voice, rate: format.rate))
  }

  mutating func setRing(_ id: String, sounding: Bool) {
    for index in rings.indices where rings[index].plan.id == id && !rings[index].isLeaving {
      rings[index].isSounding = sounding
      rings[index].gate.move(to: sounding ? 1 : 0, frames: rings[index].hasBegun ? fade : 0)
    }
  }

  mutating func setRing(_ id: String, level: Double) {
    for index in rings.indices where rings[index].plan.id == id {
      rings[index].level.move(to: level, frames: fade)
    }
  }

  mutating func dropRing(_ id: String) {
    for index in rings.indices where rings[index].plan.id == id {
      rings[index].isLeaving = true
      rings[index].gate.move(to: 0, frames: rings[index].hasBegun ? fade : 0)
    }
  }

  /// Lets go of what was fading out when the device was closed.
  mutating func settle() {
    for index in tracks.indices.reversed() where !tracks[index].isCurrent {
      events.append(.released(tracks[index].voice))
      tracks.remove(at: index)
    }
    for index in rings.indices.reversed() where rings[index].isLeaving {
      events.append(.released(rings[index].voice))
      rings.remove(at: index)
    }
  }

  private var fade: Int { format.frames(Mixer.fadeSeconds) }

  // MARK: What is heard

  /// The device has made this frame of the clock heard, at the instant `now`; `moving` while it goes on by itself.
  mutating func heard(upTo reached: Int64, now: Int64, moving: Bool) {
    lastHeard = reached
    for index in tracks.indices {
      if let ended = tracks[index].heard(
        upTo: reached, now: now, moving: moving && !(holdsMusic && tracks[index].isCurrent))
      {
        events.append(.ended(voice: ended))
      }
    }
  }

  // MARK: Rendering

  /// Fills `out` with the next frames (at most `step`), of which the first will be heard at `heardAt` (µs); true
  /// where it is all silence made here. `exact` is cleared where 16 bits do not hold the samples.
  mutating func render(
    into out: UnsafeMutablePointer<Float>, frames: Int, heardAt: Int64, exact: inout Bool
  ) -> Bool {
    Kernels.clear(out, count: frames * format.channels)
    var voices = 0
    let (floor, lead) = renderRings(into: out, frames: frames, heardAt: heardAt, voices: &voices)
    let first = ceiling.value
    moveCeiling(floor: floor, lead: lead, frames: frames)
    let last = ceiling.value
    let ringVoices = voices
    let light = (dusk.value, dusk.advance(frames))
    let step = TrackStep(
      frames: frames, clock: clock, ceiling: (min(first, last), last), dusk: light, fade: fade)
    for index in tracks.indices {
      if let place = tracks[index].leavesAt, place <= clock { leave(index) }
    }
    var done = 0
    var isBehind = false
    var hasRelief = false
    for index in tracks.indices where canSound(tracks[index]) {
      let before = tracks[index].exactFrames
      let isCurrent = tracks[index].isCurrent
      if isCurrent, isBehind { continue }
      let from = isCurrent ? done : 0
      let count = tracks[index].render(into: out, from: from, step)
      if count > 0, from == 0 { voices += 1 }
      if count > 0, tracks[index].exactFrames == before { exact = false }
      if isCurrent {
        hasRelief = hasRelief || count > 0
        done = from + count
        isBehind = done == frames || !tracks[index].voice.ring.isSpent
      }
    }
    for index in tracks.indices where hasRelief && tracks[index].leavesAt != nil { leave(index) }
    if ringVoices > 0 || voices > 1 { exact = false }
    settleTracks()
    let before = master.value
    let after = master.advance(frames)
    if before != 1 || after != 1 {
      Kernels.scale(
        out, frames: frames, channels: format.channels, from: Float(before), to: Float(after))
      exact = false
    }
    clock += Int64(frames)
    guard voices > 0 else { return true }
    limiter.process(out, frames: frames, channels: format.channels, rate: format.rate)
    lastSound = clock
    return false
  }

  /// The gain of the softest ring that sounds or is about to, and in how many frames that begins.
  private mutating func renderRings(
    into out: UnsafeMutablePointer<Float>, frames: Int, heardAt: Int64, voices: inout Int
  ) -> (floor: Double?, lead: Int) {
    var floor: Double?
    var lead = 0
    for index in rings.indices {
      if !rings[index].hasBegun {
        let wait = framesUntilBeginning(index, heardAt: heardAt)
        let ducks = rings[index].isSounding && rings[index].level.value > 0 && !rings[index].isLeaving
        if wait >= frames {
          if ducks, wait <= format.frames(Mixer.duckSeconds) {
            floor = min(floor ?? 1, rings[index].firstGain)
            lead = max(lead, wait)
          }
          continue
        }
        rings[index].begin(offset: wait, heardAt: heardAt + Int64(wait) * 1_000_000 / Int64(format.rate))
      }
      let offset = rings[index].offset
      rings[index].offset = 0
      if rings[index].gate.isShut { continue }
      let leaving = rings[index].isLeaving || !rings[index].isSounding
      let gains = rings[index].render(
        into: out + offset * format.channels, frames: frames - offset, format: format)
      voices += 1
      if let report = rings[index].takeReport() { events.append(report) }
      if !leaving, rings[index].level.value > 0 { floor = min(floor ?? 1, min(gains.0, gains.1)) }
    }
    var index = rings.count
    while index > 0 {
      index -= 1
      guard rings[index].isLeaving, rings[index].gate.isShut || !rings[index].hasBegun else { continue }
      events.append(.released(rings[index].voice))
      rings.remove(at: index)
    }
    return (floor, lead)
  }

  /// A ring for now begins after the music has been ducked, else at once; one with an instant at it.
  private mutating func framesUntilBeginning(_ index: Int, heardAt: Int64) -> Int {
    let needsDuck =
      ceiling.value > rings[index].firstGain * Mixer.duckFactor * 1.01 && rings[index].level.value > 0
      && tracks.contains { canSound($0) && $0.hasBegun }
    let earliest = heardAt + (needsDuck ? Int64(Mixer.duckSeconds * 1_000_000) : 0)
    if rings[index].plan.atMonotonic == nil || (rings[index].plan.atMonotonic ?? 0) < heardAt {
      rings[index].plan.atMonotonic = earliest
    }
    let due = rings[index].plan.atMonotonic ?? heardAt
    // In parts of a second first: an instant far away must not overflow.
    let microseconds = min(due - heardAt, 3_600_000_000)
    // Rounded up: never before its instant.
    return Int((microseconds * Int64(format.rate) + 999_999) / 1_000_000)
  }

  private mutating func moveCeiling(floor: Double?, lead: Int, frames: Int) {
    guard let floor else {
      if ceiling.target != 1 { ceiling.move(to: 1, frames: format.frames(Mixer.returnSeconds)) }
      _ = ceiling.advance(frames)
      return
    }
    let wanted = floor * Mixer.duckFactor
    if lead > 0 {
      // Down in even steps of decibels until the ring begins.
      if ceiling.target != wanted { ceiling.move(to: wanted, frames: max(1, lead - frames)) }
      _ = ceiling.advance(frames)
    } else {
      ceiling.move(to: wanted, frames: 0)
    }
  }

  private mutating func settleTracks() {
    var index = tracks.count
    while index > 0 {
      index -= 1
      let isOver =
        tracks[index].isCurrent
        ? tracks[index].toldEnd && tracks[(index + 1)...].contains(where: \.isCurrent)
        : tracks[index].isOver(format: format)
      guard isOver else { continue }
      events.append(.released(tracks[index].voice))
      tracks.remove(at: index)
    }
  }
}
