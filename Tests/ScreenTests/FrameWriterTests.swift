import Harness
import Platform
import Testing

@testable import Screen

/// What is written for a frame, drawn by an emulator that was written by others.
@Suite("Frames on a terminal", .serialized)
struct FrameWriterTests {
  /// A terminal of xterm's kind; what `TERM=xterm-256color` says.
  static func brush(_ theme: Theme, _ depth: ColourDepth, clears: Bool = true) -> Brush {
    Brush(
      place: { Array("\u{1b}[\($1 + 1);\($0 + 1)H".utf8) }, clear: Array("\u{1b}[H\u{1b}[2J".utf8),
      clearLine: clears ? Array("\u{1b}[K".utf8) : nil, erasesInColour: true, losesLastCell: false,
      showCursor: Array("\u{1b}[?25h".utf8), hideCursor: Array("\u{1b}[?25l".utf8),
      style: { style in
        let look = theme.look(style, depth)
        var codes = ["0"]
        if look.isBold { codes.append("1") }
        if look.isDim { codes.append("2") }
        if look.isUnderlined { codes.append("4") }
        if look.isReversed { codes.append("7") }
        for (ink, base) in [(look.ink, 30), (look.ground, 40)] {
          switch ink?.kind {
          case .exactly(let colour)? where depth == .direct:
            codes.append(
              "\(base + 8);2;" + ColourDepth.components(colour).map(String.init).joined(separator: ";"))
          case .some: codes.append("\(base + (ink?.own ?? 0))")
          case nil: break
          }
        }
        return Array("\u{1b}[\(codes.joined(separator: ";"))m".utf8)
      }, hasGround: theme.look(.normal, depth).ground != nil)
  }

  private static let words = [
    "Up", "早上好", "夜想曲 🎹", "e\u{301}te\u{301}", "👩‍👩‍👧‍👦 family", "שלום", "한국", "━━━───", "██▀▄", "❤️ x", "", "…",
    "क्षि", "a\u{200b}b", "½ Ω ж", "🇩🇪",
  ]

  private static func frame(_ size: Size, _ random: inout Seeded) -> Frame {
    var frame = Frame(size)
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let style = Style(
        Role.allCases.randomElement(using: &random) ?? .normal, selected: Bool.random(using: &random))
      let (column, row) = (
        Int.random(in: -2..<max(1, size.columns), using: &random),
        Int.random(in: 0..<max(1, size.rows), using: &random)
      )
      if Int.random(in: 0..<4, using: &random) == 0 {
        frame.fill(Area(column: column, row: row, columns: 9, rows: 2), style)
      } else {
        frame.put(words.randomElement(using: &random) ?? "", column, row, in: frame.bounds, style)
      }
    }
    if Bool.random(using: &random), size.columns > 0, size.rows > 0 {
      frame.cursor = Position(column: size.columns / 2, row: size.rows / 2)
    }
    return frame
  }

  @Test(
    "After any frame every cell of the terminal is that of the frame, and so is the cursor",
    arguments: [(Theme.default, ColourDepth.eight), (.dark, .direct), (.mono, .none), (.night, .eight)])
  func cells(_ theme: Theme, _ depth: ColourDepth) throws {
    useUTF8()
    var random = Seeded(UInt64(theme.rawValue.utf8.count))
    let terminal = try Emulator(
      columns: 31, rows: 7, running: ["sh", "-c", "stty raw -echo; echo ready; cat"],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    try terminal.wait(for: "ready")
    var writer = FrameWriter(FrameWriterTests.brush(theme, depth, clears: depth != .none))
    var expected = try terminal.count()
    for step in 0..<60 {
      let frame = FrameWriterTests.frame(Size(columns: 31, rows: 7), &random)
      if step % 20 == 19 { writer.forget() }
      let bytes = writer.bytes(for: frame)
      expected += bytes.count
      try terminal.send(bytes)
      try wait(until: "all is drawn") { try terminal.count() >= expected }
      try compare(try terminal.screen(), frame, theme, depth, "step \(step)")
    }
  }

  private func compare(
    _ screen: Emulator.Screen, _ frame: Frame, _ theme: Theme, _ depth: ColourDepth, _ about: String
  ) throws {
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let (cell, found) = (frame[column, row], screen.cells[row][column])
        let look = theme.look(cell.style, depth)
        var isRight = found.text == cell.text || (found.text == " " && cell.text.isEmpty)
        // The right half of a wide character has no look of its own.
        if cell.width > 0 {
          isRight =
            isRight && found.isBold == look.isBold && found.isReversed == look.isReversed
            && found.isUnderlined == look.isUnderlined && found.background == name(look.ground, depth)
            && found.foreground == name(look.ink, depth)
        }
        #expect(isRight, "\(about), column \(column), row \(row): \(cell) is shown as \(found)")
        if !isRight { return }
      }
    }
    #expect(screen.cursor.isShown == (frame.cursor != nil), "\(about)")
    if let cursor = frame.cursor {
      #expect((screen.cursor.column, screen.cursor.row) == (cursor.column, cursor.row), "\(about)")
    }
  }

  /// As pyte calls it.
  private func name(_ ink: Ink?, _ depth: ColourDepth) -> String {
    guard let ink else { return "default" }
    if case .exactly(let colour) = ink.kind, depth == .direct {
      return ColourDepth.components(colour).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"][ink.own]
  }

  @Test("A second of a clock is a few bytes, nothing new is none, and a digit beside the cursor is one")
  func few() {
    useUTF8()
    var writer = FrameWriter(FrameWriterTests.brush(.default, .indexed))
    func drawn(_ text: String) -> [UInt8] {
      var frame = Frame(Size(columns: 80, rows: 24))
      frame.put(text, 70, 13, in: frame.bounds, .dim)
      return writer.bytes(for: frame)
    }
    _ = drawn("0:10")
    let same = drawn("0:10")
    let next = drawn("0:11")
    let after = drawn("0:12")
    #expect(same.isEmpty)
    // The cursor stands behind the digit: one step back, and the digit.
    #expect(next == [0x08, 0x31] && after == [0x08, 0x32])
  }

  @Test("A terminal that would scroll gets everything but its last cell")
  func lastCell() {
    useUTF8()
    var brush = FrameWriterTests.brush(.mono, .none)
    brush.losesLastCell = true
    var writer = FrameWriter(brush)
    var frame = Frame(Size(columns: 3, rows: 1))
    frame.put("abc", 0, 0, in: frame.bounds)
    let text = String(decoding: writer.bytes(for: frame), as: UTF8.self)
    #expect(text.contains("ab") && !text.contains("c"))
  }

  @Test("Where clearing leaves another ground, every cell of a theme with a ground is written")
  func ground() {
    useUTF8()
    var brush = FrameWriterTests.brush(.dark, .direct)
    brush.erasesInColour = false
    var writer = FrameWriter(brush)
    let frame = Frame(Size(columns: 40, rows: 5))
    #expect(writer.bytes(for: frame).filter { $0 == 0x20 }.count == 200)
    #expect(writer.bytes(for: frame).isEmpty)
  }
}
