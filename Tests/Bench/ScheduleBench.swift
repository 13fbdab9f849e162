import Schedule

/// How long a million "next" of a weekly rule takes; more than 5 s is too long.
enum ScheduleBench {
  static func run() {
    guard let zone = Zone("Europe/Berlin") ?? Zone("UTC"), let clock = ClockTime(hour: 7, minute: 0) else {
      return
    }
    let rule = Rule.every(.weekly([.monday, .tuesday, .wednesday, .thursday, .friday]), clock)
    var instant = Instant(seconds: 1_796_079_600)
    let watch = ContinuousClock()
    let taken = watch.measure {
      for index in 0..<1_000_000 {
        guard let due = rule.next(after: instant, in: zone) else { return }
        // Twenty years on, then back to the start.
        instant = index % 5000 == 4999 ? Instant(seconds: 1_796_079_600) : due.instant
      }
    }
    print("schedule: 1 000 000 next of \(rule.text) in \(zone.identifier): \(taken) (limit 5 s)")
  }
}
