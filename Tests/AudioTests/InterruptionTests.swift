import Glibc
import Harness
import Platform
import Testing

@Suite("Interruptions, behind a real PulseAudio and a device that takes nothing", .serialized)
struct InterruptionTests {
  /// A sine that rises by 100 Hz a second from 300 Hz on, so that a stretch of it tells its place.
  private func sweep(_ folder: TemporaryFolder) throws -> FileName {
    var samples: [Int16] = []
    var phase = 0.0
    for frame in 0..<48_000 * 40 {
      phase += 2 * .pi * (300 + 100 * Double(frame) / 48_000) / 48_000
      let value = Int16(12_000 * sin(phase))
      samples += [value, value]
    }
    return try folder.write(wav(samples, rate: 48_000), to: folder.file("sweep.wav"))
  }

  /// A server that ran dry for 50 ms on a busy machine was taken for a place 1.6 s before, by how many crossings of zero
  /// there were.
  @Test("The place in a sweep is read right from a recording with gaps", arguments: [0, 480, 2400, 6000])
  func gaps(frames: Int) throws {
    var samples: [Float] = []
    for frame in 0..<96_000 {
      let time = Double(frame) / 48_000
      samples.append(Float(0.4 * sin(2 * .pi * (300 * time + 50 * time * time))))
    }
    for frame in 90_000 - frames..<90_000 { samples[frame] = 0 }
    let end = Sweep.end(of: samples)
    #expect(abs(try #require(end) - 2) < 0.11)
    let beginning = Sweep.beginning(of: Array(samples[80_000...]))
    #expect(abs(try #require(beginning) - 80_000.0 / 48_000) < 0.11)
  }

  /// Asks for the status again and again; the longest wait (µs).
  private func longestAnswer(_ probe: Probe, seconds: Double) throws -> Int64 {
    let end = Clocks.monotonicMicroseconds() + Int64(seconds * 1_000_000)
    var longest: Int64 = 0
    while Clocks.monotonicMicroseconds() < end {
      let asked = Clocks.monotonicMicroseconds()
      _ = try probe.status()
      longest = max(longest, Clocks.monotonicMicroseconds() - asked)
      letPass(0.05)
    }
    return longest
  }

  @Test(
    "Killed and restarted while playing: back within three seconds, at the place it was lost",
    arguments: [PulseServer.Way.pulse, .plugin])
  func playing(way: PulseServer.Way) throws {
    let server = try PulseServer(way: way)
    let music = try sweep(server.folder)
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    let before = try server.record()
    letPass(0.7)
    server.kill9()
    let end = Sweep.end(of: try before.stop().samples)
    let lost = try #require(end)
    try probe.wait("interrupted")
    let longest = try longestAnswer(probe, seconds: 1)
    #expect(longest < 100_000)
    try server.start()
    let started = Clocks.monotonicMicroseconds()
    let after = try server.record()
    let restored = try probe.wait("restored")
    #expect(restored.words == ["restored", "true"])
    letPass(1.5)
    let (samples, start) = try after.stop()
    let first = try #require(firstSound(samples))
    let late = start + Int64(first) * 1_000_000 / 48_000 - started
    #expect(late < 3_000_000, "heard \(late) µs after the server was back")
    let beginning = Sweep.beginning(of: samples)
    let back = try #require(beginning)
    #expect(abs(back - lost) < 0.5, "lost at \(lost) s, back at \(back) s")
    try probe.quit()
  }

  @Test("Killed and restarted while paused: stays paused, at its place, and plays when it is asked to")
  func paused() throws {
    let server = try PulseServer()
    let music = try sweep(server.folder)
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 5 play")
    try probe.wait("loaded")
    letPass(coldStart)
    try probe.say("pause")
    letPass(0.6)
    let place = try probe.position()
    server.kill9()
    try probe.wait("interrupted")
    try server.start()
    #expect(try probe.wait("restored").words == ["restored", "false"])
    let recording = try server.record()
    letPass(1)
    let isSilent = try recording.stop().samples.allSatisfy { $0 == 0 }
    #expect(isSilent)
    #expect(abs(try probe.position() - place) < 0.01)
    try probe.say("play")
    letPass(1)
    #expect(try probe.position() > place + 0.3)
    try probe.quit()
  }

