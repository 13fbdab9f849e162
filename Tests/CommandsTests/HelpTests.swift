import Harness
import Platform
import Schedule
import Testing

@testable import Commands

@Suite("Help comes from the table of commands")
struct HelpTests {
  @Test(
    "Every command has its help, which lists every option and all its forms",
    arguments: Command.all.map(\.name))
  func complete(_ name: String) throws {
    let command = try #require(Command.named(name))
    let bench = Bench()
    #expect(bench.run("\(name) --help") == 0)
    let text = bench.text
    #expect(text.hasPrefix("usage: alarm \(name)"))
    for option in command.allOptions { #expect(text.contains("  \(option.shown)")) }
    for form in command.forms { #expect(text.contains("alarm \(name) \(form)") || form.isEmpty) }
    for example in command.examples { #expect(text.contains(example.line)) }
    #expect(!command.examples.isEmpty)
    #expect(bench.complaint.isEmpty)
    #expect(bench.engine.asked.isEmpty)
    let same = Bench()
    #expect(same.run(name == "when" ? "when -h" : "help \(name)") == 0)
    #expect(same.text == text)
  }

  @Test("No line of any help is wider than a terminal of 80 columns")
  func width() {
    let all =
      Command.all.flatMap(HelpText.lines) + HelpText.overview() + HelpWhen.lines()
      + HelpConfig.lines(Bench().outside.paths)
    for line in all where !line.hasPrefix("  /") { #expect(Columns.width(line) <= 80, "\(line)") }
  }

  @Test(
    "Every example of the help can be typed: its command and options exist",
    arguments: Command.all.map(\.name))
  func examples(_ name: String) throws {
    let command = try #require(Command.named(name))
    for example in command.examples {
      let words = shellWords(example.line)
      #expect(words.first == "alarm")
      #expect(words.dropFirst().first == Argument(name))
      _ = try OptionParser(options: command.allOptions, context: name).parse(words.dropFirst(2))
      // The engine of this bench knows nothing, so a right line ends there and a wrong one before it.
      let bench = Bench()
      bench.outside.outputIsTerminal = true
      let status = bench.run(words: Array(words.dropFirst()))
      #expect(status != 2, "\(example.line): \(bench.complaint)")
    }
  }

  @Test("Every form in the help on WHEN is understood")
  func grammar() throws {
    let now = Bench.now
    for section in HelpWhen.sections {
      for example in section.examples {
        #expect(throws: Never.self, "\(example.line)") { try When.parse(example.line, now: now, zone: .utc) }
      }
    }
    let also = [
      "7:00", "7am", "7:30 pm", "0730", "07h30", "noon", "midnight", "6:30 tomorrow", "today at 23:15",
      "on fri 8am",
      "Dec 24 6pm", "24th December at 18:00", "31 January 2027 07:00", "Sun, Jan 31, 2027 07:00",
      "every day 07:00",
      "07:00 daily", "weekdays 7am", "mon..fri 07:00", "fri-mon 07:00", "weekends 9:30", "first mon 18:30",
      "last fri 18:30", "in 25 minutes", "+90s", "+1h30", "in half an hour", "in 2 days",
    ]
    for words in also {
      #expect(throws: Never.self, "\(words)") { try When.parse(words, now: now, zone: .utc) }
    }
  }

  @Test("The overview names every command, and --help, -h and help are the same")
  func overview() {
    let texts = ["--help", "-h", "help", "--he"].map { line in
      let bench = Bench()
      #expect(bench.run(line) == 0)
      return bench.text
    }
    #expect(Set(texts).count == 1)
    for command in Command.all { #expect(texts[0].contains("  \(command.name) ")) }
  }

  @Test("Names of commands and options are unique")
  func unique() {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    for command in Command.all {
      #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    }
    // Options may stand before the command, so a name must take a value everywhere or nowhere.
    let all = Command.all.flatMap(\.allOptions)
    #expect(
      Set(all.filter { $0.value != nil }.map(\.name)).isDisjoint(
        with: all.filter { $0.value == nil }.map(\.name)))
  }

  @Test("The version is one line")
  func version() {
    let bench = Bench()
    #expect(bench.run("--version") == 0)
    #expect(bench.text == "alarm \(CommandLineProgram.version)\n")
  }

  @Test(
    "Sounds are listed by name, the first folder's before the second's, the silent clip and other files left out"
  )
  func sounds() throws {
    let (own, shared) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["dawn.flac", "silence.wav", "make.sh", "note.txt", ".hidden", "new\nline.ogg"] {
      try shared.write([], to: shared.file(name))
    }
    try own.write([], to: own.file("dawn.ogg"))
    let found = HelpSounds.find(in: [own.path, "/nowhere", shared.path])
    #expect(found.map(\.name) == ["dawn", "new\nline"])
    #expect(found.first?.file == own.file("dawn.ogg"))
  }
}
