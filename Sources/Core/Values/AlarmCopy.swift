import Schedule

/// An alarm as it is handed from one world to another: what `export` writes of it, and `import` takes.
public struct AlarmCopy: Hashable, Sendable {
  /// The number it has or had; nil where it comes from somewhere without numbers.
  public var id: Int?
  public var draft: AlarmDraft
  public var isEnabled = true
  /// It has rung for the last time.
  public var isSpent = false
  /// How many of its `count` were due.
  public var counted = 0
  /// When a timer that runs is over.
  public var endsAt: Instant?
  /// Local dates on which it does not ring.
  public var skips: [ClosedRange<LocalDate>] = []

  public init(_ draft: AlarmDraft, id: Int? = nil) { (self.draft, self.id) = (draft, id) }

  /// Copies an alarm as it stands.
  public init(_ alarm: Alarm, at now: Moment) {
    self.init(alarm.draft, id: alarm.id)
    (isEnabled, isSpent, counted) = (alarm.isEnabled, alarm.isSpent, alarm.counted)
    skips = alarm.skips
    if alarm.isTimer, alarm.isEnabled { endsAt = alarm.timerEnd?.shownEnd(at: now) }
  }
}

// One form for the socket and for files. A key that is left out has its default; spans are written as `Span.compact`
// has them, so nothing is lost in a floating point number, and user-info is a list, because its order is kept.
extension AlarmCopy: Codable {
  public enum Key: String, CodingKey, CaseIterable {
    case id, when, clockAlone, zone, label, sound, volume, fade, snooze, snoozeLimit, silenceAfter
    case body, action, userInfo, badge, run, until, count, counted, skips, enabled, spent, endsAt
  }

  private struct Pair: Codable {
    var key: String
    var value: String
  }

  /// Throws a `DecodingError` whose `debugDescription` is the rest of a sentence about the alarm.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func wrong(_ key: Key, _ text: String, _ what: String) -> DecodingError {
      DecodingError.dataCorruptedError(
        forKey: key, in: members, debugDescription: "its “\(key.rawValue)” (“\(text)”) is not \(what)")
    }
    func read<Value>(_ key: Key, _ what: String, _ make: (String) -> Value?) throws -> Value? {
      guard let text = try members.decodeIfPresent(String.self, forKey: key) else { return nil }
      guard let value = make(text) else { throw wrong(key, text, what) }
      return value
    }
    func span(_ key: Key) throws -> Duration? {
      try read(key, "a span such as “10m”") { try? Span.parse($0, allowZero: true) }
    }
    let rightTime =
      "a time that means the same on every day it is read, such as “every Mon-Fri 07:00”, “2026-12-01 07:00” or “+25m”"
    guard
      var rule = try read(.when, rightTime, { Rule(text: $0) ?? Rule(repeatingWords: $0) })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .when, in: members, debugDescription: "it has no “when”")
    }
    if case .once(let date, let clock, _) = rule {
      let isAlone = try members.decodeIfPresent(Bool.self, forKey: .clockAlone) ?? false
      rule = .once(date, clock, clockAlone: isAlone)
    }
    var draft = AlarmDraft(rule: rule)
    draft.zone = try read(.zone, "a time zone of this machine") { Zone(named: $0) }
    draft.label = try members.decodeIfPresent(String.self, forKey: .label) ?? ""
    draft.sound = try members.decodeIfPresent(String.self, forKey: .sound)
    draft.volume = try members.decodeIfPresent(Int.self, forKey: .volume)
    draft.fade = try span(.fade)
    draft.snooze = try span(.snooze)
    draft.snoozeLimit = try members.decodeIfPresent(Int.self, forKey: .snoozeLimit)
    draft.silenceAfter = try span(.silenceAfter)
    draft.body = try members.decodeIfPresent(String.self, forKey: .body) ?? ""
    draft.action = try members.decodeIfPresent(String.self, forKey: .action) ?? ""
    draft.badge = try members.decodeIfPresent(Int.self, forKey: .badge)
    draft.run = try members.decodeIfPresent(String.self, forKey: .run) ?? ""
    draft.info = try (members.decodeIfPresent([Pair].self, forKey: .userInfo) ?? []).map {
      InfoPair($0.key, $0.value)
    }
    draft.until = try read(.until, "a date such as “2026-11-30”") { LocalDate($0) }
    draft.count = try members.decodeIfPresent(Int.self, forKey: .count)
    self.init(draft, id: try members.decodeIfPresent(Int.self, forKey: .id))
    counted = try members.decodeIfPresent(Int.self, forKey: .counted) ?? 0
    skips = try (members.decodeIfPresent([String].self, forKey: .skips) ?? []).map { text in
      guard let range = AlarmCopy.range(text) else {
        throw wrong(.skips, text, "a date such as “2026-12-24”, or two with a “/” between them")
      }
      return range
    }
    isEnabled = try members.decodeIfPresent(Bool.self, forKey: .enabled) ?? true
    isSpent = try members.decodeIfPresent(Bool.self, forKey: .spent) ?? false
    endsAt = try read(.endsAt, "an instant such as “2026-11-30T06:00:00Z”") { Instant(iso: $0) }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(id, forKey: .id)
    try members.encode(draft.rule.text, forKey: .when)
    if case .once(_, _, true) = draft.rule { try members.encode(true, forKey: .clockAlone) }
    try members.encodeIfPresent(draft.zone?.identifier, forKey: .zone)
    if !draft.label.isEmpty { try members.encode(draft.label, forKey: .label) }
    try members.encodeIfPresent(draft.sound, forKey: .sound)
    try members.encodeIfPresent(draft.volume, forKey: .volume)
    try members.encodeIfPresent(draft.fade.map(Span.compact), forKey: .fade)
    try members.encodeIfPresent(draft.snooze.map(Span.compact), forKey: .snooze)
    try members.encodeIfPresent(draft.snoozeLimit, forKey: .snoozeLimit)
    try members.encodeIfPresent(draft.silenceAfter.map(Span.compact), forKey: .silenceAfter)
    if !draft.body.isEmpty { try members.encode(draft.body, forKey: .body) }
    if !draft.action.isEmpty { try members.encode(draft.action, forKey: .action) }
    try members.encodeIfPresent(draft.badge, forKey: .badge)
    if !draft.run.isEmpty { try members.encode(draft.run, forKey: .run) }
    if !draft.info.isEmpty {
      try members.encode(draft.info.map { Pair(key: $0.key, value: $0.value) }, forKey: .userInfo)
    }
    try members.encodeIfPresent(draft.until?.description, forKey: .until)
    try members.encodeIfPresent(draft.count, forKey: .count)
    if counted > 0 { try members.encode(counted, forKey: .counted) }
    if !skips.isEmpty { try members.encode(skips.map(AlarmCopy.text), forKey: .skips) }
    if !isEnabled { try members.encode(false, forKey: .enabled) }
    if isSpent { try members.encode(true, forKey: .spent) }
    try members.encodeIfPresent(endsAt?.isoUTC, forKey: .endsAt)
  }

  /// `2026-12-24`, `2026-12-24/2027-01-06`, as ISO 8601 has it.
  private static func text(_ range: ClosedRange<LocalDate>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)/\(range.upperBound)"
  }

  private static func range(_ text: String) -> ClosedRange<LocalDate>? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first.flatMap({ LocalDate($0) }),
      let last = parts.last.flatMap({ LocalDate($0) }), first <= last
    else { return nil }
    return first...last
  }
}
