/// A piece of what a person wrote: digits, ASCII letters (in lower case), or one other character.
struct Token {
  enum Kind { case number, word, symbol }
  let kind: Kind
  let text: String
  /// Nothing stands between it and the piece before.
  let glued: Bool
  /// Where it stands, in scalars.
  let range: Range<Int>

  /// The value of a number of at most nine digits.
  var value: Int? { kind == .number && text.utf8.count <= 9 ? Int(text) : nil }
  /// The number of digits.
  var digits: Int { text.utf8.count }
}

/// What a person wrote, cut into pieces.
struct Words {
  /// More than any time can need.
  static let limit = 200

  let scalars: [Unicode.Scalar]
  let tokens: [Token]

  init(_ text: String) throws(Complaint) {
    guard text.utf8.count <= Words.limit else {
      throw Complaint(message: "is too long to be a time", forms: ["07:00"])
    }
    // Every kind of space becomes the plain one, so that what is shown again stays on its line.
    let scalars = text.unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }
    var tokens: [Token] = []
    var index = 0
    while index < scalars.count {
      let start = index
      guard let kind = Words.kind(scalars[index]) else {
        index += 1
        continue
      }
      index += 1
      if kind != .symbol {
        while index < scalars.count, Words.kind(scalars[index]) == kind { index += 1 }
      }
      let text = scalars[start..<index].reduce(into: "") { $0.unicodeScalars.append($1) }
      tokens.append(
        Token(
          kind: kind, text: kind == .word ? text.lowercased() : text,
          glued: tokens.last?.range.upperBound == start,
          range: start..<index))
    }
    (self.scalars, self.tokens) = (scalars, tokens)
  }

  /// The words as they were written, from the first piece to the last, with other text in place of some pieces.
  func replacing(_ range: Range<Int>, by text: String) -> String {
    guard let first = tokens.first, let last = tokens.last, !range.isEmpty, range.upperBound <= tokens.count
    else {
      return text
    }
    return string(first.range.lowerBound..<tokens[range.lowerBound].range.lowerBound) + text
      + string(tokens[range.upperBound - 1].range.upperBound..<last.range.upperBound)
  }

  /// Some pieces as they were written.
  func string(ofTokens range: Range<Int>) -> String {
    guard !range.isEmpty, range.upperBound <= tokens.count else { return "" }
    return string(tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound)
  }

  /// All of it, without the space around it.
  var whole: String { string(ofTokens: tokens.indices) }

  private func string(_ range: Range<Int>) -> String {
    scalars[range].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// nil for what only separates.
  private static func kind(_ scalar: Unicode.Scalar) -> Token.Kind? {
    switch scalar {
    case "0"..."9": .number
    case "a"..."z", "A"..."Z": .word
    case " ": nil
    default: .symbol
    }
  }
}

/// Walks over the pieces; whoever reads something that turns out to be something else puts `at` back.
struct Cursor {
  let words: Words
  var at = 0

  init(_ words: Words) { self.words = words }

  var tokens: [Token] { words.tokens }
  var atEnd: Bool { at >= words.tokens.count }

  /// The piece `offset` further on.
  func peek(_ offset: Int = 0) -> Token? {
    tokens.indices.contains(at + offset) ? tokens[at + offset] : nil
  }

  func word(_ offset: Int = 0) -> String? { peek(offset).flatMap { $0.kind == .word ? $0.text : nil } }

  func isSymbol(_ text: String, _ offset: Int = 0, glued: Bool = false) -> Bool {
    guard let token = peek(offset), token.kind == .symbol else { return false }
    return token.text == text && (token.glued || !glued)
  }

  /// A number, of so many digits.
  func number(_ offset: Int = 0, digits: ClosedRange<Int> = 1...9, glued: Bool = false) -> Int? {
    guard let token = peek(offset), digits.contains(token.digits), token.glued || !glued else { return nil }
    return token.value
  }

  mutating func take(_ word: String) -> Bool {
    guard self.word() == word else { return false }
    at += 1
    return true
  }

  mutating func takeSymbol(_ text: String) -> Bool {
    guard isSymbol(text) else { return false }
    at += 1
    return true
  }
}
