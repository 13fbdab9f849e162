import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("A ring is heard whatever the system's volume", .serialized)
struct HearingTests {
  private func ring(_ world: World, _ pulse: PulseServer) throws {
    let tone = try world.makeTone()
    try world.must("add", "+2s", "--sound", tone, "--fade", "0s", "--label", "Up")
  }

  @Test("A muted sink is on for the ring and muted again after it; the ring and the status say so")
  func muted() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-mute", "sink", "1")
    let recorder = try Recorder(pulse)
    defer { recorder.stop() }
    try ring(world, pulse)
    _ = try recorder.waitForSound(within: .seconds(10))
    let status = try world.waitForStatus("the note") { $0.ringing.first?.notes.isEmpty == false }
    #expect(status.ringing.first?.notes.first?.contains("is muted: it is on for this ring") == true)
    #expect(status.output.reason?.contains("is on for this ring") == true)
    #expect(status.output.audible)
    #expect(try !pulse.sinkIsMuted())
    try world.must("dismiss")
    try wait(until: "the sink to be muted again") { try pulse.sinkIsMuted() }
    #expect(try pulse.sinkVolume() == 100)
    try world.waitForStatus("the end") { $0.output.reason == nil }
  }

  @Test("A volume of 5 % is 30 % for the ring, and 5 % again after a snooze as after a dismissal")
  func low() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-volume", "sink", "5%")
    try ring(world, pulse)
    try wait(until: "the volume to be raised") { try pulse.sinkVolume() == 30 }
    try world.must("snooze", "2s")
    try wait(until: "the volume to be put back") { try pulse.sinkVolume() == 5 }
    try wait(until: "the volume to be raised again") { try pulse.sinkVolume() == 30 }
    try world.must("dismiss")
    try wait(until: "the volume to be put back again") { try pulse.sinkVolume() == 5 }
  }

  @Test("What a person changes during the ring is left alone, and so is what is loud enough")
  func personChanges() throws {
    let world = try World(sound: .pulse, settings: "{ alarm: { leastVolume: 20 } }")
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-volume", "sink", "5%")
    try ring(world, pulse)
    try wait(until: "the volume to be raised") { try pulse.sinkVolume() == 20 }
    try pulse.control("set-sink-volume", "sink", "10%")
    // The next look at it is five seconds away at most: it must not be raised again.
    try letPass(seconds: 6)
    #expect(try pulse.sinkVolume() == 10)
    try world.must("dismiss")
    try world.waitForStatus("the end of the ring") { $0.output.state == "closed" || $0.ringing.isEmpty }
    try letPass(seconds: 1)
    #expect(try pulse.sinkVolume() == 10)

    try pulse.control("set-sink-volume", "sink", "25%")
    try ring(world, pulse)
    try world.waitForStatus("the second ring") { $0.ringing.first?.sounding == true }
    try letPass(seconds: 1)
    #expect(try pulse.sinkVolume() == 25)
    try world.must("dismiss")
  }

  @Test("Killed in the middle of a ring, the next engine rings on and puts back what the first one raised")
  func killed() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-volume", "sink", "5%")
    try pulse.control("set-sink-mute", "sink", "1")
    try ring(world, pulse)
    try wait(until: "the volume to be raised") { try pulse.sinkVolume() == 30 }
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try wait(until: "another engine that rings", within: .seconds(20)) {
      guard let status = try? world.status() else { return false }
      return status.engine.pid != engine && status.ringing.first?.sounding == true
    }
    try letPass(seconds: 1)
    #expect(try pulse.sinkVolume() == 30)
    #expect(try !pulse.sinkIsMuted())
    try world.must("dismiss")
    try wait(until: "the volume to be put back") { try pulse.sinkVolume() == 5 }
    try wait(until: "the sink to be muted again") { try pulse.sinkIsMuted() }
  }

  @Test("Killed, and nothing rings any more when the next engine comes: put back all the same")
  func killedAndMissed() throws {
    let world = try World(sound: .pulse, settings: "{ alarm: { lateWithin: \"2s\" } }")
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-volume", "sink", "5%")
    try ring(world, pulse)
    try wait(until: "the volume to be raised") { try pulse.sinkVolume() == 30 }
    for process in world.processes() { kill(process, SIGKILL) }
    try wait(until: "the end of every process") { world.processes().isEmpty }
    #expect(try pulse.sinkVolume() == 30)
    // By then it is too late to ring again.
    try letPass(seconds: 3)
    try world.must("engine", "start")
    #expect(try world.status().ringing.isEmpty)
    try wait(until: "the volume to be put back") { try pulse.sinkVolume() == 5 }
  }

  @Test("Stopped in the middle of a ring, the engine puts back what it raised before it ends")
  func stopped() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-mute", "sink", "1")
    try ring(world, pulse)
    try wait(until: "the sink to be on") { try !pulse.sinkIsMuted() }
    try world.waitForStatus("the note") { $0.ringing.first?.notes.isEmpty == false }
    kill(try world.enginePID(), SIGTERM)
    try wait(until: "the end of every process") { world.processes().isEmpty }
    #expect(try pulse.sinkIsMuted())
  }

  @Test("Our own stream, muted in a mixer, is on for the ring and muted again after it, in the same stream")
  func ownStream() throws {
    let world = try World(sound: .pulse, settings: "{ keepAlive: { when: \"always\" } }")
    let pulse = try #require(world.pulse)
    try world.must("engine", "start")
    try world.waitForStatus("the device") { $0.output.state == "running" }
    let stream = try #require(try pulse.sinkInputs().first)
    try pulse.control("set-sink-input-mute", "\(stream)", "1")
    let recorder = try Recorder(pulse)
    defer { recorder.stop() }
    try ring(world, pulse)
    _ = try recorder.waitForSound(within: .seconds(10))
    #expect(try pulse.sinkInputs() == [stream])
    try world.must("dismiss")
    try wait(until: "the stream to be muted again") {
      try pulse.control("list", "sink-inputs").contains("Mute: yes")
    }
  }

  @Test("The default sink vanishes: the server plays to auto_null, and the status says that nobody will hear")
  func autoNull() throws {
    let world = try World(sound: .pulse, settings: "{ keepAlive: { when: \"always\" } }")
    let pulse = try #require(world.pulse)
    try pulse.control("load-module", "module-always-sink")
    try world.must("engine", "start")
    try world.waitForStatus("the device") { $0.output.state == "running" && $0.output.audible }
    try pulse.removeSink()
    try ring(world, pulse)
    let status = try world.waitForStatus("the ring") { !$0.ringing.isEmpty && !$0.output.audible }
    #expect(status.output.reason?.contains("nobody will hear") == true)
    #expect(try world.must("status").contains("nobody will hear"))
    try world.waitForStatus("the note") {
      $0.ringing.first?.notes.contains { $0.contains("nobody will hear") } == true
    }
    // A speaker is connected while it rings.
    try pulse.control(
      "load-module", "module-null-sink", "sink_name=sink", "sink_properties=device.form_factor=speaker")
    try world.waitForStatus("somebody to hear") { $0.output.audible }
    try world.must("dismiss")
  }

  @Test(
    "The server moves a ring to a sink that is muted, which nobody has touched: it is on for the ring too")
  func movedToMuted() throws {
    let world = try World(sound: .pulse, settings: "{ keepAlive: { when: \"always\" } }")
    let pulse = try #require(world.pulse)
    let other = try pulse.control(
      "load-module", "module-null-sink", "sink_name=two", "sink_properties=device.form_factor=speaker")
    try pulse.control("set-sink-mute", "two", "1")
    try pulse.control("set-sink-volume", "two", "3%")
    try ring(world, pulse)
    try world.waitForStatus("the ring") { $0.ringing.first?.sounding == true && $0.output.audible }
    let streams = try pulse.sinkInputs()
    for stream in streams { try pulse.control("move-sink-input", "\(stream)", "two") }
    try wait(until: "the other sink to be on", within: .seconds(15)) { try !pulse.sinkIsMuted("two") }
    try wait(until: "the other sink to be loud") { try pulse.sinkVolume("two") == 30 }
    // What a person does to it from now on is left alone.
    try pulse.control("set-sink-volume", "two", "10%")
    try letPass(seconds: 6)
    #expect(try pulse.sinkVolume("two") == 10)
    try world.must("dismiss")
    try world.waitForStatus("the end of the ring") { $0.ringing.isEmpty }
    #expect(!other.isEmpty)
  }

  @Test(
    "The server plays to another sink while music plays: who asks is told, and told again when that is over")
  func lostSpeaker() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("load-module", "module-null-sink", "sink_name=nowhere")
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("the music") { $0.output.state == "running" && $0.output.audible }
    for stream in try pulse.sinkInputs() { try pulse.control("move-sink-input", "\(stream)", "nowhere") }
    try world.waitForStatus("word of it") { !$0.output.audible }
    #expect(try world.alarm("add", "tomorrow", "15:00").complaint.contains("nobody will hear"))
    for stream in try pulse.sinkInputs() { try pulse.control("move-sink-input", "\(stream)", "sink") }
    try world.waitForStatus("the speaker") { $0.output.audible }
  }

  @Test("A snooze's ring on a speaker says nothing of the output before, which led nowhere")
  func snoozedToSpeaker() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try pulse.control("load-module", "module-null-sink", "sink_name=nowhere")
    try pulse.control("set-default-sink", "nowhere")
    try ring(world, pulse)
    try world.waitForStatus("the note") {
      $0.ringing.first?.notes.contains { $0.contains("nobody will hear") } == true
    }
    try pulse.control("set-default-sink", "sink")
    try world.must("snooze", "12s")
    try world.waitForStatus("the ring after the snooze", within: .seconds(30)) {
      $0.ringing.first?.sounding == true && $0.output.audible
    }
    // What is found out at its beginning is there by then.
    try letPass(seconds: 6)
    let notes = try world.status().ringing.first?.notes ?? ["no ring"]
    #expect(!notes.contains { $0.contains("nobody will hear") }, "\(notes)")
    try world.must("dismiss")
  }

  @Test("A device that does not exist is forgotten when the setting is")
  func forgottenDevice() throws {
    let world = try World(sound: .pulse, settings: "{ output: { device: \"nosuch\" } }")
    try world.must("add", "+1s")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty && !$0.output.audible }
    try world.must("dismiss")
    try world.waitForStatus("the end") { $0.ringing.isEmpty && $0.output.state == "closed" }
    try world.write(settings: "{}")
    try world.waitForStatus("the default") { $0.output.audible && $0.output.reason == nil }
  }

  @Test("Where a ring has another device to sound on nobody is told that nobody will hear it")
  func otherDevice() throws {
    let world = try World(
      sound: .pulse, settings: "{ output: { device: \"nosuch\", alarmDevices: [\"attic\", \"default\"] } }")
    try world.must("engine", "start")
    try world.waitForStatus("the warnings") { $0.engine.configWarnings?.count == 2 }
    let music = try world.alarm("play", try world.makeTone(seconds: 60))
    #expect(music.succeeded, "\(music.complaint)")
    try world.waitForStatus("the failure") { !$0.output.audible && $0.output.reason != nil }
    let added = try world.alarm("add", "tomorrow", "15:00")
    let rung = try world.alarm("ring", "1")
    for complaint in [added.complaint, rung.complaint] {
      #expect(complaint.contains("“nosuch” cannot be opened"), "\(complaint)")
      #expect(complaint.contains("alarms are tried on “default” instead"), "\(complaint)")
      #expect(!complaint.contains("nobody will hear") && !complaint.contains("attic"), "\(complaint)")
    }
    try world.waitForStatus("the ring on it") { $0.output.device == "default" && $0.output.audible }
    try world.must("stop")
  }

  @Test("A ring that nobody hears has that in its story, and when it is heard again")
  func unheard() throws {
    let world = try World(sound: .pulse)
    let pulse = try #require(world.pulse)
    try world.must("engine", "start")
    pulse.kill9()
    try world.must("add", "+2s", "--label", "Deaf")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try wait(until: "the story of it", within: .seconds(20)) {
      try world.must("log", "1").contains("nobody will hear")
    }
    try pulse.start()
    try wait(until: "the story's next line", within: .seconds(30)) {
      try world.must("log", "1").contains("takes sound again")
    }
    try world.must("dismiss")
  }

  @Test("A sound server that hangs keeps nobody waiting: the status answers, and the ring is on")
  func hangs() throws {
    let world = try World(sound: .pulse, settings: "{ keepAlive: { when: \"always\" } }")
    let pulse = try #require(world.pulse)
    try world.must("engine", "start")
    try world.waitForStatus("the device") { $0.output.state == "running" }
    pulse.suspend()
    defer { pulse.resume() }
    try ring(world, pulse)
    let status = try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    #expect(status.ringing.first?.label == "Up")
    let start = ContinuousClock.now
    _ = try world.status()
    #expect(ContinuousClock.now - start < .milliseconds(1000))
  }

  /// Lets real time pass: what is shown is that nothing happens in it.
  private func letPass(seconds: UInt32) throws { usleep(seconds * 1_000_000) }
}

