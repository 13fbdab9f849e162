import Harness
import Platform
import Testing

/// Which terminal shows the screen: two that have nothing in common.
enum TerminalKind: String, CaseIterable, Sendable {
  case tmux
  case pyte

  func open(_ world: World, columns: Int = 80, rows: Int = 24, script: String) throws -> any ScreenTerminal {
    let words = ["/bin/sh", "-c", script]
    let environment = world.environment.merging(["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]) { $1 }
    switch self {
    case .tmux: return try Terminal(columns: columns, rows: rows, running: words, environment: environment)
    case .pyte: return try Emulator(columns: columns, rows: rows, running: words, environment: environment)
    }
  }
}

extension World {
  /// Opens the screen in a terminal and waits until it is drawn; what is `before` is done by the shell first.
  func screen(_ kind: TerminalKind = .pyte, columns: Int = 80, rows: Int = 24, before: String = "") throws
    -> any ScreenTerminal
  {
    let terminal = try kind.open(
      self, columns: columns, rows: rows,
      script: "\(before)\n\(program); echo ended $?; read line; \(program)")
    try terminal.see("1 Clock")
    return terminal
  }

  /// An album in the world's Music folder: tracks of silence with names such as `1 first.wav`.
  func makeAlbum(
    _ name: String = "Album", _ tracks: [String] = ["1 first", "2 second", "3 third"], seconds: Int = 60
  )
    throws
  {
    let folder = folder.path + "/home/Music/\(name)"
    try runOrThrow(["mkdir", "-p", folder])
    for track in tracks {
      try runOrThrow([
        "sox", "-n", "-r", "8000", "-c", "1", "\(folder)/\(track).wav", "synth", "\(seconds)", "sine", "220",
        "vol",
        "0.1",
      ])
    }
  }
}
