/// What stands at one place of a command's form, as the help writes it: `off|one|all`, `[ID]`, `SOURCE…`.
struct CompletionPlace: Hashable {
  /// Words that are written as they stand.
  var words: [String] = []
  /// Placeholders such as `ID`.
  var names: [String] = []
  var isOptional = false
  var repeats = false

  func accepts(_ word: String) -> Bool { !names.isEmpty || words.contains(word) }

  /// `[SOURCE…]`; nil for what is no place of its own.
  init?(_ text: Substring) {
    isOptional = text.hasPrefix("[")
    let bare = text.filter { $0 != "[" && $0 != "]" && $0 != "…" }
    // A rule or a label is of as many words as it likes.
    repeats = text.contains("…") || ["WHEN", "RULE", "LABEL"].contains(bare)
    for part in bare.split(separator: "|") {
      if part.allSatisfy({ $0.isLowercase || $0 == "-" }), part.contains(where: \.isLetter) {
        words.append(String(part))
      } else {
        names.append(String(part))
      }
    }
    if words.isEmpty, names.isEmpty { return nil }
  }
}

/// One form of a command, read so that completions follow it.
struct CompletionForm {
  private(set) var places: [CompletionPlace] = []

  init(_ form: String, options: [Option]) {
    var words = form.split(separator: " ")[...]
    while let word = words.popFirst() {
      if word == "[options]" { continue }
      // Behind it stands another program's line.
      if word == "--" { break }
      let bare = word.drop { $0 == "[" }
      guard bare.hasPrefix("--") else {
        if let place = CompletionPlace(word) { places.append(place) }
        continue
      }
      let name = bare.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
      if options.contains(where: { $0.name == name && $0.value != nil }) { words = words.dropFirst() }
    }
  }

  /// What can stand behind these words; empty where the form has no such beginning.
  func next(after words: [String]) -> [CompletionPlace] {
    var states = reached(from: [0])
    for word in words {
      var after: Set<Int> = []
      for state in states where state < places.count && places[state].accepts(word) {
        after.insert(state + 1)
        if places[state].repeats { after.insert(state) }
      }
      states = reached(from: after)
    }
    return states.sorted().filter { $0 < places.count }.map { places[$0] }
  }

  /// These, and what comes when places that may be left out are.
  private func reached(from states: Set<Int>) -> Set<Int> {
    var result = states
    for state in states {
      var place = state
      while place < places.count, places[place].isOptional {
        place += 1
        result.insert(place)
      }
    }
    return result
  }
}
