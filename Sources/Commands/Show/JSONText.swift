import Wire

/// JSON as text for standard output. Keys are sorted, so that the same object always looks the same; every control or
/// reordering character is escaped, so that nothing in a label can reach into a terminal.
enum JSONText {
  /// Over several lines, two spaces a level.
  static func pretty(_ value: JSON) -> String {
    var text = ""
    write(value, indent: 0, into: &text)
    return text
  }

  /// On one line.
  static func line(_ value: JSON) -> String {
    var text = ""
    write(value, indent: nil, into: &text)
    return text
  }

  private static func write(_ value: JSON, indent: Int?, into text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .int(let int): text += String(int)
    case .number(let number): text += shown(number)
    case .string(let string): quote(string, into: &text)
    case .array(let elements):
      list("[", "]", elements, indent, into: &text) { element, inner, text in
        write(element, indent: inner, into: &text)
      }
    case .object(let members):
      list("{", "}", members.sorted { $0.key < $1.key }, indent, into: &text) { member, inner, text in
        quote(member.key, into: &text)
        text += inner == nil ? ":" : ": "
        write(member.value, indent: inner, into: &text)
      }
    }
  }

  private static func list<Element>(
    _ open: String, _ close: String, _ elements: [Element], _ indent: Int?, into text: inout String,
    _ body: (Element, Int?, inout String) -> Void
  ) {
    text += open
    guard !elements.isEmpty else {
      text += close
      return
    }
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      body(element, inner, &text)
    }
    if let indent { text += "\n" + String(repeating: " ", count: indent) }
    text += close
  }

  /// A whole number without its `.0`; what JSON cannot say becomes null.
  private static func shown(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    return Int64(exactly: number).map(String.init) ?? String(number)
  }

  private static func quote(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x22: text += "\\\""
      case 0x5c: text += "\\\\"
      case 0x0a: text += "\\n"
      case 0x0d: text += "\\r"
      case 0x09: text += "\\t"
      case 0...0x1f, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f, 0xfeff,
        0xfff9...0xfffb:
        escape(UInt16(scalar.value), into: &text)
      case 0xe0000...0xe007f:
        for unit in String(scalar).utf16 { escape(unit, into: &text) }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func escape(_ unit: UInt16, into text: inout String) {
    let digits = String(unit, radix: 16)
    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
