import Glibc
import Harness
import Platform
import Testing
import Wire

/// A world with a session bus and a device that takes sound in real time, as `playerctl` finds it.
private struct Stage {
  let world: World
  let bus: PrivateBus

  init(_ bus: PrivateBus? = nil, alarm: String = "{}", more: String = "") throws {
    self.bus = try bus ?? PrivateBus()
    world = try World(settings: "{ output: { device: \"null\" }, alarm: \(alarm) \(more) }")
    world.setEnvironment("DBUS_SESSION_BUS_ADDRESS", self.bus.address)
  }

  /// Tracks of a minute with tags and hostile ones among them, added to the queue; their paths.
  func play(_ count: Int = 3) throws -> [String] {
    let paths = try (1...count).map { number in
      try SoundFiles.make(
        .flac16, in: world.folder, named: "track \(number) ü.flac", seconds: 60, rate: 8000, channels: 1,
        tags: [("title", "Song <\(number)>\u{202e}"), ("artist", "Ann"), ("album", "Öl & Salz")]
      ).shown
    }
    _ = try runOrThrow([world.program, "play"] + paths, environment: world.environment)
    try world.waitForStatus("the music") { $0.player.state == "playing" && $0.player.track?.title != "" }
    try waitForName()
    return paths
  }

  func waitForName() throws {
    try wait(until: "the name on the bus") { try bus.owner(of: "org.mpris.MediaPlayer2.reveille") != nil }
  }

  func tried(_ words: String...) throws -> Finished {
    try run(["playerctl", "-p", "reveille"] + words, environment: bus.environment)
  }

  @discardableResult
  func playerctl(_ words: String...) throws -> String {
    let said = try runOrThrow(["playerctl", "-p", "reveille"] + words, environment: bus.environment)
    return String(decoding: said, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
  }

  /// Calls a method as a desktop would, without looking at what is possible.
  @discardableResult
  func call(_ member: String, on interface: String = "Player", _ arguments: String...) throws -> Finished {
    let name = interface.isEmpty ? "org.mpris.MediaPlayer2" : "org.mpris.MediaPlayer2.\(interface)"
    return try run(
      [
        "dbus-send", "--bus=\(bus.address)", "--print-reply", "--dest=org.mpris.MediaPlayer2.reveille",
        "/org/mpris/MediaPlayer2", "\(name).\(member)",
      ] + arguments, environment: bus.environment)
  }
}

@Suite("Media keys, bars and phones")
struct MediaTests {
  @Test("playerctl is told what plays, of whom, how long and how far")
  func says() throws {
    let stage = try Stage()
    let paths = try stage.play()
    #expect(try stage.playerctl("status") == "Playing")
    #expect(
      try stage.playerctl(
        "metadata", "--format", "{{title}}|{{artist}}|{{album}}|{{xesam:albumArtist}}|{{mpris:length}}")
        == "Song <1>\u{fffd}|Ann|Öl & Salz|Ann|60000000")
    let url = try stage.playerctl("metadata", "xesam:url")
    #expect(url.hasPrefix("file:///") && url.hasSuffix("/track%201%20%C3%BC.flac"), "\(url)")
    let first = try stage.playerctl("metadata", "mpris:trackid")
    #expect(first.hasPrefix("'/io/reveille/track/"), "\(first)")
    #expect(try !stage.tried("metadata", "mpris:artUrl").succeeded)
    try stage.world.must("seek", "0:30")
    let place = try #require(Double(stage.playerctl("position")))
    #expect(place >= 30 && place < 45, "\(place)")
    #expect(try stage.playerctl("volume") == "1.000000")
    #expect(try stage.playerctl("shuffle") == "Off")
    #expect(try stage.playerctl("loop") == "None")

