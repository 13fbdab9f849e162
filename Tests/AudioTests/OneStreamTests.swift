import Glibc
import Harness
import Platform
import Testing

@Suite("Everything over one open device", .serialized)
struct OneStreamTests {
  /// Samples that never come near zero: a square of 500 Hz.
  private func square(_ rate: Int, _ channels: Int, seconds: Double, _ folder: TemporaryFolder) throws
    -> FileName
  {
    let samples = (0..<Int(seconds * Double(rate))).flatMap { frame in
      [Int16](repeating: frame * 1000 / rate % 2 == 0 ? 8000 : -8000, count: channels)
    }
    return try folder.write(
      wav(samples, rate: rate, channels: channels), to: folder.file("\(rate)-\(channels).wav"))
  }

  @Test(
    "Tracks of three rates, mono and stereo, a pause, a seek and a ring: one open, one stream, and no silence but the pause",
    arguments: [PulseServer.Way.pulse, .plugin])
  func everything(way: PulseServer.Way) throws {
    let server = try PulseServer(way: way)
    var files: [FileName] = []
    for (rate, channels) in [(44_100, 2), (48_000, 1), (96_000, 2)] {
      files.append(try square(rate, channels, seconds: 2.5, server.folder))
    }
    let ring = try server.folder.write(sine(2000, seconds: 1), to: server.folder.file("ring.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    letPass(coldStart)
    let streams = try server.sinkInputs()
    let recording = try server.record()
    try probe.say("load \(files[0].text) 1 0 play")
    for (index, file) in files.enumerated().dropFirst() {
      try probe.say("next \(file.text) \(index + 1)")
      try probe.wait("loaded \(index + 1)")
    }
    letPass(0.3)
    let paused = Clocks.monotonicMicroseconds()
    try probe.say("pause")
    letPass(0.5)
    try probe.say("play")
    letPass(0.3)
    try probe.say("seek 0.5")
    try probe.say("ring a \(ring.text) 60 0 now")
    try probe.wait("ringStarted a")
    letPass(0.6)
    try probe.say("stopring a")
    try probe.wait("ended 3")
    try probe.say("stop")
    letPass(0.5)
    #expect(try server.sinkInputs() == streams)
    let status = try probe.status()
    #expect(status["opens"] == "1")
    #expect(status["streams"] == "1")
    #expect(status["underruns"] == "0")
    let (samples, start) = try recording.stop()
    // Runs of zeros longer than 10 ms: before the first track, the pause, and behind the last track.
    var runs: [(from: Int, to: Int)] = []
    var from: Int?
    for (index, sample) in samples.enumerated() {
      if sample == 0 {
        from = from ?? index
      } else {
        if let first = from, index - first > 480 { runs.append((first, index)) }
        from = nil
      }
    }
    if let first = from { runs.append((first, samples.count)) }
    #expect(runs.count == 3, "\(runs)")
    let silence = try #require(runs.dropFirst().first)
    let began = start + Int64(silence.from) * 1_000_000 / 48_000 - paused
    #expect((0...300_000).contains(began))
    #expect(abs(Double(silence.to - silence.from) / 48_000 - 0.5) < 0.2)
    try probe.quit()
  }
}
