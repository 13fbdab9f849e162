import Audio
import CLinux
import Glibc
import Harness
import Platform

/// `make fuzz`: mutations of valid files through the decoders, built with AddressSanitizer.
///
/// Arguments: how many mutations (100 000), the seed (the wall clock's second). A trap ends the program and leaves the
/// file that did it; so does a file that takes longer than two seconds. Ends with 1 where fewer than a third of the
/// files still decode a frame, for then the mutations only test the refusals.
@main
struct Fuzz {
  static let kinds: [SoundFiles.Kind] = [.wav16, .flac16, .flac24, .vorbis, .opus, .mp3, .aiff16]

  static func main() throws {
    let words = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let count = Int(words.first ?? 100_000)
    let seed = words.dropFirst().first ?? UInt64(Clocks.wallMicroseconds() / 1_000_000)
    say("fuzz: \(count) mutations, seed \(seed)")
    FuzzScreen.run(count, seed)
    let folder = try TemporaryFolder()
    let originals = try kinds.map {
      try readFile(try SoundFiles.make($0, in: folder, seconds: 1, rate: 44_100).shown)
    }
    let kept = "/tmp/reveille-fuzz-\(getpid())"
    guard let file = FileName(text: kept) else { return }
    var generator = SeededGenerator(seed: seed)
    var decoded = 0
    var longest = Duration.zero
    for number in 0..<count {
      let bytes = mutation(of: originals, &generator)
      try replaceFile(kept, with: bytes)
      // The default action of SIGALRM ends the program, and the file stays where it is.
      CLinux.alarm(3)
      let start = ContinuousClock.now
      if play(file) > 0 { decoded += 1 }
      CLinux.alarm(0)
      let took = ContinuousClock.now - start
      longest = max(longest, took)
      if took > .seconds(2) {
        say("fuzz: mutation \(number) of seed \(seed) took \(took); it lies in \(kept)")
        exit(1)
      }
      if (number + 1) % 10_000 == 0 {
        say("fuzz: \(number + 1), of which \(decoded) decode; the longest took \(longest)")
      }
    }
    unlink(kept)
    say("fuzz: \(count) mutations, \(decoded) decode a frame, the longest took \(longest), no trap")
    if decoded * 3 < count {
      say("fuzz: fewer than a third decode")
      exit(1)
    }
  }

  /// Into a file, too, a line is there when it is printed.
  static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// A file with some bytes changed, a stretch moved, doubled or lost, or its end cut off.
  static func mutation(of originals: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = originals[Int.random(in: originals.indices, using: &generator)]
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard bytes.count > 64 else { return bytes }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let length = min(Int.random(in: 1...600, using: &generator), bytes.count - place)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...4:
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 5:
        // In the header, where lengths and rates stand.
        bytes[place % min(200, bytes.count)] = UInt8.random(in: 0...255, using: &generator)
      case 6: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 7: bytes.removeSubrange(place..<(place + length))
      case 8: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
      case 9: for index in place..<(place + length) { bytes[index] = .random(in: 0...255, using: &generator) }
      case 10: for index in place..<(place + length) { bytes[index] = 0 }
      default: bytes.removeLast(min(bytes.count / 2, length * 20))
      }
    }
    return bytes
  }

  /// Reads a while, seeks about, reads on; the frames it gave.
  static func play(_ file: FileName) -> Int {
    guard let reader = try? TrackReader(file, rate: 48_000, channels: 2) else { return 0 }
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * 2)
    defer { buffer.deallocate() }
    var frames = 0
    do throws(AudioError) {
      for _ in 0..<200 {
        let got = try reader.read(into: buffer)
        if got == 0 { break }
        frames += got
      }
      for target in [Int64(frames) / 2, 0, .max, Int64(frames) + 44_100] {
        try reader.seek(toSourceFrame: target)
        _ = try reader.read(into: buffer)
      }
    } catch {
      // A sentence is an answer; what matters here is that there is one.
      return frames
    }
    return frames
  }
}