@Suite("Other devices for a ring that is not trusted to be heard", .serialized)
struct OtherDeviceTests {
  @Test(
    "The main sink leads nowhere: the ring sounds on the device for alarms besides, and only the ring does")
  func ringsOnBoth() throws {
    let world = try World(
      sound: .pulse, settings: "{ output: { alarmDevices: [\"default\", \"speaker\", \"nowhere\"] } }")
    let pulse = try #require(world.pulse)
    try world.folder.write(
      Array(
        "pcm.!default { type pulse }\nctl.!default { type pulse }\npcm.speaker { type pulse device \"sink\" }\n"
          .utf8),
      to: world.folder.file("home/.asoundrc"))
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    let music = try world.makeTone("music.wav", seconds: 60, hertz: 440)
    let ring = try world.makeTone("ring.wav", seconds: 5, hertz: 1760)
    let recorder = try Recorder(pulse)
    defer { recorder.stop() }
    try world.must("play", music)
    try world.must("add", "+4s", "--sound", ring, "--fade", "0s", "--volume", "100")
    let first = try recorder.waitForSound(within: .seconds(15))
    try wait(until: "a second of recording") { recorder.count > first + Recorder.rate * 3 / 2 }
    let samples = recorder.samples[(first + 12_000)..<(first + 60_000)]
    #expect(level(samples, hertz: 1760) > -30)
    #expect(level(samples, hertz: 440) < -70)
    let status = try world.waitForStatus("the notes") {
      $0.ringing.first?.notes.contains { $0.contains("it rings on “speaker” too") } == true
    }
    #expect(status.ringing.first?.notes.contains { $0.contains("leads nowhere") } == true)
    #expect(try pulse.sinkInputs().count == 2)
    try world.must("dismiss")
    _ = try recorder.waitForSilence(from: recorder.count, lasting: .milliseconds(500))
    try wait(until: "the other device to be closed") { try pulse.sinkInputs().count == 1 }
    #expect(try world.status().player.state == "playing")
    try world.must("stop")
  }

  @Test("Snoozed and rung again it sounds there again, and a muted speaker there is on for the ring")
  func again() throws {
    let world = try World(sound: .pulse, settings: "{ output: { alarmDevices: [\"speaker\"] } }")
    let pulse = try #require(world.pulse)
    try world.folder.write(
      Array(
        "pcm.!default { type pulse }\nctl.!default { type pulse }\npcm.speaker { type pulse device \"sink\" }\n"
          .utf8),
      to: world.folder.file("home/.asoundrc"))
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    try pulse.control("set-sink-mute", "sink", "1")
    let recorder = try Recorder(pulse)
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("add", "+3s", "--sound", tone, "--fade", "0s")
    let first = try recorder.waitForSound(within: .seconds(15))
    try world.must("snooze", "3s")
    let quiet = try recorder.waitForSilence(from: first, lasting: .seconds(1))
    try wait(until: "the sink to be muted again") { try pulse.sinkIsMuted() }
    _ = try recorder.waitForSound(from: quiet, within: .seconds(15))
    try world.must("dismiss")
    try wait(until: "the sink to be muted again") { try pulse.sinkIsMuted() }
    try wait(until: "both devices to be closed") { try pulse.sinkInputs().isEmpty }
  }
}
