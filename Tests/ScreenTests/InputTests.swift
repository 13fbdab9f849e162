import Testing

@testable import Screen

@Suite("What is typed")
struct InputTests {
  @Test(
    "Bytes are keys",
    arguments: [
      ("a", [Key.character("a")]), ("\r", [.enter]), ("\u{7f}", [.backspace]), ("\u{17}", [.control("w")]),
      ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]), ("\u{1b}[1;5C", [.right]), ("\u{1b}[3~", [.delete]),
      ("\u{1b}[1~", [.home]), ("\u{1b}[F", [.end]),
      ("é早🐈", [.character("é"), .character("早"), .character("🐈")]),
      // What is not known is dropped whole: mouse, focus, function keys, Alt, C1.
      ("\u{1b}[<0;1;1M", []), ("\u{1b}[I", []), ("\u{1b}[[Aq", [.character("q")]), ("\u{1b}d", []),
      ("\u{9b}", []), ("\u{1b}[15~", []),
    ] as [(String, [Key])])
  func keys(_ text: String, _ keys: [Key]) {
    var decoder = KeyDecoder()
    let inputs = decoder.append(text.utf8)
    #expect(inputs == keys.map { .key($0) })
    #expect(!decoder.isWaiting)
    // The same in pieces of one byte.
    let pieces = text.utf8.flatMap { decoder.append([$0]) }
    #expect(pieces == keys.map { .key($0) })
  }

  @Test("A lone ESC is a key when nothing follows")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.append([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.timeOut() == [.key(.escape)])
    #expect(!decoder.isWaiting)
    #expect(decoder.append([0x1b, 0x5b]) == [])
    #expect(decoder.timeOut() == [])
    #expect(decoder.append([0x1b, 0x1b, 0x5b, 0x41]) == [.key(.escape), .key(.up)])
  }

  @Test("A paste is one thing, whatever it holds, however it is cut", arguments: [1, 2, 3, 5, 100])
  func paste(_ piece: Int) {
    var decoder = KeyDecoder()
    let bytes = Array("x\u{1b}[200~q\rd\u{1b}[A\u{1b}[201\u{1b}[201~y".utf8)
    var inputs: [KeyDecoder.Input] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      inputs += decoder.append(bytes[start..<min(bytes.count, start + piece)])
    }
    #expect(
      inputs == [.key(.character("x")), .paste("q\rd\u{1b}[A\u{1b}[201"), .key(.character("y"))])
  }

  @Test("A paste whose end never comes does not take the keys for ever, and is bounded")
  func endlessPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.append("\u{1b}[200~".utf8) == [])
    for _ in 0..<100 {
      let inputs = decoder.append(Array(repeating: 0x61, count: 10_000))
      #expect(inputs.isEmpty)
    }
    guard case .paste(let text)? = decoder.timeOut().first else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == KeyDecoder.longestPaste)
    #expect(decoder.append("q".utf8) == [.key(.character("q"))])
  }

  @Test("Any bytes at all are taken without a trap")
  func noise() {
    var random = Seeded(7)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        [0x1b, 0x5b, 0x7e, 0x4f, 0xc3, 0xf0, 0x80, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      for case .key(.character(let character)) in decoder.append(bytes) {
        #expect(character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) })
      }
      if Bool.random(using: &random) { _ = decoder.timeOut() }
    }
  }

  @Test("The field edits where its cursor is")
  func field() {
    var field = TextField("mon 7am tomorrow")
    field.handle(.control("w"))
    #expect(field.text == "mon 7am ")
    field.handle(.control("w"))
    #expect(field.text == "mon ")
    field.handle(.home)
    field.handle(.character("x"))
    field.handle(.right)
    field.handle(.delete)
    #expect(field.text == "xmn " && field.cursor == 2)
    field.handle(.control("u"))
    #expect(field.text == "n " && field.cursor == 0)
    field.handle(.backspace)
    field.handle(.left)
    field.handle(.end)
    field.handle(.right)
    field.handle(.backspace)
    #expect(field.text == "n")
    let isTaken = field.handle(.up)
    #expect(!isTaken)
  }

  @Test("Marks join the character before the cursor, and nothing outside gets in raw")
  func marks() {
    var field = TextField("e")
    field.handle(.character("\u{301}"))
    #expect(field.characters == ["e\u{301}"] && field.cursor == 1)
    field.handle(.backspace)
    #expect(field.characters.isEmpty && field.cursor == 0)
    field.insert("a\nb\u{1b}[2J\u{202e}c")
    #expect(field.text == "a b\u{fffd}[2J\u{fffd}c")
    field.insert(String(repeating: "y", count: 100_000))
    #expect(field.characters.count == TextField.longest)
  }
}

/// A small generator whose numbers are the same on each run (splitmix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
