/// The first thing in bytes from a terminal.
enum Sequences {
  enum Piece {
    case incomplete
    /// So many bytes that mean nothing here.
    case nothing(Int)
    case input(KeyDecoder.Input, Int)
    case pasteBegins(Int)
    case stringBegins(Int, canEndInBell: Bool)

    static func key(_ key: Key?, _ count: Int) -> Piece {
      key.map { .input(.key($0), count) } ?? .nothing(count)
    }
  }

  static func first(of bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    guard let byte = bytes.first else { return .incomplete }
    switch byte {
    case 0x1b: return escaped(bytes, isLast: isLast)
    case 0x0d, 0x0a: return .key(.enter, 1)
    case 0x09: return .key(.tab, 1)
    case 0x7f, 0x08: return .key(.backspace, 1)
    case 0x01...0x1a: return .key(.control(Character(Unicode.Scalar(byte + 0x60))), 1)
    case 0x20..<0x7f: return .key(.character(Character(Unicode.Scalar(byte))), 1)
    case 0xc2...0xf4: return encoded(bytes, isLast: isLast)
    default: return .nothing(1)
    }
  }

  /// A character of several bytes (UTF-8).
  private static func encoded(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    let length = bytes[bytes.startIndex] < 0xe0 ? 2 : bytes[bytes.startIndex] < 0xf0 ? 3 : 4
    let tail = bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xc0 == 0x80 }
    if tail.count < length - 1 {
      let cutShort = tail.count + 1 == bytes.count
      return cutShort && !isLast ? .incomplete : .nothing(1 + tail.count)
    }
    guard let text = String(validating: bytes.prefix(length), as: UTF8.self),
      let scalar = text.unicodeScalars.first
    else { return .nothing(length) }
    return .key(key(of: scalar.value), length)
  }

  /// A character that can be typed; controls and what has no place on a keyboard are none.
  static func key(of value: UInt32) -> Key? {
    switch value {
    case 0x20..<0x7f, 0xa0...0xd7ff, 0xf900...0x10ffff: break
    default: return nil
    }
    return Unicode.Scalar(value).map { .character(Character($0)) }
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    guard let second = bytes.dropFirst().first else { return isLast ? .key(.escape, 1) : .incomplete }
    switch second {
    case 0x1b: return .key(.escape, 1)
    case UInt8(ascii: "["): return control(bytes, isLast: isLast)
    case UInt8(ascii: "O"):
      guard let third = bytes.dropFirst(2).first else { return isLast ? .nothing(2) : .incomplete }
      return third < 0x20 || third > 0x7e ? .nothing(2) : .key(LegacyKeys.singleShift(third), 3)
    case UInt8(ascii: "]"): return .stringBegins(2, canEndInBell: true)
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      return .stringBegins(2, canEndInBell: false)
    case 0xc2...0xf4:
      // Alt and a character of several bytes, all of which go.
      if case .input(_, let count) = encoded(bytes.dropFirst(), isLast: isLast) { return .nothing(1 + count) }
      return encoded(bytes.dropFirst(), isLast: isLast)
    default: return .nothing(2)  // Alt and a key, which means nothing here.
    }
  }

  /// `ESC [ parameters intermediates final`, as ECMA-48 has it.
  private static func control(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3f).contains($0) }
    // A sequence without end must not swallow the keys that follow for ever.
    if parameters.count > 64 { return .nothing(2 + parameters.count) }
    guard let final = bytes.dropFirst(2 + parameters.count).first else {
      return isLast ? .nothing(bytes.count) : .incomplete
    }
    let count = 3 + parameters.count
    guard (0x40...0x7e).contains(final) else { return .nothing(2 + parameters.count) }
    switch (final, parameters.first) {
    // The Linux console's function keys: ESC [ [ A.
    case (UInt8(ascii: "["), nil):
      if bytes.count > count { return .nothing(count + 1) }
      return isLast ? .nothing(count) : .incomplete
    // The old mouse report, of a terminal that does not know the other one: three bytes follow.
    case (UInt8(ascii: "M"), nil):
      if bytes.count >= count + 3 {
        let report = bytes.dropFirst(count).prefix(3).map { Int($0) - 32 }
        return MouseReport.read(report, isRelease: false).map { .input(.mouse($0), count + 3) }
          ?? .nothing(count + 3)
      }
      return isLast ? .nothing(bytes.count) : .incomplete
    case (UInt8(ascii: "M"), UInt8(ascii: "<")), (UInt8(ascii: "m"), UInt8(ascii: "<")):
      let numbers = Parameters(parameters.dropFirst())
      let report = (0..<3).map { numbers[$0] ?? 0 }
      return numbers.count == 3
        ? MouseReport.read(report, isRelease: final == UInt8(ascii: "m")).map { .input(.mouse($0), count) }
          ?? .nothing(count) : .nothing(count)
    case (UInt8(ascii: "I"), nil): return .input(.focus(true), count)
    case (UInt8(ascii: "O"), nil): return .input(.focus(false), count)
    case (UInt8(ascii: "u"), UInt8(ascii: "?")): return .input(.answer(.knowsKeys), count)
    case (UInt8(ascii: "y"), UInt8(ascii: "?")): return answer(parameters.dropFirst(), count)
    case (_, let mark?) where !(0x30...0x3b).contains(mark): return .nothing(count)
    default: break
    }
    // What ends in an intermediate byte is no key.
    guard parameters.allSatisfy({ (0x30...0x3b).contains($0) }) else { return .nothing(count) }
    let numbers = Parameters(parameters)
    if final == UInt8(ascii: "~"), numbers[0] == 200 { return .pasteBegins(count) }
    return .key(
      final == UInt8(ascii: "u") ? KittyKeys.read(numbers) : LegacyKeys.control(final, numbers), count)
  }

  /// `CSI ? mode ; value $ y`: a mode that is known is set (1), reset (2) or one of them for ever (3, 4).
  private static func answer(_ parameters: ArraySlice<UInt8>, _ count: Int) -> Piece {
    guard parameters.last == UInt8(ascii: "$") else { return .nothing(count) }
    let numbers = Parameters(parameters.dropLast())
    guard numbers[0] == 2026, let value = numbers[1], (1...3).contains(value) else { return .nothing(count) }
    return .input(.answer(.synchronizes), count)
  }
}

/// The numbers of a sequence, `1;2:3`: parts that stand between semicolons, of which each may have more between colons.
struct Parameters {
  private let parts: [[Int?]]

  init(_ bytes: some Sequence<UInt8>) {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    parts = text.split(separator: ";", omittingEmptySubsequences: false).map {
      $0.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    }
  }

  var count: Int { parts.count }
  /// The first number of a part; nil where it is empty or not there.
  subscript(part: Int) -> Int? { self[part, 0] }
  subscript(part: Int, place: Int) -> Int? {
    part < parts.count && place < parts[part].count ? parts[part][place] : nil
  }
}
