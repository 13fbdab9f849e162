import Wire

/// The last line: what was just answered, else the keys.
func drawBottomLine(_ model: Model, _ line: Area, _ frame: inout Frame) {
  if let message = model.message {
    let style = message.isError ? Style.error : Style(.good)
    frame.put(message.text, line.column, line.row, in: line, style)
  } else {
    frame.put(hints(model, line.columns), line.column, line.row, in: line, .dim)
  }
}

/// As many keys as fit, of those that would do something now; the way to all the others is always among them.
private func hints(_ model: Model, _ columns: Int) -> String {
  let isQuiet = model.shownRing == nil && model.status?.snoozed.isEmpty != false
  let ringing: [(Action, String)] = isQuiet ? [] : [(.snooze, "snooze"), (.dismiss, "dismiss")]
  let all = [(.playPause, "play/pause")] + ringing + [(.add, "add"), (.detach, "detach"), (.help, "keys")]
  let shown = all.compactMap { action, word in
    model.keys.keys(for: action).first.map { "\($0.shown) \(word)" }
  }
  guard let last = shown.last else { return "" }
  var line = ""
  for hint in shown.dropLast() where line.count + hint.count + 3 + last.count <= columns {
    line += hint + "   "
  }
  return line + last
}

/// The line being typed and, below it, what it means.
func drawPrompt(_ model: Model, _ area: inout Area, _ frame: inout Frame) {
  guard let prompt = model.prompt else { return }
  let below = area.takeBottom(area.rows >= 10 ? 2 : area.rows >= 2 ? 1 : 0)
  let line = area.takeBottom(1)
  let name = line.columns >= 30 ? "Add an alarm: " : line.columns >= 12 ? "add: " : ""
  let start = frame.put(name, line.column, line.row, in: line, Style.title)
  let field = Area(column: start, row: line.row, columns: line.endColumn - start, rows: 1)
  drawField(prompt.field, field, &frame)

  let (text, style) = meaning(of: prompt, model, &frame)
  for (index, words) in wrapped(text, below.columns, below.rows, model.charset).enumerated() {
    frame.put(words, below.column, below.row + index, in: below, style)
  }
}

private func meaning(of prompt: Prompt, _ model: Model, _ frame: inout Frame) -> (String, Style) {
  if let refusal = prompt.refusal { return (refusal, Style.error) }
  if prompt.isSent { return ("adding…", .dim) }
  switch prompt.preview {
  case .wrong(let sentence): return (sentence, Style(.warning))
  case .rings(let iso, let warnings):
    let warning = warnings.map { "; \($0)" }.joined()
    let style = Style(warnings.isEmpty ? .good : .warning)
    guard let wall = WallTime(iso: iso) else { return ("rings \(iso)\(warning)", style) }
    let span = model.untilWords(wall)
    if span.hasSeconds { frame.showsSeconds() }
    return ("rings \(Wording.instant(wall, model.now.wall, model.clock)), in \(span.words)\(warning)", style)
  case nil: return ("07:00   mon-fri 7am   tomorrow 6:30   +25m", .dim)
  }
}

/// The part of the field around the cursor that fits.
private func drawField(_ field: TextField, _ area: Area, _ frame: inout Frame) {
  guard area.columns > 0 else { return }
  func width(_ character: Character) -> Int {
    Glyphs.of(character, frame.charset).reduce(0) { $0 + $1.width }
  }
  // The cursor stands on one column of its own behind the text.
  var room = area.columns - 1
  var first = field.cursor
  while first > 0 {
    let needed = width(field.characters[first - 1])
    guard needed <= room else { break }
    room -= needed
    first -= 1
  }
  let before = String(field.characters[first..<field.cursor])
  let after = String(field.characters[field.cursor...])
  let cursor = frame.put(before, area.column, area.row, in: area, .strong, ellipsis: false)
  frame.put(after, cursor, area.row, in: area, .strong, ellipsis: false)
  frame.cursor = Position(column: min(cursor, area.endColumn - 1), row: area.row)
}

/// While something is typed a ring shows here and takes no key.
func drawBanner(_ ring: Status.Ringing, _ row: Area, _ frame: inout Frame) {
  if row.isEmpty { return }
  let style = Style(.ringing)
  frame.fill(row, style)
  let name = ring.label.isEmpty ? "alarm \(ring.id)" : ring.label
  frame.putCentred(
    fitting(
      ["RINGING: \(name) (Esc, then s snoozes, d dismisses)", "RINGING: \(name) (Esc)", "RINGING (Esc)"],
      row.columns, frame.charset), row.row, in: row, style)
}
