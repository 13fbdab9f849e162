import Schedule

/// Who keeps what awake: the audio device by the silent clip, the machine by locks at the system.
///
/// A pure value: it is told what is going on and answers what is to be done.
public struct Wakefulness: Sendable {
  /// What it depends on besides leases.
  public struct Surroundings: Hashable, Sendable {
    /// The next ring: whose and when.
    public var nextAlarm: (alarm: Int, at: Instant)? {
      get { alarm.map { ($0.id, $0.at) } }
      set { alarm = newValue.map { Next(id: $0.alarm, at: $0.at) } }
    }
    public var isRinging = false
    public var isSnoozed = false
    public var hasTrack = false
    public var isPlaying = false
    /// A screen is attached.
    public var hasScreen = false
    /// Something can wake the sleeping machine for an alarm, or it never sleeps.
    public var canWake = true
    /// The lid was closed when the machine woke: without a lock it would be asleep again before the ring.
    public var isLidClosed = false
    /// nil where nothing says.
    public var power: Power?
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
    case take(LeaseRequest)
    /// A person's renewal: from now on for `span`, or for as long as it was taken for; always granted.
    case renew(id: Int, span: Duration?)
    /// Ends it; nil is all but the engine's own.
    case release(id: Int?)
    /// The process it was to last as long as has ended.
    case processEnded(lease: Int)
    case connectionClosed(Int)
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Sendable {
    case save([Change])
    /// The lease that was taken or renewed, for the answer.
    case granted(Lease)
    /// It ends soon and will not be renewed by itself.
    case expiring(Lease)
    /// It has ended by itself: what it was to do then is to be done.
    case expired(Lease, Lease.End)
    /// Send `tick` at that deadline at the latest; nil: no more. A timer that was armed before is disarmed.
    case armLease(Deadline?)
    /// On or off, with the reason for `status`.
    case keepAlive(Bool, why: String?)
    /// These locks are wanted at the system from now on, and no others.
    case hold([Inhibitor])
  }

  /// All that are held, the engine's own among them.
  public internal(set) var leases: [Lease]
  public private(set) var isKeptAlive = false
  /// Why the device is kept awake: `alarm 3 is due at 07:00`, `a track is loaded`.
  public private(set) var why: String?
  /// The locks that are wanted at the system.
  public private(set) var inhibitors: [Inhibitor] = []
  var surroundings = Surroundings()
  var settings: Settings
  /// The engine's own leases, by their numbers.
  var own: [Purpose: Int] = [:]
  var nextID = 1
  /// Something rings, or the machine was woken for what rings within a minute.
  var isNearRing = false
  private var armed: Deadline?

  /// The owner of a lease that a person took.
  public static let person = "person"
  /// The owner of those that the engine takes.
  public static let engine = "engine"
  /// So many can be held.
  public static let mostLeases = 256

  public init(leases: [Lease] = [], settings: Settings = Settings()) {
    self.leases = leases
    self.settings = settings
    nextID = (leases.map(\.id).max() ?? 0) + 1
  }

  /// Those that outlive the engine.
  public var lasting: [Lease] {
    leases.filter { $0.connection == nil && !isOwn($0) }.map { lease in
      var lease = lease
      lease.isAnnounced = false
      return lease
    }
  }

  /// - Throws: a `Refusal` where the request cannot be done; nothing has changed then.
  public mutating func handle(_ event: Event, at now: Moment) throws(Refusal) -> [Effect] {
    let before = lasting
    var effects: [Effect] = []
    switch event {
    case .loaded, .tick: leases = leases.map { anchored($0, at: now) }
    case .surroundings(let surroundings):
      let hadScreen = self.surroundings.hasScreen
      self.surroundings = surroundings
      if hadScreen, !surroundings.hasScreen { enterBackground(at: now) }
    case .settings(let settings): self.settings = settings
    case .take(let request): effects.append(.granted(try take(request, at: now)))
    case .renew(let id, let span): effects.append(.granted(try renew(id, span, at: now)))
    case .release(let id): try release(id)
    case .processEnded(let id):
      if let lease = leases.first(where: { $0.id == id }) { effects.append(.expired(lease, .process)) }
      leases.removeAll { $0.id == id }
    case .connectionClosed(let number):
      for lease in leases where lease.connection == number { effects.append(.expired(lease, .connection)) }
      leases.removeAll { $0.connection == number }
    }
    updateOwn(at: now)
    effects += passTime(at: now)
    // Stored before anything is done at the end: a command must not run a second time after a restart.
    if lasting != before { effects.insert(.save([.leases(lasting)]), at: 0) }
    let wake = nextWake(at: now)
    if wake != armed {
      armed = wake
      effects.append(.armLease(wake))
    }
    return effects + decide()
  }

  private mutating func decide() -> [Effect] {
    var effects: [Effect] = []
    let why = reason()
    if why != self.why || (why != nil) != isKeptAlive {
      self.why = why
      isKeptAlive = why != nil
      effects.append(.keepAlive(isKeptAlive, why: why))
    }
    let wanted = wantedInhibitors()
    // Another reason alone is not worth another lock.
    if wanted.map(\.kind) != inhibitors.map(\.kind) {
      inhibitors = wanted
      effects.append(.hold(wanted))
    }
    return effects
  }

  private func reason() -> String? {
    let audio = leases.filter { $0.kinds.contains(Lease.audio) }
    if let lease = audio.first(where: { !isOwn($0) }) { return lease.purpose }
    switch settings.keepAlive.when {
    case .lease: return nil
    case .always: return "it is set to be always on"
    case .alarm: break
    }
    if surroundings.isRinging { return "an alarm rings" }
    return audio.first?.purpose ?? (surroundings.hasTrack ? "a track is loaded" : nil)
  }
}
