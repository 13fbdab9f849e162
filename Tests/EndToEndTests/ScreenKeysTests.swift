import Harness
import Platform
import Testing
import Wire

@Suite("Keys, mouse and words on the screen", .serialized)
struct ScreenKeysTests {
  @Test(
    "A click on the bar seeks, the wheel over it is the volume, and over a list it scrolls",
    arguments: TerminalKind.allCases)
  func mouse(_ kind: TerminalKind) throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum("Album", (1...40).map { "\($0 < 10 ? "0" : "")\($0) track" }, seconds: 100)
    try world.must("play", world.folder.path + "/home/Music/Album")
    let screen = try world.screen(kind)
    try screen.type("3")
    try screen.see("1 of 40")
    let bar = try #require(try screen.place(of: "/ 1:40"))
    try screen.click(column: 40, row: bar.row)
    let place = try world.waitForStatus("the middle of the track") { $0.player.position > 30 }.player.position
    #expect(place < 80)
    try screen.wheel(up: false, column: 40, row: bar.row)
    try world.waitForStatus("the music is quieter") { $0.player.volume < 100 }
    try screen.see("01 track")
    for _ in 0..<12 { try screen.wheel(up: false, column: 10, row: 14) }
    try screen.see("37 track")
    try screen.wait(until: "a click selects, a second one plays", within: .seconds(20)) { _ in
      guard let line = try screen.place(of: "33 track") else { return false }
      try screen.click(column: line.column, row: line.row)
      return try world.status().player.track?.path.contains("33 track") == true
    }
  }

  @Test("With ui.mouse off the terminal keeps the mouse, else it is asked for and given back")
  func mouseOff() throws {
    for (settings, isOn) in [("{ ui: { mouse: \"off\" } }", false), ("{}", true)] {
      let world = try World(settings: settings)
      let terminal = try Emulator(
        running: ["/bin/sh", "-c", "\(world.program); echo ended"],
        environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
      try terminal.see("1 Clock")
      #expect(try terminal.modes().on.contains("mouse") == isOn)
      try terminal.type("q")
      try terminal.see("ended")
      #expect(try terminal.modes().on.isDisjoint(with: ["mouse", "mouse-coordinates", "paste", "focus"]))
    }
  }

  @Test("Keys of one's own do what they are set to, and the help shows them")
  func ownKeys() throws {
    let world = try World(
      sound: .pulse, settings: #"{ ui: { keys: { mute: "M ctrl-x", shuffle: "", "play-pause": "F" } } }"#)
    try world.makeAlbum()
    try world.must("play", world.folder.path + "/home/Music/Album")
    let screen = try world.screen()
    try screen.type("M")
    try world.waitForStatus("it is mute") { $0.player.muted }
    try screen.type("\u{18}")
    try world.waitForStatus("it is heard again") { !$0.player.muted }
    try screen.type("pF")
    try world.waitForStatus("it is paused") { $0.player.state == "paused" }
    try screen.type("?")
    try screen.see("M, ^X")
    #expect(try !screen.lines().contains { $0.contains("space, p") })
  }

  @Test(
    "A conflict of keys is told with both names on the screen and by “alarm status”, and the usual keys stay")
  func conflict() throws {
    let world = try World(settings: #"{ ui: { keys: { mute: "p" } } }"#)
    let screen = try world.screen(columns: 200)
    try screen.see("“play-pause” and “mute”")
    #expect(try world.must("status").contains("“p” stands for both “play-pause” and “mute”"))
    // Mended, it is told no more.
    try world.write(settings: #"{ ui: { keys: { mute: "M" } } }"#)
    try screen.seeNo("“play-pause” and “mute”")
    #expect(try world.alarm("help", "config").text.contains("play-pause"))
  }

  @Test("After a wrong value a screen that opens then has the settings from before, all of them")
  func rejectedSettings() throws {
    let world = try World(settings: #"{ ui: { mouse: "off", keys: { mute: "M" } } }"#)
    try world.must("engine", "start")
    try world.write(settings: #"{ ui: { mouse: "on", theme: "nigt", keys: { mute: "N" } } }"#)
    try world.waitForStatus("word of it") { !$0.engine.configErrors.isEmpty }
    let terminal = try Emulator(
      running: ["/bin/sh", "-c", "\(world.program); echo ended"],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    try terminal.see("1 Clock")
    #expect(try !terminal.modes().on.contains("mouse"))
    try terminal.type("M")
    try world.waitForStatus("it is mute") { $0.player.muted }
    // A key that two actions would share is as wrong as any value.
    try world.write(settings: #"{ ui: { mouse: "on", keys: { mute: "p" } } }"#)
    try world.waitForStatus("word of that") { $0.engine.configErrors.first?.contains("play-pause") == true }
    try terminal.type("q")
    try terminal.see("ended")
    let second = try world.screen()
    try second.type("M")
    try world.waitForStatus("it is heard again") { !$0.player.muted }
  }

  @Test(
    "The keys for music that kitty's protocol has play, pause, skip and change the volume; the protocol is given back"
  )
  func mediaKeys() throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum()
    try world.must("play", world.folder.path + "/home/Music/Album")
    let terminal = try Emulator(
      .kitty, running: ["/bin/sh", "-c", "\(world.program); echo ended"],
      environment: world.environment.merging(["TERM": "xterm-256color"]) { $1 })
    try terminal.see("1 first")
    try wait(until: "the protocol is asked for") { try terminal.modes().kitty == [1] }
    func press(_ code: Int) throws { try terminal.type("\u{1b}[\(code)u\u{1b}[\(code);1:3u") }
    try press(57429)
    try world.waitForStatus("paused") { $0.player.state == "paused" }
    try press(57428)
    try world.waitForStatus("playing") { $0.player.state == "playing" }
    try press(57435)
    try world.waitForStatus("the next") { $0.player.track?.path.contains("2 second") == true }
    try press(57436)
    try world.waitForStatus("the one before") { $0.player.track?.path.contains("1 first") == true }
    try press(57438)
    try world.waitForStatus("quieter") { $0.player.volume == 95 }
    try press(57440)
    try world.waitForStatus("mute") { $0.player.muted }
    // Esc and q come in the protocol's own words too.
    try terminal.type(":")
    try terminal.see("any command of the shell")
    try terminal.type("\u{1b}[27u")
    try terminal.seeNo("any command of the shell")
    try terminal.type("\u{1b}[113u")
    try terminal.see("ended")
    #expect(try terminal.modes().kitty == [])
  }

  @Test(
    "A paste is no key, whatever it holds, and in a field it is text on one line",
    arguments: TerminalKind.allCases)
  func paste(_ kind: TerminalKind) throws {
    let world = try World()
    let screen = try world.screen(kind)
    try screen.paste("q\rQy:engine stop\r")
    try screen.type("a")
    try screen.see("Add an alarm")
    try screen.paste("07:00\nq")
    try screen.see("07:00 q")
    try screen.type("\u{7f}\u{7f}\r")
    try screen.see("next ")
    #expect(try world.list().count == 1)
  }

  @Test("What was removed comes back with u, what was edited, and what was switched off")
  func undo() throws {
    let world = try World()
    try world.must("add", "07:00", "--label", "Up")
    let screen = try world.screen()
    try screen.type("2")
    try screen.see("Up")
    try screen.type("D")
    try wait(until: "it is gone") { try world.list().isEmpty }
    try screen.type("u")
    try wait(until: "it is back") { try world.list().count == 1 }
    try screen.type("e")
    try screen.see("07:00")
    try screen.type("\u{15}08:15\r")
    try wait(until: "it is edited") { try world.list().first?.when.contains("08:15") == true }
    try screen.type("u")
    try wait(until: "it is as before") { try world.list().first?.when.contains("07:00") == true }
    try screen.type("o")
    try wait(until: "it is off") { try world.list().first?.enabled == false }
    try screen.type("u")
    try screen.see("undone: switching off of alarm 1")
    #expect(try world.list().first?.enabled == true)
  }

  @Test("The command line takes the words of every command of the shell")
  func everyCommand() throws {
    let world = try World(sound: .pulse)
    try world.makeAlbum()
    let screen = try world.screen(columns: 120, rows: 40)
    let music = world.folder.path + "/home/Music/Album"
    let lines = [
      ("add mon-fri 07:00 --label Up", "1  every Mon-Fri 07:00"), ("list", "every Mon-Fri 07:00"),
      ("show 1", "Up"),
      ("edit 1 08:00", "Mon-Fri 08:00"), ("off 1", "off"), ("on 1", "next"), ("skip 1", "skip"),
      ("skip 1 --off", "next"),
      ("next", "08:00"), ("when 'mon 07:00' --count 2", "T07:00:00"), ("timer 20m Tea", "Tea"),
      ("remove 2", "2"),
      ("undo", "Tea"), ("snooze", "nothing"), ("dismiss", "nothing"), ("badge", "0"), ("inbox", ""),
      ("log", ""),
      ("play '\(music)'", "playing"), ("pause", "paused"), ("toggle", "playing"), ("seek 0:10", "0:10"),
      ("volume 40", "40"), ("mute", "mute"), ("track next", "2 second"), ("queue list", "3 third"),
      ("sleep 20m", "fades out and stops"), ("output list", "default"), ("awake 5m --reason Test", "Test"),
      ("awake list", "Test"),
      ("awake off", ""), ("status", "engine"), ("stop", ""), ("export", "Mon-Fri 08:00"),
      ("import /no/such", "such"),
      ("open none", "none"), ("engine status", "runs"), ("help when", "WHEN"),
    ]
    for (line, shown) in lines { try run(line, shown, screen) }
    // Those that are not among the lines above show their help at least.
    let named = Set(lines.map { $0.0.split(separator: " ")[0] })
    let all = try world.must("help").split(separator: "\n").compactMap { row -> Substring? in
      row.hasPrefix("  ") && !row.hasPrefix("   ") ? row.split(separator: " ").first : nil
    }.filter { $0.allSatisfy { $0.isLowercase } && $0 != "alarm" && !named.contains($0) }
    for name in Set(all) { try run("\(name) --help", "alarm \(name)", screen) }
    try run("no-such", "there is no command", screen)
    // It is asked for as the key asks.
    try run("engine stop", "Stop the engine?", screen)
    try screen.type("y")
    try screen.see("The engine has")
  }

  /// Esc puts away the answer before, under which nothing could be seen; in kitty's words, for alone before a letter it would
  /// be taken for Alt.
  private func run(_ line: String, _ shown: String, _ screen: any ScreenTerminal) throws {
    try screen.type("\u{1b}[27u")
    try screen.seeNo(":\(line.prefix(20))")
    try screen.type(":")
    try screen.see("any command of the shell")
    try screen.type("\(line)\r")
    try screen.seeNo("any command of the shell")
    try screen.wait(until: "“:\(line)” shows “\(shown)”", within: .seconds(20)) { lines in
      shown.isEmpty || lines.contains { $0.contains(shown) }
    }
  }
}
