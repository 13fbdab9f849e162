/// What the first bytes of a file say it is.
enum Content: Hashable {
  /// For libsndfile; `a FLAC file`.
  case sampled(String)
  /// For libmpg123: MPEG audio, layers I to III.
  case mpeg
  /// Known, and beyond both: `AAC/M4A`.
  case foreign(String)
  case unknown

  /// Reads a few bytes of the file; never the whole.
  static func of(_ file: AudioFile) -> Content {
    let start = startBehindTags(file)
    let head = file.peek(at: start, 4096)
    if MPEGHeader.isADTS(head) { return .foreign("AAC") }
    if MPEGHeader.chain(in: head, from: 0) >= 2 { return .mpeg }
    for (offset, magic, content) in signatures where head.dropFirst(offset).starts(with: magic.utf8) {
      return content(head)
    }
    // A tag and then something else: most of all an MP3 with rubbish or padding behind the tag.
    if start > 0 { return .mpeg }
    // An MP3 cut out of a stream begins in the middle of a frame.
    let wide = file.peek(at: 0, 65_536)
    return wide.indices.contains { wide[$0] == 0xff && MPEGHeader.chain(in: wide, from: $0) >= 4 }
      ? .mpeg : .unknown
  }

  /// Whether the first frame of MPEG audio is none but says how many follow (the Xing, LAME and VBRI headers).
  static func hasMPEGLength(_ file: AudioFile) -> Bool {
    let frame = file.peek(at: startBehindTags(file), 64)
    return frame.indices.contains { at in
      ["Xing", "Info", "VBRI"].contains { frame[at...].starts(with: $0.utf8) }
    }
  }

  /// Where the sound begins behind ID3v2 tags (id3.org, ID3v2.4 §3.1: 28-bit size, optional footer).
  static func startBehindTags(_ file: AudioFile) -> Int64 {
    var start: Int64 = 0
    for _ in 0..<8 {
      let tag = file.peek(at: start, 10)
      guard tag.count == 10, tag.starts(with: "ID3".utf8), tag[6...].allSatisfy({ $0 < 0x80 }) else { break }
      let size = tag[6...].reduce(0) { $0 << 7 | Int64($1) }
      start += 10 + size + (tag[5] & 0x10 != 0 ? 10 : 0)
    }
    return start
  }

  private static let signatures: [(Int, String, @Sendable ([UInt8]) -> Content)] = [
    (0, "RIFF", { riff($0) }), (0, "RIFX", { riff($0) }), (0, "RF64", { riff($0) }),
    (0, "OggS", { ogg($0) }),
    (0, "fLaC", { _ in .sampled("a FLAC file") }), (0, "FORM", { _ in .sampled("an AIFF file") }),
    (0, "caff", { _ in .sampled("a CAF file") }), (0, ".snd", { _ in .sampled("an AU file") }),
    (4, "ftyp", { _ in .foreign("AAC/M4A") }), (0, "ADIF", { _ in .foreign("AAC") }),
    (0, "wvpk", { _ in .foreign("WavPack") }), (0, "MAC ", { _ in .foreign("Monkey’s Audio") }),
    (0, "MPCK", { _ in .foreign("Musepack") }), (0, "MP+", { _ in .foreign("Musepack") }),
    (0, "TTA1", { _ in .foreign("True Audio") }), (0, "DSD ", { _ in .foreign("DSD") }),
    (0, "MThd", { _ in .foreign("MIDI") }), (0, "\u{1a}E", { matroska($0) }),
    (0, "0&", { windowsMedia($0) }), (0, "#!AMR", { _ in .foreign("AMR") }),
    (0, "FLV", { _ in .foreign("Flash video") }),
  ]

  private static func riff(_ head: [UInt8]) -> Content {
    if head.dropFirst(8).starts(with: "AVI ".utf8) { return .foreign("AVI video") }
    return .sampled("a WAV file")
  }

  /// The first packet of the first page names the codec (RFC 3533 §6: 27 bytes and the segment table).
  private static func ogg(_ head: [UInt8]) -> Content {
    guard head.count > 27 else { return .sampled("an Ogg file") }
    let packet = head.dropFirst(27 + Int(head[26]))
    for (magic, codec) in [("Speex   ", "Speex"), ("\u{1}video", "Ogg video"), ("CELT    ", "CELT")]
    where packet.starts(with: magic.utf8) {
      return .foreign(codec)
    }
    if packet.dropFirst().starts(with: "theora".utf8) { return .foreign("Ogg video") }
    return .sampled("an Ogg file")
  }

  private static func matroska(_ head: [UInt8]) -> Content {
    head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) ? .foreign("Matroska/WebM") : .unknown
  }

  private static func windowsMedia(_ head: [UInt8]) -> Content {
    head.starts(with: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]) ? .foreign("Windows Media") : .unknown
  }
}

/// The four bytes before each frame of MPEG audio (ISO/IEC 11172-3 §2.4.2.3, 13818-3 §2.4.2.3).
struct MPEGHeader: Equatable {
  /// 3 is MPEG 1, 2 is MPEG 2, 0 is the 2.5 of Fraunhofer.
  let version: UInt8
  /// 1, 2 or 3.
  let layer: UInt8
  let rate: Int
  /// Length of the frame in bytes; 0 where it is free format.
  let length: Int

  init?(_ bytes: some Collection<UInt8>) {
    let four = Array(bytes.prefix(4))
    guard four.count == 4, four[0] == 0xff, four[1] & 0xe0 == 0xe0 else { return nil }
    let (version, code, rateIndex) = (four[1] >> 3 & 3, four[1] >> 1 & 3, Int(four[2] >> 2 & 3))
    let bitIndex = Int(four[2] >> 4)
    guard version != 1, code != 0, rateIndex != 3, bitIndex != 15 else { return nil }
    (self.version, layer) = (version, 4 - code)
    rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    let rates =
      switch (version == 3, layer) {
      case (true, 1): [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
      case (true, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
      case (true, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      case (false, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
      case (false, _): [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
      }
    let padding = Int(four[2] >> 1 & 1)
    let bits = rates[bitIndex] * 1000
    length =
      switch layer {
      case _ where bits == 0: 0
      case 1: (12 * bits / rate + padding) * 4
      case 3 where version != 3: 72 * bits / rate + padding
      default: 144 * bits / rate + padding
      }
  }

  /// How many frames follow each other from `start`, at most 4; the end of the bytes counts as one that follows.
  static func chain(in bytes: [UInt8], from start: Int) -> Int {
    var (at, count) = (start, 0)
    var first: MPEGHeader?
    while count < 4 {
      if at >= bytes.count { return count == 0 ? 0 : count + 1 }
      guard let header = MPEGHeader(bytes[at...]), header.length > 0 else { return count }
      if let first, (first.version, first.layer, first.rate) != (header.version, header.layer, header.rate) {
        return count
      }
      first = first ?? header
      count += 1
      at += header.length
    }
    return count
  }

  /// Bare AAC has the same sync word and a layer that MPEG audio does not have (ISO/IEC 13818-7 §6.2).
  static func isADTS(_ bytes: [UInt8]) -> Bool {
    func length(at start: Int) -> Int? {
      guard bytes.count >= start + 6, bytes[start] == 0xff, bytes[start + 1] & 0xf6 == 0xf0,
        bytes[start + 2] >> 2 & 15 < 13
      else { return nil }
      let length = Int(bytes[start + 3] & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5]) >> 5
      return length > 7 ? length : nil
    }
    guard let first = length(at: 0) else { return false }
    return first + 6 > bytes.count || length(at: first) != nil
  }
}
