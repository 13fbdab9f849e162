import Schedule

/// Which way wakes the sleeping machine for the next ring: the first that works, tried in the order of `Way`.
///
/// A pure value: it is told when the next ring is due and what became of each attempt, and answers what to try.
public struct WakeUp: Sendable {
  /// The ways, the first to be tried first.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    /// A timer of our own on CLOCK_REALTIME_ALARM (timerfd_create(2)).
    case clock
    /// A transient timer of systemd's user manager with `WakeSystem=yes` (systemd.timer(5)).
    case systemd
    /// A helper of ours that may set CLOCK_REALTIME_ALARM where the engine may not (capabilities(7)).
    case helper
  }

  public enum Event: Hashable, Sendable {
    /// The next ring is due then; nil: none is. Send it again when time has passed or the clock was set.
    case ring(Instant?)
    /// It will wake the machine at that instant.
    case armed(Way, Instant)
    /// It does not. `isLasting`: it need not be asked again until `changed` says so, else the next wake-up asks again.
    case refused(Way, why: String, isLasting: Bool)
    /// Somebody else answers for it now, and holds nothing for us.
    case changed(Way)
  }

  public enum Effect: Hashable, Sendable {
    /// Answer with `armed` or `refused`. What it held before is to be let go once the new one holds.
    case arm(Way, Instant)
    case disarm(Way)
  }

  /// How long before a ring the machine is woken; the second where the first has passed already.
  public static let leads = [Duration.seconds(60), AlarmBook.openAhead]

  /// What holds, and when it wakes the machine.
  public private(set) var armed: Armed?
  /// Why a way does not work.
  public private(set) var refusals: [Way: String] = [:]
  private var lasting: Set<Way> = []
  private var ring: Instant?
  private var goal: Instant?
  private var asked: Way?

  public struct Armed: Hashable, Sendable {
    public var by: Way
    public var at: Instant
    public init(by way: Way, at instant: Instant) { (by, at) = (way, instant) }
  }

  public init() {}

  /// The way is asked for that instant, and has yet to answer. What is answered to an older question means nothing.
  public func isAsked(_ way: Way, for instant: Instant) -> Bool { asked == way && goal == instant }
  /// Nobody has yet to answer.
  public var isSettled: Bool { asked == nil }
  /// No way works, as far as each has said.
  public var isImpossible: Bool { Way.allCases.allSatisfy { refusals[$0] != nil } }

  public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .ring(let ring):
      self.ring = ring
      return aim(at: now)
    case .armed(let way, let instant):
      guard asked == way, instant == goal else { return [] }
      let old = armed
      (asked, armed, refusals[way]) = (nil, Armed(by: way, at: instant), nil)
      return old.map { $0.by == way ? [] : [.disarm($0.by)] } ?? []
    case .refused(let way, let why, let isLasting):
      refusals[way] = why
      if isLasting { lasting.insert(way) } else { lasting.remove(way) }
      guard asked == way else { return [] }
      asked = nil
      return tryNext(after: way)
    case .changed(let way):
      (refusals[way], lasting) = (nil, lasting.subtracting([way]))
      if armed?.by == way { armed = nil }
      if asked == way { asked = nil }
      guard let goal, armed == nil, asked == nil else { return [] }
      asked = way
      return [.arm(way, goal)]
    }
  }

  private mutating func aim(at now: Instant) -> [Effect] {
    let next = ring.flatMap { ring in WakeUp.leads.lazy.map { ring - $0 }.first { $0 > now } }
    // The end of a snooze or timer is worked out from two clocks that are never read at once, and trembles.
    if let goal, let next, abs((goal - next).microseconds) < 500_000 { return [] }
    goal = next
    guard next != nil else {
      asked = nil
      defer { armed = nil }
      return armed.map { [.disarm($0.by)] } ?? []
    }
    return tryNext(after: nil)
  }

  private mutating func tryNext(after way: Way?) -> [Effect] {
    guard let goal else { return [] }
    let rest = Way.allCases.drop { way != nil && $0 != way }.dropFirst(way == nil ? 0 : 1)
    guard let next = rest.first(where: { !lasting.contains($0) }) else {
      // What is held for another instant wakes for nothing.
      defer { armed = nil }
      return armed.map { [.disarm($0.by)] } ?? []
    }
    asked = next
    return [.arm(next, goal)]
  }
}
