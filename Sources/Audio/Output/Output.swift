import CALSA
import Glibc
import Platform
import Synchronization

/// A device as it was opened.
struct OpenedDevice: Sendable {
  var name: String
  var format: StreamFormat
  var formatName: String
  var isAudible: Bool
  var kind = DeviceKind.unknown
}

/// What an output tells the loop.
enum OutputMessage: Sendable {
  case opened(OpenedDevice, for: DeviceWish)
  /// No device can be had: time is kept without one.
  case standsIn(reason: String, for: DeviceWish)
  /// What was written is swallowed and heard by nobody.
  case swallows
  case closed
  case interrupted(reason: String, musicPlayed: Bool)
  case restored
  case mixer(MixerEvent)
  /// The thread has ended.
  case gone
}

/// One thread and one device. Everything that ALSA is asked is asked here.
///
/// It is made for a generation and works for as long as the stage belongs to that one.
final class Output {
  let generation: UInt64
  let stage: Stage
  private let tell: @Sendable (UInt64, OutputMessage) -> Void

  var device: (any SoundDevice)?
  /// What `device` was opened for.
  var openFor: DeviceWish?
  /// Since when the device is missing (µs), where it is, and when to look for it again.
  var missingSince: Int64?
  private var nextTry: Int64 = 0
  /// Music was stopped by a loss; it ends when a device consumes frames again.
  var isInterrupted = false
  /// Why the output before this one was abandoned, until time is kept again.
  private var loss: String?
  private var lastReason = ""
  var watch = ConsumptionWatch()
  private var strain = Strain()
  /// Looks for the device that was asked for while another one sounds in its place.
  var scout: Scout?
  /// `pulse`: the device is paused until the next clip.
  var isAtRest = false
  var closingSince: Int64?
  /// As the stage last had them.
  private var orders = Orders()
  private var hasOrders = false
  /// Since when (µs) a track or ring has had nothing to give, for a while at most: a disk that hangs must not keep this awake.
  private var starvedSince: Int64?
  private let scratch: UnsafeMutablePointer<Float>
  private static let mostChannels = Mixer.longest / Mixer.quantum

  /// `loss`: why the generation before was abandoned; time is then kept first, before any device is tried.
  /// `holdsMusic`: music was cut off by that, and goes on when a device consumes frames.
  init(
    generation: UInt64, stage: Stage, afterLoss loss: String?, holdsMusic: Bool,
    tell: @escaping @Sendable (UInt64, OutputMessage) -> Void
  ) {
    (self.generation, self.stage, self.tell) = (generation, stage, tell)
    self.loss = loss
    isInterrupted = holdsMusic
    scratch = .allocate(capacity: Mixer.longest)
  }

  deinit { scratch.deallocate() }

  /// The thread's body.
  func run() {
    // Before others, where we may: this thread, and what alsa-lib starts from it. It works for some milliseconds a second.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -11)
    while pass() {}
    device = nil
    tell(generation, .gone)
  }

  func send(_ message: OutputMessage) { tell(generation, message) }

  /// Works inside the stage; nil where it belongs to another output by now.
  func inside<Result>(_ body: () -> Result) -> Result? {
    guard stage.enter(generation) else { return nil }
    defer { stage.leave(generation) }
    return body()
  }

  struct Orders {
    var wish: DeviceWish?
    var keepAlive = KeepAlivePlan()
    var quits = false
    var isSuspended = false
  }

  /// One round; false at the end.
  private func pass() -> Bool {
    let isNews = inside { stage.obey() || !hasOrders }
    guard let isNews else { return false }
    if isNews {
      let taken = inside {
        Orders(
          wish: stage.wish, keepAlive: stage.keepAlive, quits: stage.quits, isSuspended: stage.isSuspended)
      }
      guard let taken else { return false }
      orders = taken
      hasOrders = true
    }
    if let device { return serve(device, orders) }
    if orders.quits { return false }
    guard let wish = orders.wish else {
      flushMixer()
      stage.promiseReturn(within: nil, now: 0)
      stage.bell.wait(microseconds: nil)
      return true
    }
    return open(wish)
  }

