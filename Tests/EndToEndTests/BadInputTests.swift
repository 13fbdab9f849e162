import CLinux
import Glibc
import Harness
import Platform
import Testing

@Suite("Bad input, each with its sentence and nothing lost", .serialized)
struct BadInputTests {
  /// Makes the bad files; the names and a word that the sentence must have.
  private func makeFiles(_ world: World) throws -> [(name: [UInt8], word: String)] {
    let folder = world.folder
    let tone = try world.makeTone("good.wav")
    let good = try readFile(tone)
    var generator = SeededGenerator(seed: 7)
    let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try folder.write([], to: folder.file("empty.wav"))
    try folder.write(noise, to: folder.file("random.mp3"))
    try folder.write(Array(good.prefix(20)), to: folder.file("truncated.wav"))
    try folder.write(
      [0, 0, 0, 0x20] + Array("ftypM4A ".utf8) + [0, 0, 0, 0] + Array("M4A mp42isom".utf8) + noise,
      to: folder.file("song.m4a"))
    mkdir(folder.path + "/nothing", 0o700)
    mkfifo(folder.path + "/pipe.wav", 0o600)
    try folder.write(
      noise, to: folder.file(Array("odd\n\u{1b}[31m".utf8) + [0xff, 0xfe] + Array(".flac".utf8)))
    return [
      (Array("missing.flac".utf8), "missing.flac"), (Array("empty.wav".utf8), "empty"),
      (Array("random.mp3".utf8), "audio"), (Array("truncated.wav".utf8), "truncated.wav"),
      (Array("song.m4a".utf8), "convert"), (Array("nothing".utf8), "music"), (Array("pipe.wav".utf8), "file"),
      (Array("odd\n\u{1b}[31m".utf8) + [0xff, 0xfe] + Array(".flac".utf8), "odd"),
    ]
  }

  @Test("play and --sound refuse each bad file with one clean sentence, exit 1, and change nothing")
  func badFiles() throws {
    let world = try World()
    let files = try makeFiles(world)
    try world.must("add", "daily 07:00", "--label", "Keep")
    let engine = try world.enginePID()
    for (name, word) in files {
      for command in [["play"], ["add", "daily 08:00", "--sound"]] {
        let finished = try runBytes(world, command, file: name)
        let said = finished.complaint
        let shown =
          "\(command[0]) \(String(decoding: name, as: UTF8.self).debugDescription): \(said.debugDescription)"
        #expect(finished.status == .exited(1), "\(shown)")
        #expect(said.hasPrefix("alarm: "), "\(shown)")
        #expect(said.split(separator: "\n").count == 1, "\(shown)")
        #expect(said.lowercased().contains(word), "\(shown)")
        #expect(!said.utf8.dropLast().contains { $0 < 0x20 || $0 == 0x7f }, "\(shown)")
        #expect(String(validating: finished.complaints, as: UTF8.self) != nil, "\(shown)")
      }
    }
    #expect(try world.list().map(\.label) == ["Keep"])
    #expect(try world.enginePID() == engine)
    #expect(try world.status().player.state == "stopped")
  }

  @Test(
    "What could never be done ends with 2, what cannot be done as things stand with 1, each with one sentence"
  )
  func statuses() throws {
    let world = try World()
    try world.must("add", "daily 07:00")
    let never = [
      ["add", "07:00", "--snooze", "0.5s"], ["add", "07:00", "--silence-after", "0.9s"],
      ["edit", "1", "--fade", "25h"], ["add", "daily 00:00", "--until", "today"], ["snooze", "0.5s"],
      ["awake", "0.5s"], ["awake", "--until", "9999-01-01 07:00"], ["awake", "520w", "2w"],
      ["timer", "11000w"],
      ["output", "tee:null,/x"], ["open", "foo"], ["volume", "101"], ["seek", "101%"],
    ]
    let now = [
      ["edit", "9", "07:00"], ["snooze"], ["dismiss", "1"], ["sleep", "10m"], ["queue", "play", "1"],
      ["seek", "50%"], ["awake", "renew", "7"], ["awake", "--while", "4194305"], ["open", "1"],
      ["ring", "9"],
      ["output", "attic"], ["undo"], ["undo"],
    ]
    for (lines, status) in [(never, 2), (now, 1)] as [([[String]], Int32)] {
      for line in lines {
        let finished = try world.alarm(line)
        #expect(finished.status == .exited(status), "\(line): \(finished.complaint)")
        #expect(finished.complaint.split(separator: "\n").count == 1, "\(line): \(finished.complaint)")
        #expect(finished.text.isEmpty, "\(line)")
      }
    }
    #expect(try world.list().count == 1)
  }

