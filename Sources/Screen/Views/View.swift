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
  } else if model.showsHelp {
    drawHelp(model, &frame)
  } else {
    drawHome(model, &frame)
  }
  return frame
}

/// Where not even the time fits: one sign for what matters most.
private func drawSign(_ model: Model, _ frame: inout Frame) {
  let sign: (String, Style) =
    if model.shownRing != nil {
      ("!", Style(.ringing))
    } else if model.link != .up {
      ("x", Style.error)
    } else if model.status?.output.audible == false {
      ("?", Style.warning)
    } else if model.status?.snoozed.isEmpty == false {
      ("z", Style.warning)
    } else if model.status?.player.state == "playing" {
      ("▶", Style(.accent))
    } else {
      ("·", .normal)
    }
  frame.put(sign.0, 0, 0, in: frame.bounds, sign.1, ellipsis: false)
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

func drawHelp(_ model: Model, _ frame: inout Frame) {
  var area = frame.bounds.inset(columns: model.size.columns >= 60 ? 4 : 0)
  let rows = model.keys.bindings.map { (names: model.keys.names(for: $0.action), does: $0.action.does) }
  let count = rows.count
  if area.rows >= count + 6 { _ = area.takeTop(1) }
  let title = area.takeTop(area.rows > count + 2 ? 2 : 1)
  frame.put("Keys", title.column, title.row, in: title, Style.title)
  if area.rows > count {
    let last = area.takeBottom(1)
    frame.put("any key leaves this page", last.column, last.row, in: last, .dim)
  }
  let names = rows.map(\.names.count).max() ?? 0
  for binding in rows where !area.isEmpty {
    let row = area.takeTop(1)
    frame.put(binding.names, row.column, row.row, in: row, .strong)
    frame.put(binding.does, row.column + names + 2, row.row, in: row)
  }
}