  // MARK: Opening and closing

  func open(_ wish: DeviceWish) -> Bool {
    let start = Clocks.monotonicMicroseconds()
    // After a loss the dead device may still be on its way out: a moment first.
    if let loss {
      self.loss = nil
      let held = inside {
        isInterrupted ? stage.mixer.lose(holding: true) : false
      }
      return held != nil && standIn(wish, loss, firstTry: start + 100_000)
    }
    if isInterrupted, device == nil { return standIn(wish, lastReason, firstTry: start + 100_000) }
    guard !wish.names.isEmpty else {
      nextTry = start + 1_000_000
      return device != nil || standIn(wish, "the sound devices do not answer", firstTry: nextTry)
    }
    stage.promiseReturn(within: wish.others.isEmpty ? 4_000_000 : 1_000_000, hurried: 1_000_000, now: start)
    reveille_alsa_silence()
    // `default` is otherwise resolved once and for all.
    snd_config_update_free_global()
    var reason = ""
    var isBusy = false
    for name in wish.names {
      // One that was abandoned in the middle of it tries no further ones.
      guard inside({ stage.tries(name) }) != nil else { return false }
      do throws(AudioError) {
        let device = try openDevice(name, wanted: wish.format, now: Clocks.monotonicMicroseconds())
        return begin(device, wish)
      } catch {
        if reason.isEmpty { (reason, isBusy) = (error.description, error.kind == .busy) }
      }
    }
    let now = Clocks.monotonicMicroseconds()
    let since = missingSince ?? now
    missingSince = since
    nextTry = now + (now - since < 30_000_000 ? 1_000_000 : 5_000_000)
    if device != nil {
      // Time is kept already; a better reason is told once.
      if reason != lastReason { send(.standsIn(reason: reason, for: wish)) }
      lastReason = reason
      return true
    }
    if isBusy, !isInterrupted {
      // It will be let go: what was to play waits for that, as after a loss. What is missing may never come.
      guard inside({ stage.mixer.lose(holding: true) }) != nil else { return false }
      send(.interrupted(reason: reason, musicPlayed: true))
      isInterrupted = true
    }
    return standIn(wish, reason, firstTry: nextTry)
  }

  private func begin(_ pcm: any OpenDevice, _ wish: DeviceWish) -> Bool {
    guard pcm.format.channels <= Output.mostChannels else { return false }
    stage.opens.add(1, ordering: .relaxed)
    stage.streams.add(1, ordering: .relaxed)
    guard inside({ stage.begin(pcm.format) }) != nil else { return false }
    reset(pcm, wish)
    if pcm.name != wish.device { scout = Scout(now: Clocks.monotonicMicroseconds()) }
    missingSince = nil
    lastReason = ""
    send(
      .opened(
        OpenedDevice(
          name: pcm.name, format: pcm.format, formatName: pcm.formatName, isAudible: !pcm.isPacedByClock,
          kind: pcm.isPacedByClock ? .unknown : pcm.kind),
        for: wish))
    return true
  }

  private func standIn(_ wish: DeviceWish, _ reason: String, firstTry: Int64) -> Bool {
    guard inside({ stage.begin(wish.format) }) != nil else { return false }
    let now = Clocks.monotonicMicroseconds()
    reset(StandIn(format: wish.format, now: now), wish)
    missingSince = missingSince ?? now
    nextTry = firstTry
    lastReason = reason
    send(.standsIn(reason: reason, for: wish))
    return true
  }

  private func reset(_ device: any SoundDevice, _ wish: DeviceWish) {
    self.device = device
    openFor = wish
    scout = nil
    watch = ConsumptionWatch()
    isAtRest = false
    closingSince = nil
    starvedSince = nil
  }

  func close() {
    stage.promiseReturn(within: 1_000_000, now: Clocks.monotonicMicroseconds())
    device = nil
    openFor = nil
    missingSince = nil
    _ = inside { stage.mixer.releaseMusic() }
    isInterrupted = false
    send(.closed)
  }

