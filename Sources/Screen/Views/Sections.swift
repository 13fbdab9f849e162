import Wire

/// What is wrong, one line each: no engine, nothing to be heard, store and settings.
func troubles(_ model: Model) -> [(text: String, style: Style)] {
  let bad = Style.error
  switch model.link {
  case .connecting: return [("Looking for the engine…", Style(.warning))]
  case .lost:
    return [("The engine has gone, and no alarm rings. Looking for it; e starts it.", bad)]
  case .down(let reason, _):
    return [("The engine is gone and no alarm will ring: e starts it. (\(reason))", bad)]
  case .up: break
  }
  guard let status = model.status else { return [] }
  var lines: [(String, Style)] = []
  if !status.output.audible {
    let reason = status.output.reason ?? "the output “\(status.output.device)” reaches no ear"
    let isSaid = reason.lowercased().hasPrefix("nobody will hear")
    lines.append((isSaid ? "N" + reason.dropFirst() : "Nobody will hear: \(reason)", bad))
  } else if status.output.state == "interrupted" {
    lines.append(
      ("The sound is interrupted: \(status.output.reason ?? "its device is away")", Style(.warning)))
  }
  lines += status.engine.storeErrors.map { ($0, Style.error) }
  lines += status.engine.configErrors.map { ("Settings: \($0)", Style(.warning)) }
  return lines
}

func drawTroubles(_ model: Model, _ area: inout Area, _ frame: inout Frame) {
  let lines = troubles(model)
  // The time and the next alarm keep their place.
  let room = min(area.rows >= 18 ? 4 : area.rows >= 10 ? 2 : 1, max(0, area.rows - 1))
  var shown = Array(lines.prefix(room))
  if lines.count > room, room > 1 {
    shown[room - 1] = ("and \(lines.count - room + 1) more: see “alarm status”", Style(.warning))
  }
  let rows = area.takeBottom(shown.count)
  for (index, line) in shown.enumerated() {
    frame.put(line.text, rows.column, rows.row + index, in: rows, line.style)
  }
}

/// Whether the sound is kept awake, and why; the lease that asks for it where there is one.
func drawKeepAlive(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard let status = model.status, model.link == .up, !row.isEmpty else { return }
  let keepAlive = status.keepAlive
  let state = keepAlive.active ? "on" : "off"
  let mode = keepAlive.active ? " (\(keepAlive.mode), \(keepAlive.signal))" : ""
  let why = keepAlive.why.map { ": \($0)" } ?? ""
  var lease = ""
  // What the engine holds itself is the reason said before.
  let leases = status.awake.leases.filter { $0.owner != "engine" }
  if let first = leases.first {
    let until =
      first.expiresAt.flatMap(WallTime.init(iso:)).map { " until \(Wording.time($0.clock, model.clock))" }
      ?? ""
    let more = leases.count > 1 ? " and \(leases.count - 1) more" : ""
    lease = " · awake\(until) for \(first.reason.isEmpty ? first.owner : first.reason)\(more)"
  }
  let text = fitting(
    [
      "keep-alive \(state)\(mode)\(why)\(lease)", "keep-alive \(state)\(why)\(lease)",
      "keep-alive \(state)\(why)",
    ], row.columns, model.charset)
  frame.put(text, row.column, row.row, in: row, keepAlive.active ? Style(.good) : .dim)
}

/// The track: its state, name and place, and the progress bar.
func drawTrack(_ model: Model, _ area: inout Area, _ isTall: Bool, _ frame: inout Frame) {
  guard let player = model.status?.player, let track = player.track, model.link == .up, !area.isEmpty else {
    return
  }
  let row = area.takeTop(1)
  let isPlaying = player.state == "playing"
  if isPlaying { frame.showsSeconds() }
  let duration = track.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  let position = Wording.position(model.position)
  let place = position + (duration.map { " / \(Wording.position($0))" } ?? "")
  let level = player.muted ? "muted  " : row.columns >= 50 ? "vol \(player.volume)  " : ""
  let right = fitting([level + place, place, position], row.columns / 2, model.charset)
  let start = frame.putRight(right, row.row, in: row)
  let left = Area(column: row.column, row: row.row, columns: start - 1 - row.column, rows: 1)
  let sign = isPlaying ? "▶ " : player.state == "interrupted" ? "! " : "‖ "
  let title = track.title.isEmpty ? Wording.fileName(track.path) : track.title
  let name = track.artist.isEmpty ? title : "\(title) – \(track.artist)"
  let behind = frame.put(sign, left.column, left.row, in: left, Style(isPlaying ? .accent : .warning))
  frame.put(name, behind, left.row, in: left, .strong)

  if area.rows >= 2, let duration { drawBar(area.takeTop(1), model.position / duration, &frame) }
  if isTall { _ = area.takeTop(1) }
}

