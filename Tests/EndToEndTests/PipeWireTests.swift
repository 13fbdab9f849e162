import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite(
  "Behind PipeWire and its pulse server", .serialized,
  .enabled(
    if: PulseServer.Kind.pipeWire.isInstalled,
    "it takes the packages pipewire, pipewire-pulse, wireplumber and dbus"))
struct PipeWireTests {
  /// The program in a world of its own, one listener and one who asks for the status.
  private struct Outage {
    let world: World
    let server: PulseServer
    let listener: Connection
    let asker: Connection

    /// The engine runs, and tells its interruptions.
    init() throws {
      world = try World(sound: .pipeWire)
      server = try #require(world.pulse)
      try world.must("engine", "start")
      listener = try Connection(world.socket)
      asker = try Connection(world.socket)
      listener.send(
        line: #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["interrupted","restored"]}}"#
      )
    }

    /// Waits for an event of this name; its data.
    func event(_ name: String) throws -> JSON {
      try wait(for: "the event “\(name)”", within: .seconds(20)) { () -> JSON? in
        let line = try #require(try listener.readLine(within: .seconds(20)))
        let message = try decode(JSON.self, from: line)
        guard message["method"] == "event", message["params"]?["name"] == .string(name) else { return nil }
        return message["params"]?["data"]
      }
    }

    /// Kills the server as a crash would, and waits until that was noticed; the status answers meanwhile.
    func begin() throws {
      server.kill9()
      let data = try event("interrupted")
      guard case .string(let reason)? = data["reason"], !reason.isEmpty else {
        Issue.record("no reason: \(data)")
        return
      }
      var longest: Int64 = 0
      for number in 0..<20 {
        let asked = Clocks.monotonicMicroseconds()
        asker.send(line: #"{"jsonrpc":"2.0","id":\#(number),"method":"status"}"#)
        let answer = try decode(JSON.self, from: try #require(try asker.readLine()))
        longest = max(longest, Clocks.monotonicMicroseconds() - asked)
        #expect(answer["result"]?["output"]?["state"] == "interrupted")
        usleep(50_000)
      }
      #expect(longest < 100_000, "a status took \(longest) µs")
    }
  }

  /// A sine that rises by 100 Hz a second from 300 Hz on.
  private func sweep(_ world: World) throws -> String {
    let path = world.folder.path + "/sweep.wav"
    try runOrThrow([
      "sox", "-n", "-r", "48000", "-c", "2", "-b", "16", path, "synth", "40", "sine", "300:4300", "vol",
      "0.4",
    ])
    return path
  }

  /// Waits until the device has taken two seconds more of sound: it does so evenly by then.
  private func playsEvenly(_ world: World) throws {
    let written = try world.waitForStatus("the device") { $0.output.state == "running" }.output.framesWritten
    try world.waitForStatus("two seconds of sound") { $0.output.framesWritten > written + 96_000 }
  }

  @Test("A ring is heard no later than half a second after its instant, and not before it")
  func ringIsOnTime() throws {
    let world = try World(sound: .pipeWire)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("engine", "start")
    let before = Clocks.wallMicroseconds()
    try world.must("add", "+4s", "--sound", tone, "--fade", "0s")
    let after = Clocks.wallMicroseconds()
    let heard = recorder.wall(ofSample: try recorder.waitForSound(within: .seconds(10)))
    let (early, late) = (heard - before - 4_000_000, heard - after - 4_000_000)
    #expect(early >= -30_000, "heard \(early) µs after the earliest instant that was meant")
    #expect(late <= 500_000, "heard \(late) µs after the latest instant that was meant")
    #expect(try world.status().output.audible)
    try world.must("stop")
  }

  @Test("Killed and restarted while playing: heard again within three seconds, at the place it was lost")
  func playing() throws {
    let outage = try Outage()
    let (world, server) = (outage.world, outage.server)
    try world.must("play", try sweep(world))
    try playsEvenly(world)
    let before = try server.record()
    let written = try world.status().output.framesWritten
    try world.waitForStatus("half a second of it") { $0.output.framesWritten > written + 24_000 }
    server.kill9()
    let end = Sweep.end(of: try before.stop().samples)
    let lost = try #require(end)
    try outage.begin()
    try server.start()
    let started = Clocks.monotonicMicroseconds()
    let after = try server.record()
    #expect(try outage.event("restored")["shouldResume"] == true)
    try playsEvenly(world)
    let (samples, start) = try after.stop()
    let first = try #require(samples.firstIndex { abs($0) > 0.01 })
    let late = start + Int64(first) * 1_000_000 / 48_000 - started
    #expect(late < 3_000_000, "heard \(late) µs after the server was back")
    let beginning = Sweep.beginning(of: samples)
    let back = try #require(beginning)
    #expect(abs(back - lost) < 0.5, "lost at \(lost) s, back at \(back) s")
    #expect(try server.sinkInputs().count == 1)
  }

  @Test("Killed and restarted while paused: stays paused and silent, at its place")
  func paused() throws {
    let outage = try Outage()
    let (world, server) = (outage.world, outage.server)
    try world.must("play", try sweep(world))
    try playsEvenly(world)
    try world.must("pause")
    let place = try world.waitForStatus("the pause") { $0.player.state == "paused" }.player.position
    try outage.begin()
    try server.start()
    #expect(try outage.event("restored")["shouldResume"] == false)
    let recording = try server.record()
    try playsEvenly(world)
    let loudest = try recording.stop().samples.map { abs($0) }.max()
    #expect(loudest == 0)
    let status = try world.status()
    #expect(status.player.state == "paused")
    #expect(abs(status.player.position - place) < 0.5, "paused at \(place), now at \(status.player.position)")
  }

  @Test("Killed and restarted while an alarm rings: it rings on, within three seconds")
  func ringing() throws {
    let outage = try Outage()
    let (world, server) = (outage.world, outage.server)
    try world.must("add", "+2s", "--sound", try world.makeTone(), "--fade", "0s")
    try world.waitForStatus("the ring") { $0.ringing.first?.sounding == true }
    try playsEvenly(world)
    try outage.begin()
    #expect(try world.status().ringing.count == 1)
    try server.start()
    let started = Clocks.wallMicroseconds()
    let recorder = try Recorder(server)
    defer { recorder.stop() }
    let heard = recorder.wall(ofSample: try recorder.waitForSound())
    #expect(heard - started < 3_000_000, "heard \(heard - started) µs after the server was back")
    #expect(try world.status().ringing.first?.sounding == true)
    try world.must("dismiss")
  }

  @Test("Killed and restarted while only the silent clip runs: the device is kept awake again, by one stream")
  func onlyClip() throws {
    let outage = try Outage()
    let (world, server) = (outage.world, outage.server)
    try world.must("awake", "10m")
    try world.waitForStatus("the keep-alive") { $0.keepAlive.active }
    try playsEvenly(world)
    try outage.begin()
    // What is wanted is not what is.
    #expect(try !world.status().keepAlive.active)
    try server.start()
    #expect(try outage.event("restored")["shouldResume"] == false)
    try world.waitForStatus("the keep-alive again") { $0.keepAlive.active && $0.output.state == "running" }
    #expect(try server.sinkInputs().count == 1)
  }
}
