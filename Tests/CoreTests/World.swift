import Core
import Schedule

/// A machine, an engine, a disk and a loudspeaker, all made of values: it does what the book says, and notes what breaks
/// a promise.
struct World {
  var book: AlarmBook
  var wall: Instant
  var boot: Int64 = 1_000_000_000
  var bootNumber = 1
  /// How much of `boot` the machine slept.
  var suspended: Int64 = 0
  var zone: Zone
  var settings = Settings()

  /// What is on the disk.
  var alarms: [Int: Alarm] = [:]
  var occurrences: [OccurrenceID: Occurrence] = [:]
  var nextID = 1
  var seen: Seen?
  /// The disk takes nothing.
  var isDiskFull = false
  /// What was done but could not be stored; it goes with the next commit.
  private var owed: [Change] = []

  /// What the output was told, and has not been told to stop; whether it is heard.
  var rings: [OccurrenceID: Bool] = [:]
  var prepared: [OccurrenceID: Instant] = [:]
  /// Every change of state, in order.
  var told: [Occurrence] = []
  var answers: [AlarmBook.Answer] = []
  /// Each beginning of a ring: whose, and what the wall clock showed.
  var begun: [(id: OccurrenceID, wall: Instant)] = []
  var broken: [String] = []
  /// What the desktop shows, and the badge.
  var shown: [OccurrenceID: Notification] = [:]
  var badge = 0
  var commands: [RingCommand] = []
  var story: [StoryLine] = []
  /// What is going on, by which every reason is measured.
  enum Cause { case request, running, sleep, hang, kill, clock, zone }
  var cause = Cause.running
  /// The clock was set forward, or the zone is another, since the last that is on the disk.
  private var (wasSetAway, wasMovedAway) = (false, false)
  /// The wall clock at each of `told`.
  var toldAt: [Instant] = []
  /// What rings or rang in this engine's life without a snooze since.
  private var heard: Set<OccurrenceID> = []
  private var storedInbox: [InboxEntry] = []
  private var storedBadge = 0
  private var storedTurns: [ClockTurn] = []
  private var ended: Set<OccurrenceID> = []
  private var isUndoing = false
  private var ticks = 0

  init(_ start: String, zone: String = "Europe/Berlin", settings: Settings = Settings()) {
    let zone = Zone(zone) ?? .utc
    self.zone = zone
    self.settings = settings
    wall = Instant(iso: start) ?? Instant(seconds: 0)
    book = AlarmBook(settings: settings)
    send(.loaded)
  }

  var now: Moment {
    Moment(wall: wall, boot: boot, bootID: "boot \(bootNumber)", zone: zone, suspended: suspended)
  }

  // MARK: What can happen

  /// A request; a refusal is answered as its sentence.
  @discardableResult
  mutating func ask(_ event: AlarmBook.Event) -> String? {
    if case .tick = event {} else if case .loaded = event {} else { cause = .request }
    isUndoing = false
    if case .undo = event { isUndoing = true }
    do {
      let effects = try book.handle(event, at: now)
      return perform(effects)
    } catch {
      return error.description
    }
  }

  mutating func send(_ event: AlarmBook.Event) {
    if let refusal = ask(event) { broken.append("refused: \(refusal)") }
  }

  /// Time passes, the engine runs, and is called when it asked to be.
  mutating func pass(_ span: Duration) {
    cause = .running
    let end = boot + span.microseconds
    var idle = 0
    while true {
      let wake = book.nextWake(at: now)
      var next = end
      if let instant = wake.wall { next = min(next, boot + max(0, (instant - wall).microseconds)) }
      if let instant = wake.boot { next = min(next, max(boot, instant)) }
      idle = next == boot ? idle + 1 : 0
      if idle > 3 {
        broken.append("it asks to be woken again and again at \(wall.iso(in: zone))")
        return
      }
      advance(to: next)
      if next == end, wake.wall.map({ $0 > wall }) ?? true, wake.boot.map({ $0 > boot }) ?? true { return }
      send(.tick)
      ticks += 1
      if ticks > 200_000 {
        broken.append("it does not come to rest")
        return
      }
    }
  }

