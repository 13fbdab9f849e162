import Audio
import Core
import Platform
import Schedule
import Wire

// The player, and what the sound system says.
extension AlarmEngine {
  /// How often the place in a track is written down while it plays.
  static let positionPause: Int64 = 1_000_000

  func tellPlayer(_ event: Player.Event) throws(WireError) {
    if event.overrules(player) { overrulePlayOrder() }
    let before = (key: player.queue.key, number: player.number)
    let effects: [Player.Effect]
    do {
      effects = try player.handle(event, at: now)
    } catch {
      throw WireError(error)
    }
    for effect in effects {
      switch effect {
      case .load(let track, let number, let start, let playing):
        guard let file = FileName(text: track.path) else {
          attempt {
            try self.tellPlayer(
              .loadFailed(number, sentence: "“\(clean(track.path))” is no path; give the file once more"))
          }
          continue
        }
        if settings.player.gain != .off { loudness.announce(file) }
        sounds.load(file, token: UInt64(number), at: start, startPlaying: playing)
      case .prepare(let track, let number):
        let file = track.flatMap { FileName(text: $0.path) }
        if settings.player.gain != .off, let file { loudness.announce(file) }
        sounds.setNext(file, token: UInt64(number))
        guard let track, file == nil else { continue }
        attempt {
          try self.tellPlayer(
            .loadFailed(number, sentence: "“\(clean(track.path))” is no path; give the file once more"))
        }
      case .start: sounds.play()
      case .pause: sounds.pause()
      case .stop: sounds.stop()
      case .seek(let place): sounds.seek(to: place)
      case .setVolume: sounds.setMusicVolume(player.volume, muted: player.isMuted)
      // The mixer ducks by itself, sample by sample.
      case .duck: break
      case .dusk(let span): sounds.setDusk(span)
      case .complain(let sentence):
        Log.warning(sentence)
        complaints.append(sentence)
      case .save(let changes): keep(changes)
      }
    }
    if player.hasTrack, let track = player.track { place.note(track, player.position) }
    // How far the track is, which is told each second, changes nothing of what follows.
    if case .position = event { return }
    let isAgain = player.number != before.number && player.queue.key == before.key
    if event.isSeek || isAgain { media.jumped(to: player.position) }
    updateWakefulness()
    armPosition()
    armSleep()
    settleBeginnings()
    statusChanged()
  }

  /// A new one in the place of the one before.
  func newPlayOrder() -> PlayOrder {
    overrulePlayOrder()
    let order = PlayOrder()
    playOrder = order
    return order
  }

  func overrulePlayOrder() {
    playOrder?.end()
    playOrder = nil
  }

  private func armSleep() {
    if let wake = player.nextWake(at: now) {
      sleepTimer.arm(atMicroseconds: wake)
    } else {
      sleepTimer.disarm()
    }
  }

  /// What the sound system has to tell.
  func hear(_ report: SoundReport) {
    switch report {
    case .loaded(let token, let info):
      var track = Track(path: info.file.text)
      (track.title, track.artist, track.album) = (info.tags.title, info.tags.artist, info.tags.album)
      track.duration = info.format.duration.map { .seconds($0) }
      attempt { try self.tellPlayer(.described(track)) }
      attempt { try self.tellPlayer(.loaded(Int(token))) }
      loadOpened(Int(token))
    case .loadFailed(let token, let error):
      loadRefused(Int(token), error.description) {
        attempt { try self.tellPlayer(.loadFailed(Int(token), sentence: error.description)) }
      }
    case .trackEnded(let token):
      server.broadcastEvent("trackEnded", ["path": .string(player.track?.path ?? "")])
      attempt { try self.tellPlayer(.trackEnded(Int(token))) }
    case .damaged(_, let sentence): Log.warning(sentence)
    case .ringStarted(let name, let source, let file, let instant):
      Log.debug("ring \(name) is heard from \(instant) on, source \(source)")
      if let id = OccurrenceID(name) {
        let wall = now.wall + .microseconds(instant - Clocks.monotonicMicroseconds())
        attempt { try self.tell(.began(id, at: wall)) }
      }
      rings.began(name, source: source, file)
    case .ringTurned(let name, let source, let file): rings.turned(name, source: source, file)
    case .ringSourceFailed(let name, let source, let error): rings.failed(name, source: source, error)
    case .interrupted(let reason):
      Log.warning("the output was taken away: \(reason)")
      notePosition()
      attempt { try self.tellPlayer(.interrupted) }
      server.broadcastEvent("interrupted", ["reason": .string(reason)])
    case .restored(let shouldResume):
      Log.info("the output is there again")
      attempt { try self.tellPlayer(.restored) }
      let again = "the sound device “\(clean(sounds.status.device))” takes sound again"
      server.broadcastEvent("restored", ["shouldResume": .bool(shouldResume), "reason": .string(again)])
    case .statusChanged:
      updateHearing()
      statusChanged()
    }
  }

  // MARK: The place in the track

  /// How far the present track has been heard by now.
  var heardPosition: Duration {
    max(.zero, player.isLoaded ? sounds.position ?? player.position : player.position)
  }

  /// Takes down how far the track has been heard.
  func notePosition() {
    guard player.isLoaded, let position = sounds.position else { return }
    attempt { try self.tellPlayer(.position(self.player.number, position)) }
  }

  func positionDue() {
    notePosition()
    // A status is not made up each second for those who count on by themselves.
    if server.hasMotionSubscribers {
      publishStatus(evenUnchanged: true)
    } else if server.hasSubscribers, let position = sounds.position,
      hasJumped(to: position.inSeconds, isPlaying: player.transport == .playing)
    {
      statusChanged()
    }
    armPosition(again: true)
  }

  /// At rest there is no timer.
  func armPosition(again: Bool = false) {
    guard player.transport == .playing, !isEnding else {
      positionTimerIsArmed = false
      return positionTimer.disarm()
    }
    // What looks once a second must not be put off by what happens meanwhile.
    if positionTimerIsArmed, !again { return }
    positionTimerIsArmed = true
    positionTimer.arm(atMicroseconds: Clocks.monotonicMicroseconds() + AlarmEngine.positionPause)
  }
}

extension Player.Event {
  fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }

  /// Whoever asks for this does not want any more what was to be played. `play` without a name wants just that, as those
  /// programs do that send it behind a file's name.
  fileprivate func overrules(_ player: Player) -> Bool {
    switch self {
    case .load, .playAt, .pause, .stop, .next, .previous, .clear: true
    case .toggle: player.transport == .playing
    default: false
    }
  }
}
