/// Every key, made from the table of keys.
func drawHelp(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  frame.mark(layout.list, .list)
  let bindings = model.keys.bindings
  let names = bindings.map { model.keys.names(for: $0.action) }
  let width = min(
    names.map { Glyphs.width(of: $0, model.charset, upTo: 30) }.max() ?? 0, max(6, layout.list.columns / 3))
  let place = model.place
  let first = place.shownFirst(of: bindings.count, rows: layout.list.rows)
  for line in first..<min(bindings.count, first + layout.list.rows) {
    let row = layout.list.line(line - first)
    let isSelected = line == place.selected
    if isSelected { frame.fill(row, Style(.normal, selected: true)) }
    let keys = Area(column: row.column, row: row.row, columns: min(width, row.columns), rows: 1)
    frame.put(
      names[line].isEmpty ? "–" : names[line], row.column, row.row, in: keys,
      Style(.key, selected: isSelected))
    frame.put(
      bindings[line].action.does, row.column + width + 2, row.row, in: row,
      Style(.normal, selected: isSelected))
    frame.mark(row, .line(line))
  }
}
