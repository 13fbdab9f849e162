// What a person does to the queue, and the sleep timer.
extension Player {
  private func requirePlaces(_ places: [Int]) throws(Refusal) {
    for place in places where !queue.tracks.indices.contains(place) {
      throw Refusal(
        queue.count == 0
          ? "the queue is empty; “alarm queue add FILE” adds to it"
          : "there is no track \(place + 1) in the queue, which has \(queue.count); “alarm queue list” shows them"
      )
    }
  }

  mutating func play(at place: Int) throws(Refusal) -> [Effect] {
    try requirePlaces([place])
    failures = 0
    return go(to: place, playing: true)
  }

  /// The most tracks a queue takes.
  static let mostTracks = 200_000

  mutating func append(_ tracks: [Track], next: Bool) throws(Refusal) -> [Effect] {
    guard !tracks.isEmpty else {
      throw Refusal("there is nothing to add; give a file, a folder or a playlist")
    }
    guard queue.count + tracks.count <= Player.mostTracks else {
      throw Refusal("a queue holds at most \(Player.mostTracks) tracks; “alarm queue clear” empties it")
    }
    if next { queue.insertNext(tracks) } else { queue.append(tracks) }
    return []
  }

  mutating func move(from: Int, to place: Int) throws(Refusal) {
    try requirePlaces([from, place])
    queue.move(from: from, to: place)
  }

  mutating func remove(_ places: [Int]) throws(Refusal) -> [Effect] {
    try requirePlaces(places)
    let wasLoaded = transport != .stopped
    guard queue.remove(Set(places)), wasLoaded else { return [] }
    guard let place = queue.index else { return finish() }
    failures = 0
    return go(to: place, playing: wantsToPlay)
  }

  mutating func setStopAfter(_ isOn: Bool) throws(Refusal) {
    guard !isOn || hasTrack else {
      throw Refusal("no track is loaded that could be the last; \(wayToPlay)")
    }
    stopsAfter = isOn
  }

  // MARK: Falling asleep

  /// The music fades over this long before a sleep timer stops it, or over half of a shorter span.
  static let longestDusk = Duration.seconds(30)

  mutating func sleep(for span: Duration?, at now: Moment) throws(Refusal) -> [Effect] {
    guard let span else {
      sleep = nil
      return wakeUp()
    }
    guard wantsToPlay else {
      throw Refusal(
        "nothing plays that could be stopped; \(queue.count == 0 ? wayToPlay : "“alarm play” begins")")
    }
    sleep = nil
    let effects = wakeUp()
    sleep = Deadline(span, after: now)
    duskSpan = min(Player.longestDusk, span / 2)
    return effects
  }

  mutating func fallAsleep(at now: Moment) -> [Effect] {
    guard let sleep else { return [] }
    let remaining = sleep.remaining(at: now)
    if remaining <= .zero {
      self.sleep = nil
      return wantsToPlay ? stop() : wakeUp()
    }
    guard remaining <= duskSpan, !isDusk else { return [] }
    isDusk = true
    return [.dusk(remaining)]
  }

  /// Back to full after a dusk. What is loaded while the timer runs stays as quiet as what was there.
  mutating func wakeUp() -> [Effect] {
    guard isDusk, sleep == nil else { return [] }
    isDusk = false
    return [.dusk(nil)]
  }

  /// CLOCK_BOOTTIME (µs) at which `tick` must be told at the latest; nil: never.
  public func nextWake(at now: Moment) -> Int64? {
    guard let sleep else { return nil }
    let remaining = sleep.remaining(at: now)
    return now.boot + (isDusk ? remaining : remaining - duskSpan).microseconds
  }
}