    // The same file once more is another entry.
    try stage.world.must("queue", "add", "--next", paths[0])
    try stage.world.must("track", "next")
    try wait(until: "the other entry") { try stage.playerctl("metadata", "mpris:trackid") != first }
    try stage.world.must("volume", "40")
    try stage.world.must("pause")
    try wait(until: "the pause and the volume") {
      try stage.playerctl("status") == "Paused" && stage.playerctl("volume") == "0.400000"
    }
    try stage.world.must("mute")
    try wait(until: "the mute") { try stage.playerctl("volume") == "0.000000" }
    try stage.world.must("stop")
    try wait(until: "the end") { try stage.playerctl("status") == "Stopped" }
    #expect(try !stage.call("Seek", "int64:5000000").text.contains("Error"))
    #expect(try stage.world.status().player.state == "stopped")
  }

  @Test("What playerctl asks for is done, as by the commands, and a pause stays one over next and previous")
  func does() throws {
    let stage = try Stage()
    let world = stage.world
    _ = try stage.play()
    try stage.playerctl("pause")
    #expect(try world.status().player.state == "paused")
    try stage.playerctl("next")
    #expect(try world.status().queue.index == 1)
    try stage.playerctl("next")
    #expect(try world.status().queue.index == 2)
    #expect(try world.status().player.state == "paused")
    try stage.call("Next")
    #expect(try world.status().queue.index == 2, "nothing follows, so nothing happens")
    #expect(try world.status().player.state == "paused")
    try stage.playerctl("previous")
    #expect(try world.status().queue.index == 1)
    #expect(try world.status().player.state == "paused")
    try stage.playerctl("position", "30")
    #expect(try world.status().player.position == 30)
    try stage.playerctl("position", "10+")
    #expect(try world.status().player.position == 40)
    try stage.playerctl("position", "15-")
    #expect(try world.status().player.position == 25)
    try stage.playerctl("previous")
    #expect(try world.status().queue.index == 1, "heard for more than three seconds, it begins anew")
    #expect(try world.status().player.position == 0)
    try stage.playerctl("position", "90+")
    #expect(try world.status().queue.index == 2, "beyond the end is the next")
    try stage.playerctl("play")
    #expect(try world.status().player.state == "playing")
    try stage.playerctl("play-pause")
    #expect(try world.status().player.state == "paused")
    try stage.playerctl("play-pause")
    #expect(try world.status().player.state == "playing")
    try stage.playerctl("volume", "0.25")
    #expect(try world.status().player.volume == 25)
    try stage.playerctl("volume", "7")
    #expect(try world.status().player.volume == 100)
    try stage.playerctl("shuffle", "On")
    #expect(try world.status().queue.shuffle)
    try stage.playerctl("shuffle", "Off")
    #expect(try !world.status().queue.shuffle)
    for (loop, mode) in [("Track", "one"), ("Playlist", "all"), ("None", "off")] {
      try stage.playerctl("loop", loop)
      #expect(try world.status().queue.repeat == mode)
    }
    try stage.playerctl("stop")
    #expect(try world.status().player.state == "stopped")
    try stage.playerctl("play")
    #expect(try world.status().player.state == "playing")
  }

  @Test("A file is opened by its URI, byte for byte, and what is none changes nothing")
  func opens() throws {
    let stage = try Stage()
    let world = stage.world
    _ = try stage.play(1)
    let odd = Array("\(world.folder.path)/ö %25#? ".utf8) + [0xff, 0x0a, 0x1b] + Array(".wav".utf8)
    let name = try #require(FileName(bytes: odd))
    let tone = try world.makeTone(seconds: 20, rate: 8000)
    #expect(name.withCPath { symlink(tone, $0) } == 0)
    try stage.playerctl("open", name.uri)
    try world.waitForStatus("the odd file") { $0.player.track?.path == name.text }
    #expect(try stage.playerctl("metadata", "xesam:url") == name.uri)
    #expect(try stage.playerctl("metadata", "title") == name.lastShown)
    #expect(!name.lastShown.unicodeScalars.contains { $0.value < 0x20 })

    let pipe = world.folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for hostile in [
      "http://127.0.0.1/a.ogg", "file://elsewhere/a.ogg", "a.ogg", "", "file:///%00", "file:///%zz",
      "file://\(pipe)", "file:///dev/zero", "file:///gone/\u{1b}]0;x\u{7}.ogg", "file:///proc/self/mem",
      "file:///\(String(repeating: "../", count: 400))etc/passwd", String(repeating: "/a", count: 5000),
    ] {
      try stage.call("OpenUri", "string:\(hostile)")
    }
    // Whatever was asked for meanwhile, the last counts.
    let plain = "file://" + tone
    for _ in 0..<20 { try stage.call("OpenUri", "string:file:///gone.ogg") }
    try stage.playerctl("open", plain)
    try world.waitForStatus("the last") { $0.player.track?.path == tone }
    #expect(try world.status().queue.length == 1)
    #expect(!world.log.contains("\u{1b}"))
  }

