import Audio
import Core
import Platform
import Schedule
import Wire

// The methods of the player.
extension AlarmEngine {
  /// False where the method is none of the player's.
  func playerMethod(_ request: Request, _ params: Params) throws -> Bool {
    // What the request is about is what is heard now.
    notePosition()
    switch request.method {
    case "play": try play(request, params)
    case "pause": try act(request, .pause)
    case "toggle": try act(request, .toggle)
    case "seek": try act(request, .seek(try seek(params)))
    case "volume":
      if let level = try params.integer("set", in: 0...100) {
        try tellPlayer(.setVolume(level))
      } else if let step = try params.integer("by", in: -100...100) {
        try tellPlayer(.changeVolume(step))
      }
      request.reply(
        DoneReply(lines: ["\(player.volume)\(player.isMuted ? " (muted)" : "")"], warnings: complaints))
    case "mute":
      try tellPlayer(.toggleMute)
      request.reply(
        DoneReply(lines: [player.isMuted ? "muted" : "no longer muted"], warnings: complaints))
    case "track.next": try act(request, .next)
    case "track.previous": try act(request, .previous)
    default: return false
    }
    return true
  }

  private func seek(_ params: Params) throws(WireError) -> Player.Seek {
    // Far beyond any track, so that no number can overflow a duration.
    func span(_ seconds: Double) -> Duration { .seconds(min(max(seconds, -1e8), 1e8)) }
    if let seconds = try params.number("by") { return .by(span(seconds)) }
    if let seconds = try params.number("to") { return .to(span(seconds)) }
    if let share = try params.number("percent") {
      guard (0...100).contains(share) else { throw Params.wrong("a share of a track goes from 0 to 100 %") }
      return .percent(share)
    }
    throw WireError(code: ErrorCode.invalidParams, "one of “by”, “to” and “percent” is missing")
  }

  // MARK: Playing

  struct Choice: Sendable {
    var tracks: [Track] = []
    /// The place of the track that was named itself and not only what it lies in: it begins in a random order too.
    var chosen: Int?
    var warnings: [String] = []
    var failure: String?
  }

  /// How many files at the beginning may fail before it is said that none can be played.
  private static let tries = 20

  private func play(_ request: Request, _ params: Params) throws(WireError) {
    let names = try sources(params)
    if names.isEmpty { return try act(request, .play) }
    let order = newPlayOrder()
    try later(request, "play") {
      AlarmEngine.choose(names, order)
    } then: { [self] choice in
      guard !order.isOver else { throw AlarmEngine.overtaken }
      // Nothing comes of it any more.
      overrulePlayOrder()
      if let failure = choice.failure { throw WireError(code: ErrorCode.refused, failure) }
      complaints = choice.warnings
      try act(request, .load(choice.tracks, chosen: choice.chosen))
    }
  }

  /// What a request names to be played.
  func sources(_ params: Params) throws(WireError) -> [FileName] {
    var names: [FileName] = []
    switch params.members["sources"] {
    case nil, .null?: break
    case .array(let elements)?:
      for element in elements {
        guard case .string(let text) = element, let name = FileName(text: text), name.isAbsolute else {
          throw WireError(code: ErrorCode.invalidParams, "“sources” must be an array of absolute paths")
        }
        names.append(name)
      }
    default: throw WireError(code: ErrorCode.invalidParams, "“sources” must be an array of absolute paths")
    }
    return names
  }

  /// The files that were meant, from the first that can be played on; anything once the order is over. On a worker.
  static func choose(_ names: [FileName], _ order: PlayOrder? = nil) -> Choice {
    var choice = Choice()
    let files: [FileName]
    do {
      files = try expandSources(names) { order?.isOver ?? false }
    } catch {
      choice.failure = error.description
      return choice
    }
    var first = 0
    var described: Track?
    while first < files.count, first < tries, order?.isOver != true {
      do {
        described = Track(try readTrackInfo(files[first]))
        break
      } catch {
        choice.warnings.append(error.description)
        first += 1
      }
    }
    if described == nil {
      choice.failure =
        choice.warnings.first ?? "there is nothing to play; give a file, a folder or a playlist"
      return choice
    }
    choice.tracks = files[first...].map { Track(path: $0.text) }
    if let described { choice.tracks[0] = described }
    if files[first] == names.first { choice.chosen = 0 }
    return choice
  }
}

extension Track {
  /// What a file says of itself.
  init(_ info: TrackInfo) {
    self.init(path: info.file.text)
    (title, artist, album) = (info.tags.title, info.tags.artist, info.tags.album)
    duration = info.format.duration.map { .seconds($0) }
  }
}
