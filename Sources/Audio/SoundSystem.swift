import Platform

/// Everything that is heard: one track, any number of rings and the silent clip, mixed into one open device.
///
/// Made and used on the loop's thread only; nothing here waits for a file or a device. What happens is told through
/// `report`, on the same thread, never from within a call made here. With the device closed it makes no wake-ups.
///
/// ```swift
/// let sound = try SoundSystem(loop: loop, settings: SoundSettings()) { report in … }
/// sound.setKeepAlive(true)
/// sound.load(file, token: 1, at: .zero, startPlaying: true)
/// ```
public final class SoundSystem {
  enum Message: Sendable {
    case output(UInt64, OutputMessage)
    case worker(FeederMessage)
    /// A track for which there was not even a thread.
    case refused(UInt64, AudioError)
  }

  let loop: EventLoop
  let report: (SoundReport) -> Void
  let stage: Stage
  let mail: Mailbox<Message>
  /// By how much each file is made softer or louder.
  let gains = Gains()
  var settings: SoundSettings
  private var mailSource: EventSource?
  private var changeSource: DeferredSource?

  // The output and what it is to do.
  var keepsAwake = false
  var holdsOpen = false
  /// The machine is about to sleep, or asleep: no device is wanted.
  var isSuspended = false
  var whenClosed: (() -> Void)?
  var generation: UInt64 = 0
  var abandoned: [UInt64: String] = [:]
  var wish: DeviceWish?
  var watchTimer: TimerSource?
  var isOverdue = false
  /// What the output last told of the device; nil while it is closed.
  var opened: OpenedDevice?
  /// The format voices are decoded for: the device's, or what was asked for.
  var heardFormat: StreamFormat?
  /// What the last wish that was fulfilled turned into.
  var lastFulfilled: (DeviceWish, StreamFormat)?
  /// The device that was asked for when `opened` was opened, which another may stand in for.
  var openedFor = ""
  var reason = ""
  var interruption: Interruption?
  var clip: (job: UInt64, feeder: Feeder, format: StreamFormat)?
  var clipReason = ""
  var decodedClip: Clip?
  var ending: (() -> Void)?
  var endTimer: TimerSource?
  /// Ends the wait for the format of a track that does not come.
  var formatTimer: TimerSource?

  struct Interruption {
    /// Music was stopped by it, not by a person.
    var stoppedMusic: Bool
  }

  // Voices.
  var lastJob: UInt64 = 0
  var track: Track?
  var next: NextTrack?
  var musicLevel = 1.0
  var rings: [String: Ring] = [:]
  /// Others are about to come.
  var expectsRings = false

  /// Opens nothing yet. The output's thread is started and sleeps until it is needed.
  public init(loop: EventLoop, settings: SoundSettings, report: @escaping (SoundReport) -> Void)
    throws(SystemError)
  {
    (self.loop, self.settings, self.report) = (loop, settings, report)
    gains.set(settings.gain)
    stage = try Stage()
    mail = try Mailbox()
    mailSource = try mail.deliver(on: loop) { [weak self] message in self?.receive(message) }
    // After a loop that hung a ring that began is known before the timer that it was due for.
    mailSource?.setPriority(.high)
    changeSource = try DeferredSource(loop) { [weak self] in self?.report(.statusChanged) }
    // Armed only while a device is open or being opened.
    watchTimer = try TimerSource(loop, .monotonic, accuracy: 50_000) { [weak self] in self?.watch() }
    endTimer = try TimerSource(loop, .monotonic) { [weak self] in self?.end() }
    formatTimer = try TimerSource(loop, .monotonic) { [weak self] in self?.reconsider() }
    try startOutput(after: nil)
  }

  deinit {
    track?.feeder.cancel()
    next?.feeder?.cancel()
    for ring in rings.values { ring.feeder.cancel() }
    clip?.feeder.cancel()
    stage.send(.quit)
  }

  /// Takes other settings; a device that is open is changed only where it must be.
  public func apply(_ settings: SoundSettings) {
    guard settings != self.settings else { return }
    let old = self.settings
    self.settings = settings
    gains.set(settings.gain)
    // What was wrong with a device that is asked for no longer is no news.
    if settings.device != old.device, opened == nil, interruption == nil { reason = "" }
    if settings.clip != old.clip { forgetClip() }
    sendKeepAlive()
    reconsider()
    statusChanged()
  }

  /// What is known of a file that is about to be loaded or to ring, so that it sounds as loud as others.
  public func know(_ measured: MeasuredLoudness, of file: FileName) { gains.put(measured, of: file) }

  /// The silent clip: the device is opened and kept awake until this is off again.
  public func setKeepAlive(_ on: Bool) {
    guard on != keepsAwake else { return }
    keepsAwake = on
    sendKeepAlive()
    reconsider()
    statusChanged()
  }

  /// Opens the device ahead of a ring and feeds it silence, so that the ring can be placed on its time line.
  public func holdOpen(_ on: Bool) {
    guard on != holdsOpen else { return }
    holdsOpen = on
    sendKeepAlive()
    reconsider()
  }

  /// The status still tells of a device that is no longer the one of the settings, or of none where one is being opened.
  public var isChangingDevice: Bool { opened != nil ? openedFor != settings.device : wish != nil }

  /// A snapshot.
  public var status: OutputStatus {
    var status = OutputStatus()
    status.device = interruption == nil ? opened?.name ?? settings.device : settings.device
    status.state = interruption != nil ? .interrupted : opened == nil ? .closed : .running
    status.reason = reason
    if let opened {
      status.audible = opened.isAudible && interruption == nil
      (status.rate, status.channels) = (opened.format.rate, opened.format.channels)
      status.format = opened.formatName
    }
    status.opens = stage.opens.load(ordering: .relaxed)
    status.streams = stage.streams.load(ordering: .relaxed)
    status.underruns = stage.underruns.load(ordering: .relaxed)
    status.framesWritten = Int64(stage.framesWritten.load(ordering: .relaxed))
    status.keepAlive.active = keepsAwake && opened != nil && interruption == nil
    status.keepAlive.mode = settings.keepAliveMode
    status.keepAlive.signal = madeOf
    status.keepAlive.why = whyMadeOf
    return status
  }

  /// Fades everything out, closes the device and calls `done`; after `limit` at the latest, whatever the device does.
  /// Nothing may be asked of it afterwards.
  public func shutDown(within limit: Duration, done: @escaping () -> Void) {
    ending = done
    track?.feeder.cancel()
    next?.feeder?.cancel()
    for ring in rings.values { ring.feeder.cancel() }
    stage.send(.quit)
    endTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + limit.microseconds)
  }

  func end() {
    endTimer?.disarm()
    watchTimer?.disarm()
    guard let done = ending else { return }
    ending = nil
    done()
  }

  func statusChanged() { changeSource?.schedule() }

  private func receive(_ message: Message) {
    switch message {
    case .worker(let message): receive(message)
    case .refused(let token, let error): report(.loadFailed(token, error))
    case .output(let sender, let message):
      if case .gone = message {
        abandoned.removeValue(forKey: sender)
        reconsider()
        if sender == generation { end() }
        return
      }
      // What an abandoned output still has to say is about nothing any more.
      if sender == generation { receive(message) }
    }
  }

  func makeFeeder() throws(SystemError) -> Feeder {
    lastJob += 1
    return try Feeder(job: lastJob, gains: gains) { [mail] message in mail.send(.worker(message)) }
  }
}

extension Duration {
  var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
