import Audio
import Glibc
import Harness
import Platform
import Testing

@Suite("Bringing a track to the output's rate and channels")
struct ResampleTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(
    "No frame is lost: what comes out is what went in times the ratio of the rates, give or take one",
    arguments: [
      (44_100, 48_000), (48_000, 44_100), (8000, 48_000), (192_000, 44_100), (44_100, 96_000),
      (1000, 768_000),
    ],
    [1, 2, 1999, 20_011])
  func total(rates: (Int, Int), frames: Int) throws {
    let resampler = try Resampler(from: rates.0, to: rates.1, channels: 2)
    let input = [Float](repeating: 0.25, count: frames * 2)
    let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 513)
    defer { output.deallocate() }
    var (taken, given) = (0, 0)
    input.withUnsafeBufferPointer { input in
      while taken < frames {
        let piece = UnsafeBufferPointer(rebasing: input[(taken * 2)..<(min(frames, taken + 300) * 2)])
        let (consumed, produced) = resampler.process(piece, into: output)
        (taken, given) = (taken + consumed, given + produced)
      }
    }
    while case let more = resampler.flush(into: output), more > 0 { given += more }
    let wanted = Double(frames) * Double(rates.1) / Double(rates.0)
    #expect(abs(Double(given) - wanted) <= 1)
  }

  @Test(
    "A tone stays the same tone at another rate, in its place to a fraction of a frame",
    arguments: [44_100, 96_000, 16_000])
  func tone(rate: Int) throws {
    let reader = try TrackReader(Tone(rate: rate, frames: rate), rate: 48_000, channels: 2)
    let samples = try readAll(reader)
    #expect(abs(samples.count / 2 - 48_000) <= 1)
    var worst: Float = 0
    for frame in 500..<47_500 {
      worst = max(worst, abs(samples[frame * 2] - Float(Tone.value(Double(frame) / 48_000))))
      worst = max(worst, abs(samples[frame * 2 + 1] - samples[frame * 2]))
    }
    #expect(worst < 2e-5)
  }

  @Test(
    "Where rate and channels agree, samples pass bit for bit",
    arguments: [SoundFiles.Kind.wav16, .flac24, .mp3])
  func bitForBit(kind: SoundFiles.Kind) throws {
    let file = try SoundFiles.make(kind, in: folder, seconds: 1)
    let wanted = try decodeAll(try openDecoder(file))
    let reader = try TrackReader(file, rate: 44_100, channels: 2)
    #expect(try readAll(reader) == wanted)
    #expect(reader.position == 44_100)
  }

  @Test("The position is the frame of the source that comes next, also in mid-flight and after a seek")
  func position() throws {
    let reader = try TrackReader(Ramp(rate: 44_100, frames: 441_000), rate: 48_000, channels: 1)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 480)
    defer { buffer.deallocate() }
    for start: Int64 in [0, 200_000, 99] {
      try reader.seek(toSourceFrame: start)
      #expect(reader.position == start)
      for round in 1...100 {
        let got = try reader.read(into: buffer)
        #expect(got == 480)
        #expect(reader.position == start + Int64(round * 441))
        // The ramp says itself which frame it is; the edge of the seek rings a little.
        if round > 2 {
          #expect(abs(Double(buffer[0]) * 1e6 - Double(start + Int64((round - 1) * 441))) < 0.5)
        }
      }
    }
  }

  @Test(
    "The position follows a decoder that jumps over damage, when the output gets there",
    arguments: [44_100, 48_000])
  func jump(rate: Int) throws {
    let reader = try TrackReader(
      Ramp(rate: 44_100, frames: 100_000, hole: 30_000..<50_000), rate: rate, channels: 1)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 100)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      let position = reader.position
      let got = try reader.read(into: buffer)
      if got == 0 { break }
      total += got
      // Near the edge the resampler smears the jump.
      if abs(position - 30_000) < 500 || abs(position - 50_000) < 500 || position > 99_000 { continue }
      #expect(abs(Double(buffer[0]) * 1e6 - Double(position)) < 1)
    }
    #expect(reader.position >= 99_999)
    #expect(abs(total - 80_000 * rate / 44_100) <= 1)
  }

  @Test("A seek to either end and beyond is clamped and leaves nothing of what was there before")
  func seekEnds() throws {
    let reader = try TrackReader(Ramp(rate: 44_100, frames: 10_000), rate: 48_000, channels: 2)
    _ = try readAll(reader)
    try reader.seek(toSourceFrame: .max)
    #expect(reader.position == 10_000)
    #expect(try readAll(reader).isEmpty)
    try reader.seek(toSourceFrame: -5)
    #expect(reader.position == 0)
    #expect(abs(try readAll(reader).count / 2 - 10_884) <= 1)
  }

  @Test(
    "Channels become others as documented",
    arguments: [
      (1, 1, [0.5], [0.5]), (1, 2, [0.5], [0.5, 0.5]), (2, 1, [0.5, 0.25], [0.375]),
      (2, 2, [0.5, 0.25], [0.5, 0.25]),
      (1, 4, [0.5], [0.5, 0.5, 0, 0]), (2, 6, [0.5, 0.25], [0.5, 0.25, 0, 0, 0, 0]),
      (12, 2, [0.5, 0.25, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0.5, 0.25]),
      (6, 2, [1, 1, 1, 1, 1, 1], [1, 1]), (8, 2, [1, 1, 1, 1, 1, 1, 1, 1], [1, 1]),
      (6, 1, [1, 1, 1, 1, 1, 1], [1]),
      (6, 2, [1, 0, 0, 0, 0, 0], [0.41421, 0]), (6, 2, [0, 0, 1, 0, 0, 0], [0.29289, 0.29289]),
      (6, 2, [0, 0, 0, 1, 0, 0], [0, 0]), (6, 2, [0, 0, 0, 0, 0, 1], [0, 0.29289]),
      (4, 2, [0, 0, 1, 0], [0.41421, 0]), (3, 2, [0, 0, 1], [0.41421, 0.41421]),
    ] as [(Int, Int, [Float], [Float])])
  func channels(row: (from: Int, to: Int, input: [Float], output: [Float])) {
    let map = ChannelMap(from: row.from, to: row.to)
    // Two frames, so that the step from one to the next is right too.
    let input = row.input + row.input
    let output = [Float](unsafeUninitializedCapacity: row.to * 2) { buffer, count in
      input.withUnsafeBufferPointer { map.apply($0, into: buffer, frames: 2) }
      count = row.to * 2
    }
    #expect(greatestDifference(output, row.output + row.output) < 1e-5)
  }
}

