import Core
import Harness
import Platform
import Testing

@testable import Commands

@Suite("What install writes")
struct ServiceTextTests {
  @Test("The manual has every command, form, option, example, form of WHEN and setting")
  func manual() throws {
    let page = ManPage.text()
    func has(_ text: String) -> Bool { page.contains(Roff.escaped(text)) }
    for command in Command.all {
      for form in command.forms { #expect(has("alarm \(command.name)" + (form.isEmpty ? "" : " " + form))) }
      for option in command.allOptions { #expect(has(option.shown)) }
      for example in command.examples { #expect(has(example.line)) }
      for paragraph in command.about { #expect(has(paragraph)) }
    }
    for section in HelpWhen.sections {
      for example in section.examples { #expect(has(example.line) && has(example.does)) }
    }
    for setting in Setting.all { #expect(has(setting.key) && has(setting.doc)) }
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
    let bench = Bench()
    #expect(bench.run("help man") == 0)
    #expect(bench.text == page)
  }

  @Test("What begins with a dot or an apostrophe is text for roff, not a request")
  func roff() {
    var page = Roff()
    page.text(".profile")
    page.text("'tis")
    page.text("a\\b – “c” ☕")
    #expect(page.lines == ["\\&.profile", "\\(aqtis", "a\\eb \\(en \\(lqc\\(rq \\[u2615]"])
  }

  @Test("The entry is the one that make install puts, but for the program's path")
  func entry() {
    let own = DesktopFiles.entry(program: "/opt/a b/alarm").split(separator: "\n")
    let shared = String(decoding: PackageResources.reveille_desktop, as: UTF8.self).split(separator: "\n")
    #expect(own.count == shared.count)
    #expect(zip(own, shared).filter { $0 != $1 }.map { String($0.0) } == ["Exec=\"/opt/a b/alarm\""])
    #expect(DesktopFiles.quoted("$a\\\"%") == #""\\$a\\\\\\"%%""#)
  }

  @Test("install and uninstall refuse words and options that make no sense")
  func refusals() {
    for line in [
      "install now", "uninstall all", "install --linger --no-linger",
      "install --wake-helper --no-wake-helper", "completions", "completions tcsh",
    ] {
      #expect(Bench().run(line) == 2, "\(line)")
    }
    let bench = Bench()
    #expect(bench.run("install") == 1)
    #expect(bench.complaint == "alarm: your home folder “/home/ann” is not there; set HOME to one that is\n")
  }
}

@Suite("Completions come from the table of commands")
struct CompletionWordsTests {
  private func words(_ line: String..., engine: ((FakeEngine) throws -> Void)? = nil) throws -> [String] {
    let bench = Bench()
    if let engine { try engine(bench.engine) } else { bench.engineRuns = false }
    #expect(bench.run(words: ["completions", "words", "--"] + line.map { Argument($0) }) == 0)
    #expect(bench.complaint.isEmpty)
    return bench.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("Commands come first, with what they do")
  func commands() throws {
    #expect(try words("") == Command.all.map(\.name))
    #expect(try words("sk") == ["skip"])
    #expect(try words("--v") == ["--version"])
    #expect(try words("--json", "li") == ["list"])
    #expect(try words("nosuch", "") == [])
    let bench = Bench()
    #expect(bench.run(words: ["completions", "words", "--", "und"]) == 0)
    #expect(
      bench.text == "undo\ttakes back what was done last to alarms\n" || bench.text.hasPrefix("undo\t"))
  }

  @Test("Every option of a command is offered once, and no other", arguments: Command.all.map(\.name))
  func options(_ name: String) throws {
    let command = try #require(Command.named(name))
    #expect(try words(name, "--") == command.allOptions.map { "--\($0.name)" })
  }

  @Test(
    "Every word that a form writes as it stands is offered where it stands",
    arguments: Command.all.map(\.name))
  func literals(_ name: String) throws {
    let command = try #require(Command.named(name))
    for form in command.forms {
      let places = CompletionForm(form, options: command.options).places
      guard let first = places.first else { continue }
      for word in first.words { #expect(try words(name, "").contains(word)) }
      guard let start = first.words.first, places.count > 1 else { continue }
      for word in places[1].words { #expect(try words(name, start, "").contains(word)) }
    }
  }

  @Test("Sub-commands, their words and what may be left out follow the forms")
  func forms() throws {
    #expect(try words("queue", "re") == ["remove", "repeat"])
    #expect(try words("queue", "repeat", "") == ["off", "one", "all"])
    #expect(try words("queue", "clear", "") == [])
    #expect(try words("engine", "st") == ["status", "start", "stop"])
    #expect(try words("help", "w") == ["when"])
    #expect(try words("sleep", "") == ["off"])
    #expect(try words("play", "a.wav", "") == [":files"])
    #expect(try words("import", "") == [":files"])
    #expect(try words("awake", "--", "") == [":commands"])
    #expect(try words("awake", "--reason", "x", "--", "make", "") == [":files"])
    #expect(try words("add", "ev") == ["every"])
    #expect(try words("add", "daily", "07:00", "to") == ["today", "tomorrow"])
  }

  @Test(
    "An option that was given is not offered again, unless it may be; its value is completed in its place")
  func values() throws {
    #expect(try words("add", "--label", "x", "--l") == [])
    #expect(try words("add", "--info", "a=b", "--in") == ["--info"])
    #expect(try words("add", "--zone", "Europe/Berl") == ["Europe/Berlin"])
    #expect(try words("add", "--zone=Europe/Berl") == ["--zone=Europe/Berlin"])
    #expect(try words("add", "--sound", "") == [":files"])
    #expect(try words("add", "--volume", "") == [])
  }

  @Test("Alarms, leases, notifications and devices are asked of an engine that runs, with what they are")
  func known() throws {
    let list = { (engine: FakeEngine) in try engine.answer("list", OutputTests.alarms) }
    #expect(try words("show", "", engine: list) == OutputTests.alarms.map { String($0.id) })
    #expect(try words("show", "") == [])
    var status = OutputTests.status()
    status.awake.leases = [
      .init(
        id: 7, owner: "make", reason: "", kinds: ["audio"], expiresAt: nil, secondsLeft: nil, renewalsLeft: 0)
    ]
    let leases = { (engine: FakeEngine) in try engine.answer("status", status) }
    #expect(try words("awake", "renew", "", engine: leases) == ["7"])
    #expect(try words("output", "") == ["list", "auto"])
  }
}
