import Wire

/// What is wrong, one line each: no engine, nothing to be heard, store and settings.
func troubleLines(_ model: Model) -> [(text: String, style: Style)] {
  let start = model.keys.names(for: .startEngine)
  switch model.link {
  case .connecting: return [("Looking for the engine…", .warning)]
  case .lost:
    return [("The engine has gone, and no alarm rings. Looking for it; \(start) starts it.", .error)]
  case .down(let reason, _):
    return [("The engine is gone and no alarm will ring: \(start) starts it. (\(reason))", .error)]
  case .up: break
  }
  guard let status = model.status else { return [] }
  var lines: [(String, Style)] = []
  if !status.output.audible {
    let reason = status.output.reason ?? "the output “\(status.output.device)” reaches no ear"
    let isSaid = reason.lowercased().hasPrefix("nobody will hear")
    lines.append((isSaid ? "N" + reason.dropFirst() : "Nobody will hear: \(reason)", .error))
  } else if status.output.state == "interrupted" {
    lines.append(("The sound is interrupted: \(status.output.reason ?? "its device is away")", .warning))
  }
  lines += status.engine.storeErrors.map { ($0, .error) }
  let settings = status.engine.configErrors + (status.engine.configWarnings ?? [])
  lines += settings.map { ("Settings: \($0)", .warning) }
  return lines
}

func drawTroubles(_ model: Model, _ rows: Area, _ frame: inout Frame) {
  let lines = troubleLines(model)
  var shown = Array(lines.prefix(rows.rows))
  if lines.count > rows.rows, rows.rows > 1 {
    shown[rows.rows - 1] = ("and \(lines.count - rows.rows + 1) more: “:status” tells all", .warning)
  }
  for (index, line) in shown.enumerated() {
    frame.put(line.text, rows.column, rows.row + index, in: rows, line.style)
  }
}
