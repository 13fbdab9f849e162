import Platform

/// The words and options of one command, told apart by the conventions of getopt_long(3).
struct ParsedLine: Hashable {
  var words: [Argument] = []
  /// The values of each option given, in their order; an option without value has an empty one.
  var options: [String: [Argument]] = [:]
  /// How many words stood before `--`; nil where there was none.
  var wordsBeforeEnd: Int?
}

/// Tells options from words: options stand anywhere, `--name value` or `--name=value`, a name may be shortened as long
/// as it stays unambiguous, `--` ends the options, and a word of a sign and a digit (`-10s`, `+25m`) is a word.
struct OptionParser {
  let options: [Option]
  /// For sentences: `alarm add`.
  let context: String

  func parse(_ arguments: some Collection<Argument>) throws(Complaint) -> ParsedLine {
    var result = ParsedLine()
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch Shape(argument) {
      case .word: result.words.append(argument)
      case .end:
        result.wordsBeforeEnd = result.words.count
        result.words += rest
        rest = []
      case .short(let letters):
        guard letters == Array("h".utf8) else { throw unknown(argument) }
        result.options["help", default: []].append("")
      case .long(let name, let attached):
        let option = try find(name, argument)
        if option.value == nil {
          if attached != nil {
            throw .wrongWords("“--\(option.name)” takes no value; write --\(option.name) alone")
          }
          result.options[option.name, default: []].append("")
        } else if let value = attached ?? rest.popFirst() {
          result.options[option.name, default: []].append(value)
        } else {
          throw .wrongWords("“--\(option.name)” needs a value: \(option.shown)")
        }
      }
    }
    return result
  }

  /// The option that `name` means: by its full name, or as the only one that begins so.
  private func find(_ name: [UInt8], _ argument: Argument) throws(Complaint) -> Option {
    guard let text = String(validating: name, as: UTF8.self), !text.isEmpty else { throw unknown(argument) }
    if let exact = options.first(where: { $0.name == text }) { return exact }
    let meant = options.filter { $0.name.hasPrefix(text) }
    if meant.count == 1, let only = meant.first { return only }
    if meant.count > 1 {
      let names = meant.map { "--" + $0.name }
      throw .wrongWords(
        "“--\(text)” could be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""); write more of it"
      )
    }
    throw unknown(argument)
  }

  private func unknown(_ argument: Argument) -> Complaint {
    let shown = String(decoding: argument.bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    let bare = String(shown.drop { $0 == "-" })
    let start = "\(context) has no option “\(shown)”"
    if let near = nearest(to: bare, among: options.map(\.name)) {
      return .wrongWords("\(start); did you mean --\(near)?")
    }
    return .wrongWords("\(start); “\(context) --help” lists what it has")
  }
}

extension OptionParser {
  /// What a word looks like before its meaning is known.
  enum Shape {
    case word
    case end
    case short([UInt8])
    case long(name: [UInt8], value: Argument?)

    init(_ argument: Argument) {
      let bytes = argument.bytes
      guard bytes.first == UInt8(ascii: "-"), bytes.count > 1 else {
        self = .word
        return
      }
      if bytes[1] == UInt8(ascii: "-") {
        if bytes.count == 2 {
          self = .end
        } else if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
          self = .long(name: Array(bytes[2..<equals]), value: Argument(bytes: Array(bytes[(equals + 1)...])))
        } else {
          self = .long(name: Array(bytes[2...]), value: nil)
        }
      } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]) {
        self = .word
      } else {
        self = .short(Array(bytes[1...]))
      }
    }
  }
}