private func drawBar(_ row: Area, _ share: Double, _ frame: inout Frame) {
  let filled = min(row.columns, max(0, Int((share * Double(row.columns)).rounded())))
  let (done, rest) = frame.charset == .unicode ? ("━", "─") : ("=", "-")
  let behind = frame.put(
    String(repeating: done, count: filled), row.column, row.row, in: row, Style(.accent), ellipsis: false)
  frame.put(
    String(repeating: rest, count: row.columns - filled), behind, row.row, in: row, .dim, ellipsis: false)
}

/// The list of alarms, scrolled and clipped; it says what does not fit.
func drawAlarms(_ model: Model, _ area: inout Area, _ isTall: Bool, _ frame: inout Frame) {
  guard !model.alarms.isEmpty, !area.isEmpty else { return }
  if isTall, area.rows >= 3 {
    let row = area.takeTop(1)
    let behind = frame.put("Alarms ", row.column, row.row, in: row, Style.title)
    frame.put(
      String(repeating: "─", count: max(0, row.endColumn - behind)), behind, row.row, in: row, .dim,
      ellipsis: false)
  }
  let all = model.alarms
  let first = max(0, min(model.scroll, all.count - area.rows))
  var shown = all[first..<min(all.count, first + area.rows)]
  let isCut = shown.endIndex < all.count && area.rows >= 3
  if isCut { shown.removeLast() }
  let idWidth = shown.map { "\($0.id)".count }.max() ?? 1
  let widest = shown.map { Glyphs.width(of: $0.sentence, model.charset, upTo: area.columns) }.max() ?? 0
  let sentence = min(widest, max(16, area.columns * (area.columns < 60 ? 3 : 2) / 5))
  for alarm in shown {
    drawAlarm(model, alarm, area.takeTop(1), idWidth, sentence, &frame)
  }
  if isCut {
    let row = area.takeTop(1)
    frame.put("… \(all.count - shown.endIndex) more: j", row.column, row.row, in: row, .dim)
  }
}

private func drawAlarm(
  _ model: Model, _ alarm: AlarmEntry, _ row: Area, _ idWidth: Int, _ sentence: Int, _ frame: inout Frame
) {
  let (sign, style): (String, Style) =
    switch alarm.state {
    case "ringing": ("!", Style.error)
    case "snoozed": ("z", Style(.warning))
    default: alarm.enabled ? ("●", Style(.good)) : ("○", .dim)
    }
  let isLive = alarm.enabled && model.link == .up
  frame.put(sign, row.column, row.row, in: row, style)
  let id = String(repeating: " ", count: max(0, idWidth - "\(alarm.id)".count)) + "\(alarm.id)"
  let column = frame.put(id, row.column + 2, row.row, in: row, .dim) + 2
  let cut = Area(column: column, row: row.row, columns: min(sentence, row.endColumn - column), rows: 1)
  frame.put(alarm.sentence, column, row.row, in: cut, isLive ? .normal : .dim)
  var left = column + sentence + 2
  if row.columns >= 60 {
    let next = alarm.next.flatMap(WallTime.init(iso:))
    let when = next.map { Wording.instant($0, model.now.wall, model.clock) } ?? (alarm.enabled ? "" : "off")
    let width = model.clock == .hours12 ? 19 : 16
    frame.put(when, left, row.row, in: row, .dim)
    left += max(width, when.count) + 2
  }
  if let missed = alarm.missed, let at = WallTime(iso: missed.at) {
    let text = "missed \(Wording.instant(at, model.now.wall, model.clock)): \(missed.because)"
    let behind = frame.put(text, left, row.row, in: row, Style.error)
    left = behind + 2
  }
  frame.put(alarm.label, left, row.row, in: row, isLive || alarm.state == "snoozed" ? .strong : .dim)
}
