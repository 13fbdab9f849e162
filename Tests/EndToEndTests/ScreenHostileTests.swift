import Glibc
import Harness
import Platform
import Testing
import Wire

/// Text that means harm in every place text can come from, against every byte that reaches the terminal.
@Suite("Hostile text, down to the terminal's bytes", .serialized)
struct ScreenHostileTests {
  private static let texts = [
    "\u{1b}[2J\u{1b}]52;c;aGk=\u{7}x", "\u{9b}31m\u{9d}0;title\u{9c}y", "a\u{7f}\u{8}b",
    "\u{202e}evil\u{202c}\u{2066}z",
    "line\nbreak\r\u{85}\u{2028}w", String(repeating: "long ", count: 2000),
  ]

  /// What is there: an album whose names and tags are hostile, a playlist that names such things, alarms whose labels, bodies and user-info are.
  private func hostileWorld() throws -> World {
    let world = try World(sound: .pulse)
    let album = world.folder.path + "/home/Music/Album"
    try runOrThrow(["mkdir", "-p", album])
    let silence = world.folder.path + "/silence.flac"
    try runOrThrow([
      "sox", "-n", "-r", "8000", "-c", "1", silence, "synth", "30", "sine", "200", "vol", "0.1",
    ])
    for (number, text) in ScreenHostileTests.texts.enumerated() {
      let tagged = "\(world.folder.path)/tagged\(number).flac"
      // A file of comments, for a word on a command line holds no line break there.
      try runOrThrow([
        "ffmpeg", "-v", "error", "-y", "-i", silence, "-metadata", "title=\(text)", "-metadata",
        "artist=\(text)", tagged,
      ])
      // A name has no slash and at most 255 bytes.
      var name = Array("\(number) ".utf8) + Array(text.utf8.filter { $0 != 0x2f }.prefix(200))
      if number == 1 { name += [0xff, 0xc3, 0x28] }
      try copy(tagged, to: Array(album.utf8) + [0x2f] + name + Array(".flac".utf8))
      let (label, body) = (String(text.prefix(500)), String(text.prefix(900)))
      // What is refused is refused in a sentence that is scanned below.
      _ = try world.alarm(
        "add", "07:0\(number)", "--label", label, "--body", body, "--info", "key\(number)=\(label)",
        "--action", "Go")
    }
    let entries = ScreenHostileTests.texts.map { "\($0).mp3" }.joined(separator: "\n")
    try replaceFile(
      world.folder.path + "/home/Music/evil.m3u8", with: Array(entries.utf8) + [0x0a, 0xff, 0xc3])
    return world
  }

  private func copy(_ path: String, to name: [UInt8]) throws {
    let bytes = try readFile(path)
    let made = name.map { CChar(bitPattern: $0) } + [0]
    let number = creat(made, 0o600)
    guard number >= 0 else { throw RunError(description: "no file of such a name can be made") }
    try Descriptor(owning: number).writeAll(bytes)
  }

