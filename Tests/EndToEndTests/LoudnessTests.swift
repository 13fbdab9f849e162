import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Every ring is as loud as every other", .serialized)
struct LoudnessTests {
  /// The level of a ring of this file at volume 100, in decibels; it is given `pause` to be measured first.
  private func ring(_ world: World, _ recorder: Recorder, _ file: String, hertz: Double) throws -> Double {
    try world.must("add", "+3s", "--sound", file, "--fade", "0s", "--volume", "100")
    try world.waitForStatus("the ring") { $0.ringing.first?.sounding == true }
    let start = try recorder.waitForSound(from: recorder.count, within: .seconds(10))
    try wait(until: "two seconds of recording") { recorder.count > start + 2 * Recorder.rate }
    let samples = recorder.samples
    try world.must("dismiss")
    _ = try recorder.waitForSilence(from: start + 2 * Recorder.rate, lasting: .milliseconds(300))
    return level(samples[(start + 24_000)..<(start + 72_000)], hertz: hertz)
  }

  private func tone(_ world: World, _ name: String, gain: Int) throws -> String {
    let path = world.folder.path + "/" + name
    try runOrThrow([
      "sox", "-n", "-r", "48000", "-c", "2", "-b", "24", path, "synth", "5", "sine", "997", "gain", "\(gain)",
    ])
    return path
  }

  @Test("Two tones 20 dB apart ring within 1 dB of each other, the first time each rings")
  func evens() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let loud = try ring(world, recorder, tone(world, "loud.wav", gain: -6), hertz: 997)
    let soft = try ring(world, recorder, tone(world, "soft.wav", gain: -26), hertz: 997)
    #expect(abs(loud - soft) < 1, "\(loud) and \(soft) dB")
    // A sine at −14 dB of full scale in both channels is −14 LUFS.
    #expect(abs(loud + 14) < 1, "\(loud) dB")
  }

  @Test("What a file says of its loudness counts before what is measured")
  func tags() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let plain = try tone(world, "plain.wav", gain: -6)
    let tagged = world.folder.path + "/tagged.flac"
    try runOrThrow([
      "ffmpeg", "-v", "error", "-i", plain, "-metadata", "REPLAYGAIN_TRACK_GAIN=-20.00 dB", tagged,
    ])
    // −6 dB, −20 by the tag, and 4 because rings are that much louder than what tags mean.
    let level = try ring(world, recorder, tagged, hertz: 997)
    #expect(abs(level + 22) < 1, "\(level) dB")
  }

  @Test("Music keeps its own loudness unless it is asked for, and then its tags are honoured")
  func music() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let plain = try tone(world, "plain.wav", gain: -6)
    let tagged = world.folder.path + "/tagged.flac"
    try runOrThrow([
      "ffmpeg", "-v", "error", "-i", plain, "-metadata", "REPLAYGAIN_TRACK_GAIN=-12.00 dB", "-metadata",
      "REPLAYGAIN_ALBUM_GAIN=-18.00 dB", tagged,
    ])
    for (gain, expected) in [("off", -6.0), ("track", -18), ("album", -24)] {
      try world.write(settings: "{ player: { gain: \"\(gain)\" } }")
      try world.must("engine", "stop")
      try world.must("play", tagged)
      let start = try recorder.waitForSound(from: recorder.count, within: .seconds(10))
      try wait(until: "a second of recording") { recorder.count > start + Recorder.rate * 3 / 2 }
      let heard = level(recorder.samples[(start + 24_000)..<(start + 72_000)], hertz: 997)
      try world.must("stop")
      _ = try recorder.waitForSilence(from: recorder.count, lasting: .milliseconds(300))
      #expect(abs(heard - expected) < 0.7, "\(gain): \(heard) dB")
    }
  }
}
