import Schedule

/// One pair of user-info: handed back untouched wherever the notification shows.
public struct InfoPair: Hashable, Sendable {
  public var key: String
  public var value: String
  public init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
}

/// What a person says about an alarm: what `add` and `edit` hand in. nil is the default of the settings.
public struct AlarmDraft: Hashable, Sendable {
  public var rule: Rule
  /// nil: the zone of the machine, wherever it is.
  public var zone: Zone?
  public var label = ""
  /// `FileName.text`, or the name of one of the program's sounds.
  public var sound: String?
  /// 0–100; 0 is a notification only.
  public var volume: Int?
  public var fade: Duration?
  public var snooze: Duration?
  public var snoozeLimit: Int?
  public var silenceAfter: Duration?
  public var body = ""
  /// What the notification's own action is called; empty: it has none.
  public var action = ""
  /// In the order given.
  public var info: [InfoPair] = []
  /// The number the badge is set to when it fires; nil: one more than before.
  public var badge: Int?
  /// A line for the shell, run when it rings; empty: none.
  public var run = ""
  /// The last local date, inclusive.
  public var until: LocalDate?
  /// How many occurrences in all.
  public var count: Int?

  /// What a badge can be set to.
  public static let badges = 0...9999

  public init(rule: Rule, zone: Zone? = nil, label: String = "") {
    (self.rule, self.zone, self.label) = (rule, zone, label)
  }
}

/// An alarm: what the person said and what has become of it. The fields of the draft read as its own (`alarm.label`).
@dynamicMemberLookup
public struct Alarm: Hashable, Sendable {
  /// Never used again, not even after the alarm is removed.
  public let id: Int
  public var draft: AlarmDraft
  /// Goes up when the rule or its zone changes, so that an occurrence of the old rule is not taken for one of the new.
  public var version = 1
  public var isEnabled = true
  /// It has rung for the last time and stays in the list, off.
  public var isSpent = false
  /// How many occurrences were due so far, skipped and missed ones too.
  public var counted = 0
  /// Local dates whose times are left out.
  public var skips: [ClosedRange<LocalDate>] = []
  /// A timer's end.
  public var timerEnd: Deadline?
  public var createdAt: Instant

  public init(id: Int, draft: AlarmDraft, createdAt: Instant) {
    (self.id, self.draft, self.createdAt) = (id, draft, createdAt)
  }

  public subscript<Value>(dynamicMember path: KeyPath<AlarmDraft, Value>) -> Value { draft[keyPath: path] }
  // Written out because every planning reads them.
  public var rule: Rule { draft.rule }
  public var zone: Zone? { draft.zone }

  public var isTimer: Bool { if case .timer = draft.rule { true } else { false } }
}
