import Platform
import Wire

// What the keys do on the pages.
extension Model {
  mutating func perform(_ action: Action) -> [Effect] {
    switch action {
    case .playPause: return ask(.toggle)
    case .pause: return ask(.pause)
    case .stop: return ask(.stop)
    case .next: return ask(.nextTrack)
    case .previous: return ask(.previousTrack)
    case .seekBack: return seek(by: -5)
    case .seekForward: return seek(by: 5)
    case .seekBackMinute: return seek(by: -60)
    case .seekForwardMinute: return seek(by: 60)
    case .volumeUp: return ask(.volume(by: 5))
    case .volumeDown: return ask(.volume(by: -5))
    case .mute: return ask(.mute)
    case .repeats: return ask(.repeats(["off": "all", "all": "one"][status?.queue.repeat ?? "off"] ?? "off"))
    case .shuffle: return ask(.shuffle(status?.queue.shuffle != true))
    case .meter: toggleMeter()
    case .snooze: return ask(.snooze(minutes: nil))
    case .dismiss: return ask(.dismiss(shownRing?.id))
    case .add: return page == .files ? enqueueSelected() : openForm()
    case .edit, .onOff, .skip, .rehearse: return performOnAlarm(action)
    case .remove: return removeSelected()
    case .undo:
      // It would change an alarm that is not even on the page.
      guard page != .player else {
        say("Only what was done to alarms is undone: \(keys.names(for: .files)) adds a track again.")
        return []
      }
      return ask(.undo)
    case .clear: return clear()
    case .moveDown: return moveTrack(by: 1)
    case .moveUp: return moveTrack(by: -1)
    case .down: move(by: 1)
    case .up: move(by: -1)
    case .top: select(0)
    case .bottom: select(count - 1)
    case .halfPageDown: move(by: max(1, Layout(self).list.rows / 2))
    case .halfPageUp: move(by: -max(1, Layout(self).list.rows / 2))
    case .open: return openSelected()
    case .back: return page == .files ? goUp() : []
    case .search:
      if count > 0 { typing = .search(Search(from: place.selected)) }
    case .searchNext: searchAgain(by: 1)
    case .searchPrevious: searchAgain(by: -1)
    case .clock, .alarms, .player, .files, .inbox, .log, .help:
      if let shown = Page.allCases.first(where: { $0.action == action }) { show(shown) }
    case .nextView: show(page.moved(by: 1))
    case .previousView: show(page.moved(by: -1))
    case .command: typing = .command(CommandEntry())
    case .startEngine: return startEngine()
    case .redraw: return [.redraw]
    case .detach: return [.quit]
    case .stopEngine:
      if link == .up { question = .stopEngine } else { say("No engine runs.") }
    }
    return []
  }

  mutating func show(_ page: Page) {
    // An answer belongs to the page on which it was asked for.
    if page != self.page { message = nil }
    self.page = page
    // What lies on the disk may be another by now.
    if page == .files { isStale.insert(.files) }
  }

  mutating func move(by step: Int) { select(place.selected + step) }

  private mutating func seek(by seconds: Double) -> [Effect] {
    guard status?.player.track != nil || link != .up else {
      say("Nothing is loaded: \(keys.names(for: .files)) shows your music.")
      return []
    }
    return ask(.seekBy(seconds))
  }

  // MARK: - Alarms

  private mutating func performOnAlarm(_ action: Action) -> [Effect] {
    guard let alarm = selectedAlarm else {
      say(
        alarms.isEmpty
          ? "There is no alarm yet: \(keys.names(for: .add)) adds one."
          : "Choose an alarm first: \(keys.names(for: .alarms)) shows them.")
      return []
    }
    switch action {
    case .edit: return openForm(editing: alarm)
    case .onOff: return ask(alarm.enabled ? .off(alarm.id) : .on(alarm.id))
    case .skip: return ask(.skip(alarm.id, off: !alarm.skips.isEmpty))
    default: return ask(.ring(alarm.id))
    }
  }

  private mutating func removeSelected() -> [Effect] {
    switch page {
    case .player: return count > 0 ? ask(.removePlace(place.selected + 1)) : []
    case .inbox: return clear()
    default: return selectedAlarm.map { ask(.remove($0.id)) } ?? performOnAlarm(.remove)
    }
  }

  private mutating func clear() -> [Effect] {
    switch page {
    case .player: return ask(.clearQueue)
    case .inbox: return ask(.clearInbox)
    default: return []
    }
  }

  // MARK: - Music

  private mutating func moveTrack(by step: Int) -> [Effect] {
    let line = place.selected
    guard page == .player, (0..<count).contains(line + step) else { return [] }
    let effects = ask(.movePlace(line + 1, to: line + step + 1))
    if !effects.isEmpty { select(line + step) }
    return effects
  }

  /// Enter on a line: plays a track, opens a folder, an alarm, a notification.
  mutating func openSelected() -> [Effect] {
    switch page {
    case .alarms: return performOnAlarm(.edit)
    case .player: return count > 0 ? ask(.playPlace(place.selected + 1)) : []
    case .inbox:
      if let entry = selectedInbox { opened = entry.occurrence }
    case .files:
      guard let folder, let line = fileLine(place.selected) else { return [] }
      switch line {
      case .above: return goUp()
      case .sounds(let path): return enter(path)
      case .all(let playlist): return ask(.play([playlist.text]))
      case .entry(let entry):
        if isTrouble(entry) { return [] }
        guard entry.kind == .track else { return enter(folder.path(of: entry)) }
        return ask(.play(tracks(from: place.selected - (fileLines - folder.entries.count), in: folder)))
      }
    case .clock, .log, .help: break
    }
    return []
  }

  /// A request has an end; a folder may not have one.
  private static let mostSources = 1000

  /// The track at that place and those below it in the folder, as one listens to an album from there on.
  private func tracks(from place: Int, in folder: Folder) -> [String] {
    let rest = folder.entries[place...].lazy.filter { $0.kind == .track && $0.trouble == nil }
    return rest.prefix(Model.mostSources).map { folder.path(of: $0).text }
  }

  /// Says why an entry cannot be had, where it cannot.
  private mutating func isTrouble(_ entry: Folder.Entry) -> Bool {
    guard let trouble = entry.trouble else { return false }
    // Of a long name the beginning, so that what is wrong can be read behind it.
    say("“\(clean(entry.shown, atMost: 50))”: \(trouble)", isError: true)
    return true
  }

  private mutating func enqueueSelected() -> [Effect] {
    let chosen: FileName
    switch fileLine(place.selected) {
    case .all(let playlist)?: chosen = playlist
    case .entry(let entry)?:
      guard let folder, !isTrouble(entry) else { return [] }
      chosen = folder.path(of: entry)
    case .above?, .sounds?, nil:
      say("Choose a folder, a playlist or a track first.")
      return []
    }
    let effects = ask(.enqueue([chosen.text]))
    if !effects.isEmpty { move(by: 1) }
    return effects
  }

  private mutating func enter(_ path: FileName) -> [Effect] {
    folderWanted = Wanted(path: path, selecting: nil)
    return readFolder()
  }

  private mutating func goUp() -> [Effect] {
    guard let folder, let above = folder.path.parent else { return [] }
    folderWanted = Wanted(path: above, selecting: folder.path.lastPart)
    return readFolder()
  }
}
