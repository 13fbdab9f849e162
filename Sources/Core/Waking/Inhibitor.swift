import Schedule

/// A lock that is wanted at the system while a lease asks for it; one of each kind.
public struct Inhibitor: Hashable, Sendable {
  /// logind's names (org.freedesktop.login1, `Inhibit`).
  public enum What: String, Hashable, Sendable, CaseIterable {
    case idle, sleep
    case lid = "handle-lid-switch"
  }
  public enum Mode: String, Hashable, Sendable, CaseIterable { case block, delay }

  public var what: What
  public var mode: Mode
  /// For people: what it is held for.
  public var why: String
  var kind: [String] { [what.rawValue, mode.rawValue] }

  public init(_ what: What, _ mode: Mode, why: String) {
    (self.what, self.mode, self.why) = (what, mode, why)
  }
}

/// Where the machine's power comes from.
public struct Power: Hashable, Sendable {
  public var isOnBattery: Bool
  /// Of all batteries together, 0–100; nil where none says.
  public var percent: Int?

  public init(isOnBattery: Bool, percent: Int? = nil) {
    (self.isOnBattery, self.percent) = (isOnBattery, percent)
  }
}

extension Wakefulness {
  /// The locks that the leases ask for, as the settings and the power allow.
  func wantedInhibitors() -> [Inhibitor] {
    guard settings.awake.onBattery.allows(surroundings.power) else { return [] }
    let asking = leases.filter { $0.kinds.contains(Lease.system) }
    guard let first = asking.first else { return [] }
    var wanted: [Inhibitor] = []
    // A screen may go dark while the machine only waits for the morning.
    let attended = asking.contains { $0.id != own[.untilAlarm] }
    if settings.awake.idle == .block, attended { wanted.append(Inhibitor(.idle, .block, why: first.purpose)) }
    // Music alone keeps the machine only from thinking that nobody is there.
    let sleepless = asking.filter { $0.id != own[.music] }
    if let lease = sleepless.first {
      let sleep = settings.awake.sleep
      // To sleep a moment later is of no use to what rings, or comes back from a snooze.
      let isBlocked = own[.untilAlarm] != nil || (sleep != .off && own[.ringing] != nil)
      if isBlocked || sleep != .off {
        let mode = isBlocked || sleep == .block ? Inhibitor.Mode.block : .delay
        wanted.append(Inhibitor(.sleep, mode, why: lease.purpose))
      }
      // A closed lid ignores a lock on sleep, and half a minute after waking it sends the machine to sleep again. One that
      // is closed while it rings does so all the same.
      let isWoken = surroundings.isLidClosed && isNearRing && sleep != .off
      if settings.awake.lid == .block || own[.untilAlarm] != nil || isWoken {
        wanted.append(Inhibitor(.lid, .block, why: lease.purpose))
      }
    }
    return wanted
  }
}

extension Lease {
  /// What it is for, in words.
  public var purpose: String {
    if owner == Wakefulness.engine { return reason }
    return reason.isEmpty ? "a lease of \(owner)" : "a lease of \(owner): \(reason)"
  }
}

extension Settings.Awake.OnBattery {
  func allows(_ power: Power?) -> Bool {
    guard let power, power.isOnBattery else { return true }
    switch self {
    case .yes: return true
    case .no: return false
    case .above(let least): return (power.percent ?? 0) >= least
    }
  }
}
