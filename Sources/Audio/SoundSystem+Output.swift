import Platform

/// Which device is wanted, and what becomes of one that does not answer.
extension SoundSystem {
  /// However many devices there are, more outputs than these do not hang at once.
  private static let mostAbandoned = 24

  /// `loss`: why the output before was abandoned.
  func startOutput(after loss: String?) throws(SystemError) {
    let next = generation + 1
    guard stage.hand(from: generation, to: next) else { return }
    generation = next
    let (stage, mail) = (stage, mail)
    let holdsMusic = loss != nil && opened != nil
    try startThread("alarm-output") {
      let output = Output(generation: next, stage: stage, afterLoss: loss, holdsMusic: holdsMusic) {
        sender, message in
        mail.send(.output(sender, message))
      }
      output.run()
    }
  }

  // MARK: The wish

  /// Works out anew which device is wanted, and tells the output where that changed.
  func reconsider() {
    defer { chainNext() }
    let wished = wishedDevice()
    guard wished != wish else { return }
    if wish == nil, wished != nil { heardFormat = heardFormat ?? wished?.format }
    wish = wished
    stage.send(.wish(wished))
    if let next = wished, opened == nil { heardFormat = next.format }
    decodeClip()
    armWatch()
  }

  private func wishedDevice() -> DeviceWish? {
    let ringsWait = !rings.isEmpty || expectsRings
    let plays = track.map { $0.isPlaying && !$0.hasEnded } ?? false
    guard ending == nil, !isSuspended, keepsAwake || holdsOpen || ringsWait || plays else { return nil }
    // A closed device is opened as the first track wants it, and that is known in a moment.
    if wish == nil, !ringsWait, !holdsOpen, waitsForFormat { return nil }
    return DeviceWish(
      device: settings.device, others: ringsWait ? settings.alarmDevices : [],
      hung: abandoned.values.reduce(into: [:]) { $0[$1, default: 0] += 1 },
      format: wishedFormat(keepsRate: keepsAwake || holdsOpen || ringsWait))
  }

  private func wishedFormat(keepsRate: Bool) -> StreamFormat {
    let usual = StreamFormat(rate: 48_000, channels: 2)
    let present = wish?.format
    switch settings.rate {
    case .fixed(let rate):
      return StreamFormat(rate: min(768_000, max(4000, rate)), channels: present?.channels ?? 2)
    case .auto where keepsRate && present != nil, .auto where track == nil, .track where track == nil:
      return present ?? usual
    case .auto where keepsRate:
      // The track that opens it is not resampled. What is less than a CD has is not made the measure of all that follows.
      guard let format = track?.info?.format, format.rate >= 44_100 else { return usual }
      return StreamFormat(rate: format.rate, channels: min(8, max(usual.channels, format.channels)))
    case .auto, .track:
      // A track that sounds keeps the device as it is; the next one may change it.
      guard let format = track?.info?.format, track?.voice == nil || present == nil else {
        return present ?? usual
      }
      return StreamFormat(rate: format.rate, channels: min(8, format.channels))
    }
  }

  /// A track is being opened, and not for longer than a disk that works needs.
  private var waitsForFormat: Bool {
    guard let track, track.info == nil, !track.hasEnded else { return false }
    return Clocks.monotonicMicroseconds() < track.loadingSince + SoundSystem.formatPatience
  }

  /// How long a closed device waits for the format of its first track.
  static let formatPatience: Int64 = 400_000

  /// The format a voice must have to be heard.
  var voiceFormat: StreamFormat {
    heardFormat ?? wish?.format ?? StreamFormat(rate: 48_000, channels: 2)
  }

  // MARK: The keep-alive

  func sendKeepAlive() {
    let rests = keepsAwake && !holdsOpen && settings.keepAliveMode == .pulse
    stage.send(
      .keepAlive(
        KeepAlivePlan(
          interval: rests ? max(1_000_000, settings.interval.microseconds) : nil,
          clip: keepsAwake ? decodedClip : nil, signal: keepsAwake ? madeOf : nil)))
  }

  /// What the silence is made of; `auto` picks by the device that is open.
  var madeOf: SoundSettings.Signal {
    if let decodedClip, !decodedClip.samples.isEmpty { return .clip }
    return settings.signal == .auto || settings.signal == .clip
      ? (opened?.kind ?? .unknown).signal : settings.signal
  }

  /// Why it is made of that, a sentence for people.
  var whyMadeOf: String {
    if !clipReason.isEmpty { return clipReason }
    switch (madeOf, settings.signal) {
    case (.clip, _): return "the clip is what the settings name"
    case (_, .auto), (_, .clip): return (opened?.kind ?? .unknown).why
    case (let signal, _): return "the settings say \(signal.rawValue)"
    }
  }

