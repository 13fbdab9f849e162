import Glibc
import Platform
import Testing

@testable import Audio

@Suite("The mixer, without a device")
struct MixTests {
  private static let stereo = StreamFormat(rate: 48_000, channels: 2)

  /// A voice whose every sample is `value`.
  private func voice(_ value: Float, frames: Int, id: UInt64 = 1) throws -> Voice {
    let voice = Voice(id: id, format: Self.stereo, seconds: 3, isExact16: true, bell: try Bell())
    var left = frames
    while left > 0 {
      let count = voice.ring.fill(limit: min(4096, left)) { samples in
        for index in samples.indices { samples[index] = value }
        return samples.count / 2
      }
      left -= count
    }
    voice.ring.finish()
    return voice
  }

  /// Renders `frames` frames that begin to be heard at instant 0; the left channel.
  private func render(_ mixer: inout Mixer, _ frames: Int, from start: Int64 = 0) -> [Float] {
    var left: [Float] = []
    var out = [Float](repeating: 0, count: Mixer.quantum * 2)
    while left.count < frames {
      let at = start + Int64(left.count) * 1_000_000 / 48_000
      var exact = true
      out.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        _ = mixer.render(into: base, frames: Mixer.quantum, heardAt: at, exact: &exact)
      }
      left += stride(from: 0, to: out.count, by: 2).map { out[$0] }
    }
    return left
  }

  @Test(
    "A lone track at full volume passes bit for bit from its first frame, and its end is told when it was heard"
  )
  func exact() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(0.123_456_7, frames: 6000), playing: true, joining: false, level: 1)
    let out = render(&mixer, 8192)
    #expect(out[..<6000].allSatisfy { $0 == 0.123_456_7 })
    #expect(out[6000...].allSatisfy { $0 == 0 })
    mixer.heard(upTo: 5999, now: 0, moving: true)
    let early = mixer.takeEvents()
    #expect(early.isEmpty)
    mixer.heard(upTo: 6000, now: 0, moving: true)
    guard case .ended(voice: 1) = mixer.takeEvents().first else {
      Issue.record("no end was told")
      return
    }
  }

  @Test("A lone track is the same in long steps, which end where something changes", arguments: [1, 0.3])
  func longSteps(level: Double) throws {
    var (short, long) = (Mixer(), Mixer())
    let samples = (0..<60_000).map { Float($0 * 7919 % 4001) / 4000 - 0.5 }
    func track() throws -> Voice {
      let voice = Voice(id: 1, format: Self.stereo, seconds: 3, isExact16: true, bell: try Bell())
      var at = 0
      while at < samples.count {
        _ = voice.ring.fill(limit: 4096) { room in
          let count = min(room.count, samples.count - at)
          for index in 0..<count { room[index] = samples[at + index] }
          at += count
          return count / 2
        }
      }
      voice.ring.finish()
      return voice
    }
    for mixer in [0, 1] {
      var made = Mixer()
      made.begin(Self.stereo)
      made.setTrack(try track(), playing: true, joining: false, level: level)
      if mixer == 0 { short = made } else { long = made }
    }
    let wanted = render(&short, 30_208)
    var left: [Float] = []
    var steps: Set<Int> = []
    var out = [Float](repeating: 0, count: Mixer.longest)
    while left.count < 30_208 {
      let frames = min(long.step, 30_208 - left.count)
      steps.insert(frames)
      var exact = true
      out.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        _ = long.render(into: base, frames: frames, heardAt: 0, exact: &exact)
      }
      #expect(exact == (level == 1))
      left += (0..<frames).map { out[2 * $0] }
    }
    #expect(left == wanted)
    #expect(steps.contains(Mixer.longest / 2) && steps.contains(Mixer.quantum))
  }

  @Test("Steps are short while anything moves, or a ring waits")
  func shortSteps() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    #expect(mixer.step == Mixer.quantum)
    mixer.setTrack(try voice(0.5, frames: 96_000), playing: true, joining: false, level: 1)
    _ = render(&mixer, 2560)
    #expect(mixer.step > Mixer.quantum)
    mixer.setTrackLevel(0.5)
    #expect(mixer.step == Mixer.quantum)
    _ = render(&mixer, 2560)
    #expect(mixer.step > Mixer.quantum)
    mixer.setDusk(seconds: 1)
    #expect(mixer.step == Mixer.quantum)
    mixer.setDusk(seconds: nil)
    _ = render(&mixer, 48_000)
    #expect(mixer.step > Mixer.quantum)
    mixer.setRing(
      RingPlan(id: "1", level: 1, fade: 0, atMonotonic: .max / 2), voice: try voice(0.1, frames: 10, id: 2),
      replacing: false)
    #expect(mixer.step == Mixer.quantum)
    mixer.dropRing("1")
    _ = render(&mixer, 256)
    mixer.setTrackPlaying(false)
    #expect(mixer.step == Mixer.quantum)
  }

  @Test(
    "A ring that begins now and has nothing decoded yet is waited for; one for later, covered or without a file is not"
  )
  func waitsForRings() throws {
    func starves(at instant: Int64?, sounding: Bool = true, finished: Bool = false) throws -> Bool {
      var mixer = Mixer()
      mixer.begin(Self.stereo)
      let empty = Voice(id: 2, format: Self.stereo, seconds: 3, isExact16: true, bell: try Bell())
      if finished { empty.ring.finish() }
      mixer.setRing(
        RingPlan(id: "1", level: 1, fade: 0, atMonotonic: instant, isSounding: sounding), voice: empty,
        replacing: false)
      return mixer.starves(frames: 256, heardAt: 1_000_000)
    }
    #expect(try starves(at: nil))
    #expect(try starves(at: 1_004_000))
    #expect(try !starves(at: 1_006_000))
    #expect(try !starves(at: nil, sounding: false))
    #expect(try !starves(at: nil, finished: true))
  }

  @Test("A dusk takes the music to silence in even steps, and over it the next track begins as quiet")
  func dusk() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(0.5, frames: 96_000), playing: true, joining: false, level: 1)
    _ = render(&mixer, 2560)
    mixer.setDusk(seconds: 1)
    let fade = render(&mixer, 24_064)
    #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(abs(20 * log10(Double(fade[23_999]) / 0.5) + 30) < 1)
    mixer.setTrack(try voice(0.5, frames: 96_000, id: 2), playing: true, joining: false, level: 1)
    let second = render(&mixer, 12_032)
    #expect(second[2048...].allSatisfy { $0 < 0.02 })
    _ = render(&mixer, 14_080)
    #expect(render(&mixer, 256).allSatisfy { $0 == 0 })
    mixer.setDusk(seconds: nil)
    #expect(render(&mixer, 48_128).last == 0.5)
  }

  @Test("A pause takes 20 ms in even steps and keeps the next frame; playing goes on with it")
  func pause() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    let track = try voice(0.5, frames: 96_000)
    mixer.setTrack(track, playing: true, joining: false, level: 1)
    _ = render(&mixer, 2560)
    mixer.setTrackPlaying(false)
    let fade = render(&mixer, 4096)
    #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(fade[1280...].allSatisfy { $0 == 0 })
    // Half way down in time is half way down in decibels.
    let middle = 20 * log10(Double(fade[480]) / 0.5)
    #expect(abs(middle + 30) < 4)
    let place = track.ring.position
    #expect(place == 2560 + 1024)
    mixer.setTrackPlaying(true)
    let after = render(&mixer, 4096)
    #expect(after.last == 0.5)
  }

  @Test(
    "A track that is relieved sounds on until the next begins, or for a tenth of a second",
    arguments: [true, false])
  func relief(comes: Bool) throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(0.25, frames: 96_000), playing: true, joining: false, level: 1)
    _ = render(&mixer, 2560)
    mixer.relieveTrack()
    let between = render(&mixer, 2560)
    #expect(between.allSatisfy { $0 == 0.25 })
    if comes {
      mixer.setTrack(try voice(0.5, frames: 96_000, id: 2), playing: true, joining: true, level: 1)
    }
    let after = render(&mixer, 7680)
    #expect(after.last == (comes ? 0.5 : 0))
    if comes {
      #expect(after.allSatisfy { $0 > 0 })
    } else {
      #expect(after[..<2000].allSatisfy { $0 == 0.25 })
    }
  }

  @Test("A ring begins with the very frame of its instant", arguments: [0, 1, 255, 256, 300, 4801])
  func beginning(frame: Int) throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    let instant = 1_000_000 + Int64(frame) * 1_000_000 / 48_000
    mixer.setRing(
      RingPlan(id: "a", level: 1, fade: 0, atMonotonic: instant), voice: try voice(0.25, frames: 48_000),
      replacing: false)
    let out = render(&mixer, 8192, from: 1_000_000)
    let first = try #require(out.firstIndex { $0 != 0 })
    #expect(abs(first - frame) <= 1)
    #expect(out[first...].allSatisfy { $0 == 0.25 })
  }

  @Test("Music is 12 dB or more under a ring in every frame, from −40 dB up, and back in 800 ms")
  func ducking() throws {
    // The ring alone, the music alone, and both: what is left of the music is the difference.
    func mix(music: Bool) throws -> [Float] {
      var mixer = Mixer()
      mixer.begin(Self.stereo)
      if music { mixer.setTrack(try voice(0.5, frames: 120_000), playing: true, joining: false, level: 1) }
      mixer.setRing(
        RingPlan(id: "a", level: 0.5, fade: 1, atMonotonic: 500_000),
        voice: try voice(0.5, frames: 96_000, id: 2),
        replacing: false)
      let first = render(&mixer, 76_800)
      mixer.dropRing("a")
      return first + render(&mixer, 43_008, from: 1_600_000)
    }
    let ring = try mix(music: false)
    let both = try mix(music: true)
    let music = zip(both, ring).map { $0 - $1 }
    #expect(music[..<16_000].allSatisfy { $0 == 0.5 })
    let loud = (24_100..<76_800).filter { music[$0] > ring[$0] * 0.2512 }
    #expect(loud.isEmpty)
    #expect(abs(ring[24_001] - 0.0025) < 0.0002)
    #expect(abs(ring[76_700] - 0.25) < 0.001)
    #expect(music[76_800 + 38_400 + 512] == 0.5)
    #expect(music[76_800 + 19_200] < 0.5)
  }

  @Test("A ring whose file gives nothing is the tone")
  func tone() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setRing(
      RingPlan(id: "a", level: 1, fade: 0, atMonotonic: nil), voice: try voice(0, frames: 0), replacing: false
    )
    let out = render(&mixer, 9600)
    #expect(out.contains { abs($0) > 0.3 })
    let told = mixer.takeEvents().contains {
      if case .ringStarted("a", _, _, byTone: true) = $0 { true } else { false }
    }
    #expect(told)
  }

  @Test("What a lost device has not made heard is taken again")
  func takenAgain() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    let track = try voice(0.5, frames: 96_000)
    mixer.setTrack(track, playing: true, joining: false, level: 1)
    _ = render(&mixer, 25_600)
    mixer.heard(upTo: 16_000, now: 1, moving: true)
    let wasPlaying = mixer.lose(holding: true)
    #expect(wasPlaying)
    #expect(track.ring.position == 16_000)
    let held = render(&mixer, 2048)
    #expect(held.allSatisfy { $0 == 0 })
    mixer.begin(Self.stereo)
    mixer.releaseMusic()
    let after = render(&mixer, 4096)
    #expect(after.last == 0.5)
  }

  /// The end of its fade was heard by itself when the device was back, from a player that was paused.
  @Test(
    "A track told to pause shortly before the device was lost is silent afterwards",
    arguments: [0, 256, 4096])
  func pausedAndLost(frames: Int) throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(0.5, frames: 48_000), playing: true, joining: false, level: 1)
    _ = render(&mixer, 4096)
    mixer.heard(upTo: 2048, now: 0, moving: true)
    mixer.setTrackPlaying(false)
    if frames > 0 { _ = render(&mixer, frames) }
    let played = mixer.lose(holding: true)
    #expect(!played)
    mixer.begin(Self.stereo)
    mixer.releaseMusic()
    let out = render(&mixer, 4096)
    #expect(out.allSatisfy { $0 == 0 })
    mixer.setTrackPlaying(true)
    #expect(render(&mixer, 4096).last == 0.5)
  }

  @Test(
    "The limiter leaves what does not clip as it is, and lets nothing clip", arguments: [0.3, 1.0, 1.5, 4.0])
  func limiting(level: Float) {
    var limiter = Limiter()
    var samples: [Float] = (0..<4096).map { level * sin(Float($0) * 0.05) }
    let before = samples
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      limiter.process(base, frames: 2048, channels: 2, rate: 48_000)
    }
    if level <= 1 { #expect(samples == before) }
    #expect(samples.allSatisfy { abs($0) <= 1.000_001 })
  }

  @Test("Every 16-bit sample comes out as it went in, and what is too large or no number does no harm")
  func conversion() {
    let values = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
    let samples = values.map { Float($0) / 32_768 }
    var short = [Int16](repeating: 0, count: samples.count)
    var long = [Int32](repeating: 0, count: samples.count)
    var noise: UInt32 = 1
    Kernels.convert16(samples, to: &short, count: samples.count, dither: false, noise: &noise)
    #expect(short == values)
    Kernels.convert(samples, to: &long, count: samples.count, bits: 32)
    #expect(long == values.map { Int32($0) << 16 })
    Kernels.convert(samples, to: &long, count: samples.count, bits: 24)
    #expect(long == values.map { Int32($0) << 8 })
    Kernels.convert([1, 2, -1, -3, .nan, .infinity], to: &long, count: 6, bits: 32)
    #expect(Array(long[..<6]) == [.max, .max, .min, .min, 0, .max])
    let odd = (0..<1000).map { Float(8_388_607 - $0 * 2) / 8_388_608 }
    Kernels.convert(odd, to: &long, count: 1000, bits: 24)
    let expected = (0..<1000).map { Int32(8_388_607 - $0 * 2) }
    #expect(Array(long[..<1000]) == expected)
  }

  @Test(
    "The scale of volumes is the cube, ends at silence and at unchanged",
    arguments: [(0, 0.0), (50, 0.125), (80, 0.512), (100, 1), (-5, 0), (250, 1)])
  func scale(percent: Int, factor: Double) {
    #expect(abs(Loudness.factor(percent: percent) - factor) < 1e-12)
  }
}
