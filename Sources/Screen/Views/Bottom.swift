import Wire

/// The last line: what is asked, what was just answered, else the keys of the page, and which part of its list is shown.
func drawBottomLine(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  let line = layout.bottom
  if line.isEmpty { return }
  if model.question == .stopEngine {
    let next = model.status?.alarms.next.flatMap { WallTime(iso: $0.at) }.map {
      " The next is \(model.shown($0))."
    }
    frame.put(
      fitting(
        [
          "Stop the engine? No alarm will ring.\(next ?? "") y/n",
          "Stop the engine? No alarm rings then. y/n", "Stop the engine? y/n",
        ],
        line.columns, model.charset), line.column, line.row, in: line, .warning)
  } else if let message = model.message {
    frame.put(message.text, line.column, line.row, in: line, message.isError ? .error : .good)
  } else if let running = model.running {
    frame.put("running “\(running)”…", line.column, line.row, in: line, .dim)
  } else {
    var line = line
    if let mark = scrollMark(model, layout.list) {
      line.columns = max(0, frame.putRight(mark, line.row, in: line, .dim) - 2 - line.column)
    }
    drawHints(model, line, &frame)
  }
}

/// Where a list does not fit: which part of it is shown.
private func scrollMark(_ model: Model, _ list: Area) -> String? {
  let count = model.count
  guard model.output == nil, count > list.rows, list.rows >= 3, list.columns >= 30 else { return nil }
  let first = model.place.shownFirst(of: count, rows: list.rows)
  return "\(first + 1)–\(min(count, first + list.rows)) of \(count)"
}

/// The keys that do something on the page, the most useful first.
private func hints(_ model: Model) -> [(Action, String)] {
  if model.output != nil { return [(.down, "down"), (.up, "up"), (.detach, "leave")] }
  let isQuiet = model.status?.snoozed.isEmpty != false
  let snoozed: [(Action, String)] = isQuiet ? [] : [(.dismiss, "dismiss")]
  let own: [(Action, String)] =
    switch model.page {
    case .clock: [(.playPause, "play/pause"), (.add, "add"), (.alarms, "alarms")]
    case .alarms:
      model.alarms.isEmpty
        ? [(.add, "add")]
        : [
          (.add, "add"), (.edit, "edit"), (.onOff, "on/off"), (.skip, "skip"), (.rehearse, "rehearse"),
          (.remove, "remove"), (.undo, "undo"),
        ]
    case .player:
      [
        (.open, "play"), (.playPause, "pause"), (.next, "next"), (.seekForward, "seek"), (.repeats, "repeat"),
        (.shuffle, "shuffle"), (.remove, "remove"),
      ]
    case .files: [(.open, "open/play"), (.add, "add to queue"), (.back, "up"), (.search, "search")]
    case .inbox: [(.open, "read"), (.clear, "clear what was missed")]
    case .log: [(.down, "down"), (.search, "search")]
    case .help: [(.down, "down"), (.search, "search"), (.command, "command")]
    }
  return snoozed + own + [(.detach, "detach")]
}

/// As many as fit; the way to all the others is always among them.
private func drawHints(_ model: Model, _ line: Area, _ frame: inout Frame) {
  func words(_ hint: (Action, String)) -> (key: String, word: String)? {
    model.keys.name(for: hint.0).map { ($0, hint.1) }
  }
  func width(_ hint: (key: String, word: String)) -> Int { hint.key.count + 1 + hint.word.count }
  let help = words((.help, "keys"))
  var room = line.columns - (help.map(width) ?? 0)
  var shown: [(Action, key: String, word: String)] = []
  for hint in hints(model) {
    guard let (key, word) = words(hint), width((key, word)) + 3 <= room else { continue }
    room -= width((key, word)) + 3
    shown.append((hint.0, key, word))
  }
  if let help { shown.append((.help, help.key, help.word)) }
  var column = line.column
  for hint in shown {
    let start = column
    column = frame.put(hint.key, column, line.row, in: line, Style(.key)) + 1
    column = frame.put(hint.word, column, line.row, in: line, .dim)
    frame.mark(Area(column: start, row: line.row, columns: column - start, rows: 1), .action(hint.0))
    column += 3
  }
}
