import Core
import Schedule
import Testing

@Suite("The player")
struct PlayerTests {
  let now = Moment(wall: Instant(seconds: 1_800_000_000), boot: 0, bootID: "a", zone: .utc)
  let tracks = ["/a", "/b", "/c"].map { path in
    var track = Track(path: path)
    track.duration = .seconds(100)
    return track
  }

  /// A line for each effect.
  func told(_ effects: [Player.Effect]) -> [String] {
    effects.compactMap {
      switch $0 {
      case .load(let track, let number, let at, let play):
        "load \(track.path) #\(number) at \(Int(at.inSeconds))\(play ? " play" : "")"
      case .start: "start"
      case .pause: "pause"
      case .stop: "stop"
      case .seek(let place): "seek \(Int(place.inSeconds))"
      case .duck(let on): "duck \(on)"
      case .complain(let sentence): sentence
      case .dusk(let span): span.map { "dusk \(Int($0.inSeconds))" } ?? "dusk off"
      case .setVolume, .save, .prepare: nil
      }
    }
  }

  @Test(
    "Each event does what a person expects",
    arguments: [
      ([Player.Event.load([])], "", "stopped"),
      ([], "load /a #1 at 0 play", "playing"),
      ([.pause], "pause", "paused"),
      ([.pause, .pause], "", "paused"),
      ([.pause, .toggle], "start", "playing"),
      ([.toggle], "pause", "paused"),
      ([.stop], "stop", "stopped"),
      ([.stop, .play], "load /a #2 at 0 play", "playing"),
      ([.play], "", "playing"),
      ([.next], "load /b #2 at 0 play", "playing"),
      ([.pause, .next], "load /b #2 at 0", "paused"),
      ([.next, .position(2, .seconds(2)), .previous], "load /a #3 at 0 play", "playing"),
      ([.next, .position(2, .seconds(4)), .previous], "load /b #3 at 0 play", "playing"),
      ([.previous], "load /a #2 at 0 play", "playing"),
      ([.next, .next, .next], "stop", "stopped"),
      ([.trackEnded(1)], "", "playing"),
      ([.trackEnded(1), .next], "load /c #3 at 0 play", "playing"),
      ([.trackEnded(1), .trackEnded(2), .trackEnded(3)], "stop", "stopped"),
      ([.next, .trackEnded(1)], "", "playing"),
      ([.next, .next, .trackEnded(3)], "stop", "stopped"),
      ([.position(1, .seconds(40)), .seek(.by(.seconds(-10)))], "seek 30", "playing"),
      ([.seek(.by(.seconds(-10)))], "seek 0", "playing"),
      ([.seek(.to(.seconds(500)))], "seek 100", "playing"),
      ([.seek(.percent(50))], "seek 50", "playing"),
      ([.interrupted], "", "interrupted true"),
      ([.interrupted, .restored], "start", "playing"),
      ([.interrupted, .pause], "pause", "interrupted false"),
      ([.interrupted, .pause, .restored], "", "paused"),
      ([.pause, .interrupted, .restored], "", "paused"),
      ([.pause, .interrupted, .play], "", "interrupted true"),
      ([.interrupted, .pause, .toggle, .restored], "start", "playing"),
      ([.stop, .interrupted, .restored], "", "stopped"),
      ([.ringBegan], "duck true", "playing"),
      ([.pause, .ringBegan, .ringEnded], "duck false", "paused"),
      ([.loadFailed(1, sentence: "“/a”: bad")], "“/a”: bad, load /b #2 at 0 play", "playing"),
      (
        [.loadFailed(1, sentence: "x"), .loadFailed(2, sentence: "y"), .loadFailed(3, sentence: "z")],
        "z, stop",
        "stopped"
      ),
      ([.loadFailed(0, sentence: "old")], "", "playing"),
    ])
  func table(events: [Player.Event], lastEffects: String, transport: String) throws {
    var player = Player()
    var last: [Player.Effect] = []
    if case .load([], chosen: nil)? = events.first {
      #expect(throws: Refusal.self) { try player.handle(.load([]), at: now) }
    } else {
      for event in [.load(tracks)] + events { last = try player.handle(event, at: now) }
    }
    #expect(told(last).joined(separator: ", ") == lastEffects)
    let state =
      switch player.transport {
      case .stopped: "stopped"
      case .playing: "playing"
      case .paused: "paused"
      case .interrupted(let resumes): "interrupted \(resumes)"
      }
    #expect(state == transport)
  }

