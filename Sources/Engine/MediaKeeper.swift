import Core
import Desktop
import Platform

/// The player on the session bus (MPRIS): who looks is told what plays, and media keys, bars and phones ask for things.
/// Without a bus nobody does, and nothing else is another.
final class MediaKeeper {
  private let object: MediaPlayer
  private let quitWork: DeferredSource
  /// A terminal in which the screen can be shown is there.
  var canRaise = false
  /// How many files are being looked at that were to be played, and the last one that was asked for meanwhile.
  var opening = 0
  var wanted: (file: FileName, order: PlayOrder)?
  /// Less than there are workers: a disk that hangs must not keep others from one.
  static let mostOpening = 2

  /// `position`: how far the present track has been heard. `asked` refuses by throwing.
  init(
    _ loop: EventLoop, _ session: Bus, position: @escaping () -> Duration,
    asked: @escaping (MediaCommand) throws(BusError) -> Void
  ) throws(SystemError) {
    let quitWork = try DeferredSource(loop) { try? asked(.quit) }
    self.quitWork = quitWork
    object = MediaPlayer(session) {
      position().microseconds
    } command: { (command: MediaCommand) throws(BusError) in
      // Not within the call, whose answer is still to go out.
      if command == .quit { quitWork.schedule() } else { try asked(command) }
    }
  }

  /// Tells what is new of the player. `isForRing`: the key for play and pause is wanted, whatever there is to play.
  func update(_ player: Player, isForRing: Bool, canQuit: Bool) {
    var state = MediaState(player)
    if isForRing { state.canPlay = true }
    (state.canRaise, state.canQuit) = (canRaise, canQuit)
    object.update(state)
  }

  /// The place in the track is another than time alone would have made it.
  func jumped(to position: Duration) { object.jumped(to: position.microseconds) }

  func close() { object.close() }
}

extension MediaState {
  /// The player as others know players.
  fileprivate init(_ player: Player) {
    self.init()
    switch player.transport {
    case .playing: status = .playing
    // Time stands still while the output is away.
    case .paused, .interrupted: status = .paused
    case .stopped: status = .stopped
    }
    if player.hasTrack, let track = player.track, let key = player.queue.key {
      let file = FileName(text: track.path)
      self.track = Track(
        entry: key, url: file?.uri ?? "", title: track.title.isEmpty ? file?.lastShown ?? "" : track.title,
        artist: track.artist, album: track.album, length: track.duration?.microseconds)
    }
    volume = player.isMuted ? 0 : Double(player.volume) / 100
    isShuffled = player.queue.isShuffled
    loop = Loop(player.queue.repeats)
    canGoNext = player.hasTrack && player.queue.following(byItself: false) != nil
    // Where none is before, it begins anew.
    canGoPrevious = player.hasTrack
    canPlay = player.queue.count > 0
    canSeek = player.hasTrack
  }
}

extension MediaState.Loop {
  fileprivate init(_ repeats: Repeat) {
    switch repeats {
    case .off: self = .none
    case .one: self = .track
    case .all: self = .playlist
    }
  }

  var repeats: Repeat {
    switch self {
    case .none: .off
    case .track: .one
    case .playlist: .all
    }
  }
}