  @Test("Killed and restarted while only the clip runs: the device is kept awake again")
  func onlyClip() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(1)
    server.kill9()
    #expect(try probe.wait("interrupted").words.count > 3)
    #expect(try probe.status()["awake"] == "false")
    try server.start()
    #expect(try probe.wait("restored").words == ["restored", "false"])
    try probe.wait(status: "awake", "true")
    #expect(try server.sinkInputs().count == 1)
    try probe.quit()
  }

  @Test(
    "A sink that another program holds, behind the server: it is noticed, and goes on when it is let go",
    .enabled(
      if: try PulseServer.Kind.chosen() == .pulseAudio,
      "PipeWire wakes a suspended sink for whoever plays, so that it cannot be held like that"))
  func held() throws {
    let server = try PulseServer()
    let music = try sweep(server.folder)
    // As it looks to programs when the server cannot have the card.
    try server.suspendSink(true)
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    #expect(try probe.wait("interrupted").words.joined(separator: " ").contains("takes no more sound"))
    let longest = try longestAnswer(probe, seconds: 2)
    #expect(longest < 100_000)
    try server.suspendSink(false)
    #expect(try probe.wait("restored", within: .seconds(15)).words == ["restored", "true"])
    letPass(1)
    #expect((0.2...2.5).contains(try probe.position()))
    try probe.quit()
  }

  @Test(
    "A device that another program holds when playing starts is told by that, and plays when it is let go, from its place"
  )
  func busy() throws {
    let server = try PulseServer()
    let music = try sweep(server.folder)
    let device = try HeldDevice(server.folder, behind: "pulse")
    try server.folder.write(
      Array((device.configuration + "pcm.pulse { type pulse }\n").utf8),
      to: server.folder.file("home/.asoundrc"))
    try device.hold()
    let probe = try Probe(server.environment, "device=held")
    try probe.say("load \(music.text) 1 5 play")
    let told = try probe.wait("interrupted").words.joined(separator: " ")
    #expect(told.contains("another program holds the sound device “held”; close that program, or"))
    let status = try probe.status()
    #expect(status["state"] == "interrupted")
    #expect(status["audible"] == "false")
    #expect(status["opens"] == "0")
    #expect(status["reason"]?.contains("another program holds") == true)
    #expect(try longestAnswer(probe, seconds: 1.5) < 100_000)
    // What nobody can hear does not go by.
    #expect(abs(try probe.position() - 5) < 0.01)
    device.release()
    let released = Clocks.monotonicMicroseconds()
    let restored = try probe.wait("restored", within: .seconds(10))
    #expect(restored.words == ["restored", "true"])
    // A second until the next try at the most, two until a cold server consumes.
    #expect(restored.at - released < 3_500_000, "\(restored.at - released) µs")
    try probe.wait(status: "state", "running")
    #expect(try probe.status()["opens"] == "1")
    letPass(1)
    #expect((5.2...8.5).contains(try probe.position()))
    try probe.quit()
  }

  @Test("A pause while another program holds the device stays a pause when it is let go")
  func busyAndPaused() throws {
    let folder = try TemporaryFolder()
    let music = try sweep(folder)
    let device = try HeldDevice(folder, behind: "null")
    try folder.write(Array(device.configuration.utf8), to: folder.file(".asoundrc"))
    try device.hold()
    let probe = try Probe(
      ["PATH": "/usr/bin:/bin", "HOME": folder.path, "PULSE_SERVER": "unix:/nonexistent"], "device=held")
    try probe.say("keepalive on")
    try probe.wait("interrupted")
    try probe.say("load \(music.text) 1 5 play")
    try probe.wait("loaded")
    try probe.say("pause")
    device.release()
    #expect(try probe.wait("restored").words == ["restored", "false"])
    letPass(0.3)
    #expect(abs(try probe.position() - 5) < 0.01)
    try probe.quit()
  }

  @Test("A device that does not exist yet is opened when it appears, and the music goes on from there")
  func appears() throws {
    let server = try PulseServer()
    let music = try sweep(server.folder)
    server.stop()
    let probe = try Probe(server.environment)
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    try probe.wait(status: "audible", "false")
    try server.start()
    try probe.wait(status: "audible", "true")
    let recording = try server.record()
    letPass(coldStart)
    #expect(firstSound(try recording.stop().samples) != nil)
    try probe.quit()
  }

  @Test(
    "A pipe that nobody reads: the loop answers, and a ring is heard from the next device within two seconds")
  func deafPipe() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    let heard = "\(folder.path)/heard.raw"
    try check("cannot make a pipe") { mkfifo(pipe, 0o600) }
    // Somebody holds it open and does not read.
    let reader = try Descriptor.open(pipe, O_RDONLY | O_NONBLOCK)
    let device = "type file slave.pcm \"null\" format raw file"
    try folder.write(
      Array("pcm.deaf { \(device) \"\(pipe)\" }\npcm.next { \(device) \"\(heard)\" }\n".utf8),
      to: folder.file(".asoundrc"))
    let environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "PULSE_SERVER": "unix:/nonexistent"]
    let music = try sweep(folder)
    let probe = try Probe(environment, "device=deaf", "alarmDevices=next")
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    try probe.wait("interrupted", within: .seconds(10))
    #expect(try longestAnswer(probe, seconds: 2) < 100_000)
    let due = Clocks.monotonicMicroseconds() + 500_000
    try probe.say("ring a - 100 0 \(due)")
    let at = try wait(for: "the ring in the next device") { () -> Int64? in
      guard let bytes = try? readFile(heard), bytes.contains(where: { $0 != 0 }) else { return nil }
      return Clocks.monotonicMicroseconds()
    }
    #expect(at - due < 2_000_000, "\(at - due) µs")
    #expect(try longestAnswer(probe, seconds: 1) < 100_000)
    try probe.quit()
    withExtendedLifetime(reader) {}
  }
}
