import Glibc
import Harness
import Testing

/// What a `HearingProbe` printed, by its first word.
struct Learned {
  let lines: [String]

  init(_ server: PulseServer, _ words: String...) throws {
    let finished = try run(
      [try builtProgram("HearingProbe")] + words, environment: server.environment, within: .seconds(15))
    lines = finished.text.split(separator: "\n").map(String.init)
  }

  func all(_ word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }

  subscript(_ word: String) -> String { all(word).first ?? "" }
}

@Suite("What a real PulseAudio says of its sinks and our stream", .serialized)
struct SoundServerTests {
  @Test(
    "Our stream is found by its process; mute and volume of it and of its sink are seen, raised and put back")
  func ownStream() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    let process = "\(probe.process)"
    let first = try Learned(server, process, "30", "default")
    let name = server.kind == .pulseAudio ? "pulseaudio " : "PulseAudio (on PipeWire "
    #expect(first["server"].hasPrefix(name))
    #expect(first.all("stream").count == 1)
    #expect(first["trusted"] == "true", "\(first.lines)")
    #expect(try Learned(server, "1", "30", "default").all("stream").isEmpty)

    try server.control("set-sink-mute", "sink", "1")
    try server.control("set-sink-volume", "sink", "5%")
    let input = try #require(try server.sinkInputs().first)
    try server.control("set-sink-input-mute", "\(input)", "1")
    let found = try Learned(server, process, "30", "default")
    #expect(found["trusted"] == "false")
    #expect(found["audible"] == "false")
    #expect(found["sentence"].contains("is muted; our own stream at the sound server is muted"))
    let raised = try Learned(server, process, "30", "default", "raise")
    #expect(raised["raised"] == "2")
    #expect(raised["trusted"] == "true", "\(raised.lines)")
    let text = try server.control("get-sink-volume", "sink") + (try server.control("get-sink-mute", "sink"))
    #expect(text.contains(" 30%") && text.contains("Mute: no"), "\(text)")

    // Put back where it is still as it was set; left alone where it is not.
    let words = try #require(found.all("raise").first { $0.hasPrefix("sink|") }).dropFirst("sink|sink ".count)
    let halves = words.split(separator: " to ").map(String.init)
    #expect(halves.count == 2)
    try server.control("set-sink-volume", "sink", "44%")
    let left = try Learned(server, process, "30", "default", "back", "sink|sink", halves[1], halves[0])
    #expect(left["outcome"] == "changedMeanwhile")
    try server.control("set-sink-volume", "sink", "30%")
    let back = try Learned(server, process, "30", "default", "back", "sink|sink", halves[1], halves[0])
    #expect(back["outcome"] == "putBack")
    let after = try server.control("get-sink-volume", "sink") + (try server.control("get-sink-mute", "sink"))
    #expect(after.contains(" 5%") && after.contains("Mute: yes"), "\(after)")
    try probe.quit()
  }

  @Test("When the last sink vanishes the server plays to auto_null, and nobody hears it")
  func autoNull() throws {
    let server = try PulseServer()
    try server.control("load-module", "module-always-sink")
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    try server.removeSink()
    let found = try Learned(server, "\(probe.process)", "30", "default")
    #expect(found["audible"] == "false", "\(found.lines)")
    #expect(found["sentence"].contains("leads nowhere"))
    #expect(found.all("stream").first?.hasPrefix("auto_null ") == true)
    try probe.quit()
  }

  @Test("A null sink of a person's own is heard by nobody, unless it was told to be a speaker")
  func nullSink() throws {
    let server = try PulseServer()
    try server.control("load-module", "module-null-sink", "sink_name=other")
    try server.control("set-default-sink", "other")
    #expect(try Learned(server, "0", "30", "default")["audible"] == "false")
    try server.control("set-default-sink", "sink")
    #expect(try Learned(server, "0", "30", "default")["audible"] == "true")
  }

  @Test(
    "A server that does not answer costs two seconds, one that is not there nothing; no server is ever started"
  )
  func noAnswer() throws {
    let server = try PulseServer()
    server.suspend()
    let hung = try Learned(server, "0", "30", "default")
    server.resume()
    #expect(hung["server"] == "none")
    #expect((1900..<4000).contains(Int(hung["took"]) ?? 0), "\(hung.lines)")
    server.stop()
    let gone = try Learned(server, "0", "30", "default")
    #expect(gone["server"] == "none")
    #expect((Int(gone["took"]) ?? 9999) < 1000, "\(gone.lines)")
    // A server of its own would have put its number there; PipeWire's leaves one.
    if server.kind == .pulseAudio { #expect(access("\(server.folder.path)/run/pulse/pid", F_OK) != 0) }
  }

  @Test("A mixer of ALSA's is read and set by its simple elements, here those of the pulse plugin")
  func alsaMixer() throws {
    // There is no card here: the plugin's `Master` is the same interface with the server's sink behind it.
    let server = try PulseServer()
    try server.folder.write(
      Array("ctl.!hw { @args [ CARD ] @args.CARD { type string } type pulse }\n".utf8),
      to: server.folder.file("home/.asoundrc"))
    try server.control("set-sink-mute", "sink", "1")
    try server.control("set-sink-volume", "sink", "10%")
    let found = try Learned(server, "0", "30", "hw:0")
    #expect(found["knob"].hasPrefix("Master muted "), "\(found.lines)")
    #expect(found["sentence"] == "“Master” of the sound card is muted")
    #expect(try Learned(server, "0", "30", "hw:0", "raise")["trusted"] == "true")
    let text = try server.control("get-sink-volume", "sink") + (try server.control("get-sink-mute", "sink"))
    #expect(text.contains(" 30%") && text.contains("Mute: no"), "\(text)")
  }
}
