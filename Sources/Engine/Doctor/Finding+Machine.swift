import Core
import Desktop
import Platform
import Schedule

extension Finding {
  // MARK: Sleep

  /// Whether the machine is awake when the next alarm is due.
  static func wakeUp(_ sleep: PowerFacts, _ patient: Patient) -> Finding {
    let why = sleep.whyNothingWakes
    if sleep.canSleep == false { return .ok("wake-up", "the machine cannot be sent to sleep") }
    if let wakeUp = sleep.wakeUp {
      let at = Instant(iso: wakeUp.at).map { patient.shown($0) } ?? clean(wakeUp.at)
      if let way = WakeUp.Way(rawValue: wakeUp.by) {
        return .ok("wake-up", "\(way.words) wakes the sleeping machine at \(at)")
      }
      return .ok(
        "wake-up", "sleep is blocked until the alarm at \(at), because nothing could wake the machine")
    }
    guard sleep.cannotWake else {
      return .ok(
        "wake-up",
        sleep.nextRing == nil
          ? "the machine can be woken, and no alarm is known to be due"
          : "the next alarm is too near to sleep before it"
      )
    }
    guard sleep.canSleep == true else {
      return .ok(
        "wake-up",
        "nothing could wake the machine (\(why)), and there is no logind that would send it to sleep")
    }
    let helper = sleep.lacksHelper ? "say “alarm install --wake-helper”, which lets it be woken, or " : ""
    let advice =
      "\(helper)set awake.untilAlarm to block, which keeps it awake until the alarm, or do not let it sleep"
    guard sleep.nextRing != nil else {
      return .warn("wake-up", "nothing could wake the sleeping machine for an alarm: \(why)", advice: advice)
    }
    if patient.settings.awake.untilAlarm == .block {
      let refused = sleep.inhibitors.compactMap(\.refused).first.map { " (\($0))" } ?? ""
      return .fail(
        "wake-up", "nothing wakes the sleeping machine: \(why), and sleep is not blocked\(refused)",
        advice: "do not let it sleep before the alarm")
    }
    return .fail("wake-up", "if the machine sleeps, nothing wakes it for the alarm: \(why)", advice: advice)
  }

  static func lid(_ facts: MachineFacts) -> Finding {
    guard facts.power?.hasLid ?? facts.kernel.hasLid else { return .ok("lid", "no lid is known") }
    guard facts.sleep.sleep != nil else {
      return .ok("lid", "there is no logind that would act on a closed lid")
    }
    guard let action = facts.sleep.lidAction else {
      return .ok("lid", "logind does not say what a closed lid does")
    }
    guard action.contains("suspend") || action.contains("hibernate") || action.contains("sleep") else {
      return .ok("lid", "closing the lid does not send the machine to sleep (\(clean(action)))")
    }
    let isLocked = facts.sleep.inhibitors.contains { $0.what == Logind.What.lid.rawValue && $0.isHeld }
    if isLocked, facts.sleep.wakeUp?.by == "block" { return .ok("lid", "it is locked until the next alarm") }
    let sleeps = "closing the lid sends the machine to sleep (\(clean(action)))"
    guard facts.sleep.wakeUp != nil else { return .warn("lid", sleeps, advice: "leave it open") }
    return .warn(
      "lid", "\(sleeps), and not every machine can be woken while it is closed",
      advice: "leave it open, or try it once: “alarm timer 5m”, and close it")
  }

  static func inhibitors(_ facts: MachineFacts) -> Finding {
    guard let locks = facts.locks else {
      return .ok("inhibitors", "there is no logind to ask for a lock on sleep")
    }
    var refusals = locks.refusals.map { "a lock on \($0.what): \($0.why)" }
    if refusals.isEmpty {
      refusals = facts.sleep.inhibitors.compactMap { lock in
        lock.refused.map { "\(lock.by) refuses a lock on \(lock.what): \($0)" }
      }
      if let why = facts.sleep.delayRefusal {
        refusals.append("logind does not wait before it sleeps: \(why)")
      }
    } else {
      refusals[0] = "logind refuses \(refusals[0])"
    }
    guard refusals.isEmpty else {
      return .warn(
        "inhibitors", clean(refusals.joined(separator: "; ")),
        advice:
          "start the engine from a session at the machine, or allow it org.freedesktop.login1.inhibit-* in polkit"
      )
    }
    let names = locks.wanted.map(\.rawValue).joined(separator: ", ")
    return .ok(
      "inhibitors",
      names.isEmpty
        ? "the settings ask for no lock on sleep" : "logind gives the locks that are needed (\(names))")
  }

