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

  @Test("So many run at once; the others run when one of those has ended, or not where that is too late")
  func many() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let path = folder.path
    let bench = try Bench(grace: 400_000)
    let ids = (1...(RingCommands.most + 3)).map {
      OccurrenceID(alarm: $0, date: LocalDate(dayNumber: 20_000), version: 1)
    }
    for id in ids {
      let line = "touch \(path)/$ALARM_ID.began; while ! [ -e \(path)/$ALARM_ID.end ]; do sleep 0.1; done"
      bench.commands.run(RingCommand(occurrence: id, line: line, label: "", body: "", info: []))
    }
    func begun() -> [Int] {
      namesInFolder(path).filter { $0.hasSuffix(".began") }.compactMap { Int($0.dropLast(6)) }.sorted()
    }
    try bench.run { begun().count >= RingCommands.most }
    let soon = Clocks.monotonicMicroseconds() + 500_000
    try bench.run { Clocks.monotonicMicroseconds() > soon }
    #expect(begun() == Array(1...RingCommands.most))
    bench.commands.ringEnded(ids[RingCommands.most])
    let later = Clocks.monotonicMicroseconds() + 500_000
    try bench.run { Clocks.monotonicMicroseconds() > later }
    // Its ring has just ended, so it is run all the same.
    bench.commands.ringEnded(ids[RingCommands.most + 1])
    try replaceFile(path + "/5.end", with: [])
    try bench.run { begun().count > RingCommands.most }
    #expect(
      bench.lines == [
        "ran its command has ended",
        "runFailed its command was not run: 64 others ran for a minute after its ring",
      ])
    #expect(begun() == Array(1...RingCommands.most) + [RingCommands.most + 2])
    bench.commands.ringBegan(ids[RingCommands.most + 1])
    for number in 1...(RingCommands.most + 3) { try replaceFile(path + "/\(number).end", with: []) }
    try bench.run { bench.lines.count == RingCommands.most + 3 }
  }

  @Test("What an engine that died left running is ended with its ring by the next one on the same data")
  func survives() throws {
    blockSignals([SIGCHLD])
    let folder = try TemporaryFolder()
    let file = folder.file("pids").text
    let data = folder.path
    var dead: Bench? = try Bench(data: data)
    let line =
      "setsid sleep 600 & echo $! > \(file).apart; sleep 600 & echo $! $$ > \(file).new; mv \(file).new \(file); sleep 600"
    dead?.commands.run(command(line))
    try dead?.run { access(file, F_OK) == 0 }
    dead = nil
    let apart = try #require(
      pid_t(String(decoding: try readFile(file + ".apart"), as: UTF8.self).filter { $0 != "\n" }))
    defer { kill(apart, SIGKILL) }
    let pids = String(decoding: try readFile(file), as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .compactMap { pid_t($0) }
    #expect(pids.count == 2 && pids.allSatisfy { isAlive($0) })
    #expect(RingCommands.survivors(of: data + "/other").isEmpty)
    // What went into a session of its own is not among them.
    let found = RingCommands.survivors(of: data)
    #expect(found == [RingCommands.Survivor(group: pids[1], occurrence: id)])
    let bench = try Bench(grace: 300_000, data: data)
    bench.commands.adopt(found) { _ in true }
    let later = Clocks.monotonicMicroseconds() + 600_000
    try bench.run { Clocks.monotonicMicroseconds() > later }
    #expect(pids.allSatisfy { isAlive($0) } && bench.lines.isEmpty)
    bench.commands.ringEnded(id)
    try bench.run { pids.allSatisfy { !isAlive($0) } }
    #expect(isAlive(apart))
    #expect(bench.lines == ["runFailed its command went on for a minute after the ring, so it was ended"])
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