  /// A folder that takes long to look through, of links to one file.
  private func slowFolder(_ stage: Stage, _ tone: String) throws -> String {
    let folder = stage.world.folder.path + "/slow"
    try runOrThrow([
      "python3", "-c",
      "import os,sys\nos.mkdir(sys.argv[1])\nfor n in range(30000): os.symlink(sys.argv[2], f'{sys.argv[1]}/{n * 7919 % 30011} track.wav')",
      folder, tone,
    ])
    return folder
  }

  /// The engine has threads of that name.
  private func isLooking(_ engine: Int32, _ name: String) -> Bool {
    listFolder("/proc/\(engine)/task").contains { thread in
      (try? readFile("/proc/\(engine)/task/\(thread)/comm")).map { $0 == Array("\(name)\n".utf8) } ?? false
    }
  }

  @Test("What a person asks for counts before an older URI that is still being looked at, and that look ends")
  func overruled() throws {
    let stage = try Stage()
    let world = stage.world
    let paths = try stage.play(1)
    let folder = try slowFolder(stage, try world.makeTone(seconds: 20, rate: 8000))
    let engine = try world.enginePID()
    func openSlow() throws {
      try stage.call("OpenUri", "string:file://\(folder)")
      try wait(until: "the look at it", every: .milliseconds(1)) { isLooking(engine, "open-uri") }
    }
    try openSlow()
    try stage.call("OpenUri", "string:file://\(folder)")
    try world.must("stop")
    try wait(until: "the looks to end") { !isLooking(engine, "open-uri") }
    #expect(try world.status().player.state == "stopped")
    try openSlow()
    try world.must("play", paths[0])
    try wait(until: "the look to end") { !isLooking(engine, "open-uri") }
    #expect(try world.status().player.track?.path == paths[0])
    try openSlow()
    try stage.call("Stop")
    try wait(until: "the look to end") { !isLooking(engine, "open-uri") }
    #expect(try world.status().player.state == "stopped")
    // Who sends both means what was opened.
    try openSlow()
    try stage.call("Play")
    try world.waitForStatus("what was opened", within: .seconds(60)) {
      $0.player.state == "playing" && $0.queue.length == 30_000
    }
  }

  @Test("A command that plays a folder and is overruled while that is looked at says so, and plays nothing")
  func overruledCommand() throws {
    let stage = try Stage()
    let world = stage.world
    let paths = try stage.play(1)
    let folder = try slowFolder(stage, try world.makeTone(seconds: 20, rate: 8000))
    let engine = try world.enginePID()
    try world.must("stop")
    let said = try Descriptor.open(world.folder.path + "/said", O_WRONLY | O_CREAT)
    let player = try spawn(
      [world.program, "play", folder], environment: world.environment, descriptors: [(2, said.number)])
    try wait(until: "the look at it", every: .milliseconds(1)) { isLooking(engine, "play") }
    #expect(try world.must("stop") == "what was to be played is not played\n")
    var status: Int32 = 0
    #expect(waitpid(player, &status, 0) == player && ExitStatus(waitStatus: status) == .exited(1))
    let sentence = String(decoding: try readFile(world.folder.path + "/said"), as: UTF8.self)
    #expect(sentence.contains("asked for something else meanwhile"), "\(sentence)")
    #expect(try world.status().player.state == "stopped")
    try world.must("play", paths[0])
    #expect(try world.status().player.track?.path == paths[0])
  }