  // MARK: Power

  static func battery(_ facts: MachineFacts, until alarm: Duration?) -> Finding {
    let power = facts.power ?? MachinePower(facts.kernel.power)
    guard let share = power.percentage.map({ Int($0.rounded()) }) else {
      return .ok("battery", "no battery is known")
    }
    guard power.isOnBattery == true else { return .ok("battery", "on mains, the battery is at \(share) %") }
    guard let alarm else { return .ok("battery", "at \(share) %, and no alarm is due") }
    let advice = "connect it to the mains before the night"
    if let left = power.timeToEmpty {
      let lasts = "at \(share) % it lasts another \(hours(left)), and the alarm is due in \(hours(alarm))"
      if left < alarm { return .fail("battery", lasts, advice: advice) }
      return left < alarm * 5 / 4 ? .warn("battery", lasts, advice: advice) : .ok("battery", lasts)
    }
    let unknown = "at \(share) %, and nobody says how long that lasts"
    if share < 10 { return .fail("battery", unknown, advice: advice) }
    return share < 30 ? .warn("battery", unknown, advice: advice) : .ok("battery", unknown)
  }

  private static func hours(_ span: Duration) -> String {
    let minutes = max(0, Int(span.inSeconds / 60))
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  // MARK: After logout

  /// Only where there is a card at all; else there are no rights to have.
  static func rights(_ facts: MachineFacts) -> Finding? {
    guard let card = facts.kernel.cards.first else { return nil }
    if facts.kernel.isRoot { return .ok("rights", "root may always use the sound card") }
    if facts.kernel.cards.allSatisfy(\.isOurs) {
      return .ok("rights", "the group “\(clean(card.group))” may use the sound card, logged in or not")
    }
    if facts.person?.isAtSeat == true {
      return .ok("rights", "the sound card may be used as long as you are logged in at the machine")
    }
    return .warn(
      "rights", "without a session at the machine the sound card may not be used",
      advice:
        "“sudo usermod -aG \(clean(card.group)) \(clean(facts.kernel.user))” allows it always, from the next login on"
    )
  }

  /// Only for a service of the person's own systemd, which ends with the last logout.
  static func linger(_ facts: MachineFacts, _ isUserService: Bool) -> Finding? {
    guard isUserService else { return nil }
    if facts.person?.lingers ?? facts.kernel.lingers {
      return .ok("linger", "the engine goes on after the last logout")
    }
    return .warn(
      "linger", "the engine ends with the last logout",
      advice: "“loginctl enable-linger” lets it go on")
  }

  // MARK: Buses

  static func buses(missing: [Bus]) -> Finding {
    guard !missing.isEmpty else { return .ok("bus", "both buses answer") }
    let words = missing.map { bus in
      let place = bus.place.map { " at “\($0)”" } ?? ""
      let loss =
        bus.kind == .session
        ? "nothing is shown on the desktop" : "nobody tells of sleep, and nothing can be kept from sleeping"
      return "there is no \(bus.kind.rawValue) bus\(place), so \(loss)"
    }
    return .warn(
      "bus", words.joined(separator: "; "),
      advice: missing.contains { $0.kind == .session }
        ? "start the engine from within a session, with DBUS_SESSION_BUS_ADDRESS set"
        : "install dbus and start it")
  }

  static func notifications(_ isThere: Bool) -> Finding {
    isThere
      ? .ok("notifications", "a notification server is there")
      : .warn(
        "notifications", "there is no notification server, so a ring is heard and not shown",
        advice: "start one with the session, such as dunst or mako")
  }
}
