import Schedule

/// Now, by every clock that matters: handed into each state machine, so that none of them looks at a clock itself.
public struct Moment: Sendable {
  /// CLOCK_REALTIME.
  public var wall: Instant
  /// CLOCK_BOOTTIME in microseconds: elapsed time, suspended time included.
  public var boot: Int64
  /// Which boot `boot` counts from (`/proc/sys/kernel/random/boot_id`).
  public var bootID: String
  /// The zone of the machine, for rules without one of their own.
  public var zone: Zone
  /// How long the machine has been suspended since boot, in microseconds: CLOCK_BOOTTIME less CLOCK_MONOTONIC. Where it
  /// grows the machine slept, whether or not anybody said so.
  public var suspended: Int64

  public init(wall: Instant, boot: Int64, bootID: String, zone: Zone, suspended: Int64 = 0) {
    (self.wall, self.boot, self.bootID, self.zone) = (wall, boot, bootID, zone)
    self.suspended = suspended
  }
}

/// A moment as it is stored: the last at which everything due had been judged.
public struct Seen: Hashable, Sendable {
  public var wall: Instant
  public var boot: Int64
  public var bootID: String
  /// The identifier of the machine's zone then.
  public var zone: String

  public init(wall: Instant, boot: Int64, bootID: String, zone: String) {
    (self.wall, self.boot, self.bootID, self.zone) = (wall, boot, bootID, zone)
  }

  public init(_ moment: Moment) {
    self.init(wall: moment.wall, boot: moment.boot, bootID: moment.bootID, zone: moment.zone.identifier)
  }
}

/// The end of a span of elapsed time: a set clock does not move it, suspended time counts. After a reboot, when the boot
/// clock began anew, the wall instant it was expected at counts instead.
public struct Deadline: Hashable, Sendable {
  public var bootID: String
  /// CLOCK_BOOTTIME in microseconds.
  public var boot: Int64
  /// When that is by the wall clock, as far as was known when this was written.
  public var wall: Instant

  public init(bootID: String, boot: Int64, wall: Instant) {
    (self.bootID, self.boot, self.wall) = (bootID, boot, wall)
  }

  /// The deadline `span` after `now`.
  public init(_ span: Duration, after now: Moment) {
    self.init(bootID: now.bootID, boot: now.boot + span.microseconds, wall: now.wall + span)
  }

  /// How long until then; negative by how long it is over.
  public func remaining(at now: Moment) -> Duration {
    bootID == now.bootID ? .microseconds(boot - now.boot) : wall - now.wall
  }

  /// The wall instant to show for it: the one it was set for, to the microsecond, as long as nobody sets the clock.
  /// Worked out anew from two clocks that are never read at once, it would tremble around a full second.
  public func shownEnd(at now: Moment) -> Instant {
    let end = now.wall + remaining(at: now)
    return abs((end - wall).microseconds) < 500_000 ? wall : end
  }

  public func isDue(at now: Moment) -> Bool { remaining(at: now) <= .zero }

  /// The same deadline told by the clocks of `now`: its wall instant after the clock was set, its boot instant after
  /// a reboot. `limit` is the longest it can be away, so that a clock that starts in 1970 cannot put it off by years.
  func anchored(at now: Moment, limit: Duration) -> Deadline {
    Deadline(min(remaining(at: now), limit), after: now)
  }
}