  @Test("Who follows is told of every change in its turn, and of jumps at once")
  func follows() throws {
    let stage = try Stage()
    let world = stage.world
    _ = try stage.play()
    let follower = try Conversation(
      ["playerctl", "-p", "reveille", "--follow", "metadata", "--format", "{{status}} {{title}} {{volume}}"],
      environment: stage.bus.environment)
    func expect(_ line: String) throws {
      #expect(try follower.line { $0 == line } != nil, "\(line)")
    }
    try expect("Playing Song <1>\u{fffd} 1.0")
    let signals = try stage.bus.monitor("path='/org/mpris/MediaPlayer2'")
    try world.must("pause")
    try expect("Paused Song <1>\u{fffd} 1.0")
    try world.must("track", "next")
    try expect("Paused Song <2>\u{fffd} 1.0")
    try world.must("volume", "50")
    try expect("Paused Song <2>\u{fffd} 0.5")
    try world.must("seek", "0:20")
    try signals.wait(for: "member=Seeked") { $0.contains("int64 20000000") }
    // Back to the beginning of the same track.
    try world.must("track", "previous")
    try signals.wait(for: "member=Seeked") { $0.contains("int64 0") }
    try world.must("toggle")
    try expect("Playing Song <2>\u{fffd} 0.5")
    try world.must("queue", "clear")
    try signals.wait(for: "member=PropertiesChanged") { $0.contains("CanPlay") && $0.contains("Stopped") }
    let changes = signals.messages("member=PropertiesChanged")
    #expect(!changes.contains { $0.contains("\"Position\"") })
    let volumes = changes.filter { $0.contains("\"Volume\"") }
    #expect(volumes.count == 1, "each property is told when it is another, and only then")
    #expect(volumes.allSatisfy { !$0.contains("Metadata") })
  }

  // MARK: While it rings

  private func ring(_ stage: Stage, _ options: String...) throws {
    _ = try runOrThrow(
      [stage.world.program, "add", "+1s", "--label", "Up"] + options, environment: stage.world.environment)
    try stage.world.waitForStatus("the ring") { $0.ringing.count == 1 }
    try stage.waitForName()
  }

  @Test("The play/pause key snoozes what rings; Pause, Stop and the other keys never touch it")
  func snoozes() throws {
    let stage = try Stage()
    let world = stage.world
    // Nothing to play: the key is wanted all the same.
    try ring(stage, "--snooze", "2s")
    for member in ["Pause", "Stop", "Play", "Next", "Previous"] { try stage.call(member) }
    #expect(try world.status().ringing.count == 1)
    try stage.playerctl("play-pause")
    let status = try world.status()
    #expect(status.ringing.isEmpty && status.snoozed.count == 1)
    #expect(status.player.state == "stopped")
    // Once nothing rings it is the player's again.
    #expect(try stage.call("PlayPause").complaint.contains("the queue is empty"))
    try world.waitForStatus("the ring again") { $0.ringing.count == 1 }
    try stage.playerctl("play-pause")
    #expect(try world.status().snoozed.count == 1)
    #expect(try world.must("log").contains("a media key"))
    try world.must("dismiss")
    #expect(try world.status().snoozed.isEmpty)
  }

  @Test("Music under a ring is left as it is by the key that snoozes the ring")
  func musicUnderRing() throws {
    let stage = try Stage()
    let world = stage.world
    _ = try stage.play(1)
    try ring(stage)
    try stage.playerctl("play-pause")
    #expect(try world.status().snoozed.count == 1)
    #expect(try world.status().player.state == "playing")
    try stage.playerctl("play-pause")
    #expect(try world.status().player.state == "paused")
    #expect(try world.status().snoozed.count == 1)
  }

  @Test("A snooze that is refused lets it ring on, and the music as it is")
  func refused() throws {
    let stage = try Stage()
    try ring(stage, "--snooze-limit", "0")
    #expect(try stage.call("PlayPause").complaint.contains("rings on until"))
    #expect(try stage.world.status().ringing.count == 1)
  }

