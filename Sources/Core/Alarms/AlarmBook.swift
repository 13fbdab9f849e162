import Schedule

/// All alarms and what becomes of each of their occurrences:
/// `scheduled → ringing → snoozed → ringing … → dismissed | missed | skipped`.
///
/// A pure value. `handle` is told what happened and when, and answers what is to be done; nobody else decides whether an
/// alarm rings. Every instant is planned ahead (`nextWake`), one timer on each clock is enough:
///
///     let effects = try book.handle(.add(draft), at: now)
///     let wake = book.nextWake(at: now)  // call handle(.tick, at:) then, or when the clock is set
///
/// What rang is known by alarm, local date and version of the rule, so neither a restart nor a clock that was set makes
/// it ring again.
public struct AlarmBook: Sendable {
  // Everything below is stored state or follows from it; the extensions in this folder change it.
  var alarms: [Int: Alarm] = [:]
  /// The alarms' ids in ascending order.
  var ids: [Int] = []
  var nextID: Int
  /// The first open due of each alarm that has one; timers are not in it.
  var plans: [Int: Due] = [:]
  var agenda = Agenda()
  /// Enabled timers, whose ends are elapsed time.
  var timers: Set<Int> = []
  /// What rings or is snoozed: at most one an alarm.
  var live: [Int: Occurrence] = [:]
  /// Scheduled occurrences a source of which was already opened.
  var upcoming: [OccurrenceID: Occurrence] = [:]
  /// The last few that ended, by alarm, oldest first: what must not ring again.
  var settled: [Int: [Settled]] = [:]
  /// Notifications that have not been dealt with, in the order they came.
  public internal(set) var inbox: [InboxEntry] = []
  public internal(set) var badge = 0
  /// Grows whenever an alarm, one of its times or the state of an occurrence is another; from 0 on in each engine's life.
  public internal(set) var changes = 0
  /// What was last told of it.
  var toldBadge = 0
  /// Notifications of misses that are no misses while the clock is before them.
  var takenBack: [OccurrenceID: InboxEntry] = [:]
  /// Rings the output already holds, and the instants they were prepared for.
  var prepared: [OccurrenceID: Instant] = [:]
  /// What was heard of a ring before its instant was seen here, to be told behind its beginning, or once it is uncovered.
  var soundsAhead: [OccurrenceID: Heard] = [:]
  /// Since when the output sounds a ring whose instant was not seen here yet.
  var heardAt: [OccurrenceID: Instant] = [:]
  /// When the output was given each ring, for the story.
  var armedAt: [OccurrenceID: Instant] = [:]
  /// Until then everything due has been judged.
  var last: Seen
  var lastZone: Zone
  /// `Moment.suspended` then.
  var lastSuspended: Int64 = 0
  /// When the clock was set by more than a day, the last few times.
  public internal(set) var clockTurns: [ClockTurn]
  /// No moment was stored yet.
  let isNew: Bool
  var settings: Settings
  /// Why changes are refused; nil where they can be stored.
  var storeTrouble: String?
  /// Counts rings, for their order.
  var order = 0
  /// CLOCK_BOOTTIME when what rings was last stored.
  var lastBeat: Int64 = 0
  var undoable: [Undoable] = []
  /// What `handle` gathers until it answers.
  var out = Outbox()
  /// Effects of a judgement whose request was refused; they go out with the next answer.
  var held: [Effect] = []
  var journal: Journal?

  /// A book as it was stored. Call `handle(.loaded, at:)` before anything else.
  ///
  /// - Parameters:
  ///   - occurrences: those that were live or scheduled, and the recently settled.
  ///   - lastSeen: nil for a new book.
  public init(
    alarms stored: [Alarm] = [], occurrences: [Occurrence] = [], nextID: Int = 1, lastSeen: Seen? = nil,
    settings: Settings = Settings(), inbox: [InboxEntry] = [], badge: Int = 0, clockTurns: [ClockTurn] = []
  ) {
    (self.settings, self.clockTurns) = (settings, clockTurns)
    (self.inbox, self.badge) = (inbox, badge)
    last = lastSeen ?? Seen(wall: Instant(microseconds: 0), boot: 0, bootID: "", zone: "")
    isNew = lastSeen == nil
    lastZone = lastSeen.flatMap { Zone($0.zone) } ?? .utc
    self.nextID = max(nextID, (stored.map(\.id).max() ?? 0) + 1)
    alarms.reserveCapacity(stored.count)
    for alarm in stored { alarms[alarm.id] = alarm }
    ids = alarms.keys.sorted()
    // In the order they ended, for only the last few are remembered.
    let order = occurrences.sorted {
      ($0.settledAt ?? $0.due, $0.due, $0.alarm) < ($1.settledAt ?? $1.due, $1.due, $1.alarm)
    }
    for var occurrence in order {
      // What was being opened when the engine ended may have ended it.
      occurrence.passedOver += occurrence.attempts.filter { !occurrence.passedOver.contains($0) }
      occurrence.attempts = []
      switch occurrence.state {
      case .ringing, .snoozed: live[occurrence.alarm] = occurrence
      case .scheduled: upcoming[occurrence.id] = occurrence
      case .dismissed, .missed, .skipped: remember(occurrence)
      }
    }
    for id in settled.keys { settled[id]?.sort { ($0.due, $0.date) < ($1.due, $1.date) } }
  }

