import Platform

/// A transient timer of systemd's user manager that wakes the sleeping machine (`WakeSystem=yes`, systemd.timer(5)).
///
/// Before version 254 the user manager may not set such timers, and is not asked. A start counts only once the manager
/// says that its job is done. The timer starts nothing but a shell with nothing to do. On the loop's thread.
public final class WakeTimer {
  /// Why it cannot be used; nil: it can, as far as is known.
  public private(set) var problem: String? = WakeTimer.nobody
  private let bus: Bus
  private let changed: () -> Void
  private var watch: NameWatch?
  private var removed: SignalMatch?
  private var deadline: TimerSource?
  private var isAsking = false
  /// The unit that is being started, and who is told.
  private var pending: (unit: String, done: (String?) -> Void)?
  /// The unit that holds.
  private var unit: String?

  static let leastVersion = 254
  private static let nobody = "there is no systemd user manager on the session bus"
  private static let name = "org.freedesktop.systemd1"
  private static let path = "/org/freedesktop/systemd1"
  private static let manager = BusTarget(name, path, "org.freedesktop.systemd1.Manager")
  private static let properties = "org.freedesktop.DBus.Properties"
  /// A manager that takes longer to start a timer hangs.
  private static let patience: Int64 = 10_000_000

  /// `changed` is called when another manager answers, or none any more: `problem` is worked out then, and what was held
  /// is no longer known to hold.
  public init(_ session: Bus, changed: @escaping () -> Void) throws(SystemError) {
    (bus, self.changed) = (session, changed)
    deadline = try TimerSource(session.loop, .monotonic) { [weak self] in
      self?.end("systemd does not say whether its timer was started")
    }
    removed = SignalMatch(
      session, from: WakeTimer.name, path: WakeTimer.path, interface: WakeTimer.manager.interface,
      member: "JobRemoved"
    ) { [weak self] signal in
      guard let self, signal.sender == watch?.owner, let unit = signal[2]?.text, unit == pending?.unit,
        let result = signal[3]?.text
      else { return }
      end(result == "done" ? nil : "systemd could not start its timer (\(clean(result, atMost: 60)))")
    }
    watch = NameWatch(session, WakeTimer.name) { [weak self] in self?.ownerChanged($0) }
  }

  /// It is known whether it can be used.
  public var isSettled: Bool { (watch?.isSettled ?? true) && !isAsking }

  /// Has the machine woken at that instant (CLOCK_REALTIME, µs, cut to whole seconds), in the place of any before; `done`
  /// is called once, with the reason where it will not.
  public func start(at microseconds: Int64, done: @escaping (String?) -> Void) {
    end("another time is wanted")
    guard let owner = watch?.owner, problem == nil else { return done(problem ?? WakeTimer.nobody) }
    let seconds = microseconds / 1_000_000
    let unit = "reveille-wake-\(seconds).timer"
    if unit == self.unit { return done(nil) }
    pending = (unit, done)
    deadline?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + WakeTimer.patience)
    bus.call(WakeTimer.manager, "StartTransientUnit", WakeTimer.arguments(unit, seconds), starting: false) {
      [weak self] result in
      guard let self, owner == watch?.owner, pending?.unit == unit, case .failure(let error) = result else {
        return
      }
      // Left behind by an engine that was killed: it wakes the machine just as well.
      if error.name == "org.freedesktop.systemd1.UnitExists" { return adopt(unit) }
      end("systemd refuses a timer: \(error)")
    }
  }

  /// Lets it go.
  public func stop() {
    end("it is no longer wanted")
    if let unit { stop(unit) }
    unit = nil
  }

  private func stop(_ unit: String) {
    bus.call(WakeTimer.manager, "StopUnit", [.string(unit), .string("replace")], starting: false)
  }

  private func end(_ problem: String?) {
    deadline?.disarm()
    guard let pending else { return }
    self.pending = nil
    if problem == nil {
      // The new one holds before the old one goes.
      if let unit { stop(unit) }
      unit = pending.unit
    }
    pending.done(problem)
  }

  private func adopt(_ unit: String) {
    bus.call(WakeTimer.manager, "GetUnit", [.string(unit)], starting: false) { [weak self] result in
      guard let self, pending?.unit == unit else { return }
      guard case .success(let reply) = result, let path = reply[0]?.text else {
        return end("systemd has such a timer and does not show it")
      }
      bus.call(
        BusTarget(WakeTimer.name, path, WakeTimer.properties), "Get",
        [.string("org.freedesktop.systemd1.Unit"), .string("ActiveState")], starting: false
      ) { [weak self] result in
        guard let self, pending?.unit == unit else { return }
        guard case .success(let reply) = result, reply[0]?.text == "active" else {
          return end("systemd has such a timer, which is not active")
        }
        end(nil)
      }
    }
  }

  private func ownerChanged(_ owner: String?) {
    unit = nil
    problem = WakeTimer.nobody
    end(WakeTimer.nobody)
    isAsking = owner != nil
    guard isAsking else { return changed() }
    bus.call(
      BusTarget(WakeTimer.name, WakeTimer.path, WakeTimer.properties), "Get",
      [.string(WakeTimer.manager.interface), .string("Version")], starting: false
    ) { [weak self] result in
      guard let self, owner == watch?.owner else { return }
      isAsking = false
      problem = WakeTimer.problem(with: result)
      changed()
    }
  }

  private static func problem(with result: Result<Received, BusError>) -> String? {
    switch result {
    case .failure(let error): return "systemd does not say its version: \(error)"
    case .success(let reply):
      // `254.5-1~deb13u1`, `v246`
      let text = reply[0]?.text ?? ""
      let digits = text.drop { !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
      guard let version = Int(digits) else {
        return "systemd's version is “\(clean(text, atMost: 60))”, which says nothing"
      }
      guard version < leastVersion else { return nil }
      return
        "systemd \(version) lets no user's timer wake the machine; \(leastVersion) and later do"
    }
  }

  /// `ssa(sv)a(sa(sv))`: the unit, what becomes of others of its name, its properties, and those of the service it starts.
  private static func arguments(_ unit: String, _ seconds: Int64) -> [BusValue] {
    func properties(_ pairs: [(String, BusValue)]) -> BusValue {
      .array(of: "(sv)", pairs.map { .structure([.string($0.0), .variant($0.1)]) })
    }
    let why = "Wakes the machine for an alarm"
    let service = unit.dropLast(".timer".count) + ".service"
    let command: BusValue = .structure([.string("/bin/sh"), .strings(["/bin/sh", "-c", ":"]), .bool(false)])
    return [
      .string(unit), .string("replace"),
      properties([
        ("Description", .string(why)),
        (
          "TimersCalendar",
          .array(of: "(ss)", [.structure([.string("OnCalendar"), .string("@\(seconds)")])])
        ),
        ("WakeSystem", .bool(true)), ("AccuracyUSec", .uint64(1)), ("RemainAfterElapse", .bool(false)),
        // One that could not be started stands in the way of no other.
        ("CollectMode", .string("inactive-or-failed")),
      ]),
      .array(
        of: "(sa(sv))",
        [
          .structure([
            .string(String(service)),
            properties([
              ("Description", .string(why)), ("ExecStart", .array(of: "(sasb)", [command])),
            ]),
          ])
        ]),
    ]
  }
}