  /// The device is gone: time is kept without it, and it is looked for.
  func lose(_ reason: String, wish: DeviceWish?) -> Bool {
    guard let played = inside({ stage.mixer.lose(holding: true) }) else { return false }
    send(.interrupted(reason: reason, musicPlayed: played))
    isInterrupted = true
    missingSince = nil
    lastReason = reason
    stage.promiseReturn(within: 100_000, now: Clocks.monotonicMicroseconds())
    // Blocks for ever where the server does not answer; then this output is abandoned.
    device = nil
    guard let wish else {
      close()
      return true
    }
    return standIn(wish, reason, firstTry: Clocks.monotonicMicroseconds() + 100_000)
  }

  // MARK: Serving

  private func serve(_ device: any SoundDevice, _ orders: Orders) -> Bool {
    let now = Clocks.monotonicMicroseconds()
    stage.promiseReturn(within: 1_000_000, now: now)
    strain.wakes(at: now)
    if device is StandIn, let wish = orders.wish, now >= nextTry || wish.names != openFor?.names {
      openFor?.others = wish.others
      openFor?.hung = wish.hung
      return open(wish)
    }
    if isAtRest {
      return stayAtRest(device, orders, now)
    }
    // One that has hung lately is back when its output is.
    if let scout, let wish = orders.wish, wish.hung[wish.device] == nil {
      scout.look(for: wish.device, wish.format, now: now, bell: stage.bell)
    }
    let queued = device.queued(now: now)
    if queued < 0 { return recover(device, code: queued, orders: orders) }
    let consumed = device.given - Int64(queued)
    if let fault = watch.observe(consumed: consumed, queued: queued, now: now) {
      return lose(fault, wish: orders.wish)
    }
    let line = device.line(queued: queued, now: now, exactly: isRingNear(now))
    let heard = min(max(0, line.frame(at: now)), device.given)
    guard let state = look(heard: heard, now: now, moving: queued > 0) else { return false }
    for event in state.events { send(.mixer(event)) }
    if isInterrupted, watch.hasConsumed, !(device is StandIn) {
      isInterrupted = false
      guard inside({ stage.mixer.releaseMusic() }) != nil else { return false }
      send(.restored)
    }
    if let done = closeIfUnwanted(device, orders, state, heard: heard, now: now) { return done }
    if rests(device, orders, state, heard: heard, now: now) { return true }

    // Between two clips the device is looked at as often as under music: its time line is to be known soon.
    let busy = state.isBusy || closingSince != nil || orders.keepAlive.interval != nil
    let pace = Pace(device, busy: busy, margin: strain.margin)
    var left = pace.left(queued: queued, heard: heard, of: device)
    // A sound server takes frames in steps: half way down is near enough, or it would be asked again and again. More of a
    // track that is about to be replaced would only make a person wait.
    let middle = (pace.low + pace.top) / 2
    if left <= (state.awaitsSuccessor ? pace.low : middle) || device.given == 0 {
      if queued == 0, watch.hasConsumed, !watch.isPrepared, !device.isPacedByClock {
        stage.underruns.add(1, ordering: .relaxed)
      }
      let room = min((state.awaitsSuccessor ? middle : pace.top) - left, device.bufferFrames - queued)
      switch fill(device, from: queued, to: queued + room, on: line, now: now) {
      case .abandoned: return false
      case .failed(let code): return recover(device, code: code, orders: orders)
      case .filled(let count): left += count
      }
      device.startIfReady(now: now)
      if device.isPacedByClock, !(device is StandIn), !watch.toldSwallowing {
        watch.toldSwallowing = true
        send(.swallows)
      }
    }
    // What was decided is told at once, an end when it is heard.
    guard let after = look(heard: heard, now: now, moving: queued > 0) else { return false }
    for event in after.events { send(.mixer(event)) }
    var nap = microseconds(left - pace.low, device)
    if let end = after.nextEnd { nap = min(nap, microseconds(Int(end - heard), device)) }
    // A ring is placed on the device's line, which many answers make.
    if let beginning = state.nextBeginning, beginning - now < 10_000_000 { nap = min(nap, 100_000) }
    // Not in step with a server that asks for a period at once, which must be seen at every place between two of those: the
    // golden part of it.
    if !device.knowsItsLine { nap = min(nap, 29_000) }
    nap = max(nap, 5000)
    if closingSince != nil || (orders.wish == nil && !state.isBusy) { nap = min(nap, 50_000) }
    if !device.knowsItsLine, let beginning = state.nextBeginning, beginning - now < 2_000_000 {
      nap = min(nap, 20_000)
    }
    if device is StandIn { nap = min(nap, max(1000, nextTry - now)) }
    stage.promiseReturn(within: nap + 1_000_000, now: now)
    strain.sleeps(until: Clocks.monotonicMicroseconds() + nap)
    stage.bell.wait(microseconds: nap)
    return true
  }

