/// Text for man(7), one request or line of text at a time.
struct Roff {
  private(set) var lines: [String] = []

  /// A request such as `.SH`, its arguments quoted.
  mutating func request(_ name: String, _ arguments: String...) {
    lines.append(([".\(name)"] + arguments.map { "\"\(Roff.escaped($0))\"" }).joined(separator: " "))
  }

  /// A paragraph that is filled.
  mutating func paragraph(_ text: String) {
    lines.append(".PP")
    self.text(text)
  }

  /// A line of text; it ends no paragraph.
  mutating func text(_ text: String) { lines.append(Roff.line(Roff.escaped(text))) }

  /// What is typed in bold, and what it does beside or below it.
  mutating func entry(_ name: String, _ text: String) {
    lines.append(".TP")
    lines.append("\\fB\(Roff.escaped(name))\\fR")
    self.text(text)
  }

  /// Lines as they stand.
  mutating func block(_ block: [String]) {
    lines += [".PP", ".nf", ".RS 2"]
    lines += block.map { Roff.line(Roff.escaped($0)) }
    lines += [".RE", ".fi"]
  }

  /// A dot or apostrophe at the beginning of a line would make a request of it; an empty line is a request of its own.
  private static func line(_ text: String) -> String {
    if text.isEmpty { return ".sp" }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Every character as groff(7) names it, so that the page is plain ASCII and hyphens can be copied.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-", "−": result += "\\-"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "“": result += "\\(lq"
      case "”": result += "\\(rq"
      case "’": result += "\\(cq"
      case "–": result += "\\(en"
      case "±": result += "\\(+-"
      case "…": result += "..."
      case "·": result += "\\(pc"
      case " "..."~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return result
  }
}
