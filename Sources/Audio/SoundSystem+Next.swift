import Platform

/// What follows the loaded track.
struct NextTrack {
  let token: UInt64
  let file: FileName
  /// nil until the track before nears its end.
  var feeder: Feeder?
  var info: TrackInfo?
  /// It is in the mixer already and begins there by itself; else it is given a voice when its turn comes.
  var voice: Voice?
  var failure: AudioError?
  var nearsEnd = false
}

extension SoundSystem {
  /// What is to follow the loaded track without a gap: opened and decoded before that one ends, its first frame behind
  /// the last one, under the same volume, playing on. Then `trackEnded` comes for the one and `loaded` (or `loadFailed`)
  /// with `token` for the other, which is the loaded track from there on. nil: nothing follows. `load` and `stop` forget
  /// it, `seek` does not.
  ///
  /// Where the device has to be opened anew for it (`output.rate`), there is a short gap.
  public func setNext(_ file: FileName?, token: UInt64) {
    withdrawNext()
    next = file.map { NextTrack(token: token, file: $0) }
    if track?.nearsEnd ?? false { openNext() }
  }

  /// Takes it out of the mixer; it is opened again when its turn nears again.
  func withdrawNext() {
    guard let next else { return }
    next.feeder?.cancel()
    if next.voice != nil { stage.send(.nextTrack(nil)) }
    self.next = NextTrack(token: next.token, file: next.file)
  }

  func openNext() {
    guard let next, next.feeder == nil, next.failure == nil else { return }
    do throws(SystemError) {
      let feeder = try makeFeeder()
      try feeder.startTrack(next.file, at: 0, wakes: stage.bell)
      self.next?.feeder = feeder
    } catch {
      self.next?.failure = AudioError(
        .unreadable, "“\(next.file.shown)” cannot be opened: \(error); close other programs")
    }
  }

  func nextOpened(_ info: TrackInfo) {
    next?.info = info
    chainNext()
  }

  /// Gives the next track to the mixer, as soon as both are decoded and where the device stays as it is for it.
  func chainNext() {
    guard let next, next.voice == nil, let feeder = next.feeder, let info = next.info, staysOpen(for: info),
      let track, let voice = track.voice, !track.hasEnded
    else { return }
    let following = makeVoice(for: feeder, info, voice.format)
    self.next?.voice = following
    feeder.begin(following)
    stage.send(.nextTrack(following))
  }

  func nextFailed(_ error: AudioError) {
    guard let next else { return }
    if next.info != nil {
      // In the middle of it, that is its end.
      report(.damaged(next.token, error.description))
    } else {
      self.next?.failure = error
    }
  }

  /// Whether the device would be left as it is for a track like this.
  private func staysOpen(for info: TrackInfo) -> Bool {
    let format = StreamFormat(rate: info.format.rate, channels: min(8, info.format.channels))
    guard let wish else { return false }
    switch settings.rate {
    case .fixed: return true
    case .auto where keepsAwake || holdsOpen || !rings.isEmpty: return true
    case .auto, .track: return wish.format == format
    }
  }

  /// The loaded track was heard to its end: the next one takes its place.
  func trackIsOver(_ token: UInt64) {
    guard let ended = track, let next else {
      reconsider()
      report(.trackEnded(token))
      return
    }
    self.next = nil
    if next.voice == nil { stage.send(.dropTrack) }
    guard let feeder = next.feeder, next.failure == nil else {
      track = nil
      if next.failure == nil {
        load(next.file, token: next.token, at: .zero, startPlaying: ended.isPlaying)
      } else {
        reconsider()
      }
      report(.trackEnded(token))
      if let failure = next.failure { report(.loadFailed(next.token, failure)) }
      return
    }
    track = Track(
      token: next.token, file: next.file, feeder: feeder, start: 0, voice: next.voice,
      info: next.voice == nil ? nil : next.info, isPlaying: ended.isPlaying, nearsEnd: next.nearsEnd)
    report(.trackEnded(token))
    guard track?.feeder.job == feeder.job, let info = next.info else { return }
    if next.voice == nil { return trackOpened(info) }
    reconsider()
    report(.loaded(next.token, info))
  }
}
