import Harness
import Platform
import Testing

@Suite("The README tells the truth", .serialized)
struct ReadmeTests {
  static let top = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  private static func readme() throws -> String {
    String(decoding: try readFile(top + "/README.md"), as: UTF8.self)
  }

  /// The commands of its `sh` blocks, comments cut.
  private static func commands() throws -> [String] {
    var inside = false
    var found: [String] = []
    for line in try readme().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        inside = line == "```sh"
      } else if inside, let words = line.split(separator: "#").first.map({ $0.trimmed }), !words.isEmpty {
        found.append(words)
      }
    }
    return found
  }

  @Test("Every command of its blocks does what it says, in order, in one world")
  func commandsRun() throws {
    let world = try World()
    let commands = try ReadmeTests.commands()
    #expect(commands.count >= 10)
    try runOrThrow(["mkdir", world.folder.path + "/home/Music"])
    let tone = try world.makeTone("home/Music/a.wav", seconds: 3)
    try runOrThrow(["mkdir", "-p", world.folder.path + "/bin"])
    try runOrThrow(["ln", "-s", world.program, world.folder.path + "/bin/alarm"])
    var environment = world.environment
    environment["PATH"] = world.folder.path + "/bin:" + (environment["PATH"] ?? "")
    for command in commands where command != "alarm" {
      // Snooze needs something that rings; dismiss then ends what is snoozed.
      if command.hasPrefix("alarm snooze") { try world.must("ring", "1") }
      let finished = try run(["sh", "-c", command], environment: environment)
      #expect(finished.succeeded, "\(command): \(finished.complaint)")
    }
    #expect(try world.status().player.track?.path == tone)
  }

  @Test("Every command it names is one that the program has, and its settings are known")
  func namesExist() throws {
    let world = try World()
    let help = try world.must("help")
    for piece in try ReadmeTests.readme().split(separator: "`") where piece.hasPrefix("alarm ") {
      let word = piece.split(separator: " ")[1]
      guard word.allSatisfy({ $0.isLowercase && $0.isLetter }), word != "help" else { continue }
      #expect(help.contains(word), "\(piece)")
    }
    let block = try ReadmeTests.readme().components(between: "```json5\n", and: "```")
    try world.write(settings: try #require(block))
    try world.must("engine", "start")
    #expect(try world.status().engine.configErrors == [])
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> String? {
    guard let from = range(of: start)?.upperBound, let to = self[from...].range(of: end)?.lowerBound else {
      return nil
    }
    return String(self[from..<to])
  }

  fileprivate func range(of part: String) -> Range<String.Index>? { self[...].range(of: part) }
}

extension Substring {
  fileprivate func range(of part: String) -> Range<String.Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(part) { return place..<index(place, offsetBy: part.count) }
      place = index(after: place)
    }
    return nil
  }
}
