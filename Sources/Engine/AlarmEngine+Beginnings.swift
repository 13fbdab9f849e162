import Core
import Platform
import Wire

/// A request that began a track, which is answered when that is open or refused: until then nobody knows whether it plays.
struct Beginning {
  /// How long it waits at most, for a disk may hang; in microseconds.
  static let patience: Int64 = 2_000_000

  let request: Request
  let connection: Connection
  /// It named that one track: another that plays in its place is not what was asked for.
  let namesTrack: Bool
  /// It named what to play, and did not only ask for what comes next.
  let namesMusic: Bool
  /// What there was to warn of when the track was begun.
  let warnings: [String]
  /// The player's number of the load it waits for, and the path of its track.
  var number: Int
  var path: String?
  /// Why the tracks before were refused that were passed over.
  var refusals: [String] = []
  /// CLOCK_MONOTONIC in microseconds.
  let deadline = Clocks.monotonicMicroseconds() + Beginning.patience

  init(
    _ request: Request, _ connection: Connection, _ event: Player.Event, _ warnings: [String],
    _ player: Player
  ) {
    (self.request, self.connection, self.warnings) = (request, connection, warnings)
    (number, path) = (player.number, player.track?.path)
    switch event {
    case .playAt: (namesTrack, namesMusic) = (true, true)
    case .load: (namesTrack, namesMusic) = (false, true)
    default: (namesTrack, namesMusic) = (false, false)
    }
  }
}

// What begins to play, and how that is told.
extension AlarmEngine {
  /// Lets the player do it, and answers what it does then; where that is to open a file, once it is open.
  func act(_ request: Request, _ event: Player.Event) throws(WireError) {
    let before = player.number
    try tellPlayer(event)
    guard player.number != before, player.isLoaded, openedLoad != player.number,
      let connection = try? opening(request)
    else { return replyPlaying(request, complaints) }
    beginnings.append(Beginning(request, connection, event, complaints, player))
    armBeginnings()
  }

  /// That load is open.
  func loadOpened(_ number: Int) {
    if number == player.number { openedLoad = number }
    settle(take { $0.number == number })
  }

  /// That load was refused; `passOver` lets the player go on.
  func loadRefused(_ number: Int, _ sentence: String, passOver: () -> Void) {
    var waiting = take { $0.number == number }
    passOver()
    let goesOn = player.isLoaded && player.number != number
    for index in waiting.indices {
      waiting[index].refusals.append(sentence)
      (waiting[index].number, waiting[index].path) = (player.number, player.track?.path)
    }
    if goesOn { beginnings += waiting } else { settle(waiting) }
    armBeginnings()
  }

  /// Answers those whose track the player no longer begins, because somebody asked for something else, and those that
  /// have waited long enough; all of them where the engine ends.
  func settleBeginnings(all: Bool = false) {
    guard !beginnings.isEmpty else { return }
    // Somebody asked for the same track again: what these asked for is played, so they wait for that.
    if player.isLoaded, openedLoad != player.number, let path = player.track?.path {
      for index in beginnings.indices where beginnings[index].namesMusic && beginnings[index].path == path {
        beginnings[index].number = player.number
      }
    }
    let now = Clocks.monotonicMicroseconds()
    settle(take { all || $0.number != player.number || !player.isLoaded || $0.deadline <= now })
    armBeginnings()
  }

  private func take(_ isMeant: (Beginning) -> Bool) -> [Beginning] {
    let taken = beginnings.filter(isMeant)
    if !taken.isEmpty { beginnings.removeAll(where: isMeant) }
    return taken
  }

  private func settle(_ waiting: [Beginning]) {
    for beginning in waiting {
      answer(beginning.request) { try answer(beginning) }
      beginning.connection.requestAnswered()
    }
  }

  private func answer(_ beginning: Beginning) throws(WireError) {
    let isOvertaken =
      player.number != beginning.number && !(beginning.namesMusic && player.track?.path == beginning.path)
    let isOver = isOvertaken || !player.isLoaded
    if let refusal = beginning.refusals.first, beginning.namesTrack || isOver {
      let instead =
        if isOvertaken { "" } else if isOver { "; nothing plays now" } else {
          "; in its place: \(playingSentence())"
        }
      throw WireError(code: ErrorCode.refused, refusal + instead)
    }
    if isOver, beginning.namesMusic { throw AlarmEngine.overtaken }
    replyPlaying(beginning.request, beginning.warnings + beginning.refusals)
  }

  private func replyPlaying(_ request: Request, _ warnings: [String]) {
    let doubts = player.transport == .playing ? doubts : []
    request.reply(DoneReply(lines: [playingSentence()], warnings: warnings + doubts))
  }

  static var overtaken: WireError {
    WireError(
      code: ErrorCode.refused,
      "the player was asked for something else meanwhile, so this is not played: ask for it again")
  }

  private func armBeginnings() {
    if let deadline = beginnings.map(\.deadline).min() {
      beginningTimer.arm(atMicroseconds: deadline)
    } else {
      beginningTimer.disarm()
    }
  }

  /// What the player does now, in words.
  private func playingSentence() -> String {
    guard player.hasTrack, let track = player.track else { return "stopped" }
    let isOpening = player.isLoaded && openedLoad != player.number
    let word =
      switch player.transport {
      case .playing: "playing"
      case .paused: "paused"
      case .interrupted: "waiting for the output:"
      case .stopped: "stopped"
      }
    let name = track.title.isEmpty ? FileName(text: track.path)?.lastShown ?? "" : clean(track.title)
    let artist = track.artist.isEmpty ? "" : "\(clean(track.artist)) – "
    if isOpening, player.transport == .playing { return "still opening \(artist)\(name)" }
    return "\(word) \(artist)\(name) at \(clock(player.position))"
  }

  private func clock(_ span: Duration) -> String {
    let seconds = Int(span.inSeconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return seconds < 3600
      ? "\(seconds / 60):\(two(seconds % 60))"
      : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }
}
