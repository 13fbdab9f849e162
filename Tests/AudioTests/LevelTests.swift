import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("How loud what is heard is, for a meter", .serialized)
struct LevelTests {
  private static let stereo = StreamFormat(rate: 48_000, channels: 2)
  /// −12 dB under full scale.
  private static let level = 0.251_189

  /// A stage that plays silence for 0.3 s and then a sine of −12 dB for as long, in the right channel of half that size.
  private func stage(rate: Int = 48_000, channels: Int = 2) throws -> Stage {
    let format = StreamFormat(rate: rate, channels: channels)
    let voice = Voice(id: 1, format: format, seconds: 3, isExact16: true, bell: try Bell())
    let end = format.frames(0.6)
    var frame = 0
    while frame < end {
      frame += voice.ring.fill(limit: min(4096, end - frame)) { samples in
        let count = samples.count / channels
        for index in 0..<count {
          let place = frame + index
          let size = place < format.frames(0.3) ? 0 : Self.level
          let value = Float(size * sin(2 * .pi * 997 * Double(place) / Double(rate)))
          for channel in 0..<channels {
            samples[index * channels + channel] = channel == 0 ? value : value / 2
          }
        }
        return count
      }
    }
    voice.ring.finish()
    let stage = try Stage()
    stage.begin(format)
    stage.send(.track(voice, playing: true, joining: false, level: 1))
    _ = stage.obey()
    return stage
  }

  /// Mixes that many seconds, of which the first frame is heard at `start` (µs).
  private func mix(_ stage: Stage, seconds: Double, from start: Int64, step: Int = Mixer.quantum) {
    let format = stage.mixer.format
    var out = [Float](repeating: 0, count: step * format.channels)
    var frames = 0
    while frames < format.frames(seconds) {
      let at = start + Int64(frames) * 1_000_000 / Int64(format.rate)
      out.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        _ = stage.render(into: base, frames: step, heardAt: at)
      }
      frames += step
    }
  }

  @Test(
    "A sine of −12 dB shows −12 dB from the instant on at which it is heard, however long before it was mixed",
    arguments: [(48_000, 2), (44_100, 2), (8000, 2), (192_000, 2), (48_000, 1), (48_000, 6)],
    [Mixer.quantum, Mixer.longest / 2])
  func sine(_ format: (rate: Int, channels: Int), step: Int) throws {
    let (rate, channels) = format
    let stage = try stage(rate: rate, channels: channels)
    stage.levels.isWanted.store(true, ordering: .relaxed)
    // Heard from 5.3 s on; mixed now, all of it.
    mix(stage, seconds: 0.55, from: 5_000_000, step: step)
    let before = try #require(stage.levels.levels(after: 5_100_000, until: 5_240_000))
    #expect(before.channels.allSatisfy { $0.peak == SoundLevels.silence && $0.rms == SoundLevels.silence })
    #expect(before.channels.count == min(2, channels))
    // A tenth of a second, as a meter asks for it.
    let after = try #require(stage.levels.levels(after: 5_340_000, until: 5_440_000))
    #expect(abs(after.channels[0].peak + 12) < 0.5, "\(after)")
    #expect(abs(after.channels[0].rms + 12) < 0.5, "\(after)")
    if channels > 1 { #expect(abs(after.channels[1].peak + 18) < 0.5, "\(after)") }
    // What is heard later is not told now.
    #expect(stage.levels.levels(after: 7_000_000, until: 7_100_000) == nil)
  }

  @Test("While nobody looks nothing is measured, and who looks again is told nothing of before")
  func unwanted() throws {
    let stage = try stage()
    mix(stage, seconds: 0.5, from: 1_000_000)
    #expect(stage.levels.levels(after: 0, until: .max) == nil)
    stage.levels.isWanted.store(true, ordering: .relaxed)
    mix(stage, seconds: 0.5, from: 1_500_000)
    #expect(stage.levels.levels(after: 0, until: 1_490_000) == nil)
    #expect(stage.levels.levels(after: 0, until: .max) != nil)
    // Another device begins: what was on its way to the ear is gone.
    stage.begin(Self.stereo)
    #expect(stage.levels.levels(after: 0, until: .max) == nil)
  }

  @Test(
    "A ring of blocks that has gone round still tells the newest, and samples that are no numbers count as nothing"
  )
  func bounds() throws {
    let board = LevelBoard()
    var meter = LevelMeter()
    var samples = [Float](repeating: 0.5, count: 512)
    samples[7] = .nan
    samples[9] = -.nan
    for step in 0..<20_000 {
      meter.take(
        samples, frames: 256, Self.stereo, heardAt: Int64(step) * 256 * 1_000_000 / 48_000, to: board)
    }
    let end = Int64(20_000) * 256 * 1_000_000 / 48_000
    let levels = try #require(board.levels(after: end - 200_000, until: end))
    #expect(abs(levels.channels[0].peak - 20 * log10(0.5)) < 0.01)
    #expect(levels.channels[1].rms.isFinite)
  }

  @Test("Behind a sound server the meter rises when the sound is heard, not when it is queued")
  func heard() throws {
    let server = try PulseServer()
    var samples = [Int16](repeating: 0, count: 2 * 48_000 * 4)
    for frame in 0..<48_000 * 3 {
      let value = Int16(Self.level * 32_767 * sin(2 * .pi * 997 * Double(frame) / 48_000))
      samples += [value, value]
    }
    let music = try server.folder.write(wav(samples, rate: 48_000), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    let recording = try server.record()
    letPass(coldStart)
    try probe.say("levels on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    // Told each 20 ms: what was heard since the line before.
    let end = Clocks.monotonicMicroseconds() + 8_000_000
    var risen: Int64?
    var steady: [Double] = []
    while Clocks.monotonicMicroseconds() < end, steady.count < 40 {
      let line = try probe.wait("levels ")
      guard let peak = Double(line.words[1]), let rms = Double(line.words[2]) else { continue }
      if risen == nil, peak > -13 { risen = line.at }
      if let risen, line.at > risen + 300_000 { steady += [peak, rms] }
    }
    let (heard, _) = try recording.stop()
    let first = try #require(firstSound(heard, over: 0.05))
    let late = Double(try #require(risen) - recording.instant(ofSample: first)) / 1000
    // A block is 27 ms, and it is asked each 20; what is queued is 150 ms and more.
    #expect((-60.0...80).contains(late), "\(late) ms")
    #expect(steady.count >= 20 && steady.allSatisfy { abs($0 + 12) < 0.5 }, "\(steady)")
    try probe.quit()
  }
}
