import Platform

/// One line of text being typed, with a cursor between its characters.
public struct TextField: Hashable, Sendable {
  public private(set) var characters: [Character] = []
  /// How many characters stand before the cursor.
  public private(set) var cursor = 0

  /// No WHEN is nearly as long; a paste of a whole file ends here.
  static let longest = 500

  public init(_ text: String = "") { insert(text) }

  public var text: String { String(characters) }

  /// Types text at the cursor; it is sanitised, line breaks become spaces.
  public mutating func insert(_ text: String) {
    var joined = characters
    joined.insert(contentsOf: clean(text.prefix(TextField.longest)), at: cursor)
    // Marks join with the character before them, so what stands before the cursor is counted anew.
    let before = String(joined.prefix(joined.count - (characters.count - cursor)))
    characters = Array(String(joined).prefix(TextField.longest))
    cursor = min(before.count, characters.count)
  }

  /// Takes a key; false where it is none of the editing keys.
  @discardableResult
  public mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: characters.count)
    case .control("w"): remove(from: wordStart, to: cursor)
    default: return false
    }
    return true
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }

  private mutating func remove(from start: Int, to end: Int) {
    let range = max(0, start)..<min(characters.count, max(end, 0, start))
    guard !range.isEmpty else { return }
    let before = String(characters[..<range.lowerBound])
    let after = String(characters[range.upperBound...])
    characters = Array(before + after)
    cursor = min(before.count, characters.count)
  }
}
