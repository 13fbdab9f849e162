/// Words that do not say when; `description` is one sentence for the person who wrote them.
public struct WhenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that quotes the words, made safe to show, says what is wrong with them, and shows one right form.
  public let description: String
  /// The right form alone: `07:00`.
  public let form: String

  /// - Parameter isExample: the form keeps nothing of what was meant, and the sentence says so.
  init(_ complaint: Complaint, words: String, form: String? = nil, isExample: Bool = false) {
    self.form = (form ?? complaint.forms.first ?? "25m") + complaint.suffix
    let quoted = quote(words)
    description =
      quoted.isEmpty
      ? "no time is given: write \(self.form)"
      : "\"\(quoted)\" \(complaint.message): write \(isExample ? "a time such as " : "")\(self.form)"
  }
}

/// What is wrong, before it is known which of the forms to show is right here and now.
struct Complaint: Error {
  /// Follows the quoted words: `has no minutes`.
  var message: String
  /// Right forms, the best first; the first that is understood is shown.
  var forms: [String] = []
  /// What is no part of WHEN but belongs behind the form: ` --zone UTC`.
  var suffix = ""
}

/// Words of a person fit to be shown in a sentence: no controls, no marks that turn or hide text, not endless.
///
/// (The terminal's own guard is in another room; this one keeps the sentence harmless wherever it goes.)
func quote(_ words: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in words.unicodeScalars.prefix(400) {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      if result.last != " ", !result.isEmpty { result.append(" ") }
    case .format, .surrogate, .privateUse, .unassigned: result.append("\u{fffd}")
    case _ where scalar == "\"": result.append("'")
    default: result.append(scalar)
    }
  }
  if result.last == " " { result.removeLast() }
  return result.count > 60 ? String(result.prefix(57)) + "…" : String(result)
}
