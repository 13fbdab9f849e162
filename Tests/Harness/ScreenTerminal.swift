/// What tests of the screen need of a terminal, whichever draws it.
public protocol ScreenTerminal: Sendable {
  /// What is shown, a line a row, without the spaces at the ends.
  func lines() throws -> [String]
  /// Types characters, escape sequences too.
  func type(_ text: String) throws
  /// Pastes text, in brackets where the program asked for that.
  func paste(_ text: String) throws
  func wait(until what: String, within deadline: Duration, _ condition: ([String]) throws -> Bool) throws
}

extension ScreenTerminal {
  /// Waits until a text is shown.
  public func see(_ text: String, within deadline: Duration = .seconds(20)) throws {
    try wait(until: "“\(text)” is shown", within: deadline) { $0.contains { $0.contains(text) } }
  }

  /// Waits until a text is not shown any more.
  public func seeNo(_ text: String, within deadline: Duration = .seconds(20)) throws {
    try wait(until: "“\(text)” is gone", within: deadline) { !$0.contains { $0.contains(text) } }
  }

  /// Where a text is shown, from 0.
  public func place(of text: String) throws -> (column: Int, row: Int)? {
    for (row, line) in try lines().enumerated() {
      if let range = line.firstRange(of: text) {
        return (line.distance(from: line.startIndex, to: range.lowerBound), row)
      }
    }
    return nil
  }

  /// What a terminal sends for a click there, in xterm's mode 1006.
  public func click(column: Int, row: Int) throws {
    try type("\u{1b}[<0;\(column + 1);\(row + 1)M\u{1b}[<0;\(column + 1);\(row + 1)m")
  }

  /// A turn of the wheel there: 64 up, 65 down.
  public func wheel(up: Bool, column: Int, row: Int) throws {
    try type("\u{1b}[<\(up ? 64 : 65);\(column + 1);\(row + 1)M")
  }
}

extension Terminal: ScreenTerminal {}

extension Emulator: ScreenTerminal {
  public func paste(_ text: String) throws { try type("\u{1b}[200~\(text)\u{1b}[201~") }
}
