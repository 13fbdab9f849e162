import Platform

/// The page of files: a folder's folders, playlists and tracks, or what a playlist names.
func drawFiles(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  frame.mark(layout.list, .list)
  guard let folder = model.folder else {
    return drawEmpty("Looking into the folder…", layout.list, &frame)
  }
  drawHeading(
    headPath(folder.path, model.places, layout.head.columns, model.charset), layout.head, &frame,
    right: folder.isCut ? "the first \(folder.entries.count)" : "")
  let count = model.count
  let place = model.place
  let first = place.shownFirst(of: count, rows: layout.list.rows)
  for line in first..<min(count, first + layout.list.rows) {
    let row = layout.list.line(line - first)
    drawFileLine(model, line, row, isSelected: line == place.selected, &frame)
    frame.mark(row, .line(line))
  }
  if folder.entries.isEmpty, layout.list.rows > count + 1 {
    var rest = layout.list
    _ = rest.takeTop(count)
    drawEmpty(
      folder.isPlaylist ? "The playlist names nothing." : "There is no music here.", rest, &frame)
  }
}

/// The path, with `~` for home, its beginning left out where it is too long.
private func headPath(_ path: FileName, _ places: Places, _ columns: Int, _ charset: Charset) -> String {
  var shown = path.shown
  let home = places.home.shown
  if shown == home || shown.hasPrefix(home + "/"), home != "/" { shown = "~" + shown.dropFirst(home.count) }
  // Of a path without end only so much can matter.
  while Glyphs.width(of: shown, charset, upTo: columns) > columns - 4,
    let slash = shown.dropFirst(2).firstIndex(of: "/")
  {
    shown = "…" + shown[slash...]
  }
  return shown
}

private func drawFileLine(_ model: Model, _ line: Int, _ row: Area, isSelected: Bool, _ frame: inout Frame) {
  guard let item = model.fileLine(line) else { return }
  let (sign, text, role): (String, String, Role) =
    switch item {
    case .above: ("..", "", .normal)
    case .sounds: ("→ ", "the sounds that come with Reveille", .accent)
    case .all: ("▶ ", "all of it", .accent)
    case .entry(let entry) where entry.trouble != nil: ("", entry.shown, .dim)
    case .entry(let entry):
      switch entry.kind {
      case .folder: ("", entry.shown + "/", .strong)
      case .playlist: ("≡ ", entry.shown, .accent)
      case .track: ("", entry.shown, .normal)
      }
    }
  let style = Style(role, selected: isSelected)
  if isSelected { frame.fill(row, style) }
  let column = frame.put(sign, row.column, row.row, in: row, style)
  var left = row
  if case .entry(let entry) = item, let trouble = entry.trouble {
    // What is wrong matters more than the end of a name.
    let start = frame.putRight(
      fitting([trouble, "!"], row.columns / 2, model.charset), row.row, in: row,
      Style(.warning, selected: isSelected))
    left.columns = max(0, start - 2 - row.column)
  }
  frame.put(text, column, row.row, in: left, style)
}
