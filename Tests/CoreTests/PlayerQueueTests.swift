import Core
import Schedule
import Testing

@Suite("The player and its queue")
struct PlayerQueueTests {
  private func moment(_ seconds: Int64 = 0) -> Moment {
    Moment(
      wall: Instant(seconds: 1_800_000_000 + seconds), boot: seconds * 1_000_000, bootID: "a", zone: .utc)
  }
  private let tracks = ["/a", "/b", "/c"].map { Track(path: $0) }

  /// A line for each effect that is about what sounds.
  private func told(_ effects: [Player.Effect]) -> [String] {
    effects.compactMap {
      switch $0 {
      case .load(let track, let number, _, let play): "load \(track.path) #\(number)\(play ? " play" : "")"
      case .prepare(let track, let number): "prepare \(track?.path ?? "nothing") #\(number)"
      case .start: "start"
      case .pause: "pause"
      case .stop: "stop"
      case .dusk(let span): span.map { "dusk \(Int($0.inSeconds))" } ?? "dusk off"
      case .complain(let sentence): sentence
      case .seek, .setVolume, .duck, .save: nil
      }
    }
  }

  @Test(
    "Each change of the queue does what a person expects, while the first of three plays",
    arguments: [
      ([Player.Event.playAt(2)], "load /c #2 play", "playing /c"),
      ([.pause, .playAt(2)], "load /c #2 play", "playing /c"),
      ([.append([Track(path: "/x")], next: true)], "prepare /x #2", "playing /a"),
      ([.append([Track(path: "/x")], next: false)], "", "playing /a"),
      ([.move(from: 2, to: 1)], "prepare /c #2", "playing /a"),
      ([.move(from: 0, to: 2)], "prepare nothing #2", "playing /a"),
      ([.remove([1])], "prepare /c #2", "playing /a"),
      ([.remove([0])], "load /b #2 play, prepare /c #3", "playing /b"),
      ([.pause, .remove([0])], "load /b #2, prepare /c #3", "paused /b"),
      ([.remove([0, 1, 2])], "stop", "stopped"),
      ([.clear], "stop", "stopped"),
      ([.stop, .clear], "", "stopped"),
      ([.setRepeat(.one)], "prepare /a #2", "playing /a"),
      ([.setRepeat(.one), .trackEnded(1)], "prepare /a #3", "playing /a"),
      ([.setRepeat(.one), .next], "load /b #2 play, prepare /b #3", "playing /b"),
      ([.setRepeat(.all), .playAt(2), .trackEnded(2)], "prepare /b #4", "playing /a"),
      ([.setRepeat(.all), .previous], "load /c #2 play, prepare /a #3", "playing /c"),
      ([.setStopAfter(true)], "prepare nothing #2", "playing /a"),
      ([.setStopAfter(true), .trackEnded(1)], "stop", "stopped"),
      ([.setStopAfter(true), .trackEnded(1), .play], "load /b #2 play, prepare /c #3", "playing /b"),
      ([.setStopAfter(true), .setStopAfter(false)], "prepare /b #2", "playing /a"),
      ([.playAt(2), .trackEnded(2), .play], "load /a #3 play, prepare /b #4", "playing /a"),
    ])
  func table(events: [Player.Event], lastEffects: String, state: String) throws {
    var player = Player()
    var last: [Player.Effect] = []
    for event in [.load(tracks)] + events { last = try player.handle(event, at: moment()) }
    #expect(told(last).joined(separator: ", ") == lastEffects)
    let shown =
      switch player.transport {
      case .playing: "playing \(player.track?.path ?? "")"
      case .paused: "paused \(player.track?.path ?? "")"
      case .stopped: "stopped"
      case .interrupted: "interrupted"
      }
    #expect(shown == state)
  }

