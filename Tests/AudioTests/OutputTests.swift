import Glibc
import Harness
import Platform
import Testing

@Suite("The output, behind a real PulseAudio", .serialized)
struct OutputTests {
  @Test("Keep-alive, play, pause, play, stop: one open device, one stream at the server")
  func oneHandle() throws {
    let server = try PulseServer()
    let music = try server.folder.write(
      sine(440, seconds: 5, rate: 44_100), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    letPass(0.5)
    let streams = try server.sinkInputs()
    #expect(streams.count == 1)
    try probe.say("load \(music.text) 7 0 play")
    let loaded = try probe.wait("loaded 7")
    #expect(loaded.words == ["loaded", "7", "44100", "2"])
    for step in ["pause", "play", "seek 3", "stop"] {
      letPass(0.5)
      try probe.say(step)
    }
    letPass(0.5)
    #expect(try server.sinkInputs() == streams)
    let status = try probe.status()
    #expect(status["opens"] == "1")
    #expect(status["streams"] == "1")
    #expect(status["underruns"] == "0")
    #expect(status["audible"] == "true")
    // What servers mix; 16 and 24 bits are exact in it.
    #expect(status["format"] == "FLOAT_LE")
    try probe.say("keepalive off")
    try probe.wait(status: "state", "closed")
    #expect(try server.sinkInputs().isEmpty)
    try probe.quit()
  }

  @Test("A pause is silent and keeps the place that was heard; a seek goes where it is told")
  func pausing() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 20), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    letPass(coldStart)
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1.5)
    let recording = try server.record()
    letPass(0.5)
    let before = try probe.position()
    #expect((0.8...2.0).contains(before))
    try probe.say("pause")
    letPass(0.6)
    let paused = try probe.position()
    #expect((before...before + 0.35).contains(paused))
    letPass(0.8)
    #expect(try probe.position() == paused)
    let (samples, _) = try recording.stop()
    // Heard at the beginning, silent at the end.
    #expect(strength(440, in: samples[4800..<9600]) > 0.3)
    #expect(samples.suffix(24_000).allSatisfy { $0 == 0 })
    try probe.say("seek 12")
    #expect(abs(try probe.position() - 12) < 0.001)
    try probe.say("play")
    letPass(1)
    #expect((12.5...13.1).contains(try probe.position()))
    try probe.quit()
  }

  @Test("A track's end is told when its last frame was heard")
  func ending() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 1), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    letPass(coldStart)
    try probe.say("load \(music.text) 3 0 play")
    let loaded = try probe.wait("loaded 3")
    let ended = try probe.wait("ended 3")
    #expect((1_000_000...1_900_000).contains(ended.at - loaded.at))
    #expect(abs(try probe.position() - 1) < 0.01)
    try probe.quit()
  }

  @Test("A missing and a broken file are complained of, each with a sentence, and nothing else is harmed")
  func failures() throws {
    let server = try PulseServer()
    let broken = try server.folder.write(Array("no sound at all".utf8), to: server.folder.file("broken.wav"))
    let probe = try Probe(server.environment)
    try probe.say("load \(server.folder.path)/missing.flac 1 0 play")
    #expect(try probe.wait("loadFailed 1").words.joined(separator: " ").contains("missing.flac"))
    try probe.say("load \(broken.text) 2 0 play")
    #expect(try probe.wait("loadFailed 2").words.joined(separator: " ").contains("broken.wav"))
    #expect(try probe.status()["state"] == "closed")
    try probe.say("ring a \(server.folder.path)/missing.flac,\(broken.text) 100 0 now")
    #expect(try probe.wait("ringSourceFailed a 0").words.joined(separator: " ").contains("missing.flac"))
    #expect(try probe.wait("ringSourceFailed a 1").words.joined(separator: " ").contains("broken.wav"))
    // The built-in tone is source 2.
    #expect(try probe.wait("ringStarted a").words[2] == "2")
    try probe.quit()
  }

  @Test("The server is killed and comes back: interrupted, restored, and the music goes on where it was")
  func killedServer() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 60), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1.5)
    let before = try probe.position()
    server.kill9()
    try probe.wait("interrupted")
    let lost = try probe.position()
    #expect((before - 0.5...before + 1).contains(lost))
    #expect(try probe.status()["state"] == "interrupted")
    letPass(1)
    #expect(abs(try probe.position() - lost) < 0.01)
    try server.start()
    #expect(try probe.wait("restored").words == ["restored", "true"])
    letPass(1)
    let after = try probe.position()
    #expect((lost + 0.3...lost + 1.6).contains(after))
    #expect(try probe.status()["opens"] == "2")
    try probe.quit()
  }

  @Test("A pause during an interruption stays a pause")
  func pausedWhileInterrupted() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 60), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1)
    server.kill9()
    try probe.wait("interrupted")
    try probe.say("pause")
    let place = try probe.position()
    try server.start()
    #expect(try probe.wait("restored").words == ["restored", "false"])
    letPass(0.7)
    #expect(abs(try probe.position() - place) < 0.01)
    try probe.quit()
  }

  @Test("A server that is stopped is noticed, the loop answers, and it goes on when the server does")
  func stoppedServer() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 60), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1.5)
    server.suspend()
    try probe.wait("interrupted", within: .seconds(5))
    for _ in 0..<20 {
      let asked = Clocks.monotonicMicroseconds()
      _ = try probe.status()
      #expect(Clocks.monotonicMicroseconds() - asked < 100_000)
      letPass(0.2)
    }
    server.resume()
    #expect(try probe.wait("restored", within: .seconds(20)).words == ["restored", "true"])
    try probe.quit()
  }
}
