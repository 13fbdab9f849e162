import Glibc
import Harness
import Platform
import Testing

@testable import Commands

@Suite("Installing the helper that wakes the machine")
struct WakeHelperInstallTests {
  /// A home in which `install` runs, without systemd, with tools that are noted and answered here.
  private final class Home {
    let folder: TemporaryFolder
    let bench: Bench
    /// What was run of sudo and setcap; `!` before it where it could talk with the terminal.
    var tools: [String] = []
    /// What these answer.
    var result = ToolResult(status: .exited(0))
    /// What the helper itself answers.
    var answer = "off\n"
    var helper: String { folder.path + "/data/reveille/alarm-wake" }

    init(isRoot: Bool = false, hasTerminal: Bool = true, canWake: Bool = true) throws {
      folder = try TemporaryFolder()
      let environment = [
        "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data",
        "XDG_CONFIG_HOME": folder.path + "/config", "TERM": "xterm",
      ]
      bench = Bench(environment: environment)
      bench.engineRuns = false
      let outside = bench.outside
      mkdir(folder.path + "/bin", 0o755)
      try replaceFile(folder.path + "/bin/alarm-wake", with: Array("the helper\u{0}".utf8), mode: 0o755)
      outside.paths = Paths(environment: environment, executable: folder.path + "/bin/alarm")
      outside.isRoot = isRoot
      outside.inputIsTerminal = hasTerminal
      outside.errorIsTerminal = hasTerminal
      outside.canWake = { canWake }
      outside.runTool = { [unowned self] words throws(SystemError) in
        switch words[0] {
        case "/bin/sh": return ToolResult(status: .exited(0), output: answer)
        case "setcap", "sudo":
          tools.append(words.joined(separator: " "))
          return result
        default: throw SystemError("cannot run “\(words[0])”", code: ENOENT)
        }
      }
      outside.runAtTerminal = { [unowned self] words throws(SystemError) in
        tools.append("!" + words.joined(separator: " "))
        return result.status
      }
    }

    var isThere: Bool { access(helper, F_OK) == 0 }
    var question: Bool { bench.complaint.contains("Install a helper that may, with sudo? [Y/n] ") }
  }

  @Test("On a terminal it is asked for, and sudo is run where it can ask for the password")
  func asks() throws {
    let home = try Home()
    home.bench.typed = ["y"]
    #expect(home.bench.run("install --no-linger") == 1, "nothing has given the right here")
    #expect(home.question && home.isThere)
    #expect(home.tools == ["!sudo setcap cap_wake_alarm+ep \(home.helper)"])
    #expect(home.bench.complaint.contains("sudo setcap cap_wake_alarm+ep \(home.helper)\n"))
    #expect(
      home.bench.complaint.contains(
        "may not wake the machine yet: sudo ended with status 0; say as root “setcap cap_wake_alarm+ep \(home.helper)”"
      ))
    var status = stat()
    #expect(stat(home.helper, &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test("A no is a no, and where nothing could come of it nobody is asked", arguments: [true, false])
  func refuses(_ canWake: Bool) throws {
    let home = try Home(canWake: canWake)
    home.bench.typed = ["n"]
    #expect(home.bench.run("install --no-linger") == 0)
    #expect(home.question == canWake && !home.isThere && home.tools == [])
  }

  @Test(
    "Without a terminal nobody is asked; the option is named, and with it sudo is tried, and the line printed"
  )
  func script() throws {
    let home = try Home(hasTerminal: false)
    #expect(home.bench.run("install") == 0)
    #expect(
      !home.isThere && home.bench.text.contains("“alarm install --wake-helper” installs a helper that does"))
    #expect(home.bench.run("install --no-wake-helper") == 0)
    #expect(!home.isThere)
    home.result = ToolResult(status: .exited(1), complaints: "sudo: a password is required\n")
    #expect(home.bench.run("install --wake-helper") == 1)
    #expect(home.tools == ["sudo -n setcap cap_wake_alarm+ep \(home.helper)"])
    #expect(
      home.bench.complaint.hasSuffix(
        "“\(home.helper)” may not wake the machine yet: sudo: a password is required; say as root “setcap cap_wake_alarm+ep \(home.helper)”\n"
      ))
    #expect(home.isThere)
    // It is there, so the next installation tries again; taken back, it is gone.
    #expect(home.bench.run("install") == 1)
    #expect(home.tools.count == 2)
    #expect(home.bench.run("uninstall") == 0)
    #expect(!home.isThere && access(home.folder.path + "/data", F_OK) != 0)
  }

  @Test("A newer one takes the place of what was installed, and what was put in its place is not touched")
  func renews() throws {
    let home = try Home(hasTerminal: false)
    #expect(home.bench.run("install --wake-helper") == 1)
    let built = home.folder.path + "/bin/alarm-wake"
    try replaceFile(built, with: Array("a newer helper".utf8), mode: 0o755)
    #expect(home.bench.run("install") == 1)
    let newer = try readFile(built)
    #expect(try readFile(home.helper) == newer)
    try replaceFile(home.helper, with: Array("something else".utf8), mode: 0o755)
    home.tools = []
    #expect(home.bench.run("install --wake-helper") == 1)
    #expect(home.tools == [], "it is given no right")
    #expect(try readFile(home.helper) == Array("something else".utf8))
    #expect(home.bench.run("uninstall") == 0)
    #expect(home.bench.complaint.contains("“\(home.helper)” was changed since it was installed and stays"))
  }

  @Test("Where it lies for everybody that one is given the right, and no copy is made")
  func shared() throws {
    let home = try Home(hasTerminal: false)
    let shared = home.folder.path + "/libexec/reveille/alarm-wake"
    try runOrThrow(["mkdir", "-p", home.folder.path + "/libexec/reveille"])
    try replaceFile(shared, with: Array("the helper".utf8), mode: 0o755)
    #expect(home.bench.run("install --wake-helper") == 1)
    #expect(home.tools == ["sudo -n setcap cap_wake_alarm+ep \(shared)"] && !home.isThere)
    #expect(home.bench.run("uninstall") == 0)
    #expect(access(shared, F_OK) == 0)
  }

  @Test("Where there is none to be installed that is said")
  func missing() throws {
    let home = try Home(hasTerminal: false)
    unlink(home.folder.path + "/bin/alarm-wake")
    #expect(home.bench.run("install --wake-helper") == 1)
    #expect(
      home.bench.complaint.contains("the helper “alarm-wake” is not beside “\(home.folder.path)/bin/alarm”"))
    #expect(home.bench.run("uninstall") == 0)
  }

  @Test(
    "What root gave is tried, and told if it comes to nothing", .enabled(if: getuid() == 0),
    arguments: [
      ("off\n", 0, "may wake the sleeping machine for alarms"),
      ("refused 95 Operation not supported\n", 0, "the machine has no clock that wakes it"),
      ("refused 1 Operation not permitted\n", 1, "its file system is mounted with nosuid"),
      ("", 1, "does not run"), ("refused 5 x\n", 1, "does not run"),
    ])
  func tried(_ answer: String, _ status: Int32, _ sentence: String) throws {
    let home = try Home(isRoot: true)
    home.answer = answer
    let run = home.bench.outside.runTool
    home.bench.outside.runTool = { words throws(SystemError) in
      words[0] == "setcap" ? try Platform.runTool(words) : try run(words)
    }
    #expect(home.bench.run("install --no-linger --wake-helper") == status)
    #expect((home.bench.text + home.bench.complaint).contains(sentence))
    #expect(WakeCapability.isSet(on: home.helper))
    #expect(home.tools == [])
  }

  @Test("A path is quoted for a shell where it must be")
  func quotes() {
    #expect(
      WakeRight.quoted("/usr/local/libexec/reveille/alarm-wake") == "/usr/local/libexec/reveille/alarm-wake")
    #expect(WakeRight.quoted("/a b/it's") == #"'/a b/it'\''s'"#)
    #expect(WakeRight.quoted("") == "''")
  }
}