  // MARK: Questions

  /// All alarms by id.
  public var all: [Alarm] { ids.compactMap { alarms[$0] } }
  public var count: Int { ids.count }
  /// The zones that those that are on are fixed to, each once.
  public var zones: [Zone] {
    alarms.values.reduce(into: []) { zones, alarm in
      if alarm.isEnabled, let zone = alarm.zone, !zones.contains(where: { $0 == zone }) { zones.append(zone) }
    }.sorted { $0.identifier < $1.identifier }
  }

  /// The sounds of those that are on.
  public var sounds: Set<String> {
    alarms.values.reduce(into: []) { sounds, alarm in
      if alarm.isEnabled, let sound = alarm.sound { sounds.insert(sound) }
    }
  }
  public var enabledCount: Int { plans.count + timers.count }

  public func alarm(_ id: Int) -> Alarm? { alarms[id] }

  /// Those that ring, newest first; the first sounds.
  public var ringing: [Occurrence] {
    live.values.filter { $0.state == .ringing }.sorted { $0.order > $1.order }
  }

  /// Those that are snoozed, the soonest first.
  public var snoozed: [Occurrence] {
    live.values.filter { $0.state == .snoozed }
      .sorted { ($0.snoozedUntil?.wall ?? $0.due, $0.alarm) < ($1.snoozedUntil?.wall ?? $1.due, $1.alarm) }
  }

  /// What rings or is snoozed of an alarm.
  public func liveOccurrence(of id: Int) -> Occurrence? { live[id] }

  /// The next instant the alarm rings at by its rule, what is skipped left out (a snooze's end is not one); nil where there
  /// is none.
  public func nextDue(of id: Int, at now: Moment) -> Due? {
    if let due = plans[id] {
      guard let alarm = alarms[id], alarm.isSkipped(due.date) else { return due }
      return firstRing(of: alarm, after: Instant(microseconds: due.instant.microseconds - 1), in: lastZone)
    }
    guard timers.contains(id), let alarm = alarms[id], let end = alarm.timerEnd else { return nil }
    let instant = max(now.wall, end.shownEnd(at: now))
    return Due(date: date(ofTimer: alarm), instant: instant, kind: .exact)
  }

  public var canUndo: Bool { !undoable.isEmpty }

  /// How many snoozes a person has left; nil where there is no limit.
  public func snoozesLeft(of occurrence: Occurrence) -> Int? {
    guard let limit = alarms[occurrence.alarm]?.snoozeLimit ?? settings.alarm.snoozeLimit else { return nil }
    return max(0, limit - occurrence.snoozesUsed)
  }

  /// The last end of an alarm, where that was a miss and nothing of it is live: when it was due, and why nobody got up.
  public func lastMissed(of id: Int) -> (due: Instant, reason: Occurrence.Reason?)? {
    guard live[id] == nil, let last = settled[id]?.last(where: { $0.rehearsal == 0 && !$0.isReopened }),
      last.state == .missed
    else { return nil }
    return (last.due, last.reason)
  }

  /// The zone an alarm's rule is read in.
  public func zone(of alarm: Alarm) -> Zone { alarm.zone ?? lastZone }
}

/// What the output said that it sounds.
struct Heard: Hashable, Sendable {
  var source: String
  /// Which file of a folder or playlist.
  var file: String?
}

/// What the book keeps of an occurrence that ended.
struct Settled: Hashable, Sendable {
  var date: LocalDate
  var version: Int
  var rehearsal: Int
  var due: Instant
  var wasHeard: Bool
  var isReopened: Bool
  var state: Occurrence.State
  var reason: Occurrence.Reason?
  var isRehearsal: Bool { rehearsal > 0 }

  init(_ occurrence: Occurrence) {
    (date, version, rehearsal) = (occurrence.id.date, occurrence.id.version, occurrence.id.rehearsal)
    (due, wasHeard, isReopened) = (occurrence.due, occurrence.wasHeard, occurrence.isReopened)
    (state, reason) = (occurrence.state, occurrence.reason)
  }
}

/// Something a person can take back.
struct Undoable: Hashable, Sendable {
  enum Deed: Hashable, Sendable {
    case removal, edit, bringingIn
    /// On or off, and what is skipped: nothing else of an alarm is another by these.
    case switchingOn, switchingOff, skip, endOfSkip

    /// `removal of`, with the alarms behind it.
    var words: String {
      switch self {
      case .removal: "removal of"
      case .edit: "edit of"
      case .bringingIn: "import of"
      case .switchingOn: "switching on of"
      case .switchingOff: "switching off of"
      case .skip: "skip of"
      case .endOfSkip: "end of the skip of"
      }
    }
  }
  var deed: Deed
  var before: [Alarm]
  /// What was brought in.
  var added: [Int] = []
  /// What rang or was snoozed and was ended by it, as it was before.
  var ended: [Occurrence] = []
}
