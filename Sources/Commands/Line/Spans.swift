import Schedule

/// Spans of time on the command line, by the grammar of WHEN.
enum Spans {
  /// nil where the text is no span.
  static func read(_ text: String) -> Duration? { nil }

  /// How many of the words make the longest span they begin with, nil where they begin with none.
  static func longest(_ words: [String]) -> Int? {
    (1...max(1, min(words.count, 12))).reversed().first { count in
      guard count <= words.count else { return false }
      let text = words[..<count].joined(separator: " ")
      return read(text.first == "+" ? String(text.dropFirst()) : text) != nil
    }
  }

  /// The words as a span, or a complaint that shows a right command.
  static func check(_ words: [String], _ right: String) throws(Complaint) -> String {
    let text = words.joined(separator: " ")
    let bare = text.first == "+" ? String(text.dropFirst()) : text
    guard read(bare) != nil else {
      throw .wrongWords("“\(text)” is no span of time; write it with its unit, as in “\(right)”")
    }
    return bare
  }
}
