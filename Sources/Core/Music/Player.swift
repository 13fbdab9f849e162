import Schedule

/// The queue and its transport: `stopped | playing | paused | interrupted(shouldResume)`.
///
/// A pure value. Loads are numbered, and what is heard of an older load is passed over, because a worker that opens a file
/// may answer after a person has gone on to the next.
public struct Player: Sendable {
  public enum Transport: Hashable, Sendable {
    case stopped, playing, paused
    /// The output was taken away. `shouldResume`: it was this and not the person that stopped it.
    case interrupted(shouldResume: Bool)
  }

  public enum Seek: Hashable, Sendable {
    case by(Duration)
    case to(Duration)
    /// 0–100 of the track's length.
    case percent(Double)
  }

  public enum Event: Sendable {
    /// Replaces the queue and plays.
    case load([Track], chosen: Int? = nil)
    /// Resumes, or begins the queue.
    case play
    case pause, toggle, stop
    case seek(Seek)
    case next, previous
    /// Plays the entry at that place of the queue.
    case playAt(Int)
    /// Adds to the queue: at its end, or behind the present track.
    case append([Track], next: Bool)
    case move(from: Int, to: Int)
    case remove([Int])
    /// Empties the queue.
    case clear
    case setRepeat(Repeat)
    case setShuffle(Bool)
    /// The player stops when the present track has ended.
    case setStopAfter(Bool)
    /// The music fades out and stops after that span; nil: it does not after all.
    case sleep(Duration?)
    /// The instant `nextWake` named has come.
    case tick
    /// Tags of a track were read.
    case described(Track)
    /// That load is ready.
    case loaded(Int)
    case loadFailed(Int, sentence: String)
    case trackEnded(Int)
    /// How far the track of that load has been heard. Send it about once a second while playing, and before a request.
    case position(Int, Duration)
    case interrupted, restored
    case ringBegan, ringEnded
    case setVolume(Int), changeVolume(Int)
    case toggleMute
    case settings(Settings)
  }

  public enum Effect: Hashable, Sendable {
    /// Open it and answer `loaded` or `loadFailed` with that number; begin at `at`, and play at once where `play`. What was
    /// loaded before is dropped.
    case load(Track, number: Int, at: Duration, play: Bool)
    /// What is to follow the loaded track without a gap, as the load of that number; nil: nothing. Once `trackEnded` was
    /// told it is the loaded track, without a `load`. A `load` or `stop` forgets it.
    case prepare(Track?, number: Int)
    case start, pause
    /// Drops what is loaded.
    case stop
    case seek(Duration)
    /// 0–100; 0 where it is muted.
    case setVolume(Int)
    /// A ring is over the music, or no longer.
    case duck(Bool)
    /// The music fades to silence over that span; nil: back to where it was.
    case dusk(Duration?)
    /// Whole sentences for the person.
    case complain(String)
    case save([Change])
  }

  public internal(set) var queue: PlayQueue
  /// The player stops when the present track has ended.
  public internal(set) var stopsAfter = false
  /// When the music stops by itself.
  public internal(set) var sleep: Deadline?
  /// How long the music fades out before that.
  var duskSpan = Duration.zero
  /// The music fades out for that, or has.
  var isDusk = false
  public internal(set) var transport = Transport.stopped
  /// How far the present track has been heard.
  public internal(set) var position: Duration = .zero
  public private(set) var isMuted = false
  /// The number of the last load.
  public internal(set) var number = 0
  /// The output holds the present track, or is about to.
  public internal(set) var isLoaded = false
  private var chosenVolume: Int?
  private var settings: Settings
  /// How many loads failed one after another.
  var failures = 0
  var isOutputAway = false
  private var saved = PlayerState()
  /// What follows the loaded track, as the output was told, and why it cannot, where that is known already.
  var prepared: Prepared?

  struct Prepared {
    /// The queue's key of it.
    var key: Int
    var number: Int
    var failure: String?
  }

  /// A player as it was stored: paused at its place, or stopped where it had none.
  ///
  /// - Parameter seed: what the order of a shuffled queue follows from.
  public init(_ state: PlayerState = PlayerState(), settings: Settings = Settings(), seed: UInt64 = 0) {
    self.settings = settings
    queue = PlayQueue(state.queue, order: state.order, seed: seed)
    queue.repeats = state.repeats
    stopsAfter = state.stopsAfter
    isMuted = state.isMuted
    chosenVolume = state.volume
    if let index = state.index, queue.tracks.indices.contains(index) {
      queue.index = index
      position = max(.zero, state.position)
      transport = .paused
    }
    saved = self.state
  }

