import Glibc

/// The frames of a FLAC file as their headers tell of them, found without decoding (RFC 9639 §8, §9.1).
///
/// libFLAC needs seconds to find out that a frame it was sent to is not there; the headers say it at once: where a file
/// that was cut short ends, and where it goes on behind damage.
struct FLACFrames {
  private let file: AudioFile
  private let channels: Int
  private let bits: Int
  /// Frames of sound in each frame of the file but the last, where all have as many.
  private let block: Int64
  /// The byte at which the first frame begins.
  private let first: Int64

  /// Where the sound ends.
  struct End {
    /// The frame of sound behind the last.
    let frame: Int64
    /// No byte from here on belongs to the last frame of the file.
    let byte: Int64
  }

  private struct Header {
    let start: Int64
    let end: Int64
  }

  private static let window = 262_144
  /// The longest header there is.
  private static let longest = 16

  /// nil for what is no FLAC file, or an Ogg file with FLAC in it.
  init?(_ file: AudioFile) {
    var at = Content.startBehindTags(file)
    let head = file.peek(at: at, 42)
    guard head.count == 42, head.starts(with: "fLaC".utf8), head[4] & 0x7f == 0 else { return nil }
    let info = head[8...]
    block = Int64(info[10]) << 8 | Int64(info[11])
    channels = Int(info[20] >> 1 & 7) + 1
    bits = (Int(info[20] & 1) << 4 | Int(info[21] >> 4)) + 1
    at += 4
    for _ in 0..<4096 {
      let block = file.peek(at: at, 4)
      guard block.count == 4 else { return nil }
      at += 4 + block[1...].reduce(0) { $0 << 8 | Int64($1) }
      if block[0] & 0x80 != 0 { break }
    }
    (self.file, first) = (file, at)
  }

  /// Where the last frame that the file has ends, nil where none is found before patience is over.
  ///
  /// Anything may stand behind it: noughts, another file, what was there before.
  func end(within patience: Patience) -> End? {
    var top = file.size
    while !patience.isOver {
      let bottom = max(first, top - Int64(FLACFrames.window))
      var previous: Int64 = 0
      var end: End?
      scan(file.peek(at: bottom, Int(top - bottom))) { header, offset in
        // One header alone might be chance; two that fit each other are not.
        if header.start == previous {
          end = End(frame: header.end, byte: bottom + Int64(offset) + longestFrame(header.end - header.start))
        }
        previous = header.end
        return true
      }
      if let end { return end }
      if bottom == first { return nil }
      top = bottom + Int64(FLACFrames.window / 2)
    }
    return nil
  }

  /// Bytes: no encoder makes more of samples than they are, but for headers and one bit for a side channel.
  private func longestFrame(_ count: Int64) -> Int64 { 256 + count * Int64(channels * (bits + 1) + 7) / 8 }

  /// The first frame of sound behind `frame` at which a frame of the file begins, looked for from byte `offset` on.
  func next(behind frame: Int64, from offset: Int64, within patience: Patience) -> Int64? {
    var at = max(first, offset)
    while at < file.size, !patience.isOver {
      let bytes = file.peek(at: at, FLACFrames.window)
      if bytes.isEmpty { return nil }
      var found: Int64?
      scan(bytes) { header, _ in
        if header.start > frame { found = header.start }
        return found == nil
      }
      if let found { return found }
      at += Int64(max(1, bytes.count - FLACFrames.longest))
    }
    return nil
  }

  /// Calls `body` with every header in the bytes and where it stands in them, until it answers false.
  private func scan(_ bytes: [UInt8], _ body: (Header, Int) -> Bool) {
    bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      var at = 0
      while at < bytes.count, let sync = memchr(base + at, 0xff, bytes.count - at) {
        at = UnsafeRawPointer(base).distance(to: sync)
        if let header = header(UnsafeBufferPointer(rebasing: bytes[at...])), !body(header, at) { return }
        at += 1
      }
    }
  }

  private func header(_ bytes: UnsafeBufferPointer<UInt8>) -> Header? {
    guard bytes.count >= FLACFrames.longest, bytes[1] & 0xfe == 0xf8, bytes[3] & 1 == 0 else { return nil }
    let (sizeCode, rateCode) = (bytes[2] >> 4, bytes[2] & 15)
    let (layout, depth) = (Int(bytes[3] >> 4), [0, 8, 12, -1, 16, 20, 24, 32][Int(bytes[3] >> 1 & 7)])
    guard sizeCode != 0, rateCode != 15, layout < 8 ? layout + 1 == channels : layout < 11 && channels == 2,
      depth == 0 || depth == bits
    else { return nil }
    var at = 4
    guard let number = FLACFrames.number(bytes, &at) else { return nil }
    let count: Int64
    switch sizeCode {
    case 1: count = 192
    case 2...5: count = 576 << Int64(sizeCode - 2)
    case 6:
      count = Int64(bytes[at]) + 1
      at += 1
    case 7:
      count = (Int64(bytes[at]) << 8 | Int64(bytes[at + 1])) + 1
      at += 2
    default: count = 256 << Int64(sizeCode - 8)
    }
    at += rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0
    guard FLACFrames.checksum(bytes[..<at]) == bytes[at] else { return nil }
    let start = bytes[1] & 1 == 1 ? number : number * block
    return Header(start: start, end: start + count)
  }

  /// At most 36 bits, coded as UTF-8 would code them.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Int64? {
    let lead = bytes[at]
    at += 1
    if lead < 0x80 { return Int64(lead) }
    let more = (~lead).leadingZeroBitCount - 1
    guard (1...6).contains(more) else { return nil }
    var number = Int64(lead) & (0x3f >> Int64(more))
    for _ in 0..<more {
      guard bytes[at] & 0xc0 == 0x80 else { return nil }
      number = number << 6 | Int64(bytes[at] & 0x3f)
      at += 1
    }
    return number
  }

  /// CRC-8 with the polynomial x⁸ + x² + x + 1.
  private static func checksum(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 7 }
    }
  }
}