  /// A ring is placed on the device's line, which many answers make.
  private func isRingNear(_ now: Int64) -> Bool {
    guard let beginning = inside({ stage.mixer.nextBeginning }) else { return true }
    return beginning.map { $0 - now < 10_000_000 } ?? false
  }

  private func microseconds(_ frames: Int, _ device: any SoundDevice) -> Int64 {
    Int64(frames) * 1_000_000 / Int64(device.format.rate)
  }

  struct Look {
    var isBusy: Bool
    var lastSound: Int64
    var nextBeginning: Int64?
    var nextEnd: Int64?
    var awaitsSuccessor: Bool
    var events: [MixerEvent]
  }

  private func look(heard: Int64, now: Int64, moving: Bool) -> Look? {
    inside {
      stage.mixer.heard(upTo: heard, now: now, moving: moving)
      return Look(
        isBusy: stage.mixer.isBusy, lastSound: stage.mixer.lastSound,
        nextBeginning: stage.mixer.nextBeginning, nextEnd: stage.mixer.nextEnd,
        awaitsSuccessor: stage.mixer.awaitsSuccessor, events: stage.mixer.takeEvents())
    }
  }

  private func flushMixer() {
    let events = inside { () -> [MixerEvent] in
      stage.mixer.settle()
      return stage.mixer.takeEvents()
    }
    for event in events ?? [] { send(.mixer(event)) }
  }

  private enum Filled {
    case filled(Int)
    case failed(Int)
    case abandoned
  }

  private func fill(_ device: any SoundDevice, from queued: Int, to top: Int, on line: TimeLine, now: Int64)
    -> Filled
  {
    var count = 0
    while queued + count < top {
      if device.room < Mixer.quantum {
        let code = device.flush()
        if code < 0 { return code == -Int(EAGAIN) ? .filled(count) : .failed(code) }
      }
      // What is given to an empty device now is heard now, whatever the line says.
      let at = max(line.instant(ofFrame: device.given), now)
      // Where decoding is behind, what is queued gives it time.
      let isEnough = queued + count > device.format.frames(0.06)
      var frames = min(device.room, top - queued - count)
      let step = inside { () -> Stage.Rendered? in
        frames = min(frames, stage.mixer.step)
        starvedSince = stage.mixer.starves(frames: frames, heardAt: at) ? starvedSince ?? now : nil
        if isEnough, let since = starvedSince, now - since < 500_000 { return nil }
        return stage.render(into: scratch, frames: frames, heardAt: at)
      }
      guard let step else { return .abandoned }
      guard let rendered = step else { break }
      device.give(
        scratch, frames: frames, dither: !rendered.isExact && !rendered.isSilent,
        leastBits: rendered.leastBits)
      count += frames
      stage.framesWritten.add(frames, ordering: .relaxed)
    }
    let code = device.flush()
    return code < 0 && code != -Int(EAGAIN) ? .failed(code) : .filled(count)
  }
}
