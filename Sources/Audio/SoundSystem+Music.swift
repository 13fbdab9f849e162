import Platform

/// The loaded track.
struct Track {
  let token: UInt64
  let file: FileName
  var feeder: Feeder
  /// Where this voice's first frame lies in the track, in seconds.
  var start: Double
  var voice: Voice?
  var info: TrackInfo?
  /// What a person wants; an interruption does not change it.
  var isPlaying: Bool
  var hasEnded = false
  /// CLOCK_MONOTONIC, µs.
  let loadingSince = Clocks.monotonicMicroseconds()
  /// It will be decoded to its end soon, or is.
  var nearsEnd = false
}

extension SoundSystem {
  /// Opens and decodes a track ahead in place of the one loaded now; `loaded` or `loadFailed` follows with `token`.
  public func load(_ file: FileName, token: UInt64, at position: Duration, startPlaying: Bool) {
    unload(for: startPlaying ? .relieveTrack : .dropTrack)
    let start = max(0, position.seconds)
    do throws(SystemError) {
      let feeder = try makeFeeder()
      try feeder.startTrack(file, at: start, wakes: stage.bell)
      let track = Track(token: token, file: file, feeder: feeder, start: start, isPlaying: startPlaying)
      self.track = track
      formatTimer?.arm(atMicroseconds: track.loadingSince + SoundSystem.formatPatience)
    } catch {
      // Told later, as everything is.
      mail.send(
        .refused(
          token, AudioError(.unreadable, "“\(file.shown)” cannot be opened: \(error); close other programs")))
      reconsider()
    }
  }

  /// Plays from where it was paused, or as soon as it is loaded; from the beginning where it has ended.
  public func play() { setPlaying(true) }

  /// Fades out over 20 ms and keeps the place.
  public func pause() { setPlaying(false) }

  private func setPlaying(_ playing: Bool) {
    guard let track, track.isPlaying != playing || (playing && track.hasEnded) else { return }
    self.track?.isPlaying = playing
    if playing, track.hasEnded {
      seek(to: .zero)
      return
    }
    stage.send(.trackPlaying(playing))
    reconsider()
  }

  /// Fades out over 20 ms and unloads the track.
  public func stop() {
    unload(for: .dropTrack)
    reconsider()
  }

  private func unload(for order: StageOrder) {
    setNext(nil, token: 0)
    guard let track else { return }
    track.feeder.cancel()
    stage.send(order)
    self.track = nil
  }

  /// Goes to a place in the track, clamped to it; playing or paused as before.
  public func seek(to position: Duration) {
    guard let track else { return }
    var seconds = max(0, position.seconds)
    if let length = track.info?.duration { seconds = min(seconds, length) }
    restart(at: seconds)
  }

  /// The same place in another format.
  func refeedTrack() {
    guard let track, !track.hasEnded else { return }
    restart(at: heardSeconds(track))
  }

  private func restart(at seconds: Double) {
    guard let track else { return }
    do throws(SystemError) {
      let feeder = try makeFeeder()
      try feeder.startTrack(track.file, at: seconds, wakes: stage.bell)
      track.feeder.cancel()
      self.track?.feeder = feeder
      self.track?.start = seconds
      self.track?.voice = nil
      self.track?.hasEnded = false
      self.track?.nearsEnd = false
      withdrawNext()
      stage.send(.relieveTrack)
      reconsider()
    } catch {
      Log.warning("cannot go to another place in “\(track.file.shown)”: \(error)")
    }
  }

  /// 0 … 100 on the scale of `Loudness`; 100 leaves every sample as it is. Rings are not touched by it.
  public func setMusicVolume(_ percent: Int, muted: Bool) {
    musicLevel = muted ? 0 : Loudness.factor(percent: percent)
    stage.send(.trackLevel(musicLevel))
  }

  /// The music fades to silence over that span, whatever is loaded meanwhile; nil: back to its volume.
  public func setDusk(_ span: Duration?) { stage.send(.dusk(span?.seconds)) }

  /// The place in the track that is heard now, what is on its way to the ear taken off; nil where nothing is loaded.
  public var position: Duration? {
    track.map { .microseconds(Int64(heardSeconds($0) * 1_000_000)) }
  }

