import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The life cycle", .serialized)
struct LifeCycleTests {
  private struct Event: Decodable {
    struct Data: Decodable { var state: String }
    var name: String
    var data: Data
  }

  /// The next steps that a connection is told of.
  private func steps(_ client: Client, _ count: Int) throws -> [String] {
    var steps: [String] = []
    while steps.count < count, let notification = try client.nextNotification(waitingAtMost: 10) {
      guard notification.method == "event" else { continue }
      let event: Event = try notification.params.decode()
      if event.name == "lifecycle" { steps.append(event.data.state) }
    }
    return steps
  }

  private func screen(_ world: World) throws -> Client {
    let client = try Client(path: world.socket)
    try client.hello(client: "screen")
    return client
  }

  private func focus(_ client: Client, _ focused: Bool) throws {
    let _: DoneReply = try client.call("focus", ["focused": .bool(focused)])
  }

  @Test("It follows the screens and their focus, each step is told in its order, and the end too")
  func follows() throws {
    let world = try World()
    try world.must("engine", "start")
    let watcher = try Client(path: world.socket)
    let _: Status = try watcher.call("subscribe", ["events": ["lifecycle"]])
    var first: Client? = try screen(world)
    #expect(try steps(watcher, 2) == ["foreground", "active"])
    try focus(try #require(first), false)
    #expect(try steps(watcher, 1) == ["inactive"])
    #expect(try world.status().lifecycle == "inactive")
    let second = try screen(world)
    #expect(try steps(watcher, 1) == ["active"])
    try focus(second, false)
    try focus(try #require(first), true)
    #expect(try steps(watcher, 2) == ["inactive", "active"])
    first = nil
    #expect(try steps(watcher, 1) == ["inactive"])
    try focus(second, true)
    #expect(try steps(watcher, 1) == ["active"])
    #expect(throws: WireError.self) { try focus(watcher, true) }
    try world.must("engine", "stop")
    #expect(try steps(watcher, 3) == ["inactive", "background", "terminating"])
  }

  @Test("Settings are read again on coming to the foreground, where no watch has told of them")
  func readsSettings() throws {
    let world = try World()
    // The settings lie on another file system's side of two links, where their change is not seen.
    let real = world.folder.path + "/real"
    mkdir(real, 0o700)
    mkdir(world.folder.path + "/config/reveille", 0o700)
    symlink("\(real)/middle", world.folder.path + "/config/reveille/config.json5")
    symlink("\(real)/one", "\(real)/middle")
    try replaceFile("\(real)/one", with: Array("{}".utf8))
    try replaceFile("\(real)/two", with: Array("{ alarm: { volume: 'loud' } }".utf8))
    try world.must("engine", "start")
    unlink("\(real)/middle")
    symlink("\(real)/two", "\(real)/middle")
    #expect(try world.status().engine.configErrors.isEmpty)
    let client = try screen(world)
    try world.waitForStatus("the complaint") { !$0.engine.configErrors.isEmpty && $0.lifecycle == "active" }
    withExtendedLifetime(client) {}
  }

  @Test("With background.engine off the engine ends with its last screen, and nothing starts it again")
  func endsWithScreen() throws {
    let world = try World(settings: "{ background: { engine: false } }")
    let added = try world.alarm("add", "daily 07:00")
    #expect(
      added.complaint.contains(
        "background.engine is off: the engine ends with its last screen, and no alarm rings after that"))
    var first: Client? = try screen(world)
    let second = try screen(world)
    first = nil
    try world.waitForStatus("the first to be gone") { $0.lifecycle == "active" }
    #expect(first == nil && !world.processes().isEmpty)
    let terminal = try Terminal(
      columns: 80, rows: 24, running: [world.program], environment: world.environment)
    try terminal.wait(for: "Alarms")
    withExtendedLifetime(second) {}
    try terminal.press("q")
    try wait(until: "no more than the engine and its parent") { world.processes().count == 2 }
    try focus(second, false)
    try world.must("status")
    #expect(throws: WireError.self) {
      let _: DoneReply = try second.call("engine.stop")
      let _: DoneReply = try second.call("focus", ["focused": true])
    }
    try wait(until: "the end") { world.processes().isEmpty }
    try world.must("engine", "start")
    var last: Client? = try screen(world)
    try world.waitForStatus("the screen") { $0.lifecycle == "active" }
    #expect(last != nil)
    last = nil
    try wait(until: "the end with the last screen") { world.processes().isEmpty }
    #expect(world.log.contains("the engine ends: its last screen has gone, and background.engine is off"))
  }

  @Test("Without audio among the modes music pauses when the last screen goes, and goes on with the next")
  func musicPauses() throws {
    let world = try World(settings: "{ background: { modes: ['alarms'] } }")
    try world.must("play", try world.makeTone(seconds: 60))
    for _ in 0..<2 {
      let client = try screen(world)
      try world.waitForStatus("playing in the foreground") { $0.player.state == "playing" }
      withExtendedLifetime(client) {}
    }
    try world.waitForStatus("the pause") { $0.player.state == "paused" && $0.lifecycle == "background" }
    // What a person paused stays paused.
    let client = try screen(world)
    try world.waitForStatus("going on") { $0.player.state == "playing" }
    try world.must("pause")
    withExtendedLifetime(client) {}
    let other = try screen(world)
    #expect(try world.status().player.state == "paused")
    withExtendedLifetime(other) {}
  }

  @Test("Without alarms among the modes a ring is only shown, until a screen comes")
  func ringsAreShown() throws {
    let world = try World(sound: .pulse, settings: "{ background: { modes: ['audio'] } }")
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    try world.must("add", "+2s", "--sound", try world.makeTone(), "--fade", "0s")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    // A second of the recording in which it would have been heard.
    let from = recorder.count
    try wait(until: "a second") { recorder.count > from + 48_000 }
    #expect(throws: Timeout.self) { try recorder.waitForSound(from: from, within: .milliseconds(100)) }
    let client = try screen(world)
    _ = try recorder.waitForSound(from: from, within: .seconds(10))
    withExtendedLifetime(client) {}
    try world.must("dismiss")
  }
}
