import Core
import Platform
import Schedule
import Wire

/// Core's values in the shapes of the socket.
struct AlarmShapes {
  let book: AlarmBook
  let now: Moment

  func entry(_ alarm: Alarm) -> AlarmEntry {
    var entry = AlarmEntry(
      id: alarm.id, when: alarm.rule.text, sentence: alarm.rule.sentence(in: alarm.zone ?? now.zone))
    entry.enabled = alarm.isEnabled
    if let due = book.nextDue(of: alarm.id, at: now) {
      entry.next = due.instant.iso(in: now.zone)
      entry.nextShown = due.instant.shown(in: now.zone, now: now.wall)
      entry.inSeconds = (due.instant - now.wall).inSeconds
    }
    if let snoozed = book.liveOccurrence(of: alarm.id), snoozed.state == .snoozed {
      // It rings again before its rule is due, or although that is spent.
      let end = snoozeEnd(snoozed)
      entry.next = end.iso(in: now.zone)
      entry.nextShown = end.shown(in: now.zone, now: now.wall)
      entry.inSeconds = (end - now.wall).inSeconds
    }
    entry.missed = book.lastMissed(of: alarm.id).map { due, reason in
      AlarmEntry.Missed(
        at: due.iso(in: now.zone), shown: due.shown(in: now.zone, now: now.wall),
        reason: reason?.rawValue ?? "", because: why(reason))
    }
    entry.label = alarm.label
    entry.zone = alarm.zone?.identifier
    entry.sound = alarm.sound
    entry.volume = alarm.volume
    entry.fade = alarm.fade?.inSeconds
    entry.snooze = alarm.snooze?.inSeconds
    entry.snoozeLimit = alarm.snoozeLimit
    entry.silenceAfter = alarm.silenceAfter?.inSeconds
    entry.body = alarm.body
    entry.action = alarm.action
    entry.userInfo = userInfo(alarm.info)
    entry.badge = alarm.badge
    entry.run = alarm.run
    entry.until = alarm.until?.description
    entry.count = alarm.count
    let today = (alarm.zone ?? now.zone).local(now.wall).date
    entry.skips = alarm.skips.filter { $0.upperBound >= today }.map {
      AlarmEntry.Skip(from: $0.lowerBound.description, until: $0.upperBound.description)
    }
    entry.state = book.liveOccurrence(of: alarm.id)?.state.rawValue ?? (alarm.isEnabled ? "scheduled" : "off")
    return entry
  }

  func next(_ alarm: Int, _ due: Due) -> NextEntry {
    NextEntry(
      id: alarm, at: due.instant.iso(in: now.zone), shown: due.instant.shown(in: now.zone, now: now.wall),
      inSeconds: (due.instant - now.wall).inSeconds, label: book.alarm(alarm)?.label ?? "")
  }

  func reply(_ answer: AlarmBook.Answer) -> AlarmReply {
    AlarmReply(
      alarms: answer.removed.isEmpty
        ? answer.alarms.compactMap { book.alarm($0).map(entry) } : answer.removed.map(entry),
      warnings: answer.warnings, done: answer.done)
  }

  func ringing(_ occurrence: Occurrence) -> Status.Ringing {
    let alarm = book.alarm(occurrence.alarm)
    var notes = occurrence.notes
    if let late = occurrence.late {
      notes.insert("it rings \(Span.text(late)) late\(because(occurrence.lateReason))", at: 0)
    }
    return Status.Ringing(
      id: occurrence.alarm, occurrence: occurrence.id.description, label: occurrence.label,
      body: alarm?.body ?? "", action: alarm?.action ?? "",
      since: (occurrence.ringingSince ?? occurrence.due).iso(in: now.zone),
      sound: occurrence.sound, file: occurrence.file, sounding: occurrence.isSounding,
      snoozesLeft: book.snoozesLeft(of: occurrence), userInfo: userInfo(alarm?.info ?? []), notes: notes)
  }

