import Glibc

/// The alarm sound that needs no file: four short notes and a rest, made up from nothing.
struct Tone: Sendable {
  private static let notes = 4
  private static let noteSeconds = 0.12
  private static let cycleSeconds = 1.2
  private var frame = 0

  /// Adds mono tone to every channel; the gain goes evenly from `first` to `last`.
  mutating func add(
    to out: UnsafeMutablePointer<Float>, frames: Int, channels: Int, rate: Int, from first: Double,
    to last: Double
  ) {
    let cycle = Int(Tone.cycleSeconds * Double(rate))
    let step = (last - first) / Double(max(1, frames))
    for index in 0..<frames {
      let time = Double(frame % cycle) / Double(rate)
      frame += 1
      let note = Int(time / (Tone.noteSeconds * 1.5))
      let within = time - Double(note) * Tone.noteSeconds * 1.5
      guard note < Tone.notes, within < Tone.noteSeconds else { continue }
      // 5 ms edges, so that nothing clicks.
      let edge = min(1, within / 0.005, (Tone.noteSeconds - within) / 0.005)
      let pitch = note % 2 == 0 ? 1046.5 : 1318.5
      let wave = sin(2 * .pi * pitch * within) + 0.3 * sin(6 * .pi * pitch * within)
      let sample = Float(0.6 * edge * wave * (first + step * Double(index)))
      for channel in 0..<channels { out[index * channels + channel] += sample }
    }
  }
}
