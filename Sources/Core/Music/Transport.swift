// What plays, from where, and what follows it.
extension Player {
  var wantsToPlay: Bool {
    switch transport {
    case .playing, .interrupted(shouldResume: true): true
    case .stopped, .paused, .interrupted(shouldResume: false): false
    }
  }

  private mutating func setTransport(playing: Bool) {
    transport = isOutputAway ? .interrupted(shouldResume: playing) : playing ? .playing : .paused
  }

  mutating func go(to place: Int, playing: Bool, at start: Duration = .zero) -> [Effect] {
    number += 1
    queue.go(to: place)
    (position, isLoaded) = (start, true)
    setTransport(playing: playing)
    return [.setVolume(heardVolume)] + wakeUp()
      + [.load(queue.tracks[place], number: number, at: start, play: playing)]
  }

  /// The present track was heard to its end.
  mutating func trackEnded() -> [Effect] {
    if let prepared, let place = queue.place(ofKey: prepared.key) { return follow(prepared, at: place) }
    if stopsAfter {
      stopsAfter = false
      queue.index = queue.following(byItself: true)
      return stop()
    }
    guard let place = queue.following(byItself: true) else { return finish() }
    return go(to: place, playing: wantsToPlay)
  }

  /// The output has gone on by itself.
  private mutating func follow(_ next: Prepared, at place: Int) -> [Effect] {
    (number, position, prepared) = (next.number, .zero, nil)
    queue.go(to: place)
    return next.failure.map { passOver($0) } ?? []
  }

  /// Says what is to follow, where that is not known yet.
  mutating func prepare() -> [Effect] {
    let hasNext = isLoaded && transport != .stopped && !stopsAfter
    guard hasNext, let place = queue.following(byItself: true) else {
      defer { prepared = nil }
      // A load or stop has forgotten the one before by itself.
      return prepared?.number == number + 1 && isLoaded ? [.prepare(nil, number: number + 1)] : []
    }
    let key = queue.keys[place]
    if let prepared, prepared.number == number + 1, prepared.key == key { return [] }
    prepared = Prepared(key: key, number: number + 1)
    return [.prepare(queue.tracks[place], number: number + 1)]
  }

  mutating func play() throws(Refusal) -> [Effect] {
    guard let first = queue.first else {
      throw Refusal("the queue is empty; say what to play with “alarm play FILE”")
    }
    if wantsToPlay { return [] }
    failures = 0
    guard isLoaded, transport != .stopped else {
      return go(to: queue.index ?? first, playing: true, at: transport == .stopped ? .zero : position)
    }
    setTransport(playing: true)
    return transport == .playing ? [.start] : []
  }

  mutating func pause() -> [Effect] {
    guard wantsToPlay else { return [] }
    setTransport(playing: false)
    // While the output is away too: it goes on by itself with whatever was not told to pause.
    return [.pause]
  }

  mutating func stop() -> [Effect] {
    sleep = nil
    guard transport != .stopped else { return [] }
    (transport, position, isLoaded) = (.stopped, .zero, false)
    return [.stop]
  }

  /// Stops at the end of the queue: the next play begins it again.
  mutating func finish() -> [Effect] {
    queue.index = nil
    return stop()
  }

  /// What there is to do where nothing is loaded. An empty queue cannot be begun.
  var wayToPlay: String {
    queue.count == 0 ? "“alarm play FILE” plays one" : "“alarm play” begins the queue"
  }

  private func requireTrack() throws(Refusal) {
    guard queue.index != nil, transport != .stopped else {
      throw Refusal("no track is loaded; \(wayToPlay)")
    }
  }

  mutating func next() throws(Refusal) -> [Effect] {
    try requireTrack()
    failures = 0
    guard let place = queue.following(byItself: false) else { return finish() }
    return go(to: place, playing: wantsToPlay)
  }

  /// The track before; once it has been heard for three seconds, or where none is before, the present one's beginning.
  mutating func previous() throws(Refusal) -> [Effect] {
    try requireTrack()
    failures = 0
    let before = position < .seconds(3) ? queue.preceding : nil
    guard let place = before ?? queue.index else { return [] }
    return go(to: place, playing: wantsToPlay)
  }

  /// A track that cannot be opened is left out; when none can, the player stops.
  mutating func passOver(_ sentence: String) -> [Effect] {
    failures += 1
    guard failures < queue.count, let place = queue.following(byItself: false) else {
      return [.complain(sentence)] + finish()
    }
    return [.complain(sentence)] + go(to: place, playing: wantsToPlay)
  }

  mutating func seek(_ seek: Seek) throws(Refusal) -> [Effect] {
    guard let track, transport != .stopped else {
      throw Refusal("no track is loaded, so there is nowhere to seek; \(wayToPlay)")
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
      guard (0...100).contains(share) else { throw Refusal("a share goes from 0 to 100 %", aboutWords: true) }
      target = duration * (share / 100)
    }
    if let duration = track.duration { target = min(target, duration) }
    position = max(.zero, target)
    return isLoaded ? [.seek(position)] : []
  }
}
