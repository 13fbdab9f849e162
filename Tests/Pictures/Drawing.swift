import Harness

/// A terminal's picture as SVG. Blocks and lines are drawn as shapes, so that no font leaves gaps in them; letters are text
/// that is held to its columns.
enum Drawing {
  private static let (width, height, margin) = (9, 19, 12)
  private static let named = [
    "black": "1a1b26", "red": "c0392b", "green": "4e9a06", "brown": "c4a000", "blue": "3465a4",
    "magenta": "75507b",
    "cyan": "06989a", "white": "d3d7cf",
  ]

  static func svg(of screen: Emulator.Screen) -> String {
    let columns = screen.cells.first?.count ?? 0
    let (across, down) = (columns * width + 2 * margin, screen.cells.count * height + 2 * margin)
    // What is behind most of it.
    let grounds = screen.cells.joined().reduce(into: [:]) { $0[$1.background, default: 0] += 1 }
    let ground = colour(grounds.max { $0.value < $1.value }?.key ?? "default", "1a1b26")
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(across)" height="\(down)" viewBox="0 0 \(across) \(down)">
      <rect width="\(across)" height="\(down)" rx="8" fill="#\(ground)"/>
      <g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" xml:space="preserve">\n
      """
    for (row, cells) in screen.cells.enumerated() { text += line(cells, row, ground) }
    return text + "</g>\n</svg>\n"
  }

  private static func line(_ cells: [Emulator.Cell], _ row: Int, _ ground: String) -> String {
    var (result, column) = ("", 0)
    while column < cells.count {
      let start = column
      let cell = cells[column]
      let look = key(cell)
      // A run: cells of one look, of one kind.
      while column < cells.count, key(cells[column]) == look, isShape(cells[column]) == isShape(cell) {
        column += 1
      }
      let (x, y) = (margin + start * width, margin + row * height)
      var (ink, behind) = (colour(cell.foreground, "c8ccd8"), colour(cell.background, ground))
      if cell.isReversed { swap(&ink, &behind) }
      if behind != ground {
        result +=
          "<rect x=\"\(x)\" y=\"\(y)\" width=\"\((column - start) * width)\" height=\"\(height)\" fill=\"#\(behind)\"/>\n"
      }
      if isShape(cell) {
        result += shapes(cells[start..<column], x, y, ink)
      } else {
        result += words(cells[start..<column], start, row, ink)
      }
    }
    return result
  }

  /// Words apart, so that each begins in its own column.
  private static func words(_ cells: ArraySlice<Emulator.Cell>, _ start: Int, _ row: Int, _ ink: String)
    -> String
  {
    var result = ""
    var index = cells.startIndex
    while index < cells.endIndex {
      if cells[index].text == " " || cells[index].text.isEmpty {
        index += 1
        continue
      }
      let first = index
      var word = ""
      while index < cells.endIndex, cells[index].text != " " {
        word += cells[index].text
        index += 1
      }
      let (x, y) = (margin + first * width, margin + row * height + 14)
      let bold = cells[first].isBold ? " font-weight=\"bold\"" : ""
      let line = cells[first].isUnderlined ? " text-decoration=\"underline\"" : ""
      result +=
        "<text x=\"\(x)\" y=\"\(y)\" fill=\"#\(ink)\"\(bold)\(line) textLength=\"\((index - first) * width)\">\(escaped(word))</text>\n"
    }
    return result
  }

  private static func isShape(_ cell: Emulator.Cell) -> Bool {
    "█▀▄━─".contains(cell.text) && !cell.text.isEmpty
  }

  private static func shapes(_ cells: ArraySlice<Emulator.Cell>, _ x: Int, _ y: Int, _ ink: String) -> String
  {
    var result = ""
    var index = cells.startIndex
    while index < cells.endIndex {
      let first = index
      while index < cells.endIndex, cells[index].text == cells[first].text { index += 1 }
      let (top, tall) =
        switch cells[first].text {
        case "▀": (0, height / 2)
        case "▄": (height / 2, height - height / 2)
        case "━": (height / 2 - 2, 4)
        case "─": (height / 2 - 1, 2)
        default: (0, height)
        }
      result +=
        "<rect x=\"\(x + (first - cells.startIndex) * width)\" y=\"\(y + top)\" width=\"\((index - first) * width)\" height=\"\(tall)\" fill=\"#\(ink)\"/>\n"
    }
    return result
  }

  private static func key(_ cell: Emulator.Cell) -> [String] {
    [cell.foreground, cell.background, "\(cell.isBold) \(cell.isReversed) \(cell.isUnderlined)"]
  }

  private static func colour(_ name: String, _ standard: String) -> String {
    name == "default" ? standard : named[name] ?? name
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
