import Audio
import Glibc
import Harness
import Platform
import Testing

/// A sound system in a process of its own.
final class Probe {
  private let conversation: Conversation
  var process: pid_t { conversation.process }

  init(_ environment: [String: String], _ settings: String...) throws {
    conversation = try Conversation([try builtProgram("SoundProbe")] + settings, environment: environment)
    _ = try wait("ready")
  }

  func say(_ line: String) throws { try conversation.say(line) }

  /// The next line that begins with `start`: its instant (µs) and its words.
  @discardableResult
  func wait(_ start: String, within deadline: Duration = .seconds(10)) throws -> (at: Int64, words: [String])
  {
    let found = try conversation.line(within: deadline) { line in
      line.drop { $0 != " " }.dropFirst().hasPrefix(start)
    }
    let line = try #require(found, "no “\(start)” came")
    let words = line.split(separator: " ").map(String.init)
    return (Int64(words[0]) ?? 0, Array(words.dropFirst()))
  }

  /// True where a line with this start comes in time.
  func tells(_ start: String, within deadline: Duration) throws -> Bool {
    try conversation.line(within: deadline) { line in line.drop { $0 != " " }.dropFirst().hasPrefix(start) }
      != nil
  }

  /// `key=value` of the status, and its state.
  func status() throws -> [String: String] {
    try say("status")
    let words = try wait("status ").words
    var result = ["state": words[1]]
    for (index, word) in words.enumerated() {
      guard let equals = word.firstIndex(of: "=") else { continue }
      let key = String(word[..<equals])
      if key == "reason" {
        result[key] = ([String(word[word.index(after: equals)...])] + words[(index + 1)...]).joined(
          separator: " ")
        break
      }
      result[key] = String(word[word.index(after: equals)...])
    }
    return result
  }

  /// Waits until the status has this value.
  func wait(status key: String, _ value: String, within deadline: Duration = .seconds(10)) throws {
    let end = ContinuousClock.now + deadline
    while true {
      let status = try status()
      if status[key] == value { return }
      try #require(ContinuousClock.now < end, "\(key) never became \(value): \(status)")
      usleep(20_000)
    }
  }

  func position() throws -> Double {
    try say("position")
    return Double(try wait("position ").words[1]) ?? -1
  }

  func quit() throws {
    try say("quit")
    conversation.end()
  }
}

/// Lets real time pass: what is measured here is how sound goes on in it.
func letPass(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }

/// Seconds until a freshly opened stream is consumed evenly: PulseAudio takes nothing for up to two at first.
let coldStart = 2.5

/// A 16-bit stereo WAV of `samples` (interleaved).
func wav(_ samples: [Int16], rate: Int, channels: Int = 2) -> [UInt8] {
  func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }
  let data = samples.flatMap { bytes($0) }
  return Array("RIFF".utf8) + bytes(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
    + bytes(UInt16(1)) + bytes(UInt16(channels)) + bytes(UInt32(rate)) + bytes(UInt32(rate * channels * 2))
    + bytes(UInt16(channels * 2)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(UInt32(data.count)) + data
}

/// The same sine in both channels.
func sine(_ pitch: Double, seconds: Double, rate: Int = 48_000, level: Double = 0.5) -> [UInt8] {
  sine([pitch], seconds: seconds, rate: rate, level: level)
}

/// Sines one behind the other, each so many seconds long.
func sine(_ pitches: [Double], seconds: Double, rate: Int = 48_000, level: Double = 0.5) -> [UInt8] {
  var samples: [Int16] = []
  for pitch in pitches {
    for frame in 0..<Int(seconds * Double(rate)) {
      let value = Int16(level * 32_767 * sin(2 * .pi * pitch * Double(frame) / Double(rate)))
      samples += [value, value]
    }
  }
  return wav(samples, rate: rate)
}

/// How strong a pitch is (0 … 1) in a stretch of samples at 48 kHz: Goertzel's filter, and a window against leakage.
func strength(_ pitch: Double, in samples: ArraySlice<Float>) -> Double {
  let step = 2 * Double.pi * pitch / 48_000
  let count = samples.count
  guard count > 0 else { return 0 }
  var (real, imaginary) = (0.0, 0.0)
  for (index, sample) in samples.enumerated() {
    let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(count))
    real += Double(sample) * window * cos(step * Double(index))
    imaginary += Double(sample) * window * sin(step * Double(index))
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
}

/// The first sample of at least this size.
func firstSound(_ samples: [Float], over level: Float = 0.01) -> Int? {
  samples.firstIndex { abs($0) > level }
}

/// Where a sine of this pitch and level begins, to a few samples: its strength in windows of two milliseconds passes
/// half of what it comes to where the middle of the window is at the beginning.
func beginning(of pitch: Double, level: Double, in samples: ArraySlice<Float>) -> Int? {
  let window = 96
  let start = stride(from: samples.startIndex, to: samples.endIndex - window, by: 4).first {
    strength(pitch, in: samples[$0..<$0 + window]) > level / 2
  }
  return start.map { $0 + window / 2 }
}
