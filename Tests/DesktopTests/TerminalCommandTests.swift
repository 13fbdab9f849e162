import Desktop
import Glibc
import Harness
import Platform
import Testing

@Suite("The terminal that the desktop opens")
struct TerminalCommandTests {
  @Test("The command's words go to the end, or where “{}” stands")
  func words() {
    #expect(TerminalCommand(template: ["foot"]).words(for: ["a", "b c"]) == ["foot", "a", "b c"])
    #expect(
      TerminalCommand(template: ["x", "-e", "{}", "--hold"]).words(for: ["a", "b c"])
        == ["x", "-e", "a", "b c", "--hold"])
  }

  @Test("The usual one is the first that is installed, and none without a display")
  func usual() throws {
    let folder = try TemporaryFolder()
    for name in ["konsole", "xterm"] {
      try folder.write([], to: folder.file(name))
      chmod("\(folder.path)/\(name)", 0o700)
    }
    var environment = ["PATH": "/nowhere:\(folder.path)"]
    #expect(TerminalCommand.usual(environment: environment) == nil)
    environment["DISPLAY"] = ""
    #expect(TerminalCommand.usual(environment: environment) == nil)
    environment["WAYLAND_DISPLAY"] = "wayland-0"
    #expect(TerminalCommand.usual(environment: environment)?.template == ["konsole", "-e"])
    environment["PATH"] = "/nowhere"
    #expect(TerminalCommand.usual(environment: environment) == nil)
  }

  @Test("It runs in a session of its own, with the words as they are and the token of the click")
  func open() throws {
    let folder = try TemporaryFolder()
    let script = """
      #!/bin/sh
      printf '%s|' "$@" "$XDG_ACTIVATION_TOKEN" "$DESKTOP_STARTUP_ID" "$(ps -o sid= -p $$)" "$$" > "\(folder.path)/new"
      mv "\(folder.path)/new" "\(folder.path)/said"

      """
    try folder.write(Array(script.utf8), to: folder.file("term"))
    chmod("\(folder.path)/term", 0o700)
    let command = TerminalCommand(template: ["\(folder.path)/term", "-e"])
    let odd = "$(touch /tmp/x); 'a\" \n*"
    let child = try command.open(
      ["alarm", "open", odd], environment: ["PATH": "/usr/bin:/bin"], token: "tok")
    #expect(waitpid(child, nil, 0) == child)
    let said = String(decoding: try readFile("\(folder.path)/said"), as: UTF8.self)
    let words = said.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    #expect(words.prefix(6) == ["-e", "alarm", "open", odd, "tok", "tok"])
    #expect(words[6].filter(\.isNumber) == words[7])
    #expect(throws: SystemError.self) {
      try TerminalCommand(template: ["/nowhere/terminal"]).open(["a"], environment: [:])
    }
  }
}
