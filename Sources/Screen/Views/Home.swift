import Wire

/// The screen as it mostly is: the clock, what comes next, what plays, the alarms.
///
/// Rows are given out by how much they matter: first the ends of the screen (what is typed, what is wrong), then the
/// time and the next alarm; what is left goes to the list.
func drawHome(_ model: Model, _ frame: inout Frame) {
  var area = frame.bounds
  let isTall = area.rows >= 20
  let margin = area.columns >= 60 ? 2 : 0

  if model.prompt != nil {
    drawPrompt(model, &area, &frame)
    if let ring = model.shownRing { drawBanner(ring, area.takeTop(1), &frame) }
  } else if area.rows >= 5 || (area.rows >= 2 && model.message != nil) {
    drawBottomLine(model, area.takeBottom(1).inset(columns: margin), &frame)
  }
  area = area.inset(columns: margin)
  drawTroubles(model, &area, &frame)
  if area.rows >= 8 { drawKeepAlive(model, area.takeBottom(1), &frame) }

  drawFace(model, &area, &frame)
  if area.rows >= 4 {
    let row = area.takeTop(1)
    frame.putCentred(Wording.longDate(model.now.wall.date), row.row, in: row)
  }
  drawNext(model, area.takeTop(1), &frame)
  for snoozed in (model.status?.snoozed ?? []).prefix(max(0, area.rows)) {
    drawSnoozed(model, snoozed, area.takeTop(1), &frame)
  }
  if isTall { _ = area.takeTop(1) }
  drawTrack(model, &area, isTall, &frame)
  drawAlarms(model, &area, isTall, &frame)
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
    (face, half) = ("\(clock.hour % 12 == 0 ? 12 : clock.hour % 12):\(minutes)", " " + Wording.half(clock))
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
  let scale = Digits.scale(
    "00:00", columns: area.columns - half.count, rows: min(share, area.rows - 1), model.charset)
  let style = Style(.digits)
  guard scale > 0 else {
    let row = area.takeTop(1)
    if row.isEmpty { return }
    let date = Wording.date(model.now.wall.date, year: model.now.wall.date.year)
    let wordings = [face + half, face]
    frame.putCentred(
      fitting(area.isEmpty ? ["\(face)\(half)  \(date)"] + wordings : wordings, row.columns, model.charset),
      row.row, in: row, style)
    return
  }
  let rows = Digits.rows(scale)
  let isSpacious = area.rows - rows >= 9
  if isSpacious { _ = area.takeTop(1) }
  let row = area.takeTop(rows)
  let width = Digits.points(face) * scale
  let left = row.column + max(0, (row.columns - width - half.count) / 2)
  Digits.draw(face, &frame, column: left, row: row.row, scale: scale, in: row, style)
  frame.put(half, left + width, row.endRow - 1, in: row, style)
  if isSpacious { _ = area.takeTop(1) }
}

private func drawNext(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard !row.isEmpty, let alarms = model.status?.alarms else { return }
  guard let next = alarms.next else {
    let none = alarms.count == 0 ? "no alarm is set" : "no alarm is on"
    frame.putCentred(
      fitting([none + ": a adds one", none], row.columns, model.charset), row.row, in: row, .dim)
    return
  }
  guard let wall = WallTime(iso: next.at) else {
    frame.putCentred("next \(next.at)", row.row, in: row)
    return
  }
  let span = model.untilWords(wall)
  if span.hasSeconds { frame.showsSeconds() }
  let time = Wording.time(wall.clock, model.clock)
  let instant = Wording.instant(wall, model.now.wall, model.clock)
  let label = next.label.isEmpty ? "" : " · \(next.label)"
  let text = fitting(
    [
      "next \(instant) · in \(span.words)\(label)", "\(instant) · in \(span.words)\(label)",
      "\(instant) · in \(span.words)", "\(time) in \(span.words)", time,
    ], row.columns, model.charset)
  // Without the engine nothing rings, so the line must not look like a promise.
  frame.putCentred(text, row.row, in: row, model.link == .up ? Style(.good) : .dim)
}

private func drawSnoozed(_ model: Model, _ snoozed: Status.Snoozed, _ row: Area, _ frame: inout Frame) {
  let name = snoozed.label.isEmpty ? "alarm \(snoozed.id)" : snoozed.label
  guard let until = WallTime(iso: snoozed.until) else {
    frame.putCentred("snoozed: \(name)", row.row, in: row, Style(.warning))
    return
  }
  let span = model.untilWords(until)
  if span.hasSeconds { frame.showsSeconds() }
  let time = Wording.time(until.clock, model.clock)
  let text = fitting(
    [
      "snoozed: \(name), rings again at \(time), in \(span.words)",
      "snoozed: \(name), again in \(span.words)", "again in \(span.words)",
    ], row.columns, model.charset)
  frame.putCentred(text, row.row, in: row, Style.warning)
}
