import Glibc
import Harness
import Platform
import Testing

@testable import Audio

@Suite("Rings on the device's own time line, recorded from a real sound server", .serialized)
struct ScheduledRingTests {
  private static let canGoByPipeWire =
    PulseServer.Way.pipeWirePlugin != nil && PulseServer.Kind.pipeWire.isInstalled

  /// A recorder lowers the server's latency; without one it is the server's own, and what is queued was placed by it.
  /// PipeWire cuts its cycle short when a recorder wants a shorter one, and plays what it has taken at another time than it
  /// would have: there the other kind of recorder is one that wants no more than PipeWire does by itself.
  @Test(
    "A ring begins within 10 ms of its instant, with a recorder all the time or one that comes when it is queued",
    arguments: [(true, false), (false, false), (true, true)])
  func scheduled(isRecorded: Bool, hasMusic: Bool) throws {
    try ringOnTime(behind: try PulseServer(isFavoured: true), isRecorded: isRecorded, hasMusic: hasMusic)
  }

  /// `SOAK_RINGS`: so many servers for each kind, and more rings at each, whose worst is printed.
  @Test(
    "By PipeWire's own plugin of ALSA every ring begins within 10 ms too",
    .enabled(if: canGoByPipeWire), arguments: [(true, false), (false, false), (true, true)])
  func byPipeWire(isRecorded: Bool, hasMusic: Bool) throws {
    let soak = currentEnvironment()["SOAK_RINGS"].flatMap { Int($0) }
    for _ in 0..<(soak ?? 1) {
      let server = try PulseServer(isFavoured: true, way: .pipeWire)
      let all = try ringOnTime(
        behind: server, isRecorded: isRecorded, hasMusic: hasMusic, rings: soak == nil ? 2 : 4, after: 1.5
      ) {
        let streams = try runOrThrow(["pactl", "list", "sink-inputs"], environment: server.environment)
        #expect(String(decoding: streams, as: UTF8.self).contains("PipeWire ALSA ["))
      }
      if soak != nil { print("rings, recorder \(isRecorded), music \(hasMusic): \(all) µs late") }
    }
  }

