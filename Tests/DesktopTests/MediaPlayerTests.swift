import Desktop
import Glibc
import Harness
import Platform
import Testing

@Suite("The player on the desktop, as playerctl knows it", .serialized)
struct MediaPlayerTests {
  private final class Stage {
    let bus: PrivateBus
    let loop: EventLoop
    let connection: Bus
    var player: MediaPlayer?
    var commands: [MediaCommand] = []
    var position: Int64 = 0
    var refusal: BusError?
    var state = MediaState() { didSet { player?.update(state) } }

    init() throws {
      bus = try PrivateBus()
      loop = try EventLoop()
      connection = try Bus(loop, .session, environment: bus.environment)
      player = MediaPlayer(connection) { [unowned self] in
        position
      } command: { [unowned self] (command: MediaCommand) throws(BusError) in
        if let refusal { throw refusal }
        commands.append(command)
      }
      try DesktopTests.run(loop, until: "the name") { self.player?.busName != nil }
      state.status = .playing
      state.track = .init(
        entry: 3, url: "file:///music/a%20b.ogg", title: "Öl <1>\u{1b}", artist: "Ann", album: "Alb",
        length: 200_000_000)
      (state.volume, state.canSeek, state.canGoNext, state.canGoPrevious) = (0.5, true, true, true)
      // Observers do not run in an initialiser.
      player?.update(state)
    }
    deinit { connection.close() }

    @discardableResult
    func playerctl(_ words: String...) throws -> String {
      let said = try DesktopTests.run(loop, beside: ["playerctl", "-p", "reveille"] + words, bus.environment)
      return said.split(separator: "\n").joined(separator: "\n")
    }
  }