/// A sine of 1 kHz at half of full scale.
private final class Tone: Decoder {
  let format: SourceFormat
  let tags = Tags()
  private var at = 0

  init(rate: Int, frames: Int) {
    format = SourceFormat(rate: rate, channels: 1, frames: Int64(frames), bits: nil)
  }

  static func value(_ seconds: Double) -> Double { 0.5 * sin(2 * .pi * 1000 * seconds) }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    let count = min(samples.count, Int(format.frames ?? 0) - at)
    for index in 0..<count { samples[index] = Float(Tone.value(Double(at + index) / Double(format.rate))) }
    at += count
    return count
  }

  func seek(toFrame frame: Int64) throws(AudioError) { at = Int(frame) }
  func takeComplaint() -> String? { nil }
}

/// Each sample is the number of its frame, in millionths; frames in `hole` are jumped over as damage is.
private final class Ramp: Decoder {
  let format: SourceFormat
  let tags = Tags()
  private let hole: Range<Int>
  private var at = 0

  init(rate: Int, frames: Int, hole: Range<Int> = 0..<0) {
    format = SourceFormat(rate: rate, channels: 1, frames: Int64(frames), bits: nil)
    self.hole = hole
  }

  var position: Int64? { Int64(at) }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    if hole.contains(at) { at = hole.upperBound }
    let end = at < hole.lowerBound ? hole.lowerBound : Int(format.frames ?? 0)
    let count = min(samples.count, end - at)
    for index in 0..<count { samples[index] = Float(at + index) / 1e6 }
    at += count
    return count
  }

  func seek(toFrame frame: Int64) throws(AudioError) { at = Int(max(0, min(frame, format.frames ?? 0))) }
  func takeComplaint() -> String? { nil }
}