  /// `after`: seconds for which the device has been open. How late (µs) each of the rings was heard.
  @discardableResult
  private func ringOnTime(
    behind server: PulseServer, isRecorded: Bool, hasMusic: Bool, rings: Int = 1,
    after: Double = coldStart + 1, whilePlaying: () throws -> Void = {}
  ) throws -> [Int64] {
    let sound = try server.folder.write(sine(3000, seconds: 1), to: server.folder.file("ring.wav"))
    let music = try server.folder.write(
      sine(440, seconds: 30, level: 0.1), to: server.folder.file("music.wav"))
    let probe = try Probe(server.environment)
    try probe.say("hold on")
    try probe.wait(status: "state", "running")
    var recording: Recording?
    if isRecorded {
      recording = try server.record()
    } else if server.kind == .pipeWire {
      recording = try server.record(block: 2048)
    }
    letPass(after)
    try whilePlaying()
    if hasMusic {
      try probe.say("load \(music.text) 1 0 play")
      try probe.wait("loaded")
    }
    var dues: [Int64] = []
    for ring in 1...rings {
      let due = Clocks.monotonicMicroseconds() + 1_500_000
      dues.append(due)
      try probe.say("ring \(ring) \(sound.text) 100 0 \(due)")
      if recording == nil {
        // So late that the ring is in the queue already.
        usleep(UInt32(max(0, due - 120_000 - Clocks.monotonicMicroseconds())))
        recording = try server.record()
      }
      let started = try probe.wait("ringStarted \(ring) 0")
      #expect((0..<100).contains((Int64(started.words[3]) ?? 0) - due))
      letPass(ring == rings ? 0.8 : 0.2)
      if ring < rings { try probe.say("stopring \(ring)") }
    }
    let heard = try #require(recording)
    let samples = try heard.stop().samples
    var lates: [Int64] = []
    for due in dues {
      // The ring before had ended long before this one.
      let near = (due - 500_000 - heard.instant(ofSample: 0)) * 48 / 1000
      let start = beginning(of: 3000, level: 0.5, in: samples[max(0, min(Int(near), samples.count))...])
      let late = heard.instant(ofSample: try #require(start)) - due
      lates.append(late)
      #expect(abs(late) <= 10_000, "heard \(late) µs after it was due")
    }
    try probe.quit()
    return lates
  }

  /// A server tells nothing for up to two seconds after a cold open, and libpulse's clock of a stream, which ALSA's plugin
  /// goes by, nothing for up to four.
  @Test(
    "A ring that is due soon after a cold open begins within 10 ms of its instant",
    arguments: [.pulse, .plugin] + (canGoByPipeWire ? [PulseServer.Way.pipeWire] : []))
  func cold(way: PulseServer.Way) throws {
    let server = try PulseServer(isFavoured: true, way: way)
    let sound = try server.folder.write(sine(3000, seconds: 1), to: server.folder.file("ring.wav"))
    let recording = try server.record()
    let probe = try Probe(server.environment)
    let due = Clocks.monotonicMicroseconds() + 2_500_000
    try probe.say("ring a \(sound.text) 100 0 \(due)")
    try probe.wait("ringStarted a 0")
    letPass(0.8)
    let samples = try recording.stop().samples
    let first = beginning(of: 3000, level: 0.5, in: samples[...])
    let late = recording.instant(ofSample: try #require(first)) - due
    #expect(abs(late) <= 10_000, "heard \(late) µs after it was due")
    try probe.quit()
  }

  @Test("Two rings half a second apart are heard half a second apart, within 10 ms")
  func apart() throws {
    let server = try PulseServer(isFavoured: true)
    let low = try server.folder.write(sine(1000, seconds: 0.2), to: server.folder.file("low.wav"))
    let high = try server.folder.write(sine(3000, seconds: 5), to: server.folder.file("high.wav"))
    let probe = try Probe(server.environment)
    try probe.say("hold on")
    try probe.wait(status: "state", "running")
    letPass(coldStart)
    // A server that was left without the processor for so long that it ran dry has moved the second ring itself: that run
    // says nothing of where it was placed.
    for attempt in 1...3 {
      let recording = try server.record()
      letPass(0.3)
      let due = Clocks.monotonicMicroseconds() + 1_200_000
      try probe.say("ring a\(attempt) \(low.text) 100 0 \(due)")
      try probe.say("ring b\(attempt) \(high.text) 50 0 \(due + 500_000)")
      try probe.wait("ringStarted b\(attempt)")
      letPass(0.8)
      let (samples, _) = try recording.stop()
      try probe.say("stopring a\(attempt)")
      try probe.say("stopring b\(attempt)")
      let start = firstSound(samples)
      let first = try #require(start)
      // Behind the low one: where that has a gap there is something of every pitch.
      let behind = beginning(of: 3000, level: 0.0625, in: samples[(first + 12_000)...])
      let second = try #require(behind)
      let ranDry = (first..<second).contains { start in samples[start..<start + 96].allSatisfy { $0 == 0 } }
      if ranDry, attempt < 3 { continue }
      let apart = Double(second - first) / 48_000
      #expect(abs(apart - 0.5) < 0.01, "\(apart) s")
      break
    }
    try probe.quit()
  }
}

@Suite("The time line of a device")
struct DeviceLineTests {
  /// Feeds one answer every 50 ms: `told` gives the true delay of the frame behind, in µs off.
  private func feed(
    _ line: inout DeviceLine, from start: Int64, seconds: Double, zero: Int64, rate: Double = 48_000,
    off: () -> Int64
  ) -> Int64 {
    var now = start
    let end = start + Int64(seconds * 1_000_000)
    while now < end {
      now += 50_000
      let heard = Int64(Double(now - zero) * rate / 1_000_000)
      let written = heard + 9600
      let told = 9600 + Int(off() * 48 / 1000)
      line.observe(told: told, queued: 9000, written: written, now: now)
    }
    return now
  }

  @Test("Answers that are up to 8 ms off make a line that is hardly off")
  func noise() throws {
    var random = SeededGenerator(seed: 7)
    var line = DeviceLine(rate: 48_000)
    var now: Int64 = 5_000_000
    for _ in 0..<40 {
      now = feed(&line, from: now, seconds: 1, zero: 1_000_000) {
        Int64.random(in: -8000...8000, using: &random)
      }
      let off = try #require(line.line).zero - 1_000_000
      #expect(abs(off) < 6000)
    }
  }

  @Test("A few answers that are far off change nothing")
  func outliers() throws {
    var random = SeededGenerator(seed: 8)
    var line = DeviceLine(rate: 48_000)
    _ = feed(&line, from: 5_000_000, seconds: 3, zero: 1_000_000) {
      Int.random(in: 0..<6, using: &random) == 0 ? 90_000 : 0
    }
    #expect(abs(try #require(line.line).zero - 1_000_000) < 1000)
  }

  @Test("A clock that runs 200 ppm fast is followed within half a millisecond")
  func drift() throws {
    var line = DeviceLine(rate: 48_000)
    let now = feed(&line, from: 5_000_000, seconds: 60, zero: 1_000_000, rate: 48_000 * 1.0002) { 0 }
    let heard = Int64(Double(now - 1_000_000) * 48_000 * 1.0002 / 1_000_000)
    #expect(abs(try #require(line.line).instant(ofFrame: heard) - now) < 500)
  }

  @Test("A jump is followed within a quarter of a second", arguments: [-400_000, -30_000, 30_000, 400_000])
  func jump(by step: Int64) throws {
    var line = DeviceLine(rate: 48_000)
    let now = feed(&line, from: 5_000_000, seconds: 3, zero: 1_000_000) { 0 }
    _ = feed(&line, from: now, seconds: 0.25, zero: 1_000_000 + step) { 0 }
    #expect(abs(try #require(line.line).zero - 1_000_000 - step) < 1000)
  }

  @Test("While a cold server answers 0 there is no line, but what is queued and the latency last known")
  func cold() {
    var line = DeviceLine(rate: 48_000)
    for step in 1...20 {
      line.observe(told: 0, queued: 20_000, written: 20_000, now: Int64(step) * 50_000)
    }
    #expect(line.line == nil)
    let estimate = line.estimate(queued: 20_000, written: 20_000, now: 1_000_000)
    #expect(abs(estimate.instant(ofFrame: 20_000) - 1_000_000 - 416_666) < 100)
  }

  @Test(
    "A server that has taken more than it has told of yet is believed, whatever it asks for at once",
    arguments: [2250, 4320])
  func untold(least: Int) throws {
    var line = DeviceLine(rate: 48_000, taking: Taking(least: least))
    var now: Int64 = 5_000_000
    for look in 0..<60 {
      now += look % 3 == 0 ? 100_000 : 21_000
      // Blocks of 24 ms are rendered when they are due, and told of when they make what is asked for at once.
      let heard = (now - 1_000_000) * 48 / 1000
      let blocks = heard / 1152 + 1
      let each = Int64((least + 1151) / 1152)
      let taken = blocks / each * each * 1152
      let written = taken + 9000
      line.observe(told: Int(written - heard), queued: 9000, written: written, now: now)
      if look >= 3 { #expect(abs(try #require(line.line).zero - 1_000_000) < 1000) }
    }
  }

  /// libpulse's clock of a stream ran 1.4 s while the server consumed nothing, then stands still as long as that; two
  /// answers a tenth of a second apart were made of it while it caught up.
  @Test("What a clock that ran ahead has answered does not count once it is right")
  func caughtUp() throws {
    var line = DeviceLine(rate: 48_000)
    var now: Int64 = 1_000_000
    for step in 0..<30 {
      now += 110_000
      let written = (now - 1_000_000) * 48 / 1000 + 12_000
      line.observe(told: max(0, step - 25) * 2500, queued: 12_000, written: written, now: now)
      #expect(line.line == nil)
    }
    now = feed(&line, from: now, seconds: 0.15, zero: 1_000_000) { 0 }
    #expect(abs(try #require(line.line).zero - 1_000_000) < 1000)
  }

  @Test("Once all answers agree one a second is enough, until what is taken tells of a jump")
  func settled() {
    var line = DeviceLine(rate: 48_000)
    /// What has been taken at an instant, in blocks of 50 ms; the server ran dry for `gap` µs.
    func taken(_ now: Int64, gap: Int64 = 0) -> Int64 { (now - gap - 1_000_000) / 50_000 * 2400 + 2400 }
    func answer(_ now: Int64, off: Int64 = 0) {
      let written = taken(now) + 9000
      let heard = (now - 1_000_000) * 48 / 1000
      line.observe(told: Int(written - heard + off * 48 / 1000), queued: 9000, written: written, now: now)
    }
    func isKnown(_ now: Int64, gap: Int64 = 0) -> Bool {
      line.known(queued: 9000, written: taken(now, gap: gap) + 9000, now: now) != nil
    }
    var now: Int64 = 5_000_000
    for _ in 0..<15 {
      now += 133_000
      answer(now)
      #expect(!isKnown(now + 100_000))
    }
    // How far ahead it takes is seen by and by.
    for _ in 0..<20 {
      now += 133_000
      answer(now)
    }
    #expect(stride(from: now, to: now + 999_000, by: 7_000).allSatisfy { isKnown($0) })
    #expect(!isKnown(now + 1_000_000))
    #expect(!isKnown(now + 500_000, gap: 100_000))
    #expect(line.known(queued: 9000, written: taken(now) + 9000, now: now) == line.line)
    // One that is off brings all the questions back.
    now += 133_000
    answer(now, off: 30_000)
    #expect(!isKnown(now + 10_000))
    line.forget()
    #expect(!isKnown(now + 10_000))
  }

  @Test("Many answers within a moment weigh no more than one")
  func burst() throws {
    var line = DeviceLine(rate: 48_000)
    let now = feed(&line, from: 5_000_000, seconds: 3, zero: 1_000_000) { 0 }
    for step in 1...100 {
      line.observe(
        told: 9600, queued: 9000, written: (now - 1_000_000 - 30_000) * 48 / 1000 + 9600,
        now: now + Int64(step) * 100)
    }
    #expect(abs(try #require(line.line).zero - 1_000_000) < 1000)
  }

  /// `blocks` (µs) are what the server renders at once and what it asks for at once. When it takes frames and when it is
  /// asked have nothing to do with each other.
  @Test(
    "Where nothing is told, what the server has taken in steps makes an estimate that is at most 5 ms off, whenever it is looked at",
    arguments: [(46_875, 46_875), (10_000, 50_000), (25_000, 50_000)])
  func phases(blocks: (rendered: Int, asked: Int)) {
    var random = SeededGenerator(seed: 9)
    var worst: Int64 = 0
    for _ in 0..<500 {
      let taking = Taking(least: blocks.asked * 48 / 1000, block: blocks.rendered * 48 / 1000)
      var line = DeviceLine(rate: 48_000, taking: taking)
      var now = 5_000_000 + Int64.random(in: 0..<1_000_000, using: &random)
      for _ in 0..<40 {
        now += 29_000 + Int64.random(in: 0..<400, using: &random)
        // It has rendered the block that is heard now, and told of what it took in whole steps.
        let rendered = (Int(now) / blocks.rendered + 1) * blocks.rendered
        let taken = Int64(rendered / blocks.asked * blocks.asked) * 48 / 1000
        line.observe(told: 0, queued: 12_000, written: taken + 12_000, now: now)
      }
      worst = max(worst, abs(line.estimate(queued: 12_000, written: 0, now: now).zero))
    }
    #expect(worst <= 5000, "\(worst) µs")
  }

  /// As pipewire-pulse 0.3.65 does it: what it has taken counts as heard and waits for a cycle, and it asks when 2250 frames
  /// are missing.
  @Test(
    "Where PipeWire is with its cycles is known from what it asks for, and anew when they change",
    arguments: [64, 128, 256, 512, 1024, 2048], [2048, 512])
  func leftOut(cycle: Int, later: Int) throws {
    var line = DeviceLine(rate: 48_000, taking: Taking(least: 2250, goesByCycles: true))
    var now: Int64 = 5_000_000
    var place: Int64 = 0
    var asked: Int64 = 0
    for cycle in [Int64(cycle), Int64(later)] {
      for look in 0..<40 {
        now += look % 2 == 0 ? 29_000 : 100_000
        // Taken a cycle before; frame 0 was heard at 5 s.
        let due = (now - 5_000_000) * 48 / 1000
        while place <= due + cycle {
          place += cycle
          if place - asked >= 2250 { asked = place }
        }
        let told = 12_000 + Int(asked - due - 2 * cycle)
        line.observe(told: told, queued: 12_000, written: asked + 12_000, now: now)
      }
      let zero = try #require(line.line).zero
      // Three of the short ones ask for the same.
      #expect(abs(zero - 5_000_000) < 6000)
    }
  }

  /// Such as PipeWire's cards do, which say that they hold a cycle and what they keep besides.
  @Test(
    "Where PipeWire's sink says what it holds, a cycle of that is no more than a null sink's monitor is behind",
    arguments: [512, 1024, 2048], [0, 256])
  func saying(cycle: Int64, more: Int64) throws {
    var line = DeviceLine(rate: 48_000, taking: Taking(least: 2250, goesByCycles: true))
    var now: Int64 = 5_000_000
    var (place, asked): (Int64, Int64) = (0, 0)
    for look in 0..<120 {
      now += look % 2 == 0 ? 29_000 : 100_000
      let due = (now - 5_000_000) * 48 / 1000
      while place <= due + cycle {
        place += cycle
        if place - asked >= 2250 { asked = place }
      }
      // What it has begun to play and what waits count as heard, and half a cycle is past on average.
      let told = 12_000 + Int(asked - due - 3 * cycle / 2 + cycle + more)
      line.observe(told: told, queued: 12_000, written: asked + 12_000, now: now)
    }
    #expect(abs(try #require(line.line).zero - 5_000_000 - more * 1_000_000 / 48_000) < 4000)
  }

  @Test("A cycle is known at other rates too", arguments: [(44_100, 2048), (44_100, 512), (96_000, 1024)])
  func rates(rate: Int, cycle: Int) {
    let frames = cycle * rate / 48_000
    let least = rate * 3 / 64
    let step = (least + frames - 1) / frames * frames
    let found = QueueSteps.cycle(step, least: least, rate: rate) ?? 0
    #expect(abs(found - frames) * 1000 / rate <= 3)
  }

  @Test("A device that stands still is no line")
  func standing() {
    var line = DeviceLine(rate: 48_000)
    for step in 1...20 {
      line.observe(told: 20_000, queued: 20_000, written: 20_000, now: Int64(step) * 50_000)
    }
    #expect(line.line == nil)
  }

  @Test(
    "Instants and frames are each other's inverse, in a day as in a second",
    arguments: [8000, 44_100, 768_000])
  func inverse(rate: Int) {
    let line = TimeLine(zero: 123_456, rate: rate)
    for frame: Int64 in [-100_000, 0, 1, 441_000, Int64(rate) * 86_400 * 400] {
      #expect(abs(line.frame(at: line.instant(ofFrame: frame)) - frame) <= 1)
    }
  }
}
