import Glibc
import Harness
import Platform
import Testing

@Suite("The keep-alive and devices that nobody hears", .serialized)
struct KeepAliveTests {
  @Test("The null device keeps time: a second of sound takes a second")
  func keepsTime() throws {
    let (environment, _) = try Self.capture()
    let folder = try TemporaryFolder()
    let music = try folder.write(sine(440, seconds: 2), to: folder.file("music.wav"))
    let probe = try Probe(environment, "device=null")
    try probe.say("load \(music.text) 1 0 play")
    let loaded = try probe.wait("loaded")
    letPass(0.6)
    let first = (try probe.position(), Clocks.monotonicMicroseconds())
    letPass(1)
    let second = (try probe.position(), Clocks.monotonicMicroseconds())
    let ratio = (second.0 - first.0) / (Double(second.1 - first.1) / 1_000_000)
    #expect((0.9...1.1).contains(ratio))
    let status = try probe.status()
    #expect(status["audible"] == "false")
    #expect(status["reason"]?.contains("nobody") == true)
    let ended = try probe.wait("ended 1")
    #expect((1_900_000...2_500_000).contains(ended.at - loaded.at))
    try probe.quit()
  }

  @Test(
    "A 16-bit track at full volume goes through bit for bit, at its own rate", arguments: [44_100, 96_000])
  func bitForBit(rate: Int) throws {
    let folder = try TemporaryFolder()
    let (environment, file) = try captureEnvironment(folder)
    var generator = SystemRandomNumberGenerator()
    let samples = (0..<rate * 3).map { _ in Int16.random(in: .min ... .max, using: &generator) } + [1, 1]
    let music = try folder.write(wav(samples, rate: rate), to: folder.file("music.wav"))
    let probe = try Probe(environment, "device=capture")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(0.3)
    let status = try probe.status()
    #expect(status["rate"] == "\(rate)")
    #expect(status["format"] == "S32_LE")
    try probe.wait("ended 1")
    try probe.wait(status: "state", "closed")
    let bytes = try readFile(file, limit: 1 << 28)
    let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    let expected = samples.map { Int32($0) << 16 }
    // Silence may stand before and behind it.
    let start = words.indices.first { words[$0] != 0 } ?? 0
    let first = expected.firstIndex { $0 != 0 } ?? 0
    let isEqual = words[start...].prefix(expected.count - first).elementsEqual(expected[first...])
    #expect(isEqual)
    let endsSilent = words[start...].dropFirst(expected.count - first).allSatisfy { $0 == 0 }
    #expect(endsSilent)
    try probe.quit()
  }

  @Test("A 24-bit FLAC equals an independent decode")
  func bitForBit24() throws {
    let folder = try TemporaryFolder()
    let (environment, file) = try captureEnvironment(folder)
    let music = folder.file("music.flac")
    try runOrThrow([
      "sox", "-R", "-n", "-r", "48000", "-c", "2", "-b", "24", music.text, "synth", "3", "noise", "vol",
      "0.7",
    ])
    let expected = try runOrThrow(["sox", music.text, "-t", "s32", "-"])
    let probe = try Probe(environment, "device=capture")
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("ended 1")
    try probe.wait(status: "state", "closed")
    let bytes = try readFile(file, limit: 1 << 28)
    let start = (bytes.firstIndex { $0 != 0 } ?? 0) / 8 * 8
    let first = (expected.firstIndex { $0 != 0 } ?? 0) / 8 * 8
    let isEqual = bytes[start...].prefix(expected.count - first).elementsEqual(expected[first...])
    #expect(isEqual)
    try probe.quit()
  }

  @Test("The silent clip is all zeros, and a clip that is not is heard")
  func clips() throws {
    let server = try PulseServer()
    let hum = try server.folder.write(sine(500, seconds: 0.5, level: 0.1), to: server.folder.file("hum.wav"))
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(0.5)
    let silent = try server.record()
    letPass(1)
    #expect(try silent.stop().samples.allSatisfy { $0 == 0 })
    try probe.say("set clip=\(hum.text)")
    letPass(1.5)
    let humming = try server.record()
    letPass(1)
    #expect(strength(500, in: try humming.stop().samples.suffix(9600)) > 0.05)
    let status = try probe.status()
    #expect(status["opens"] == "1")
    #expect(status["underruns"] == "0")
    try probe.quit()
  }

  @Test("In pulse mode the clip comes every interval over one stream, and the device rests between")
  func pulses() throws {
    let server = try PulseServer()
    let hum = try server.folder.write(sine(500, seconds: 0.3, level: 0.1), to: server.folder.file("hum.wav"))
    let probe = try Probe(server.environment, "mode=pulse", "interval=2000", "clip=\(hum.text)")
    try probe.say("keepalive on")
    try probe.wait(status: "awake", "true")
    letPass(3)
    let frames = Int(try probe.status()["frames"] ?? "") ?? 0
    let recording = try server.record()
    letPass(6.2)
    let (samples, _) = try recording.stop()
    let more = (Int(try probe.status()["frames"] ?? "") ?? 0) - frames
    #expect(more < 48_000 * 4)
    var starts: [Double] = []
    var quiet = 4800
    for (index, sample) in samples.enumerated() {
      if abs(sample) > 0.01 {
        if quiet > 4800 { starts.append(Double(index) / 48_000) }
        quiet = 0
      } else {
        quiet += 1
      }
    }
    #expect(starts.count >= 3)
    for (first, second) in zip(starts, starts.dropFirst()) {
      #expect(abs(second - first - 2) < 0.05, "\(starts)")
    }
    let status = try probe.status()
    #expect(status["opens"] == "1")
    #expect(status["streams"] == "1")
    // Music over it begins at once, whatever rests.
    let music = try server.folder.write(sine(440, seconds: 5), to: server.folder.file("music.wav"))
    try probe.say("load \(music.text) 1 0 play")
    try probe.wait("loaded")
    letPass(1)
    #expect(try probe.position() > 0.3)
    try probe.quit()
  }

  @Test("With the device closed no thread of the process wakes up")
  func rests() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    try probe.say("keepalive off")
    try probe.wait(status: "state", "closed")
    letPass(1.5)
    let before = try Self.switches(of: probe.process)
    letPass(3)
    #expect(try Self.switches(of: probe.process) == before)
    try probe.quit()
  }

  @Test("It ends in order within its time, though the server does not answer")
  func endsInTime() throws {
    let server = try PulseServer()
    let probe = try Probe(server.environment)
    try probe.say("keepalive on")
    try probe.wait(status: "state", "running")
    letPass(0.5)
    server.suspend()
    letPass(0.2)
    let asked = Clocks.monotonicMicroseconds()
    try probe.say("quit")
    var status: Int32 = 0
    while waitpid(probe.process, &status, WNOHANG) == 0, Clocks.monotonicMicroseconds() - asked < 5_000_000 {
      usleep(10_000)
    }
    #expect(Clocks.monotonicMicroseconds() - asked < 1_500_000)
  }

  private static func capture() throws -> (environment: [String: String], folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try captureEnvironment(folder).environment, folder)
  }

  /// Context switches of all threads since their start.
  private static func switches(of process: pid_t) throws -> Int {
    var sum = 0
    guard let tasks = opendir("/proc/\(process)/task") else { return 0 }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard Int(name) != nil else { continue }
      let text = String(decoding: try readFile("/proc/\(process)/task/\(name)/status"), as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains("ctxt_switches") {
        sum += Int(line.split(separator: "\t").last ?? "") ?? 0
      }
    }
    return sum
  }
}
