import Platform

/// Locks at logind against idling, sleeping and the closed lid, and word of sleep (`org.freedesktop.login1.Manager`;
/// systemd's “Inhibitor Locks”).
///
/// One lock a kind, each a descriptor that ends with us, whatever becomes of us. A refusal (an ssh session may not block
/// sleep) is told and otherwise taken for what it is. Taken again where another logind has come. On the loop's thread.
public final class Logind {
  public enum What: String, Sendable, CaseIterable {
    case idle, sleep
    case lid = "handle-lid-switch"
  }

  public enum Mode: String, Sendable { case block, delay }

  public enum Event: Sendable, Equatable {
    /// The machine is about to sleep; it waits (some seconds at most) until `readyToSleep` is called.
    case sleeping
    case woke
    /// A lock was taken, given back or refused, or `facts` are others.
    case changed
  }

  let bus: Bus
  private let told: (Event) -> Void
  private var watch: NameWatch?
  private var sleepMatch: SignalMatch?
  private var locks: [What: InhibitorLock] = [:]
  private var delay: InhibitorLock?
  private var isSleeping = false
  /// What it last said of sleep and the lid; nil: nobody has answered.
  public private(set) var facts: SleepFacts?

  static let name = "org.freedesktop.login1"
  static let manager = BusTarget(name, "/org/freedesktop/login1", "org.freedesktop.login1.Manager")

  public init(_ system: Bus, _ told: @escaping (Event) -> Void) {
    (bus, self.told) = (system, told)
    watch = NameWatch(system, Logind.name) { [weak self] in self?.ownerChanged($0) }
  }

  /// Somebody is there to ask.
  public var isServed: Bool { watch?.owner != nil }
  /// It is known whether somebody is there, and what there was to ask has been answered.
  public var isSettled: Bool { (watch?.isSettled ?? true) && !isAsking }
  var isAsking = false

  /// From here on `sleeping` and `woke` are told, and sleep waits for `readyToSleep`. `reason` is shown to people.
  public func watchSleep(reason: String) {
    guard delay == nil else { return }
    let lock = InhibitorLock(bus, .sleep, .delay, reason)
    lock.changed = { [weak self] in self?.told(.changed) }
    delay = lock
    takeDelay()
  }

  /// What is to be locked from now on; what is not named is given back. The new lock is held before the old one goes.
  public func hold(_ wanted: [What: Mode], reason: String) {
    var isOther = false
    for what in What.allCases {
      let old = locks[what]
      guard let mode = wanted[what] else {
        locks[what] = nil
        isOther = isOther || old != nil
        continue
      }
      if old?.mode == mode { continue }
      let lock = InhibitorLock(bus, what, mode, reason)
      lock.before = old
      lock.changed = { [weak self] in self?.told(.changed) }
      locks[what] = lock
      isOther = true
      if isServed { lock.take() }
    }
    if isOther { told(.changed) }
  }

  /// What is wanted, and what came of it; without the delay lock of `watchSleep`.
  public var states: [InhibitorState] {
    What.allCases.compactMap { what in
      locks[what].map {
        InhibitorState(
          what: what.rawValue, mode: $0.mode.rawValue, by: "logind", isHeld: $0.isHeld,
          refused: $0.refusal ?? (isServed || $0.isHeld ? nil : "there is no logind on the system bus"))
      }
    }
  }

  /// Whether sleep waits for us.
  public var delaysSleep: Bool { delay?.isHeld ?? false }

  /// All is done that had to be done before sleeping.
  public func readyToSleep() {
    if isSleeping { delay?.release() }
  }

  /// Why there is no such lock; nil where there is one, or nobody has answered yet.
  public var delayRefusal: String? { delay?.refusal }

  /// Gives everything back.
  public func close() {
    locks = [:]
    delay = nil
    sleepMatch = nil
    watch = nil
  }

  private func ownerChanged(_ owner: String?) {
    sleepMatch = nil
    facts = nil
    // Whoever announced sleep has gone, and nobody is left who would say that it is over.
    if isSleeping {
      isSleeping = false
      told(.woke)
    }
    guard owner != nil else { return told(.changed) }
    takeDelay()
    for lock in locks.values { lock.take() }
    ask()
  }

  func tell(_ facts: SleepFacts) {
    self.facts = facts
    told(.changed)
  }

  /// The lock first and the signal then, so that no sleep is announced that would not wait.
  private func takeDelay() {
    guard let delay, isServed else { return }
    delay.take { [weak self] in
      guard let self, sleepMatch == nil, isServed else { return }
      sleepMatch = SignalMatch(
        bus, from: Logind.name, path: Logind.manager.path, interface: Logind.manager.interface,
        member: "PrepareForSleep"
      ) { [weak self] signal in
        guard let self, signal.sender == watch?.owner, let isStart = signal[0]?.truth else { return }
        prepare(isStart)
      }
    }
  }

  private func prepare(_ isStart: Bool) {
    guard isStart != isSleeping else { return }
    isSleeping = isStart
    if isStart { return told(.sleeping) }
    delay?.take()
    told(.woke)
  }
}

/// One lock: the descriptor, the refusal, or neither yet.
final class InhibitorLock {
  let what: Logind.What
  let mode: Logind.Mode
  /// Held until this one is, or is refused.
  var before: InhibitorLock?
  var changed: () -> Void = {}
  private(set) var refusal: String?
  private let bus: Bus
  private let reason: String
  private var descriptor: Descriptor?
  /// Counts what was asked, so that a late answer to an old question is given back at once.
  private var question = 0

  init(_ bus: Bus, _ what: Logind.What, _ mode: Logind.Mode, _ reason: String) {
    (self.bus, self.what, self.mode, self.reason) = (bus, what, mode, reason)
  }

  var isHeld: Bool { descriptor != nil }

  func take(then done: @escaping () -> Void = {}) {
    question += 1
    let asked = question
    bus.call(
      Logind.manager, "Inhibit",
      [
        .string(what.rawValue), .string("Reveille"), .string(clean(reason, atMost: 200)),
        .string(mode.rawValue),
      ]
    ) { [weak self] result in
      guard let self, asked == question else { return }
      before = nil
      switch result {
      case .success(let reply):
        // One that logind's predecessor gave is of no use to this one.
        if case .descriptor(let passed)? = reply[0] {
          (descriptor, refusal) = (passed.descriptor, nil)
        } else {
          (descriptor, refusal) = (nil, BusError.wrongAnswer.description)
        }
      case .failure(let error):
        // Without a bus nothing was refused; it is asked again when there is one.
        if error == .disconnected { break }
        (descriptor, refusal) = (nil, error.description)
      }
      changed()
      done()
    }
  }

  func release() {
    question += 1
    descriptor = nil
    changed()
  }
}
