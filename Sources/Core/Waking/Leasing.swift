import Schedule

// Taking, renewing and ending leases, and what time does to them.
extension Wakefulness {
  private static let usual = Duration.seconds(3600)

  mutating func take(_ request: LeaseRequest, at now: Moment) throws(Refusal) -> Lease {
    guard leases.count < Wakefulness.mostLeases else {
      throw Refusal(
        "\(Wakefulness.mostLeases) leases are held already: end some with “alarm awake off”")
    }
    let span = try length(request, at: now)
    var lease = Lease(
      id: nextID, owner: request.owner, reason: request.reason, kinds: request.kinds,
      until: request.until.map { Deadline(wall: $0) } ?? Deadline(span, after: now), span: span)
    (lease.process, lease.connection, lease.then) = (request.process, request.connection, request.then)
    // What has an end of its own need not say how long: it goes on by itself, though not for ever.
    if request.span == nil, request.until == nil, request.process != nil || request.connection != nil {
      lease.renewalsLeft = settings.awake.renewals
    }
    nextID += 1
    leases.append(lease)
    return lease
  }

  private func length(_ request: LeaseRequest, at now: Moment) throws(Refusal) -> Duration {
    guard let until = request.until else { return try checked(request.span ?? Wakefulness.usual) }
    guard until > now.wall else {
      throw Refusal(
        "that time has passed: give a coming one, as in “alarm awake --until 23:00”", aboutWords: true)
    }
    return try checked(until - now.wall)
  }

  private func checked(_ span: Duration) throws(Refusal) -> Duration {
    guard span >= .seconds(1), span <= .seconds(3653 * 86_400) else {
      throw Refusal(
        "a lease lasts between 1 s and ten years; say for example “alarm awake 1h”", aboutWords: true)
    }
    return span
  }

  mutating func renew(_ id: Int, _ span: Duration?, at now: Moment) throws(Refusal) -> Lease {
    let place = try place(of: id)
    let old = leases[place]
    let span = try checked(span ?? old.span)
    leases[place].until = Deadline(span, after: now)
    leases[place].span = span
    if old.process != nil || old.connection != nil { leases[place].renewalsLeft = settings.awake.renewals }
    leases[place].isAnnounced = false
    return leases[place]
  }

  mutating func release(_ id: Int?) throws(Refusal) {
    guard let id else {
      leases = leases.filter(isOwn)
      return
    }
    leases.remove(at: try place(of: id))
  }

  private func place(of id: Int) throws(Refusal) -> Int {
    guard let place = leases.firstIndex(where: { $0.id == id }) else {
      throw Refusal("there is no lease \(id); “alarm awake list” shows those there are")
    }
    guard !isOwn(leases[place]) else {
      throw Refusal(
        "lease \(id) is the engine's own (\(leases[place].reason)); it ends with what it is held for")
    }
    return place
  }

  // MARK: Time

  /// Renews what renews itself, announces what ends soon and ends what is over.
  mutating func passTime(at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    for place in leases.indices {
      guard leases[place].span > .zero, var until = leases[place].until else { continue }
      // After a suspend several may be due at once; none is taken before its time.
      while leases[place].renewalsLeft > 0, until.remaining(at: now) < leases[place].notice {
        until = until.later(by: leases[place].span)
        leases[place].renewalsLeft -= 1
      }
      leases[place].until = until
      let left = until.remaining(at: now)
      if leases[place].renewalsLeft == 0, left > .zero, left <= leases[place].notice,
        !leases[place].isAnnounced
      {
        leases[place].isAnnounced = true
        effects.append(.expiring(leases[place]))
      }
    }
    let over = leases.filter { $0.span > .zero && $0.until?.isDue(at: now) == true }
    for lease in over {
      leases.removeAll { $0.id == lease.id }
      for (purpose, id) in own where id == lease.id { own[purpose] = nil }
      effects.append(.expired(lease, .time))
    }
    return effects
  }

  /// When time next does something to a lease. Those of the engine without a length end with what they are held for.
  func nextWake(at now: Moment) -> Deadline? {
    leases.compactMap { lease -> Deadline? in
      guard lease.span > .zero, let until = lease.until else { return nil }
      if lease.renewalsLeft == 0, lease.isAnnounced { return until }
      // A renewal is taken when less than the notice is left, so a moment behind it.
      return until.later(by: lease.renewalsLeft > 0 ? .milliseconds(1) - lease.notice : .zero - lease.notice)
    }.min { $0.remaining(at: now) < $1.remaining(at: now) }
  }

  /// The lease with its end told by the clocks as they now are, where they were set by more than a second.
  func anchored(_ lease: Lease, at now: Moment) -> Lease {
    guard let until = lease.until, !until.followsWall else { return lease }
    let drift = now.wall + until.remaining(at: now) - until.wall
    guard until.bootID != now.bootID || drift > .seconds(1) || drift < .seconds(-1) else { return lease }
    var lease = lease
    lease.until = until.anchored(at: now, limit: lease.span + lease.notice)
    return lease
  }
}

extension Deadline {
  fileprivate func later(by span: Duration) -> Deadline {
    Deadline(bootID: bootID, boot: followsWall ? 0 : boot + span.microseconds, wall: wall + span)
  }
}
