/// One time at which a rule is due.
public struct Due: Hashable, Sendable {
  /// The date the rule names, by which the occurrence is known, even where a gap moves the instant past midnight.
  public let date: LocalDate
  public let instant: Instant
  public let kind: Resolved.Kind

  public init(date: LocalDate, instant: Instant, kind: Resolved.Kind) {
    (self.date, self.instant, self.kind) = (date, instant, kind)
  }
}

extension Rule {
  /// The first time at which the rule is due strictly after an instant; nil when there is none.
  ///
  /// A timer has none: its end is kept by whoever set it. The search is over dates, never over elapsed hours, so no change
  /// of the clocks can hide a day; it ends after a few dates, because every kind of days can name its next one directly.
  public func next(after instant: Instant, in zone: Zone) -> Due? {
    guard case .every(let days, let clock) = self else {
      return only(in: zone).flatMap { $0.instant > instant ? $0 : nil }
    }
    // A gap can move a date's instant into the next date, so the search begins before today.
    var date = days.first(onOrAfter: zone.local(instant).date.adding(days: -2))
    for _ in 0..<Rule.patience {
      guard let candidate = date else { return nil }
      if let due = Rule.due(candidate, clock, in: zone), due.instant > instant { return due }
      date = days.first(onOrAfter: candidate.adding(days: 1))
    }
    return nil
  }

  /// The time at which the rule is due on that date of the zone; nil when it is not.
  public func due(on date: LocalDate, in zone: Zone) -> Due? {
    guard case .every(let days, let clock) = self else {
      return only(in: zone).flatMap { $0.date == date ? $0 : nil }
    }
    return days.contains(date) ? Rule.due(date, clock, in: zone) : nil
  }

  /// The first time whose date is that date or a later one.
  public func next(onOrAfter date: LocalDate, in zone: Zone) -> Due? {
    guard case .every(let days, let clock) = self else {
      return only(in: zone).flatMap { $0.date >= date ? $0 : nil }
    }
    var date = days.first(onOrAfter: date)
    for _ in 0..<Rule.patience {
      guard let candidate = date else { return nil }
      if let due = Rule.due(candidate, clock, in: zone) { return due }
      date = days.first(onOrAfter: candidate.adding(days: 1))
    }
    return nil
  }

  /// Whether it comes again and again.
  public var repeats: Bool {
    if case .every = self { true } else { false }
  }

  /// How many dates are tried: far more than a zone ever left out one after another.
  private static let patience = 64

  private static func due(_ date: LocalDate, _ clock: ClockTime, in zone: Zone) -> Due? {
    zone.instant(date, clock).map { Due(date: date, instant: $0.instant, kind: $0.kind) }
  }

  /// The one time of a rule that does not repeat.
  private func only(in zone: Zone) -> Due? {
    switch self {
    case .once(let date, let clock, _): Rule.due(date, clock, in: zone)
    case .fixed(let instant): Due(date: zone.local(instant).date, instant: instant, kind: .exact)
    case .every, .timer: nil
    }
  }
}
