import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("What the silence is made of", .serialized)
struct SignalTests {
  /// Five seconds of keep-alive through the `file` plugin: the first channel's 32-bit words.
  private func capture(_ settings: String) throws -> (words: [Int32], status: [String: String]) {
    let folder = try TemporaryFolder()
    let (environment, file) = try captureEnvironment(folder)
    let probe = try Probe(environment, "device=capture", settings)
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(5)
    let status = try probe.status()
    try probe.say("keepalive off")
    try probe.wait(status: "state", "closed")
    let words = try readFile(file, limit: 1 << 28).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    try probe.quit()
    return (stride(from: 0, to: words.count, by: 2).map { words[$0] }, status)
  }

  private func longestRun<Sample: Equatable>(_ samples: some Collection<Sample>) -> Int {
    var (longest, run) = (0, 0)
    var last: Sample?
    for sample in samples {
      run = sample == last ? run + 1 : 1
      last = sample
      longest = max(longest, run)
    }
    return longest
  }

  @Test("zero is zero samples")
  func zero() throws {
    let (words, status) = try capture("signal=zero")
    #expect(words.count > 48_000 * 4)
    let isSilent = words.allSatisfy { $0 == 0 }
    #expect(isSilent)
    #expect(status["signal"] == "zero")
  }

  @Test("lsb is one least bit up and down, never 2048 equal samples in a row, whatever the volume")
  func leastBit() throws {
    let (words, status) = try capture("signal=lsb")
    let start = try #require(words.firstIndex { $0 != 0 })
    let end = try #require(words.lastIndex { $0 != 0 })
    // Keep-alive is known to the output by the second fill at the latest.
    #expect(start < 24_000)
    #expect(end - start > 48_000 * 4)
    let isLeast = words[start...end].allSatisfy { abs($0) == 1 }
    #expect(isLeast)
    #expect(longestRun(words[start...end]) <= 2048)
    #expect(longestRun(words[start...end]) == 480)
    #expect(status["signal"] == "lsb")
  }

  @Test("Behind a sound server lsb is the least of 16 bits, which gets through")
  func leastBitBehindServer() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment, "signal=lsb")
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(coldStart)
    let recording = try server.record()
    letPass(1)
    let samples = try recording.stop().samples.map { Int($0 * 32_768) }
    let isLeast = samples.allSatisfy { abs($0) <= 1 }
    #expect(isLeast)
    #expect(longestRun(samples) <= 2048)
    try probe.quit()
  }

  @Test("sine is 30 Hz at one hundredth, two seconds long, and then nothing for the rest of the minute")
  func sineWave() throws {
    let (words, status) = try capture("signal=sine")
    let start = try #require(words.firstIndex { $0 != 0 })
    let samples = words[start...].map { Float($0) / 2_147_483_648 }
    let middle = samples[24_000..<72_000]
    #expect(abs(strength(30, in: middle) - 0.01) < 0.0005)
    let peak = samples.map(\.magnitude).max() ?? 0
    #expect((0.0095...0.0101).contains(peak))
    // Sixty crossings of zero a second.
    let crossings = zip(middle, middle.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    #expect(abs(crossings - 60) <= 1)
    // Faded at both ends.
    #expect(samples[..<1200].allSatisfy { $0.magnitude < 0.001 })
    let isOver = samples[96_100...].allSatisfy { $0 == 0 }
    #expect(isOver)
    #expect(status["signal"] == "sine")
  }

  @Test("In pulse mode the sine comes every interval, within 50 ms, over one stream")
  func pulsedSine() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment, "mode=pulse", "interval=3000", "signal=sine")
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(4)
    let recording = try server.record()
    letPass(9.5)
    let (samples, _) = try recording.stop()
    // A clip is 1.5 s here, half of the interval; its envelope passes the half 0.125 s behind its beginning.
    var starts: [Double] = []
    var quiet = 48_000
    for (index, sample) in samples.enumerated() {
      if abs(sample) > 0.005 {
        if quiet > 24_000 { starts.append(Double(index) / 48_000) }
        quiet = 0
      } else {
        quiet += 1
      }
    }
    starts = starts.filter { $0 > 0.2 }
    #expect(starts.count >= 3)
    for (first, second) in zip(starts, starts.dropFirst()) {
      #expect(abs(second - first - 3) < 0.05, "\(starts)")
    }
    #expect(try probe.status()["streams"] == "1")
    try probe.quit()
  }

  @Test(
    "auto picks by the kind of device, and says why",
    arguments: [
      ("default ALSA <-> PulseAudio PCM I/O Plugin", -1, "zero", "PulseAudio"),
      ("default ALSA <-> PipeWire PCM I/O Plugin", -1, "zero", "PipeWire"),
      ("bluealsa", -1, "sine", "Bluetooth"), ("hw:0,3 HDMI 0", 998, "lsb", "equal samples"),
      ("hw:0,1 ALC887-VD Digital", 998, "lsb", "equal samples"),
      ("hw:0 ALC887-VD Analog", 998, "zero", "sound card"), ("null", -1, "zero", "zero samples"),
    ])
  func kinds(words: String, card: Int32, signal: String, why: String) {
    let kind = DeviceKind(words: words, card: card)
    #expect(kind.signal.rawValue == signal)
    #expect(kind.why.contains(why))
  }

  @Test("The status of a device behind PulseAudio says zero, and why")
  func status() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    let status = try probe.status()
    #expect(status["signal"] == "zero")
    #expect(
      status["reason"]?.hasSuffix("zero samples keep PulseAudio and the device behind it awake") == true)
    try probe.quit()
  }

  @Test("Whatever becomes of signal, interval and clip in the middle of a clip, nothing is out of its bounds")
  func anyChange() {
    let format = StreamFormat(rate: 8000, channels: 2)
    var random = SeededGenerator(seed: 11)
    let clips = [900, 5000, 40].map { frames in
      Clip(format: format, samples: (0..<frames * 2).map { _ in Float.random(in: 0.1...0.5, using: &random) })
    }
    var silent = SilentClip()
    let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
    defer { room.deallocate() }
    var at: Int64 = 0
    var clock: Int64 = 0
    var heard = 0
    for _ in 0..<4000 {
      let plan = KeepAlivePlan(
        interval: [nil, 200_000, 1_000_000, 4_000_000].randomElement(using: &random) ?? nil,
        clip: Int.random(in: 0..<3, using: &random) == 0 ? clips.randomElement(using: &random) : nil,
        signal: [nil, .zero, .lsb, .sine].randomElement(using: &random) ?? nil)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        room.initialize(repeating: 0)
        guard let base = room.baseAddress else { return }
        let least = silent.render(plan, into: base, frames: 256, heardAt: at, clock: clock, format: format)
        #expect(least.lowerBound >= 0 && least.upperBound <= 256)
        if !least.isEmpty || room.contains(where: { $0 != 0 }) { heard += 1 }
        at += 32_000
        clock += 256
      }
    }
    #expect(heard > 1000)
  }
}
