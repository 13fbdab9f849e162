import Glibc
import Harness
import Platform
import Testing

@Suite(
  "By which library sound goes to PulseAudio", .serialized,
  .enabled(if: try PulseServer.Kind.chosen() == .pulseAudio, "PipeWire is always reached through ALSA"))
struct OutputRouteTests {
  struct Definition: CustomTestStringConvertible {
    var testDescription: String
    /// What stands in ALSA's configuration; FAR is the socket of another server, which has a sink `room`.
    var text: String
    /// No thread of ALSA's plugin is wanted.
    var isOwn: Bool
    var isFar = false
    var sink = "sink"
  }

  private static let definitions = [
    Definition(testDescription: "plain", text: "pcm.it { type pulse hint { show on } }", isOwn: true),
    Definition(
      testDescription: "another server and sink",
      text: #"pcm.it { type pulse server "FAR" device "room" comment "beside it" }"#, isOwn: true,
      isFar: true,
      sink: "room"),
    Definition(testDescription: "empty names", text: #"pcm.it { type pulse server "" }"#, isOwn: true),
    Definition(
      testDescription: "another name for it", text: "pcm.that { type pulse }\npcm.it \"that\"", isOwn: true),
    Definition(
      testDescription: "converted by ALSA before", text: "pcm.it { type plug slave.pcm { type pulse } }",
      isOwn: false),
    Definition(
      testDescription: "what is meant for the plugin", text: "pcm.it { type pulse handle_underrun 1 }",
      isOwn: false),
  ]

  @Test(
    "It goes where ALSA's configuration says, by libpulse alone where that is all", arguments: definitions)
  func route(_ definition: Definition) throws {
    let (near, far) = (try PulseServer(), try PulseServer())
    try far.addSink("room", channels: 2, map: "front-left,front-right")
    let socket = try #require(far.environment["PULSE_SERVER"])
    try near.folder.write(
      Array(definition.text.replacing("FAR", with: socket).utf8), to: near.folder.file("home/.asoundrc"))
    let music = try near.folder.write(sine(440, seconds: 30), to: near.folder.file("music.wav"))
    let probe = try Probe(near.environment, "device=it")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    let (server, other) = definition.isFar ? (far, near) : (near, far)
    #expect(try server.sinkInputs().count == 1)
    #expect(try other.sinkInputs().isEmpty)
    let heard = try server.record(definition.sink, channels: 2, map: "front-left,front-right")
    letPass(0.5)
    #expect(strength(440, in: try heard.stop().samples.suffix(12_000)) > 0.3)
    let names = listFolder("/proc/\(probe.process)/task").map { task in
      (try? readFile("/proc/\(probe.process)/task/\(task)/comm")).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(names.contains("threaded-ml\n") != definition.isOwn, "\(names)")
    // What people tell idle inhibitors to pass over: the plugin makes it of the program's name.
    let name = "ALSA plug-in [\(definition.isOwn ? "alarm" : "SoundProbe")]"
    #expect(try server.control("list", "sink-inputs").contains("application.name = \"\(name)\""))
    let status = try probe.status()
    #expect(status["opens"] == "1")
    #expect(status["underruns"] == "0")
    try probe.quit()
  }

  @Test("A server that answers late for a while is asked again when it does not, and its time is known then")
  func late() throws {
    let server = try PulseServer()
    let music = try server.folder.write(sine(440, seconds: 60), to: server.folder.file("music.wav"))
    let way = try SlowSocket(to: try #require(server.environment["PULSE_SERVER"]), in: server.folder)
    let probe = try Probe(server.environment.merging(["PULSE_SERVER": way.name]) { $1 })
    try way.delay(milliseconds: 30)
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    // More than forty questions.
    letPass(coldStart + 2)
    try way.delay(milliseconds: 0)
    letPass(2)
    let due = Clocks.monotonicMicroseconds() + 1_000_000
    let ring = try server.folder.write(sine(3000, seconds: 1), to: server.folder.file("ring.wav"))
    let recording = try server.record()
    let before = try LatencyTests.switches(of: probe.process)
    try probe.say("ring a \(ring.text) 100 0 \(due)")
    letPass(2)
    let samples = try recording.stop().samples
    let start = beginning(of: 3000, level: 0.5, in: samples[...])
    let late = recording.instant(ofSample: try #require(start)) - due
    #expect(abs(late) <= 10_000, "heard \(late) µs after it was due")
    // Where its time is not known it is looked at 34 times a second.
    let switches = Double(try LatencyTests.switches(of: probe.process) - before) / 2
    #expect(switches < 30, "\(switches) a second")
    try probe.quit()
  }

  /// A fifth of a second of it is a megabyte; a socket holds a fifth of that.
  @Test("Music of six channels at 192 kHz is whole, though it is more than a socket holds at once")
  func large() throws {
    let server = try PulseServer()
    let samples = (0..<192_000 * 6).flatMap { frame in
      [Int16](repeating: frame / 192 % 2 == 0 ? 8000 : -8000, count: 6)
    }
    let music = try server.folder.write(
      wav(samples, rate: 192_000, channels: 6), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    let status = try probe.status()
    #expect(status["rate"] == "192000" && status["channels"] == "6", "\(status)")
    let recording = try server.record()
    letPass(2.5)
    let heard = try recording.stop().samples
    let silence = heard.split(whereSeparator: { abs($0) > 0.02 }).map(\.count).max() ?? 0
    #expect(heard.count > 96_000)
    #expect(silence < 48, "\(silence) samples of silence")
    try probe.quit()
  }

  /// What the server has to say while nothing is played lies in the socket until there is something to do.
  @Test("What is paused for a while goes on at its place, however much the server had to tell meanwhile")
  func silence() throws {
    let server = try PulseServer()
    try server.addSink("room", channels: 2, map: "front-left,front-right")
    let music = try server.folder.write(sine(440, seconds: 60), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment, "mode=pulse", "interval=30000")
    try probe.say("keepalive on")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(coldStart)
    try probe.say("pause")
    letPass(1.5)
    let place = try probe.position()
    let stream = try #require(try server.sinkInputs().first)
    for round in 0..<200 {
      try server.control("move-sink-input", "\(stream)", round % 2 == 0 ? "room" : "sink")
    }
    try probe.say("play")
    letPass(1.5)
    #expect((place + 0.8...place + 1.6).contains(try probe.position()))
    let heard = try server.record()
    letPass(0.5)
    #expect(strength(440, in: try heard.stop().samples.suffix(12_000)) > 0.3)
    #expect(try probe.status()["opens"] == "1")
    try probe.quit()
  }
}
