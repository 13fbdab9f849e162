import Core
import Platform
import Schedule

/// When the engine looks by itself: at `doctor.at` of every day on the wall's clock. On the loop's thread.
final class NightWatch {
  /// An alarm that is due within so long is looked after.
  static let reach = Duration.seconds(12 * 3600)

  private var timer: TimerSource?
  /// What it is armed for; nil: not at all.
  private(set) var next: Instant?
  private var clock: ClockTime?
  private var zone = Zone.utc
  /// When the last time was: another one is not before it, so that a clock that is set back does not ask twice at once.
  private var armedAt: Instant?

  init(_ loop: EventLoop, look: @escaping () -> Void) throws(SystemError) {
    timer = try TimerSource(loop, .wall, accuracy: 500_000) { [weak self] in
      guard let self else { return }
      next = nil
      look()
      arm(after: Instant(microseconds: Clocks.wallMicroseconds()))
    }
  }

  /// The setting, the zone or the clock may be another.
  func update(_ clock: ClockTime?, in zone: Zone, at now: Instant) {
    // One that is due at this moment goes off by itself.
    if self.clock == clock, self.zone == zone, let next, let armedAt, next <= now || now >= armedAt { return }
    (self.clock, self.zone) = (clock, zone)
    arm(after: now)
  }

  private func arm(after now: Instant) {
    next = clock.flatMap { NightWatch.next($0, in: zone, after: now) }
    armedAt = now
    if let next { timer?.arm(atMicroseconds: next.microseconds) } else { timer?.disarm() }
  }

  /// The next instant at which the wall shows that time.
  static func next(_ clock: ClockTime, in zone: Zone, after now: Instant) -> Instant? {
    let today = zone.local(now).date
    return (-1...3).lazy.compactMap { zone.instant(today.adding(days: $0), clock)?.instant }.first {
      $0 > now
    }
  }
}
