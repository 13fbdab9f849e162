import Platform

/// The number of columns and rows; never negative, and 0 where a terminal says so.
public struct Size: Hashable, Sendable {
  public let columns: Int
  public let rows: Int

  public init(columns: Int, rows: Int) {
    // A terminal is free to claim 65 535 × 65 535; a frame of that would be 4 thousand million cells.
    self.columns = min(max(0, columns), 1000)
    self.rows = min(max(0, rows), 1000)
  }
}

/// A place on the screen, from 0 at the top left.
public struct Position: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public init(column: Int, row: Int) { (self.column, self.row) = (column, row) }
}

/// One place of the grid. A wide character has its text in the left cell; the right one has width 0 and no text.
public struct Cell: Hashable, Sendable {
  public var text: String
  public var width: UInt8
  public var style: Style

  public init(_ text: String = " ", width: UInt8 = 1, style: Style = .normal) {
    (self.text, self.width, self.style) = (text, width, style)
  }

  public static let blank = Cell()
}

/// How often what is shown changes by itself.
public enum Refresh: Int, Comparable, Sendable {
  case minute, second
  public static func < (left: Refresh, right: Refresh) -> Bool { left.rawValue < right.rawValue }
}

/// A part of the screen that a click means something on.
public struct Region: Hashable, Sendable {
  public let area: Area
  public let target: Target
}

/// A picture of the whole screen: a grid of cells, where the cursor stands, and how soon it will be out of date.
///
/// Drawing outside the grid is clipped; nothing traps at any size.
public struct Frame: Hashable, Sendable {
  public let size: Size
  public let charset: Charset
  public private(set) var cells: [Cell]
  /// Where the cursor shows, nil: hidden.
  public var cursor: Position?
  /// What a click means where; of those that lie over each other the last one counts.
  public private(set) var regions: [Region] = []
  /// The finest thing drawn that changes with the time: how often the process has to wake for it.
  public private(set) var refresh = Refresh.minute