  @Test(
    "What follows is told once, as the next load, and becomes the present track when the one before has ended"
  )
  func following() throws {
    var player = Player()
    func prepared(_ event: Player.Event) throws -> [String] {
      try player.handle(event, at: now).compactMap {
        guard case .prepare(let track, let number) = $0 else { return nil }
        return "\(track?.path ?? "nothing") #\(number)"
      }
    }
    #expect(try prepared(.load(tracks)) == ["/b #2"])
    #expect(try prepared(.pause) == [])
    #expect(try prepared(.toggle) == [])
    #expect(try prepared(.position(1, .seconds(99))) == [])
    #expect(try prepared(.trackEnded(1)) == ["/c #3"])
    #expect(player.track?.path == "/b")
    #expect(player.position == .zero)
    #expect(player.number == 2)
    #expect(player.state.index == 1)
    #expect(try prepared(.loaded(2)) == [])
    #expect(try prepared(.trackEnded(2)) == [])
    #expect(player.track?.path == "/c")
    #expect(try prepared(.previous) == ["/c #5"])
    #expect(try prepared(.stop) == [])
    #expect(try prepared(.play) == ["/c #6"])
    #expect(try prepared(.next) == [])
  }

  @Test("A following track that cannot be opened is left out when its turn comes, and not before")
  func followingFails() throws {
    for isEarly in [true, false] {
      var player = Player()
      _ = try player.handle(.load(tracks), at: now)
      if isEarly { #expect(told(try player.handle(.loadFailed(2, sentence: "x"), at: now)) == []) }
      #expect(player.track?.path == "/a")
      var last = try player.handle(.trackEnded(1), at: now)
      if !isEarly { last = try player.handle(.loadFailed(2, sentence: "x"), at: now) }
      #expect(told(last) == ["x", "load /c #3 at 0 play"])
    }
  }

  @Test("After a kill it is paused at its place, and play goes on from there")
  func restart() throws {
    var player = Player()
    var stored = PlayerState()
    for event in [Player.Event.load(tracks), .next, .setVolume(40), .position(2, .seconds(42))] {
      for case .save(let changes) in try player.handle(event, at: now) {
        for case .player(let state) in changes { stored = state }
      }
    }
    var again = Player(stored)
    #expect(again.transport == .paused)
    #expect(again.track?.path == "/b")
    #expect(again.volume == 40)
    #expect(told(try again.handle(.play, at: now)) == ["load /b #1 at 42 play"])
  }

  @Test("What did not change is not stored again")
  func savesOnlyChanges() throws {
    var player = Player()
    _ = try player.handle(.load(tracks), at: now)
    var saves = 0
    for second in 1...25 {
      for case .save in try player.handle(.position(1, .seconds(second)), at: now) { saves += 1 }
    }
    #expect(saves == 2, "once in ten seconds")
    _ = try player.handle(.pause, at: now)
    #expect(try player.handle(.pause, at: now) == [])
  }

  @Test("A queue in which nothing can be opened ends, and a good track in it is found")
  func failures() throws {
    var player = Player()
    _ = try player.handle(.load(tracks), at: now)
    _ = try player.handle(.loadFailed(1, sentence: "x"), at: now)
    _ = try player.handle(.loadFailed(2, sentence: "x"), at: now)
    _ = try player.handle(.loaded(3), at: now)
    #expect(player.track?.path == "/c")
    #expect(player.transport == .playing)
  }

  @Test("Volume and mute: what is heard, and what is kept")
  func volume() throws {
    var player = Player()
    #expect(try player.handle(.changeVolume(-30), at: now).contains(.setVolume(70)))
    #expect(try player.handle(.toggleMute, at: now).contains(.setVolume(0)))
    #expect(player.volume == 70)
    #expect(try player.handle(.toggleMute, at: now).contains(.setVolume(70)))
    #expect(try player.handle(.changeVolume(-300), at: now).contains(.setVolume(0)))
    #expect(throws: Refusal("the volume goes from 0 to 100, not 101", aboutWords: true)) {
      try player.handle(.setVolume(101), at: now)
    }
  }
}
