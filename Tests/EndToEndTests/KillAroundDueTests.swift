import FoundationEssentials
import Glibc
import Harness
import Platform
import Testing
import Wire

private struct AnswerLine<Reply: Decodable>: Decodable {
  var result: Reply?
}

/// An engine in front, without the parent that would start it again: a test starts and kills it as fast as it can.
private final class BareEngine {
  private let world: World
  private var process: pid_t = 0
  private var connection: Connection?

  init(_ world: World) throws {
    self.world = world
    try start()
  }

  func start() throws {
    let log = try Descriptor.open(world.folder.path + "/log", O_WRONLY | O_CREAT | O_APPEND)
    process = try spawn(
      [world.program, "engine", "run"], environment: world.environment,
      descriptors: [(1, log.number), (2, log.number)])
    connection = try wait(for: "the engine's socket", every: .milliseconds(2)) {
      try? Connection(world.socket)
    }
  }

  func kill() {
    Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
    connection = nil
  }

  /// The answer; nil where the engine died before it came.
  func ask<Reply: Decodable>(_ method: String, _ params: String = "{}", as kind: Reply.Type) throws -> Reply?
  {
    guard let connection else { return nil }
    connection.send(line: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
    guard let line = try connection.readLine() else { return nil }
    return try JSONDecoder().decode(AnswerLine<Reply>.self, from: Data(line.utf8)).result
  }
}

@Suite("Kills around due instants", .serialized)
struct KillAroundDueTests {
  @Test(
    "Killed two hundred times around due instants, each alarm rings until it is dealt with, and never after")
  func twoHundredKills() throws {
    let world = try World()
    let engine = try BareEngine(world)
    defer { engine.kill() }
    var generator = SeededGenerator(seed: 4)
    var kills = 0
    while kills < 200 {
      // When each is due at the latest, by the wall clock.
      var dues: [Int: Int64] = [:]
      for number in 0..<8 {
        let tenths = 10 + number * 2
        let span = "\(tenths / 10).\(tenths % 10)s"
        let reply = try #require(
          try engine.ask("timer", #"{"span":"\#(span)","label":"k"}"#, as: AlarmReply.self))
        dues[try #require(reply.alarms.first?.id)] =
          wallMicroseconds() + Int64(tenths) * 100_000
      }
      var dismissed: Set<Int> = []
      let instants = dues.values.sorted()
      for kill in 0..<10 {
        let due = instants[min(kill, instants.count - 1)]
        let moment = due + Int64.random(in: -90_000...120_000, using: &generator)
        let left = moment - wallMicroseconds()
        if left > 0 { usleep(UInt32(left)) }
        engine.kill()
        kills += 1
        try engine.start()
        let status = try #require(try engine.ask("status", as: Status.self))
        let ringing = status.ringing.map(\.id)
        #expect(Set(ringing).count == ringing.count, "each once")
        for id in ringing {
          #expect(!dismissed.contains(id), "\(id) rings after it was dismissed, kill \(kills)")
        }
        let now = wallMicroseconds()
        for (id, due) in dues where due < now - 50_000 && !dismissed.contains(id) {
          #expect(ringing.contains(id), "\(id) does not ring after kill \(kills)")
        }
        if let id = ringing.randomElement(using: &generator), Bool.random(using: &generator),
          try engine.ask("dismiss", #"{"id":\#(id)}"#, as: DoneReply.self) != nil
        {
          dismissed.insert(id)
        }
      }
      let last = (instants.last ?? 0) + 100_000 - wallMicroseconds()
      if last > 0 { usleep(UInt32(last)) }
      let status = try #require(try engine.ask("status", as: Status.self))
      #expect(Set(status.ringing.map(\.id)) == Set(dues.keys).subtracting(dismissed))
      #expect(Set(status.inbox.map(\.id)) == Set(dues.keys).subtracting(dismissed))
      _ = try engine.ask("stop", as: DoneReply.self)
      _ = try engine.ask("remove", #"{"spent":true}"#, as: AlarmReply.self)
    }
    let log = try #require(try engine.ask("log", as: [LogEntry].self))
    #expect(log.count == kills / 10 * 8)
    for entry in log {
      #expect(entry.state == "dismissed", "\(entry)")
      #expect(entry.story.count { $0.what == "dismissed" } == 1, "\(entry)")
      #expect(entry.story.contains { $0.what == "rang" || $0.what == "late" }, "\(entry)")
    }
  }
}