  /// What was chosen, 0–100, muted or not.
  public var volume: Int { chosenVolume ?? settings.player.volume }
  public var track: Track? { queue.track }
  /// A track is there, playing or paused: what keeps the device awake.
  public var hasTrack: Bool { transport != .stopped && queue.index != nil }

  public var state: PlayerState {
    var state = PlayerState()
    (state.queue, state.order, state.repeats) = (queue.tracks, queue.order, queue.repeats)
    (state.index, state.position) = (transport == .stopped ? nil : queue.index, position)
    state.stopsAfter = stopsAfter
    (state.volume, state.isMuted) = (chosenVolume, isMuted)
    return state
  }

  /// Tells the player what happened or what a person asks; performs nothing itself.
  ///
  /// - Throws: a `Refusal` where the request cannot be done.
  public mutating func handle(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    let effects = try perform(event, at: now)
    return effects + prepare()
  }

  private mutating func perform(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .load(let tracks, let chosen):
      guard !tracks.isEmpty else {
        throw Refusal("there is nothing to play; give a file, a folder or a playlist")
      }
      queue.replace(by: tracks)
      if let chosen, queue.isShuffled { queue.begin(at: chosen) }
      failures = 0
      effects = go(to: queue.first ?? 0, playing: true)
    case .play: effects = try play()
    case .pause: effects = pause()
    case .toggle:
      switch transport {
      case .playing, .interrupted(shouldResume: true): effects = pause()
      case .stopped, .paused, .interrupted(shouldResume: false): effects = try play()
      }
    case .stop: effects = stop()
    case .seek(let seek): effects = try self.seek(seek)
    case .next: effects = try next()
    case .previous: effects = try previous()
    case .playAt(let place): effects = try play(at: place)
    case .append(let tracks, let isNext): effects = try append(tracks, next: isNext)
    case .move(let from, let place): try move(from: from, to: place)
    case .remove(let places): effects = try remove(places)
    case .clear:
      queue.clear()
      effects = stop()
    case .setRepeat(let repeats): queue.repeats = repeats
    case .setShuffle(let isOn):
      if isOn { queue.shuffle() } else { queue.unshuffle() }
    case .setStopAfter(let isOn): try setStopAfter(isOn)
    case .sleep(let span): effects = try sleep(for: span, at: now)
    case .tick: effects = fallAsleep(at: now)
    case .described(let track): queue.describe(track)
    case .loaded(let number):
      if number == self.number { failures = 0 }
      return []
    case .loadFailed(let number, let sentence):
      if prepared?.number == number { prepared?.failure = sentence }
      guard number == self.number, isLoaded else { return [] }
      effects = passOver(sentence)
    case .trackEnded(let number):
      guard number == self.number, isLoaded else { return [] }
      effects = trackEnded()
    case .position(let number, let heard):
      guard number == self.number, isLoaded else { return [] }
      position = max(.zero, heard)
      // Written down now and then only: each time is a wait for the disk.
      let drift = position - saved.position
      guard drift > .seconds(10) || drift < .zero else { return [] }
    case .interrupted:
      isOutputAway = true
      if transport == .playing { transport = .interrupted(shouldResume: true) }
      return []
    case .restored:
      isOutputAway = false
      guard case .interrupted(let shouldResume) = transport else { return [] }
      transport = shouldResume ? .playing : .paused
      if shouldResume { effects = [.start] }
    case .ringBegan: return [.duck(true)]
    case .ringEnded: return [.duck(false)]
    case .setVolume(let level): effects = try setVolume(level)
    case .changeVolume(let step): effects = try setVolume(min(100, max(0, volume + step)))
    case .toggleMute:
      isMuted.toggle()
      effects = [.setVolume(heardVolume)]
    case .settings(let settings):
      let before = heardVolume
      self.settings = settings
      return heardVolume == before ? [] : [.setVolume(heardVolume)]
    }
    return effects + save()
  }

  var heardVolume: Int { isMuted ? 0 : volume }

  private mutating func setVolume(_ level: Int) throws(Refusal) -> [Effect] {
    guard (0...100).contains(level) else {
      throw Refusal("the volume goes from 0 to 100, not \(level)", aboutWords: true)
    }
    (chosenVolume, isMuted) = (level, false)
    return [.setVolume(level)]
  }

  /// What is to be stored, where anything is another.
  private mutating func save() -> [Effect] {
    let state = state
    guard state != saved else { return [] }
    saved = state
    return [.save([.player(state)])]
  }
}
