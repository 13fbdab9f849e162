import Wire

/// The overlay while an alarm rings, over everything: what it is, and the two keys, large enough for sleepy eyes.
func drawRinging(_ model: Model, _ ring: Status.Ringing, _ frame: inout Frame) {
  var area = frame.bounds
  let loud = Style(.ringing)
  let name = ring.label.isEmpty ? "Alarm \(ring.id)" : ring.label

  let heading = area.takeTop(area.rows >= 20 ? 3 : 1)
  frame.fill(heading, loud)
  frame.putCentred(
    fitting(["RINGING: \(name)", name], heading.columns, model.charset), heading.row + heading.rows / 2,
    in: heading, loud)

  drawKeys(model, ring, area.takeBottom(area.rows >= 12 ? 3 : 1), &frame)
  if let message = model.message, area.rows >= 2 {
    let row = area.takeBottom(1)
    let style = message.isError ? Style.error : Style(.good)
    frame.putCentred(message.text, row.row, in: row, style)
  }
  if area.rows >= 4 { drawFace(model, &area, &frame) }
  for line in lines(model, ring, area.columns, &frame) where !area.isEmpty {
    for piece in wrapped(line.text, area.columns, min(3, area.rows), model.charset) {
      let row = area.takeTop(1)
      frame.putCentred(piece, row.row, in: row, line.style)
    }
  }
}

private func drawKeys(_ model: Model, _ ring: Status.Ringing, _ area: Area, _ frame: inout Frame) {
  if area.isEmpty { return }
  let left = ring.snoozesLeft.map { $0 > 0 ? " (\($0) left)" : " (none left)" } ?? ""
  let text = fitting(
    ["[ s  snooze\(left) ]     [ d  dismiss ]", "s snooze\(left)  d dismiss", "s snooze d dismiss", "s d"],
    area.columns, model.charset)
  let style = model.overlayIsDeaf ? Style.dim : Style.title
  frame.putCentred(text, area.row + area.rows / 2, in: area, style)
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
    let time = Wording.time(since.clock, model.clock)
    lines.append(
      (fitting(["since \(time), for \(span.words)", "since \(time)"], columns, model.charset), .normal))
  }
  if model.status?.output.audible == false || model.status?.output.state == "interrupted" {
    lines += troubles(model).prefix(1).map { ($0.text, $0.style) }
  }
  lines += ring.notes.map { ($0, Style(.warning)) }
  lines += ring.userInfo.sorted { $0.key < $1.key }.map { ("\($0.key): \($0.value)", .normal) }
  let others = (model.status?.ringing ?? []).filter { $0.occurrence != ring.occurrence }
  if !others.isEmpty {
    let names = others.prefix(20).map { $0.label.isEmpty ? "alarm \($0.id)" : $0.label }
    lines.append(("also ringing: \(names.joined(separator: ", "))", Style(.warning)))
  }
  for snoozed in (model.status?.snoozed ?? []).prefix(20) {
    let until = WallTime(iso: snoozed.until).map { " until \(Wording.time($0.clock, model.clock))" } ?? ""
    lines.append(("snoozed: \(snoozed.label.isEmpty ? "alarm \(snoozed.id)" : snoozed.label)\(until)", .dim))
  }
  return lines
}
