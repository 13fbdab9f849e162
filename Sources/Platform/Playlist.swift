import Glibc

/// The entries of an M3U or PLS playlist. Bytes stay bytes: names need not be valid UTF-8. Pure: whoever reads the file
/// makes sure that it is one.
public enum Playlist {
  public enum Kind: Sendable {
    case m3u, pls

    /// By the name's ending; nil for what is no playlist.
    public init?(_ name: FileName) {
      switch String(decoding: name.bytes.suffix(5), as: UTF8.self).lowercased() {
      case let end where end.hasSuffix(".m3u") || end == ".m3u8": self = .m3u
      case let end where end.hasSuffix(".pls"): self = .pls
      default: return nil
      }
    }
  }

  public enum Entry: Hashable, Sendable {
    /// Absolute, or relative to the working folder where the playlist's own name is.
    case file(FileName)
    case stream(String)
  }

  /// In bytes; what is longer is no playlist.
  public static let largest: Int64 = 16 << 20

  /// The first `most` entries; `name` is the playlist's own, whose folder relative entries are seen from.
  public static func entries(of bytes: [UInt8], kind: Kind, beside name: FileName, most: Int = .max)
    -> [Entry]
  {
    var places: [ArraySlice<UInt8>] = []
    var numbers: [Int] = []
    var rest = bytes[...]
    if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
    while places.count < most, !rest.isEmpty {
      let end = rest.firstIndex { $0 == 0x0a || $0 == 0x0d } ?? rest.endIndex
      let line = trimmed(rest[..<end])
      rest = rest[end...].dropFirst()
      switch kind {
      case .m3u: if let first = line.first, first != UInt8(ascii: "#") { places.append(line) }
      case .pls:
        guard let (number, place) = numbered(line) else { continue }
        numbers.append(number)
        places.append(place)
      }
    }
    if kind == .pls {
      // A stable order where a number stands twice.
      let order = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
      places = order.map { places[$0] }
    }
    return places.compactMap { entry(Array($0), beside: name) }
  }

  /// The file, or what a playlist made on Windows means by it. Looks at the disk.
  public static func present(_ name: FileName) -> FileName {
    guard !name.exists, name.bytes.contains(UInt8(ascii: "\\")) else { return name }
    let turned = name.bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    return FileName(bytes: turned).flatMap { $0.exists ? $0 : nil } ?? name
  }

  /// `File12=/x/y`
  private static func numbered(_ line: ArraySlice<UInt8>) -> (number: Int, place: ArraySlice<UInt8>)? {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let key = String(decoding: line[..<equals].prefix(64), as: UTF8.self).lowercased()
    guard key.hasPrefix("file"), let number = Int(key.dropFirst(4).filter { !$0.isWhitespace }) else {
      return nil
    }
    let place = trimmed(line[(equals + 1)...])
    return place.isEmpty ? nil : (number, place)
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

extension FileName {
  /// Something is there that this process may see.
  public var exists: Bool { withCPath { access($0, F_OK) } == 0 }
}

/// Names that are addresses of streams.
public enum StreamName {
  private static let schemes = ["http", "https", "rtsp", "rtmp", "mms", "icy", "ftp"]

  /// The scheme of the address that the name is, or ends in once it was made absolute; nil for a plain name.
  public static func scheme(of name: FileName) -> String? {
    schemes.first { url(in: name.bytes, $0) != nil }
  }

  /// The address without what was put before it.
  public static func url(in name: FileName, _ scheme: String) -> String {
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
