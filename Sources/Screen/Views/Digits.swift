/// The large digits of the clock: a bitmap of 3 × 5 points, drawn at any scale. A point is as many columns wide as it is
/// half rows high, which is about square.
enum Digits {
  /// Five rows of three bits, the left point being the highest bit.
  private static let shapes: [Character: [UInt8]] = [
    "0": [0b111, 0b101, 0b101, 0b101, 0b111],
    "1": [0b010, 0b110, 0b010, 0b010, 0b111],
    "2": [0b111, 0b001, 0b111, 0b100, 0b111],
    "3": [0b111, 0b001, 0b111, 0b001, 0b111],
    "4": [0b101, 0b101, 0b111, 0b001, 0b001],
    "5": [0b111, 0b100, 0b111, 0b001, 0b111],
    "6": [0b111, 0b100, 0b111, 0b101, 0b111],
    "7": [0b111, 0b001, 0b001, 0b001, 0b001],
    "8": [0b111, 0b101, 0b111, 0b101, 0b111],
    "9": [0b111, 0b101, 0b111, 0b001, 0b111],
    ":": [0b0, 0b1, 0b0, 0b1, 0b0],
  ]

  /// Points a text is wide, with one point between the characters.
  static func points(_ text: String) -> Int {
    max(0, text.reduce(0) { $0 + ($1 == ":" ? 1 : 3) + 1 } - 1)
  }

  /// Rows the digits take at a scale.
  static func rows(_ scale: Int) -> Int { (5 * scale + 1) / 2 }

  /// The largest scale that fits; 0 where none does. Half rows need half blocks, which ASCII lacks.
  static func scale(_ text: String, columns: Int, rows: Int, _ charset: Charset) -> Int {
    let fitting = (1...12).last { scale in
      points(text) * scale <= columns && Digits.rows(scale) <= rows
        && (charset == .unicode || scale % 2 == 0)
    }
    return fitting ?? 0
  }

  /// Draws the text with its left upper corner at a place.
  static func draw(
    _ text: String, _ frame: inout Frame, column: Int, row: Int, scale: Int, in area: Area, _ style: Style
  ) {
    guard scale > 0 else { return }
    var left = column
    for character in text {
      let width = character == ":" ? 1 : 3
      defer { left += (width + 1) * scale }
      guard let shape = shapes[character] else { continue }
      for line in 0..<rows(scale) {
        for point in 0..<width {
          let block = block(shape, width - 1 - point, line, scale)
          guard !block.isEmpty else { continue }
          let text = String(repeating: block, count: scale)
          frame.put(text, left + point * scale, row + line, in: area, style, ellipsis: false)
        }
      }
    }
  }

  /// One point's piece of a row: each row holds two half rows.
  private static func block(_ shape: [UInt8], _ bit: Int, _ row: Int, _ scale: Int) -> String {
    func isSet(_ halfRow: Int) -> Bool {
      let line = halfRow / scale
      return line < shape.count && shape[line] >> UInt8(bit) & 1 == 1
    }
    return switch (isSet(2 * row), isSet(2 * row + 1)) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): ""
    }
  }
}