  @Test("It says what plays, and where")
  func says() throws {
    let stage = try Stage()
    stage.position = 61_000_000
    #expect(try stage.playerctl("status") == "Playing")
    #expect(
      try stage.playerctl(
        "metadata", "--format", "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{xesam:url}}")
        == "Öl <1>\u{fffd}|Ann|Alb|200000000|file:///music/a%20b.ogg")
    #expect(try stage.playerctl("metadata", "mpris:trackid") == "'/io/reveille/track/3'")
    // It counts on by itself while the status is Playing.
    #expect(try stage.playerctl("position").hasPrefix("61."))
    #expect(try stage.playerctl("volume") == "0.500000")
    #expect(try stage.playerctl("shuffle") == "Off")
    #expect(try stage.playerctl("loop") == "None")
    stage.state.track = nil
    stage.state.status = .stopped
    #expect(try stage.playerctl("status") == "Stopped")
  }

  @Test(
    "What is asked of it arrives",
    arguments: [
      (["play"], [.play]), (["pause"], [.pause]), (["play-pause"], [.playPause]), (["stop"], [.stop]),
      (["next"], [.next]), (["previous"], [.previous]), (["position", "30"], [.setPosition(30_000_000)]),
      (["position", "10+"], [.seek(by: 10_000_000)]), (["position", "10-"], [.seek(by: -10_000_000)]),
      (["position", "900+"], [.next]), (["volume", "0.25"], [.setVolume(0.25)]),
      (["volume", "7"], [.setVolume(1)]),
      (["shuffle", "On"], [.setShuffle(true)]), (["loop", "Track"], [.setLoop(.track)]),
      (["loop", "Playlist"], [.setLoop(.playlist)]),
      (
        ["open", "file:///m/%C3%B6%20%ff.ogg"],
        [.open(path: Array("/m/ö ".utf8) + [0xff] + Array(".ogg".utf8))]
      ),
      (["position", "500"], []), (["open", "http://x/y"], []), (["open", "file://other/y"], []),
    ] as [([String], [MediaCommand])])
  func arrives(_ words: [String], _ commands: [MediaCommand]) throws {
    let stage = try Stage()
    _ = try run(stage.loop, beside: ["playerctl", "-p", "reveille"] + words, stage.bus.environment)
    try run(stage.loop, for: .milliseconds(20))
    #expect(stage.commands == commands)
  }

  @Test("Who follows is told what changes, and jumps, but never the mere passing of time")
  func follows() throws {
    let stage = try Stage()
    let monitor = try stage.bus.monitor("path='/org/mpris/MediaPlayer2'")
    let folder = try TemporaryFolder()
    let output = try Descriptor.open("\(folder.path)/out", O_WRONLY | O_CREAT)
    let follower = try spawn(
      ["playerctl", "-p", "reveille", "--follow", "metadata", "--format", "{{status}} {{title}}"],
      environment: stage.bus.environment, descriptors: [(1, output.number), (2, output.number)])
    defer { endProcess(follower, SIGTERM) }
    func lines() throws -> [String] {
      String(decoding: try readFile("\(folder.path)/out"), as: UTF8.self).split(separator: "\n").map(
        String.init)
    }
    try run(stage.loop, until: "the first line") { try lines().last == "Playing Öl <1>\u{fffd}" }
    stage.state.status = .paused
    try run(stage.loop, until: "the pause") { try lines().last == "Paused Öl <1>\u{fffd}" }
    stage.state.track?.title = "Next"
    stage.state.track?.entry = 4
    try run(stage.loop, until: "the next title") { try lines().last == "Paused Next" }
    stage.position = 5
    stage.player?.jumped(to: 42)
    try run(stage.loop, for: .milliseconds(50))
    try monitor.wait(for: "member=Seeked") { $0.contains("int64 42") }
    #expect(!monitor.text.contains("\"Position\""))
  }

  @Test("A refusal is told to whoever asked")
  func refused() throws {
    let stage = try Stage()
    stage.refusal = BusError("org.freedesktop.DBus.Error.Failed", "there is nothing to play")
    let said = try run(
      stage.loop,
      beside: [
        "busctl", "--address=\(stage.bus.address)", "call", "org.mpris.MediaPlayer2.reveille",
        "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", "Play",
      ], stage.bus.environment)
    #expect(said.contains("there is nothing to play"), "\(said)")
  }

  @Test("What cannot be done does nothing, and whoever listens is told when it can be")
  func possible() throws {
    let stage = try Stage()
    let monitor = try stage.bus.monitor("path='/org/mpris/MediaPlayer2'")
    func ask(_ interface: String, _ member: String) throws {
      _ = try run(
        stage.loop,
        beside: [
          "busctl", "--address=\(stage.bus.address)", "call", "org.mpris.MediaPlayer2.reveille",
          "/org/mpris/MediaPlayer2", interface, member,
        ], stage.bus.environment)
    }
    (stage.state.canGoNext, stage.state.canGoPrevious) = (false, false)
    for member in ["Next", "Previous"] { try ask("org.mpris.MediaPlayer2.Player", member) }
    for member in ["Raise", "Quit"] { try ask("org.mpris.MediaPlayer2", member) }
    #expect(stage.commands.isEmpty)
    (stage.state.canRaise, stage.state.canQuit) = (true, true)
    for member in ["Raise", "Quit"] { try ask("org.mpris.MediaPlayer2", member) }
    #expect(stage.commands == [.raise, .quit])
    try monitor.wait(for: "member=PropertiesChanged") { $0.contains("CanRaise") && !$0.contains("Volume") }
    try monitor.wait(for: "member=PropertiesChanged") { $0.contains("CanQuit") }
  }

  @Test("A second player is an instance of its own, and the first one's name is free after its end")
  func instances() throws {
    let stage = try Stage()
    let other = try Bus(stage.loop, .session, environment: stage.bus.environment)
    let player = MediaPlayer(other) {
      0
    } command: { (_: MediaCommand) throws(BusError) in
    }
    try run(stage.loop, until: "its name") { player.busName != nil }
    #expect(player.busName == "org.mpris.MediaPlayer2.reveille.instance\(getpid())")
    #expect(try stage.playerctl("--list-all").contains("reveille"))
    other.close()
    stage.bus.kill9()
    try run(stage.loop, until: "the loss") { !stage.connection.isConnected }
    try stage.bus.start()
    try run(stage.loop, until: "the name") { stage.player?.busName == "org.mpris.MediaPlayer2.reveille" }
    #expect(try stage.playerctl("status") == "Playing")
  }

  @Test(
    "A path becomes a URL and comes back byte for byte",
    arguments: [Array("/a b/ü%?#.ogg".utf8), [0x2f, 0xff, 0x01, 0x7f]])
  func urls(_ path: [UInt8]) {
    let url = FileName(bytes: path)?.uri ?? ""
    #expect(FileURL.path(url) == path)
    #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
  }
}
