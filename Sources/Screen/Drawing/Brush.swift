/// What a terminal is told to draw with: its capabilities, as bytes that are ready to be sent.
///
/// Pure: where they come from (terminfo) is the painter's affair, and tests have some of their own.
struct Brush: Sendable {
  /// Moves the cursor to column and row, from 0.
  var place: @Sendable (_ column: Int, _ row: Int) -> [UInt8]
  /// Clears the whole screen in the present colours where `erasesInColour`, else in the terminal's own.
  var clear: [UInt8]
  /// Clears from the cursor to the end of its line, likewise; nil where it cannot.
  var clearLine: [UInt8]?
  /// What is cleared gets the background that is set (`bce`).
  var erasesInColour: Bool
  /// The last cell cannot be written without scrolling everything up.
  var losesLastCell: Bool
  var showCursor: [UInt8]
  var hideCursor: [UInt8]
  /// What switches to a style from any other one.
  var style: @Sendable (Style) -> [UInt8]
  /// The theme has a background of its own.
  var hasGround: Bool
}

/// Turns frames into what a terminal must be sent so that it shows them: only the cells that differ from the frame before.
///
/// Terminals disagree about the width of emoji and of characters with marks. After one of those the cursor is placed anew, so
/// that a terminal of another opinion shifts nothing but that character.
struct FrameWriter: Sendable {
  private let brush: Brush
  private let styles: [[UInt8]]
  /// What the terminal shows; nil: nobody knows.
  private var shown: Frame?
  /// Where its cursor is; nil: nobody knows.
  private var column = 0
  private var row = -1
  private var style: Style?
  private var showsCursor: Bool?

  init(_ brush: Brush) {
    self.brush = brush
    styles = Role.allCases.flatMap { role in
      [false, true].map { brush.style(Style(role, selected: $0)) }
    }
  }

  /// The next frame is written whole: somebody else wrote on the terminal.
  mutating func forget() {
    (shown, style, showsCursor) = (nil, nil, nil)
    row = -1
  }

  /// How many cells of a frame differ from what is shown.
  func changes(to frame: Frame) -> Int {
    guard let shown, shown.size == frame.size else { return frame.cells.count }
    return zip(shown.cells, frame.cells).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
  }

  /// The bytes that make the terminal show a frame.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = []
    if shown?.size != frame.size {
      if showsCursor != false { hideCursor(&bytes) }
      paint(.normal, &bytes)
      bytes += brush.clear
      row = -1
      let isBlank = brush.erasesInColour || !brush.hasGround
      shown = Frame(frame.size, frame.charset)
      // Where clearing leaves another background than the theme's, every cell is written.
      if !isBlank { shown?.spoil() }
    }
    guard let shown else { return bytes }
    for row in 0..<frame.size.rows {
      write(row, of: frame, over: shown, &bytes)
    }
    if let cursor = frame.cursor {
      move(to: cursor.column, cursor.row, &bytes)
      if showsCursor != true { bytes += brush.showCursor }
      showsCursor = true
    } else if showsCursor != false {
      hideCursor(&bytes)
    }
    self.shown = frame
    return bytes
  }

  private mutating func write(_ row: Int, of frame: Frame, over shown: Frame, _ bytes: inout [UInt8]) {
    let (columns, start) = (frame.size.columns, row * frame.size.columns)
    guard frame.differs(from: shown, in: start..<start + columns) else { return }
    // From here on the line is blank: cheaper to clear than to write, where much of it is not blank yet.
    var blankFrom = columns
    while blankFrom > 0, frame.cells[start + blankFrom - 1] == .blank { blankFrom -= 1 }
    let toClear = (blankFrom..<columns).count { shown.cells[start + $0] != .blank }
    let clears = brush.clearLine != nil && toClear > 4 && (brush.erasesInColour || !brush.hasGround)
    var column = 0
    while column < (clears ? blankFrom : columns) {
      let cell = frame.cells[start + column]
      defer { column += 1 }
      // The right half of a wide character comes with its left half.
      guard cell.width > 0, cell != shown.cells[start + column] else { continue }
      if brush.losesLastCell, row == frame.size.rows - 1, column == columns - 1 { continue }
      put(cell, column, row, columns, &bytes)
    }
    if clears, let clearLine = brush.clearLine {
      move(to: blankFrom, row, &bytes)
      paint(.normal, &bytes)
      bytes += clearLine
    }
  }

  private mutating func put(_ cell: Cell, _ column: Int, _ row: Int, _ columns: Int, _ bytes: inout [UInt8]) {
    move(to: column, row, &bytes)
    paint(cell.style, &bytes)
    let isDisputed = Glyphs.isDisputed(cell.text)
    if isDisputed, cell.width == 2 {
      // A terminal that draws it narrow must show nothing old beside it.
      bytes += [0x20, 0x20]
      self.row = -1
      move(to: column, row, &bytes)
    }
    bytes += cell.text.utf8
    self.column = column + Int(cell.width)
    // At the right edge some terminals wait before they wrap and others do not.
    if isDisputed || self.column >= columns { self.row = -1 }
  }

  private mutating func move(to column: Int, _ row: Int, _ bytes: inout [UInt8]) {
    if self.row == row {
      let back = self.column - column
      if back == 0 { return }
      if (1...3).contains(back) {
        // Backspace moves by one column on every terminal there is.
        bytes += Array(repeating: 0x08, count: back)
        self.column = column
        return
      }
    }
    bytes += brush.place(column, row)
    (self.column, self.row) = (column, row)
  }

  private mutating func paint(_ style: Style, _ bytes: inout [UInt8]) {
    if self.style == style { return }
    bytes += styles[Int(style.role.rawValue) * 2 + (style.isSelected ? 1 : 0)]
    self.style = style
  }

  private mutating func hideCursor(_ bytes: inout [UInt8]) {
    bytes += brush.hideCursor
    showsCursor = false
  }
}
