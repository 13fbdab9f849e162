import FoundationEssentials

extension JSON {
  /// Reads JSON5 (comments, bare keys, single quotes, trailing commas), as the settings file is written in. Throws a part
  /// of a sentence that names the line of the first mistake.
  public init(json5 bytes: [UInt8]) throws(WireError) {
    // A mark at the beginning that some editors write is no part of the text.
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes[3...]) : bytes
    var finder = MistakeFinder(text)
    // First, because its depth is bounded and the decoder's is not ours.
    if let mistake = finder.find() { throw WireError(code: ErrorCode.parse, mistake) }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      self = try decoder.decode(JSON.self, from: Data(text))
    } catch {
      throw WireError(code: ErrorCode.parse, "it is not JSON5")
    }
  }
}

/// Walks over JSON5 (json5.org) and says where it first goes wrong; the library's decoder does not. It is no judge of
/// words and numbers, only of how values stand together.
private struct MistakeFinder {
  private let text: [UInt8]
  private var place = 0
  private var depth = 0

  private struct Mistake: Error {
    let place: Int
    let sentence: String
  }

  init(_ text: [UInt8]) { self.text = text }

  /// `line 3: a comma is missing`; nil where nothing is found.
  mutating func find() -> String? {
    do throws(Mistake) {
      try value()
      try space()
      if place < text.count { throw mistake("there is more after the end") }
      return nil
    } catch {
      let line = 1 + text[..<min(error.place, text.count)].count { $0 == 10 }
      return "line \(line): \(error.sentence)"
    }
  }

  private func mistake(_ sentence: String, at place: Int? = nil) -> Mistake {
    Mistake(place: place ?? self.place, sentence: sentence)
  }

  private var next: UInt8? { place < text.count ? text[place] : nil }

  private static func byte(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }

  /// Passes over space and comments.
  private mutating func space() throws(Mistake) {
    while let byte = next {
      if byte <= 32 {
        place += 1
      } else if byte == 0xc2 || byte == 0xe2 || byte == 0xef, isWideSpace {
        place += byte == 0xc2 ? 2 : 3
      } else if byte == Self.byte("/") {
        let start = place
        let second = place + 1 < text.count ? text[place + 1] : 0
        if second == Self.byte("/") {
          while let byte = next, byte != 10, byte != 13 { place += 1 }
        } else if second == Self.byte("*") {
          place += 2
          while place + 1 < text.count, !(text[place] == Self.byte("*") && text[place + 1] == Self.byte("/"))
          {
            place += 1
          }
          if place + 1 >= text.count { throw mistake("this comment has no end", at: start) }
          place += 2
        } else {
          throw mistake("there is a stray /")
        }
      } else {
        return
      }
    }
  }

  /// U+00A0, U+2028, U+2029 and U+FEFF.
  private var isWideSpace: Bool {
    let rest = text[place...]
    return rest.starts(with: [0xc2, 0xa0]) || rest.starts(with: [0xe2, 0x80, 0xa8])
      || rest.starts(with: [0xe2, 0x80, 0xa9]) || rest.starts(with: [0xef, 0xbb, 0xbf])
  }

  private mutating func value() throws(Mistake) {
    try space()
    switch next {
    case nil: throw mistake("a value is missing")
    case Self.byte("{"): try group("}", isObject: true)
    case Self.byte("["): try group("]", isObject: false)
    case Self.byte("\""), Self.byte("'"): try string()
    default: try word("a value")
    }
  }

  private mutating func group(_ end: Unicode.Scalar, isObject: Bool) throws(Mistake) {
    let start = place
    depth += 1
    if depth > Incoming.deepestNesting { throw mistake("this is nested too deep") }
    place += 1
    while true {
      try space()
      guard let byte = next else {
        throw mistake("the \(isObject ? "{" : "[") here has no \(end)", at: start)
      }
      if byte == Self.byte(end) { break }
      if isObject {
        if byte == Self.byte("\"") || byte == Self.byte("'") { try string() } else { try word("a key") }
        try space()
        guard next == Self.byte(":") else { throw mistake("a colon is missing after the key") }
        place += 1
      }
      try value()
      try space()
      if next == Self.byte(",") {
        place += 1
      } else if let byte = next, byte != Self.byte(end) {
        throw mistake("a comma or \(end) is missing")
      }
    }
    place += 1
    depth -= 1
  }

  private mutating func string() throws(Mistake) {
    let start = place
    let quote = text[place]
    place += 1
    while let byte = next, byte != quote {
      // A backslash may stand before a line's end.
      if byte == 10 || byte == 13 { break }
      place += byte == Self.byte("\\") ? 2 : 1
    }
    guard next == quote else { throw mistake("this text has no closing quote", at: start) }
    place += 1
  }

  /// A bare key, a number, or one of the words.
  private mutating func word(_ what: String) throws(Mistake) {
    let start = place
    while let byte = next,
      byte >= 0x80 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == Self.byte("_") || byte == Self.byte("$") || byte == Self.byte("+")
        || byte == Self.byte("-")
        || byte == Self.byte(".") || byte == Self.byte("\\")
    {
      place += 1
    }
    if place == start { throw mistake("\(what) is missing") }
    let word = String(decoding: text[start..<place], as: UTF8.self)
    let first = text[start]
    let isNumber = (48...57).contains(first) || "+-.".utf8.contains(first)
    if what == "a value", !isNumber, !["true", "false", "null", "Infinity", "NaN"].contains(word) {
      throw mistake("“\(word.prefix(30))” wants quotes", at: start)
    }
  }
}
