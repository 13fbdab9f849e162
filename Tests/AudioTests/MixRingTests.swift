import Glibc
import Harness
import Platform
import Testing

@Suite("Rings in the mix, recorded from a real PulseAudio", .serialized)
struct MixRingTests {
  @Test("Music is at least 12 dB under a ring at every moment of it, and comes back")
  func ducking() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 30), to: server.folder.file("music.wav"))
    let sound = try server.folder.write(sine(2000, seconds: 1), to: server.folder.file("ring.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1)
    let recording = try server.record()
    try probe.say("ring a \(sound.text) 80 2 now")
    try probe.wait("ringStarted a")
    letPass(3)
    try probe.say("stopring a")
    letPass(1.8)
    let (samples, _) = try recording.stop()
    let window = 2400
    var rang = 0
    for start in stride(from: 0, to: samples.count - window, by: window / 2) {
      let part = samples[start..<start + window]
      let ring = strength(2000, in: part)
      // The loop's seam and the two ends of the ring lie in windows of their own.
      guard ring > 0.004 else { continue }
      rang += 1
      let next = samples[min(start + window / 2, samples.count - window)...].prefix(window)
      let isEdge = strength(2000, in: next) < 0.004 || rang < 3
      if !isEdge { #expect(strength(440, in: part) < ring * 0.2512, "at \(Double(start) / 48_000) s") }
    }
    #expect(rang > 80)
    #expect(strength(440, in: samples.suffix(window)) > 0.48)
    try probe.quit()
  }

  @Test(
    "A ring for now, out of the silence that keeps the device awake, begins with its file and not with the tone"
  )
  func ringNow() throws {
    let server = try PulseServer()
    let file = try server.folder.write(sine(500, seconds: 2), to: server.folder.file("1.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    letPass(coldStart)
    // Wherever the output is between two of its turns.
    for phase in 0..<8 {
      letPass(0.7 + Double(phase) * 0.037)
      try probe.say("ring \(phase) \(file.text) 100 0 now")
      #expect(try probe.wait("ringStarted \(phase)").words[2] == "0", "turn \(phase)")
      letPass(0.2)
      try probe.say("stopring \(phase)")
    }
    try probe.quit()
  }

  @Test("The files of one sound ring one behind the other and again from the first; a broken one is left out")
  func roundOfFiles() throws {
    let server = try PulseServer()
    let low = try server.folder.write(sine(500, seconds: 0.6), to: server.folder.file("1.wav"))
    let broken = try server.folder.write(Array("no sound".utf8), to: server.folder.file("2.wav"))
    let high = try server.folder.write(sine(1500, seconds: 0.6), to: server.folder.file("3.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    letPass(coldStart)
    let recording = try server.record()
    try probe.say("ring a \(low.text)+\(broken.text)+\(high.text) 100 0 now")
    #expect(try probe.wait("ringStarted a").words[2] == "0")
    letPass(3)
    try probe.say("stopring a")
    letPass(0.5)
    let (samples, _) = try recording.stop()
    // What is heard in each tenth of a second, where one pitch alone fills it.
    let heard = stride(from: 0, to: samples.count - 4800, by: 4800).compactMap { start -> Int? in
      let part = samples[start..<start + 4800]
      let (a, b) = (strength(500, in: part), strength(1500, in: part))
      return a > 0.4 && b < 0.05 ? 500 : b > 0.4 && a < 0.05 ? 1500 : nil
    }
    let changes = heard.indices.dropFirst().count { heard[$0] != heard[$0 - 1] }
    #expect(heard.first == 500)
    #expect((4...5).contains(changes), "\(heard)")
    #expect(heard.count > 20)
    #expect(try !probe.tells("ringSourceFailed", within: .milliseconds(1)))
    try probe.quit()
  }

  @Test("A ring goes on by the tone, and in time, where no sound server is there")
  func withoutServer() throws {
    let server = try PulseServer()
    server.stop()
    let probe = try Probe(server.environment)
    let due = Clocks.monotonicMicroseconds() + 1_000_000
    try probe.say("ring a - 100 0 \(due)")
    let started = try probe.wait("ringStarted a 0")
    #expect((0..<100).contains((Int64(started.words[3]) ?? 0) - due))
    let status = try probe.status()
    #expect(status["audible"] == "false")
    #expect(status["device"] == "null")
    #expect(
      status["reason"]?.hasPrefix("nobody will hear: the sound device “default” cannot be opened") == true)
    // The server appears: the ring goes there by itself.
    try server.start()
    try probe.wait(status: "audible", "true")
    let recording = try server.record()
    letPass(2)
    let (samples, _) = try recording.stop()
    #expect(firstSound(samples) != nil)
    try probe.quit()
  }

  @Test("Where the device cannot be opened, a ring tries the others in order")
  func otherDevices() throws {
    let server = try PulseServer()
    server.stop()
    let probe = try Probe(server.environment, "alarmDevices=nonsense,null")
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    #expect(try probe.status()["opens"] == "0")
    try probe.say("ring a - 100 0 now")
    try probe.wait("ringStarted a 0")
    try probe.wait(status: "opens", "1", within: .seconds(2))
    #expect(try probe.status()["device"] == "null")
    try probe.quit()
  }

  @Test("A ring that sounds on another device moves to the proper one when that is back, and rings on there")
  func movesBack() throws {
    let server = try PulseServer()
    let file = "\(server.folder.path)/capture.raw"
    try server.folder.write(
      Array(
        ("pcm.!default { type pulse }\n"
          + "pcm.capture { type file slave.pcm \"null\" file \"\(file)\" format raw }\n").utf8),
      to: server.folder.file("home/.asoundrc"))
    server.stop()
    let probe = try Probe(server.environment, "alarmDevices=capture")
    try probe.say("ring a - 100 0 now")
    try probe.wait(status: "device", "capture")
    try Harness.wait(until: "the ring in the other device") {
      try readFile(file, limit: 1 << 26).contains { $0 != 0 }
    }
    // It stays there while the proper one is away.
    letPass(2.5)
    #expect(try probe.status()["opens"] == "1")
    try server.start()
    try probe.wait(status: "device", "default")
    let recording = try server.record()
    letPass(coldStart)
    #expect(firstSound(try recording.stop().samples) != nil)
    let written = try readFile(file, limit: 1 << 26).count
    letPass(0.5)
    #expect(try readFile(file, limit: 1 << 26).count == written)
    #expect(try probe.status()["opens"] == "2")
    try probe.say("stopring a")
    try probe.wait(status: "state", "closed")
    try probe.quit()
  }

  @Test(
    "A ring that falls due while the server does not answer, for a moment or for long, is heard from the next device within two seconds",
    arguments: [0.0, 25])
  func stoppedServer(forSeconds: Double) throws {
    let server = try PulseServer()
    let file = "\(server.folder.path)/capture.raw"
    let pulse = "pcm.!default { type pulse }\n"
    let capture = "pcm.capture { type file slave.pcm \"null\" file \"\(file)\" format raw }\n"
    try server.folder.write(Array((pulse + capture).utf8), to: server.folder.file("home/.asoundrc"))
    let probe = try Probe(server.environment, "alarmDevices=capture")
    try probe.say("keepalive on")
    letPass(coldStart)
    if forSeconds > 0 { server.suspend() }
    // As many outputs as may hang there by then.
    letPass(forSeconds)
    let due = Clocks.monotonicMicroseconds() + 700_000
    try probe.say("ring a - 100 0 \(due)")
    letPass(0.6)
    if forSeconds == 0 { server.suspend() }
    var heard: Int64?
    while heard == nil, Clocks.monotonicMicroseconds() - due < 5_000_000 {
      letPass(0.02)
      if let bytes = try? readFile(file), bytes.contains(where: { $0 != 0 }) {
        heard = Clocks.monotonicMicroseconds()
      }
    }
    let delay = try #require(heard) - due
    #expect(delay < 2_000_000, "heard after \(delay) µs")
    try probe.quit()
  }

  @Test(
    "A server that is being opened and does not answer holds up no ring that is set meanwhile",
    .enabled(
      if: try PulseServer.Kind.chosen() == .pulseAudio, "the stand-in for a server hangs as PulseAudio does"))
  func openingServer() throws {
    let server = try PulseServer()
    let file = "\(server.folder.path)/capture.raw"
    let capture = "pcm.capture { type file slave.pcm \"null\" file \"\(file)\" format raw }\n"
    try server.folder.write(
      Array(("pcm.!default { type pulse }\n" + capture).utf8), to: server.folder.file("home/.asoundrc"))
    let probe = try Probe(server.environment, "alarmDevices=capture")
    server.suspend()
    try probe.say("keepalive on")
    letPass(0.5)
    let due = Clocks.monotonicMicroseconds() + 500_000
    try probe.say("ring a - 100 0 \(due)")
    let at = try wait(for: "the ring in the next device") { () -> Int64? in
      guard let bytes = try? readFile(file), bytes.contains(where: { $0 != 0 }) else { return nil }
      return Clocks.monotonicMicroseconds()
    }
    #expect(at - due < 2_000_000, "heard \(at - due) µs after it was due")
    try probe.quit()
  }

  @Test("A ring whose devices all hang is heard from the first that answers again, within three seconds")
  func allHang() throws {
    let server = try PulseServer()
    let next = try PulseServer()
    let socket = try #require(next.environment["PULSE_SERVER"])
    let text = "pcm.!default { type pulse }\npcm.next { type pulse server \"\(socket)\" }\n"
    try server.folder.write(Array(text.utf8), to: server.folder.file("home/.asoundrc"))
    let probe = try Probe(server.environment, "alarmDevices=next")
    try probe.say("ring a - 100 0 now")
    try probe.wait("ringStarted a 0")
    letPass(coldStart)
    next.suspend()
    server.suspend()
    try probe.wait("interrupted")
    // Each is tried, more than once.
    letPass(6)
    server.resume()
    let resumed = Clocks.monotonicMicroseconds()
    let recording = try server.record()
    letPass(3.5)
    let first = try #require(firstSound(try recording.stop().samples))
    let heard = recording.instant(ofSample: first) - resumed
    #expect(heard < 3_000_000, "heard \(heard) µs after the server answered")
    next.resume()
    try probe.quit()
  }

  @Test(
    "While the server has no sink a ring stays on the next device, and is not cut by looking for the first")
  func noSink() throws {
    let server = try PulseServer()
    let next = try PulseServer()
    let socket = try #require(next.environment["PULSE_SERVER"])
    let text = "pcm.!default { type pulse }\npcm.next { type pulse server \"\(socket)\" }\n"
    try server.folder.write(Array(text.utf8), to: server.folder.file("home/.asoundrc"))
    try server.removeSink()
    let sound = try server.folder.write(sine(2000, seconds: 1), to: server.folder.file("ring.wav"))
    let probe = try Probe(server.environment, "alarmDevices=next")
    try probe.say("ring a \(sound.text) 100 0 now")
    try probe.wait("ringStarted a 0")
    letPass(coldStart)
    let recording = try next.record()
    // It is looked for every second.
    letPass(3.5)
    let samples = try recording.stop().samples
    let first = try #require(firstSound(samples))
    // The sound begins anew every second, within a few milliseconds of silence.
    let silence = samples[first...].split(whereSeparator: { abs($0) > 0.001 }).map(\.count).max() ?? 0
    #expect(silence < 4800, "\(silence) samples of silence")
    #expect(try probe.status()["opens"] == "1")
    try probe.quit()
  }

  @Test("The server is killed and comes back while it rings: it rings on")
  func killedServer() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("ring a - 100 0 now")
    try probe.wait("ringStarted a 0")
    letPass(1)
    server.kill9()
    try probe.wait("interrupted")
    try server.start()
    #expect(try probe.wait("restored").words == ["restored", "false"])
    let recording = try server.record()
    letPass(2)
    #expect(firstSound(try recording.stop().samples) != nil)
    try probe.quit()
  }

  @Test("A covered ring is silent, and is heard again when it is uncovered")
  func covered() throws {
    let server = try PulseServer()
    let sound = try server.folder.write(sine(2000, seconds: 1), to: server.folder.file("ring.wav"))
    let probe = try Probe(server.environment)
    try probe.say("hold on")
    letPass(coldStart)
    try probe.say("ring a \(sound.text) 100 0 now")
    try probe.wait("ringStarted a")
    try probe.say("sounding a off")
    letPass(1)
    let recording = try server.record()
    letPass(0.5)
    try probe.say("sounding a on")
    letPass(1)
    let (samples, _) = try recording.stop()
    #expect(samples.prefix(9600).allSatisfy { $0 == 0 })
    #expect(strength(2000, in: samples.suffix(9600)) > 0.4)
    try probe.quit()
  }
}
