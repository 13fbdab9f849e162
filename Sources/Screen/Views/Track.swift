import Wire

/// What is said of the track that is loaded.
struct TrackWords {
  let sign: String
  let style: Style
  let title: String
  let artist: String
  /// `1:23 / 4:56`
  let place: String

  init?(_ model: Model) {
    guard let player = model.status?.player, let track = player.track, model.link == .up else { return nil }
    let isPlaying = player.state == "playing"
    sign = isPlaying ? "▶ " : player.state == "interrupted" ? "! " : "‖ "
    style = isPlaying ? .accent : .warning
    title = track.title.isEmpty ? Wording.fileName(track.path) : track.title
    artist = track.artist
    let position = Wording.position(model.position)
    place = position + (model.duration.map { " / \(Wording.position($0))" } ?? "")
  }

  var name: String { artist.isEmpty ? title : "\(title) – \(artist)" }
}

/// The clock's two rows: the track's state, name and place, and the progress bar.
func drawTrack(_ model: Model, _ area: inout Area, _ isTall: Bool, _ frame: inout Frame) {
  guard let words = TrackWords(model), let player = model.status?.player, !area.isEmpty else { return }
  let row = area.takeTop(1)
  if player.state == "playing" { frame.showsSeconds() }
  let level = player.muted ? "muted  " : row.columns >= 50 ? "vol \(player.volume)  " : ""
  let position = Wording.position(model.position)
  let right = fitting([level + words.place, words.place, position], row.columns / 2, model.charset)
  let start = frame.putRight(right, row.row, in: row)
  frame.mark(row.from(start), .volume)
  let left = Area(column: row.column, row: row.row, columns: start - 1 - row.column, rows: 1)
  let behind = frame.put(words.sign, left.column, left.row, in: left, words.style)
  frame.put(words.name, behind, left.row, in: left, .strong)
  frame.mark(left, .action(.playPause))

  if area.rows >= 2, model.duration != nil { drawBar(model, area.takeTop(1), &frame) }
  if isTall { _ = area.takeTop(1) }
}

/// One row for the pages that are about something else.
func drawTrackLine(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard let words = TrackWords(model) else { return }
  if model.status?.player.state == "playing" { frame.showsSeconds() }
  let start = frame.putRight(words.place, row.row, in: row)
  let behind = frame.put(words.sign, row.column, row.row, in: row, words.style)
  let room = start - 2 - behind
  let width = min(Glyphs.width(of: words.name, model.charset, upTo: room), room - min(20, room / 3))
  let name = Area(column: behind, row: row.row, columns: max(0, width), rows: 1)
  frame.put(words.name, behind, row.row, in: name, .strong)
  frame.mark(
    Area(column: row.column, row: row.row, columns: name.endColumn - row.column, rows: 1), .action(.playPause)
  )
  let bar = Area(column: name.endColumn + 1, row: row.row, columns: start - 2 - name.endColumn, rows: 1)
  if model.duration != nil, bar.columns >= 4 { drawBar(model, bar, &frame) }
}

/// How far the track has come; a click goes there.
func drawBar(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard let duration = model.duration, !row.isEmpty else { return }
  let share = model.position / duration
  let filled = min(row.columns, max(0, Int((share * Double(row.columns)).rounded())))
  let (done, rest) = frame.charset == .unicode ? ("━", "─") : ("=", "-")
  let behind = frame.put(
    String(repeating: done, count: filled), row.column, row.row, in: row, Style(.bar), ellipsis: false)
  frame.put(
    String(repeating: rest, count: row.columns - filled), behind, row.row, in: row, Style(.barRest),
    ellipsis: false)
  frame.mark(row, .bar)
}
