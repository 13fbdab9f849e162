import Platform
import Wire

/// The picture of the model, at any size.
public func view(_ model: Model) -> Frame {
  var frame = Frame(model.size, model.charset)
  guard !frame.bounds.isEmpty else { return frame }
  if model.size.columns < 5 {
    drawSign(model, &frame)
  } else if model.overlay != nil, let ring = model.shownRing {
    drawRinging(model, ring, &frame)
  } else if let entry = model.openedEntry {
    drawOpened(model, entry, &frame)
  } else {
    drawPage(model, &frame)
  }
  if model.hasFocus == false { frame.restsUntilSeen() }
  return frame
}

private func drawPage(_ model: Model, _ frame: inout Frame) {
  let layout = Layout(model)
  if model.typing != nil, let ring = model.shownRing { drawBanner(model, ring, &frame) }
  drawTabs(model, layout.tabs, &frame)
  if let output = model.output {
    drawOutput(model, output, layout.body, &frame)
  } else {
    switch model.page {
    case .clock: drawClock(model, layout, &frame)
    case .alarms: drawAlarms(model, layout, &frame)
    case .player: drawPlayer(model, layout, &frame)
    case .files: drawFiles(model, layout, &frame)
    case .inbox: drawInbox(model, layout, &frame)
    case .log: drawLog(model, layout, &frame)
    case .help: drawHelp(model, layout, &frame)
    }
  }
  if !layout.strip.isEmpty { drawTrackLine(model, layout.strip, &frame) }
  drawTroubles(model, layout.troubles, &frame)
  drawTyping(model, layout.typing, &frame)
  drawBottomLine(model, layout, &frame)
}

/// Where not even the time fits: one sign for what matters most.
private func drawSign(_ model: Model, _ frame: inout Frame) {
  let sign: (String, Style) =
    if model.shownRing != nil {
      ("!", Style(.ringing))
    } else if model.link != .up {
      ("x", .error)
    } else if model.status?.output.audible == false {
      ("?", .warning)
    } else if model.status?.snoozed.isEmpty == false {
      ("z", .warning)
    } else if model.status?.player.state == "playing" {
      ("▶", .accent)
    } else {
      ("·", .normal)
    }
  frame.put(sign.0, 0, 0, in: frame.bounds, sign.1, ellipsis: false)
}

/// The row of pages, with the time at its end.
private func drawTabs(_ model: Model, _ row: Area, _ frame: inout Frame) {
  guard !row.isEmpty else { return }
  var names = row
  if model.page != .clock {
    let start = frame.putRight(model.shown(model.now.wall.minute), row.row, in: row, .strong)
    names.columns = max(0, start - 2 - row.column)
  }
  func label(_ page: Page) -> String {
    let badge = model.status?.badge ?? 0
    return page == .inbox && badge > 0 ? "\(page.title) \(badge)" : page.title
  }
  let all = Page.allCases
  let whole = all.map { " \($0.rawValue) \(label($0)) " }
  let short = all.map { $0 == model.page ? " \($0.rawValue) \(label($0)) " : " \($0.rawValue) " }
  func width(_ texts: [String]) -> Int { texts.reduce(0) { $0 + $1.count } }
  let texts = width(whole) <= names.columns ? whole : short
  guard width(texts) <= names.columns else {
    frame.put(label(model.page), names.column, names.row, in: names, .title)
    return
  }
  var column = names.column
  for (page, text) in zip(all, texts) {
    let isShown = page == model.page
    let isUnseen = page == .inbox && (model.status?.badge ?? 0) > 0
    let end = frame.put(
      text, column, names.row, in: names, Style(isShown ? .tabShown : isUnseen ? .warning : .tab))
    frame.mark(Area(column: column, row: names.row, columns: end - column, rows: 1), .tab(page))
    column = end
  }
}

/// A heading with a rule to the end of the row.
func drawHeading(_ text: String, _ row: Area, _ frame: inout Frame, right: String = "") {
  guard !row.isEmpty else { return }
  let behind = frame.put(text, row.column, row.row, in: row, .title) + 1
  let end = right.isEmpty ? row.endColumn : frame.putRight(right, row.row, in: row, .dim) - 1
  frame.put(
    String(repeating: "─", count: max(0, end - behind)), behind, row.row, in: row, .dim, ellipsis: false)
}

