import Core
import Desktop
import Platform
import Schedule
import Wire

// The machine's sleep: the locks against it, falling asleep and waking, and being woken.
extension AlarmEngine {
  /// How far the machine is on its way to sleep.
  enum Sleep {
    case awake
    /// It waits for the device to be closed.
    case closing
    /// It may sleep.
    case asleep
  }

  /// How long it waits for the device at most; and how long it may go on without sleeping, or saying that it woke
  /// (CLOCK_MONOTONIC, which stands still while it sleeps). In microseconds.
  private static let closingPatience: Int64 = 1_000_000
  private static let sleepPatience: Int64 = 30_000_000

  func inhibitorNews(_ news: InhibitorKeeper.News) {
    guard !isEnding else { return }
    switch news {
    case .sleeping: fallAsleep()
    case .woke: wake()
    case .changed, .power: powerWork.schedule()
    }
  }

  /// What may be locked, or what can wake the machine, may be another.
  func powerChanged() {
    guard !isEnding else { return }
    updateWakefulness()
    answerWaiting()
    statusChanged()
  }

  // MARK: Falling asleep and waking

  /// Everything is written down and the device closed before the machine sleeps.
  private func fallAsleep() {
    guard sleep == .awake else { return }
    Log.info("the machine goes to sleep")
    sleep = .closing
    notePosition()
    live(.suspending(true))
    keep([.player(player.state), .seen(Seen(now))])
    sleepWatch.arm(atMicroseconds: Clocks.monotonicMicroseconds() + AlarmEngine.closingPatience)
    ringOutputs.suspend { [weak self] in self?.mayAsleep() }
    publishStatus()
  }

  private func mayAsleep() {
    guard sleep == .closing else { return }
    sleep = .asleep
    sleepWatch.arm(atMicroseconds: Clocks.monotonicMicroseconds() + AlarmEngine.sleepPatience)
    inhibitors.readyToSleep()
  }

  /// The device does not close, or the machine neither sleeps nor says that it woke.
  func sleepIsOverdue() {
    switch sleep {
    case .awake: break
    case .closing:
      Log.warning("the sound device was not closed in time for the machine to sleep")
      mayAsleep()
    case .asleep:
      Log.warning("the machine said that it goes to sleep and did not")
      wake()
    }
  }

  /// The device is opened again as it was, and what was due meanwhile is judged.
  private func wake() {
    guard sleep != .awake else { return }
    Log.info("the machine is awake")
    sleep = .awake
    sleepWatch.disarm()
    ringOutputs.resume()
    live(.suspending(false))
    // Whether the lid is closed, of which logind tells no change.
    inhibitors.ask {}
    tick()
    statusChanged()
  }

  /// Without a bus nobody says that the machine slept; its clocks do.
  func noteSuspension() {
    let suspended = now.suspended
    let slept = Duration.microseconds(suspended - lastSuspended)
    // The two clocks are never read at once.
    guard slept > .seconds(1) else { return }
    lastSuspended = suspended
    Log.info("the machine slept for \(Span.text(slept))")
    // What is armed on the wall clock is armed anew, and what is asked of the power has grown old.
    wakeUps.look()
    inhibitors.ask {}
  }

  // MARK: Whether it will be woken

  /// Calls it once it is known whether something can wake the machine, at once as a rule; a second later at most.
  func whenPowerIsKnown(_ proceed: @escaping () -> Void) {
    guard !powerIsKnown else { return proceed() }
    if waiting.isEmpty { waitingSince = Clocks.monotonicMicroseconds() }
    waiting.append(proceed)
    powerWait.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 20_000)
  }

  private var powerIsKnown: Bool { wakeUps.isSettled && inhibitors.isSettled }

  /// Those who waited are answered, where it is known or took too long.
  func answerWaiting(atOnce: Bool = false) {
    guard !waiting.isEmpty else { return }
    let now = Clocks.monotonicMicroseconds()
    guard atOnce || powerIsKnown || now - waitingSince > 1_000_000 else {
      return powerWait.arm(atMicroseconds: now + 20_000)
    }
    let ready = waiting
    waiting = []
    for proceed in ready { proceed() }
  }

  /// What whoever adds an alarm is to know of a machine that may sleep through it.
  var sleepDoubts: [String] {
    let facts = powerFacts
    guard facts.sleepsThrough, facts.nextRing != nil else { return [] }
    let why = facts.whyNothingWakes
    if settings.awake.untilAlarm == .off {
      let helper = facts.lacksHelper ? "say “alarm install --wake-helper”, " : ""
      return [
        "if this machine sleeps, it sleeps through the alarm: \(why); \(helper)set awake.untilAlarm to “block”, or leave it on"
      ]
    }
    let refusals = facts.inhibitors.filter { $0.what == "sleep" }.compactMap(\.refused)
    guard let refused = refusals.first else { return [] }
    return [
      "if this machine sleeps, it sleeps through the alarm: \(why), and sleep cannot be blocked: \(refused)"
    ]
  }

  /// Answers with a change of alarms, and with what is to be doubted of their being heard.
  func reply(_ request: Request, _ answer: AlarmReply) {
    request.connection.openRequests += 1
    whenPowerIsKnown { [self] in
      var answer = answer
      answer.warnings += ringDoubts + backgroundDoubts + sleepDoubts
      request.reply(answer)
      request.connection.requestAnswered()
    }
  }
}
