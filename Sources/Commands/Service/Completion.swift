import Platform

/// What can stand in place of the last word of a line, by the table of commands.
struct Completion {
  /// A shell is to put the names of files there too, or of its commands.
  static let files = ":files"
  static let commands = ":commands"

  /// A word, and what it means.
  struct Candidate: Hashable {
    var word: String
    var about = ""
    init(_ word: String, _ about: String = "") { (self.word, self.about) = (word, about) }
  }

  /// The words behind `alarm`; the last is the one that is being written.
  private let before: [String]
  private let current: String
  private let known: KnownWords

  init(_ words: [String], _ known: KnownWords) {
    (before, current) = (Array(words.dropLast()), words.last ?? "")
    self.known = known
  }

  /// `word` or `word<tab>what it means`, those that begin as the current one does.
  func lines() -> [String] {
    var seen: Set<String> = []
    return candidates().filter {
      ([Completion.files, Completion.commands].contains($0.word) || $0.word.hasPrefix(current))
        && seen.insert($0.word).inserted
    }.map { candidate in
      // A word with such a character in it could not be typed so.
      let about = clean(candidate.about.replacingTabs)
      return about.isEmpty ? candidate.word : "\(candidate.word)\t\(about)"
    }.filter { !$0.contains("\n") }
  }

  private func candidates() -> [Candidate] {
    guard let line = Line(before) else { return [] }
    guard let command = line.command else {
      if let value = line.openOption { return values(of: value) }
      return current.hasPrefix("-")
        ? options(CommandLineProgram.generalOptions, given: line.options)
        : Command.all.map { Candidate($0.name, $0.summary) }
    }
    if line.hasEnded {
      guard command.forms.contains(where: { $0.contains("-- COMMAND") }) else {
        return words(of: command, after: line.words)
      }
      return [Candidate(line.words.isEmpty ? Completion.commands : Completion.files)]
    }
    if let option = line.openOption { return values(of: option) }
    if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let lead = current[...equals]
      let name = lead.dropFirst(2).dropLast()
      return command.allOptions.first { $0.name == name }.map { option in
        values(of: option).map { value in
          [Completion.files, Completion.commands].contains(value.word)
            ? value : Candidate(lead + value.word, value.about)
        }
      } ?? []
    }
    if current.hasPrefix("-") { return options(command.allOptions, given: line.options) }
    return words(of: command, after: line.words)
  }

  private func options(_ options: [Option], given: Set<String>) -> [Candidate] {
    options.filter { $0.repeats || !given.contains($0.name) }.map { Candidate("--\($0.name)", $0.does) }
  }

  private func values(of option: Option) -> [Candidate] {
    (option.value ?? "").split(separator: "|").flatMap { name -> [Candidate] in
      option.name == "sound" && name == "NAME" ? known.sounds() : values(named: String(name), nil)
    }
  }

  private func words(of command: Command, after words: [String]) -> [Candidate] {
    var result: [Candidate] = []
    for form in command.forms {
      for place in CompletionForm(form, options: command.options).next(after: words) {
        result += place.words.map { Candidate($0, command.name == "help" ? about(topic: $0) : "") }
        for name in place.names {
          result += values(named: name, command).filter { !place.repeats || !words.contains($0.word) }
        }
      }
    }
    return result
  }

  /// What a placeholder of the help stands for.
  private func values(named name: String, _ command: Command?) -> [Candidate] {
    switch name {
    case "ID": return command?.name == "awake" ? known.leases() : known.alarms()
    case "OCCURRENCE": return known.occurrences()
    case "SOURCE", "FILE", "FOLDER": return [Candidate(Completion.files)]
    case "NAME": return known.devices()
    case "COMMAND" where command?.name == "help": return Command.all.map { Candidate($0.name, $0.summary) }
    case "ZONE": return known.zones()
    case "WHEN", "RULE": return KnownWords.times
    default: return []
    }
  }

  private func about(topic: String) -> String { HelpText.topics.first { $0.name == topic }?.summary ?? "" }

  /// The words before the current one, told apart as the program itself does it.
  private struct Line {
    var command: Command?
    var words: [String] = []
    var options: Set<String> = []
    /// The option whose value the current word is.
    var openOption: Option?
    /// `--` has ended the options.
    var hasEnded = false

    /// nil where the command is none.
    init?(_ typed: [String]) {
      var rest = typed[...]
      while let word = rest.popFirst() {
        guard !hasEnded, word.hasPrefix("--") else {
          if command == nil, !word.hasPrefix("-") {
            guard let found = Command.named(word) else { return nil }
            command = found
          } else if hasEnded || !word.hasPrefix("-") || word.dropFirst().first?.isNumber == true {
            words.append(word)
          }
          continue
        }
        if word == "--" {
          hasEnded = true
          if command != nil, command?.name != "awake" { continue }
          words = []
          continue
        }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let offered = command?.allOptions ?? Command.all.flatMap(\.options)
        options.insert(String(name))
        guard !word.contains("="), let option = offered.first(where: { $0.name == name }), option.value != nil
        else { continue }
        if rest.popFirst() == nil { openOption = option }
      }
    }
  }
}

extension String {
  fileprivate var replacingTabs: String { String(map { $0 == "\t" ? " " : $0 }) }
}
