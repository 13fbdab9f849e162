import Core
import Glibc
import Harness
import Platform
import Schedule
import Testing

@testable import Engine

@Suite("The command of a ring")
struct RingCommandTests {
  private let id = OccurrenceID(alarm: 3, date: LocalDate(dayNumber: 20_000), version: 1)

  private func command(_ line: String, info: [InfoPair] = []) -> RingCommand {
    RingCommand(occurrence: id, line: line, label: "Up & “away”", body: "two\nlines", info: info)
  }

  /// A loop with commands on it, and what they told.
  private final class Bench {
    let loop: EventLoop
    let commands: RingCommands
    private let told: Told
    final class Told { var lines: [String] = [] }

    init(grace: Int64 = RingCommands.grace, data: String = "/data") throws {
      let (loop, told) = (try EventLoop(), Told())
      (self.loop, self.told) = (loop, told)
      commands = try RingCommands(loop, home: "/", data: data, CommandOutput(loop), grace: grace) {
        _, kind, sentence in
        told.lines.append("\(kind.rawValue) \(sentence)")
      }
    }

    var lines: [String] { told.lines }

    func run(until condition: () -> Bool) throws {
      let end = Clocks.monotonicMicroseconds() + 20_000_000
      while !condition(), Clocks.monotonicMicroseconds() < end { try loop.runOnce(waitingAtMost: 50_000) }
      #expect(condition())
    }
  }

  @Test("What a person attached is in its environment; its input is empty and its folder the home folder")
  func environment() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let file = folder.file("out").text
    let bench = try Bench()
    let line =
      "{ printf '%s|' \"$ALARM_LABEL\" \"$ALARM_BODY\" \"$ALARM_ID\" \"$ALARM_OCCURRENCE\" "
      + "\"$ALARM_INFO_ROOM_2\" \"$ALARM_INFO___\" \"$PWD\"; cat; } > \(file).new; mv \(file).new \(file)"
    bench.commands.run(
      command(line, info: [InfoPair("room-2", "kitchen"), InfoPair("ü\n", "odd\0one")]))
    try bench.run { !bench.lines.isEmpty }
    #expect(bench.lines == ["ran its command has ended"])
    #expect(
      String(decoding: try readFile(file), as: UTF8.self)
        == "Up & “away”|two\nlines|3|3@2024-10-04.1|kitchen|oddone|/|")
  }

  @Test(
    "Its failure is told",
    arguments: [
      ("exit 3", "runFailed its command ended with status 3"),
      ("kill -KILL $$", "runFailed its command was killed by signal 9"),
      ("/no/such/program", "runFailed its command ended with status 127"),
      ("true", "ran its command has ended"),
    ])
  func failures(_ line: String, told: String) throws {
    blockSignals([SIGCHLD])
    let bench = try Bench()
    bench.commands.run(command(line))
    try bench.run { !bench.lines.isEmpty }
    #expect(bench.lines == [told])
  }

  @Test("It is ended, with all it started, when it outlives its ring by a minute")
  func outlives() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let file = folder.file("pids").text
    let bench = try Bench(grace: 300_000)
    bench.commands.run(command("sleep 600 & echo $! $$ > \(file).new; mv \(file).new \(file); sleep 600"))
    try bench.run { access(file, F_OK) == 0 }
    let pids = String(decoding: try readFile(file), as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .compactMap { pid_t($0) }
    #expect(pids.count == 2)
    #expect(pids.allSatisfy { kill($0, 0) == 0 })
    // As long as it rings it may go on, and a ring that begins again gives it its time anew.
    bench.commands.ringEnded(id)
    bench.commands.ringBegan(id)
    let later = Clocks.monotonicMicroseconds() + 600_000
    try bench.run { Clocks.monotonicMicroseconds() > later }
    #expect(bench.lines.isEmpty)
    bench.commands.ringEnded(id)
    try bench.run { pids.allSatisfy { !isAlive($0) } }
    #expect(bench.lines == ["runFailed its command went on for a minute after the ring, so it was ended"])
  }

  @Test("What a command left behind in its group is ended too, after the command itself")
  func leftBehind() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let file = folder.file("pid").text
    let bench = try Bench(grace: 100_000)
    bench.commands.run(command("sleep 600 & echo $! > \(file)"))
    try bench.run { !bench.lines.isEmpty }
    let left = try #require(
      pid_t(String(decoding: try readFile(file), as: UTF8.self).filter { $0 != "\n" }))
    #expect(isAlive(left))
    bench.commands.ringEnded(id)
    try bench.run { !isAlive(left) }
  }

  @Test("At the engine's end it is asked to end")
  func engineEnds() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let file = folder.file("ended").text
    let bench = try Bench()
    bench.commands.run(
      command("trap 'touch \(file); exit' TERM; touch \(file).began; while :; do sleep 0.05; done"))
    try bench.run { access(file + ".began", F_OK) == 0 }
    bench.commands.end()
    try bench.run { access(file, F_OK) == 0 }
  }
}

/// A process that exists and is not a zombie.
private func isAlive(_ process: pid_t) -> Bool {
  guard let bytes = try? readFile("/proc/\(process)/stat") else { return false }
  let state = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
  return state != "Z" && state != nil
}
