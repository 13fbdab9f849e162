import Core
import Desktop
import Platform

/// The locks at the system: turns what `Wakefulness` wants held into locks at logind and at the session's services, hands
/// on word of sleep, and knows where the power comes from. On the loop's thread.
///
/// A refusal is shown and otherwise taken for what it is. Without a bus nothing is held, and everything else goes on; when
/// a bus comes (back), what is wanted is taken there.
final class InhibitorKeeper {
  enum News {
    /// The machine is about to sleep, and waits for `readyToSleep`.
    case sleeping
    case woke
    /// `states` or `sleepFacts` is another.
    case changed
    /// `power` is another.
    case power
  }

  /// How often the kernel is asked for the battery where UPower does not tell of it, in microseconds.
  private static let powerPause: Int64 = 60_000_000

  private let workers: Workers
  private let told: (News) -> Void
  private var logind: Logind?
  private var session: SessionInhibitors?
  private var source: PowerSource?
  private var powerTimer: TimerSource?
  /// What the kernel said last of the power; only where there is no UPower.
  private var ofKernel = PowerState()
  private var isAskingKernel = false
  private var goesByPower = false

  init(_ loop: EventLoop, session: Bus, system: Bus, _ workers: Workers, told: @escaping (News) -> Void)
    throws(SystemError)
  {
    (self.workers, self.told) = (workers, told)
    powerTimer = try TimerSource(loop, .boot, accuracy: 5_000_000) { [weak self] in self?.askKernel() }
    logind = Logind(system) { event in
      switch event {
      case .sleeping: told(.sleeping)
      case .woke: told(.woke)
      case .changed: told(.changed)
      }
    }
    // Held always, so that no sleep comes upon an open device.
    logind?.watchSleep(reason: "closes the audio device first")
    self.session = SessionInhibitors(session) { told(.changed) }
    source = PowerSource(system) { _ in told(.power) }
  }

  /// These are wanted, and no others.
  func hold(_ wanted: [Inhibitor]) {
    var modes: [Logind.What: Logind.Mode] = [:]
    for inhibitor in wanted { modes[Logind.What(inhibitor.what)] = Logind.Mode(inhibitor.mode) }
    var reasons: [String] = []
    for inhibitor in wanted where !reasons.contains(inhibitor.why) { reasons.append(inhibitor.why) }
    let reason = reasons.joined(separator: "; ")
    logind?.hold(modes, reason: reason)
    // A desktop knows no delay, and asks logind for the lid.
    session?.hold(
      .init(idle: modes[.idle] == .block, sleep: modes[.sleep] == .block), reason: reason)
  }

  /// What is wanted and what came of it, logind's first.
  var states: [InhibitorState] { (logind?.states ?? []) + (session?.states ?? []) }

  /// Whether sleep waits until the device is closed, and why not where that was refused.
  var delaysSleep: Bool { logind?.delaysSleep ?? false }
  var delayRefusal: String? { logind?.delayRefusal }

  func readyToSleep() { logind?.readyToSleep() }

  /// What logind last said of sleep and the lid; nil where nobody has answered.
  var sleepFacts: SleepFacts? { logind?.facts }
  /// It is known what logind says, or that there is none.
  var isSettled: Bool { logind?.isSettled ?? true }

  /// Asks logind and, where there is no UPower, the kernel anew; `done` is called when they have answered.
  func ask(then done: @escaping () -> Void) {
    let askLogind = { [weak self] in self?.logind?.ask(then: done) ?? done() }
    if source?.isServed ?? false { askLogind() } else { askKernel(then: askLogind) }
  }

  // MARK: Power

  /// Where the power comes from; nil where nothing says.
  var power: Power? {
    let state = source?.isServed ?? false ? source?.state ?? PowerState() : ofKernel
    return state.isOnBattery.map { Power(isOnBattery: $0, percent: state.percentage.map { Int($0) }) }
  }

  /// Whether anything goes by the power now: only then is the kernel asked again and again, where UPower is not there.
  func followPower(_ follows: Bool) {
    guard follows != goesByPower else { return }
    goesByPower = follows
    if follows { askKernel() } else { powerTimer?.disarm() }
  }

  private func askKernel(then done: @escaping () -> Void = {}) {
    if goesByPower {
      powerTimer?.arm(atMicroseconds: Clocks.bootMicroseconds() + InhibitorKeeper.powerPause)
    }
    guard !(source?.isServed ?? false), !isAskingKernel else { return done() }
    isAskingKernel = true
    workers.run("power") {
      PowerState.ofKernel()
    } then: { [weak self] state in
      guard let self else { return done() }
      isAskingKernel = false
      let isOther = state != ofKernel
      ofKernel = state
      if isOther { told(.power) }
      done()
    }
  }

  /// Gives everything back.
  func close() {
    powerTimer?.disarm()
    logind?.close()
    (logind, session, source) = (nil, nil, nil)
  }
}

extension Logind.What {
  fileprivate init(_ what: Inhibitor.What) {
    switch what {
    case .idle: self = .idle
    case .sleep: self = .sleep
    case .lid: self = .lid
    }
  }
}

extension Logind.Mode {
  fileprivate init(_ mode: Inhibitor.Mode) {
    switch mode {
    case .block: self = .block
    case .delay: self = .delay
    }
  }
}
