import Wire

/// A notification that a person opened and that does not ring: everything that is attached to it. What rings has the
/// overlay.
func drawOpened(_ model: Model, _ entry: Status.InboxEntry, _ frame: inout Frame) {
  var area = frame.bounds
  let name = entry.label.isEmpty ? "Alarm \(entry.id)" : entry.label
  let heading = area.takeTop(area.rows >= 20 ? 3 : 1)
  frame.fill(heading, Style(.heading))
  frame.putCentred(
    fitting(["\(entry.state.uppercased()): \(name)", name], heading.columns, model.charset),
    heading.row + heading.rows / 2, in: heading, Style(.heading))
  if area.rows >= 3 {
    let last = area.takeBottom(1)
    frame.putCentred("any key leaves this page", last.row, in: last, .dim)
  }
  if area.rows >= 10 { _ = area.takeTop(1) }
  for line in noticeLines(model, entry) where !area.isEmpty {
    for piece in wrapped(line.text, area.columns, min(6, area.rows), model.charset) {
      let row = area.takeTop(1)
      frame.putCentred(piece, row.row, in: row, line.style)
    }
  }
}

/// What a notification has to say, what matters most first; what does not fit is left out from the end.
func noticeLines(_ model: Model, _ entry: Status.InboxEntry) -> [(text: String, style: Style)] {
  var lines: [(String, Style)] = []
  if !entry.body.isEmpty { lines.append((entry.body, .strong)) }
  lines += entry.userInfo.sorted { $0.key < $1.key }.map { ("\($0.key): \($0.value)", .normal) }
  let due = WallTime(iso: entry.at).map { " \(model.shown($0))" } ?? ""
  switch entry.state {
  case "missed": lines.append(("due\(due), missed: \(entry.because ?? "it did not ring")", .warning))
  default:
    let until = model.status?.snoozed.first { $0.occurrence == entry.occurrence }
      .flatMap { WallTime(iso: $0.until) }.map { ", snoozed until \(model.shown($0.clock))" }
    lines.append(("due\(due)\(until ?? "")", .normal))
  }
  return lines
}