  mutating func pass(until text: String) {
    guard let instant = Instant(iso: text) else { return broken.append("no instant: \(text)") }
    pass(instant - wall)
  }

  /// The machine sleeps; the engine is told when it wakes.
  mutating func sleep(_ span: Duration) {
    advance(to: boot + span.microseconds)
    suspended += span.microseconds
    cause = .sleep
    send(.tick)
  }

  /// The engine's loop hangs; the output goes on by itself, and what it says is read first.
  mutating func hang(_ span: Duration) {
    advance(to: boot + span.microseconds)
    cause = .hang
    for (id, instant) in prepared.sorted(by: { $0.key.alarm < $1.key.alarm }) where instant <= wall {
      send(.began(id, at: instant))
    }
    send(.tick)
  }

  /// The whole engine is stopped (SIGSTOP), its output too.
  mutating func stop(_ span: Duration) {
    advance(to: boot + span.microseconds)
    cause = .hang
    send(.tick)
  }

  mutating func setClock(to text: String) {
    guard let instant = Instant(iso: text) else { return broken.append("no instant: \(text)") }
    setClock(by: instant - wall)
  }

  mutating func setClock(by step: Duration) {
    wall = wall + step
    cause = .clock
    send(.tick)
  }

  mutating func move(to name: String) {
    zone = Zone(name) ?? .utc
    cause = .zone
    send(.tick)
  }

  /// `kill -9`, and a new engine after a while; `reboot`: the machine was restarted meanwhile.
  mutating func kill(away: Duration, reboot: Bool = false, clockStep: Duration = .zero) {
    cause = .kill
    heard = []
    rings = [:]
    prepared = [:]
    // What is not on the disk is forgotten: a restart may ring again.
    for change in owed {
      switch change {
      case .occurrence(let occurrence): ended.remove(occurrence.id)
      case .reopened(let id, false): ended.remove(id)
      default: break
      }
    }
    (shown, badge) = ([:], 0)
    owed = []
    advance(to: boot + away.microseconds)
    wall = wall + clockStep
    if reboot {
      bootNumber += 1
      (boot, suspended) = (5_000_000, 0)
    }
    wasSetAway =
      seen.map { $0.bootID == now.bootID && wall > $0.wall + .microseconds(boot - $0.boot) } ?? false
    wasMovedAway = seen.map { $0.zone != zone.identifier } ?? false
    book = AlarmBook(
      alarms: alarms.values.sorted { $0.id < $1.id }, occurrences: Array(occurrences.values), nextID: nextID,
      lastSeen: seen, settings: settings, inbox: storedInbox, badge: storedBadge,
      clockTurns: storedTurns)
    send(.loaded)
  }

  private mutating func advance(to instant: Int64) {
    wall = wall + .microseconds(instant - boot)
    boot = instant
  }

  // MARK: What the engine does

