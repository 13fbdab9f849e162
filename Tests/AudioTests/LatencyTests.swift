import Glibc
import Harness
import Platform
import Testing

@Suite("How soon what is asked for is heard, and what silence costs", .serialized)
struct LatencyTests {
  private static let pitch = 1500.0

  /// A probe that keeps the device awake, or plays, behind a server that has settled.
  private func begin(playing: Bool) throws -> (server: PulseServer, probe: Probe, music: String) {
    let server = try PulseServer()
    let music = try server.folder.write(
      sine(Self.pitch, seconds: 40), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    if playing {
      try probe.say("load \(music.text) 1 0 play")
      try probe.wait("loaded")
    }
    return (server, probe, music.text)
  }

  /// Says something and gives back the recording of what came of it, whose first sample was played at `start`. Without a
  /// recorder all the time, one comes when it was said: what is queued then was queued as without.
  private func hear(
    _ line: String, _ server: PulseServer, _ probe: Probe, isRecorded: Bool
  ) throws -> (samples: [Float], start: Int64, said: Int64) {
    var recording = isRecorded ? try server.record() : nil
    letPass(coldStart + 0.5)
    let said = Clocks.monotonicMicroseconds()
    try probe.say(line)
    if recording == nil { recording = try server.record() }
    letPass(1)
    let (samples, start) = try #require(recording).stop()
    return (samples, start, said)
  }

  /// ms from the word to a sample.
  private func wait(_ heard: (samples: [Float], start: Int64, said: Int64), _ sample: Int) -> Double {
    Double(heard.start + Int64(sample) * 1_000_000 / 48_000 - heard.said) / 1000
  }

  @Test("A track that starts out of silence is heard within 450 ms", arguments: [true, false])
  func start(isRecorded: Bool) throws {
    let (server, probe, music) = try begin(playing: false)
    let heard = try hear("load \(music) 1 0 play", server, probe, isRecorded: isRecorded)
    let first = try #require(firstSound(heard.samples));
    #expect((0.0...450).contains(wait(heard, first)), "\(wait(heard, first)) ms")
    try probe.quit()
  }

  @Test(
    "A pause and a volume are heard within 250 ms",
    arguments: [("pause", true), ("pause", false), ("volume 50", true), ("volume 50", false)])
  func changes(line: String, isRecorded: Bool) throws {
    let (server, probe, _) = try begin(playing: true)
    let heard = try hear(line, server, probe, isRecorded: isRecorded)
    // The first place at which two milliseconds are not as loud as before: silent or softer.
    let window = 96
    let before = max(0, Int((heard.said - heard.start) * 48 / 1000) - 4800)
    let change = stride(from: before, to: heard.samples.count - window, by: 48).first {
      strength(Self.pitch, in: heard.samples[$0..<$0 + window]) < 0.35
    }
    let late = wait(heard, try #require(change))
    #expect((0.0...250).contains(late), "\(late) ms")
    try probe.quit()
  }

  /// Six places one after another, because how much is queued when the word comes differs from one to the next.
  @Test("The place that is sought is heard within 250 ms, at another pitch")
  func seeks() throws {
    let server = try PulseServer()
    let pitches = [Self.pitch, 2500.0]
    let music = try server.folder.write(
      sine(pitches, seconds: 20), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    let recording = try server.record()
    letPass(coldStart + 0.5)
    var said: [Int64] = []
    for place in 1...6 {
      said.append(Clocks.monotonicMicroseconds())
      try probe.say("seek \(place % 2 * 20 + 1)")
      letPass(0.5 + Double(place) * 0.023)
    }
    let (samples, start) = try recording.stop()
    for (index, instant) in said.enumerated() {
      let before = max(0, Int((instant - start) * 48 / 1000))
      let place = try #require(
        beginning(of: pitches[(index + 1) % 2], level: 0.5, in: samples[before...]), "never at place \(index)"
      )
      let late = wait((samples, start, instant), place)
      #expect((0.0...250).contains(late), "\(late) ms")
    }
    try probe.quit()
  }

  @Test("Silence costs the output's thread at most 12 switches a second", arguments: [true, false])
  func switches(isRecorded: Bool) throws {
    let (server, probe, _) = try begin(playing: false)
    let recording = isRecorded ? try server.record() : nil
    letPass(coldStart + 0.5)
    let thread = try #require(try Self.outputThread(of: probe.process))
    let before = try Self.switches(thread)
    letPass(5)
    let switches = Double(try Self.switches(thread) - before) / 5
    #expect(switches <= 12, "\(switches) a second")
    #expect(switches > 1)
    _ = try recording?.stop()
    try probe.quit()
  }

  /// Those of the output's thread.
  static func switches(of process: pid_t) throws -> Int {
    try switches(#require(try outputThread(of: process)))
  }

  private static func outputThread(of process: pid_t) throws -> String? {
    listFolder("/proc/\(process)/task").map { "/proc/\(process)/task/\($0)" }.first {
      (try? readFile($0 + "/comm")).map { String(decoding: $0, as: UTF8.self).hasPrefix("alarm-output") }
        ?? false
    }
  }

  /// Voluntary switches: those that others cause are not its own cost.
  private static func switches(_ thread: String) throws -> Int {
    let text = String(decoding: try readFile(thread + "/status"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
  }
}
