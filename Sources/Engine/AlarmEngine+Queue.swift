import Audio
import Core
import Platform
import Schedule
import Wire

// The methods of the queue, and the sleep timer.
extension AlarmEngine {
  /// The most places one request names.
  private static let mostPlaces = 10_000

  /// False where the method is none of these.
  func queueMethod(_ request: Request, _ params: Params) throws -> Bool {
    switch request.method {
    case "queue.list": request.reply(queueEntries(from: try params.integer("from", in: 1...Int.max) ?? 1))
    case "queue.play": try act(request, .playAt(try place(params, "place")))
    case "queue.add": try addToQueue(request, params)
    case "queue.move":
      let (from, to) = (try place(params, "place"), try place(params, "to"))
      try tellPlayer(.move(from: from, to: to))
      queueReply(request, "track \(from + 1) is now track \(to + 1)")
    case "queue.remove":
      let places = try places(params)
      try tellPlayer(.remove(places))
      queueReply(request, places.count == 1 ? "1 track removed" : "\(places.count) tracks removed")
    case "queue.clear":
      try tellPlayer(.clear)
      queueReply(request, "the queue is empty")
    case "queue.repeat":
      guard let repeats = Repeat(rawValue: try params.required("mode")) else {
        throw Params.wrong("“mode” must be off, one or all")
      }
      try tellPlayer(.setRepeat(repeats))
      queueReply(request, "repeat \(repeats.rawValue)")
    case "queue.shuffle":
      let isOn = try isOn(params)
      try tellPlayer(.setShuffle(isOn))
      queueReply(request, "shuffle \(isOn ? "on" : "off")")
    case "queue.stop-after":
      let isOn = try isOn(params)
      try tellPlayer(.setStopAfter(isOn))
      queueReply(request, isOn ? "stops after this track" : "does not stop after this track")
    case "sleep": try sleep(request, params)
    default: return false
    }
    return true
  }

  private func queueReply(_ request: Request, _ line: String) {
    request.reply(DoneReply(lines: [line], warnings: complaints))
  }

  private func queueEntries(from first: Int) -> [QueueEntry] {
    let tracks = player.queue.tracks
    let places =
      min(first - 1, tracks.count)..<min(min(first - 1, tracks.count) + Methods.queuePage, tracks.count)
    return places.map { place in
      let track = tracks[place]
      return QueueEntry(
        place: place + 1, current: player.hasTrack && place == player.queue.index, path: track.path,
        title: track.title, artist: track.artist, album: track.album, duration: track.duration?.inSeconds)
    }
  }

  // MARK: Params

  private func place(_ params: Params, _ key: String) throws(WireError) -> Int {
    guard let place = try params.integer(key, in: 1...Int.max) else {
      throw WireError(code: ErrorCode.invalidParams, "“\(key)” is missing: say which track, from 1 on")
    }
    return place - 1
  }

  private func places(_ params: Params) throws(WireError) -> [Int] {
    guard case .array(let values)? = params.members["places"], !values.isEmpty,
      values.count <= AlarmEngine.mostPlaces
    else {
      throw WireError(
        code: ErrorCode.invalidParams,
        "“places” must be an array of 1 to \(AlarmEngine.mostPlaces) numbers of tracks")
    }
    var places: [Int] = []
    for value in values {
      guard case .int(let number) = value, let place = Int(exactly: number), place >= 1 else {
        throw WireError(code: ErrorCode.invalidParams, "“places” must be numbers of tracks, from 1 on")
      }
      places.append(place - 1)
    }
    return Array(Set(places))
  }

  private func isOn(_ params: Params) throws(WireError) -> Bool {
    guard case .bool(let isOn)? = params.members["on"] else {
      throw WireError(code: ErrorCode.invalidParams, "“on” must be true or false")
    }
    return isOn
  }

  // MARK: Adding

  private func addToQueue(_ request: Request, _ params: Params) throws(WireError) {
    let names = try sources(params)
    guard !names.isEmpty else {
      throw WireError(code: ErrorCode.invalidParams, "“sources” is missing: say what to add")
    }
    let isNext = try params.flag("next")
    try later(request, "queue") {
      AlarmEngine.choose(names)
    } then: { [self] choice in
      if let failure = choice.failure { throw WireError(code: ErrorCode.refused, failure) }
      complaints = choice.warnings
      try tellPlayer(.append(choice.tracks, next: isNext))
      let count = choice.tracks.count
      queueReply(
        request, "\(count == 1 ? "1 track" : "\(count) tracks") added; the queue has \(player.queue.count)")
    }
  }

  // MARK: The sleep timer

  private func sleep(_ request: Request, _ params: Params) throws(WireError) {
    guard let span = try params.span("span") else {
      let had = player.sleep != nil
      try tellPlayer(.sleep(nil))
      return queueReply(request, had ? "the music plays on" : "no sleep timer was set")
    }
    try AlarmWords.requireDay(span, "a sleep timer", "30m")
    try tellPlayer(.sleep(span))
    guard let end = player.sleep?.shownEnd(at: now) else { return queueReply(request, "") }
    let shown = end.shown(in: now.zone, now: now.wall)
    queueReply(request, "the music fades out and stops \(shown)")
  }
}
