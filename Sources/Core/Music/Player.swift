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
    case load([Track])
    /// Resumes, or begins the queue.
    case play
    case pause, toggle, stop
    case seek(Seek)
    case next, previous
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
    /// Whole sentences for the person.
    case complain(String)
    case save([Change])
  }

  public private(set) var queue: [Track] = []
  /// Which track of the queue is the present one.
  public private(set) var index: Int?
  public private(set) var transport = Transport.stopped
  /// How far the present track has been heard.
  public private(set) var position: Duration = .zero
  public private(set) var isMuted = false
  /// The number of the last load.
  public private(set) var number = 0
  /// The output holds the present track, or is about to.
  public private(set) var isLoaded = false
  private var chosenVolume: Int?
  private var settings: Settings
  /// How many loads failed one after another.
  private var failures = 0
  private var isOutputAway = false
  private var saved = PlayerState()
  /// What follows the loaded track, as the output was told, and why it cannot, where that is known already.
  private var prepared: Prepared?

  private struct Prepared {
    var path: String
    var number: Int
    var failure: String?
  }

  /// A player as it was stored: paused at its place, or stopped where it had none.
  public init(_ state: PlayerState = PlayerState(), settings: Settings = Settings()) {
    self.settings = settings
    queue = state.queue
    isMuted = state.isMuted
    chosenVolume = state.volume
    if let index = state.index, queue.indices.contains(index) {
      self.index = index
      position = max(.zero, state.position)
      transport = .paused
    }
    saved = self.state
  }

  /// What was chosen, 0–100, muted or not.
  public var volume: Int { chosenVolume ?? settings.player.volume }
  public var track: Track? { index.map { queue[$0] } }
  /// A track is there, playing or paused: what keeps the device awake.
  public var hasTrack: Bool { transport != .stopped && index != nil }

  public var state: PlayerState {
    var state = PlayerState()
    (state.queue, state.index, state.position) = (queue, transport == .stopped ? nil : index, position)
    (state.volume, state.isMuted) = (chosenVolume, isMuted)
    return state
  }

  /// Tells the player what happened or what a person asks; performs nothing itself.
  ///
  /// - Throws: a `Refusal` where the request cannot be done.
  public mutating func handle(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    let effects = try perform(event)
    return effects + prepare()
  }

  private mutating func perform(_ event: Event) throws(Refusal) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .load(let tracks):
      guard !tracks.isEmpty else {
        throw Refusal("there is nothing to play; give a file, a folder or a playlist")
      }
      queue = tracks
      failures = 0
      effects = go(to: 0, playing: true)
    case .play: effects = try play()
    case .pause: effects = pause()
    case .toggle:
      switch transport {
      case .playing, .interrupted(shouldResume: true): effects = pause()
      case .stopped, .paused, .interrupted(shouldResume: false): effects = try play()
      }
    case .stop: effects = stop()
    case .seek(let seek): effects = try self.seek(seek)
    case .next: effects = try skip(by: 1)
    case .previous: effects = try skip(by: position < .seconds(3) ? -1 : 0)
    case .described(let track):
      for place in queue.indices where queue[place].path == track.path { queue[place] = track }
    case .loaded(let number):
      if number == self.number { failures = 0 }
      return []
    case .loadFailed(let number, let sentence):
      if prepared?.number == number { prepared?.failure = sentence }
      guard number == self.number, isLoaded else { return [] }
      effects = passOver(sentence)
    case .trackEnded(let number):
      guard number == self.number, isLoaded, let index else { return [] }
      if let prepared {
        effects = follow(prepared)
      } else {
        effects = queue.indices.contains(index + 1) ? go(to: index + 1, playing: wantsToPlay) : stop()
      }
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

  // MARK: Transport

  private var wantsToPlay: Bool {
    switch transport {
    case .playing, .interrupted(shouldResume: true): true
    case .stopped, .paused, .interrupted(shouldResume: false): false
    }
  }

  private var heardVolume: Int { isMuted ? 0 : volume }

  private mutating func setTransport(playing: Bool) {
    transport = isOutputAway ? .interrupted(shouldResume: playing) : playing ? .playing : .paused
  }

  private mutating func go(to place: Int, playing: Bool, at start: Duration = .zero) -> [Effect] {
    number += 1
    (index, position, isLoaded) = (place, start, true)
    setTransport(playing: playing)
    return [.setVolume(heardVolume), .load(queue[place], number: number, at: start, play: playing)]
  }

  /// The output has gone on by itself.
  private mutating func follow(_ next: Prepared) -> [Effect] {
    (number, position, prepared) = (next.number, .zero, nil)
    index = index.map { $0 + 1 }
    return next.failure.map { passOver($0) } ?? []
  }

  /// Says what is to follow, where that is not known yet.
  private mutating func prepare() -> [Effect] {
    let place = isLoaded && transport != .stopped ? index.map { $0 + 1 } : nil
    guard let place, queue.indices.contains(place) else {
      defer { prepared = nil }
      // A load or stop has forgotten the one before by itself.
      return prepared?.number == number + 1 && isLoaded ? [.prepare(nil, number: number + 1)] : []
    }
    let next = queue[place]
    if let prepared, prepared.number == number + 1, prepared.path == next.path { return [] }
    prepared = Prepared(path: next.path, number: number + 1)
    return [.prepare(next, number: number + 1)]
  }

  private mutating func play() throws(Refusal) -> [Effect] {
    guard !queue.isEmpty else {
      throw Refusal("the queue is empty; say what to play with “alarm play FILE”")
    }
    if wantsToPlay { return [] }
    failures = 0
    guard isLoaded, transport != .stopped else {
      return go(to: index ?? 0, playing: true, at: transport == .stopped ? .zero : position)
    }
    setTransport(playing: true)
    return transport == .playing ? [.start] : []
  }

  private mutating func pause() -> [Effect] {
    guard wantsToPlay else { return [] }
    let wasPlaying = transport == .playing
    setTransport(playing: false)
    return wasPlaying ? [.pause] : []
  }

  private mutating func stop() -> [Effect] {
    guard transport != .stopped else { return [] }
    (transport, position, isLoaded) = (.stopped, .zero, false)
    return [.stop]
  }

  private mutating func skip(by step: Int) throws(Refusal) -> [Effect] {
    guard let index, transport != .stopped else {
      throw Refusal("no track is loaded; “alarm play” begins the queue")
    }
    failures = 0
    // Before the first is the beginning of the first.
    let place = max(0, index + step)
    guard queue.indices.contains(place) else { return stop() }
    return go(to: place, playing: wantsToPlay)
  }

  /// A track that cannot be opened is left out; when none can, the player stops.
  private mutating func passOver(_ sentence: String) -> [Effect] {
    failures += 1
    guard let index, failures < queue.count, queue.indices.contains(index + 1) else {
      return [.complain(sentence)] + stop()
    }
    return [.complain(sentence)] + go(to: index + 1, playing: wantsToPlay)
  }

  private mutating func seek(_ seek: Seek) throws(Refusal) -> [Effect] {
    guard let track, transport != .stopped else {
      throw Refusal("no track is loaded, so there is nowhere to seek; “alarm play” begins the queue")
    }
    var target: Duration
    switch seek {
    case .by(let span): target = position + span
    case .to(let place): target = place
    case .percent(let share):
      guard let duration = track.duration else {
        throw Refusal(
          "the length of “\(track.path)” is not known, so there is no \(Int(share)) % of it; seek by a span")
      }
      guard (0...100).contains(share) else { throw Refusal("a share goes from 0 to 100 %") }
      target = duration * (share / 100)
    }
    if let duration = track.duration { target = min(target, duration) }
    position = max(.zero, target)
    return isLoaded ? [.seek(position)] : []
  }

  private mutating func setVolume(_ level: Int) throws(Refusal) -> [Effect] {
    guard (0...100).contains(level) else {
      throw Refusal("the volume goes from 0 to 100, not \(level)")
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
