import Testing
import Wire

@Suite("Cutting bytes into lines")
struct LineFramerTests {
  private func lines(_ pieces: [String], limit: Int = 8) -> [String] {
    var framer = LineFramer(limit: limit)
    var result: [String] = []
    for piece in pieces {
      framer.append(piece.utf8)
      while let line = framer.next() {
        switch line {
        case .line(let bytes): result.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong: result.append("<too long>")
        }
      }
    }
    return result
  }

  @Test(
    "Whatever the pieces, the lines are the same",
    arguments: [
      ([], []),
      (["a\n"], ["a"]),
      (["a"], []),
      (["a", "b\n"], ["ab"]),
      (["a\nb\n"], ["a", "b"]),
      (["a\nb", "c\n"], ["a", "bc"]),
      (["a\r\n"], ["a"]),
      (["\n\n"], ["", ""]),
      (["12345678\n"], ["12345678"]),
      (["123456789\n"], ["<too long>"]),
      (["123456789"], ["<too long>"]),
      (["123456789", "0", "1\nok\n"], ["<too long>", "ok"]),
      (["1234567890123456789", "\n", "ok\n"], ["<too long>", "ok"]),
      (["ok\n123456789\nok\n"], ["ok", "<too long>", "ok"]),
    ] as [([String], [String])])
  func pieces(_ pieces: [String], _ expected: [String]) {
    #expect(lines(pieces) == expected)
    // Byte by byte it must be the same.
    #expect(lines(pieces.joined().map(String.init)) == expected)
  }

  @Test("A long line is kept only up to the limit and told once")
  func bounded() {
    var framer = LineFramer()
    var told = 0
    for _ in 0..<64 {
      framer.append([UInt8](repeating: 120, count: 65_536))
      while let line = framer.next() { if line == .tooLong { told += 1 } }
      #expect(framer.count <= LineFramer.protocolLimit + 65_536)
    }
    #expect(told == 1)
  }
}
