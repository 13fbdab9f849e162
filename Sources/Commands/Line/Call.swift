import Platform
import Schedule
import Wire

/// One call of a command: what was typed, and what is outside.
struct Call {
  let command: Command
  let words: [Argument]
  let options: [String: [Argument]]
  let outside: Surroundings
  /// How many words stood before `--`; nil where there was none.
  var wordsBeforeEnd: Int?

  // MARK: What was typed

  /// True where an option without value was given.
  func has(_ option: String) -> Bool { options[option] != nil }

  /// The value of an option as text, nil where it was not given. Of several the last one counts.
  func option(_ name: String) throws(Complaint) -> String? {
    guard let value = options[name]?.last else { return nil }
    return try text(value)
  }

  /// All words as texts.
  func texts() throws(Complaint) -> [String] {
    var result: [String] = []
    for word in words { result.append(try text(word)) }
    return result
  }

  func text(_ argument: Argument) throws(Complaint) -> String {
    guard let text = argument.text else {
      throw .wrongWords(
        "“\(String(decoding: argument.bytes, as: UTF8.self))” is not valid UTF-8; only names of files may be otherwise"
      )
    }
    return text
  }

  /// Refuses words where the command takes none.
  func expectNoWords() throws(Complaint) {
    guard let first = words.first else { return }
    throw .wrongWords(
      "“alarm \(command.name)” takes no words, and “\(String(decoding: first.bytes, as: UTF8.self))” is one; leave it out"
    )
  }

  /// An alarm's number.
  func identifier(_ word: String) throws(Complaint) -> Int {
    guard let id = Call.number(word), id > 0 else {
      throw .wrongWords(
        "“\(word)” is not an alarm's number; “alarm list” shows them, as in “alarm \(command.name) 3”")
    }
    return id
  }

  /// The numbers of one alarm or more.
  func identifiers() throws(Complaint) -> [Int] {
    var result: [Int] = []
    for word in try texts() {
      let id = try identifier(word)
      if !result.contains(id) { result.append(id) }
    }
    guard !result.isEmpty else {
      throw .wrongWords("say which alarm: “alarm \(command.name) 3”; “alarm list” shows their numbers")
    }
    return result
  }

  /// The number of the one alarm, where the command takes exactly one.
  func onlyIdentifier() throws(Complaint) -> Int {
    let ids = try identifiers()
    guard ids.count == 1, words.count == 1 else {
      throw .wrongWords("“alarm \(command.name)” takes one alarm's number, as in “alarm \(command.name) 3”")
    }
    return ids[0]
  }

  /// A number of plain digits, nil for everything else.
  static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// A path that was typed, made absolute, as text that travels. A `file://` URI is taken as it is.
  func path(_ argument: Argument) throws(Complaint) -> String {
    let shown = String(decoding: argument.bytes, as: UTF8.self)
    if let text = argument.text, text.hasPrefix("file://") {
      guard let file = FileName(text: text) else {
        throw .wrongWords("“\(shown)” is not a file's URI; write file:///path/to/it, or its path")
      }
      return file.text
    }
    guard let file = FileName(bytes: argument.bytes) else {
      throw .wrongWords("the name of a file is empty; write its path")
    }
    if let text = argument.text, let scheme = text.range(ofScheme: "://") {
      throw .wrongWords(
        "“\(text)” is an address (\(scheme)), and only files and folders can be played; download it first")
    }
    do throws(SystemError) {
      let folder = file.isAbsolute ? file : try outside.currentFolder()
      return file.absolute(from: folder, home: outside.paths.home).text
    } catch {
      throw .failed(
        "“\(shown)” cannot be found from here: \(error); write its whole path, beginning with “/”")
    }
  }

  // MARK: The engine

  /// A connection to the engine, which is started where none runs.
  func engine() throws(Complaint) -> any EngineLink {
    do throws(WireError) {
      guard let link = try outside.connect(true) else {
        throw WireError(code: ErrorCode.refused, "no engine runs")
      }
      return link
    } catch {
      throw Complaint(error)
    }
  }

  /// Asks the engine; with `--json` its answer is printed as it came.
  func ask<Reply: Decodable>(
    _ method: String, _ params: [String: JSON] = [:], as kind: Reply.Type
  ) throws(Complaint) -> Reply {
    let link = try engine()
    do throws(WireError) {
      guard has("json") else { return try link.ask(method, .object(params), as: kind) }
      let answer = try link.ask(method, .object(params), as: Answer<Reply>.self)
      printLine(JSONText.pretty(answer.json))
      return answer.reply
    } catch {
      throw Complaint(error)
    }
  }

  /// Asks for something that is only done, and prints the sentences of the answer.
  func perform(_ method: String, _ params: [String: JSON] = [:]) throws(Complaint) -> Int32 {
    let reply = try ask(method, params, as: DoneReply.self)
    warn(reply.warnings)
    if !has("json") { for line in reply.lines { printLine(clean(line)) } }
    return 0
  }

  // MARK: Output

  func printLine(_ line: String) { outside.printLine(line) }

  func warn(_ sentences: [String]) { for sentence in sentences { outside.complain(sentence) } }

  /// Says that a list has nothing in it, to whoever reads it; a script that counts lines gets none.
  func tellEmpty(_ sentence: String) {
    if outside.outputIsTerminal || outside.isOnScreen { printLine(sentence) } else { warn([sentence]) }
  }

  var style: Style { Style(isOn: outside.usesColour) }
}

/// An answer read twice: as it came, for `--json`, and as what it is.
struct Answer<Reply: Decodable>: Decodable {
  let json: JSON
  let reply: Reply

  init(from decoder: any Decoder) throws {
    json = try JSON(from: decoder)
    reply = try Reply(from: decoder)
  }
}

extension Complaint {
  init(_ error: WireError) {
    switch error.code {
    case ErrorCode.wrongWords, ErrorCode.invalidParams: self.init(.wrongWords, error.description)
    case ErrorCode.unknownMethod:
      self.init(
        .failed,
        "the engine that runs is of another version and does not know this; “alarm engine stop” lets the next command start a new one"
      )
    default: self.init(.failed, error.description)
    }
  }
}

extension String {
  /// The scheme of an address such as `https://…`, nil where the text is none.
  fileprivate func range(ofScheme mark: String) -> Substring? {
    guard let colon = firstIndex(of: ":"), self[colon...].hasPrefix(mark) else { return nil }
    let scheme = self[..<colon]
    return !scheme.isEmpty && scheme.utf8.allSatisfy { (97...122).contains($0 | 0x20) } ? scheme : nil
  }
}
