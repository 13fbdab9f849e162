import Schedule
import Wire

/// The page as people leave it open: the time, what comes next, what plays, the alarms, what is kept awake.
///
/// Rows are given out by how much they matter: first the time and the next alarm; what is left goes to the list.
func drawClock(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  var area = layout.body
  let isTall = area.rows >= 17
  let awake = area.rows >= 8 ? awakeLines(model, area.columns) : []
  let awakeRows = area.takeBottom(min(awake.count, isTall ? 4 : 1))
  for (index, line) in awake.prefix(awakeRows.rows).enumerated() {
    frame.put(line.text, awakeRows.column, awakeRows.row + index, in: awakeRows, line.style)
  }

  drawFace(model, &area, &frame)
  if area.rows >= 4 {
    let row = area.takeTop(1)
    frame.putCentred(model.longDate(model.now.wall.date), row.row, in: row)
  }
  if model.isFirstRun, area.rows >= 2, model.form == nil { return drawWelcome(model, area, isTall, &frame) }
  drawNext(model, area.takeTop(1), &frame)
  for snoozed in (model.status?.snoozed ?? []).prefix(max(0, area.rows)) {
    drawSnoozed(model, snoozed, area.takeTop(1), &frame)
  }
  if isTall { _ = area.takeTop(1) }
  drawTrack(model, &area, isTall, &frame)
  if model.size.columns >= 100, area.rows >= 9 {
    var left = area
    left.columns -= CalendarMonth.columns + 4
    drawMonth(model, area.from(left.endColumn + 4), &frame)
    area = left
  }
  drawComing(model, &area, isTall, &frame)
}

/// The time: as large as the terminal's size allows, whatever else is shown, so that it does not jump.
func drawFace(_ model: Model, _ area: inout Area, _ frame: inout Frame) {
  let clock = model.now.wall.clock
  let minutes = Wording.twoDigits(clock.minute)
  let face: String
  let half: String
  switch model.clock {
  case .hours24: (face, half) = ("\(Wording.twoDigits(clock.hour)):\(minutes)", "")
  case .hours12:
    (face, half) = ("\(clock.hour % 12 == 0 ? 12 : clock.hour % 12):\(minutes)", " " + model.half(clock))
  }
  let share =
    switch model.size.rows {
    case 40...: 13
    case 32...: 10
    case 22...: 8
    case 12...: 5
    case 5...: 3
    default: 0
    }
  // The widest time is what counts: 9:59 and 10:00 are of one size.
  let halfWidth = Glyphs.width(of: half, model.charset, upTo: 20)
  let scale = Digits.scale(
    "00:00", columns: area.columns - halfWidth, rows: min(share, area.rows - 1), model.charset)
  let style = Style(.digits)
  guard scale > 0 else {
    let row = area.takeTop(1)
    if row.isEmpty { return }
    let wordings = [face + half, face]
    frame.putCentred(
      fitting(
        area.isEmpty ? ["\(face)\(half)  \(model.shown(model.now.wall.date))"] + wordings : wordings,
        row.columns, model.charset),
      row.row, in: row, style)
    return
  }
  let rows = Digits.rows(scale)
  let isSpacious = area.rows - rows >= 9
  if isSpacious { _ = area.takeTop(1) }
  let row = area.takeTop(rows)
  let width = Digits.points(face) * scale
  let left = row.column + max(0, (row.columns - width - halfWidth) / 2)
  Digits.draw(face, &frame, column: left, row: row.row, scale: scale, in: row, style)
  frame.put(half, left + width, row.endRow - 1, in: row, style)
  if isSpacious { _ = area.takeTop(1) }
}

private func drawNext(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard !row.isEmpty, let alarms = model.status?.alarms else { return }
  guard let next = alarms.next else {
    let none = alarms.count == 0 ? "no alarm is set" : "no alarm is on"
    let key = model.keys.names(for: .add)
    frame.putCentred(
      fitting([none + ": \(key) adds one", none], row.columns, model.charset), row.row, in: row, .dim)
    return
  }
  guard let wall = WallTime(iso: next.at) else {
    frame.putCentred("next \(next.at)", row.row, in: row)
    return
  }
  let span = model.untilWords(wall)
  if span.hasSeconds { frame.showsSeconds() }
  let time = model.shown(wall.clock)
  let instant = model.shown(wall)
  let label = next.label.isEmpty ? "" : " · \(next.label)"
  let text = fitting(
    [
      "next \(instant) · in \(span.words)\(label)", "\(instant) · in \(span.words)\(label)",
      "\(instant) · in \(span.words)", "\(time) in \(span.words)", time,
    ], row.columns, model.charset)
  // Without the engine nothing rings, so the line must not look like a promise.
  frame.putCentred(text, row.row, in: row, model.link == .up ? .good : .dim)
}

