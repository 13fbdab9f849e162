import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("From one track to the next without a gap", .serialized)
struct GaplessTests {
  private static let stereo = StreamFormat(rate: 48_000, channels: 2)

  /// A voice whose samples count up from `first`.
  private func voice(_ first: Int, frames: Int, id: UInt64) throws -> Voice {
    let voice = Voice(id: id, format: Self.stereo, seconds: 3, isExact16: false, bell: try Bell())
    var done = 0
    while done < frames {
      done += voice.ring.fill(limit: frames - done) { samples in
        for index in samples.indices { samples[index] = Float(first + done + index / 2) / 1_000_000 }
        return samples.count / 2
      }
    }
    voice.ring.finish()
    return voice
  }

  private func render(_ mixer: inout Mixer, steps: Int) -> [Int] {
    var out = [Float](repeating: 0, count: Mixer.quantum * 2)
    var left: [Int] = []
    for _ in 0..<steps {
      var exact = true
      out.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        _ = mixer.render(into: base, frames: Mixer.quantum, heardAt: 0, exact: &exact)
      }
      left += stride(from: 0, to: out.count, by: 2).map { Int((out[$0] * 1_000_000).rounded()) }
    }
    return left
  }

  private func ended(_ mixer: inout Mixer) -> [UInt64] {
    mixer.takeEvents().compactMap { if case .ended(let voice) = $0 { voice } else { nil } }
  }

  @Test(
    "The first frame follows the last, wherever that lies, and each end is told when it was heard",
    arguments: [1, 255, 256, 257, 1000, 4800])
  func chain(frames: Int) throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(1, frames: frames, id: 1), playing: true, joining: false, level: 1)
    mixer.setNextTrack(try voice(frames + 1, frames: 5000, id: 2))
    let heard = render(&mixer, steps: 40)[..<(frames + 5000)]
    #expect(heard.elementsEqual(1...(frames + 5000)))
    mixer.heard(upTo: Int64(frames) - 1, now: 1, moving: true)
    let early = ended(&mixer)
    #expect(early.isEmpty)
    mixer.heard(upTo: Int64(frames), now: 2, moving: true)
    let first = ended(&mixer)
    #expect(first == [1])
    mixer.heard(upTo: Int64(frames) + 5000, now: 3, moving: true)
    let second = ended(&mixer)
    #expect(second == [2])
  }

  @Test("A device lost over the seam takes both sides of it back, and they follow each other again")
  func lossOverTheSeam() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(1, frames: 3000, id: 1), playing: true, joining: false, level: 1)
    mixer.setNextTrack(try voice(3001, frames: 5000, id: 2))
    _ = render(&mixer, steps: 16)
    mixer.heard(upTo: 2500, now: 1, moving: true)
    let played = mixer.lose(holding: false)
    #expect(played)
    mixer.begin(Self.stereo)
    let again = render(&mixer, steps: 10)
    #expect(again.elementsEqual(2501...5060))
  }

  @Test(
    "What follows the next track can be named as soon as the first one's end was told, before anything is rendered"
  )
  func namedAtOnce() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(1, frames: 600, id: 1), playing: true, joining: false, level: 1)
    mixer.setNextTrack(try voice(601, frames: 1000, id: 2))
    let first = render(&mixer, steps: 4)
    mixer.heard(upTo: 600, now: 1, moving: true)
    let told = ended(&mixer)
    #expect(told == [1])
    mixer.setNextTrack(try voice(1601, frames: 1000, id: 3))
    let isWhole = (first + render(&mixer, steps: 8))[..<2600].elementsEqual(1...2600)
    #expect(isWhole)
  }

  @Test("What is to follow can be taken back, also when it has begun in the queue")
  func withdrawn() throws {
    var mixer = Mixer()
    mixer.begin(Self.stereo)
    mixer.setTrack(try voice(1, frames: 600, id: 1), playing: true, joining: false, level: 1)
    mixer.setNextTrack(try voice(601, frames: 5000, id: 2))
    mixer.setNextTrack(nil)
    let alone = render(&mixer, steps: 4)[600...]
    #expect(alone.allSatisfy { $0 == 0 })
    mixer.setTrack(try voice(1, frames: 600, id: 3), playing: true, joining: false, level: 1)
    mixer.setNextTrack(try voice(601, frames: 5000, id: 4))
    _ = render(&mixer, steps: 3)
    mixer.setNextTrack(nil)
    let faded = render(&mixer, steps: 8)[1280...]
    #expect(faded.allSatisfy { $0 == 0 })
  }

  /// Plays the files one behind the other through the `file` plugin: what came out, from the first sound on, in frames of
  /// two 32-bit samples, without the silence behind it.
  private func play(_ files: [FileName], _ settings: String..., keepsAwake: Bool = false) throws -> (
    frames: [[Int32]], status: [String: String]
  ) {
    let folder = try TemporaryFolder()
    let (environment, capture) = try captureEnvironment(folder)
    let probe = try Probe(environment, "device=capture", settings.first ?? "rate=auto")
    if keepsAwake {
      try probe.say("keepalive on")
      try probe.wait(status: "state", "running")
    }
    try probe.say("load \(files[0].text) 1 0 play")
    try probe.wait("loaded 1")
    for (index, file) in files.enumerated().dropFirst() {
      try probe.say("next \(file.text) \(index + 1)")
      try probe.wait("ended \(index)")
      try probe.wait("loaded \(index + 1)")
    }
    try probe.wait("ended \(files.count)")
    let status = try probe.status()
    try probe.say("keepalive off")
    try probe.wait(status: "state", "closed")
    let words = try readFile(capture, limit: 1 << 28).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    let frames = stride(from: 0, to: words.count / 2 * 2, by: 2).map { [words[$0], words[$0 + 1]] }
    let first = frames.firstIndex { $0 != [0, 0] } ?? 0
    let last = frames.lastIndex { $0 != [0, 0] } ?? -1
    try probe.quit()
    return (Array(frames[first..<(last + 1)]), status)
  }

  /// A rising sine of seven seconds, and the same cut in five at odd places; never zero at its ends.
  private func cut(_ folder: TemporaryFolder, _ ending: String, _ options: String...) throws -> (
    whole: FileName, parts: [FileName]
  ) {
    let whole = folder.file("whole.wav")
    try runOrThrow([
      "sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", whole.text, "synth", "7", "sine", "100-5000",
      "sine", "5000-100", "vol", "0.5",
    ])
    var parts: [FileName] = []
    let places = [0, 60_001, 123_457, 180_180, 250_003, 308_700]
    for (index, (place, end)) in zip(places, places.dropFirst()).enumerated() {
      let piece = folder.file("part\(index).wav")
      try runOrThrow(["sox", "-R", whole.text, piece.text, "trim", "\(place)s", "\(end - place)s"])
      let part = folder.file("part\(index).\(ending)")
      if ending != "wav" {
        try runOrThrow(["ffmpeg", "-v", "error", "-y", "-i", piece.text] + options + [part.text])
      }
      parts.append(part)
    }
    return (whole, parts)
  }

  private func words(of file: FileName) throws -> [[Int32]] {
    let bytes = try runOrThrow(["sox", "-D", file.text, "-t", "s32", "-"])
    let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    return stride(from: 0, to: words.count, by: 2).map { [words[$0], words[$0 + 1]] }
  }

  @Test("A sweep cut into five FLAC files sounds as the uncut one, bit for bit")
  func flac() throws {
    let folder = try TemporaryFolder()
    let (whole, parts) = try cut(folder, "flac", "-c:a", "flac")
    let expected = Array(try words(of: whole).drop { $0 == [0, 0] })
    let (frames, status) = try play(parts)
    #expect(status["opens"] == "1")
    #expect(frames.count == expected.count)
    let isEqual = frames == expected
    if let place = zip(frames, expected).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
      Issue.record("unlike from frame \(place) on, where \(frames[place]) is heard")
    }
    #expect(isEqual)
  }

  @Test(
    "So do Vorbis and MP3 by LAME: the exact number of frames, and as good at the seams as elsewhere",
    arguments: [("ogg", "libvorbis"), ("mp3", "libmp3lame")])
  func lossy(ending: String, encoder: String) throws {
    let folder = try TemporaryFolder()
    let (whole, parts) = try cut(folder, ending, "-c:a", encoder, "-b:a", "256k")
    let expected = try words(of: whole)
    // The sweep begins and ends at zero, as silence does: something else stands before and behind it, known to the bit.
    var generator = SeededGenerator(seed: 7)
    let edge = (0..<44_100).map { _ in Int16.random(in: 1...Int16.max, using: &generator) }
    let bound = try folder.write(
      wav(edge.flatMap { [$0, $0] }, rate: 44_100), to: folder.file("bound.wav"))
    let (sounds, status) = try play([bound] + parts + [bound])
    #expect(status["opens"] == "1")
    #expect(sounds.count == edge.count + expected.count + edge.count)
    let edgeWords = edge.map { [Int32($0) << 16, Int32($0) << 16] }
    let isBounded = sounds.starts(with: edgeWords) && sounds.suffix(edge.count).elementsEqual(edgeWords)
    #expect(isBounded, "five parts between two other tracks, not a frame more or less")
    let frames = Array(sounds.dropFirst(edge.count).dropLast(edge.count))
    // The best place of the one on the other: that of no shift at all, in each of the five.
    func error(at shift: Int, over range: Range<Int>) -> Double {
      var sum = 0.0
      for index in range where frames.indices.contains(index + shift) {
        let difference = (Double(frames[index + shift][0]) - Double(expected[index][0])) / 2_147_483_648
        sum += difference * difference
      }
      let mean: Double = sum / Double(range.count)
      return mean.squareRoot()
    }
    let shifts = -64..<64
    let places = [20_000, 100_000, 150_000, 200_000, 280_000].map { place in
      shifts.min { error(at: $0, over: place..<place + 2000) < error(at: $1, over: place..<place + 2000) }
        ?? 99
    }
    #expect(places == [0, 0, 0, 0, 0])
    for seam in [60_001, 123_457, 180_180, 250_003] {
      #expect(error(at: 0, over: seam - 500..<seam + 500) < 0.03, "at \(seam)")
    }
  }

  @Test(
    "With the keep-alive on, tracks of other rates and channels follow in the open device, without silence")
  func otherFormats() throws {
    let folder = try TemporaryFolder()
    var files: [FileName] = []
    for (rate, channels) in [(44_100, 2), (48_000, 1), (96_000, 2)] {
      let samples = (0..<rate * channels).map { index in
        Int16(12_000 + 8000 * sin(2 * .pi * 440 * Double(index / channels) / Double(rate)))
      }
      files.append(
        try folder.write(wav(samples, rate: rate, channels: channels), to: folder.file("\(rate).wav")))
    }
    let (frames, status) = try play(files, keepsAwake: true)
    #expect(status["opens"] == "1")
    #expect(status["rate"] == "48000")
    #expect(abs(frames.count - 144_000) <= 3)
    // Every sample lies above zero: a gap of one frame would show.
    let lowest = frames[100..<143_900].map { min($0[0], $0[1]) }.min() ?? 0
    #expect(lowest > 2000 << 16)
    try #require(frames.count > 143_000)
  }

  @Test("A next track that is missing is told when its turn has come; a pause goes over the seam")
  func failures() throws {
    let folder = try TemporaryFolder()
    let (environment, _) = try captureEnvironment(folder)
    let first = try folder.write(sine(440, seconds: 1.5), to: folder.file("first.wav"))
    let probe = try Probe(environment, "device=capture")
    try probe.say("load \(first.text) 1 0 play")
    try probe.wait("loaded 1")
    try probe.say("next \(folder.path)/missing.flac 2")
    let ended = try probe.wait("ended 1")
    let failed = try probe.wait("loadFailed 2")
    #expect(failed.at - ended.at < 100_000)
    try probe.say("load \(first.text) 3 0 play")
    try probe.wait("loaded 3")
    try probe.say("next \(first.text) 4")
    try probe.say("seek 1.2")
    try probe.wait("ended 3")
    try probe.wait("loaded 4")
    try probe.say("pause")
    letPass(0.5)
    let place = try probe.position()
    #expect((0..<0.5).contains(place))
    try probe.say("play")
    try probe.wait("ended 4")
    try probe.quit()
  }
}
