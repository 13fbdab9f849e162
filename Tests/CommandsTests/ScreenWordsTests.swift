import Harness
import Platform
import Testing
import Wire

@testable import Commands

@Suite("The shell's words in the screen's command line")
struct ScreenWordsTests {
  @Test(
    "Words are split as a shell splits them",
    arguments: [
      ("add 07:00", ["add", "07:00"]), ("  a   b ", ["a", "b"]),
      ("a \"b c\" 'd \\ e' f\\ g", ["a", "b c", "d \\ e", "f g"]),
      ("--label=\"\"", ["--label="]), ("''", [""]), ("", []), ("a\"b\"c", ["abc"]), ("“a b”", ["“a", "b”"]),
      ("\"open", nil), ("'open", nil), ("open\\", nil),
    ] as [(String, [String]?)])
  func splits(_ line: String, _ words: [String]?) {
    #expect(ScreenWords.split(line) == words)
  }

  @Test("Every command of the shell is run, by the engine that runs, and nothing reaches the terminal")
  func everyCommand() throws {
    let world = try World()
    // One that is started from here would live in the world of whoever runs the tests.
    try world.must("engine", "start")
    let tone = try makeTone(in: world)
    let paths = Paths(environment: world.environment, executable: world.program)
    func run(_ line: String) -> (lines: [String], complaints: [String], opens: String?) {
      let outcome = ScreenWords.run(line, environment: world.environment, paths: paths)
      return (outcome.lines, outcome.complaints, outcome.opens)
    }
    // In the order in which a person might type them; what each must say at least.
    let lines: [(String, String)] = [
      ("engine start", "running already"), ("add 07:00 --label \"Get up\"", "07:00"),
      ("edit 1 06:30", "06:30"),
      ("list", "Get up"), ("show 1", "06:30"), ("off 1", "off"), ("on 1", "06:30"), ("skip 1", ""),
      ("undo", "undone"),
      ("next", "Get up"), ("when \"mon 07:00\" --count 2", "T07:00:00"), ("timer 2h tea", "tea"),
      ("remove 2", "tea"),
      ("export \(world.folder.path)/all.json", ""),
      ("import --dry-run \(world.folder.path)/all.json", "would be taken"),
      ("ring 1", ""), ("snooze 5m", "snoozed"), ("dismiss", "dismissed"), ("stop", ""), ("inbox", ""),
      ("badge", "0"),
      ("log", "Get up"), ("play \(tone)", "playing"), ("pause", "paused"), ("toggle", "playing"),
      ("seek 50%", ""),
      ("volume 40", "40"), ("mute", "muted"), ("track next", ""), ("queue", "tone"), ("sleep 5m", ""),
      ("output", ""), ("status", "Get up"), ("status --follow", "Get up"), ("awake 5m", ""),
      ("doctor", "it runs"), ("install --help", "alarm install"),
      ("uninstall --help", "alarm uninstall"), ("completions bash", "complete"),
      ("help", "Alarms"),
      ("alarm help when", "WHEN"), ("open 9@2026-12-01.1", "no notification"),
    ]
    for (line, words) in lines {
      let outcome = run(line)
      let said = (outcome.lines + outcome.complaints).joined(separator: "\n")
      #expect(said.contains(words), "“\(line)” says: \(said)")
      #expect(!said.contains("there is no command") && !said.contains("takes no words"), "“\(line)”: \(said)")
    }
    try world.must("add", "every 1st,3rd mon 08:00", "--label", String(repeating: "long ", count: 30))
    for columns in [60, 76, 120] {
      let outcome = ScreenWords.run("list", columns: columns, environment: world.environment, paths: paths)
      #expect(outcome.lines.first?.hasPrefix("ID") == true, "\(outcome.lines)")
      #expect(outcome.lines.allSatisfy { $0.count <= columns }, "\(outcome.lines)")
    }
    let typed = Set(lines.compactMap { $0.0.split(separator: " ").first { $0 != "alarm" }.map(String.init) })
    #expect(typed == Set(Command.all.map(\.name)))

    for (line, words) in [
      ("engine run", "in a shell"), ("awake -- cat", "in a shell"), ("import -", "name a file"), ("", ""),
      ("add \"07:00", "quotation mark"), ("nonsense", "there is no command"),
    ] {
      let outcome = run(line)
      #expect(outcome.lines.isEmpty && outcome.complaints.joined().contains(words), "“\(line)”: \(outcome)")
    }
    // What a notification's own action runs is shown by the screen that is there.
    _ = run("ring 1")
    let ringing = try #require(
      try Client(path: world.socket).call("status", as: Status.self).ringing.first?.occurrence)
    #expect(run("open \(ringing)").opens == ringing)
    #expect(run("add 07:00 --count 2").complaints.joined().contains("comes once, so --count changes nothing"))
    #expect(run("list").lines.contains { $0.contains("  ") })
    // A person is asked first, by the screen.
    let stop = ScreenWords.run("engine stop", environment: world.environment, paths: paths)
    #expect(stop.asks != nil && stop.lines.isEmpty && stop.complaints.isEmpty)
    try world.must("engine", "status")
  }

  private func makeTone(in world: World) throws -> String {
    let path = world.folder.path + "/tone.wav"
    try runOrThrow(["sox", "-n", "-r", "48000", "-c", "2", path, "synth", "30", "sine", "440"])
    return path
  }
}