private func drawSnoozed(_ model: Model, _ snoozed: Status.Snoozed, _ row: Area, _ frame: inout Frame) {
  let name = snoozed.label.isEmpty ? "alarm \(snoozed.id)" : snoozed.label
  guard let until = WallTime(iso: snoozed.until) else {
    frame.putCentred("snoozed: \(name)", row.row, in: row, .warning)
    return
  }
  let span = model.untilWords(until)
  if span.hasSeconds { frame.showsSeconds() }
  let time = model.shown(until.clock)
  let text = fitting(
    [
      "snoozed: \(name), rings again at \(time), in \(span.words)",
      "snoozed: \(name), again in \(span.words)", "again in \(span.words)",
    ], row.columns, model.charset)
  frame.putCentred(text, row.row, in: row, .warning)
}

/// Whether the sound is kept awake, and why; then a line for each lease that somebody took.
private func awakeLines(_ model: Model, _ columns: Int) -> [(text: String, style: Style)] {
  guard let status = model.status, model.link == .up else { return [] }
  let keepAlive = status.keepAlive
  let state = keepAlive.active ? "on" : "off"
  let mode = keepAlive.active ? " (\(keepAlive.mode), \(keepAlive.signal))" : ""
  let why = keepAlive.why.map { ": \($0)" } ?? ""
  let text = fitting(
    ["keep-alive \(state)\(mode)\(why)", "keep-alive \(state)\(why)"], columns, model.charset)
  // What the engine holds itself is the reason said before.
  let leases = status.awake.leases.filter { $0.owner != "engine" }
  let shown = leases.prefix(leases.count > 3 ? 2 : 3).map { lease in
    let until = lease.expiresAt.flatMap(WallTime.init(iso:)).map { " until \(model.shown($0.clock))" } ?? ""
    let what = lease.reason.isEmpty ? ", a lease of \(lease.owner)" : " for \(lease.reason)"
    return ("awake\(until)\(what)", Style.normal)
  }
  let more = leases.count > 3 ? [("and \(leases.count - 2) leases more: “:awake list”", Style.dim)] : []
  return [(text, keepAlive.active ? .good : .dim)] + shown + more
}

/// The alarms, as many as fit; it says what does not.
private func drawComing(_ model: Model, _ area: inout Area, _ isTall: Bool, _ frame: inout Frame) {
  guard !model.alarms.isEmpty, !area.isEmpty else { return }
  if isTall, area.rows >= 3 { drawHeading("Alarms", area.takeTop(1), &frame) }
  var shown = model.alarms.prefix(area.rows)
  let isCut = shown.count < model.alarms.count && area.rows >= 3
  if isCut { shown.removeLast() }
  let columns = AlarmColumns(model, shown, area.columns)
  for alarm in shown { drawAlarm(model, alarm, area.takeTop(1), columns, &frame) }
  if isCut {
    let row = area.takeTop(1)
    let key = model.keys.names(for: .alarms)
    frame.put("… \(model.alarms.count - shown.count) more: \(key)", row.column, row.row, in: row, .dim)
  }
}

/// An empty world: what to press first.
private func drawWelcome(_ model: Model, _ area: Area, _ isTall: Bool, _ frame: inout Frame) {
  var area = area
  if isTall { _ = area.takeTop(1) }
  let sounds = model.places.soundNames
  let offer = sounds.isEmpty ? "" : ", or a sound that comes with it: \(sounds.joined(separator: ", "))"
  var rows: [(Action, String, String)] = [
    (.add, "add an alarm: 07:00, mon-fri 7am, +25m", "add an alarm"),
    (.files, "play your music\(offer)", "play your music"),
    (.command, "any command of the shell: timer 5m tea", "any command"),
    (.help, "every key", "every key"),
  ]
  if !isTall { rows = Array(rows.prefix(max(1, area.rows))) }
  let keys = rows.map { model.keys.name(for: $0.0) ?? "" }
  let widest = rows.map { Glyphs.width(of: $0.1, model.charset, upTo: area.columns) }.max() ?? 0
  let isWide = widest + 8 <= area.columns
  let width = min(area.columns, (isWide ? widest : rows.map(\.2.count).max() ?? 0) + 5)
  if isTall {
    let row = area.takeTop(2)
    frame.putCentred("Nothing is set yet. Press", row.row, in: row, .dim)
  }
  let left = area.column + max(0, (area.columns - width) / 2)
  for (index, entry) in rows.enumerated() where !area.isEmpty {
    let row = area.takeTop(1)
    frame.put(keys[index], left + 1, row.row, in: row, Style(.key))
    for (line, text) in wrapped(
      area.columns >= 60 ? entry.1 : entry.2, row.endColumn - left - 5, 1 + (isTall ? 1 : 0), model.charset
    ).enumerated() {
      let place = line == 0 ? row : area.takeTop(1)
      frame.put(text, left + 5, place.row, in: place)
    }
    frame.mark(row, .action(entry.0))
  }
}
