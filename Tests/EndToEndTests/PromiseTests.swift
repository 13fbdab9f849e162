import Glibc
import Harness
import Platform
import Testing
import Wire

// The promises that only a device can show kept; the others are CoreTests.PromiseTests and CalendarPromiseTests.

/// A world with a recorder on its sound server.
private struct Stage {
  let world: World
  let recorder: Recorder

  init(settings: String? = nil) throws {
    world = try World(sound: .pulse, settings: settings)
    recorder = try Recorder(try #require(world.pulse))
  }

  /// Waits for so many seconds of recording from now on; where in it they lie.
  func record(seconds: Double) throws -> Range<Int> {
    let start = recorder.count
    let end = start + Int(seconds * Double(Recorder.rate))
    try wait(until: "\(seconds) s of recording", within: .seconds(seconds * 2 + 10)) { recorder.count > end }
    return start..<end
  }

  func waitForRing() throws {
    try world.waitForStatus("the ring") { $0.ringing.first?.sounding == true && $0.ringing[0].sound != nil }
  }

  /// The level of a tone, in decibels, in a tenth of a second of the recording at a time.
  func levels(_ range: Range<Int>, hertz: Double) -> [Double] {
    let samples = recorder.samples
    let window = Recorder.rate / 10
    return stride(from: range.lowerBound, to: range.upperBound - window, by: window).map {
      level(samples[$0..<$0 + window], hertz: hertz)
    }
  }
}

@Suite("What an alarm promises, heard", .serialized)
struct PromiseTests {
  @Test(
    "An alarm rings over music: the music ducks to at least 12 dB below it at every moment, its fade-in included, and comes back"
  )
  func ducks() throws {
    let stage = try Stage()
    let (world, recorder) = (stage.world, stage.recorder)
    let music = try world.makeTone("music.wav", seconds: 60, hertz: 440)
    let ring = try world.makeTone("ring.wav", seconds: 5, hertz: 1760)
    try world.must("play", music)
    let start = try recorder.waitForSound()
    try world.must("add", "+3s", "--sound", ring, "--fade", "4s", "--volume", "80")
    try stage.waitForRing()
    _ = try stage.record(seconds: 6)
    try world.must("dismiss")
    let after = try stage.record(seconds: 3)
    let window = 2400
    let samples = recorder.samples
    let parts = stride(from: start, to: after.lowerBound, by: window).map { place in
      let part = samples[place..<place + window]
      return (ring: level(part, hertz: 1760), music: level(part, hertz: 440))
    }
    // The ring's first and last window hold a part of it only.
    let first = try #require(parts.firstIndex { $0.ring > -50 }) + 1
    let last = try #require(parts.lastIndex { $0.ring > -50 })
    #expect(last - first > 80, "four seconds of it")
    #expect(parts[first].ring < parts[last - 20].ring - 20, "it fades in")
    for part in parts[first..<last] { #expect(part.ring - part.music >= 12, "\(part)") }
    let before = stage.levels(start + 4800..<start + 28_800, hertz: 440)
    let back = stage.levels(after.upperBound - 24_000..<after.upperBound, hertz: 440)
    #expect(abs(back[0] - before[0]) < 0.5, "the music comes back \(back[0] - before[0]) dB off")
    try world.must("stop")
  }

  @Test("Music that was paused stays paused")
  func paused() throws {
    let stage = try Stage()
    let world = stage.world
    try world.must("play", try world.makeTone("music.wav", seconds: 60, hertz: 440))
    _ = try stage.recorder.waitForSound()
    try world.must("pause")
    // What was on its way to the ear has been heard.
    _ = try stage.record(seconds: 1)
    let place = try world.status().player.position
    try world.must("add", "+2s", "--sound", try world.makeTone("ring.wav", hertz: 1760), "--fade", "0s")
    try stage.waitForRing()
    let under = try stage.record(seconds: 1)
    try world.must("dismiss")
    let after = try stage.record(seconds: 1.5)
    #expect(stage.levels(under, hertz: 1760).last ?? -90 > -30)
    #expect(stage.levels(under, hertz: 440).allSatisfy { $0 < -60 })
    #expect(stage.levels(after, hertz: 440).allSatisfy { $0 < -60 })
    let status = try world.status()
    #expect(status.player.state == "paused")
    #expect(status.player.position == place)
  }

  @Test("The player's volume and mute never touch a ring")
  func volume() throws {
    let stage = try Stage()
    let world = stage.world
    try world.must("add", "+2s", "--sound", try world.makeTone("ring.wav", hertz: 1760), "--fade", "0s")
    try world.must("play", try world.makeTone("music.wav", seconds: 60, hertz: 440))
    try stage.waitForRing()
    _ = try stage.record(seconds: 1)
    let full = stage.levels(try stage.record(seconds: 1), hertz: 1760)
    try world.must("volume", "5")
    let low = stage.levels(try stage.record(seconds: 1), hertz: 1760)
    try world.must("mute")
    let muted = stage.levels(try stage.record(seconds: 1), hertz: 1760)
    for level in full + low + muted { #expect(abs(level - full[0]) < 0.5 && level > -30, "\(level) dB") }
    try world.must("dismiss")
  }

  @Test("A sleep timer that ends during a ring stops only the music")
  func sleepTimer() throws {
    let stage = try Stage()
    let world = stage.world
    try world.must("play", try world.makeTone("music.wav", seconds: 60, hertz: 440))
    try world.must("add", "+2s", "--sound", try world.makeTone("ring.wav", hertz: 1760), "--fade", "0s")
    try world.must("sleep", "4s")
    try stage.waitForRing()
    let status = try world.waitForStatus("the end of the music") { $0.player.state == "stopped" }
    #expect(status.ringing.map(\.sounding) == [true])
    let after = try stage.record(seconds: 2)
    #expect(stage.levels(after, hertz: 1760).allSatisfy { $0 > -30 })
    #expect(stage.levels(after, hertz: 440).allSatisfy { $0 < -60 })
    try world.must("dismiss")
  }

  @Test("The sound is refused when given if it is missing or cannot be decoded")
  func refusedSound() throws {
    let world = try World()
    let noise = world.folder.path + "/noise.ogg"
    try replaceFile(noise, with: Array("no sound at all, only words\n".utf8))
    let empty = world.folder.path + "/empty.wav"
    try replaceFile(empty, with: [])
    let folder = world.folder.path + "/folder"
    mkdir(folder, 0o700)
    try world.must("add", "daily 07:00", "--label", "Up")
    for sound in [world.folder.path + "/gone.ogg", noise, empty, folder, "no-such-name"] {
      for words in [["add", "08:00", "--sound", sound], ["edit", "1", "--sound", sound]] {
        let refused = try world.alarm(words)
        #expect(refused.status == .exited(1), "\(words)")
        let name = String(sound.split(separator: "/").last ?? "")
        #expect(refused.complaint.contains(name), "\(refused.complaint)")
      }
    }
    #expect(try world.list().map(\.sound) == [nil])
  }

  @Test("The sound loops until dealt with")
  func loops() throws {
    let stage = try Stage()
    let world = stage.world
    let tone = try world.makeTone("short.wav", seconds: 1, hertz: 1760)
    try world.must("add", "+2s", "--sound", tone, "--fade", "0s")
    try stage.waitForRing()
    _ = try stage.record(seconds: 0.5)
    let levels = stage.levels(try stage.record(seconds: 4), hertz: 1760)
    #expect(levels.allSatisfy { $0 > -30 }, "\(levels)")
    try world.must("dismiss")
  }

  @Test(
    "If the sound cannot be played, next in line: chosen → default → built-in tone; the notification says which failed"
  )
  func nextInLine() throws {
    let stage = try Stage()
    let (world, recorder) = (stage.world, stage.recorder)
    let chosen = try world.makeTone("chosen.wav", hertz: 1760)
    let usual = try world.makeTone("usual.wav", hertz: 440)
    try world.write(settings: "{ alarm: { sound: \"\(usual)\" } }")
    func ring() throws -> Status.Ringing {
      let from = recorder.count
      try stage.waitForRing()
      _ = try recorder.waitForSound(from: from)
      return try #require(world.status().ringing.first)
    }
    try world.must("add", "+4s", "--sound", chosen, "--fade", "0s", "--snooze", "4s")
    unlink(chosen)
    let first = try ring()
    #expect(first.sound == usual)
    #expect(first.notes.count == 1 && first.notes[0].contains("chosen.wav"), "\(first.notes)")
    _ = try stage.record(seconds: 0.5)
    #expect(stage.levels(try stage.record(seconds: 0.5), hertz: 440)[0] > -30)
    try world.must("snooze")
    unlink(usual)
    let second = try ring()
    #expect(second.sound == "built-in tone")
    #expect(second.notes.count == 2 && second.notes[1].contains("usual.wav"), "\(second.notes)")
    // What is damaged only once it is opened gives way as well.
    try world.must("dismiss")
    let story = try world.must("log")
    #expect(story.contains("chosen.wav") && story.contains("usual.wav"), "\(story)")
  }

  @Test("--volume 0 is allowed, warned of, and is notification only")
  func volumeZero() throws {
    let stage = try Stage()
    let world = stage.world
    let added = try world.alarm("add", "+2s", "--volume", "0", "--label", "Quiet")
    #expect(added.succeeded)
    #expect(added.complaint.contains("nothing will be heard"), "\(added.complaint)")
    let from = stage.recorder.count
    let status = try world.waitForStatus("the ring") { $0.ringing.count == 1 }
    #expect(status.ringing.first?.sound == nil)
    #expect(status.inbox.map(\.label) == ["Quiet"])
    _ = try stage.record(seconds: 1)
    #expect(stage.recorder.samples[from...].allSatisfy { abs(Int32($0)) <= 300 })
    try world.must("dismiss")
  }

  @Test("Two screens: both show it; dismissed on one, gone on both")
  func twoScreens() throws {
    let world = try World()
    try world.must("engine", "start")
    let screens = try (0..<2).map { _ in
      try Terminal(columns: 80, rows: 24, running: [world.program], environment: world.environment)
    }
    func shows(_ lines: [String]) -> Bool { lines.contains { $0.contains("Wake up now") } }
    for screen in screens {
      try wait(until: "the screen is attached") { try screen.ask("#{alternate_on}") == "1" }
    }
    try world.must("add", "+1s", "--label", "Wake up now")
    try world.waitForStatus("the ring") { $0.ringing.count == 1 }
    for screen in screens { try screen.wait(until: "the ring is shown") { shows($0) } }
    // Until a second and a half have passed no key is taken.
    try wait(until: "the ring to be dismissed on one screen") {
      try screens[0].press("d")
      return try world.status().ringing.isEmpty
    }
    #expect(try world.must("log").contains("dismissed by the screen"))
    for screen in screens {
      try screen.wait(until: "the ring is gone") { !$0.contains { $0.contains("RINGING") } }
    }
  }

  @Test("The wall time does not exist: add warns, and says when it rings")
  func gapIsWarned() throws {
    let world = try World(zone: "Europe/Berlin")
    let added = try world.alarm("add", "2027-03-28 02:30")
    #expect(added.succeeded)
    #expect(added.complaint.contains("03:30"), "\(added.complaint)")
    #expect(try world.list().first?.next == "2027-03-28T03:30:00+02:00")
  }
}
