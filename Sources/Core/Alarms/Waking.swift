import Schedule

extension AlarmBook {
  /// The device is opened this long before a ring.
  public static let openAhead = Duration.seconds(10)
  /// The output holds a ring this long before it is due.
  public static let prepareAhead = Duration.seconds(2)

  /// When `handle(.tick, at:)` must be called at the latest: a wall-clock instant and a CLOCK_BOOTTIME instant
  /// (microseconds), each nil where that clock has nothing coming. Whichever is first; work both out again after
  /// every `handle`.
  public func nextWake(at now: Moment) -> (wall: Instant?, boot: Int64?) {
    if !held.isEmpty { return (now.wall, nil) }
    var wall: Instant?
    var seen = 0
    var previous: Instant?
    for entry in agenda.entries {
      let skips = skipsPlan(entry.alarm)
      if entry.instant == previous, !skips { continue }
      // Beyond the soonest lead nothing can come sooner.
      if let wall, entry.instant - settings.longestLead >= wall { break }
      if skips {
        // It is only to be closed in time.
        wall = min(wall ?? entry.instant, entry.instant)
        continue
      }
      seen += 1
      if seen > 64 { break }
      previous = entry.instant
      for lead in leads {
        let instant = entry.instant - lead
        if instant > now.wall || lead == .zero { wall = min(wall ?? instant, instant) }
      }
    }
    var boot: Int64?
    func consider(_ instant: Int64) { boot = min(boot ?? instant, instant) }
    for remaining in elapsing(at: now) {
      for lead in leads where remaining > lead || lead == .zero {
        consider(now.boot + (remaining - lead).microseconds)
      }
    }
    var rings = false
    for occurrence in live.values where occurrence.state == .ringing {
      rings = true
      if let deadline = silenceDeadline(of: occurrence) { consider(deadline) }
    }
    if rings { consider(lastBeat + AlarmBook.beat.microseconds) }
    return (wall, boot)
  }

  /// The next ring of all, a snooze's end included: whose, when, and how long until then.
  public func soonest(at now: Moment) -> (alarm: Int, at: Instant, remaining: Duration)? {
    var result: (alarm: Int, at: Instant, remaining: Duration)?
    func consider(_ alarm: Int, _ remaining: Duration) {
      if let result, result.remaining <= remaining { return }
      result = (alarm, now.wall + remaining, remaining)
    }
    for entry in agenda.entries {
      if let result, entry.instant >= result.at { break }
      if let due = nextDue(of: entry.alarm, at: now) { consider(entry.alarm, due.instant - now.wall) }
    }
    for id in timers.sorted() {
      if let end = alarms[id]?.timerEnd { consider(id, end.remaining(at: now)) }
    }
    for occurrence in snoozed {
      if let end = occurrence.snoozedUntil { consider(occurrence.alarm, end.remaining(at: now)) }
    }
    return result
  }

  /// Whether the device must be open for an alarm: something rings, or is due within ten seconds.
  public func needsDevice(at now: Moment) -> Bool {
    if live.values.contains(where: { $0.state == .ringing }) { return true }
    return soonest(at: now).map { $0.remaining <= AlarmBook.openAhead } ?? false
  }

  private var leads: [Duration] {
    [settings.awake.beforeAlarm, AlarmBook.openAhead, AlarmBook.prepareAhead, .zero]
  }

  private func elapsing(at now: Moment) -> [Duration] {
    timers.compactMap { alarms[$0]?.timerEnd?.remaining(at: now) }
      + live.values.compactMap { $0.snoozedUntil?.remaining(at: now) }
  }
}

extension Settings {
  var longestLead: Duration { max(awake.beforeAlarm, AlarmBook.openAhead) }
}
