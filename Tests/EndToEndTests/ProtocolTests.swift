import FoundationEssentials
import Harness
import Platform
import Testing
import Wire

private struct Reply: Decodable {
  struct Failure: Decodable {
    var code: Int
    var message: String
  }
  var id: JSON?
  var result: JSON?
  var error: Failure?
}

@Suite("The socket under bad manners", .serialized)
struct ProtocolTests {
  private func ask(_ connection: Connection, _ line: String) throws -> Reply {
    connection.send(line: line)
    let answer = try #require(try connection.readLine())
    return try decode(Reply.self, from: answer)
  }

  @Test(
    "A wrong line gets an error reply, and the connection goes on",
    arguments: [
      ("{", ErrorCode.parse), ("nonsense", ErrorCode.parse),
      ("[]", ErrorCode.invalidRequest),
      ("42", ErrorCode.invalidRequest), (#"{"jsonrpc":"2.0","id":7}"#, ErrorCode.invalidRequest),
      (#"{"jsonrpc":"2.0","id":7,"method":5}"#, ErrorCode.invalidRequest),
      (#"{"jsonrpc":"2.0","id":7,"method":"no.such"}"#, ErrorCode.unknownMethod),
      (#"{"jsonrpc":"2.0","id":7,"method":"show","params":5}"#, ErrorCode.invalidParams),
      (#"{"jsonrpc":"2.0","id":7,"method":"show","params":{"id":"x"}}"#, ErrorCode.invalidParams),
      (#"{"jsonrpc":"2.0","id":7,"method":"show","params":{"id":99}}"#, ErrorCode.refused),
      (#"{"jsonrpc":"2.0","id":7,"method":"add","params":{"when":"mon 7"}}"#, ErrorCode.wrongWords),
      ("\u{1}\u{2}\u{7f}", ErrorCode.parse),
    ])
  func errorReplies(_ line: String, _ code: Int) throws {
    let world = try World()
    try world.must("engine", "start")
    let connection = try Connection(world.socket)
    let reply = try ask(connection, line)
    #expect(reply.error?.code == code, "\(String(describing: reply.error))")
    #expect(reply.error?.message.isEmpty == false)
    #expect(try ask(connection, #"{"jsonrpc":"2.0","id":8,"method":"hello"}"#).result != nil)
  }

  @Test(
    "What goes through every status is bounded, and what is out of bounds is a mistake in words",
    arguments: [
      ("timer", ["span": "5m", "label": .string(String(repeating: "x", count: 2001))]),
      ("awake", ["reason": .string(String(repeating: "x", count: 2001))]),
      ("add", ["when": "+5m", "snooze": "25h"]),
      ("snooze", ["span": "25h"]),
    ] as [(String, JSON)])
  func bounds(_ method: String, _ params: JSON) throws {
    let world = try World()
    try world.must("engine", "start")
    let client = try Client(path: world.socket)
    let error = #expect(throws: WireError.self) { try client.call(method, params, as: JSON.self) }
    #expect(error?.code == ErrorCode.wrongWords, "\(String(describing: error))")
  }

  @Test(
    "What is no boolean where one is meant, and what a method does not know, is refused with its name",
    arguments: [
      ("awake", ["bind": "true"], "bind"), ("awake", ["bind": 1], "bind"), ("awake", ["audio": 1], "audio"),
      ("awake", ["kinds": ["audio"]], "kinds"), ("remove", ["spent": "yes"], "spent"),
      ("inbox", ["clear": [true]], "clear"), ("skip", ["id": 1, "off": 0], "off"),
      ("queue.add", ["sources": ["/a.wav"], "next": "no"], "next"),
      ("subscribe", ["motion": "false"], "motion"), ("add", ["when": "07:00", "volum": 3], "volum"),
      ("stop", ["all": true], "all"),
    ] as [(String, JSON, String)])
  func wrongTypes(_ method: String, _ params: JSON, _ name: String) throws {
    let world = try World()
    try world.must("engine", "start")
    let client = try Client(path: world.socket)
    let error = #expect(throws: WireError.self) { try client.call(method, params, as: JSON.self) }
    #expect(error?.code == ErrorCode.invalidParams, "\(String(describing: error))")
    #expect(error?.description.contains("“\(name)”") == true, "\(String(describing: error))")
    #expect(try world.status().awake.leases.isEmpty && world.list().isEmpty)
  }

  @Test("A line over one mebibyte gets one error reply, and others are served meanwhile")
  func overlongLine() throws {
    let world = try World()
    try world.must("engine", "start")
    let connection = try Connection(world.socket)
    connection.send([UInt8](repeating: UInt8(ascii: "a"), count: 3 << 20))
    #expect(try world.status().alarms.count == 0)
    connection.send(line: "")
    let answer = try #require(try connection.readLine())
    #expect(try decode(Reply.self, from: answer).error?.message.contains("1 MiB") == true, "\(answer)")
  }

  @Test("Deep nesting is refused with an error reply")
  func deepNesting() throws {
    let world = try World()
    try world.must("engine", "start")
    let pid = try world.enginePID()
    let connection = try Connection(world.socket)
    let deep = String(repeating: "[", count: 500_000)
    let reply = try ask(connection, #"{"jsonrpc":"2.0","id":1,"method":"add","params":"# + deep)
    #expect(reply.error?.code == ErrorCode.parse)
    #expect(try world.enginePID() == pid)
  }

  @Test("A client that never reads is closed, and nobody else notices")
  func neverReads() throws {
    let world = try World()
    try world.must("engine", "start")
    let pid = try world.enginePID()
    let greedy = try Connection(world.socket)
    let line = Array((#"{"jsonrpc":"2.0","id":1,"method":"status"}"# + "\n").utf8)
    let block = [UInt8]((0..<2000).flatMap { _ in line })
    var sent = 0
    // Never reading: at some point nothing more is taken, or the other side closes.
    for _ in 0..<60 {
      let count = greedy.send(block, within: .seconds(3))
      sent += count
      if count < block.count { break }
    }
    #expect(sent < 60 * block.count, "it was neither closed nor held back after \(sent) bytes")
    #expect(try world.enginePID() == pid)
    let answers = try wait(for: "the close") { () -> Bool? in
      while let line = try greedy.readLine() { if line.isEmpty { return nil } }
      return true
    }
    #expect(answers)
  }

  @Test(
    "What was asked for is done although whoever asked has gone before it was answered, behind a slow disk too",
    .enabled(if: HeldFile.isPossible))
  func gone() throws {
    let world = try World()
    let slow = try world.makeTone("slow.wav", seconds: 1, rate: 8000)
    try world.must("engine", "start")
    let held = try HeldFile(slow)
    for label in ["a", "b", "c", "d", "e", "f"] {
      let connection = try Connection(world.socket)
      connection.send(
        line:
          #"{"jsonrpc":"2.0","id":1,"method":"add","params":{"when":"daily 07:00","label":"\#(label)","sound":"\#(slow)"}}"#
      )
    }
    // They wait for workers, and those for the disk.
    try world.must("add", "daily 08:00", "--label", "first")
    #expect(try world.list().map(\.label) == ["first"])
    held.release()
    try wait(until: "all of them") { try world.list().count == 7 }
    #expect(try Set(world.list().map(\.label)) == ["a", "b", "c", "d", "e", "f", "first"])
  }

  @Test("Forty connections that say nothing do not keep others out")
  func manyIdle() throws {
    let world = try World()
    try world.must("engine", "start")
    let idle = try (0..<40).map { _ in try Connection(world.socket) }
    #expect(try world.status().engine.pid > 0)
    #expect(idle.count == 40)
  }

  @Test("subscribe streams the same object that status answers, at every change")
  func subscribe() throws {
    let world = try World()
    try world.must("engine", "start")
    let connection = try Connection(world.socket)
    let first = try ask(connection, #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
    #expect(first.result?["alarms"]?["count"] == 0)
    try world.must("add", "daily 07:00")
    let next = try wait(for: "the new status") { () -> JSON? in
      let line = try #require(try connection.readLine())
      let message = try decode(JSON.self, from: line)
      return message["method"] == "status" && message["params"]?["alarms"]?["count"] == 1 ? message : nil
    }
    #expect(next["params"]?["engine"] != nil)
  }
}
