import Schedule

/// Somebody's request to stay awake.
public struct Lease: Hashable, Sendable {
  public var id: Int
  public var owner: String
  public var reason: String
  /// `audio`: the device is kept awake.
  public var kinds: [String]
  public var until: Deadline
  /// What was asked for; the longest a clock that starts wrong can make of it.
  public var span: Duration

  public init(id: Int, owner: String, reason: String, kinds: [String], until: Deadline, span: Duration) {
    (self.id, self.owner, self.reason, self.kinds) = (id, owner, reason, kinds)
    (self.until, self.span) = (until, span)
  }
}

/// Whether the audio device is kept awake, and why.
///
/// A pure value: it is told what is going on and answers when the keep-alive goes on or off.
public struct Wakefulness: Sendable {
  /// What the keep-alive depends on besides leases.
  public struct Surroundings: Hashable, Sendable {
    /// The next ring: whose and when.
    public var nextAlarm: (alarm: Int, at: Instant)? {
      get { alarm.map { ($0.id, $0.at) } }
      set { alarm = newValue.map { Next(id: $0.alarm, at: $0.at) } }
    }
    public var isRinging = false
    public var hasTrack = false
    private struct Next: Hashable, Sendable {
      var id: Int
      var at: Instant
    }
    private var alarm: Next?
    public init() {}
  }

  public enum Event: Sendable {
    /// First after a start, with the clocks as they are now.
    case loaded
    /// A lease's end may have come, or the clock was set.
    case tick
    case surroundings(Surroundings)
    case settings(Settings)
    /// Takes the person's lease, or renews it from now; nil is an hour.
    case take(span: Duration?, reason: String?)
    /// Ends it; nil is all.
    case release(id: Int?)
  }

  public enum Effect: Hashable, Sendable {
    /// On or off, with the reason for `status`.
    case keepAlive(Bool, why: String?)
    /// Send `tick` at that deadline at the latest; nil: no more. A timer that was armed before is disarmed.
    case armLease(Deadline?)
    case leaseExpired(Lease)
    case save([Change])
  }

  public private(set) var leases: [Lease]
  public private(set) var isKeptAlive = false
  /// Why the device is kept awake: `alarm 3 is due at 07:00`, `a track is loaded`.
  public private(set) var why: String?
  private var surroundings = Surroundings()
  private var settings: Settings
  private var armed: Deadline?
  private var nextID = 1

  public init(leases: [Lease] = [], settings: Settings = Settings()) {
    self.leases = leases
    self.settings = settings
    nextID = (leases.map(\.id).max() ?? 0) + 1
  }

  /// - Throws: a `Refusal` where the request cannot be done.
  public mutating func handle(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    let before = leases
    var effects: [Effect] = []
    switch event {
    case .loaded, .tick: leases = leases.map { anchored($0, at: now) }
    case .surroundings(let surroundings): self.surroundings = surroundings
    case .settings(let settings): self.settings = settings
    case .take(let span, let reason): try take(span ?? .seconds(3600), reason, at: now)
    case .release(let id):
      if let id, !leases.contains(where: { $0.id == id }) {
        throw Refusal("there is no lease \(id); “alarm awake list” shows those there are")
      }
      leases.removeAll { id == nil || $0.id == id }
    }
    for lease in leases where lease.until.isDue(at: now) { effects.append(.leaseExpired(lease)) }
    leases.removeAll { $0.until.isDue(at: now) }
    if leases != before { effects.append(.save([.leases(leases)])) }
    let soonest = leases.map(\.until).min { $0.remaining(at: now) < $1.remaining(at: now) }
    if soonest != armed {
      armed = soonest
      effects.append(.armLease(soonest))
    }
    return effects + decide(at: now)
  }

  private mutating func take(_ span: Duration, _ reason: String?, at now: Moment) throws(Refusal) {
    guard span >= .seconds(1), span <= .seconds(3653 * 86_400) else {
      throw Refusal("a lease lasts between 1 s and ten years; say for example “alarm awake 1h”")
    }
    let until = Deadline(span, after: now)
    if let place = leases.firstIndex(where: { $0.owner == Wakefulness.person }) {
      (leases[place].until, leases[place].span) = (until, span)
      if let reason { leases[place].reason = reason }
    } else {
      leases.append(
        Lease(
          id: nextID, owner: Wakefulness.person, reason: reason ?? "", kinds: ["audio"], until: until,
          span: span))
      nextID += 1
    }
  }

  /// The owner of a lease that a person took.
  public static let person = "person"

  /// The lease with its end told by the clocks as they now are, where they were set by more than a second.
  private func anchored(_ lease: Lease, at now: Moment) -> Lease {
    let remaining = lease.until.remaining(at: now)
    let drift = now.wall + remaining - lease.until.wall
    guard lease.until.bootID != now.bootID || drift > .seconds(1) || drift < .seconds(-1) else {
      return lease
    }
    var lease = lease
    lease.until = lease.until.anchored(at: now, limit: lease.span)
    return lease
  }

  private mutating func decide(at now: Moment) -> [Effect] {
    let why = reason(at: now)
    guard why != self.why || (why != nil) != isKeptAlive else { return [] }
    self.why = why
    isKeptAlive = why != nil
    return [.keepAlive(isKeptAlive, why: why)]
  }

  private func reason(at now: Moment) -> String? {
    if let lease = leases.first(where: { $0.kinds.contains("audio") }) {
      return lease.reason.isEmpty ? "a lease of \(lease.owner)" : "a lease of \(lease.owner): \(lease.reason)"
    }
    switch settings.keepAlive.when {
    case .lease: return nil
    case .always: return "it is set to be always on"
    case .alarm: break
    }
    if surroundings.isRinging { return "an alarm rings" }
    if let next = surroundings.nextAlarm, next.at - now.wall <= settings.awake.beforeAlarm {
      let clock = now.zone.local(next.at).clock
      return "alarm \(next.alarm) is due at \(clock)"
    }
    return surroundings.hasTrack ? "a track is loaded" : nil
  }
}
