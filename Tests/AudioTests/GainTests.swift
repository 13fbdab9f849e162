import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("How loud a file is, and what is made of it")
struct GainTests {
  private func tags(_ track: Double?, album: Double? = nil, peak: Double? = nil) -> GainTags {
    var tags = GainTags()
    (tags.track, tags.album, tags.trackPeak) = (track, album, peak)
    return tags
  }

  private func measured(_ loudness: Double?, peak: Double) -> MeasuredLoudness {
    MeasuredLoudness(stamp: .init(size: 0, changedAt: 0), loudness: loudness, peak: peak)
  }

  @Test("A ring is brought to −14 LUFS, music to −18, and tags count before what was measured")
  func rule() {
    #expect(Gains.decibels(tags(nil), measured(-26, peak: -26), .track, isRing: true) == 12)
    #expect(Gains.decibels(tags(nil), measured(-6, peak: -6), .track, isRing: true) == -8)
    #expect(Gains.decibels(tags(nil), measured(-26, peak: -26), .track, isRing: false) == 8)
    #expect(Gains.decibels(tags(-9), measured(-26, peak: -26), .track, isRing: false) == -9)
    #expect(Gains.decibels(tags(-9, album: -7), nil, .album, isRing: false) == -7)
    #expect(Gains.decibels(tags(-9, album: -7), nil, .track, isRing: true) == -5)
    #expect(Gains.decibels(tags(nil), nil, .track, isRing: true) == nil)
    #expect(Gains.decibels(tags(nil), measured(nil, peak: -120), .track, isRing: true) == nil)
  }

  @Test(
    "Music is never driven over full scale, a ring at most 6 dB into the limiter, and nothing up by more than 20 dB"
  )
  func room() {
    #expect(Gains.decibels(tags(nil), measured(-30, peak: -3), .track, isRing: false) == 3)
    #expect(Gains.decibels(tags(nil), measured(-30, peak: -3), .track, isRing: true) == 9)
    #expect(Gains.decibels(tags(nil), measured(-60, peak: -50), .track, isRing: true) == 20)
    // Where no peak is told it may be full scale.
    #expect(Gains.decibels(tags(5), nil, .track, isRing: false) == 0)
    #expect(Gains.decibels(tags(5, peak: -8), nil, .track, isRing: false) == 5)
  }

  @Test(
    "A sine of 997 Hz at −23 dB in both channels is −23 LUFS, whatever the file and with one channel alike")
  func measures() throws {
    let folder = try TemporaryFolder()
    for (channels, ending) in [(2, "wav"), (1, "wav"), (2, "flac"), (2, "ogg"), (2, "mp3")] {
      let path = "\(folder.path)/sine\(channels).\(ending)"
      try runOrThrow([
        "sox", "-n", "-r", "48000", "-c", "\(channels)", "-b", "16", path, "synth", "6", "sine", "997",
        "gain",
        "-23",
      ])
      let file = try #require(FileName(text: path))
      let result = try #require(try measure(file))
      // LAME takes half a decibel away, so that nothing clips.
      let tolerance = ["wav", "flac"].contains(ending) ? 0.1 : 0.7
      #expect(abs((result.loudness ?? 0) + 23) < tolerance, "\(path): \(String(describing: result.loudness))")
      #expect(abs(result.peak + 23) < tolerance, "\(path): \(result.peak)")
      #expect(result.stamp == MeasuredLoudness.Stamp(of: file))
    }
  }

  @Test("Measuring stops when it is told to, silence has no loudness, and what is no sound is an error")
  func stops() throws {
    let folder = try TemporaryFolder()
    let silence = try folder.write(
      wav([Int16](repeating: 0, count: 96_000), rate: 48_000), to: folder.file("s.wav"))
    #expect(try measure(silence)?.loudness == nil)
    #expect(try measure(silence, cancelled: true) == nil)
    let text = try folder.write(Array("no sound at all".utf8), to: folder.file("t.wav"))
    #expect(throws: AudioError.self) { try measure(text) }
  }

  @Test(
    "ReplayGain is read from FLAC, Ogg Vorbis, Opus and MP3",
    arguments: ["flac", "ogg", "opus", "mp3"])
  func readsTags(_ ending: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/tagged.\(ending)"
    let keys =
      ending == "opus"
      ? ["R128_TRACK_GAIN=-512", "R128_ALBUM_GAIN=256"]
      : [
        "REPLAYGAIN_TRACK_GAIN=-7.03 dB", "replaygain_track_peak=0.501187", "REPLAYGAIN_ALBUM_GAIN=+2.5 dB",
        "TITLE=Tagged",
      ]
    try runOrThrow(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:duration=1"]
        + keys.flatMap { ["-metadata", $0] } + [path])
    let found = GainTags(of: try AudioFile(try #require(FileName(text: path))))
    if ending == "opus" {
      #expect(found.track == 3 && found.album == 6)
    } else {
      #expect(found.track == -7.03 && found.album == 2.5)
      #expect(abs((found.trackPeak ?? 0) + 6) < 0.01)
    }
  }

  @Test("Tags cut short anywhere, or with lying lengths, are read as far as they go")
  func brokenTags() throws {
    let folder = try TemporaryFolder()
    for ending in ["flac", "ogg", "mp3"] {
      let path = "\(folder.path)/whole.\(ending)"
      try runOrThrow([
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:duration=0.2", "-metadata",
        "REPLAYGAIN_TRACK_GAIN=-7.03 dB", path,
      ])
      let bytes = try readFile(path, limit: 1 << 20)
      var generator = SeededGenerator(seed: 9)
      for round in 0..<400 {
        var changed = Array(bytes.prefix(Int.random(in: 1...min(bytes.count, 2000), using: &generator)))
        for _ in 0..<(round % 6) {
          changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        let file = try folder.write(changed, to: folder.file("broken"))
        let gain = GainTags(of: try AudioFile(file)).track ?? 0
        #expect(gain.isFinite)
      }
    }
  }

  /// On a thread of its own, which keeps its low priority.
  private func measure(_ file: FileName, cancelled: Bool = false) throws -> MeasuredLoudness? {
    try MeasuredLoudness.measure(file) { cancelled }
  }
}
