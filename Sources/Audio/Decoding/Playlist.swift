import Platform

/// The entries of an M3U or PLS playlist. Bytes stay bytes: names need not be valid UTF-8.
enum Playlist {
  enum Kind {
    case m3u, pls

    /// By the name's ending; nil for what is no playlist.
    init?(_ name: FileName) {
      switch String(decoding: name.bytes.suffix(5), as: UTF8.self).lowercased() {
      case let end where end.hasSuffix(".m3u") || end == ".m3u8": self = .m3u
      case let end where end.hasSuffix(".pls"): self = .pls
      default: return nil
      }
    }
  }

  enum Entry: Hashable {
    /// Absolute, or relative to the working folder where the playlist's own name is.
    case file(FileName)
    case stream(String)
  }

  private static let largest: Int64 = 16 << 20

  static func read(_ name: FileName) throws(AudioError) -> [Entry] {
    let file = try AudioFile(name)
    guard file.size <= largest else {
      throw AudioError(
        .undecodable, "the playlist “\(name.shown)” is longer than 16 MiB; name the files or a folder instead"
      )
    }
    return entries(of: file.peek(at: 0, Int(file.size)), kind: Kind(name) ?? .m3u, beside: name)
  }

  /// `name` is the playlist's own, whose folder relative entries are seen from.
  static func entries(of bytes: [UInt8], kind: Kind, beside name: FileName) -> [Entry] {
    var bytes = bytes[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }.map(trimmed).filter { !$0.isEmpty }
    let places =
      switch kind {
      case .m3u: lines.filter { $0.first != UInt8(ascii: "#") }
      case .pls: numbered(lines)
      }
    return places.compactMap { entry(Array($0), beside: name) }
  }

  /// `File12=/x/y` lines in the order of their numbers.
  private static func numbered(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    var found: [(number: Int, place: ArraySlice<UInt8>)] = []
    for line in lines {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: line[..<equals], as: UTF8.self).lowercased()
      guard key.hasPrefix("file") else { continue }
      let digits = key.dropFirst(4).filter { !$0.isWhitespace }
      guard let number = Int(digits) else { continue }
      let place = trimmed(line[(equals + 1)...])
      if !place.isEmpty { found.append((number, place)) }
    }
    // A stable order where a number stands twice.
    return found.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
      .map(\.element.place)
  }

  private static func entry(_ bytes: [UInt8], beside name: FileName) -> Entry? {
    let isURI = bytes.prefix(7).map { $0 | 0x20 }.elementsEqual("file://".utf8.map { $0 | 0x20 })
    if isURI {
      let text = "file://" + String(decoding: bytes.dropFirst(7), as: UTF8.self)
      return FileName(text: text).map { .file($0) }
    }
    guard let plain = FileName(bytes: bytes) else { return nil }
    if bytes.first != UInt8(ascii: "/"), StreamName.scheme(of: plain) != nil {
      return .stream(String(decoding: bytes, as: UTF8.self))
    }
    return .file(plain.isAbsolute ? plain : beside(name, bytes))
  }

  private static func beside(_ name: FileName, _ entry: [UInt8]) -> FileName {
    guard let slash = name.bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return FileName(bytes: entry) ?? name
    }
    return FileName(bytes: name.bytes[...slash] + entry) ?? name
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop { $0 == 0x20 || $0 == 0x09 }
    while line.last == 0x20 || line.last == 0x09 { line = line.dropLast() }
    return line
  }
}

/// Names that are addresses of streams.
enum StreamName {
  private static let schemes = ["http", "https", "rtsp", "rtmp", "mms", "icy", "ftp"]

  /// The scheme of the address that the name is, or ends in once it was made absolute; nil for a plain name.
  static func scheme(of name: FileName) -> String? {
    schemes.first { url(in: name.bytes, $0) != nil }
  }

  static func url(in name: FileName, _ scheme: String) -> String {
    String(decoding: url(in: name.bytes, scheme) ?? name.bytes[...], as: UTF8.self)
  }

  private static func url(in bytes: [UInt8], _ scheme: String) -> ArraySlice<UInt8>? {
    let mark = Array((scheme + "://").utf8)
    func stands(at start: Int) -> Bool {
      bytes.count >= start + mark.count && zip(bytes[start...], mark).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
    if stands(at: 0) { return bytes[...] }
    return bytes.indices.first { bytes[$0] == UInt8(ascii: "/") && stands(at: $0 + 1) }.map {
      bytes[($0 + 1)...]
    }
  }
}
