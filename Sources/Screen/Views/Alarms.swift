import Schedule
import Wire

/// The page of alarms: the list, and below it everything about the selected one.
func drawAlarms(_ model: Model, _ layout: Layout, _ frame: inout Frame) {
  frame.mark(layout.list, .list)
  guard !model.alarms.isEmpty else {
    let text = model.status == nil ? "" : "No alarm is set: \(model.keys.names(for: .add)) adds one."
    return drawEmpty(text, layout.list, &frame)
  }
  let place = model.place
  let first = place.shownFirst(of: model.alarms.count, rows: layout.list.rows)
  let shown = model.alarms[first..<min(model.alarms.count, first + layout.list.rows)]
  let columns = AlarmColumns(model, shown, layout.list.columns)
  for (index, alarm) in shown.enumerated() {
    let row = layout.list.line(index)
    drawAlarm(model, alarm, row, columns, &frame, isSelected: first + index == place.selected)
    frame.mark(row, .line(first + index))
  }
  if let alarm = model.selectedAlarm { drawDetail(model, alarm, layout.detail, &frame) }
}

private func drawDetail(_ model: Model, _ alarm: AlarmEntry, _ area: Area, _ frame: inout Frame) {
  var area = area
  guard !area.isEmpty else { return }
  drawHeading("Alarm \(alarm.id)", area.takeTop(1), &frame)
  if let next = alarm.next.flatMap(WallTime.init(iso:)) {
    let span = model.untilWords(next)
    if span.hasSeconds { frame.showsSeconds() }
    let zone = alarm.zone.map { " (\($0))" } ?? ""
    let verb = alarm.state == "snoozed" ? "snoozed, rings" : "rings"
    let row = area.takeTop(1)
    frame.put(
      "\(verb) \(model.shown(next)), in \(span.words)\(zone)", row.column, row.row, in: row,
      model.link == .up ? .good : .dim)
  } else {
    let row = area.takeTop(1)
    let words = model.restWords(alarm)
    frame.put(
      words == "off" ? "off: \(model.keys.names(for: .onOff)) turns it on" : words, row.column, row.row,
      in: row, .dim)
  }
  func span(_ name: String, _ seconds: Double?) -> String? {
    guard let seconds, seconds.isFinite, (0..<1e9).contains(seconds) else { return nil }
    return "\(name) \(Span.text(.milliseconds(Int64(seconds * 1000))))"
  }
  var facts = ["sound \(alarm.sound.map { Wording.fileName($0) } ?? "as usual")"]
  facts += [
    alarm.volume.map { "volume \($0)" }, span("fade", alarm.fade), span("snooze", alarm.snooze),
    alarm.snoozeLimit.map { "at most \($0) snoozes" }, alarm.until.map { "until \($0)" },
    alarm.count.map { "\($0) times" }, alarm.run.isEmpty ? nil : "runs \(alarm.run)",
  ].compactMap { $0 }
  facts += alarm.skips.prefix(3).map { "skips \($0.from)\($0.until == $0.from ? "" : " to \($0.until)")" }
  let row = area.takeTop(1)
  frame.put(facts.joined(separator: " · "), row.column, row.row, in: row)
  let info = alarm.userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  let text = ([alarm.body] + info).filter { !$0.isEmpty }.joined(separator: " · ")
  drawWrapped(text, area, &frame, .dim)
}

/// A page without lines says why, and what to do.
func drawEmpty(_ text: String, _ area: Area, _ frame: inout Frame) {
  var area = area
  _ = area.takeTop(area.rows >= 8 ? area.rows / 3 : 0)
  for line in wrapped(text, area.columns, min(4, area.rows), frame.charset) {
    let row = area.takeTop(1)
    frame.putCentred(line, row.row, in: row, .dim)
  }
}
