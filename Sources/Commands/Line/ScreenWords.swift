import Glibc
import Platform
import Screen
import Wire

/// The shell's commands typed into the screen's own command line: the same words, run in the same process, what they print
/// handed back instead of written to the terminal, which the screen has.
enum ScreenWords {
  /// Any thread, once at a time.
  static func run(_ line: String, columns: Int = 80, environment: [String: String], paths: Paths)
    -> CommandOutcome
  {
    guard var words = split(line) else {
      return CommandOutcome(complaints: [
        "a quotation mark in “\(line)” has no end: write it twice or not at all"
      ])
    }
    // Whoever copies a line from the help copies the program's name too.
    if words.first == "alarm" { words.removeFirst() }
    guard !words.isEmpty else { return CommandOutcome() }
    if words.first == "import", words.contains("-") {
      // Its keys are the screen's.
      return CommandOutcome(complaints: ["the standard input is the screen's here: name a file"])
    }
    let stage = Stage()
    let outside = Surroundings(
      environment: environment, paths: paths,
      currentFolder: { () throws(SystemError) in try FileName.currentFolder() },
      write: { descriptor, bytes throws(SystemError) in
        if descriptor == 1 { stage.output += bytes } else { stage.complaints += bytes }
      },
      connect: { starting throws(WireError) in
        try (starting ? Connect.toEngine(paths) : Connect.toRunningEngine(paths)).map(Link.init)
      },
      runScreen: { opening in
        stage.opens = opening
        if opening == nil { stage.complain("the screen is open already") }
        return 0
      },
      runEngine: { _ in
        stage.complain(
          "an engine that stays in front needs a terminal of its own: type “alarm engine run” in a shell")
        return 1
      })
    outside.isOnScreen = true
    outside.columns = { columns }
    outside.askOnScreen = { stage.asks = $0 }
    outside.useSystem(paths)
    outside.runAwake = { _, _ in
      stage.complain("a command behind “--” needs a terminal of its own: type “alarm awake -- …” in a shell")
      return 125
    }
    _ = CommandLineProgram.run(words.map { Argument($0) }, in: outside)
    return CommandOutcome(
      lines: lines(stage.output),
      complaints: lines(stage.complaints).map { $0.hasPrefix("alarm: ") ? String($0.dropFirst(7)) : $0 },
      opens: stage.opens, asks: stage.asks)
  }

  /// What the command wrote where.
  private final class Stage {
    var output: [UInt8] = []
    var complaints: [UInt8] = []
    var opens: String?
    var asks: Question?
    func complain(_ sentence: String) { complaints += Array("\(sentence)\n".utf8) }
  }

  /// The engine, but nothing is waited for that it might say: a command that follows it ends after its first answer.
  private final class Link: EngineLink {
    private let client: Client
    init(_ client: Client) { self.client = client }

    func ask<Reply: Decodable>(_ method: String, _ params: JSON, as kind: Reply.Type) throws(WireError)
      -> Reply
    {
      try client.call(method, params, as: kind)
    }

    func awaitNotification() throws(WireError) -> (method: String, params: Incoming.Payload)? { nil }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      .reversed().drop { $0.isEmpty }.reversed()
  }

  /// Words as a shell splits them: at spaces, but for quotation marks and backslashes; nil where a mark has no end.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var mark: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", mark != "'" {
        isEscaped = true
      } else if let open = mark {
        if character == open { mark = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        mark = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return mark == nil && !isEscaped ? words : nil
  }
}
