import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("An alarm that rings", .serialized)
struct RingTests {
  @Test(
    "The sound begins within half a second of the instant, snooze stops it, it rings again, dismiss ends it")
  func ringsSnoozesAndIsDismissed() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("add", "+3s", "--sound", tone, "--fade", "0s", "--label", "Up")
    let due = try microseconds(world.list().first?.next)

    let first = try recorder.waitForSound(within: .seconds(10))
    let late = Double(recorder.wall(ofSample: first) - due) / 1e6
    // An instant in the answer is cut to the second.
    #expect(late > -0.2 && late < 1.5, "heard \(late) s after the printed second")
    let ringing = try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(ringing.ringing.first?.label == "Up")
    #expect(ringing.ringing.first?.sounding == true)

    let snoozed = try world.must("snooze", "3s")
    #expect(!snoozed.isEmpty)
    let quiet = try recorder.waitForSilence(from: first, lasting: .seconds(1))
    #expect(try world.status().snoozed.count == 1)
    let again = try recorder.waitForSound(from: quiet, within: .seconds(10))
    let pause = Double(again - quiet) / Double(Recorder.rate)
    #expect(pause > 2 && pause < 4.5, "silent for \(pause) s")

    try world.must("dismiss")
    let end = try recorder.waitForSilence(from: again, lasting: .seconds(2))
    let status = try world.status()
    #expect(status.ringing.isEmpty && status.snoozed.isEmpty)
    #expect(recorder.samples[end...].allSatisfy { abs(Int32($0)) <= 300 })
    // A timer that has rung is spent: it stays in the list, off.
    #expect(try world.list().map(\.enabled) == [false])
  }

  @Test(
    "A ring whose file hangs sounds as a tone all the same, and the device is not taken for dead",
    .enabled(if: HeldFile.isPossible))
  func hangingFile() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let slow = try world.makeTone("slow.wav", seconds: 30)
    try world.must("add", "+4s", "--sound", slow, "--fade", "0s")
    let held = try HeldFile(slow)
    defer { held.release() }
    let first = try recorder.waitForSound(within: .seconds(15))
    try wait(until: "six seconds of it") { recorder.count > first + 6 * Recorder.rate }
    let samples = recorder.samples[first..<(first + 6 * Recorder.rate)]
    // The tone is on for a second and off for less than half of one.
    let pauses = samples.split(omittingEmptySubsequences: false) { abs(Int32($0)) > 300 }
    let longest = Double(pauses.map(\.count).max() ?? 0) / Double(Recorder.rate)
    #expect(longest < 0.7, "silent for \(longest) s")
    let status = try world.status()
    #expect(status.output.state == "running" && status.output.opens == 1)
    #expect(status.ringing.first?.notes.contains { $0.contains("takes no more sound") } == false)
    try world.must("dismiss")
  }

  @Test("The due instant itself is met: the first sample is heard no later than half a second after it")
  func firstSampleIsOnTime() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("engine", "start")
    let before = Clocks.wallMicroseconds()
    try world.must("add", "+4s", "--sound", tone, "--fade", "0s")
    let after = Clocks.wallMicroseconds()
    let first = try recorder.waitForSound(within: .seconds(10))
    let heard = recorder.wall(ofSample: first)
    #expect(
      heard >= before + 4_000_000 - 100_000, "heard \(Double(heard - before) / 1e6 - 4) s after the instant")
    #expect(
      heard <= after + 4_000_000 + 500_000, "heard \(Double(heard - after) / 1e6 - 4) s after the instant")
    try world.must("stop")
  }

  @Test("It rings with the screen closed again and its terminal gone")
  func ringsWithoutScreen() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    var terminal: Terminal? = try Terminal(
      columns: 80, rows: 24, running: [world.program], environment: world.environment)
    try world.waitForStatus("the screen") { $0.lifecycle == "active" }
    let engine = try world.enginePID()
    try world.must("add", "+5s", "--sound", tone, "--fade", "0s")
    try terminal?.tmux("kill-server")
    terminal = nil
    try world.waitForStatus("the screen's end") { $0.lifecycle == "background" }
    _ = try recorder.waitForSound(within: .seconds(10))
    #expect(try world.enginePID() == engine)
    try world.must("stop")
  }

  @Test("A ring over music: the music ducks at least 12 dB below it and comes back")
  func ringDucksMusic() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let music = try world.makeTone("music.wav", seconds: 60, hertz: 440)
    let ring = try world.makeTone("ring.wav", seconds: 5, hertz: 1760)
    try world.must("play", music)
    let start = try recorder.waitForSound()
    try world.must("add", "+3s", "--sound", ring, "--fade", "0s", "--volume", "100")
    try world.waitForStatus("the ring") { $0.ringing.first?.sounding == true }
    let mark = recorder.count
    try wait(until: "two seconds of recording") { recorder.count > mark + 2 * Recorder.rate }
    try world.must("dismiss")
    let end = recorder.count
    try wait(until: "three seconds of recording") { recorder.count > end + 3 * Recorder.rate }
    let samples = recorder.samples
    let before = level(samples[(start + 4800)..<(start + 28_800)], hertz: 440)
    let under = level(samples[(mark + 24_000)..<(mark + 72_000)], hertz: 440)
    let over = level(samples[(mark + 24_000)..<(mark + 72_000)], hertz: 1760)
    let after = level(samples[(end + 96_000)..<(end + 130_000)], hertz: 440)
    #expect(over - under >= 12, "the ring is \(over - under) dB above the music")
    #expect(abs(after - before) < 0.5, "the music comes back \(after - before) dB off")
    try world.must("stop")
  }

  @Test("Without a sound card the engine keeps time, and says that nobody will hear")
  func noSoundCard() throws {
    let world = try World()
    try world.must("add", "+1s", "--label", "Silent")
    let status = try world.waitForStatus("the ring") { $0.ringing.first?.label == "Silent" }
    #expect(!status.output.audible)
    #expect(status.output.reason?.isEmpty == false)
    #expect(try world.must("status").contains(try #require(status.output.reason)))
    let music = try world.makeTone(seconds: 3)
    try world.must("dismiss")
    try world.must("play", music)
    let start = ContinuousClock.now
    try world.waitForStatus("the end of the track") { $0.player.state == "stopped" }
    let took = ContinuousClock.now - start
    #expect(took > .milliseconds(2300) && took < .seconds(6), "three seconds took \(took)")
    // It is remembered when the device is closed again, and whoever sets an alarm is told.
    let closed = try world.waitForStatus("a closed device") { $0.output.state == "closed" }
    #expect(!closed.output.audible)
    let added = try world.alarm("add", "daily 07:00")
    #expect(added.succeeded && added.complaint.contains("nobody will hear"), "\(added.complaint)")
  }

  @Test("Which file of a folder sounds is told by the status and the story, clean")
  func fileOfFolder() throws {
    let world = try World()
    mkdir(world.folder.path + "/morning", 0o700)
    let names = ["1 \u{1b}[31m.wav", "2.wav"]
    for name in names { _ = try world.makeTone("morning/\(name)", seconds: 2, rate: 8000) }
    try world.must("add", "daily 07:00", "--sound", world.folder.path + "/morning", "--fade", "0s")
    try world.must("ring", "1")
    for name in names {
      try world.waitForStatus(name) {
        $0.ringing.first?.file == "\(world.folder.path)/morning/\(name)"
          && $0.ringing.first?.sound == "\(world.folder.path)/morning"
      }
    }
    #expect(try world.must("status").contains(".wav of morning"))
    let story = try world.must("log")
    #expect(story.contains("rang with “\(world.folder.path)/morning/1 \u{fffd}[31m.wav”"), "\(story)")
    try world.must("stop")
  }

  @Test("A missing sound falls to the next in line: the alarm rings all the same")
  func missingSoundRings() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("add", "+3s", "--sound", tone, "--fade", "0s")
    unlink(tone)
    _ = try recorder.waitForSound(within: .seconds(10))
    let status = try world.waitForStatus("the ring") { $0.ringing.first?.notes.isEmpty == false }
    #expect(status.ringing.first?.notes.first?.contains("tone.wav") == true)
    try world.must("stop")
  }
}

/// The level of one frequency in decibels, by the Goertzel algorithm.
func level(_ samples: ArraySlice<Int16>, hertz: Double) -> Double {
  let coefficient = 2 * cos(2 * Double.pi * hertz / Double(Recorder.rate))
  var (last, beforeLast) = (0.0, 0.0)
  for sample in samples {
    (last, beforeLast) = (Double(sample) / 32_768 + coefficient * last - beforeLast, last)
  }
  let power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast
  return 10 * log10(max(power, 1e-12) / Double(samples.count) / Double(samples.count) * 4)
}
