/// Text laid out in the columns of a terminal.
enum Columns {
  /// How many columns a text takes: none for marks that combine, two for East Asian wide characters and emoji
  /// (Unicode Standard Annex 11), one for all else.
  static func width(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7e: return 1
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
      0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f,
      0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// The text, cut with `…` where it is wider than `limit`.
  static func cut(_ text: String, to limit: Int) -> String {
    guard width(text) > limit else { return text }
    guard limit > 0 else { return "" }
    var result = ""
    var used = 0
    for character in text {
      let more = width(String(character))
      if used + more > limit - 1 { break }
      result.append(character)
      used += more
    }
    return result + "…"
  }

  static func padded(_ text: String, to size: Int) -> String {
    text + String(repeating: " ", count: max(0, size - width(text)))
  }

  /// Rows as aligned lines, two spaces between the columns and none at the end. Where `limit` is given, the widest of
  /// the columns named in `shrinkable` give way until a line fits, down to eight columns each.
  static func align(_ rows: [[String]], limit: Int? = nil, shrinkable: Set<Int> = []) -> [[String]] {
    var widths = widths(rows)
    if let limit {
      while total(widths) > limit,
        let widest = shrinkable.filter({ $0 < widths.count && widths[$0] > 8 }).max(by: {
          widths[$0] < widths[$1]
        })
      {
        widths[widest] -= 1
      }
    }
    return rows.map { row in
      row.enumerated().compactMap { column, text in
        widths[column] == 0 ? nil : padded(cut(text, to: widths[column]), to: widths[column])
      }
    }
  }

  /// True where the lines fit with no shrinkable column narrower than `least`.
  static func fit(_ rows: [[String]], limit: Int, shrinkable: Set<Int>, least: Int) -> Bool {
    let narrowest = widths(rows).enumerated().map {
      shrinkable.contains($0.offset) ? min($0.element, least) : $0.element
    }
    return total(narrowest) <= limit
  }

  private static func widths(_ rows: [[String]]) -> [Int] {
    (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 0
    }
  }

  /// How wide a line is; a column without width takes no space between either.
  private static func total(_ widths: [Int]) -> Int {
    let used = widths.filter { $0 > 0 }
    return used.reduce(0, +) + 2 * max(0, used.count - 1)
  }

  /// The words of a paragraph in lines of at most `limit` columns, each begun by `indent` spaces.
  static func wrap(_ paragraph: String, to limit: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, indent + width(line) + 1 + width(word) > limit {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    if !line.isEmpty { lines.append(margin + line) }
    return lines
  }
}
