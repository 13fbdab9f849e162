import CLinux
import Engine
import Glibc
import Platform

/// The program as a person or a script calls it.
public enum CommandLineProgram {
  /// Reads the words of this process, does what they say, and ends it.
  public static func main() -> Never {
    openStandardDescriptors()
    reveille_signal_ignore(SIGPIPE)
    // A file that may grow no further (ulimit -f) is an error like a full disk.
    reveille_signal_ignore(SIGXFSZ)
    exit(run(Argument.ofProcess(), in: Surroundings.ofProcess()))
  }

  /// Does what the words say; the exit status.
  static func run(_ arguments: [Argument], in outside: Surroundings) -> Int32 {
    do throws(Complaint) {
      let status = try dispatch(arguments, outside)
      try outside.flush()
      return status
    } catch {
      // What was printed before the trouble is still worth having.
      do throws(Complaint) { try outside.flush() } catch {}
      outside.complain(error.sentence)
      return error.status.rawValue
    }
  }

  /// What `alarm --version` says, and the engine tells its clients.
  static let version = "0.1.0"

  /// The words by which the program starts itself as an engine in the background. They are nobody else's, so the help
  /// does not list them.
  private static func engineOptions(_ arguments: [Argument], _ outside: Surroundings) -> EngineOptions? {
    let words = arguments.compactMap(\.text)
    guard words.count == arguments.count, words.count > 2, words.starts(with: ["engine", "run"]) else {
      return nil
    }
    return EngineOptions(
      paths: outside.paths, version: version, words: Array(words.dropFirst(2)), judge: ScreenSettings.problems
    )
  }

  private static func dispatch(_ arguments: [Argument], _ outside: Surroundings) throws(Complaint) -> Int32 {
    if arguments.isEmpty { return try openScreen(outside) }
    if let options = engineOptions(arguments, outside) { return outside.runEngine(options) }
    let (name, rest) = try split(arguments)
    guard let name else {
      let parsed = try OptionParser(options: generalOptions, context: "alarm").parse(rest)
      if parsed.options["help"] != nil {
        for line in HelpText.overview() { outside.printLine(line) }
      } else if parsed.options["version"] != nil {
        outside.printLine("alarm \(version)")
      } else {
        return try openScreen(outside)
      }
      return 0
    }
    guard let word = name.text, let command = Command.named(word) else { throw unknownCommand(name) }
    let parsed = try OptionParser(options: command.allOptions, context: "alarm \(command.name)").parse(rest)
    if parsed.options["help"] != nil {
      for line in HelpText.lines(command) { outside.printLine(line) }
      return 0
    }
    return try command.run(
      Call(
        command: command, words: parsed.words, options: parsed.options, outside: outside,
        wordsBeforeEnd: parsed.wordsBeforeEnd))
  }

  /// Options of the program itself.
  static let generalOptions = [Option.help, Option("version", "shows the version")]

  /// The command's name, and the other words. Options may stand before it, so those with a value must be known here.
  private static func split(_ arguments: [Argument]) throws(Complaint) -> (Argument?, [Argument]) {
    let options = Command.all.flatMap(\.options)
    func takesValue(_ name: [UInt8]) -> Bool {
      let text = String(decoding: name, as: UTF8.self)
      if let exact = options.first(where: { $0.name == text }) { return exact.value != nil }
      return options.contains { $0.value != nil && $0.name.hasPrefix(text) }
    }
    var index = 0
    while index < arguments.count {
      switch OptionParser.Shape(arguments[index]) {
      case .word:
        return (arguments[index], Array(arguments[..<index] + arguments[(index + 1)...]))
      case .end:
        guard index + 1 < arguments.count else { return (nil, arguments) }
        return (arguments[index + 1], Array(arguments[..<index] + arguments[(index + 2)...]))
      case .long(let name, let value):
        index += value == nil && takesValue(name) ? 2 : 1
      case .short: index += 1
      }
    }
    return (nil, arguments)
  }

  private static func unknownCommand(_ name: Argument) -> Complaint {
    let shown = String(decoding: name.bytes, as: UTF8.self)
    let start = "there is no command “\(shown)”"
    if let near = nearest(to: shown, among: Command.all.map(\.name)) {
      return .wrongWords("\(start); did you mean “alarm \(near)”?")
    }
    if shown.utf8.first.map({ (48...57).contains($0) || $0 == UInt8(ascii: "+") }) == true {
      return .wrongWords("\(start); to add an alarm write “alarm add \(shown)”")
    }
    return .wrongWords("\(start); “alarm help” lists them all")
  }

  /// `occurrence`: the one whose notification is shown first.
  static func openScreen(_ outside: Surroundings, on occurrence: String? = nil) throws(Complaint) -> Int32 {
    if outside.isOnScreen { return outside.runScreen(occurrence) }
    guard outside.inputIsTerminal, outside.outputIsTerminal else {
      throw .failed(
        "the screen needs a terminal; “alarm status” says how things stand, and “alarm help” lists all commands"
      )
    }
    guard !outside.terminalIsDumb else {
      throw .failed(
        "this terminal (TERM=\(outside.environment["TERM", default: ""])) cannot show the screen; use “alarm status” and the other commands of “alarm help”"
      )
    }
    return outside.runScreen(occurrence)
  }

  /// Puts something behind descriptors 0 to 2 where the caller closed them: else the engine's socket could become
  /// number 1, and what is printed would go there. They are opened the wrong way round, so that using them fails.
  private static func openStandardDescriptors() {
    var status = stat()
    for number in Int32(0)...2 where fstat(number, &status) != 0 {
      _ = reveille_open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY, 0)
    }
  }
}
