import Glibc
import Harness
import Platform
import Testing

@Suite("Completions in their own shells", .serialized)
struct CompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Reads the completion from where `alarm install` puts it for this shell.
    func start(_ world: World) throws -> Terminal {
      let environment = world.environment.merging(["PS1": "ready> ", "SHELL": "/bin/sh"]) { $1 }
      switch self {
      case .bash:
        let setup = world.folder.path + "/bashrc"
        try replaceFile(
          setup, with: Array("PS1='ready> '\n. \"$XDG_DATA_HOME/bash-completion/completions/alarm\"\n".utf8))
        return try Terminal(
          columns: 100, rows: 30, running: ["bash", "--noprofile", "--rcfile", setup, "-i"],
          environment: environment)
      case .zsh:
        let setup = """
          PS1='ready> '; fpath+=("$XDG_DATA_HOME/zsh/site-functions")
          autoload -Uz compinit && compinit -u -d '\(world.folder.path)/zcompdump'

          """
        try replaceFile(world.folder.path + "/home/.zshrc", with: Array(setup.utf8))
        return try Terminal(columns: 100, rows: 30, running: ["zsh", "-i"], environment: environment)
      case .fish:
        let setup =
          "function fish_prompt; echo 'ready> '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\n"
        mkdir(world.folder.path + "/config/fish", 0o700)
        try replaceFile(world.folder.path + "/config/fish/config.fish", with: Array(setup.utf8))
        return try Terminal(columns: 100, rows: 30, running: ["fish", "-i"], environment: environment)
      }
    }
  }

  /// What is typed before the tab, and what stands there afterwards.
  private static let lines = [
    ("alarm aw", "alarm awake"), ("alarm compl", "alarm completions"),
    ("alarm queue rep", "alarm queue repeat"),
    ("alarm queue repeat al", "alarm queue repeat all"), ("alarm add --snooze-l", "alarm add --snooze-limit"),
    ("alarm add daily 7:00 --sound har", "alarm add daily 7:00 --sound harp"),
    ("alarm add daily 7:00 --sound=har", "alarm add daily 7:00 --sound=harp"),
    ("alarm add --zone Europe/Berl", "alarm add --zone Europe/Berlin"),
    ("alarm play mu", "alarm play music.wav"),
    ("alarm add --sound=mu", "alarm add --sound=music.wav"), ("alarm show ", "alarm show 1"),
    ("alarm help conf", "alarm help config"), ("alarm awake -- relea", "alarm awake -- release-party"),
  ]

  @Test("A tab completes commands, their words, options, values, alarms and files", arguments: Shell.allCases)
  func tab(_ shell: Shell) throws {
    let world = try World()
    try world.putTool("release-party", "")
    symlink(world.program, world.folder.path + "/tools/alarm")
    #expect(try world.alarm("install").succeeded)
    try world.must("add", "daily", "07:00")
    try replaceFile(world.folder.path + "/home/music.wav", with: [])
    let terminal = try shell.start(world)
    try terminal.wait(for: "ready>")
    try terminal.type("cd; clear")
    try terminal.press("Enter")
    try terminal.wait(until: "the screen is clear") {
      $0.contains { $0 == "ready>" } && !$0.contains { $0.contains("cd;") }
    }
    for (typed, expected) in CompletionTests.lines {
      try terminal.type(typed)
      try terminal.press("Tab")
      try terminal.wait(until: "“\(typed)” becomes “\(expected)”") { lines in
        lines.contains { line in
          line == "ready> \(expected)" || line.hasPrefix("ready> \(expected) ")
        }
      }
      // Not C-c: what is typed right behind it is lost with the line.
      try terminal.press("C-e", "C-u", "C-l")
      try terminal.wait(until: "the line is empty") { $0.first == "ready>" }
    }
  }

  @Test("Words with a meaning show it where the shell can", arguments: [Shell.zsh, .fish])
  func meanings(_ shell: Shell) throws {
    let world = try World()
    mkdir(world.folder.path + "/tools", 0o700)
    world.setEnvironment("PATH", world.folder.path + "/tools:" + (world.environment["PATH"] ?? ""))
    symlink(world.program, world.folder.path + "/tools/alarm")
    #expect(try world.alarm("install").succeeded)
    let terminal = try shell.start(world)
    try terminal.wait(for: "ready>")
    try terminal.type("alarm s")
    try terminal.press("Tab")
    try terminal.wait(for: "silences")
  }

  @Test("Asking starts no engine and says nothing of one that is not there")
  func startsNothing() throws {
    let world = try World()
    let asked = try world.alarm("completions", "words", "--", "show", "")
    #expect(asked.succeeded && asked.text.isEmpty && asked.complaint.isEmpty)
    #expect(world.processes().isEmpty)
    #expect(access(world.shared + "/reveille", F_OK) != 0)
  }

  @Test("An engine that hangs holds nobody up")
  func hangingEngine() throws {
    let world = try World()
    try world.must("add", "daily", "07:00")
    for process in world.processes() { kill(process, SIGSTOP) }
    let asked = try world.alarm(["completions", "words", "--", "show", ""], within: .seconds(8))
    #expect(asked.text.isEmpty && asked.complaint.isEmpty)
  }

  @Test("shellcheck finds nothing in what is shell, nor do zsh and fish in what is theirs")
  func checked() throws {
    let world = try World()
    #expect(try world.alarm("install").succeeded)
    let checks = [
      ["shellcheck", "-s", "bash", world.shared + "/bash-completion/completions/alarm"],
      ["zsh", "-n", world.shared + "/zsh/site-functions/_alarm"],
      ["fish", "-n", world.shared + "/fish/vendor_completions.d/alarm.fish"],
      ["shellcheck", ReadmeTests.top + "/Sounds/make.sh"],
    ]
    for words in checks {
      let finished = try run(words)
      #expect(
        finished.succeeded && finished.text.isEmpty && finished.complaint.isEmpty,
        "\(finished.text)\(finished.complaint)")
    }
  }
}
