import Schedule

// The leases that the engine takes itself. They are worked out anew from what is going on, and never stored.
extension Wakefulness {
  /// What the engine takes a lease for; one for each.
  enum Purpose: CaseIterable, Hashable {
    /// From a while before an alarm until it rings.
    case alarm
    /// Something rings or is snoozed.
    case ringing
    /// Music plays.
    case music
    /// The last screen has gone while a track is loaded: the short lease that comes before the silent clip.
    case background
    /// Nothing can wake the machine for the next alarm.
    case untilAlarm
  }

  struct Own {
    var reason: String
    var kinds: [String]
    var until: Deadline?
  }

  /// How long the short lease in the background is.
  static let shortLease = Duration.seconds(30)

  /// Takes, changes and drops them.
  mutating func updateOwn(at now: Moment) {
    // Timers that wake the machine are a moment early, too.
    let lead = WakeUp.leads[0] + .seconds(2)
    isNearRing =
      surroundings.isRinging
      || surroundings.nextAlarm.map { $0.at > now.wall && $0.at - now.wall <= lead } ?? false
    for purpose in Purpose.allCases where purpose != .background {
      put(wanted(purpose, at: now), for: purpose)
    }
    // Only what the background needed ends with it.
    if surroundings.hasScreen || !surroundings.hasTrack || settings.keepAlive.when != .alarm {
      put(nil, for: .background)
    }
  }

  /// The last screen went.
  mutating func enterBackground(at now: Moment) {
    guard settings.keepAlive.when == .alarm, surroundings.hasTrack else { return }
    put(
      Own(
        reason: "a track is loaded and no screen is open", kinds: [Lease.audio],
        until: Deadline(Wakefulness.shortLease, after: now)), for: .background)
    guard let place = leases.firstIndex(where: { $0.id == own[.background] }) else { return }
    (leases[place].span, leases[place].renewalsLeft) = (Wakefulness.shortLease, settings.awake.renewals)
  }

  private func wanted(_ purpose: Purpose, at now: Moment) -> Own? {
    let system = [Lease.system]
    switch purpose {
    case .alarm:
      guard let next = surroundings.nextAlarm, next.at - now.wall <= settings.awake.beforeAlarm,
        next.at > now.wall
      else { return nil }
      let audio = settings.keepAlive.when == .alarm ? [Lease.audio] : []
      let clock = now.zone.local(next.at).clock
      return Own(
        reason: "alarm \(next.alarm) is due at \(clock)", kinds: audio + system,
        until: Deadline(wall: next.at))
    case .ringing:
      guard surroundings.isRinging || surroundings.isSnoozed else { return nil }
      return Own(reason: surroundings.isRinging ? "an alarm rings" : "an alarm is snoozed", kinds: system)
    case .music:
      guard surroundings.isPlaying, settings.awake.whilePlaying else { return nil }
      return Own(reason: "music plays", kinds: system)
    case .untilAlarm:
      guard let next = surroundings.nextAlarm, settings.awake.untilAlarm == .block, !surroundings.canWake
      else {
        return nil
      }
      return Own(
        reason: "nothing can wake the machine for alarm \(next.alarm)", kinds: system,
        until: Deadline(wall: next.at))
    case .background: return nil
    }
  }

  private mutating func put(_ wanted: Own?, for purpose: Purpose) {
    guard let wanted, !wanted.kinds.isEmpty else {
      if let id = own.removeValue(forKey: purpose) { leases.removeAll { $0.id == id } }
      return
    }
    if let id = own[purpose], let place = leases.firstIndex(where: { $0.id == id }) {
      (leases[place].reason, leases[place].kinds) = (wanted.reason, wanted.kinds)
      // The end of a snooze or timer is worked out from two clocks that are never read at once, and trembles.
      let isSame =
        if let old = leases[place].until, let new = wanted.until {
          abs((old.wall - new.wall).microseconds) < 500_000
        } else { false }
      if !isSame { leases[place].until = wanted.until }
      return
    }
    let lease = Lease(
      id: nextID, owner: Wakefulness.engine, reason: wanted.reason, kinds: wanted.kinds, until: wanted.until,
      span: .zero)
    nextID += 1
    own[purpose] = lease.id
    leases.append(lease)
  }

  /// The lease is the engine's own.
  public func isOwn(_ lease: Lease) -> Bool { own.values.contains(lease.id) }
}
