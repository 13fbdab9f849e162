import Core
import Platform
import Schedule
import Wire

// The book of alarms: events in, deeds out.
extension AlarmEngine {
  /// Gives an event to the book and does what it answers.
  ///
  /// Throws what the person is to be told: a refusal, after which nothing has changed; or that what was done could not
  /// be stored.
  @discardableResult
  func tell(_ event: AlarmBook.Event) throws(WireError) -> AlarmBook.Answer {
    if keeper.isFailing, event.changesAlarms { keeper.tryAgain() }
    let effects: [AlarmBook.Effect]
    do {
      effects = try book.handle(event, at: now)
    } catch {
      // The book may have judged what passed meanwhile all the same.
      armTimers()
      statusChanged()
      throw WireError(error)
    }
    defer {
      armTimers()
      updateWakefulness()
      statusChanged()
    }
    return try perform(effects)
  }

  /// A timer went off, the clock was set, the machine woke or the zone is another.
  func tick() {
    noteSuspension()
    attempt { try self.tellWakefulness(.tick) }
    attempt { try self.tell(.tick) }
  }

  private func perform(_ effects: [AlarmBook.Effect]) throws(WireError) -> AlarmBook.Answer {
    var answer = AlarmBook.Answer()
    var trouble: String?
    var started: [OccurrenceID] = []
    for effect in effects {
      switch effect {
      case .save(let changes, let mustSucceed):
        guard let sentence = keeper.save(changes, mustSucceed: mustSucceed) else {
          loudness.want(
            sounds: changes.compactMap { if case .alarm(let alarm) = $0 { alarm.draft.sound } else { nil } })
          continue
        }
        // Taken back before anything else is told to the book, which would close what can be taken back.
        if mustSucceed { book.revert() }
        storeBroke(sentence)
        if mustSucceed { throw WireError(code: ErrorCode.refused, sentence) }
        trouble = sentence
      case .prepareRing(let ring, let instant):
        rings.prepare(heard(ring), atMonotonic: time.monotonic(at: instant))
      case .cancelRing(let id): rings.stop(id)
      case .stopRing(let id):
        rings.stop(id)
        commands.ringEnded(id)
      case .startRing(let ring):
        rings.start(heard(ring))
        commands.ringBegan(ring.occurrence)
        started.append(ring.occurrence)
      case .setSounding(let id, let sounding): rings.setSounding(id, sounding)
      case .changeRing(let ring): rings.change(heard(ring))
      case .notify(let notification): desktop.show(notification)
      case .withdraw(let id): desktop.withdraw(id)
      case .badge(let number): desktop.setBadge(number)
      case .run(let command): commands.run(command)
      case .changed(let occurrence): announce(occurrence)
      case .answer(let given): answer = given
      }
    }
    for id in started { tellOfAbandoned(id) }
    if let trouble, !answer.occurrences.isEmpty {
      let done = AlarmShapes(book: book, now: now).lines(answer).joined(separator: "; ")
      throw WireError(code: ErrorCode.refused, "\(done), but that could not be stored: \(trouble)")
    }
    return answer
  }

  /// The person is to know why another sound rings than the one that was chosen.
  private func tellOfAbandoned(_ id: OccurrenceID) {
    for source in abandoned.removeValue(forKey: id) ?? [] {
      let sentence = "the engine died while it opened “\(clean(source))”, so that sound was passed over"
      Log.warning("alarm \(id.alarm): \(sentence)")
      attempt { try self.tell(.ringFailed(id, source: source, sentence: sentence)) }
    }
  }

  /// Changes of alarms are refused until it can be stored again; what rings is dealt with all the same.
  private func storeBroke(_ sentence: String) {
    Log.error(sentence)
    // The book answers nothing to this that would have to be stored first.
    if let effects = try? book.handle(.storeBroken(sentence), at: now) {
      _ = try? perform(effects.withoutSaves)
    }
  }

  /// Stores what is done already, whatever becomes of it. Where it fails whoever asked is told, for a restart would
  /// forget it.
  func keep(_ changes: [Change]) {
    guard let sentence = keeper.save(changes) else { return }
    Log.error(sentence)
    if !complaints.contains(sentence) { complaints.append(sentence) }
  }

  func storeMended() {
    Log.info("the database can be written again")
    attempt { try self.tell(.storeMended) }
  }

  private func announce(_ occurrence: Occurrence) {
    let late = occurrence.late.map { ", \(Span.text($0)) late" } ?? ""
    let reason = occurrence.reason.map { " (\($0.rawValue))" } ?? ""
    Log.info(
      "alarm \(occurrence.alarm), occurrence \(occurrence.id): \(occurrence.state.rawValue)\(reason)\(late)")
    guard occurrence.state == .ringing else { return }
    server.broadcastEvent(
      "ringing",
      [
        "id": .int(Int64(occurrence.alarm)), "occurrence": .string(occurrence.id.description),
        "label": .string(occurrence.label),
      ])
  }

  /// What the rings have to say is stored with the occurrence.
  func ringNews(_ news: Rings.News) {
    switch news {
    case .attempting(let id, let source): attempt { try self.tell(.attempting(id, source: source)) }
    case .sounding(let id, let source, let file):
      attempt { try self.tell(.sounding(id, source: source, file: file?.text)) }
    case .failed(let id, let source, let sentence):
      Log.warning("alarm \(id.alarm): \(sentence)")
      attempt { try self.tell(.ringFailed(id, source: source, sentence: sentence)) }
    }
  }

  /// One timer on each clock, for whatever comes first.
  private func armTimers() {
    let wake = book.nextWake(at: now)
    time.arm(wall: wake.wall, boot: wake.boot)
  }
}

extension [AlarmBook.Effect] {
  fileprivate var withoutSaves: [AlarmBook.Effect] {
    filter { if case .save = $0 { false } else { true } }
  }
}

extension AlarmBook.Event {
  /// It is refused where it cannot be stored.
  fileprivate var changesAlarms: Bool {
    switch self {
    case .add, .addTimer, .bringIn, .edit, .remove, .removeSpent, .setEnabled, .skip, .undo: true
    default: false
    }
  }
}
