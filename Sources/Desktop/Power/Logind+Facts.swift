/// What logind says of sleep and the lid (org.freedesktop.login1(5)); what it does not say is nil.
public struct SleepFacts: Equatable, Sendable {
  /// `yes`, `challenge` (after a password), `no` (not allowed to us), `na` (the machine cannot).
  public var canSuspend: String?
  /// What the closed lid does: `suspend`, `ignore`, `lock` and so on; and the same on mains power (empty: as before) and
  /// in a dock.
  public var handleLidSwitch: String?
  public var handleLidSwitchExternalPower: String?
  public var handleLidSwitchDocked: String?
  public var isLidClosed: Bool?
  public var isOnExternalPower: Bool?
  public var isDocked: Bool?

  public init() {}

  /// The machine can be sent to sleep: by whoever asks, or by its lid, which asks nobody. Where logind does not say whether
  /// it can, because it refuses to answer, it may.
  public var canSleep: Bool { canSuspend != "na" }
}

extension Logind {
  /// Asks for `facts` anew, of which logind tells no change; `done` is called once they are there, or nobody answers.
  public func ask(then done: @escaping () -> Void = {}) {
    guard isServed else { return done() }
    isAsking = true
    var facts = SleepFacts()
    bus.call(Logind.manager, "CanSuspend") { [weak self] result in
      if case .success(let reply) = result { facts.canSuspend = reply[0]?.text }
      guard let self else { return done() }
      guard isServed else {
        isAsking = false
        return done()
      }
      let properties = BusTarget(Logind.name, Logind.manager.path, "org.freedesktop.DBus.Properties")
      bus.call(properties, "GetAll", [.string(Logind.manager.interface)]) { [weak self] result in
        if case .success(let reply) = result { facts.take(reply[0]) }
        guard let self else { return done() }
        isAsking = false
        if isServed, facts != self.facts { tell(facts) }
        done()
      }
    }
  }
}

extension SleepFacts {
  fileprivate mutating func take(_ values: BusValue?) {
    handleLidSwitch = values?[key: "HandleLidSwitch"]?.text
    handleLidSwitchExternalPower = values?[key: "HandleLidSwitchExternalPower"]?.text
    handleLidSwitchDocked = values?[key: "HandleLidSwitchDocked"]?.text
    isLidClosed = values?[key: "LidClosed"]?.truth
    isOnExternalPower = values?[key: "OnExternalPower"]?.truth
    isDocked = values?[key: "Docked"]?.truth
  }
}
