import CLinux
import Glibc

/// A path as the kernel knows it: bytes without NUL, not necessarily UTF-8.
///
/// Where a path must travel as text (JSON, the database, a bus) it goes as `text`: itself where it is valid UTF-8 and
/// cannot be mistaken, else a `file://` URI with the odd bytes percent-encoded, so nothing is lost on the way.
public struct FileName: Hashable, Sendable {
  public let bytes: [UInt8]

  /// nil for an empty path or one with NUL in it.
  public init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// Reads what `text` gives: a plain path, or a `file://` URI. nil where it is neither.
  public init?(text: String) {
    guard text.hasPrefix("file://") else {
      self.init(bytes: Array(text.utf8))
      return
    }
    var bytes: [UInt8] = []
    var rest = text.utf8.dropFirst(7)
    // An authority (`file://localhost/…`) stands before the path.
    if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst(9) }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(FileName.digit),
        let low = rest.popFirst().flatMap(FileName.digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes: bytes)
  }

  /// The form that travels as text; `FileName(text:)` gives the same path back. The path must be absolute where it is
  /// not valid UTF-8.
  public var text: String {
    if let plain = String(validating: bytes, as: UTF8.self), !plain.hasPrefix("file://") { return plain }
    return uri
  }

  /// `file://` with everything but the unreserved characters and `/` percent-encoded (RFC 3986).
  public var uri: String {
    var result = "file://"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        result += hex.count == 1 ? "%0" + hex : "%" + hex
      }
    }
    return result
  }

  /// For showing only: repaired and sanitised.
  public var shown: String { clean(String(decoding: bytes, as: UTF8.self)) }

  /// The part behind the last slash, for showing.
  public var lastShown: String {
    let last = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? bytes
    return clean(String(decoding: last, as: UTF8.self))
  }

  public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// This path seen from `folder` where it is not absolute; a leading `~/` is the home folder.
  public func absolute(from folder: FileName, home: String) -> FileName {
    if bytes.starts(with: "~/".utf8) {
      return FileName(bytes: Array(home.utf8) + bytes.dropFirst(1)) ?? self
    }
    if isAbsolute { return self }
    return folder.appending(bytes)
  }

  public func appending(_ name: [UInt8]) -> FileName {
    var joined = bytes
    if joined.last != UInt8(ascii: "/") { joined.append(UInt8(ascii: "/")) }
    return FileName(bytes: joined + name) ?? self
  }

  /// Calls `body` with the NUL-terminated path for a C function.
  public func withCPath<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try body(bytes.map { CChar(bitPattern: $0) } + [0])
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension FileName {
  /// `getcwd(3)`, as bytes.
  public static func currentFolder() throws(SystemError) -> FileName {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else {
      throw SystemError("the current folder cannot be told")
    }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // Linux puts “(unreachable)” before a folder that lies outside of the root.
    guard let folder = FileName(bytes: bytes), folder.isAbsolute else {
      throw SystemError("the current folder cannot be told", code: ENOENT)
    }
    return folder
  }
}
