import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The machine's sleep", .serialized)
struct SleepTests {
  private struct Event: Decodable {
    struct Data: Decodable { var state: String }
    var name: String
    var data: Data
  }

  private func steps(_ client: Client, _ count: Int) throws -> [String] {
    var steps: [String] = []
    while steps.count < count, let notification = try client.nextNotification(waitingAtMost: 10) {
      guard notification.method == "event" else { continue }
      let event: Event = try notification.params.decode()
      if event.name == "lifecycle" { steps.append(event.data.state) }
    }
    return steps
  }

  private func delays(_ server: LoginServer) throws -> Bool {
    try server.locks().contains { $0.what == "sleep" && $0.mode == "delay" && $0.who == "Reveille" }
  }

  /// How long (µs) the machine had to wait after sleep was announced.
  private func announce(_ server: LoginServer) throws -> Int64 {
    try wait(until: "the delay lock") { try delays(server) }
    let start = Clocks.monotonicMicroseconds()
    try server.announceSleep(true)
    try wait(until: "leave to sleep") { try !delays(server) }
    return Clocks.monotonicMicroseconds() - start
  }

  @Test("While playing the device is closed in time, and afterwards the music goes on at its place")
  func playing() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    world.use(bus)
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("some of the music") { $0.player.position > 2 && $0.output.state == "running" }
    let watcher = try Client(path: world.socket)
    let _: Status = try watcher.call("subscribe", ["events": ["lifecycle"]])
    let recorder = try Recorder(pulse)
    defer { recorder.stop() }
    _ = try recorder.waitForSound(from: 0, within: .seconds(10))
    let waited = try announce(server)
    #expect(waited < 1_500_000, "the machine waited \(waited) µs")
    #expect(try steps(watcher, 1) == ["suspending"])
    let asleep = try world.status()
    #expect(asleep.lifecycle == "suspending" && asleep.output.state == "closed")
    #expect(try pulse.sinkInputs().isEmpty)
    #expect(asleep.player.state == "playing" && !asleep.keepAlive.active)
    let from = recorder.count
    try wait(until: "two seconds") { recorder.count > from + 96_000 }
    #expect(try abs(world.status().player.position - asleep.player.position) < 0.25, "it waits")
    #expect(throws: Timeout.self) {
      try recorder.waitForSound(from: from + 24_000, within: .milliseconds(100))
    }
    let silent = recorder.count
    try server.announceSleep(false)
    #expect(try steps(watcher, 1) == ["background"])
    _ = try recorder.waitForSound(from: silent, within: .seconds(10))
    let awake = try world.waitForStatus("the device") { $0.output.state == "running" }
    #expect(awake.player.state == "playing" && awake.lifecycle == "background")
    let gone = awake.player.position - asleep.player.position
    #expect(gone > -0.25 && gone < 3, "it went on \(gone) s further")
    try wait(until: "the delay lock") { try delays(server) }
    #expect(world.log.contains("the machine goes to sleep") && world.log.contains("the machine is awake"))
  }

  @Test("What was due while it slept is judged on waking, and rings at once")
  func dueMeanwhile() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let world = try World(sound: .pulse)
    world.use(bus)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    try world.must("add", "+4s", "--sound", try world.makeTone(), "--fade", "0s")
    let due = try microseconds(try world.status().alarms.next?.at)
    _ = try announce(server)
    // Asleep: nothing of the engine runs.
    let engine = try world.enginePID()
    kill(engine, SIGSTOP)
    defer { kill(engine, SIGCONT) }
    try wait(until: "its time to pass", within: .seconds(20)) { wallMicroseconds() > due + 1_500_000 }
    let from = recorder.count
    try server.announceSleep(false)
    let woke = wallMicroseconds()
    kill(engine, SIGCONT)
    let heard = recorder.wall(ofSample: try recorder.waitForSound(from: from, within: .seconds(10)))
    #expect(heard - woke < 3_000_000, "it rang \(heard - woke) µs after the machine woke")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty && $0.lifecycle == "background" }
    try world.must("dismiss")
  }

  @Test("A ring that is due before the machine really sleeps is heard")
  func ringsAllTheSame() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let world = try World(sound: .pulse)
    world.use(bus)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    try world.must("add", "+5s", "--sound", try world.makeTone(), "--fade", "0s")
    _ = try announce(server)
    _ = try recorder.waitForSound(from: recorder.count, within: .seconds(15))
    #expect(try world.status().ringing.count == 1)
    try world.must("dismiss")
  }

  @Test("Woken with its lid closed, it is kept awake for the ring, and no longer")
  func lidClosed() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    try server.setLid(closed: false)
    let world = try World()
    world.use(bus)
    try world.must("timer", "8s")
    func isLidLocked() throws -> Bool { try server.locks().contains { $0.what == "handle-lid-switch" } }
    try wait(until: "the delay lock") { try delays(server) }
    #expect(try !isLidLocked())
    try server.setLid(closed: true)
    _ = try announce(server)
    try server.announceSleep(false)
    try wait(until: "the lid to be locked") { try isLidLocked() }
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(try isLidLocked())
    try world.must("dismiss")
    try wait(until: "the lid to be free") { try !isLidLocked() }
  }

  @Test("A sound server that hangs holds up sleep for a second, and no longer")
  func hangs() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    world.use(bus)
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("some of the music") { $0.player.position > 1 }
    try wait(until: "the delay lock") { try delays(server) }
    pulse.suspend()
    defer { pulse.resume() }
    let waited = try announce(server)
    // Less where the engine has given up the device by itself already.
    #expect(waited < 2_000_000, "the machine waited \(waited) µs")
    pulse.resume()
    try server.announceSleep(false)
    try world.waitForStatus("the music again", within: .seconds(30)) {
      $0.player.state == "playing" && $0.output.state == "running"
    }
  }

  @Test("Steps go by way of what lies between; a logind that dies meanwhile does not leave it asleep")
  func steps() throws {
    let bus = try PrivateBus()
    let server = try LoginServer(bus)
    let world = try World(settings: "{ background: { engine: 'off' } }")
    world.use(bus)
    try world.must("engine", "start")
    let watcher = try Client(path: world.socket)
    let _: Status = try watcher.call("subscribe", ["events": ["lifecycle"]])
    var screen: Client? = try Client(path: world.socket)
    try screen?.hello(client: "screen")
    #expect(try steps(watcher, 2) == ["foreground", "active"])
    _ = try announce(server)
    #expect(try steps(watcher, 3) == ["inactive", "background", "suspending"])
    server.stop()
    #expect(try steps(watcher, 2) == ["foreground", "active"])
    try server.start()
    _ = try announce(server)
    #expect(try steps(watcher, 3) == ["inactive", "background", "suspending"])
    // Its last screen goes while it sleeps, and with it the engine, once it is awake.
    screen = nil
    try world.waitForStatus("it to be noticed") { $0.lifecycle == "suspending" }
    #expect(screen == nil && !world.processes().isEmpty)
    try server.announceSleep(false)
    #expect(try steps(watcher, 2) == ["background", "terminating"])
    try wait(until: "the end") { world.processes().isEmpty }
  }
}