  func forgetClip() {
    clip?.feeder.cancel()
    clip = nil
    decodedClip = nil
    clipReason = ""
    decodeClip()
  }

  /// Decodes the clip for the present format where that was not done yet.
  func decodeClip() {
    guard keepsAwake, wish != nil, let file = settings.clip, clip?.format != voiceFormat else { return }
    do throws(SystemError) {
      let feeder = try makeFeeder()
      try feeder.startClip(file, format: voiceFormat)
      clip = (feeder.job, feeder, voiceFormat)
    } catch {
      clipReason = error.description
    }
  }

  // MARK: What the output tells

  func receive(_ message: OutputMessage) {
    switch message {
    case .opened(let device, let asked):
      let substitutes = device.name != asked.device
      let why = reason
      (opened, openedFor) = (device, asked.device)
      lastFulfilled = (asked, device.format)
      reason = device.isAudible ? "" : "the device “\(clean(device.name))” is heard by nobody"
      if substitutes {
        reason =
          "the device “\(clean(asked.device))” cannot be opened, “\(clean(device.name))” sounds instead"
      }
      if interruption != nil, !why.isEmpty { reason = why }
      adopt(device.format, for: asked)
    case .standsIn(let why, let asked):
      opened = OpenedDevice(name: "null", format: asked.format, formatName: "", isAudible: false)
      openedFor = asked.device
      reason = interruption != nil ? why : "nobody will hear: \(why)"
      adopt(asked.format, for: asked)
    case .swallows:
      opened?.isAudible = false
      reason = "the device “\(clean(opened?.name ?? ""))” is heard by nobody"
    case .closed:
      // Where nobody could hear it nobody will hear the next sound either, until a device opens that says otherwise or
      // another one is wanted.
      if (opened?.isAudible ?? true) || openedFor != settings.device { reason = "" }
      opened = nil
      if wish == nil { heardFormat = nil }
      if interruption != nil {
        interruption = nil
        report(.restored(shouldResume: false))
      }
      deviceClosed()
    case .interrupted(let why, let played):
      // The output now closes the device, which blocks for ever where the server does not answer: looked at soon.
      isOverdue = true
      defer { armWatch(after: 250_000) }
      let wasNew = interruption == nil
      let stopped = (interruption?.stoppedMusic ?? false) || (played && (track?.isPlaying ?? false))
      interruption = Interruption(stoppedMusic: stopped)
      reason = why
      if wasNew { report(.interrupted(reason: why)) }
    case .restored:
      let resumes = (interruption?.stoppedMusic ?? false) && (track?.isPlaying ?? false)
      interruption = nil
      reason =
        (opened?.isAudible ?? true) ? "" : "the device “\(clean(opened?.name ?? ""))” is heard by nobody"
      report(.restored(shouldResume: resumes))
    case .mixer(let event):
      receive(event)
      return
    case .gone: return
    }
    armWatch()
    statusChanged()
  }

  /// Voices decoded for another format are decoded anew.
  private func adopt(_ format: StreamFormat, for asked: DeviceWish) {
    heardFormat = format
    sendKeepAlive()
    // Where another wish is on its way already, what it brings counts.
    guard wish?.matches(asked) ?? true else { return }
    if let voice = track?.voice, voice.format != format { refeedTrack() }
    for id in rings.keys where rings[id]?.voice.format != format { refeedRing(id) }
    decodeClip()
  }

  // MARK: The watchdog

  private var needsWatch: Bool { wish != nil || opened != nil }

  /// Once a second, more often where a ring would wait.
  func armWatch(after microseconds: Int64? = nil) {
    guard needsWatch, ending == nil else {
      watchTimer?.disarm()
      isOverdue = false
      return
    }
    let pause = microseconds ?? (rings.isEmpty ? 1_000_000 : 250_000)
    watchTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + pause)
  }

  func watch() {
    defer { armWatch() }
    let late = stage.isOverdue(
      now: Clocks.monotonicMicroseconds(), isHurried: !(wish?.others.isEmpty ?? true))
    // Twice in a row: after this whole process was stopped for a while, the output only needs its turn.
    defer { isOverdue = late }
    guard late, isOverdue, abandoned.count < SoundSystem.mostAbandoned else { return }
    let (stuck, device) = (generation, stage.lastTried)
    let why = "the sound device does not answer"
    do throws(SystemError) {
      try startOutput(after: why)
    } catch {
      reason = error.description
      statusChanged()
      return
    }
    guard generation != stuck else { return }
    abandoned[stuck] = device
    reconsider()
    if opened != nil, interruption == nil {
      receive(
        .interrupted(reason: why, musicPlayed: track?.isPlaying ?? false))
    } else {
      reason = why
      statusChanged()
    }
  }
}
