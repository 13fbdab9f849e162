import Schedule

/// What tells one occurrence from every other: never "the last instant that fired", which a clock set wrong would spoil.
public struct OccurrenceID: Hashable, Sendable {
  public let alarm: Int
  /// The local date it is due on; for timers and fixed instants the date in UTC, so that no zone changes it.
  public let date: LocalDate
  /// The alarm's version.
  public let version: Int
  /// 0 for the real thing; rehearsals of the same day count from 1.
  public let rehearsal: Int

  public init(alarm: Int, date: LocalDate, version: Int, rehearsal: Int = 0) {
    (self.alarm, self.date, self.version, self.rehearsal) = (alarm, date, version, rehearsal)
  }
}

extension OccurrenceID: CustomStringConvertible {
  /// `3@2026-11-30.1`; a rehearsal is `3@2026-11-30.1r2`.
  public var description: String {
    "\(alarm)@\(date).\(version)" + (rehearsal == 0 ? "" : "r\(rehearsal)")
  }

  /// Reads what `description` writes; nil for everything else.
  public init?(_ text: some StringProtocol) {
    guard let at = text.firstIndex(of: "@"), let dot = text.lastIndex(of: "."), at < dot,
      let alarm = Int(text[..<at]), let date = LocalDate(text[text.index(after: at)..<dot])
    else { return nil }
    let tail = text[text.index(after: dot)...].split(separator: "r", omittingEmptySubsequences: false)
    guard tail.count <= 2, let version = tail.first.flatMap({ Int($0) }) else { return nil }
    var rehearsal = 0
    if tail.count == 2 {
      guard let number = Int(tail[1]), number > 0 else { return nil }
      rehearsal = number
    }
    self.init(alarm: alarm, date: date, version: version, rehearsal: rehearsal)
    guard description == text else { return nil }
  }
}

/// One instant at which an alarm is due, and what became of it.
public struct Occurrence: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case scheduled, ringing, snoozed, dismissed, missed, skipped
    /// It has ended, for good.
    public var isSettled: Bool { self == .dismissed || self == .missed || self == .skipped }
    /// It rings or is snoozed.
    public var isLive: Bool { self == .ringing || self == .snoozed }
  }

  /// Why it ended as it did, or why it rang late.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case person, unanswered, away, asleep, clockSet, zoneChanged, superseded, edited
  }

  public let id: OccurrenceID
  public var due: Instant
  public var state: State
  public var reason: Reason?
  /// The label as it was then, for the story.
  public var label: String
  /// By how much it rang late, and for which reason; nil where it was on time.
  public var late: Duration?
  public var lateReason: Reason?
  /// It sounded (or its notification showed): such a one is never repeated.
  public var wasHeard = false
  public var ringingSince: Instant?
  public var snoozedUntil: Deadline?
  /// How long the present snooze was asked for.
  public var snoozeSpan: Duration?
  public var snoozesUsed = 0
  /// How often it snoozed by itself because nobody came.
  public var unansweredUsed = 0
  /// How long it has sounded since it began to ring, the time it was covered by another not counted.
  public var soundedFor: Duration = .zero
  /// CLOCK_BOOTTIME since when it sounds without a break; nil while it is covered. Not stored.
  public var soundingSince: Int64?
  /// What sounds, as far as the output has said.
  public var sound: String?
  /// Which file of that sounds, where it is a folder or playlist (`FileName.text`). Not stored.
  public var file: String?
  /// It rings under a newer one, and its story says so. Not stored.
  var isCovered = false
  /// Another covered it at some time since it began to ring. Not stored.
  var wasCovered = false
  /// Sources whose opening was begun and has not been seen to work: after a crash they are passed over.
  public var attempts: [String] = []
  /// Sources that failed, or were being opened when the engine died.
  public var passedOver: [String] = []
  /// Whole sentences for the person: which sound failed and why.
  public var notes: [String] = []
  /// Its command was run, or is about to be.
  public var hasRun = false
  public var settledAt: Instant?
  /// Settled, but open again because the clock went back before it.
  public var isReopened = false
  /// The larger, the newer the ring; what is snoozed and rings again becomes the newest. Not stored.
  var order = 0

  public init(id: OccurrenceID, due: Instant, state: State, label: String) {
    (self.id, self.due, self.state, self.label) = (id, due, state, label)
  }

  public var alarm: Int { id.alarm }
  public var isRehearsal: Bool { id.rehearsal > 0 }
  /// It is the one among those ringing that is heard.
  public var isSounding: Bool { soundingSince != nil }
}
