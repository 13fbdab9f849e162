import Glibc
import Harness
import Platform

/// `make pictures`: the pictures of the README, taken from the real screen on the real engine.
///
/// The argument is the folder they go to: for each a text with what was shown, and a drawing of it (SVG).
@main
struct Pictures {
  static func main() throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "Pictures"
    for theme in ["dark", "night"] { try take(theme, to: folder) }
  }

  private static func take(_ theme: String, to folder: String) throws {
    let world = try World(sound: .pulse, settings: "{ ui: { theme: \"\(theme)\" }, alarm: { fade: \"0s\" } }")
    for track in ["1 Prelude", "2 Allemande", "3 Courante", "4 Sarabande", "5 Menuets", "6 Gigue"] {
      let path = "\(world.folder.path)/home/Music/Suite/\(track).flac"
      mkdir(world.folder.path + "/home/Music", 0o700)
      mkdir(world.folder.path + "/home/Music/Suite", 0o700)
      let title = String(track.dropFirst(2))
      try runOrThrow([
        "sox", "-n", "-r", "44100", "-c", "2", "--comment", "TITLE=\(title)", "--add-comment",
        "ARTIST=Evening Strings", path, "synth", "150", "pinknoise", "tremolo", "2", "70", "gain", "-8",
        "remix", "1",
        "1v0.7",
      ])
    }
    try world.must(
      "add", "mon-fri", "07:00", "--label", "Up", "--body", "The train leaves at 08:12", "--info",
      "room=kitchen")
    try world.must("add", "sat,sun", "09:30", "--label", "Weekend", "--sound", "surf")
    try world.must("add", "last", "day", "18:00", "--label", "Rent")
    try world.must("play", world.folder.path + "/home/Music/Suite")
    try world.must("seek", "0:52")
    let terminal = try Emulator(
      columns: 80, rows: 24, running: [world.program],
      environment: world.environment.merging([
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor",
      ]) { $1 })
    try terminal.see("Weekend")
    try terminal.see("Prelude")
    if theme == "dark" {
      try shoot(terminal, "\(folder)/clock")
      try terminal.type("3")
      try terminal.see("6 ")
      try terminal.see("L ━")
      try shoot(terminal, "\(folder)/player")
      try terminal.type("a")
      try terminal.see("Add an alarm")
      try terminal.type("mon-fri 6:45\tRun")
      try terminal.see("rings ")
      try shoot(terminal, "\(folder)/form")
    } else {
      try terminal.type(":ring 1\r")
      try terminal.see("RINGING")
      // The keys are dim until they are taken.
      try terminal.see("1–9 snooze")
      try shoot(terminal, "\(folder)/ringing")
    }
  }

  private static func shoot(_ terminal: Emulator, _ path: String) throws {
    // What was typed last has an answer that may still be on its way.
    var last = try terminal.lines()
    for _ in 0..<20 {
      usleep(300_000)
      let now = try terminal.lines()
      if now == last { break }
      last = now
    }
    let screen = try terminal.screen()
    try replaceFile(
      path + ".txt", with: Array((screen.lines.joined(separator: "\n") + "\n").utf8), mode: 0o644)
    try replaceFile(path + ".svg", with: Array(Drawing.svg(of: screen).utf8), mode: 0o644)
    print("\(path).svg")
  }
}
