import Wire

/// The overlay while an alarm rings, over everything: what it is, and the two keys, large enough for sleepy eyes.
func drawRinging(_ model: Model, _ ring: Status.Ringing, _ frame: inout Frame) {
  var area = frame.bounds
  let name = ring.label.isEmpty ? "Alarm \(ring.id)" : ring.label

  let heading = area.takeTop(area.rows >= 20 ? 3 : 1)
  frame.fill(heading, Style(.ringing))
  frame.putCentred(
    fitting(["RINGING: \(name)", name], heading.columns, model.charset), heading.row + heading.rows / 2,
    in: heading, Style(.ringing))

  drawKeys(model, ring, area.takeBottom(area.rows >= 16 ? 5 : area.rows >= 10 ? 2 : 1), &frame)
  if let message = model.message, area.rows >= 2 {
    let row = area.takeBottom(1)
    frame.putCentred(message.text, row.row, in: row, message.isError ? .error : .good)
  }
  if area.rows >= 4 { drawFace(model, &area, &frame) }
  if area.rows >= 8 { _ = area.takeTop(1) }
  for line in lines(model, ring, area.columns, &frame) where !area.isEmpty {
    for piece in wrapped(line.text, area.columns, min(3, area.rows), model.charset) {
      let row = area.takeTop(1)
      frame.putCentred(piece, row.row, in: row, line.style)
    }
  }
}

/// The two things that can be done, as wide as half the screen where there is room: a mouse must hit them half asleep.
private func drawKeys(_ model: Model, _ ring: Status.Ringing, _ area: Area, _ frame: inout Frame) {
  if area.isEmpty { return }
  let left = ring.snoozesLeft.map { $0 > 0 ? " (\($0) left)" : " (none left)" } ?? ""
  let snoozeKey = model.keys.name(for: .snooze) ?? "space"
  let dismissKey = model.keys.name(for: .dismiss) ?? "–"
  let minutes = model.snoozeDigits.isEmpty ? left : " \(model.snoozeDigits) min"
  // What counts and what does not yet is told in words too: not everybody sees that the buttons are faint.
  let hints =
    model.overlayIsDeaf
    ? ["keys count in a moment"]
    : ["1–9 snooze for that many minutes · space snoozes", "1–9 snooze minutes"]
  guard area.rows >= 3, area.columns >= 30 else {
    var area = area
    let row = area.takeTop(1)
    let text = fitting(
      [
        "[ \(snoozeKey)  snooze\(minutes) ]     [ \(dismissKey)  dismiss ]",
        "\(snoozeKey) snooze\(minutes)  \(dismissKey) dismiss",
        "\(snoozeKey) snooze \(dismissKey) dismiss", "\(snoozeKey) \(dismissKey)",
      ], row.columns, model.charset)
    frame.putCentred(text, row.row, in: row, model.overlayIsDeaf ? .dim : Style(.key))
    let half = row.columns / 2
    frame.mark(Area(column: row.column, row: row.row, columns: half, rows: 1), .action(.snooze))
    frame.mark(row.from(row.column + half), .action(.dismiss))
    if !area.isEmpty {
      frame.putCentred(
        fitting(hints, area.columns, model.charset), area.row, in: area, .dim)
    }
    return
  }
  let buttons = Area(column: area.column, row: area.row, columns: area.columns, rows: 3).inset(columns: 2)
  let half = (buttons.columns - 2) / 2
  let style = model.overlayIsDeaf ? Style.dim : Style(.key)
  for (index, button) in [(snoozeKey, "snooze\(minutes)", Action.snooze), (dismissKey, "dismiss", .dismiss)]
    .enumerated()
  {
    let box = Area(
      column: buttons.column + index * (half + 2), row: buttons.row, columns: half, rows: 3)
    drawBox(box, style, &frame)
    frame.putCentred("\(button.0)   \(button.1)", box.row + 1, in: box.inset(columns: 1), style)
    frame.mark(box, .action(button.2))
  }
  let row = area.line(3)
  frame.putCentred(fitting(hints, row.columns, model.charset), row.row, in: row, .dim)
}

private func drawBox(_ box: Area, _ style: Style, _ frame: inout Frame) {
  guard box.columns >= 2, box.rows >= 2 else { return }
  let rule = String(repeating: "─", count: box.columns - 2)
  frame.put("╭\(rule)╮", box.column, box.row, in: box, style, ellipsis: false)
  for row in box.row + 1..<box.endRow - 1 {
    frame.put("│", box.column, row, in: box, style, ellipsis: false)
    frame.put("│", box.endColumn - 1, row, in: box, style, ellipsis: false)
  }
  frame.put("╰\(rule)╯", box.column, box.endRow - 1, in: box, style, ellipsis: false)
}

/// Everything about the ring, what matters most first; what does not fit is left out from the end.
private func lines(_ model: Model, _ ring: Status.Ringing, _ columns: Int, _ frame: inout Frame)
  -> [(text: String, style: Style)]
{
  var lines: [(String, Style)] = []
  if !ring.body.isEmpty { lines.append((ring.body, .strong)) }
  if let since = WallTime(iso: ring.since) {
    let elapsed = model.now.wall.instant.microseconds.subtractingClamped(since.instant.microseconds)
    let span = Wording.span(max(0, elapsed) / 1_000_000 * 1_000_000)
    if span.hasSeconds { frame.showsSeconds() }
    let time = model.shown(since.clock)
    lines.append(
      (fitting(["since \(time), for \(span.words)", "since \(time)"], columns, model.charset), .normal))
  }
  if model.status?.output.audible == false || model.status?.output.state == "interrupted" {
    lines += troubleLines(model).prefix(1).map { ($0.text, $0.style) }
  }
  // The trouble that is there now is often what the ring noted when it began.
  let said = lines.map { $0.0.lowercased() }
  lines += ring.notes.filter { !said.contains($0.lowercased()) }.map { ($0, .warning) }
  lines += ring.userInfo.sorted { $0.key < $1.key }.map { ("\($0.key): \($0.value)", .normal) }
  let others = (model.status?.ringing ?? []).filter { $0.occurrence != ring.occurrence }
  if !others.isEmpty {
    let names = others.prefix(20).map { $0.label.isEmpty ? "alarm \($0.id)" : $0.label }
    lines.append(("also ringing: \(names.joined(separator: ", "))", .warning))
  }
  for snoozed in (model.status?.snoozed ?? []).prefix(20) {
    let until = WallTime(iso: snoozed.until).map { " until \(model.shown($0.clock))" } ?? ""
    lines.append(("snoozed: \(snoozed.label.isEmpty ? "alarm \(snoozed.id)" : snoozed.label)\(until)", .dim))
  }
  return lines
}

/// While something is typed a ring shows here and takes no key.
func drawBanner(_ model: Model, _ ring: Status.Ringing, _ frame: inout Frame) {
  var area = frame.bounds
  guard area.rows >= 2 else { return }
  let row = area.takeTop(1)
  frame.fill(row, Style(.ringing))
  let name = ring.label.isEmpty ? "alarm \(ring.id)" : ring.label
  let keys = "\(model.keys.names(for: .snooze)) snoozes, \(model.keys.names(for: .dismiss)) dismisses"
  frame.putCentred(
    fitting(
      ["RINGING: \(name) (Esc, then \(keys))", "RINGING: \(name) (Esc)", "RINGING (Esc)"], row.columns,
      frame.charset), row.row, in: row, Style(.ringing))
}
