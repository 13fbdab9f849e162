extension Command {
  static let help = Command(
    "help", .system, forms: ["[COMMAND|when|config|sounds|man]"], "shows help",
    examples: [
      Example("alarm help add", "everything about “alarm add”"),
      Example("alarm help when", "how times are written"),
      Example("alarm help man", "the manual, for a file that man(1) is given"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard words.count <= 1 else {
      throw .wrongWords("“alarm help” takes one word, as in “alarm help \(words[0])”")
    }
    let lines: [String]
    switch words.first {
    case nil: lines = HelpText.overview()
    // “alarm help when” is the grammar, which is what the command of that name is about.
    case "when": lines = HelpWhen.lines() + [""] + HelpText.lines(.when)
    case "config": lines = HelpConfig.lines(call.outside.paths)
    case "man": lines = ManPage.lines()
    case "sounds": lines = HelpSounds.lines(call.outside.paths)
    case let name?:
      guard let command = Command.named(name) else {
        let names = Command.all.map(\.name) + HelpText.topics.map(\.name)
        let hint = nearest(to: name, among: names).map { "did you mean “alarm help \($0)”?" }
        throw .wrongWords("there is no help on “\(name)”; \(hint ?? "“alarm help” lists all commands")")
      }
      lines = HelpText.lines(command)
    }
    call.printLines(lines)
    return 0
  }
}