  @Test("alarm.mediaKey: dismiss ends it, nothing leaves the key to the player")
  func settings() throws {
    let stage = try Stage(alarm: #"{ mediaKey: "dismiss" }"#)
    let world = stage.world
    try ring(stage)
    try stage.playerctl("play-pause")
    var status = try world.status()
    #expect(status.ringing.isEmpty && status.snoozed.isEmpty)

    try world.write(settings: #"{ output: { device: "null" }, alarm: { mediaKey: "nothing" } }"#)
    try wait(until: "the settings to be read") { world.log.contains("the settings have changed") }
    _ = try stage.play(1)
    try ring(stage)
    try stage.playerctl("play-pause")
    status = try world.status()
    #expect(status.ringing.count == 1)
    #expect(status.player.state == "paused")
  }

  // MARK: The bus

  @Test("The bus killed and started again: name and object are there again, and tell what is so by then")
  func busKilled() throws {
    let stage = try Stage()
    let world = stage.world
    _ = try stage.play()
    stage.bus.kill9()
    try world.must("track", "next")
    try world.must("pause")
    try stage.bus.start()
    try stage.waitForName()
    #expect(try stage.playerctl("status") == "Paused")
    #expect(try stage.playerctl("metadata", "title") == "Song <2>\u{fffd}")
    try stage.playerctl("play")
    #expect(try world.status().player.state == "playing")
    try world.must("engine", "stop")
    try wait(until: "the name to be free") {
      try stage.bus.owner(of: "org.mpris.MediaPlayer2.reveille") == nil
    }
  }

  @Test("Two engines on one bus are two players, each with a name of its own")
  func twoEngines() throws {
    let first = try Stage()
    _ = try first.play(1)
    let second = try Stage(first.bus)
    try second.world.must("engine", "start")
    let name = "org.mpris.MediaPlayer2.reveille.instance\(try second.world.enginePID())"
    try wait(until: "the second name") { try first.bus.owner(of: name) != nil }
    #expect(
      try first.bus.owner(of: name) != first.bus.owner(of: "org.mpris.MediaPlayer2.reveille"))
    #expect(try first.playerctl("status") == "Playing")
    let listed = try runOrThrow(["playerctl", "-l"], environment: first.bus.environment)
    let names = String(decoding: listed, as: UTF8.self).split(separator: "\n").map(String.init)
    // The system bus is the same one here.
    #expect(Set(names) == ["reveille", String(name.dropFirst("org.mpris.MediaPlayer2.".count))])
  }

  @Test(
    "Raise opens the screen in the terminal that is set; Quit ends the engine where no alarm counts on it")
  func root() throws {
    let stage = try Stage()
    let world = stage.world
    func property(_ name: String) throws -> Bool {
      try stage.bus.send(
        "--print-reply", "--dest=org.mpris.MediaPlayer2.reveille", "/org/mpris/MediaPlayer2",
        "org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2", "string:\(name)"
      ).contains("boolean true")
    }
    try world.must("add", "daily 07:00")
    try stage.waitForName()
    #expect(try !property("CanRaise") && !property("CanQuit"))
    let terminal = world.folder.path + "/terminal"
    try replaceFile(
      terminal,
      with: Array("#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.new\" && mv \"$0.new\" \"$0.said\"\n".utf8),
      mode: 0o700)
    try world.write(settings: #"{ ui: { terminal: ["\#(terminal)", "-e"] } }"#)
    try wait(until: "the terminal to be known") { try property("CanRaise") }
    try stage.call("Raise", on: "")
    try wait(until: "the terminal") { access(terminal + ".said", R_OK) == 0 }
    #expect(
      String(decoding: try readFile(terminal + ".said"), as: UTF8.self) == "-e\n\(world.program)\n")
    let engine = try world.enginePID()
    #expect(try stage.call("Quit", on: "").succeeded)
    #expect(try world.enginePID() == engine, "somebody relies on it")
    try world.must("off", "1")
    try wait(until: "the leave to quit") { try property("CanQuit") }
    #expect(try stage.call("Quit", on: "").succeeded)
    try wait(until: "the end of the engine") { !isAlive(engine) }
  }
}
