import Platform
import Wire

extension Model {
  /// Takes in what has happened and says what is to be done. Pure: the time comes in with the event.
  public mutating func update(_ event: Event, at moment: Moment) -> [Effect] {
    let before = now.wall.instant.seconds
    now = moment
    var effects = expire()
    let saidBefore = message
    // Time is told no more often than it is shown.
    if case .tick = event, now.wall.instant.seconds != before { effects += previewAgain() }
    switch event {
    case .tick: break
    case .resize(let size): self.size = size
    case .key(let key): effects += press(key)
    case .mouse(let mouse): effects += point(mouse)
    case .focus(let hasFocus):
      self.hasFocus = hasFocus
      if link == .up { effects.append(.request(.focus(hasFocus))) }
    case .paste(let text): effects += paste(text)
    case .connected: effects += connected()
    case .disconnected(let reason): effects += disconnected(reason)
    case .connectFailed(let sentence): effects += connectFailed(sentence)
    case .status(let status): effects += take(status, asked: false)
    case .levels(let levels): take(levels)
    case .opened(let occurrence): open(occurrence)
    case .replied(let request, let result): effects += take(result, for: request)
    case .previewed(let text, let preview):
      if var form, form.words == text, form.hasNewWords {
        form.preview = preview
        typing = .form(form)
      }
    case .folder(let path, let result): take(result, from: path)
    case .ran(let words, let outcome): take(outcome, of: words)
    }
    refreshOverlay(saidBefore)
    settle()
    return effects + wants() + askForLevels() + ringBell()
  }

  static let messageTime: Int64 = 6_000_000
  static let errorTime: Int64 = 12_000_000
  static let overlayDeafTime: Int64 = 1_500_000
  /// How long the overlay waits for one more digit.
  static let digitTime: Int64 = 1_200_000

  mutating func say(_ text: String, isError: Bool = false) {
    let time = isError ? Model.errorTime : Model.messageTime
    message = Message(text: text, isError: isError, until: now.monotonic + time)
  }

  /// What has run out by now.
  private mutating func expire() -> [Effect] {
    var effects: [Effect] = []
    if let message, message.until <= now.monotonic { self.message = nil }
    if let meter, meter.deadline <= now.monotonic { self.meter = nil }
    if let snoozeDigitsUntil, snoozeDigitsUntil <= now.monotonic { effects += snoozeByDigits() }
    switch link {
    case .lost(let until, let pause, let next?) where next <= now.monotonic:
      link = .lost(until: until, pause: pause, next: nil)
      effects.append(.connect(mayStart: false))
    case .down(let reason, let next?) where next <= now.monotonic:
      link = .down(reason, next: nil)
      effects.append(.connect(mayStart: false))
    default: break
    }
    return effects
  }

  /// Whenever the overlay comes to show another alarm it is deaf at first. What is typed keeps it away. What was said before
  /// it came is not about it.
  private mutating func refreshOverlay(_ saidBefore: Message?) {
    let shown = typing == nil ? shownRing?.occurrence : nil
    if shown != overlay { (snoozeDigits, snoozeDigitsUntil) = ("", nil) }
    if let shown, shown != overlay {
      overlayDeafUntil = now.monotonic + Model.overlayDeafTime
      (question, output) = (nil, nil)
      if overlay == nil, message == saidBefore { message = nil }
    }
    overlay = shown
  }

  mutating func open(_ occurrence: String) {
    guard let status else {
      opened = occurrence
      return
    }
    let isThere =
      status.ringing.contains { $0.occurrence == occurrence }
      || status.inbox.contains { $0.occurrence == occurrence }
      || inbox.contains { $0.occurrence == occurrence }
    if !isThere { say("That notification has been dealt with.") }
    opened = isThere ? occurrence : nil
  }

  // MARK: - What the pages need

  /// What has to be asked for, so that the page that is open shows what is.
  private mutating func wants() -> [Effect] {
    if page == .files, isStale.contains(.files), !isAsked.contains(.files) { return readFolder() }
    guard link == .up, let status else { return [] }
    switch page {
    case .player:
      let count = count
      let first = place.shownFirst(of: count, rows: Layout(self).list.rows)
      let shown = first..<min(count, first + max(1, Layout(self).list.rows))
      // A search looks through the whole.
      let isSearching = if case .search = typing { true } else { false }
      guard count > 0, let next = queue.next(for: shown) ?? (isSearching ? queue.next(for: 0..<count) : nil)
      else {
        return []
      }
      return [.request(.queue(from: next + 1))]
    case .inbox:
      let isUnseen = status.badge > 0 && pageIsSeen
      guard !isRefused.contains(.inbox), isUnseen || isStale.contains(.inbox), isAsked.insert(.inbox).inserted
      else { return [] }
      isStale.remove(.inbox)
      return [.request(.inbox(seen: isUnseen))]
    case .log:
      guard isStale.contains(.log), isAsked.insert(.log).inserted else { return [] }
      isStale.remove(.log)
      return [.request(.log)]
    case .clock, .alarms, .files, .help: return []
    }
  }

  mutating func readFolder() -> [Effect] {
    let path = folderWanted?.path ?? folder?.path ?? places.music
    if folderWanted == nil { folderWanted = Wanted(path: path, selecting: nil) }
    isStale.remove(.files)
    isAsked.insert(.files)
    return [.readFolder(path)]
  }

  private mutating func take(_ result: Result<Folder, FolderTrouble>, from path: FileName) {
    guard let wanted = folderWanted, wanted.path == path else { return }
    folderWanted = nil
    isAsked.remove(.files)
    switch result {
    case .success(let new):
      let isSame = folder?.path == new.path
      folder = new
      guard page == .files else {
        lines[.files] = ListPlace()
        return
      }
      if let name = wanted.selecting, let line = fileLine(named: name) {
        lines[.files] = ListPlace()
        select(line)
      } else if !isSame {
        lines[.files] = ListPlace()
        // Enter twice plays a playlist.
        if let line = lineOfAll { select(line) }
      }
    case .failure(let trouble):
      // Without any folder there is nothing to browse from.
      if folder == nil, path != places.home {
        folderWanted = Wanted(path: places.home, selecting: nil)
        isStale.insert(.files)
      } else {
        say(trouble.sentence, isError: true)
      }
    }
  }

  /// Nobody reads more than this on a screen.
  private static func bounded(_ lines: [Output.Line]) -> [Output.Line] {
    let most = 2000
    guard lines.count > most else { return lines }
    let more = "… and \(lines.count - most) lines more: a shell shows them all"
    return lines.prefix(most) + [Output.Line(text: more, isComplaint: true)]
  }

  private mutating func take(_ outcome: CommandOutcome, of words: String) {
    guard running == words else { return }
    running = nil
    message = nil
    if let asked = outcome.asks, overlay == nil { question = asked }
    if let occurrence = outcome.opens { return open(occurrence) }
    let lines =
      outcome.lines.map { Output.Line(text: $0, isComplaint: false) }
      + outcome.complaints.map { Output.Line(text: $0, isComplaint: true) }
    switch lines.count {
    case 0: if outcome.asks == nil { say("\(words): done") }
    case 1: say(lines[0].text, isError: lines[0].isComplaint)
    default: if overlay == nil { output = Output(words: words, lines: Model.bounded(lines)) }
    }
  }
}
