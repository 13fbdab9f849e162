import Wire

/// The page of what became of each alarm: the occurrences, and below them the story of the selected one.
func drawLog(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  frame.mark(layout.list, .list)
  guard !model.log.isEmpty else { return drawEmpty("No alarm has been due yet.", layout.list, &frame) }
  let place = model.place
  let first = place.shownFirst(of: model.log.count, rows: layout.list.rows)
  for line in first..<min(model.log.count, first + layout.list.rows) {
    let row = layout.list.line(line - first)
    drawLogLine(model, model.log[line], row, isSelected: line == place.selected, &frame)
    frame.mark(row, .line(line))
  }
  guard let entry = model.selectedLog, !layout.detail.isEmpty else { return }
  var area = layout.detail
  let name = entry.label.isEmpty ? "Alarm \(entry.id)" : "Alarm \(entry.id), \(entry.label)"
  drawHeading(name + (entry.rehearsal ? " (rehearsal)" : ""), area.takeTop(1), &frame)
  // The end of a story is what matters.
  let story = entry.story.suffix(max(0, area.rows))
  for line in story where !area.isEmpty {
    let at = WallTime(iso: line.at)
    let time = at.map { model.shown($0.clock) } ?? line.at
    let width = Glyphs.width(of: time, model.charset, upTo: 12)
    let row = area.line(0)
    frame.put(time, row.column, row.row, in: row, .dim)
    area = drawWrapped(line.text, area.from(area.column + max(8, width) + 2), &frame, atMost: 2)
    (area.column, area.columns) = (layout.detail.column, layout.detail.columns)
  }
}

private func drawLogLine(
  _ model: Model, _ entry: LogEntry, _ row: Area, isSelected: Bool, _ frame: inout Frame
) {
  func style(_ role: Role) -> Style { Style(role, selected: isSelected) }
  if isSelected { frame.fill(row, style(.normal)) }
  let when = WallTime(iso: entry.at).map(model.shown) ?? entry.at
  let widest = Glyphs.width(of: model.shown(model.now.wall), model.charset, upTo: 40) + 1
  let behind = max(frame.put(when, row.column, row.row, in: row, style(.dim)), row.column + widest) + 2
  let role: Role =
    switch entry.state {
    case "missed": .error
    case "ringing", "snoozed": .warning
    case "dismissed": .good
    default: .dim
    }
  let why = entry.because.map { ": \($0)" } ?? ""
  let late = entry.late.map { $0 >= 1 ? ", late" : "" } ?? ""
  let name = entry.label.isEmpty ? "Alarm \(entry.id)" : entry.label
  let isWide = row.columns >= 60
  let shown = Area(
    column: behind, row: row.row, columns: isWide ? 20 : max(0, row.endColumn - behind), rows: 1)
  let end = frame.put(name, behind, row.row, in: shown, style(.strong))
  let state = (isWide ? shown.endColumn : end) + 2
  frame.put("\(entry.state)\(late)\(why)", state, row.row, in: row, style(role))
}