/// The first of several wordings that fits, the last and shortest one where none does.
func fitting(_ wordings: [String], _ columns: Int, _ charset: Charset) -> String {
  wordings.first { Glyphs.width(of: $0, charset, upTo: columns) <= columns } ?? wordings.last ?? ""
}

/// Cuts a text into lines at spaces. What is left over is in the last line, where the drawing cuts it off.
func wrapped(_ text: String, _ columns: Int, _ rows: Int, _ charset: Charset) -> [String] {
  guard rows > 0, columns > 0 else { return [] }
  var lines: [String] = []
  var line = ""
  var words = Glyphs.beginning(of: text, columns: columns * rows).split(separator: " ")[...]
  while let word = words.first {
    let longer = line.isEmpty ? String(word) : "\(line) \(word)"
    if line.isEmpty || lines.count == rows - 1 || Glyphs.width(of: longer, charset, upTo: columns) <= columns
    {
      line = longer
      words.removeFirst()
    } else {
      lines.append(line)
      line = ""
    }
  }
  return line.isEmpty ? lines : lines + [line]
}

/// Cuts a line that was printed for a terminal into rows. The spaces in it are columns and stay; what does not fit goes on
/// below the beginning of its second column, where it has one in the left half, else below its first word.
func folded(_ text: String, _ columns: Int, _ rows: Int, _ charset: Charset) -> [String] {
  guard rows > 0, columns > 0 else { return [] }
  let text = clean(Glyphs.beginning(of: text, columns: columns * rows))
  func width(_ text: some StringProtocol) -> Int { Glyphs.width(of: String(text), charset, upTo: columns) }
  if width(text) <= columns { return [text] }
  let indent = text.prefix { $0 == " " }
  var hang = indent.count < columns / 2 ? indent.count : 0
  if let gap = text.dropFirst(indent.count).firstRange(of: "  ") {
    let column = width(text[..<gap.lowerBound]) + text[gap.lowerBound...].prefix { $0 == " " }.count
    if column <= columns / 2 { hang = column }
  }
  var lines: [String] = []
  var line = ""
  var isEmpty = true
  var rest = text[...]
  while !rest.isEmpty {
    let gap = rest.prefix { $0 == " " }
    let word = rest[gap.endIndex...].prefix { $0 != " " }
    if word.isEmpty { break }
    if isEmpty || lines.count == rows - 1 || width("\(line)\(gap)\(word)") <= columns {
      line += String(gap) + String(word)
    } else {
      lines.append(line)
      line = String(repeating: " ", count: hang) + word
    }
    isEmpty = false
    rest = rest[word.endIndex...]
  }
  return isEmpty ? lines : lines + [line]
}

/// A text over as many rows as it needs and there are; the rows that are left.
@discardableResult
func drawWrapped(
  _ text: String, _ area: Area, _ frame: inout Frame, _ style: Style = .normal, atMost: Int = 6
) -> Area {
  var area = area
  for line in wrapped(text, area.columns, min(atMost, area.rows), frame.charset) {
    let row = area.takeTop(1)
    frame.put(line, row.column, row.row, in: row, style)
  }
  return area
}

/// What a command printed.
private func drawOutput(_ model: Model, _ output: Output, _ body: Area, _ frame: inout Frame) {
  var area = body
  let rows = model.rows(of: output)
  let first = max(0, min(output.first, rows.count - 1))
  let last = min(rows.count, first + max(0, area.rows - 1))
  let isWhole = first == 0 && last == rows.count
  drawHeading(
    ":\(output.words)", area.takeTop(1), &frame, right: isWhole ? "" : "\(first + 1)–\(last) of \(rows.count)"
  )
  for line in rows[min(first, last)..<last] {
    let row = area.takeTop(1)
    frame.put(line.text, row.column, row.row, in: row, line.isComplaint ? .warning : .normal)
  }
}
