import Core
import Desktop
import Platform
import Schedule
import Wire

// What media keys, bars and phones ask for: the same as the commands do.
extension AlarmEngine {
  func tellMedia() {
    guard !isEnding else { return }
    media.update(
      player, isForRing: !book.ringing.isEmpty && settings.alarm.mediaKey != .nothing,
      // No applet ends an engine that somebody relies on to be woken by.
      canQuit: book.enabledCount == 0 && book.ringing.isEmpty && book.snoozed.isEmpty)
  }

  func mediaAsked(_ command: MediaCommand) throws(BusError) {
    guard !isEnding else { return }
    complaints = []
    // Whoever asks again at once finds it as it is by then.
    defer { tellMedia() }
    do throws(WireError) {
      try act(on: command)
    } catch {
      Log.info("\(command) was asked for on the bus: \(error.description)")
      throw BusError("org.freedesktop.DBus.Error.Failed", error.description)
    }
  }

  private func act(on command: MediaCommand) throws(WireError) {
    notePosition()
    switch command {
    case .play: try tellPlayer(.play)
    // Headsets and screen locks send these two: they never touch a ring.
    case .pause: try tellPlayer(.pause)
    case .stop: try tellPlayer(.stop)
    case .playPause: try playPause()
    case .next: try tellPlayer(.next)
    case .previous: try tellPlayer(.previous)
    case .seek(by: let offset): try tellPlayer(.seek(.by(.microseconds(offset))))
    case .setPosition(let place): try tellPlayer(.seek(.to(.microseconds(place))))
    case .open(let path):
      if let file = FileName(bytes: path) { open(file) }
    case .setVolume(let volume): try tellPlayer(.setVolume(Int((volume * 100).rounded())))
    case .setShuffle(let isOn):
      // Once more would make another order.
      if isOn != player.queue.isShuffled { try tellPlayer(.setShuffle(isOn)) }
    case .setLoop(let loop): try tellPlayer(.setRepeat(loop.repeats))
    case .raise: openTerminal("the screen", [paths.executable])
    case .quit: end(because: "the desktop asked for it")
    }
  }

  /// The one key that a person finds half asleep.
  private func playPause() throws(WireError) {
    guard !book.ringing.isEmpty else { return try tellPlayer(.toggle) }
    switch settings.alarm.mediaKey {
    case .snooze: try tell(.snooze(id: nil, span: nil, by: .mediaKey))
    case .dismiss: try tell(.dismiss(id: nil, by: .mediaKey))
    case .nothing: try tellPlayer(.toggle)
    }
  }

  /// Plays a file, folder or playlist in the place of the queue. One is looked at at a time, and of those that are asked for
  /// meanwhile the last.
  private func open(_ file: FileName) {
    guard !media.isOpening else { return media.wanted = file }
    media.isOpening = true
    workers.run("open-uri") {
      AlarmEngine.choose([file])
    } then: { [weak self] choice in
      guard let self, !isEnding else { return }
      media.isOpening = false
      if let next = media.wanted {
        media.wanted = nil
        return open(next)
      }
      for warning in choice.warnings { Log.warning(warning) }
      if let failure = choice.failure { return Log.warning(failure) }
      complaints = []
      attempt { try self.tellPlayer(.load(choice.tracks, chosen: choice.chosen)) }
    }
  }
}
