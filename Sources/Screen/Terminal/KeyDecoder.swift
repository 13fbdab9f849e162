/// What a terminal sends, as keys and pastes.
///
/// Sequences of xterm's kind (CSI and SS3), which all terminals of today send for these keys; what is not known is dropped
/// whole, so that no part of it counts as a key. A lone ESC cannot be told from the beginning of a sequence but by time:
/// while `isWaiting`, call `timeOut` when nothing has come for a moment.
public struct KeyDecoder: Sendable {
  public enum Input: Hashable, Sendable {
    case key(Key)
    case paste(String)
  }

  private var waiting: [UInt8] = []
  /// What has been pasted so far; nil outside a paste.
  private var pasted: [UInt8]?

  /// A paste is cut off here; it is one line at most anyway.
  static let longestPaste = 65_536
  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  public init() {}

  /// The beginning of something has come and its end has not.
  public var isWaiting: Bool { !waiting.isEmpty || pasted != nil }
  public var isInPaste: Bool { pasted != nil }

  public mutating func append(_ bytes: some Sequence<UInt8>) -> [Input] {
    waiting += bytes
    return drain(isLast: false)
  }

  /// Nothing more comes for now: a lone ESC was the key, a paste without an end is over.
  public mutating func timeOut() -> [Input] { drain(isLast: true) }

  private mutating func drain(isLast: Bool) -> [Input] {
    var inputs: [Input] = []
    var at = 0
    while at < waiting.count {
      if pasted != nil {
        at = takePaste(from: at, &inputs)
        if pasted != nil { break }
        continue
      }
      let rest = waiting[at...]
      switch KeyDecoder.first(of: rest, isLast: isLast) {
      case .incomplete:
        waiting.removeFirst(at)
        return inputs
      case .nothing(let count): at += count
      case .key(let key, let count):
        inputs.append(.key(key))
        at += count
      case .pasteBegins(let count):
        pasted = []
        at += count
      }
    }
    waiting.removeFirst(min(at, waiting.count))
    if isLast, let text = pasted {
      inputs.append(.paste(String(decoding: text + waiting, as: UTF8.self)))
      (pasted, waiting) = (nil, [])
    }
    return inputs
  }

  /// Moves pasted bytes away and answers where it stopped; the bytes that may begin the end mark stay.
  private mutating func takePaste(from start: Int, _ inputs: inout [Input]) -> Int {
    let mark = KeyDecoder.pasteEnd
    var at = start
    while at < waiting.count {
      let rest = waiting[at...].prefix(mark.count)
      if rest.elementsEqual(mark) {
        inputs.append(.paste(String(decoding: pasted ?? [], as: UTF8.self)))
        pasted = nil
        return at + mark.count
      }
      if mark.starts(with: rest) { return at }
      if (pasted?.count ?? 0) < KeyDecoder.longestPaste { pasted?.append(waiting[at]) }
      at += 1
    }
    return at
  }

  private enum Piece {
    case incomplete
    case nothing(Int)
    case key(Key, Int)
    case pasteBegins(Int)
  }

  private static func first(of bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
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
    guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first,
      let scalar = text.unicodeScalars.first, scalar.value >= 0xa0
    else { return .nothing(length) }
    return .key(.character(character), length)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    guard let second = bytes.dropFirst().first else { return isLast ? .key(.escape, 1) : .incomplete }
    switch second {
    case 0x1b: return .key(.escape, 1)
    case UInt8(ascii: "["): return control(bytes, isLast: isLast)
    case UInt8(ascii: "O"):
      guard let third = bytes.dropFirst(2).first else { return isLast ? .nothing(2) : .incomplete }
      return key(final: third, number: nil).map { .key($0, 3) } ?? .nothing(3)
    default: return .nothing(2)  // Alt and a key, which means nothing here.
    }
  }

  /// `ESC [ parameters final`, as ECMA-48 has it.
  private static func control(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> Piece {
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3f).contains($0) }
    // A sequence without end must not swallow the keys that follow for ever.
    if parameters.count > 64 { return .nothing(2 + parameters.count) }
    guard let final = bytes.dropFirst(2 + parameters.count).first else {
      return isLast ? .nothing(bytes.count) : .incomplete
    }
    let count = 3 + parameters.count
    // The Linux console's function keys: ESC [ [ A.
    if final == UInt8(ascii: "["), parameters.isEmpty {
      if bytes.count > count { return .nothing(count + 1) }
      return isLast ? .nothing(count) : .incomplete
    }
    guard (0x40...0x7e).contains(final) else { return .nothing(2 + parameters.count) }
    let number = Int(String(decoding: parameters.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
    if final == UInt8(ascii: "~"), number == 200 { return .pasteBegins(count) }
    // `M` ends a mouse report here; the keypad's Enter comes as ESC O M.
    if final == UInt8(ascii: "M") { return .nothing(count) }
    return key(final: final, number: number).map { .key($0, count) } ?? .nothing(count)
  }

  private static func key(final: UInt8, number: Int?) -> Key? {
    switch (final, number) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1), (UInt8(ascii: "~"), 7): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4), (UInt8(ascii: "~"), 8): .end
    case (UInt8(ascii: "M"), nil): .enter  // The keypad's, in application mode.
    case (UInt8(ascii: "~"), 3): .delete
    case (UInt8(ascii: "~"), 5): .pageUp
    case (UInt8(ascii: "~"), 6): .pageDown
    default: nil
    }
  }
}
