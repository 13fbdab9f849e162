import Core
import Desktop
import Glibc
import Platform
import Schedule

/// Sees to it that the sleeping machine is woken for the next ring, by the first way that works: a timer of our own on the
/// machine's clock, one of systemd's, or one of a helper's. On the loop's thread.
final class WakeUpKeeper {
  private let loop: EventLoop
  private let changed: () -> Void
  private var choice = WakeUp()
  private var systemd: WakeTimer?
  private var helper: WakeHelper?
  /// On CLOCK_REALTIME_ALARM, as long as it is wanted.
  private var clock: TimerSource?
  /// When the machine is to be awake at the latest the next one is chosen, whichever way it was woken.
  private var passing: TimerSource?
  private var ring: Instant?

  /// `changed` is called when `armed` or `refusals` is another. SIGCHLD must be blocked, for the helper's end.
  init(
    _ loop: EventLoop, session: Bus, _ workers: Workers, _ paths: Paths, changed: @escaping () -> Void
  ) throws(SystemError) {
    (self.loop, self.changed) = (loop, changed)
    passing = try TimerSource(loop, .wall, accuracy: 1_000_000) { [weak self] in self?.look() }
    systemd = try WakeTimer(session) { [weak self] in self?.systemdChanged() }
    let places = [paths.ownWakeHelper, paths.sharedWakeHelper].compactMap { $0 }
    helper = try WakeHelper(loop, workers, places) { [weak self] in self?.helperChanged() }
    // Known before the first alarm is added, so that whoever adds it can be told.
    do throws(SystemError) {
      _ = try TimerSource(loop, .wakingWall) {}
    } catch {
      refuseClock(error)
    }
    if let problem = systemd?.problem { tell(.refused(.systemd, why: problem, isLasting: true)) }
    tryHelper()
  }

  /// What wakes the machine, and when; nil: nothing does, or nothing is due.
  var armed: WakeUp.Armed? { choice.armed }
  /// Why the ways that do not work do not.
  var refusals: [WakeUp.Way: String] { choice.refusals }
  /// No way works.
  var isImpossible: Bool { choice.isImpossible }
  /// Every way that was asked has answered.
  var isSettled: Bool {
    choice.isSettled && (systemd?.isSettled ?? true) && (helper?.isSettled ?? true)
  }
  /// The machine has a clock that wakes it, and nothing may set it: a helper with its capability would do.
  var lacksHelper: Bool { isImpossible && Clocks.canWake }

  /// The next ring, or snooze's end, is due then.
  func setRing(_ ring: Instant?) {
    self.ring = ring
    tell(.ring(ring))
  }

  /// Time has passed, or the clock was set.
  func look() { tell(.ring(ring)) }

  /// Lets go of what it holds.
  func close() {
    setRing(nil)
    (systemd, helper) = (nil, nil)
    passing?.disarm()
  }

  private func tell(_ event: WakeUp.Event) {
    let (armed, refusals, settled) = (choice.armed, choice.refusals, choice.isSettled)
    let now = Instant(microseconds: Clocks.wallMicroseconds())
    for effect in choice.handle(event, at: now) {
      switch effect {
      case .arm(.clock, let instant): armClock(instant)
      case .arm(.systemd, let instant): armSystemd(instant)
      case .disarm(.clock): clock = nil
      case .disarm(.systemd): systemd?.stop()
      case .arm(.helper, let instant): armHelper(instant)
      case .disarm(.helper): helper?.stop()
      }
    }
    if choice.armed != armed {
      if let next = choice.armed {
        passing?.arm(atMicroseconds: next.at.microseconds + 100_000)
        Log.debug("\(next.by.words) wakes the machine at \(next.at)")
      } else {
        passing?.disarm()
      }
    }
    if choice.armed != armed || choice.refusals != refusals || choice.isSettled != settled { changed() }
  }

  private func armClock(_ instant: Instant) {
    do throws(SystemError) {
      if clock == nil { clock = try TimerSource(loop, .wakingWall) { [weak self] in self?.look() } }
      clock?.arm(atMicroseconds: instant.microseconds)
      tell(.armed(.clock, instant))
    } catch {
      refuseClock(error)
    }
  }

  private func refuseClock(_ error: SystemError) {
    // Neither the machine's clock nor what we are allowed comes while we run.
    tell(.refused(.clock, why: WakeUpKeeper.sentence(error), isLasting: true))
  }

  static func sentence(_ error: SystemError) -> String {
    switch error.code {
    case EOPNOTSUPP: "the machine has no clock that wakes it"
    case EPERM: "the engine may not set the machine's clock to wake it (CAP_WAKE_ALARM)"
    default: error.description
    }
  }

  private func armSystemd(_ instant: Instant) {
    guard let systemd else {
      return tell(.refused(.systemd, why: "the engine ends", isLasting: true))
    }
    systemd.start(at: instant.microseconds) { [weak self] problem in
      guard let self, choice.isAsked(.systemd, for: instant) else { return }
      guard let problem else { return tell(.armed(.systemd, instant)) }
      tell(.refused(.systemd, why: problem, isLasting: self.systemd?.problem != nil))
    }
  }

  private func armHelper(_ instant: Instant) {
    guard let helper else { return tell(.refused(.helper, why: "the engine ends", isLasting: true)) }
    helper.start(at: instant.microseconds) { [weak self] problem in
      guard let self, choice.isAsked(.helper, for: instant) else { return }
      guard let problem else { return tell(.armed(.helper, instant)) }
      tell(.refused(.helper, why: problem, isLasting: self.helper?.problem != nil))
    }
  }

  /// Whether the helper does it is known before the first alarm is added, where the engine itself does not.
  private func tryHelper() {
    guard choice.refusals[.clock] != nil else { return }
    helper?.probe { [weak self] problem in
      guard let self else { return }
      if let problem { tell(.refused(.helper, why: problem, isLasting: true)) }
      restHelper()
      // Whoever waits until everything has answered.
      changed()
    }
  }

  private func helperChanged() {
    let problem = helper?.problem
    // One that goes on being of no use is no news for whoever is kept from sleeping instead.
    if problem == nil || choice.armed?.by == .helper { tell(.changed(.helper)) }
    if let problem { tell(.refused(.helper, why: problem, isLasting: true)) }
    restHelper()
  }

  /// It runs only as long as it holds something.
  private func restHelper() {
    guard let helper, helper.isSettled, choice.armed?.by != .helper else { return }
    helper.stop()
  }

  private func systemdChanged() {
    tell(.changed(.systemd))
    if let problem = systemd?.problem { tell(.refused(.systemd, why: problem, isLasting: true)) }
  }
}

extension WakeUp.Way {
  /// For people.
  var words: String {
    switch self {
    case .clock: "the machine's clock"
    case .systemd: "a timer of systemd"
    case .helper: "the helper alarm-wake"
    }
  }
}
