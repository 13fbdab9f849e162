import Audio
import Glibc
import Harness
import Platform
import Testing

/// Every test here runs against a clock: a file must not keep a worker, whatever is in it.
@Suite("Files that are damaged", .timeLimit(.minutes(2)))
struct BadInputDamageTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let kinds: [SoundFiles.Kind] = [.wav16, .flac16, .flac24, .vorbis, .opus, .mp3, .aiff16]

  @Test("A file cut off anywhere plays what is left or is refused, and says so", arguments: kinds)
  func cutShort(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 4, rate: 48_000).shown)
    for place in 1...20 {
      let kept = whole.count * place / 21 + place % 3
      let file = try folder.write(Array(whole.prefix(kept)), to: folder.file("cut"))
      guard let outcome = play(file) else { continue }
      #expect(outcome.frames <= 4 * 48_000)
      // What is left is most of what could be left.
      #expect(outcome.frames > 48_000 * 4 * place / 21 - 60_000, "\(kind) cut at \(kept) of \(whole.count)")
      #expect(outcome.complaints.count == 1, "\(kind) cut at \(kept) of \(whole.count)")
      #expect(outcome.complaints.first?.contains("cut short") == true)
    }
  }

  @Test("A FLAC file cut short has no certain length, and a seek behind what is left ends it")
  func cutFLAC() throws {
    let whole = try readFile(try SoundFiles.make(.flac16, in: folder, seconds: 4).shown)
    let file = try folder.write(Array(whole.prefix(whole.count / 2)), to: folder.file("cut.flac"))
    let decoder = try openDecoder(file)
    #expect(decoder.format.frames == nil)
    let left = try decodeAll(decoder).count / 2
    #expect(
      complaints(of: decoder)
        == [
          "“\(file.shown)” is cut short or damaged: nothing can be played from 0:0\(left / 44_100) on "
            + "of the promised 0:04; copy it again"
        ])
    try decoder.seek(toFrame: 4 * 44_100 - 5)
    #expect(try decode(decoder, frames: 10).isEmpty)
    try decoder.seek(toFrame: 20_000)
    #expect(try decode(decoder, frames: 10).count == 20)
  }

  @Test("Noise of 5 KB in the middle is left out and told; all the rest is played", arguments: kinds)
  func noise(kind: SoundFiles.Kind) throws {
    let rate = 48_000
    var bytes = try readFile(try SoundFiles.make(kind, in: folder, seconds: 8, rate: rate).shown)
    var random = Random(seed: 5)
    let start = bytes.count / 2
    bytes.replaceSubrange(start..<(start + 5000), with: random.bytes(5000))
    let file = try folder.write(bytes, to: folder.file("noise"))
    let whole = try decodeAll(try openDecoder(folder.file("\(kind.rawValue).\(kind.ending)")))
    let decoder = try openDecoder(file)
    let samples = try decodeAll(decoder)
    #expect(decoder.format.frames == Int64(8 * rate) || kind == .mp3)
    // A page of Ogg holds a second here and is lost whole, with the one that is torn.
    #expect(samples.count > ([.vorbis, .opus].contains(kind) ? 5 : 7) * rate * 2)
    #expect(samples.count <= 8 * rate * 2)
    let said = complaints(of: decoder)
    if kind == .wav16 || kind == .aiff16 {
      #expect(said.isEmpty)
    } else {
      #expect(!said.isEmpty)
      #expect(said.allSatisfy { $0.contains("damaged") && $0.contains("copy it again") })
    }
    // The end is the end of the whole file: nothing was shifted or played twice.
    if kind.isLossless { #expect(samples.suffix(rate) == whole.suffix(rate)) }
  }

  @Test("Noise in a FLAC file costs a quarter of a second at most, and the position tells the jump")
  func noiseInFLAC() throws {
    var bytes = try readFile(try SoundFiles.make(.flac16, in: folder, seconds: 8).shown)
    var random = Random(seed: 6)
    let start = bytes.count * 44 / 100
    bytes.replaceSubrange(start..<(start + 5000), with: random.bytes(5000))
    let file = try folder.write(bytes, to: folder.file("noise.flac"))
    let reader = try TrackReader(file, rate: 44_100, channels: 2)
    let count = try readAll(reader).count / 2
    #expect(reader.position == 8 * 44_100)
    #expect(8 * 44_100 - count < 11_025)
    let complaint = try #require(reader.takeComplaint())
    #expect(complaint.hasPrefix("“\(file.shown)” is damaged at 0:03: 0."))
    #expect(complaint.hasSuffix(" s are left out; copy it again"))
    #expect(reader.takeComplaint() == nil)
  }

  @Test(
    "A hole of 2 MB, as a broken download leaves one, is passed over",
    arguments: [SoundFiles.Kind.flac24, .mp3, .vorbis])
  func hole(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 8, rate: 48_000).shown)
    let half = whole.count / 2
    let hole = [UInt8](repeating: 0, count: 2 << 20)
    let file = try folder.write(whole[..<half] + hole + whole[(half + 20_000)...], to: folder.file("hole"))
    let outcome = try #require(play(file))
    #expect(outcome.frames > 5 * 48_000)
    #expect(outcome.frames < 8 * 48_000)
    #expect(!outcome.complaints.isEmpty)
  }

  @Test(
    "Two Ogg files behind each other: the first is played and the second told of",
    arguments: [SoundFiles.Kind.vorbis, .opus])
  func chained(kind: SoundFiles.Kind) throws {
    let first = try readFile(try SoundFiles.make(kind, in: folder, seconds: 2, rate: 48_000).shown)
    var second = first
    // Another serial number; the checksums are wrong then, which is one more thing to survive.
    for at in second.indices where second[at...].starts(with: "OggS\0".utf8) { second[at + 14] ^= 0x55 }
    let file = try folder.write(first + second, to: folder.file("chained"))
    let outcome = try #require(play(file))
    #expect(outcome.frames == 96_000)
    #expect(
      outcome.complaints.first
        == "“\(file.shown)” holds several pieces one behind the other, of which only the first is played; split it, "
        + "or convert it, e.g. to FLAC")
  }

  @Test(
    "Garbage behind a header that lies about it ends in a sentence or in noise, never in a hang",
    arguments: kinds)
  func lies(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 1, rate: 48_000).shown)
    var random = Random(seed: 7)
    for header in [12, 44, 100, 200, 4096, 5000] {
      let file = try folder.write(Array(whole.prefix(header)) + random.bytes(60_000), to: folder.file("lies"))
      _ = play(file)
    }
  }

  @Test("Files with bits turned at random never trap or hang", arguments: kinds)
  func mutated(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 1, rate: 48_000).shown)
    var random = Random(seed: 8)
    for round in 0..<300 {
      var bytes = whole
      // By turns in the header, where numbers and lengths stand, and anywhere.
      let reach = round % 2 == 0 ? min(bytes.count, 200) : bytes.count
      for _ in 0..<(1 + Int(random.next() % 8)) {
        bytes[Int(random.next() % UInt64(reach))] = UInt8(truncatingIfNeeded: random.next())
      }
      if round % 5 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count / 2))) }
      _ = play(try folder.write(bytes, to: folder.file("mutated")))
    }
  }

  /// What may stand behind a file of which a longer one was overwritten, or a download that was filled up.
  enum Rest: CaseIterable, Sendable { case noughts, noise, samples, music }

  @Test(
    "A FLAC file with much behind its end is as long as it is, and a seek in it is at once",
    arguments: Rest.allCases)
  func muchBehindFLAC(rest: Rest) throws {
    let good = try SoundFiles.make(.flac16, in: folder, seconds: 8)
    let whole = try decodeAll(try openDecoder(good))
    var random = Random(seed: 9)
    let piece =
      switch rest {
      case .noughts: [UInt8](repeating: 0, count: 1_000_000)
      case .noise: random.bytes(1_000_000)
      case .samples:
        SoundFiles.wave(SoundFiles.samples(frames: 250_000, channels: 2), rate: 44_100, channels: 2)
      case .music: try readFile(try SoundFiles.make(.mp3, in: folder, seconds: 10).shown)
      }
    var bytes = try readFile(good.shown)
    while bytes.count < 20_000_000 { bytes += piece }
    let file = try folder.write(bytes, to: folder.file("behind.flac"))
    let decoder = try openDecoder(file)
    #expect(decoder.format.frames == Int64(8 * 44_100))
    for second in [5, 7, 2, 6] {
      let start = processorTime()
      try decoder.seek(toFrame: Int64(second) * 44_100)
      #expect(try decode(decoder, frames: 1000) == Array(whole[(second * 88_200)...].prefix(2000)))
      #expect(processorTime() - start < 1, "\(second) s with \(rest) behind")
    }
    try decoder.seek(toFrame: 7 * 44_100)
    #expect(try decodeAll(decoder).count == 88_200)
    #expect(complaints(of: decoder).isEmpty)
  }

  @Test(
    "Gigabytes of noughts behind the first half of a file cost seconds and no more, wherever it is sent",
    arguments: [SoundFiles.Kind.flac16, .mp3, .vorbis])
  func gigabytes(kind: SoundFiles.Kind) throws {
    let whole = try readFile(try SoundFiles.make(kind, in: folder, seconds: 4, rate: 48_000).shown)
    let file = try folder.write(Array(whole.prefix(whole.count / 2)), to: folder.file("sparse"))
    #expect(truncate(file.shown, 6 << 30) == 0)
    let decoder = try openDecoder(file)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * decoder.format.channels)
    defer { buffer.deallocate() }
    func isPrompt(_ what: String, _ body: () throws -> Void) rethrows {
      let start = processorTime()
      try body()
      #expect(processorTime() - start < 5, "\(kind), \(what)")
    }
    for target: Int64 in [30_000, 150_000] {
      try isPrompt("to \(target)") { try decoder.seek(toFrame: target) }
      try isPrompt("from \(target)") {
        var left = 60_000
        while left > 0, case let got = try decoder.read(into: buffer), got > 0 { left -= got }
      }
    }
  }

  @Test(
    "A file that became another while it was played ends with a sentence, and no handle is taken for the old one"
  )
  func becameAnother() throws {
    let file = try SoundFiles.make(.wav16, in: folder, named: "changing.wav", seconds: 4, channels: 1)
    let decoder = try openDecoder(file)
    #expect(try decode(decoder, frames: 1000).count == 1000)
    let other = try readFile(try SoundFiles.make(.flac16, in: folder, seconds: 1, channels: 6).shown)
    try other.withUnsafeBytes { bytes in
      let descriptor = try #require(Optional(open(file.shown, O_WRONLY)))
      #expect(pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count)
      close(descriptor)
    }
    try decoder.seek(toFrame: 0)
    #expect(try decode(decoder, frames: 1000).isEmpty)
    #expect(
      complaints(of: decoder)
        == ["“\(file.shown)” holds something else since it was opened; play it again"])
  }

  private struct Outcome {
    var frames = 0
    var complaints: [String] = []
  }

  /// Opens, plays, seeks about and plays on, within 2 s of the processor's time (other tests run beside this one; what
  /// waits for ever ends the suite's own limit); nil where the file is refused with a sentence.
  private func play(_ file: FileName) -> Outcome? {
    let start = processorTime()
    defer { #expect(processorTime() - start < 2) }
    var outcome = Outcome()
    do throws(AudioError) {
      let decoder = try openDecoder(file)
      #expect((1...32).contains(decoder.format.channels) && (1000...768_000).contains(decoder.format.rate))
      let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * decoder.format.channels)
      defer { buffer.deallocate() }
      // A file that claims hours is followed for a while only.
      while processorTime() - start < 1 {
        let got = try decoder.read(into: buffer)
        if got == 0 { break }
        outcome.frames += got
        #expect(got <= 4096)
      }
      outcome.complaints = AudioTests.complaints(of: decoder)
      for target in [Int64(outcome.frames) * 2 / 3, 0, .max, 1000, Int64(outcome.frames) + 44_100] {
        try decoder.seek(toFrame: target)
        _ = try decoder.read(into: buffer)
      }
      return outcome
    } catch {
      #expect(error.description.hasPrefix("“\(file.shown)”"))
      return nil
    }
  }
}

/// Seconds that this thread has run.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The same numbers on every machine (SplitMix64).
struct Random: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
