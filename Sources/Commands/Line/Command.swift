/// An option of a command.
struct Option: Sendable {
  /// The long name without its hyphens.
  let name: String
  /// What its value is called in the help, nil for an option without one.
  let value: String?
  /// True where it may be given again and again; else the last one counts.
  let repeats: Bool
  let does: String

  init(_ name: String, _ value: String, repeats: Bool = false, _ does: String) {
    (self.name, self.value, self.repeats, self.does) = (name, value, repeats, does)
  }

  /// An option without a value.
  init(_ name: String, _ does: String) {
    (self.name, value, repeats, self.does) = (name, nil, false, does)
  }

  /// `--zone ZONE`
  var shown: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

  static let help = Option("help", "shows this help")
  static let json = Option("json", "prints JSON instead of lines for people")
}

/// A command line to be typed, and what it does.
struct Example: Sendable {
  let line: String
  let does: String
  init(_ line: String, _ does: String) { (self.line, self.does) = (line, does) }
}

/// A command: its name, options, help and deeds. The table of them (`Command.all`) is what the program offers.
struct Command: Sendable {
  enum Group: String, CaseIterable, Sendable {
    case alarms = "Alarms"
    case ringing = "When it rings"
    case player = "Music"
    case system = "The whole"
  }

  let name: String
  let group: Group
  /// The words behind the name, one text for each form: `WHEN [options]`; empty where there are none.
  let forms: [String]
  /// What it does, as the rest of the sentence that begins with its name.
  let summary: String
  /// Paragraphs for the command's own help.
  let about: [String]
  /// Its own options; `--help` is every command's.
  let options: [Option]
  let examples: [Example]
  /// Does it; the exit status.
  let run: @Sendable (Call) throws(Complaint) -> Int32

  init(
    _ name: String, _ group: Group, forms: [String] = [""], _ summary: String, about: [String] = [],
    options: [Option] = [], examples: [Example] = [],
    run: @escaping @Sendable (Call) throws(Complaint) -> Int32
  ) {
    (self.name, self.group, self.forms, self.summary) = (name, group, forms, summary)
    (self.about, self.options, self.examples, self.run) = (about, options, examples, run)
  }

  var allOptions: [Option] { options + [.help] }

  /// The first form, for sentences: `alarm add WHEN`.
  var usage: String {
    let form = forms.first ?? ""
    return form.isEmpty ? "alarm \(name)" : "alarm \(name) \(form)"
  }
}