@Suite("What install remembers")
struct ManifestTests {
  private let outside = Bench().outside

  @Test("Bytes of every kind are known again after they were stored, and no others")
  func copies() throws {
    let folder = try TemporaryFolder()
    let paths = Paths(environment: ["XDG_DATA_HOME": folder.path], executable: "/opt/bin/alarm")
    #expect(try Manifest.read(paths).isEmpty)
    mkdir(paths.data, 0o700)
    var manifest = Manifest()
    let kinds: [[UInt8]] = [
      [], Array("text “ü”\n".utf8), Array(0...255), [UInt8](repeating: 0, count: 100_000),
    ]
    for (index, bytes) in kinds.enumerated() { manifest.set("/file \(index)", bytes) }
    manifest.expect([1], at: "/file 0")
    manifest.expect([1], at: "/file 0")
    manifest.capable = "/usr/libexec/alarm-wake"
    try replaceFile(Manifest.path(paths), with: Array(manifest.text.utf8))
    let read = try Manifest.read(paths)
    #expect(read == manifest)
    let none = { (_: [String]) throws(SystemError) -> ToolResult in throw SystemError("no tool", code: ENOENT)
    }
    for (index, bytes) in kinds.enumerated() {
      let file = try #require(read["/file \(index)"])
      #expect(file.wrote(bytes, none) && !file.wrote(bytes + [0], none))
    }
    #expect(read["/file 0"]?.wrote([1], none) == true && read["/file 0"]?.copies.count == 2)
  }

  @Test("What a version before this one stored is understood, by sha256sum")
  func digests() throws {
    let folder = try TemporaryFolder()
    let paths = Paths(environment: ["XDG_DATA_HOME": folder.path], executable: "/opt/bin/alarm")
    mkdir(paths.data, 0o700)
    let tool = { (words: [String]) throws(SystemError) -> ToolResult in try Platform.runTool(words) }
    for name in ["plain", "back\\slash"] {
      let path = folder.path + "/" + name
      try replaceFile(path, with: Array("abc".utf8))
      let json = """
        {"enabled": true, "lingering": false, "folders": [], "files": [{"path": "\(path.split(separator: "\\").joined(separator: "\\\\"))",
          "sums": ["00", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]}]}
        """
      try replaceFile(Manifest.path(paths), with: Array(json.utf8))
      let manifest = try Manifest.read(paths)
      let file = try #require(manifest[path])
      #expect(manifest.enabled && file.wrote(Array("abc".utf8), tool))
      try replaceFile(path, with: Array("abd".utf8))
      #expect(!file.wrote(Array("abd".utf8), tool))
      try replaceFile(Manifest.path(paths), with: Array(manifest.text.utf8))
      #expect(try Manifest.read(paths) == manifest)
    }
  }

  @Test(
    "What cannot be understood is named, and nothing is guessed",
    arguments: [
      "", "{}",
      "{\"files\": [{\"path\": \"/a\", \"copies\": [\"?\"]}], \"folders\": [], \"enabled\": false, \"lingering\": false}",
    ])
  func damaged(_ text: String) throws {
    let folder = try TemporaryFolder()
    let paths = Paths(environment: ["XDG_DATA_HOME": folder.path], executable: "/opt/bin/alarm")
    mkdir(paths.data, 0o700)
    try replaceFile(Manifest.path(paths), with: Array(text.utf8))
    #expect(throws: Complaint.self) { try Manifest.read(paths) }
  }
}
