extension Command {
  static let completions = Command(
    "completions", .system, forms: ["bash|zsh|fish", "words -- WORD…"],
    "prints what lets a shell complete its words",
    about: [
      "“alarm install” and “make install” put it where the shells look for it. The shell then asks “alarm completions words”, which prints what can stand in place of the last WORD of a line, one a line, with a tab and what it means behind it. It asks the engine for alarms and devices only if one runs, and starts none."
    ],
    examples: [
      Example("alarm completions bash", "for a file that bash reads"),
      Example("alarm completions fish", "the same for fish"),
      Example("alarm completions words -- awake r", "what a shell asks"),
    ]
  ) { call throws(Complaint) in
    if let before = call.wordsBeforeEnd, try call.texts().first == "words", before == 1 {
      let typed = call.words.dropFirst().map { String(decoding: $0.bytes, as: UTF8.self) }
      // Nobody waits at a key for an engine that hangs.
      call.outside.endWithin(2)
      for line in Completion(typed, KnownWords(call.outside)).lines() { call.printLine(line) }
      return 0
    }
    let words = try call.texts()
    guard words.count == 1, let script = words.first.flatMap(CompletionScript.init(rawValue:)) else {
      throw .wrongWords("name one shell: “alarm completions bash”, “zsh” or “fish”")
    }
    call.printLines(
      script.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
    return 0
  }
}
