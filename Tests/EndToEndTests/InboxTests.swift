import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The inbox, the badge and the story", .serialized)
struct InboxTests {
  private func log(_ world: World) throws -> [LogEntry] {
    try decode([LogEntry].self, from: try world.must("log", "--json"))
  }

  @Test(
    "A ring with everything attached: in the status, the inbox, the badge and the log, and its command ran once"
  )
  func everything() throws {
    let world = try World()
    let file = world.folder.path + "/ran"
    try world.must(
      "add", "+1s", "--label", "Up", "--body", "Really", "--action", "Read", "--info", "room=kitchen",
      "--badge", "5", "--run", "echo $ALARM_INFO_ROOM >> \(file); exit 4")
    let status = try world.waitForStatus("the ring") { $0.ringing.count == 1 }
    #expect(status.ringing.first?.action == "Read")
    #expect(status.badge == 5)
    #expect(status.inbox.map(\.state) == ["ringing"])
    #expect(status.inbox.first?.userInfo == ["room": "kitchen"])
    #expect(status.inbox.first?.body == "Really")
    #expect(try world.must("inbox").contains("ringing\n  Really\n  room=kitchen\n"))
    #expect(try world.must("badge") == "5\n", "a pipe is not a person")
    try world.must("snooze", "1s")
    try world.waitForStatus("the second ring") { $0.ringing.count == 1 }
    try world.must("dismiss")
    let after = try world.status()
    #expect(after.inbox.isEmpty)
    #expect(after.badge == 4)
    #expect(String(decoding: try readFile(file), as: UTF8.self) == "kitchen\n")
    let entry = try #require(try log(world).first)
    #expect(entry.state == "dismissed")
    let whats = entry.story.map(\.what)
    for what in ["rang", "runFailed", "snoozed", "again", "dismissed"] { #expect(whats.contains(what)) }
    #expect(entry.story.last?.text == "dismissed by the command line")
    #expect(entry.story.contains { $0.text == "its command ended with status 4" })
    #expect(try world.must("log", "1").contains("dismissed by the command line"))
    let other = try world.alarm("log", "7")
    #expect(other.status == .exited(1))
    #expect(
      other.complaint.contains("there is no alarm 7, and no story of one; “alarm list” shows those there are")
    )
    let added = try world.must("add", "07:00").prefix { $0.isNumber }
    #expect(try world.must("log", String(added)).isEmpty)
  }

  @Test("What was missed waits in the inbox over a kill, and a person who looks sets the badge to 0")
  func missed() throws {
    let world = try World(settings: #"{ alarm: { lateWithin: "1 s" } }"#)
    try world.must("add", "+2s", "--label", "Gone")
    let due = try microseconds(world.list().first?.next)
    try world.must("engine", "stop")
    try wait(until: "the end of every process") { world.processes().isEmpty }
    try wait(until: "the alarm to be too late") { wallMicroseconds() > due + 2_500_000 }
    #expect(try world.must("inbox").contains("“Gone”  missed: the engine was not running"))
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try wait(until: "another engine", within: .seconds(20)) {
      ((try? world.enginePID()) ?? engine) != engine
    }
    #expect(try world.status().inbox.map(\.reason) == ["away"])
    #expect(try world.must("badge") == "1\n")
    let terminal = try Terminal(
      columns: 100, rows: 30, running: ["/bin/sh", "-c", "\(world.program) inbox; exec sleep 60"],
      environment: world.environment)
    try terminal.wait(for: "missed: the engine was not running")
    try wait(until: "the badge") { (try? world.must("badge")) == "0\n" }
    #expect(try world.status().inbox.count == 1, "seen is not dealt with")
    let cleared = try world.must("inbox", "--clear")
    #expect(cleared.contains("Gone"))
    #expect(try world.status().inbox.isEmpty)
    let story = try #require(try log(world).first?.story.last)
    #expect(story.what == "missed")
    #expect(story.text.hasPrefix("missed: no engine ran from "))
  }

  @Test("Two clients both see it; dismissed by one, it is gone for both")
  func twoClients() throws {
    let world = try World()
    try world.must("engine", "start")
    let clients = try (0..<2).map { _ in try Connection(world.socket) }
    for client in clients {
      client.send(line: #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"client":"screen"}}"#)
      client.send(line: #"{"jsonrpc":"2.0","id":2,"method":"subscribe"}"#)
    }
    func read(_ client: Connection, until text: String) throws {
      while let line = try client.readLine() { if line.contains(text) { return } }
      Issue.record("the engine closed the connection")
    }
    try world.must("add", "+1s", "--label", "Both")
    for client in clients { try read(client, until: #""ringing":[{"#) }
    clients[0].send(line: #"{"jsonrpc":"2.0","id":3,"method":"dismiss"}"#)
    for client in clients { try read(client, until: #""ringing":[]"#) }
    #expect(try log(world).first?.story.last?.text == "dismissed by the screen")
  }
}