  @Test("No such byte reaches the terminal in any view, nor its title", arguments: ["C.UTF-8", "C"])
  func views(_ locale: String) throws {
    let world = try hostileWorld()
    world.setEnvironment("LC_ALL", locale)
    try world.must("play", world.folder.path + "/home/Music/Album")
    let terminal = try Emulator(
      columns: 132, rows: 43, running: ["/bin/sh", "-c", "stty -echo; \(world.program) || echo ended $?"],
      environment: world.environment.merging(["TERM": "xterm-256color", "LC_ALL": locale]) { $1 })
    try terminal.see("1 Clock")
    try terminal.see("vol")
    for page in 1...7 {
      try terminal.type("\(page)")
      // Down through every line of it, and into what a line opens.
      for _ in 0..<8 { try terminal.type("j") }
      try terminal.see("\(page) ")
    }
    try terminal.type("4")
    try terminal.see("Album/")
    try terminal.type("/Album\r\r")
    try terminal.see(".flac")
    for _ in 0..<8 { try terminal.type("j") }
    try terminal.type("h")
    try terminal.see("evil.m3u8")
    try terminal.type("/evil\r\r")
    try terminal.see("is not there")
    // Each says what is wrong with it, by its name.
    for _ in 0..<12 { try terminal.type("j\r") }
    try terminal.see(": is not there")
    try terminal.type("2e")
    try terminal.see("Edit")
    try terminal.type("\u{1b}[27u")
    for words in ["list", "queue list", "status", "log", "show 1", "inbox", "export", "add \u{202e}x"] {
      try terminal.type(":\(words)\r")
      try terminal.seeNo("any command of the shell")
      try terminal.type("\u{1b}[27u")
    }
    if let first = try world.list().first {
      try world.must("ring", "\(first.id)")
      try terminal.see("RINGING")
      try world.must("dismiss")
      try terminal.seeNo("RINGING")
    }
    // Tracks whose tags are the worst.
    for _ in 0..<6 {
      try terminal.type("3>")
      try terminal.see("of 6")
    }
    try terminal.type("q")
    let bytes = try terminal.bytes()
    #expect(bytes.count > 5000)
    let harm = ScreenHostileTests.harm(in: bytes, isScreen: true)
    #expect(harm == nil, "\(harm ?? "")")
  }

  @Test("Nor does one reach what the command line prints")
  func commandLine() throws {
    let world = try hostileWorld()
    try world.must("play", world.folder.path + "/home/Music/Album")
    let commands = [
      ["list"], ["status"], ["queue", "list"], ["inbox"], ["log"], ["show", "1"], ["next", "9"], ["export"],
      ["list", "--json"], ["status", "--json"], ["queue", "list", "--json"],
      ["play", "/no/\u{1b}]52;c;x\u{7}"],
      ["add", "\u{1b}[2J"], ["\u{9b}31m"], ["show", "\u{202e}9"], ["timer", "1s", "\u{1b}[31m"],
    ]
    for words in commands {
      let finished = try world.alarm(words)
      for bytes in [finished.output, finished.complaints] {
        let harm = ScreenHostileTests.harm(in: bytes, isScreen: false)
        #expect(harm == nil, "\(words): \(harm ?? "")")
      }
    }
  }

  /// What is not harmless in bytes for a terminal; nil where all of it is.
  ///
  /// A screen may place its cursor, erase, choose colours and switch modes: `CSI` with numbers and one of those letters.
  private static func harm(in bytes: [UInt8], isScreen: Bool) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return "bytes that are no UTF-8" }
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x0a, 0x20..<0x7f: continue
      case 0x08 where isScreen, 0x0d where isScreen: continue
      case 0x1b where isScreen:
        let sequence = scalars.prefix(40)
        guard let length = lengthOfSequence(sequence) else {
          return "an escape sequence “\(sequence.map(\.escaped).joined())”"
        }
        scalars = scalars.dropFirst(length)
      case 0..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff, 0xfff9...0xfffb:
        return "U+\(String(scalar.value, radix: 16)) before “\(scalars.prefix(20).map(\.escaped).joined())”"
      default: continue
      }
    }
    return nil
  }

  private static func lengthOfSequence(_ rest: ArraySlice<Unicode.Scalar>) -> Int? {
    guard let first = rest.first else { return nil }
    if "=>78".unicodeScalars.contains(first) { return 1 }
    if first == "(" { return 2 }
    guard first == "[" else { return nil }
    // The title is put aside while the screen is open, as xterm's description has it; it is never set.
    for whole in ["[22;0;0t", "[23;0;0t"] where rest.prefix(whole.count).elementsEqual(whole.unicodeScalars) {
      return whole.count
    }
    let numbers = rest.dropFirst().prefix { "?<>=;:0123456789$".unicodeScalars.contains($0) }
    guard let final = rest.dropFirst(1 + numbers.count).first,
      "HJKmhlrupCDABGd".unicodeScalars.contains(final)
    else {
      return nil
    }
    return 2 + numbers.count
  }
}

extension Unicode.Scalar {
  fileprivate var escaped: String { escaped(asASCII: true) }
}
