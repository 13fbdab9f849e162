import Wire

/// What is typed, with what it means.
func drawTyping(_ model: Model, _ area: Area, _ frame: inout Frame) {
  switch model.typing {
  case .form(let form):
    if Layout.showsWholeForm(area.rows) {
      drawWholeForm(model, form, area, &frame)
    } else {
      drawOneField(model, form, area, &frame)
    }
  case .command(let entry):
    drawLine(":", entry.field, "any command of the shell: add 07:00, timer 5m tea", area, &frame, model)
  case .search(let search):
    let isThere = model.line(holding: search.field.text, from: 0, by: 1) != nil
    let text =
      search.field.characters.isEmpty
      ? "Enter keeps the line, Esc goes back" : isThere ? "" : "is in no line here"
    drawLine(
      "/", search.field, text, area, &frame, model, isWrong: !isThere && !search.field.characters.isEmpty)
  case nil: break
  }
}

/// A sign, what is typed behind it, and a line below.
private func drawLine(
  _ sign: String, _ field: TextField, _ text: String, _ area: Area, _ frame: inout Frame, _ model: Model,
  isWrong: Bool = false
) {
  var area = area
  if area.rows >= 2 {
    let below = area.takeBottom(1)
    let (words, style): (String, Style) =
      if let message = model.message { (message.text, message.isError ? .error : .good) } else {
        (text, isWrong ? .warning : .dim)
      }
    frame.put(words, below.column, below.row, in: below, style)
  }
  let row = area.takeTop(1)
  let start = frame.put(sign, row.column, row.row, in: row, .title)
  drawField(field, row.from(start), &frame)
}

private func drawWholeForm(_ model: Model, _ form: Form, _ area: Area, _ frame: inout Frame) {
  var area = area
  drawHeading(form.editing.map { "Edit alarm \($0.id)" } ?? "Add an alarm", area.takeTop(1), &frame)
  let last = area.takeBottom(1)
  frame.put("Enter saves   Tab next field   Esc leaves", last.column, last.row, in: last, .dim)
  let fields = Form.Field.allCases
  let widest = fields.map(\.title.count).max() ?? 0
  let spare = area.rows - fields.count
  for field in fields where !area.isEmpty {
    let row = area.takeTop(1)
    let isCurrent = field == form.current
    frame.put(field.title, row.column, row.row, in: row, isCurrent ? .title : .dim)
    let box = row.from(row.column + widest + 2)
    if isCurrent {
      drawField(form[field], box, &frame)
    } else {
      frame.put(form[field].text, box.column, box.row, in: box)
    }
    frame.mark(row, .field(field))
    if form[field].characters.isEmpty {
      let hint =
        field == .sound && !model.places.soundNames.isEmpty
        ? "\(model.places.soundNames.joined(separator: ", ")) or a file; ^N the next" : field.hint
      frame.put(hint, box.column + (isCurrent ? 2 : 0), box.row, in: box, .dim)
    }
    if field == .when {
      let below = area.takeTop(max(1, min(2, spare))).from(row.column + widest + 2)
      let (text, style) = meaning(of: form, model, &frame)
      drawWrapped(
        form.words.isEmpty && form.refusal == nil ? "" : text, below, &frame, style, atMost: below.rows)
    }
  }
}

/// Where there is little room: the field that is being typed, and what the words mean.
private func drawOneField(_ model: Model, _ form: Form, _ area: Area, _ frame: inout Frame) {
  var area = area
  let below = area.takeBottom(area.rows >= 4 ? 2 : area.rows >= 2 ? 1 : 0)
  let line = area.takeBottom(1)
  if !area.isEmpty {
    drawHeading(form.editing.map { "Edit alarm \($0.id)" } ?? "Add an alarm", area.takeBottom(1), &frame)
  }
  let name = line.columns >= 12 ? "\(form.current.title): " : ""
  let start = frame.put(name, line.column, line.row, in: line, .title)
  drawField(form[form.current], line.from(start), &frame)
  let isTime = form.current == .when || form.refusal != nil || form.isSent
  let (text, style) = isTime ? meaning(of: form, model, &frame) : (form.current.hint, .dim)
  drawWrapped(text, below, &frame, style, atMost: below.rows)
}

private func meaning(of form: Form, _ model: Model, _ frame: inout Frame) -> (String, Style) {
  if let refusal = form.refusal { return (refusal, .error) }
  if form.isSent { return ("saving…", .dim) }
  switch form.preview {
  case .wrong(let sentence): return (sentence, .warning)
  case .rests: return (form.editing.map { model.restWords($0) } ?? "", .dim)
  case .rings(let iso, let warnings):
    let warning = warnings.map { "; \($0)" }.joined()
    let style = Style(warnings.isEmpty ? .good : .warning)
    guard let wall = WallTime(iso: iso) else { return ("rings \(iso)\(warning)", style) }
    let span = model.untilWords(wall)
    if span.hasSeconds { frame.showsSeconds() }
    return ("rings \(model.shown(wall)), in \(span.words)\(warning)", style)
  case nil: return (Form.Field.when.hint, .dim)
  }
}

/// The part of the field around the cursor that fits.
func drawField(_ field: TextField, _ area: Area, _ frame: inout Frame) {
  guard area.columns > 0, area.rows > 0 else { return }
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
  let cursor = frame.put(before, area.column, area.row, in: area, Style(.field), ellipsis: false)
  frame.put(after, cursor, area.row, in: area, Style(.field), ellipsis: false)
  frame.cursor = Position(column: min(cursor, area.endColumn - 1), row: area.row)
}
