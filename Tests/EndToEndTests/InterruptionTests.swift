import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Interruptions of the whole program", .serialized)
struct InterruptionTests {
  /// Waits for an event of this name; its data.
  private func event(_ name: String, on connection: Connection) throws -> JSON {
    try wait(for: "the event “\(name)”", within: .seconds(30)) { () -> JSON? in
      let line = try #require(try connection.readLine(within: .seconds(30)))
      let message = try decode(JSON.self, from: line)
      guard message["method"] == "event", message["params"]?["name"] == .string(name) else { return nil }
      return message["params"]?["data"]
    }
  }

  @Test(
    "A server that hangs, is killed and comes back: events with reasons, and status answers within 100 ms")
  func hangingServer() throws {
    let world = try World(sound: .pulse)
    let server = try #require(world.pulse)
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("the music") { $0.output.state == "running" && $0.player.state == "playing" }
    // Evenly consumed by now.
    let written = try world.status().output.framesWritten
    try world.waitForStatus("three seconds of it") { $0.output.framesWritten > written + 144_000 }
    let listener = try Connection(world.socket)
    listener.send(
      line: #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["interrupted","restored"]}}"#)
    let asker = try Connection(world.socket)
    server.suspend()
    let interrupted = try event("interrupted", on: listener)
    guard case .string(let reason)? = interrupted["reason"] else {
      Issue.record("no reason: \(interrupted)")
      return
    }
    #expect(reason.contains("sound device"))
    var waits: [Int64] = []
    for number in 0..<30 {
      let asked = Clocks.monotonicMicroseconds()
      asker.send(line: #"{"jsonrpc":"2.0","id":\#(number),"method":"status"}"#)
      let answer = try #require(try asker.readLine())
      waits.append(Clocks.monotonicMicroseconds() - asked)
      if number == 0 {
        #expect(try decode(JSON.self, from: answer)["result"]?["output"]?["state"] == "interrupted")
        #expect(try decode(JSON.self, from: answer)["result"]?["player"]?["state"] == "interrupted")
      }
      usleep(100_000)
    }
    #expect(waits.allSatisfy { $0 < 100_000 }, "\(waits)")
    server.kill9()
    try server.start()
    let restored = try event("restored", on: listener)
    #expect(restored["shouldResume"] == true)
    guard case .string(let again)? = restored["reason"] else {
      Issue.record("no reason: \(restored)")
      return
    }
    #expect(again.contains("takes sound again"))
    try world.waitForStatus("the music again") { $0.player.state == "playing" }
  }

  @Test(
    "A pause while the server is away stays a pause when it is back, to the ear as in the status",
    arguments: ["pause", "toggle"])
  func pausedMeanwhile(by word: String) throws {
    let world = try World(sound: .pulse)
    let server = try #require(world.pulse)
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("the music") { $0.output.state == "running" && $0.player.position > 1 }
    server.kill9()
    try world.waitForStatus("the interruption") { $0.player.state == "interrupted" }
    try world.must(word)
    try server.start()
    try world.waitForStatus("the device", within: .seconds(30)) {
      $0.output.state == "running" && $0.player.state == "paused"
    }
    let place = try world.status().player.position
    let recording = try server.record()
    usleep(2_000_000)
    let samples = try recording.stop().samples
    #expect(samples.count > 48_000 && samples.allSatisfy { $0 == 0 })
    #expect(try world.status().player.position == place)
    // And play makes it go on.
    try world.must("play")
    try world.waitForStatus("the music again") { $0.player.position > place + 0.5 }
  }
}