  public init(_ size: Size, _ charset: Charset = .unicode) {
    self.size = size
    self.charset = charset
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  public subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

  public var bounds: Area { Area(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// Whether any cell of a range is another than in a frame of the same size.
  func differs(from other: Frame, in range: Range<Int>) -> Bool {
    for index in range where cells[index] != other.cells[index] { return true }
    return false
  }

  /// Makes every cell one that is equal to none that is drawn.
  mutating func spoil() { cells = Array(repeating: Cell("", width: 1), count: cells.count) }

  /// Says that something was drawn that shows seconds.
  public mutating func showsSeconds() { refresh = .second }

  /// Nobody looks: what moves may stand still until somebody does.
  mutating func restsUntilSeen() { refresh = .minute }

  /// Says what a click on an area means.
  public mutating func mark(_ area: Area, _ target: Target) {
    if !area.isEmpty { regions.append(Region(area: area, target: target)) }
  }

  public func region(atColumn column: Int, row: Int) -> Region? {
    regions.last { $0.area.contains(column, row) }
  }

  /// Draws one line of text from a place on, within an area, and answers the column behind it.
  ///
  /// The text is sanitised here, so that nothing from outside can reach a cell in another way. A grapheme that does not
  /// fit whole is not drawn. Text that is too long ends in `…` where `ellipsis` is set.
  @discardableResult
  public mutating func put(
    _ text: String, _ column: Int, _ row: Int, in area: Area, _ style: Style = .normal, ellipsis: Bool = true
  ) -> Int {
    let end = min(area.endColumn, size.columns)
    guard row >= max(0, area.row), row < min(area.endRow, size.rows), column < end else { return column }
    var column = column
    let beginning = Glyphs.beginning(of: text, columns: end - min(column, 0))
    if let glyphs = Glyphs.simple(beginning, charset) {
      let limit = ellipsis && glyphs.count > end - column ? end - 1 : end
      for glyph in glyphs.prefix(max(0, limit - column)) {
        if column >= max(0, area.column) { set(glyph, column, row, style) }
        column += 1
      }
      return ended(column, limit, end, row, in: area, style)
    }
    let shown = clean(beginning)
    let needed = ellipsis ? Glyphs.width(of: shown, charset, upTo: end - column) : 0
    let limit = column + needed > end ? end - 1 : end
    for character in shown {
      let glyphs = Glyphs.of(character, charset)
      let width = glyphs.reduce(0) { $0 + $1.width }
      guard column + width <= limit else { break }
      for glyph in glyphs {
        if column >= max(0, area.column) { set(glyph, column, row, style) }
        column += glyph.width
      }
    }
    return ended(column, limit, end, row, in: area, style)
  }

  /// Puts the sign behind what was cut off.
  private mutating func ended(
    _ column: Int, _ limit: Int, _ end: Int, _ row: Int, in area: Area, _ style: Style
  ) -> Int {
    guard limit < end, column < end, column >= max(0, area.column) else { return column }
    if let glyph = Glyphs.of("…", charset).first { set(glyph, column, row, style) }
    return column + 1
  }

  /// Draws text in the middle of an area's row.
  public mutating func putCentred(_ text: String, _ row: Int, in area: Area, _ style: Style = .normal) {
    let width = Glyphs.width(of: text, charset, upTo: area.columns)
    put(text, area.column + max(0, (area.columns - width) / 2), row, in: area, style)
  }

  /// Draws text at the right end of an area's row and answers the column it begins at.
  @discardableResult
  public mutating func putRight(_ text: String, _ row: Int, in area: Area, _ style: Style = .normal) -> Int {
    let start = max(area.column, area.endColumn - Glyphs.width(of: text, charset, upTo: area.columns))
    put(text, start, row, in: area, style)
    return start
  }

  /// Fills an area with spaces of a style.
  public mutating func fill(_ area: Area, _ style: Style = .normal) {
    for row in max(0, area.row)..<max(0, area.row, min(area.endRow, size.rows)) {
      for column in max(0, area.column)..<max(0, area.column, min(area.endColumn, size.columns)) {
        set(Glyph(text: " ", width: 1), column, row, style)
      }
    }
  }

  private mutating func set(_ glyph: Glyph, _ column: Int, _ row: Int, _ style: Style) {
    guard column >= 0, column + glyph.width <= size.columns, row >= 0, row < size.rows else { return }
    let index = row * size.columns + column
    for place in index..<index + glyph.width where cells[place].width != 1 { release(place) }
    cells[index] = Cell(glyph.text, width: UInt8(glyph.width), style: style)
    if glyph.width == 2 { cells[index + 1] = Cell("", width: 0, style: style) }
  }

  /// The other half of a wide character that is being overwritten must not stay.
  private mutating func release(_ index: Int) {
    let column = index % size.columns
    if cells[index].width == 0, column > 0 { cells[index - 1] = Cell(style: cells[index - 1].style) }
    if cells[index].width == 2, column + 1 < size.columns {
      cells[index + 1] = Cell(style: cells[index + 1].style)
    }
    cells[index] = .blank
  }
}

/// A rectangle of the screen. Cutting pieces off never gives a negative size.
public struct Area: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var columns: Int
  public var rows: Int

  public init(column: Int, row: Int, columns: Int, rows: Int) {
    (self.column, self.row, self.columns, self.rows) = (column, row, max(0, columns), max(0, rows))
  }

  public var endColumn: Int { column + columns }
  public var endRow: Int { row + rows }
  public var isEmpty: Bool { columns == 0 || rows == 0 }

  func contains(_ column: Int, _ row: Int) -> Bool {
    (self.column..<endColumn).contains(column) && (self.row..<endRow).contains(row)
  }

  /// One row of it, counted from its top.
  public func line(_ index: Int) -> Area {
    Area(column: column, row: row + index, columns: columns, rows: index < rows ? 1 : 0)
  }

  /// From a column of the screen on.
  public func from(_ column: Int) -> Area {
    let start = min(max(column, self.column), endColumn)
    return Area(column: start, row: row, columns: endColumn - start, rows: rows)
  }

  /// Takes rows off the top.
  public mutating func takeTop(_ count: Int) -> Area {
    let taken = min(max(0, count), rows)
    defer { (row, rows) = (row + taken, rows - taken) }
    return Area(column: column, row: row, columns: columns, rows: taken)
  }

  /// Takes rows off the bottom.
  public mutating func takeBottom(_ count: Int) -> Area {
    let taken = min(max(0, count), rows)
    rows -= taken
    return Area(column: column, row: endRow, columns: columns, rows: taken)
  }

  /// Smaller by so many columns at each side.
  public func inset(columns inset: Int) -> Area {
    let taken = min(inset, columns / 2)
    return Area(column: column + taken, row: row, columns: columns - 2 * taken, rows: rows)
  }
}