  @Test("An unreadable file is refused with its reason")
  func unreadable() throws {
    let world = try World()
    // Root reads everything; what nobody reads is a file behind a link to itself.
    symlink("loop.wav", world.folder.path + "/loop.wav")
    let finished = try world.alarm("play", world.folder.path + "/loop.wav")
    #expect(finished.status == .exited(1))
    #expect(finished.complaint.contains("loop.wav"))
  }

  @Test("A file with line breaks, escapes and invalid UTF-8 in its name plays, and is shown clean")
  func oddName() throws {
    let world = try World()
    let good = try readFile(try world.makeTone("good.wav", seconds: 20))
    let name = Array("a\nb\u{1b}]0;x\u{7}".utf8) + [0xff] + Array("\u{202e}.wav".utf8)
    try world.folder.write(good, to: world.folder.file(name))
    let played = try runBytes(world, ["play"], file: name)
    #expect(played.status == .exited(0), "\(played.complaint)")
    let status = try world.waitForStatus("playing") { $0.player.state == "playing" }
    #expect(status.player.track.flatMap { FileName(text: $0.path) }?.bytes == world.folder.file(name).bytes)
    let shown = try world.must("status")
    #expect(
      !shown.unicodeScalars.contains {
        ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202e || $0.value == 0x7f
      })
    let added = try runBytes(world, ["add", "daily 07:00", "--sound"], file: name)
    #expect(added.status == .exited(0), "\(added.complaint)")
    #expect(
      try world.list().first?.sound.flatMap { FileName(text: $0) }?.bytes == world.folder.file(name).bytes)
    #expect(
      !(try world.must("list")).unicodeScalars.contains {
        ($0.value < 0x20 && $0 != "\n") || $0.value == 0x202e
      })
  }

  @Test("Hostile labels never reach a terminal raw, and come back whole in JSON")
  func hostileLabel() throws {
    let world = try World()
    let label = "x\u{1b}[2J\u{9b}31m\u{202e}\u{7f}\ny\u{1b}]52;c;AAAA\u{7}"
    try world.must("add", "daily 07:00", "--label", label, "--info", "k=\(label)")
    for words in [["list"], ["show", "1"], ["next"], ["status"]] {
      let text = try world.alarm(words).text
      #expect(!text.isEmpty)
      #expect(
        !text.unicodeScalars.contains {
          ($0.value < 0x20 && $0 != "\n") || (0x7f...0x9f).contains($0.value) || $0.value == 0x202e
        },
        "\(words): \(text.debugDescription)")
    }
    #expect(try world.list().first?.label == label)
    #expect(try world.list().first?.userInfo == ["k": label])
  }

  /// Runs the program with a last argument that need not be UTF-8, through a shell's printf.
  private func runBytes(_ world: World, _ words: [String], file name: [UInt8]) throws -> Finished {
    let octal = name.map { byte in
      "\\0" + String(repeating: "0", count: 3 - String(byte, radix: 8).count) + String(byte, radix: 8)
    }.joined()
    // The dot keeps trailing line breaks from being cut by the substitution.
    let script = #"f=$(printf '%b.' "$1"); f=${f%.}; shift; cd "$1"; shift; exec "$@" "$f""#
    return try run(
      ["sh", "-c", script, "sh", octal, world.folder.path, world.program] + words,
      environment: world.environment)
  }
}
