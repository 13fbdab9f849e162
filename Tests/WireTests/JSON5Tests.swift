import Testing
import Wire

@Suite("Settings in JSON5")
struct JSON5Tests {
  @Test(
    "What the format allows is read",
    arguments: [
      ("{}", [:]), ("{ a: 1 }", ["a": 1]), ("{ 'a': \"x\", }", ["a": "x"]),
      ("\u{feff}{ // words { [ '\n a: true, /* more\n */ b: [1, 2,], }", ["a": true, "b": [1, 2]]),
      ("{ a: { b: 'it\\'s' } }", ["a": ["b": "it's"]]), ("{ a: -1.5 }", ["a": .number(-1.5)]),
      ("{ a: +1, }", ["a": 1]), ("{ a: 0x10 }", ["a": 16]), ("{ $a_1: null }", ["$a_1": .null]),
      ("{ 'keepAlive.when': 'always' }", ["keepAlive.when": "always"]),
    ] as [(String, JSON)])
  func read(_ text: String, _ expected: JSON) throws {
    #expect(try JSON(json5: Array(text.utf8)) == expected)
  }

  @Test(
    "A mistake is told with its line",
    arguments: [
      ("{", "line 1: the { here has no }"),
      ("{\n a: [1, 2\n", "line 2: the [ here has no ]"),
      ("{\n a: 1\n b: 2\n}", "line 3: a comma or } is missing"),
      ("{ a 1 }", "line 1: a colon is missing after the key"),
      ("{\n\n a: }", "line 3: a value is missing"),
      ("{ a: pulse }", "line 1: “pulse” wants quotes"),
      ("{ a: 'x\n }", "line 1: this text has no closing quote"),
      ("{ /* x", "line 1: this comment has no end"),
      ("{} {}", "line 1: there is more after the end"),
      ("{ : 1 }", "line 1: a key is missing"),
      ("", "line 1: a value is missing"),
      (String(repeating: "[", count: 100_000), "line 1: this is nested too deep"),
    ])
  func refused(_ text: String, _ sentence: String) {
    let error = #expect(throws: WireError.self) { try JSON(json5: Array(text.utf8)) }
    #expect(error?.description == sentence)
  }
}
