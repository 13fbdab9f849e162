import Wire

/// The page of notifications that nobody has dealt with, and below the list what the selected one has to say.
func drawInbox(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  frame.mark(layout.list, .list)
  guard !model.inbox.isEmpty else { return drawEmpty("Nothing is waiting for you.", layout.list, &frame) }
  let place = model.place
  let first = place.shownFirst(of: model.inbox.count, rows: layout.list.rows)
  for line in first..<min(model.inbox.count, first + layout.list.rows) {
    let entry = model.inbox[line]
    let row = layout.list.line(line - first)
    func style(_ role: Role) -> Style { Style(role, selected: line == place.selected) }
    if line == place.selected { frame.fill(row, style(.normal)) }
    let role: Role = entry.state == "missed" ? .warning : .good
    let state = frame.put(entry.state, row.column, row.row, in: row, style(role))
    let when = WallTime(iso: entry.at).map(model.shown) ?? ""
    let column = max(state, row.column + 7) + 2
    let behind = row.columns >= 40 ? frame.put(when, column, row.row, in: row, style(.dim)) + 2 : column
    let name = entry.label.isEmpty ? "Alarm \(entry.id)" : entry.label
    let end = frame.put(name, behind, row.row, in: row, style(.strong)) + 2
    frame.put(entry.body, end, row.row, in: row, style(.dim))
    frame.mark(row, .line(line))
  }
  guard let entry = model.selectedInbox, !layout.detail.isEmpty else { return }
  var area = layout.detail
  drawHeading(entry.label.isEmpty ? "Alarm \(entry.id)" : entry.label, area.takeTop(1), &frame)
  for line in noticeLines(model, entry) where !area.isEmpty {
    area = drawWrapped(line.text, area, &frame, line.style)
  }
}
