import Testing

@testable import Commands

@Suite("Options are told from words")
struct OptionParserTests {
  static let parser = OptionParser(
    options: [
      Option("zone", "ZONE", "…"), Option("snooze", "SPAN", "…"), Option("snooze-limit", "N", "…"),
      Option("silence-after", "SPAN", "…"), Option("info", "KEY=VALUE", repeats: true, "…"), .json, .help,
    ], context: "alarm test")

  struct Row: Sendable, CustomTestStringConvertible {
    let line: [Argument]
    let words: [Argument]
    let options: [String: [Argument]]
    var testDescription: String { line.map { $0.text ?? "?" }.joined(separator: " ") }
  }

  @Test(
    "Options stand anywhere, and what looks like a number is a word",
    arguments: [
      Row(line: [], words: [], options: [:]),
      Row(line: ["mon", "07:00"], words: ["mon", "07:00"], options: [:]),
      Row(line: ["--zone", "UTC", "mon"], words: ["mon"], options: ["zone": ["UTC"]]),
      Row(line: ["mon", "--zone=UTC", "07:00"], words: ["mon", "07:00"], options: ["zone": ["UTC"]]),
      Row(line: ["--zone="], words: [], options: ["zone": [""]]),
      Row(line: ["--info", "a=b", "--info=c=d"], words: [], options: ["info": ["a=b", "c=d"]]),
      Row(line: ["--z", "UTC"], words: [], options: ["zone": ["UTC"]]),
      Row(line: ["--si=5m"], words: [], options: ["silence-after": ["5m"]]),
      Row(line: ["--snooze", "5m"], words: [], options: ["snooze": ["5m"]]),
      Row(line: ["--snooze-l", "3"], words: [], options: ["snooze-limit": ["3"]]),
      Row(line: ["--zone", "--json"], words: [], options: ["zone": ["--json"]]),
      Row(line: ["-10s", "+25m", "-5", "-"], words: ["-10s", "+25m", "-5", "-"], options: [:]),
      Row(line: ["--json", "--", "--zone", "-h"], words: ["--zone", "-h"], options: ["json": [""]]),
      Row(line: ["-h"], words: [], options: ["help": [""]]),
      Row(line: ["--he"], words: [], options: ["help": [""]]),
      Row(
        line: ["--zone", Argument(bytes: [0xff])], words: [], options: ["zone": [Argument(bytes: [0xff])]]),
    ])
  func told(_ row: Row) throws {
    let parsed = try Self.parser.parse(row.line)
    #expect(parsed.words == row.words)
    #expect(parsed.options == row.options)
  }

  @Test(
    "A wrong option is named with what to write instead",
    arguments: [
      (["--zome", "UTC"], "alarm test has no option “--zome”; did you mean --zone?"),
      (["--jsn"], "alarm test has no option “--jsn”; did you mean --json?"),
      (["--volume=4"], "alarm test has no option “--volume”; “alarm test --help” lists what it has"),
      (["-x"], "alarm test has no option “-x”; “alarm test --help” lists what it has"),
      (["--=x"], "alarm test has no option “--”; “alarm test --help” lists what it has"),
      (["--s", "5m"], "“--s” could be --snooze, --snooze-limit or --silence-after; write more of it"),
      (["--json=yes"], "“--json” takes no value; write --json alone"),
      (["--zone"], "“--zone” needs a value: --zone ZONE"),
    ] as [([Argument], String)])
  func refused(_ line: [Argument], _ sentence: String) {
    #expect(throws: Complaint.wrongWords(sentence)) { try Self.parser.parse(line) }
  }

  @Test("A word that is not UTF-8 is not repaired on its way into the sentence's neighbours")
  func odd() throws {
    let word = Argument(bytes: Array("caf".utf8) + [0xe9])
    #expect(try Self.parser.parse([word]).words == [word])
    #expect(word.text == nil)
  }

  @Test(
    "The nearest candidate is found, and none where all are far",
    arguments: [
      ("lst", "list"), ("shwo", "show"), ("dismis", "dismiss"), ("LIST", "list"), ("stat", "status"),
      ("remvoe", "remove"),
      ("xylophone", nil), ("", nil),
    ] as [(String, String?)])
  func near(_ word: String, _ expected: String?) {
    #expect(nearest(to: word, among: Command.all.map(\.name)) == expected)
  }
}
