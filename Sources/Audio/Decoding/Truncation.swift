/// Tells a WAV or AIFF file that was cut short: libsndfile quietly makes the best of what is there.
enum Truncation {
  /// Whether the chunk of samples claims more bytes than the file has.
  static func isCutShort(_ file: AudioFile) -> Bool {
    let head = file.peek(at: 0, 12)
    guard head.count == 12 else { return false }
    let (isWave, isAIFF) = (head.starts(with: "RIFF".utf8), head.starts(with: "FORM".utf8))
    guard isWave || isAIFF else { return false }
    var at: Int64 = 12
    for _ in 0..<64 {
      let chunk = file.peek(at: at, 8)
      guard chunk.count == 8 else { return false }
      let bytes = isWave ? Array(chunk[4...].reversed()) : Array(chunk[4...])
      let size = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
      if chunk.starts(with: (isWave ? "data" : "SSND").utf8) {
        // A writer that could not go back leaves a size near the limit: that promises nothing.
        return size < 0x7fff_0000 && at + 8 + size > file.size
      }
      at += 8 + size + size % 2
    }
    return false
  }
}
