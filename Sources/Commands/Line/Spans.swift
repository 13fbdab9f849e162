import Schedule

/// Spans of time on the command line, by the grammar of WHEN.
enum Spans {
  /// nil where the text is no span.
  static func read(_ text: String) -> Duration? { try? Span.parse(text) }

  /// The words as a span, or a complaint that shows a right command.
  static func check(_ words: [String], _ right: String) throws(Complaint) -> String {
    let text = words.joined(separator: " ")
    let bare = text.first == "+" ? String(text.dropFirst()) : text
    do throws(WhenError) {
      _ = try Span.parse(bare)
    } catch {
      throw .wrongWords("\(error.description), as in “\(right)”")
    }
    return bare
  }
}