  private mutating func perform(_ effects: [AlarmBook.Effect]) -> String? {
    for effect in effects {
      switch effect {
      case .save(let changes, let mustSucceed):
        for case .reopened(let id, let isOpen) in changes {
          if isOpen {
            ended.remove(id)
            heard.remove(id)
          } else {
            ended.insert(id)
          }
        }
        if isDiskFull {
          if !mustSucceed {
            owed += changes
            continue
          }
          book.revert()
          check()
          return "the disk is full"
        }
        for change in owed + changes { store(change) }
        owed = []
        if book.all != alarms.values.sorted(by: { $0.id < $1.id }) {
          broken.append("the alarms differ from those stored")
        }
      case .prepareRing(let ring, let instant):
        if instant <= wall || instant - wall > AlarmBook.prepareAhead {
          broken.append(
            "\(ring.occurrence) is prepared for \(instant.iso(in: zone)) at \(wall.iso(in: zone))")
        }
        prepared[ring.occurrence] = instant
      case .cancelRing(let id): prepared[id] = nil
      case .startRing(let ring):
        if ended.contains(ring.occurrence) { broken.append("\(ring.occurrence) rings after its end") }
        if !heard.insert(ring.occurrence).inserted {
          broken.append("\(ring.occurrence) rings twice although nobody snoozed it")
        }
        if rings[ring.occurrence] != nil { broken.append("\(ring.occurrence) is started twice") }
        rings[ring.occurrence] = ring.sounding
        prepared[ring.occurrence] = nil
        begun.append((ring.occurrence, wall))
      case .stopRing(let id): rings[id] = nil
      case .setSounding(let id, let sounds):
        if rings[id] == nil { broken.append("\(id) is covered or uncovered but does not ring") }
        rings[id] = sounds
      case .changeRing(let ring):
        if rings[ring.occurrence] == nil { broken.append("\(ring.occurrence) is changed but does not ring") }
      case .notify(let notification): shown[notification.occurrence.id] = notification
      case .withdraw(let id): shown[id] = nil
      case .badge(let number): badge = number
      case .run(let command): commands.append(command)
      case .changed(let occurrence): note(occurrence)
      case .answer(let answer): answers.append(answer)
      }
    }
    check()
    return nil
  }

  private mutating func note(_ occurrence: Occurrence) {
    told.append(occurrence)
    toldAt.append(wall)
    if occurrence.state == .snoozed { heard.remove(occurrence.id) }
    // What a deed ended goes on where the deed is undone.
    if occurrence.state == .snoozed, isUndoing { ended.remove(occurrence.id) }
    // One that was killed while it rang was late before.
    let wasRinging = told.dropLast().last { $0.id == occurrence.id }?.state == .ringing
    if occurrence.state == .ringing, !wasRinging, let late = occurrence.late {
      if let reason = occurrence.lateReason { expect(reason, occurrence) }
      if late <= .zero || late >= settings.alarm.lateWithin {
        broken.append("\(occurrence.id) rings \(late) late")
      }
    }
    if let reason = occurrence.reason, occurrence.state.isSettled { expect(reason, occurrence) }
    guard occurrence.state.isSettled else { return }
    if !ended.insert(occurrence.id).inserted { broken.append("\(occurrence.id) ends twice") }
    if occurrence.reason == nil { broken.append("\(occurrence.id) ends without a reason") }
  }

  /// A reason must be what really happened.
  private mutating func expect(_ reason: Occurrence.Reason, _ occurrence: Occurrence) {
    let isTrue =
      switch (occurrence.state, reason) {
      case (.skipped, .person):
        book.alarm(occurrence.alarm)?.skips.contains { $0.contains(occurrence.id.date) } ?? false
      case (_, .person), (.dismissed, .edited): cause == .request
      case (.dismissed, .superseded):
        book.liveOccurrence(of: occurrence.alarm).map { $0.id != occurrence.id } ?? true
      case (.missed, .unanswered):
        occurrence.wasHeard && occurrence.unansweredUsed == settings.alarm.unanswered
      case (_, .away): cause == .kill || cause == .hang
      case (_, .asleep): cause == .sleep
      case (_, .clockSet): cause == .clock || cause == .kill && wasSetAway
      case (_, .zoneChanged): cause == .zone || cause == .kill && wasMovedAway
      default: false
      }
    if !isTrue {
      broken.append("\(occurrence.id) is \(occurrence.state.rawValue) for \(reason.rawValue) in \(cause)")
    }
  }