  func snoozed(_ occurrence: Occurrence) -> Status.Snoozed {
    Status.Snoozed(
      id: occurrence.alarm, occurrence: occurrence.id.description, label: occurrence.label,
      until: snoozeEnd(occurrence).iso(in: now.zone))
  }

  /// Worked out from two clocks, that is to some microseconds.
  private func snoozeEnd(_ occurrence: Occurrence) -> Instant {
    let end = occurrence.snoozedUntil.map { $0.shownEnd(at: now) } ?? occurrence.due
    return end.shownSecond
  }

  /// `alarm 3 (Up)`.
  func name(_ id: Int) -> String {
    let label = clean(book.alarm(id)?.label ?? "")
    return label.isEmpty ? "alarm \(id)" : "alarm \(id) (\(label))"
  }

  /// A sentence for each that a command acted on, and for those it left.
  func lines(_ answer: AlarmBook.Answer) -> [String] {
    var lines: [String] = []
    for occurrence in answer.occurrences {
      switch occurrence.state {
      case .snoozed:
        let end = snoozeEnd(occurrence).shown(in: now.zone, now: now.wall)
        lines.append("\(name(occurrence.alarm)) is snoozed until \(end)")
      case .ringing: lines.append("\(name(occurrence.alarm)) rings")
      default: lines.append("\(name(occurrence.alarm)) is \(occurrence.state.rawValue)")
      }
    }
    for occurrence in answer.rest {
      lines.append(
        "\(name(occurrence.alarm)) \(occurrence.state == .snoozed ? "is still snoozed" : "still rings")")
    }
    if let done = answer.done { lines.append(done) }
    return lines
  }

  private func userInfo(_ info: [InfoPair]) -> [String: String] {
    Dictionary(info.map { ($0.key, $0.value) }) { _, last in last }
  }

  func inbox(_ entry: InboxEntry) -> Status.InboxEntry {
    Status.InboxEntry(
      occurrence: entry.occurrence.description, id: entry.occurrence.alarm, label: entry.label,
      body: entry.body, action: entry.action, userInfo: userInfo(entry.info), at: entry.at.iso(in: now.zone),
      state: entry.state.rawValue, reason: entry.reason?.rawValue,
      because: entry.reason.map { why($0) })
  }

  /// The newest first, as many as a line can carry.
  func inbox(bytes: Int, count: Int) -> [Status.InboxEntry] {
    var room = bytes
    var result: [Status.InboxEntry] = []
    for entry in book.inbox.reversed().prefix(count) {
      // A byte of text is six in JSON at worst.
      let size = entry.info.reduce(
        (entry.label.utf8.count + entry.body.utf8.count + entry.action.utf8.count) + 300
      ) { $0 + $1.key.utf8.count + $1.value.utf8.count + 8 }
      room -= size * 2
      if room < 0 { break }
      result.append(inbox(entry))
    }
    return result
  }

  /// Why an alarm was missed.
  func why(_ reason: Occurrence.Reason?) -> String {
    switch reason {
    case .unanswered: "it rang and nobody came"
    case .away: "the engine was not running"
    case .asleep: "the machine was asleep"
    case .clockSet: "the clock was set"
    case .zoneChanged: "the time zone was changed"
    case .person: "a person did it"
    case .superseded: "its next time took over"
    case .edited: "it was changed, switched off or removed"
    case nil: "it did not ring"
    }
  }

  private func because(_ reason: Occurrence.Reason?) -> String {
    switch reason {
    case .away: " because the engine was not running"
    case .asleep: " because the machine was asleep"
    case .clockSet: " because the clock was set"
    case .zoneChanged: " because the time zone was changed"
    default: ""
    }
  }
}

extension Instant {
  /// The second in which it lies, as every text shows it. What is a breath short of the next one, because it was worked out
  /// from two clocks, lies in that.
  var shownSecond: Instant { Instant(seconds: (self + .milliseconds(20)).seconds) }
}
