import Core
import Desktop
import Platform
import Schedule
import Wire

/// Everything known of the machine's sleep and power, for whoever judges whether the next alarm will be heard.
///
/// A value, made on the loop's thread: `AlarmEngine.powerFacts` is what is known now, `AlarmEngine.askPower` asks first
/// those who tell of no change (logind of the lid, the kernel of the battery).
struct PowerFacts: Sendable {
  /// What logind says of sleep and the lid; nil: there is no logind. `sleep?.canSuspend` is its `CanSuspend`,
  /// `sleep?.handleLidSwitch` and its neighbours what the closed lid does, and `isLidClosed`, `isOnExternalPower` and
  /// `isDocked` how things are.
  var sleep: SleepFacts?
  /// Where the power comes from, and 0–100 of the batteries together; nil: nothing says, as on most desktop machines.
  var power: Power?
  /// What sees to it that the machine is awake for the next ring; nil: nothing does, or nothing is due.
  var wakeUp: Status.WakeUp?
  /// When the next ring, or a snooze's end, is due; nil: none is.
  var nextRing: Instant?
  /// Why each way to wake the machine does not work, by `clock`, `systemd` and `helper`; those that work, or were not
  /// needed, are missing.
  var wakeUpRefusals: [WakeUp.Way: String] = [:]
  /// No way to wake the machine works.
  var cannotWake = false
  /// The machine has a clock that wakes it, which only a helper with its capability would be allowed to set.
  var lacksHelper = false
  /// The locks that are wanted, each held or refused with its reason.
  var inhibitors: [InhibitorState] = []
  /// Sleep waits until the audio device is closed; and why not, where that was refused.
  var delaysSleep = false
  var delayRefusal: String?

  /// The machine can be sent to sleep; nil: nobody says.
  var canSleep: Bool? { sleep?.canSleep }
  /// What the closed lid does as things are now (logind.conf(5), `HandleLidSwitch`); nil: nobody says.
  var lidAction: String? {
    guard let sleep else { return nil }
    if sleep.isDocked == true, let docked = sleep.handleLidSwitchDocked { return docked }
    if sleep.isOnExternalPower == true, let mains = sleep.handleLidSwitchExternalPower, !mains.isEmpty {
      return mains
    }
    return sleep.handleLidSwitch
  }
  /// Why nothing wakes it, as a part of a sentence.
  var whyNothingWakes: String {
    let reasons = WakeUp.Way.allCases.compactMap { wakeUpRefusals[$0] }.filter { $0 != WakeHelper.neither }
    guard let last = reasons.last else { return "" }
    return reasons.count == 1 ? last : reasons.dropLast().joined(separator: ", ") + ", and " + last
  }
  /// The next ring will be slept through, as far as is known: the machine can sleep, and nothing wakes it.
  var sleepsThrough: Bool { canSleep == true && cannotWake && wakeUp == nil }
}

extension AlarmEngine {
  /// What is known now.
  var powerFacts: PowerFacts {
    var facts = PowerFacts()
    facts.sleep = inhibitors.sleepFacts
    facts.power = inhibitors.power
    facts.wakeUp = wakeUpStatus
    facts.nextRing = surroundings.nextAlarm?.at
    facts.wakeUpRefusals = wakeUps.refusals
    facts.cannotWake = wakeUps.isImpossible
    facts.lacksHelper = wakeUps.lacksHelper
    facts.inhibitors = inhibitors.states
    (facts.delaysSleep, facts.delayRefusal) = (inhibitors.delaysSleep, inhibitors.delayRefusal)
    return facts
  }

  /// The same, asked anew; `done` is called on the loop, some seconds later at most where a service hangs.
  func askPower(then done: @escaping (PowerFacts) -> Void) {
    inhibitors.ask { [weak self] in
      guard let self else { return }
      done(powerFacts)
    }
  }

  /// What sees to it that the machine is awake for the next ring.
  var wakeUpStatus: Status.WakeUp? {
    let zone = now.zone
    if let armed = wakeUps.armed {
      return Status.WakeUp(by: armed.by.rawValue, at: armed.at.iso(in: zone))
    }
    let isBlocked = inhibitors.states.contains { $0.what == "sleep" && $0.mode == "block" && $0.isHeld }
    guard settings.awake.untilAlarm == .block, isBlocked, let next = surroundings.nextAlarm else {
      return nil
    }
    return Status.WakeUp(by: "block", at: next.at.iso(in: zone))
  }
}