  private func heardSeconds(_ track: Track) -> Double {
    guard let voice = track.voice else { return track.start }
    let heard = voice.heard.load(ordering: .relaxed)
    var seconds = track.start + Double(heard.first) / Double(voice.format.rate)
    if heard.second != 0, track.isPlaying {
      // The output looks every tenth of a second or more often; between, time itself goes on.
      let since = Clocks.monotonicMicroseconds() - Int64(heard.second)
      seconds += Double(min(200_000, max(0, since))) / 1_000_000
    }
    return min(seconds, track.info?.duration ?? .infinity)
  }

  // MARK: What workers and the mixer tell

  func receive(_ message: FeederMessage) {
    switch message {
    case .opened(let job, let source, let info):
      if next?.feeder?.job == job {
        nextOpened(info)
      } else if track?.feeder.job == job {
        trackOpened(info)
      } else if let id = rings.first(where: { $0.value.feeder.job == job })?.key {
        rings[id]?.source = source
        rings[id]?.file = info.file
      }
    case .turned(let job, let source, let file):
      if let id = rings.first(where: { $0.value.feeder.job == job })?.key { ringTurned(id, source, file) }
    case .failed(let job, let source, let error):
      if next?.feeder?.job == job {
        nextFailed(error)
      } else if let track, track.feeder.job == job {
        if track.voice != nil || track.info != nil {
          report(.damaged(track.token, error.description))
          if track.voice == nil { finishBroken(track) }
        } else {
          self.track = nil
          reconsider()
          report(.loadFailed(track.token, error))
        }
      } else if let id = rings.first(where: { $0.value.feeder.job == job })?.key {
        ringSourceFailed(id, source, error)
      } else if clip?.job == job {
        clipReason = "the silent clip is zero samples: \(error.description)"
        statusChanged()
      }
    case .damaged(let job, let sentence):
      if let track, track.feeder.job == job {
        report(.damaged(track.token, sentence))
      } else if let next, next.feeder?.job == job {
        report(.damaged(next.token, sentence))
      } else if let id = rings.first(where: { $0.value.feeder.job == job })?.key {
        Log.warning("the ring “\(clean(id))” goes on: \(sentence)")
      }
    case .nearsEnd(let job):
      if next?.feeder?.job == job { next?.nearsEnd = true }
      guard track?.feeder.job == job else { return }
      track?.nearsEnd = true
      openNext()
    case .clip(let job, let decoded):
      guard clip?.job == job else { return }
      decodedClip = decoded
      clipReason = ""
      sendKeepAlive()
      statusChanged()
    }
  }

  func trackOpened(_ info: TrackInfo) {
    guard var track else { return }
    let isNew = track.info == nil
    track.info = info
    self.track = track
    // With nothing to keep it the device follows the track, before the voice is made for it.
    reconsider()
    let target = track.isPlaying || opened != nil ? settledFormat : voiceFormat
    let voice = makeVoice(for: track.feeder, info, target)
    track.voice = voice
    self.track = track
    track.feeder.begin(voice)
    stage.send(.track(voice, playing: track.isPlaying, joining: track.start > 0, level: musicLevel))
    chainNext()
    if isNew { report(.loaded(track.token, info)) }
  }

  func makeVoice(for feeder: Feeder, _ info: TrackInfo, _ target: StreamFormat) -> Voice {
    let isUnchanged = info.format.rate == target.rate && info.format.channels == target.channels
    return Voice(
      id: feeder.job, format: target, seconds: 3,
      isExact16: (info.format.bits ?? 32) <= 16 && isUnchanged, bell: feeder.bell)
  }

  /// The format the device will have once the present wish is fulfilled.
  private var settledFormat: StreamFormat {
    guard let wish, let last = lastFulfilled, last.0.matches(wish) else {
      return wish?.format ?? voiceFormat
    }
    return last.1
  }

  /// A track that could be opened once and now cannot: it ends here.
  private func finishBroken(_ track: Track) {
    self.track?.hasEnded = true
    trackIsOver(track.token)
  }

  func receive(_ event: MixerEvent) {
    switch event {
    case .ended(let voice):
      guard let track, track.voice?.id == voice, !track.hasEnded else { return }
      self.track?.hasEnded = true
      trackIsOver(track.token)
    case .ringStarted(let id, let voice, let instant, let byTone):
      ringStarted(id, voice, instant, byTone: byTone)
    case .released:
      // Only now may its memory go, and it goes here and not on the output's thread.
      break
    }
  }
}