  private mutating func store(_ change: Change) {
    switch change {
    case .alarm(let alarm): alarms[alarm.id] = alarm
    case .removed(let id): alarms[id] = nil
    case .occurrence(var occurrence):
      // What the database does not keep.
      occurrence.soundingSince = nil
      occurrences[occurrence.id] = occurrence
    case .dropped(let id):
      if occurrences[id]?.settledAt == nil { occurrences[id] = nil }
    case .reopened(let id, let isOpen):
      occurrences[id]?.isReopened = isOpen
    case .nextID(let id): nextID = id
    case .seen(let moment): seen = moment
    case .clockTurns(let turns): storedTurns = turns
    case .inbox(let entry):
      if let place = storedInbox.firstIndex(where: { $0.occurrence == entry.occurrence }) {
        storedInbox[place] = entry
      } else {
        storedInbox.append(entry)
      }
    case .outOfInbox(let id): storedInbox.removeAll { $0.occurrence == id }
    case .badge(let number): storedBadge = number
    case .story(let line): story.append(line)
    case .player, .leases, .raised, .loudness, .outputDevice: break
    }
  }

  /// What must be so at every moment.
  private mutating func check() {
    let ringing = book.ringing
    if Set(rings.keys) != Set(ringing.map(\.id)) {
      broken.append("the output rings \(rings.keys), the book says \(ringing.map(\.id))")
    }
    for occurrence in ringing + book.snoozed {
      if shown[occurrence.id]?.occurrence.state != occurrence.state {
        broken.append("the desktop does not show \(occurrence.id) as \(occurrence.state.rawValue)")
      }
      if !occurrence.isRehearsal, !book.inbox.contains(where: { $0.occurrence == occurrence.id }) {
        broken.append("\(occurrence.id) is not in the inbox")
      }
    }
    for (id, notification) in shown where notification.occurrence.state.isLive {
      if book.liveOccurrence(of: id.alarm)?.id != id { broken.append("the desktop still shows \(id)") }
    }
    for (id, notification) in shown where !notification.occurrence.state.isLive && id.rehearsal == 0 {
      if !book.inbox.contains(where: { $0.occurrence == id }) {
        broken.append("the desktop still shows \(id), which is not in the inbox")
      }
    }
    for entry in book.inbox where entry.state == .missed {
      let id = entry.occurrence
      if book.nextDue(of: id.alarm, at: now)?.date == id.date, book.alarm(id.alarm)?.version == id.version,
        let made = book.alarm(id.alarm)?.createdAt, made - .seconds(4 * 86_400) <= wall
      {
        broken.append("the inbox calls \(id) missed, which is to come")
      }
    }
    if badge != book.badge { broken.append("the badge shows \(badge), not \(book.badge)") }
    if owed.isEmpty, storedInbox != book.inbox || storedBadge != book.badge {
      broken.append("the inbox differs from the stored one")
    }
    let heard = rings.filter(\.value).keys
    if heard.count != (ringing.isEmpty ? 0 : 1) { broken.append("\(heard.count) of \(rings.count) sound") }
    if let newest = ringing.first, rings[newest.id] != true { broken.append("the newest does not sound") }
  }
}

extension World {
  /// Adds an alarm; its number.
  @discardableResult
  mutating func add(_ draft: AlarmDraft) -> Int {
    send(.add(draft))
    return answers.last?.alarms.first ?? 0
  }

  @discardableResult
  mutating func add(_ rule: Rule, _ change: (inout AlarmDraft) -> Void = { _ in }) -> Int {
    var draft = AlarmDraft(rule: rule)
    change(&draft)
    return add(draft)
  }

  /// `3@2026-11-30.1 ringing`, for all that is ringing or snoozed.
  var live: [String] { (book.ringing + book.snoozed).map { "\($0.id) \($0.state.rawValue)" } }

  /// `3@2026-11-30.1 missed away`, for all that ended.
  var ends: [String] {
    told.filter(\.state.isSettled).map { "\($0.id) \($0.state.rawValue) \($0.reason?.rawValue ?? "")" }
  }
}

func clock(_ hour: Int, _ minute: Int = 0) -> ClockTime {
  ClockTime(hour: hour, minute: minute) ?? ClockTime(hour: 0, minute: 0)!
}

func date(_ text: String) -> LocalDate { LocalDate(text) ?? LocalDate(dayNumber: 0) }

/// A small generator with a seed, so that what fails once fails again (xorshift64*, Vigna 2016).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_f491_4f6c_dd1d
  }
}
