import Schedule

extension Preview {
  /// What the words would do if they were sent now; `changing` is the WHEN of the alarm that is edited.
  init(of words: String, changing: String?, at now: Instant, in zone: Zone = Zone.current()) {
    do {
      let old = try changing.map { (text) throws(WhenError) in try When.parse(text, now: now, zone: zone) }
      let when =
        if let old { try When.parseEdit(words, of: old.rule, now: now, zone: zone) } else {
          try When.parse(words, now: now, zone: zone)
        }
      let next: Instant? =
        if case .timer(let span) = when.rule { now + span } else {
          when.rule.next(after: now, in: zone)?.instant
        }
      self = next.map { .rings($0.iso(in: zone), warnings: when.warnings) } ?? .wrong("that is never due")
    } catch {
      self = .wrong(error.description)
    }
  }
}
