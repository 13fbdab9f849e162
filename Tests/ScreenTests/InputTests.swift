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
      ("\u{1b}[1;2C\u{1b}[1;2D\u{1b}[Z", [.shiftRight, .shiftLeft, .backTab]), ("\u{1b}[d", [.shiftLeft]),
      ("\u{1b}OM\u{1b}Ok\u{1b}Op", [.enter, "+", "0"]), ("\u{1b}[1;3A\u{1b}[1;9B", []),
      // modifyOtherKeys: Ctrl-L, Alt-x.
      ("\u{1b}[27;5;108~\u{1b}[27;3;120~", [.control("l")]),
      // kitty: Esc, Ctrl-D with Caps Lock, a with Num Lock, Shift-a, Shift-1 with what it types, a let go, Shift alone.
      ("\u{1b}[27u\u{1b}[100;69u\u{1b}[97;129u", [.escape, .control("d"), "a"]),
      ("\u{1b}[97;2u\u{1b}[49:33;2u\u{1b}[97;1:3u\u{1b}[57441;2u", ["A", "!"]),
      ("\u{1b}[57399u\u{1b}[57414u\u{1b}[57417;2u\u{1b}[127;1u", ["0", .enter, .shiftLeft, .backspace]),
      ("\u{1b}[1;1:3A\u{1b}[1;1:2A", [.up]), ("\u{1b}[57428u\u{1b}[57429u", [.media(.play), .media(.pause)]),
      ("\u{1b}[57430u\u{1b}[57435u\u{1b}[57436u", [.media(.playPause), .media(.next), .media(.previous)]),
      (
        "\u{1b}[57432u\u{1b}[57438u\u{1b}[57439u\u{1b}[57440;1:1u",
        [.media(.stop), .media(.volumeDown), .media(.volumeUp), .media(.mute)]
      ),
      // What is not known is dropped whole: function keys, Alt, C1, what a terminal answers, reports of colours.
      ("\u{1b}[[Aq", [.character("q")]), ("\u{1b}d", []), ("\u{1b}é", []), ("\u{9b}", []), ("\u{1b}[15~", []),
      ("\u{1b}[?62;4cq", ["q"]), ("\u{1b}[>41;354;0cq", ["q"]), ("\u{1b}[12;40Rq", ["q"]),
      ("\u{1b}]11;rgb:0000/0000/0000\u{7}q", ["q"]), ("\u{1b}]52;c;ZHE=\u{1b}\\q", ["q"]),
      ("\u{1b}P>|name d q\u{1b}\\q", ["q"]), ("\u{1b}_Gi=1;dq\u{1b}\\q", ["q"]), ("\u{1b}[5 qj", ["j"]),
      ("\u{1b}[99999999999999999999;5uq", ["q"]), ("\u{1b}[55296u\u{1b}[1114112u\u{1b}[155uq", ["q"]),
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

  @Test(
    "Bytes that are no text are no keys, and nothing beside them is lost",
    arguments: [
      [0x80], [0xff, 0xfe], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x90], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
      [0xf5, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func garbage(_ bytes: [UInt8]) {
    var decoder = KeyDecoder()
    var keys = decoder.append([0x61] + bytes)
    keys += decoder.timeOut() + decoder.append([0x62]) + decoder.timeOut()
    let expected: [KeyDecoder.Input] = [.key("a")] + (bytes == [0xc3, 0x28] ? [.key("(")] : []) + [.key("b")]
    #expect(keys == expected)
  }

  @Test(
    "The mouse reports where it was pressed, dragged and turned, and what was held",
    arguments: [
      ("\u{1b}[<0;5;3M", Mouse(.press, .left, row: 2, column: 4)),
      ("\u{1b}[<0;5;3m", Mouse(.release, .left, row: 2, column: 4)),
      ("\u{1b}[<2;1;1M", Mouse(.press, .right, row: 0, column: 0)),
      ("\u{1b}[<32;9;9M", Mouse(.drag, .left, row: 8, column: 8)),
      ("\u{1b}[<64;1;2M", Mouse(.wheelUp, row: 1, column: 0)),
      ("\u{1b}[<65;1;2M", Mouse(.wheelDown, row: 1, column: 0)),
      ("\u{1b}[<20;1;1M", Mouse(.press, .left, row: 0, column: 0, modifiers: [.shift, .control])),
      ("\u{1b}[M !\u{22}", Mouse(.press, .left, row: 1, column: 0)),
      ("\u{1b}[M#!!", Mouse(.release, row: 0, column: 0)),
      ("\u{1b}[<0;0;3M", nil), ("\u{1b}[<0;5M", nil), ("\u{1b}[<66;1;1M", nil), ("\u{1b}[<0;99999;1M", nil),
      ("\u{1b}[<-1;1;1M", nil), ("\u{1b}[<;;M", nil),
    ] as [(String, Mouse?)])
  func mouse(_ text: String, _ mouse: Mouse?) {
    for piece in [1, 100] {
      var decoder = KeyDecoder()
      let bytes = Array(text.utf8)
      var inputs: [KeyDecoder.Input] = []
      for start in stride(from: 0, to: bytes.count, by: piece) {
        inputs += decoder.append(bytes[start..<min(bytes.count, start + piece)])
      }
      #expect(inputs == (mouse.map { [.mouse($0)] } ?? []))
    }
  }

  @Test("Focus, and what a terminal can do")
  func answers() {
    var decoder = KeyDecoder()
    #expect(decoder.append("\u{1b}[I\u{1b}[O".utf8) == [.focus(true), .focus(false)])
    #expect(decoder.append("\u{1b}[?0u".utf8) == [.answer(.knowsKeys)])
    #expect(decoder.append("\u{1b}[?2026;2$y".utf8) == [.answer(.synchronizes)])
    #expect(decoder.append("\u{1b}[?2026;0$y\u{1b}[?2026;4$y\u{1b}[?12;1$y".utf8) == [])
  }

  @Test("What a terminal says at length is passed over without being kept, and not for ever")
  func strings() {
    var decoder = KeyDecoder()
    #expect(decoder.append("\u{1b}P".utf8) == [])
    for _ in 0..<100 { #expect(decoder.append(Array(repeating: 0x71, count: 10_000)) == []) }
    #expect(decoder.isWaiting)
    #expect(decoder.append([0x1b]) == [])
    #expect(decoder.append([0x5c, 0x6a]) == [.key("j")])
    #expect(decoder.append("\u{1b}]0;q".utf8) == [])
    #expect(decoder.timeOut() == [])
    #expect(decoder.append("j".utf8) == [.key("j")])
  }

  @Test(
    "A lone ESC is waited for as long as a person waits, the rest of a sequence as long as a slow link takes")
  func patience() {
    var decoder = KeyDecoder()
    _ = decoder.append([0x1b])
    #expect(decoder.patience == 60_000)
    _ = decoder.append([0x5b])
    #expect(decoder.patience == 500_000)
    _ = decoder.timeOut()
    #expect(!decoder.isWaiting)
    #expect(decoder.append([0x61]) == [.key("a")])
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
      inputs == [.key(.character("x")), .paste("q d\u{fffd}[A\u{fffd}[201"), .key(.character("y"))])
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