  @Test(
    "What names no track is refused, and nothing changes",
    arguments: [
      Player.Event.playAt(3), .move(from: 0, to: 3), .move(from: 9, to: 0), .remove([0, 5]),
      .append([], next: true),
    ])
  func refused(event: Player.Event) throws {
    var player = Player()
    _ = try player.handle(.load(tracks), at: moment())
    let before = player.state
    #expect(throws: Refusal.self) { try player.handle(event, at: moment()) }
    #expect(player.state == before)
  }

  @Test("In a random order the track that was chosen comes first, and all others behind it once")
  func chosenFirst() throws {
    for seed in 0..<20 {
      var player = Player(seed: UInt64(seed))
      _ = try player.handle(.load([Track(path: "/x")]), at: moment())
      _ = try player.handle(.setShuffle(true), at: moment())
      _ = try player.handle(.load((0..<9).map { Track(path: "/\($0)") }, chosen: 0), at: moment())
      #expect(player.track?.path == "/0")
      var heard: Set<String> = ["/0"]
      for _ in 0..<8 {
        _ = try player.handle(.next, at: moment())
        heard.insert(player.track?.path ?? "")
      }
      #expect(heard.count == 9)
    }
  }

  @Test("Shuffled, the queue goes on after a restart as it would have, and repeat and stop-after are kept")
  func restart() throws {
    var player = Player(seed: 5)
    for event in [
      Player.Event.load((0..<9).map { Track(path: "/\($0)") }), .setShuffle(true), .next, .setRepeat(.all),
      .setStopAfter(true),
    ] {
      _ = try player.handle(event, at: moment())
    }
    var again = Player(player.state, seed: 6)
    #expect(again.queue.order == player.queue.order)
    #expect(again.track == player.track)
    #expect(again.queue.repeats == .all)
    #expect(again.stopsAfter)
    _ = try again.handle(.next, at: moment())
    _ = try player.handle(.next, at: moment())
    #expect(again.track == player.track)
  }

  @Test("The sleep timer fades for the last half minute, stops, and the next track is at its own volume")
  func sleep() throws {
    var player = Player()
    _ = try player.handle(.load(tracks), at: moment())
    _ = try player.handle(.sleep(.seconds(600)), at: moment())
    #expect(player.nextWake(at: moment()) == 570_000_000)
    #expect(told(try player.handle(.tick, at: moment(300))) == [])
    #expect(told(try player.handle(.tick, at: moment(570))) == ["dusk 30"])
    #expect(player.nextWake(at: moment(570)) == 600_000_000)
    // What comes next meanwhile is as quiet.
    #expect(told(try player.handle(.next, at: moment(580))) == ["load /b #2 play", "prepare /c #3"])
    #expect(told(try player.handle(.tick, at: moment(600))) == ["stop"])
    #expect(player.transport == .stopped)
    #expect(player.nextWake(at: moment(600)) == nil)
    #expect(told(try player.handle(.play, at: moment(700))).first == "dusk off")
  }

  @Test(
    "A sleep timer is taken back, ends with the music, and lets be what is paused",
    arguments: [
      ([Player.Event.sleep(nil)], "dusk off", true), ([.stop], "stop", false),
      ([.pause, .tick], "", false), ([.sleep(.seconds(1000))], "dusk off", true),
    ])
  func sleepEnds(events: [Player.Event], effects: String, plays: Bool) throws {
    var player = Player()
    _ = try player.handle(.load(tracks), at: moment())
    _ = try player.handle(.sleep(.seconds(60)), at: moment())
    _ = try player.handle(.tick, at: moment(40))
    var last: [Player.Effect] = []
    for event in events { last = try player.handle(event, at: moment(45)) }
    #expect(told(last).joined(separator: ", ") == effects)
    #expect((player.transport == .playing) == plays)
    if case .tick? = events.last {
      #expect(told(try player.handle(.tick, at: moment(60))) == ["dusk off"])
      #expect(player.transport == .paused)
    }
  }

  @Test("A sleep timer needs music that plays")
  func sleepRefused() {
    var player = Player()
    #expect(throws: Refusal.self) { try player.handle(.sleep(.seconds(60)), at: moment()) }
  }
}
