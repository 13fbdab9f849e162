import Wire

/// The page of the player: the track, how far it has come, how it goes on, and the queue.
func drawPlayer(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  drawHead(model, layout.head, &frame)
  frame.mark(layout.list, .list)
  let count = model.count
  guard count > 0 else {
    let key = model.keys.names(for: .files)
    return drawEmpty("The queue is empty: \(key) shows folders, and Enter there plays.", layout.list, &frame)
  }
  let place = model.place
  let first = place.shownFirst(of: count, rows: layout.list.rows)
  let numberWidth = "\(min(count, first + layout.list.rows))".count
  for line in first..<min(count, first + layout.list.rows) {
    let row = layout.list.line(line - first)
    drawEntry(model, line, row, numberWidth, isSelected: line == place.selected, &frame)
    frame.mark(row, .line(line))
  }
}

private func drawHead(_ model: Model, _ area: Area, _ frame: inout Frame) {
  var area = area
  guard !area.isEmpty, let status = model.status else { return }
  let isWhole = area.rows >= 6
  let title = area.takeTop(1)
  let level = status.player.muted ? "muted" : "vol \(status.player.volume)"
  if let words = TrackWords(model) {
    if status.player.state == "playing" { frame.showsSeconds() }
    let right = fitting(
      [isWhole ? volume(status.player, model.charset) : "\(level)  \(words.place)", words.place],
      title.columns / 2,
      model.charset)
    let start = frame.putRight(right, title.row, in: title)
    frame.mark(title.from(start), .volume)
    let left = Area(column: title.column, row: title.row, columns: start - 1 - title.column, rows: 1)
    let behind = frame.put(words.sign, left.column, left.row, in: left, words.style)
    frame.put(isWhole ? words.title : words.name, behind, left.row, in: left, .strong)
    frame.mark(left, .action(.playPause))
    if isWhole {
      let row = area.takeTop(1)
      let names = [words.artist, status.player.track?.album ?? ""].filter { !$0.isEmpty }
      frame.put(names.joined(separator: " · "), row.column + 2, row.row, in: row)
      let line = area.takeTop(1)
      let from = frame.putRight(words.place, line.row, in: line)
      let bar = Area(column: line.column, row: line.row, columns: from - 2 - line.column, rows: 1)
      drawBar(model, bar, &frame)
    } else if !area.isEmpty {
      drawBar(model, area.takeTop(1), &frame)
    }
  } else {
    frame.put("Nothing is loaded.", title.column, title.row, in: title, .dim)
    let start = frame.putRight(isWhole ? volume(status.player, model.charset) : level, title.row, in: title)
    frame.mark(title.from(start), .volume)
    if isWhole { _ = area.takeTop(2) }
  }
  guard isWhole else { return }
  drawModes(model, status, area.takeTop(1), &frame)
  drawMeter(model, area.takeTop(1), &frame)
  let number = status.queue.index.map { "\($0 + 1) of " } ?? ""
  drawHeading(
    "Queue", area.takeTop(1), &frame, right: status.queue.length > 0 ? "\(number)\(status.queue.length)" : "")
}

/// `vol 70 ━━━━━━━···`, by characters that every terminal has.
private func volume(_ player: Status.Player, _ charset: Charset) -> String {
  let steps = max(0, min(10, (player.volume + 5) / 10))
  let (full, rest) = charset == .unicode ? ("━", "·") : ("=", "-")
  let meter = String(repeating: full, count: steps) + String(repeating: rest, count: 10 - steps)
  return player.muted ? "muted  vol \(player.volume)" : "vol \(player.volume) \(meter)"
}

private func drawModes(_ model: Model, _ status: Status, _ row: Area, _ frame: inout Frame) {
  var column = row.column + 2
  func put(_ text: String, _ isOn: Bool, _ action: Action?) {
    let end = frame.put(text, column, row.row, in: row, isOn ? .normal : .dim)
    if let action {
      frame.mark(Area(column: column, row: row.row, columns: end - column, rows: 1), .action(action))
    }
    column = end + 3
  }
  put("repeat \(status.queue.repeat)", status.queue.repeat != "off", .repeats)
  put("shuffle \(status.queue.shuffle ? "on" : "off")", status.queue.shuffle, .shuffle)
  if status.queue.stopAfter { put("stops after this track", true, nil) }
  if let end = status.player.sleepAt.flatMap(WallTime.init(iso:)) {
    put("sleeps at \(model.shown(end.clock))", true, nil)
  }
}

/// A track of the queue. What plays has a sign and a colour; what is selected is the line itself.
private func drawEntry(
  _ model: Model, _ line: Int, _ row: Area, _ numberWidth: Int, isSelected: Bool, _ frame: inout Frame
) {
  let isPlaying = model.status?.queue.index == line && model.status?.player.track != nil
  func style(_ role: Role) -> Style {
    Style(isPlaying && role != .dim ? .playing : role, selected: isSelected)
  }
  if isSelected { frame.fill(row, style(.normal)) }
  if isPlaying {
    let sign = model.status?.player.state == "playing" ? "▶" : "‖"
    frame.put(sign, row.column, row.row, in: row, style(.playing))
  }
  let number = "\(line + 1)"
  let text = String(repeating: " ", count: max(0, numberWidth - number.count)) + number
  let column = frame.put(text, row.column + 2, row.row, in: row, style(.dim)) + 2
  guard let entry = model.queue[line] else {
    frame.put("…", column, row.row, in: row, style(.dim))
    return
  }
  let time = entry.duration.map { Wording.position($0) } ?? ""
  // One width for all, so that the columns stand below each other.
  let end = row.columns >= 30 ? row.endColumn - max(8, time.count + 2) : row.endColumn
  if row.columns >= 30 { frame.putRight(time, row.row, in: row, style(.dim)) }
  let room = end - column
  let name = entry.title.isEmpty ? Wording.fileName(entry.path) : entry.title
  let isSplit = room >= 40 && !entry.artist.isEmpty
  let left = Area(column: column, row: row.row, columns: isSplit ? room * 3 / 5 : max(0, room), rows: 1)
  frame.put(
    isSplit || entry.artist.isEmpty ? name : "\(name) – \(entry.artist)", column, row.row, in: left,
    style(.normal))
  if isSplit {
    let right = Area(column: left.endColumn + 2, row: row.row, columns: end - left.endColumn - 2, rows: 1)
    frame.put(entry.artist, right.column, right.row, in: right, style(.dim))
  }
}
