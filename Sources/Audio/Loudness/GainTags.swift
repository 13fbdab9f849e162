import Glibc

/// What a file says of its own loudness: ReplayGain 2.0, and R128 gains in Opus (RFC 7845 §5.2.1). Decibels to what sounds
/// like −18 LUFS.
struct GainTags: Hashable {
  var track: Double?
  var album: Double?
  /// The largest sample of the track, in decibels of full scale.
  var trackPeak: Double?
  var albumPeak: Double?

  var isEmpty: Bool { track == nil && album == nil }

  /// Reads the first tags of a FLAC, Ogg or MP3 file; empty for every other. A few reads at the beginning.
  init(of file: AudioFile) {
    readID3(file)
    let start = Content.startBehindTags(file)
    let head = file.peek(at: start, 4)
    if head.starts(with: "fLaC".utf8) {
      readFLAC(file, start + 4)
    } else if head.starts(with: "OggS".utf8) {
      readOgg(file, start)
    }
  }

  init() {}

  /// Tags larger than this hold pictures, and the gains are looked for before them.
  private static let most = 262_144

  // MARK: Kinds of files

  /// Metadata blocks: a byte of kind, three of length (RFC 9639 §8.1).
  private mutating func readFLAC(_ file: AudioFile, _ start: Int64) {
    var at = start
    for _ in 0..<256 {
      let head = file.peek(at: at, 4)
      guard head.count == 4 else { return }
      let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
      if head[0] & 0x7f == 4 { return readComments(file.peek(at: at + 4, min(length, GainTags.most))[...]) }
      if head[0] & 0x80 != 0 { return }
      at += 4 + Int64(length)
    }
  }

  /// The second packet of the first stream (RFC 3533 §6; Vorbis I §5, RFC 7845 §5.2).
  private mutating func readOgg(_ file: AudioFile, _ start: Int64) {
    let bytes = file.peek(at: start, GainTags.most)
    var packets: [[UInt8]] = [[]]
    var at = 0
    var serial: ArraySlice<UInt8>?
    while at + 27 <= bytes.count, bytes[at...].starts(with: "OggS".utf8), packets.count < 3 {
      let count = Int(bytes[at + 26])
      let body = at + 27 + count
      guard body <= bytes.count else { break }
      let segments = bytes[(at + 27)..<body]
      let mine = bytes[(at + 14)..<(at + 18)]
      let isOurs = serial.map { $0.elementsEqual(mine) } ?? true
      serial = serial ?? mine
      var place = body
      for segment in segments {
        let end = min(place + Int(segment), bytes.count)
        if isOurs { packets[packets.count - 1] += bytes[min(place, end)..<end] }
        place += Int(segment)
        if isOurs, segment < 255 { packets.append([]) }
      }
      at = place
    }
    guard packets.count > 1 else { return }
    let packet = packets[1]
    if packet.starts(with: "\u{3}vorbis".utf8) {
      readComments(packet[7...])
    } else if packet.starts(with: "OpusTags".utf8) {
      readComments(packet[8...])
    } else if packet.count > 4, packet[0] & 0x7f == 4 {
      readComments(packet[4...])
    }
  }

  /// Vorbis comments: a vendor, a count, and as many `KEY=value`, each behind its length (Vorbis I §5.2.1).
  private mutating func readComments(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    func number() -> Int? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let vendor = number(), vendor <= rest.count else { return }
    rest = rest.dropFirst(vendor)
    guard let count = number() else { return }
    for _ in 0..<min(count, 4096) {
      guard let length = number(), length <= rest.count else { return }
      let entry = rest.prefix(length)
      rest = rest.dropFirst(length)
      guard length < 200, let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      take(
        String(decoding: entry[..<equals], as: UTF8.self),
        String(decoding: entry[entry.index(after: equals)...], as: UTF8.self))
    }
  }

  /// The `TXXX` frames of an ID3v2.3 or 2.4 tag (id3.org). One that is unsynchronised is left alone.
  private mutating func readID3(_ file: AudioFile) {
    let head = file.peek(at: 0, 10)
    guard head.count == 10, head.starts(with: "ID3".utf8), head[3] == 3 || head[3] == 4, head[5] & 0xc0 == 0
    else { return }
    let size = head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
    let bytes = file.peek(at: 10, min(size, GainTags.most))
    var at = 0
    while at + 10 <= bytes.count, bytes[at] != 0 {
      let shift = head[3] == 4 ? 7 : 8
      let length = bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << shift | Int($1) }
      let end = at + 10 + length
      guard length > 0, end <= bytes.count else { return }
      if bytes[at...].starts(with: "TXXX".utf8), length < 400 {
        let texts = GainTags.texts(bytes[(at + 10)..<end])
        if texts.count >= 2 { take(texts[0], texts[1]) }
      }
      at = end
    }
  }

  /// The texts of a frame, of which only letters that ASCII has matter here.
  private static func texts(_ frame: ArraySlice<UInt8>) -> [String] {
    guard let encoding = frame.first else { return [] }
    var units: [UInt16] = []
    let body = Array(frame.dropFirst())
    if encoding == 1 || encoding == 2 {
      var big = encoding == 2
      for pair in stride(from: 0, to: body.count - 1, by: 2) {
        let unit = UInt16(body[pair]) << 8 | UInt16(body[pair + 1])
        if unit == 0xfeff || unit == 0xfffe {
          big = unit == 0xfeff
          continue
        }
        units.append(big ? unit : unit.byteSwapped)
      }
    } else {
      units = body.map(UInt16.init)
    }
    return units.split(separator: 0).map { String(decoding: $0, as: UTF16.self) }
  }

  // MARK: What they say

  private mutating func take(_ key: String, _ value: String) {
    guard let number = GainTags.number(value) else { return }
    switch key.uppercased() {
    case "REPLAYGAIN_TRACK_GAIN": track = number
    case "REPLAYGAIN_ALBUM_GAIN": album = number
    case "REPLAYGAIN_TRACK_PEAK": trackPeak = GainTags.decibels(number)
    case "REPLAYGAIN_ALBUM_PEAK": albumPeak = GainTags.decibels(number)
    // In 256ths of a decibel, to −23 LUFS.
    case "R128_TRACK_GAIN": track = number / 256 + 5
    case "R128_ALBUM_GAIN": album = number / 256 + 5
    default: break
    }
  }

  /// `-7.03 dB`; nil for what is no number or nonsense.
  private static func number(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " || $0 == "+" }.prefix { $0.isNumber || $0 == "-" || $0 == "." }
    guard let number = Double(digits), number.isFinite, abs(number) < 100_000 else { return nil }
    return number
  }

  private static func decibels(_ peak: Double) -> Double? { peak > 0 ? 20 * log10(peak) : nil }
}
