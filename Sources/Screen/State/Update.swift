import Wire

extension Model {
  /// Takes in what has happened and says what is to be done. Pure: the time comes in with the event.
  public mutating func update(_ event: Event, at moment: Moment) -> [Effect] {
    let before = now.wall.instant.seconds
    now = moment
    var effects = expire()
    // A preview names how long until then, and a span counts from now. Time is told no more often than it is shown.
    if case .tick = event, let prompt, !prompt.field.text.isEmpty, now.wall.instant.seconds != before {
      effects.append(.preview(prompt.field.text))
    }
    switch event {
    case .tick: break
    case .resize(let size): self.size = size
    case .key(let key): effects += press(key)
    case .mouse: break
    case .focus(let hasFocus): self.hasFocus = hasFocus
    case .paste(let text): effects += paste(text)
    case .connected: effects += connected()
    case .disconnected(let reason): effects += disconnected(reason)
    case .connectFailed(let sentence): effects += connectFailed(sentence)
    case .status(let status): effects += take(status, asked: false)
    case .opened(let occurrence): open(occurrence)
    case .replied(let request, let result): effects += take(result, for: request)
    case .previewed(let text, let preview):
      if prompt?.field.text == text { prompt?.preview = preview }
    }
    refreshOverlay()
    return effects + ringBell()
  }

  static let messageTime: Int64 = 6_000_000
  static let errorTime: Int64 = 12_000_000
  static let overlayDeafTime: Int64 = 1_500_000

  mutating func say(_ text: String, isError: Bool = false) {
    let time = isError ? Model.errorTime : Model.messageTime
    message = Message(text: text, isError: isError, until: now.monotonic + time)
  }

  /// What has run out by now.
  private mutating func expire() -> [Effect] {
    if let message, message.until <= now.monotonic { self.message = nil }
    switch link {
    case .lost(let until, let pause, let next?) where next <= now.monotonic:
      link = .lost(until: until, pause: pause, next: nil)
      return [.connect(mayStart: false)]
    case .down(let reason, let next?) where next <= now.monotonic:
      link = .down(reason, next: nil)
      return [.connect(mayStart: false)]
    default: break
    }
    return []
  }

  /// Whenever the overlay comes to show another alarm it is deaf at first. A prompt keeps it away.
  private mutating func refreshOverlay() {
    let shown = prompt == nil ? shownRing?.occurrence : nil
    if let shown, shown != overlay {
      overlayDeafUntil = now.monotonic + Model.overlayDeafTime
      showsHelp = false
    }
    overlay = shown
  }

  private mutating func open(_ occurrence: String) {
    guard let status else {
      opened = occurrence
      return
    }
    let isThere =
      status.ringing.contains { $0.occurrence == occurrence }
      || status.inbox.contains { $0.occurrence == occurrence }
    if isThere, opened != occurrence { showsHelp = false }
    if !isThere { say("That notification has been dealt with.") }
    opened = isThere ? occurrence : nil
  }

  // MARK: - What comes from the engine

  private mutating func take(_ new: Status, asked: Bool) -> [Effect] {
    let old = status
    status = new
    statusAt = now.monotonic
    link = .up
    if let opened { open(opened) }
    guard !asked else { return [] }
    // The status does not say that an alarm other than the next one was edited. A status that is sent although nothing
    // in it is new is taken as the sign of that.
    let alarmsMoved =
      old?.alarms != new.alarms || old?.ringing.map(\.occurrence) != new.ringing.map(\.occurrence)
      || old?.snoozed != new.snoozed
    var calm = new
    calm.player.position = old?.player.position ?? 0
    calm.output.framesWritten = old?.output.framesWritten ?? 0
    return alarmsMoved || calm == old ? [.request(.list)] : []
  }

  private mutating func take(_ result: Result<Reply, WireError>, for request: Request) -> [Effect] {
    switch result {
    case .success(.status(let status)): return take(status, asked: true) + [.request(.list)]
    case .success(.list(let entries)):
      alarms = Model.sorted(entries)
      scroll = min(scroll, max(0, alarms.count - 1))
      return []
    case .success(.alarm(let reply)):
      if case .add = request { prompt = nil }
      let done = reply.done ?? reply.alarms.first.map { added($0) } ?? "done"
      say(([done] + reply.warnings).joined(separator: "  "))
      return [.request(.list)]
    case .success(.done(let reply)):
      let sentences = reply.lines + reply.warnings
      if !sentences.isEmpty { say(sentences.joined(separator: "  ")) }
      return []
    case .failure(let error):
      if case .add = request, prompt != nil {
        prompt?.isSent = false
        prompt?.refusal = error.description
      } else {
        say(error.description, isError: true)
      }
      // Without it nothing will ever be told here: a connection like that is none.
      return request == .subscribe ? [.disconnect] + disconnected(error.description) : []
    }
  }

  private func added(_ entry: AlarmEntry) -> String {
    guard let next = entry.next.flatMap(WallTime.init(iso:)) else { return "\(entry.id)  \(entry.sentence)" }
    return
      "\(entry.id)  \(entry.sentence)  next \(Wording.instant(next, now.wall, clock)), in \(untilWords(next).words)"
  }

  func untilWords(_ wall: WallTime) -> Wording.Span {
    Wording.span(wall.instant.microseconds.subtractingClamped(now.wall.instant.microseconds))
  }

  /// What comes next stands first, what is off stands last.
  static func sorted(_ entries: [AlarmEntry]) -> [AlarmEntry] {
    let dated = entries.map { ($0, $0.next.flatMap(WallTime.init(iso:))?.instant.microseconds ?? Int64.max) }
    return dated.sorted { left, right in
      (left.0.enabled ? 0 : 1, left.1, left.0.id) < (right.0.enabled ? 0 : 1, right.1, right.0.id)
    }.map(\.0)
  }

  // MARK: - The engine coming and going

  private mutating func connected() -> [Effect] {
    if link != .connecting { say("The engine is there again.") }
    link = .up
    return [.request(.subscribe)]
  }

  /// The engine's own parent starts it again at a growing pause, so it is looked for a while before giving up.
  private mutating func disconnected(_ reason: String?) -> [Effect] {
    // What the line says was true of the engine that has gone.
    message = nil
    status?.ringing = []
    status?.player.state = "stopped"
    status?.player.track = nil
    if prompt?.isSent == true {
      prompt?.isSent = false
      prompt?.refusal = "The engine went before it answered: look whether the alarm is in the list."
    }
    let pause: Int64 = 250_000
    link = .lost(until: now.monotonic + Model.patience, pause: pause, next: now.monotonic + pause)
    return []
  }

  static let patience: Int64 = 15_000_000
  /// How often an engine that somebody else may have started is looked for.
  static let lookAgain: Int64 = 5_000_000

  private mutating func connectFailed(_ sentence: String) -> [Effect] {
    if case .lost(let until, let pause, _) = link, now.monotonic + pause <= until {
      let longer = min(pause * 2, 2_000_000)
      link = .lost(until: until, pause: longer, next: now.monotonic + pause)
    } else if link != .up {
      link = .down(sentence, next: now.monotonic + Model.lookAgain)
    }
    return []
  }
}

extension Int64 {
  /// A difference that stays at the ends instead of trapping: the instants may come from outside.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
