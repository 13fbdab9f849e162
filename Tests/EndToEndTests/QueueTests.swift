import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The queue and the sleep timer, from the command line to the engine")
struct QueueTests {
  private func titles(_ world: World) throws -> [String] {
    try decode([QueueEntry].self, from: try world.must("queue", "--json"))
      .map { String($0.path.split(separator: "/").last ?? "") }
  }

  @Test("Tracks are added, moved, removed and played by their numbers, and a killed engine keeps them")
  func queue() throws {
    let world = try World()
    let names = try (1...4).map { try world.makeTone("\($0).wav", seconds: 30, rate: 8000) }
    #expect(try world.must("queue", "add", names[0], names[1]).contains("2 tracks added"))
    #expect(try world.status().player.state == "stopped")
    try world.must("queue", "play", "1")
    try world.must("queue", "add", "--next", names[2])
    try world.must("queue", "add", names[3])
    #expect(try titles(world) == ["1.wav", "3.wav", "2.wav", "4.wav"])
    try world.must("queue", "move", "4", "1")
    try world.must("queue", "remove", "3")
    #expect(try titles(world) == ["4.wav", "1.wav", "2.wav"])
    #expect(try world.status().queue.index == 1)
    try world.must("queue", "repeat", "all")
    try world.must("queue", "shuffle", "on")
    try world.must("queue", "stop-after")
    let refused = try world.alarm("queue", "play", "9")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("there is no track 9 in the queue, which has 3"))
    try end(try world.enginePID())
    let status = try world.waitForStatus("the next engine") { $0.player.state == "paused" }
    #expect(status.queue.repeat == "all" && status.queue.shuffle && status.queue.stopAfter)
    #expect(status.queue.length == 3)
    #expect(try titles(world) == ["4.wav", "1.wav", "2.wav"])
    try world.must("queue", "clear")
    #expect(try world.alarm("queue").complaint.contains("the queue is empty"))
  }

  @Test("In an empty queue it is said that a file is to be named, in another one that the queue can be begun")
  func nothingLoaded() throws {
    let world = try World()
    let words = [["track", "next"], ["seek", "5%"], ["sleep", "5m"], ["queue", "stop-after"]]
    for words in words {
      let complaint = try world.alarm(words).complaint
      #expect(complaint.contains("“alarm play FILE” plays one"), "\(words): \(complaint)")
    }
    try world.must("queue", "add", try world.makeTone(seconds: 30, rate: 8000))
    for words in words {
      let complaint = try world.alarm(words).complaint
      #expect(complaint.contains("“alarm play” begins"), "\(words): \(complaint)")
    }
  }

  @Test("What is named and cannot be opened is refused with its reason, whatever plays in its place")
  func refusedTrack() throws {
    let world = try World()
    let good = try world.makeTone("good.wav", seconds: 30, rate: 8000)
    let (broken, gone) = (world.folder.path + "/broken.mp3", world.folder.path + "/gone.wav")
    try replaceFile(broken, with: Array(String(repeating: "no music ", count: 500).utf8))
    try replaceFile(gone, with: try readFile(good))
    try world.must("queue", "add", good, broken, good, gone)
    unlink(gone)
    let instead = try world.alarm("queue", "play", "2")
    #expect(instead.status == .exited(1) && instead.text.isEmpty)
    #expect(
      instead.complaint
        == "alarm: “\(broken)” is not audio of a known kind; name another file, or convert it, e.g. to FLAC or Ogg; "
        + "in its place: playing good.wav at 0:00\n")
    #expect(try world.status().queue.index == 2)
    let last = try world.alarm("queue", "play", "4")
    #expect(last.status == .exited(1))
    #expect(
      last.complaint == "alarm: “\(gone)” does not exist; check the name and the folder; nothing plays now\n")
    #expect(try world.status().player.state == "stopped")
    #expect(try world.must("queue", "play", "1") == "playing good.wav at 0:00\n")
    // What comes next is what can be played.
    let next = try world.alarm("track", "next")
    #expect(next.succeeded && next.text == "playing good.wav at 0:00\n")
    #expect(next.complaint.contains("broken.mp3") && next.complaint.split(separator: "\n").count == 2)
    let over = try world.alarm("track", "next")
    #expect(over.status == .exited(1) && over.complaint.contains("gone.wav"))
    try world.must("queue", "remove", "1", "3", "4")
    #expect(try world.alarm("play").complaint.contains("broken.mp3"))
    #expect(try world.alarm("toggle").status == .exited(1))
  }

  @Test(
    "A disk that hangs is waited for two seconds: then it is said that the track is still to be opened",
    .enabled(if: HeldFile.isPossible))
  func hangingDisk() throws {
    let world = try World()
    let (good, slow) = (
      try world.makeTone("good.wav", seconds: 30), try world.makeTone("slow.wav", seconds: 30)
    )
    try world.must("queue", "add", good, slow, good)
    let held = try HeldFile(slow)
    let began = ContinuousClock.now
    #expect(try world.must("queue", "play", "2") == "still opening slow.wav\n")
    let took = ContinuousClock.now - began
    #expect(took > .milliseconds(1900) && took < .seconds(5), "\(took)")
    // Who asks for something else meanwhile is not kept waiting, and whoever asked before is told.
    let (first, second) = (try Connection(world.socket), try Connection(world.socket))
    first.send(line: #"{"jsonrpc":"2.0","id":1,"method":"queue.play","params":{"place":2}}"#)
    try world.waitForStatus("the second track") { $0.queue.index == 1 && $0.player.position == 0 }
    second.send(line: #"{"jsonrpc":"2.0","id":1,"method":"queue.play","params":{"place":3}}"#)
    #expect(try #require(try second.readLine(within: .seconds(1))).contains("playing good.wav"))
    #expect(try #require(try first.readLine(within: .seconds(1))).contains("asked for something else"))
    // Both asked for what is played, so both are told that it is.
    let (third, fourth) = (try Connection(world.socket), try Connection(world.socket))
    third.send(line: #"{"jsonrpc":"2.0","id":1,"method":"queue.play","params":{"place":2}}"#)
    try world.waitForStatus("the second track again") { $0.queue.index == 1 && $0.player.position == 0 }
    fourth.send(line: #"{"jsonrpc":"2.0","id":1,"method":"queue.play","params":{"place":2}}"#)
    for asked in [third, fourth] {
      #expect(try #require(try asked.readLine(within: .seconds(5))).contains("still opening slow.wav"))
    }
    held.release()
    #expect(try world.must("queue", "play", "2") == "playing slow.wav at 0:00\n")
  }

  @Test(
    "However many ask for a file that hangs, another one is added within seconds",
    .enabled(if: HeldFile.isPossible))
  func hangingFiles() throws {
    let world = try World()
    let (good, slow) = (
      try world.makeTone("good.wav", seconds: 3), try world.makeTone("slow.wav", seconds: 3)
    )
    try world.must("status")
    let held = try HeldFile(slow)
    let asked = try (0..<6).map { _ in try Connection(world.socket) }
    for connection in asked {
      connection.send(
        line: #"{"jsonrpc":"2.0","id":1,"method":"add","params":{"when":"07:00","sound":"\#(slow)"}}"#)
    }
    usleep(300_000)
    let began = ContinuousClock.now
    try world.must("add", "08:00", "--sound", good)
    let took = ContinuousClock.now - began
    #expect(took < .seconds(10), "\(took)")
    held.release()
    for connection in asked { _ = try #require(try connection.readLine(within: .seconds(5))) }
    withExtendedLifetime(held) {}
  }

  @Test("Several who ask for the same track at once are all told that it plays")
  func together() throws {
    let world = try World()
    try world.must("queue", "add", try world.makeTone("a.wav", seconds: 30))
    for _ in 0..<3 {
      let asked = try (0..<8).map { _ in try Connection(world.socket) }
      for connection in asked {
        connection.send(line: #"{"jsonrpc":"2.0","id":1,"method":"queue.play","params":{"place":1}}"#)
      }
      for connection in asked {
        let line = try #require(try connection.readLine(within: .seconds(5)))
        #expect(line.contains("playing a.wav"), "\(line)")
      }
    }
  }

  @Test("The sleep timer says when, and stops the music then")
  func sleep() throws {
    let world = try World()
    try world.must("play", try world.makeTone(seconds: 60, rate: 8000))
    #expect(try world.alarm("sleep", "2s").succeeded)
    let status = try world.status()
    #expect(try microseconds(status.player.sleepAt) > wallMicroseconds() - 1_000_000)
    let told = wallMicroseconds()
    try world.waitForStatus("the end of the music") { $0.player.state == "stopped" }
    #expect(wallMicroseconds() - told > 500_000)
    #expect(try world.status().player.sleepAt == nil)
    #expect(try world.alarm("sleep", "30m").status == .exited(1))
  }

  /// Kills a process as a crash would.
  private func end(_ process: Int32) throws { try runOrThrow(["kill", "-9", "\(process)"]) }
}

@Suite("Choosing the device that plays")
struct OutputChoiceTests {
  @Test("Whoever chooses an output while music plays is told of that one, and not of the one before")
  func chosenOutput() throws {
    let world = try World(sound: .pulse)
    try world.must("play", try world.makeTone(seconds: 60))
    try world.waitForStatus("the music") { $0.output.state == "running" && $0.output.audible }
    let null = try world.alarm("output", "null")
    #expect(null.text == "null\n" && null.complaint == "alarm: the device “null” is heard by nobody\n")
    let back = try world.alarm("output", "auto")
    #expect(back.text == "default\n" && back.complaint.isEmpty, "\(back.complaint)")
    #expect(try world.status().output.audible)
    // At rest it is as well.
    try world.must("output", "null")
    try world.must("stop")
    try world.waitForStatus("the device to be closed") { $0.output.state == "closed" }
    #expect(try world.alarm("output", "auto").complaint.isEmpty)
  }

  @Test("A device is chosen by name, is kept after a kill, and auto goes back to the settings")
  func choice() throws {
    let world = try World(settings: #"{ output: { device: "null" } }"#)
    try world.folder.write(
      Array("pcm.kitchen { type null hint { show on description \"The \u{1b}kitchen\" } }\n".utf8),
      to: world.folder.file("home/.asoundrc"))
    let entries = try decode([OutputEntry].self, from: try world.must("output", "list", "--json"))
    #expect(entries.filter(\.chosen).map(\.name) == ["null"])
    #expect(entries.contains { $0.name == "kitchen" })
    #expect(try !world.must("output").contains("\u{1b}"))
    let refused = try world.alarm("output", "attic")
    #expect(refused.status == .exited(1))
    #expect(refused.complaint.contains("“attic” cannot be opened"))
    #expect(try world.must("output", "kitchen") == "kitchen\n")
    try world.must("play", try world.makeTone(seconds: 30, rate: 8000))
    try world.waitForStatus("the kitchen") { $0.output.device == "kitchen" && $0.output.state == "running" }
    try runOrThrow(["kill", "-9", "\(try world.enginePID())"])
    try world.waitForStatus("the next engine") { $0.output.device == "kitchen" }
    #expect(try world.must("output", "auto") == "null\n")
    try world.waitForStatus("the settings' device") { $0.output.device == "null" }
  }

  @Test(
    "A device that would write into a file is refused before ALSA opens it, in a command and in the settings")
  func writingDevice() throws {
    let world = try World()
    let file = world.folder.path + "/precious"
    try world.folder.write(Array("kept".utf8), to: world.folder.file("precious"))
    try world.folder.write(
      Array("pcm.own { type file slave.pcm null file \"\(world.folder.path)/own\" format raw }\n".utf8),
      to: world.folder.file("home/.asoundrc"))
    for name in [
      "file:\(file)", "tee:null,\(file)", "plug:'file:\(file)'", "{ type file slave.pcm null file \(file) }",
    ] {
      let refused = try world.alarm("output", name)
      #expect(refused.status == .exited(2))
      #expect(refused.complaint.contains("would write into a file; define it as pcm.NAME in ~/.asoundrc"))
    }
    try world.write(settings: "{ output: { device: \"file:\(file)\" } }")
    try world.must("play", try world.makeTone(seconds: 30, rate: 8000))
    let status = try world.waitForStatus("playing") {
      $0.player.state == "playing" && $0.output.state == "running"
    }
    #expect(status.output.device != "file:\(file)")
    #expect(try readFile(file) == Array("kept".utf8))
    // What a person has defined is theirs.
    #expect(try world.must("output", "own") == "own\n")
  }

  @Test("A sound server that hangs holds up no other command, however many ask for a device of it")
  func hangingServer() throws {
    let world = try World(sound: .pulse, settings: #"{ keepAlive: { when: "lease" } }"#)
    let tone = try world.makeTone()
    try world.must("add", "daily 07:00")
    let pulse = try #require(world.pulse)
    pulse.suspend()
    defer { pulse.resume() }
    let start = ContinuousClock.now
    let complaints = (0..<6).map { "\(world.folder.path)/asker-\($0)" }
    let askers = try complaints.enumerated().map { index, path in
      let file = try Descriptor.open(path, O_WRONLY | O_CREAT)
      return try spawn(
        [world.program, "output", index % 2 == 0 ? "pulse" : "default"], environment: world.environment,
        descriptors: [(2, file.number)])
    }
    // All are under way before the others come.
    try world.must("status")
    try world.must("add", "+1h", "--sound", tone)
    try world.must("queue", "add", tone)
    #expect(ContinuousClock.now - start < .seconds(15))
    for asker in askers {
      var status: Int32 = 0
      waitpid(asker, &status, 0)
      #expect(status == 1 << 8)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
    // Four hang still, so nothing more is asked: not even of a device that no server is behind.
    for (words, what) in [
      (["output", "null"], "the device “null” is not tried, and the output stays as it is"),
      (["output", "list"], "the devices are not listed"),
    ] {
      let began = ContinuousClock.now
      let refused = try world.alarm(words)
      #expect(ContinuousClock.now - began < .seconds(4))
      #expect(refused.status == .exited(1))
      #expect(
        refused.complaint
          == "alarm: \(what): 4 questions before it still wait for a sound server or device that does not answer; "
          + "restart the sound server, or see what “alarm doctor” finds\n")
    }
    // One that was asked says that it does not answer.
    let told = try complaints.map { String(decoding: try readFile($0), as: UTF8.self) }
    #expect(
      told.contains { $0.contains("does not answer, and the output stays as it is; try again, or see") })
  }
}
