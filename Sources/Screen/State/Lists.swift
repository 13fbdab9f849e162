import Platform
import Wire

// The lists of the pages: how long they are, what is selected, what a line says.
extension Model {
  /// How many lines the page's list has.
  var count: Int {
    switch page {
    case .clock: 0
    case .alarms: alarms.count
    case .player: max(0, status?.queue.length ?? 0)
    case .files: fileLines
    case .inbox: inbox.count
    case .log: log.count
    case .help: keys.bindings.count
    }
  }

  var place: ListPlace { lines[page] ?? ListPlace() }

  mutating func select(_ line: Int) {
    var place = place
    place.select(line, of: count, rows: Layout(self).list.rows)
    lines[page] = place
  }

  /// After a change of size or of what is in the list.
  mutating func settle() {
    let place = place
    let count = count
    let rows = Layout(self).list.rows
    if place.selected >= max(1, count) || place.first != place.shownFirst(of: count, rows: rows) {
      select(place.selected)
    }
  }

  var selectedAlarm: AlarmEntry? {
    page == .alarms && alarms.indices.contains(place.selected) ? alarms[place.selected] : nil
  }

  var selectedInbox: Status.InboxEntry? {
    page == .inbox && inbox.indices.contains(place.selected) ? inbox[place.selected] : nil
  }

  var selectedLog: LogEntry? {
    page == .log && log.indices.contains(place.selected) ? log[place.selected] : nil
  }

  // MARK: Files

  /// A line of the page of files.
  enum FileLine: Hashable {
    /// The folder above.
    case above(FileName)
    /// The sounds that come with the program.
    case sounds(FileName)
    /// All that the playlist names.
    case all(FileName)
    case entry(Folder.Entry)
  }

  private var filesHead: [FileLine] {
    guard let folder else { return [] }
    let above = folder.path.parent.map { FileLine.above($0) }
    let sounds = places.sounds.flatMap {
      folder.path == places.music && $0 != folder.path ? FileLine.sounds($0) : nil
    }
    let all = folder.isPlaylist && !folder.entries.isEmpty ? FileLine.all(folder.path) : nil
    return [above, sounds, all].compactMap { $0 }
  }

  var fileLines: Int { filesHead.count + (folder?.entries.count ?? 0) }

  func fileLine(_ line: Int) -> FileLine? {
    let head = filesHead
    if head.indices.contains(line) { return head[line] }
    guard let folder, folder.entries.indices.contains(line - head.count) else { return nil }
    return .entry(folder.entries[line - head.count])
  }

  /// The line by which a playlist is played as a whole.
  var lineOfAll: Int? { filesHead.firstIndex { if case .all = $0 { true } else { false } } }

  /// The line of an entry of that name.
  func fileLine(named name: [UInt8]) -> Int? {
    folder?.entries.firstIndex { $0.name == name }.map { $0 + filesHead.count }
  }

  // MARK: Searching

  /// What a line says, for searching.
  func text(ofLine line: Int) -> String {
    switch page {
    case .clock: ""
    case .alarms:
      alarms.indices.contains(line) ? "\(alarms[line].id) \(alarms[line].sentence) \(alarms[line].label)" : ""
    case .player:
      queue[line].map { "\($0.title) \($0.artist) \($0.album) \(Wording.fileName($0.path))" } ?? ""
    case .files: if case .entry(let entry)? = fileLine(line) { entry.shown } else { "" }
    case .inbox: inbox.indices.contains(line) ? "\(inbox[line].label) \(inbox[line].body)" : ""
    case .log: log.indices.contains(line) ? "\(log[line].label) \(log[line].state) \(log[line].at)" : ""
    case .help:
      keys.bindings.indices.contains(line)
        ? "\(keys.names(for: keys.bindings[line].action)) \(keys.bindings[line].action.does)" : ""
    }
  }

  /// The nearest line that holds the text, from a line on and around the end; nil where none does.
  func line(holding text: String, from start: Int, by step: Int) -> Int? {
    let sought = text.lowercased()
    let count = count
    guard !sought.isEmpty, count > 0 else { return nil }
    var line = ((start % count) + count) % count
    for _ in 0..<count {
      if self.text(ofLine: line).lowercased().contains(sought) { return line }
      line = (line + step + count) % count
    }
    return nil
  }
}
