import Schedule
import Wire

/// How wide the columns of a list of alarms are, by what is shown of it.
struct AlarmColumns {
  let id: Int
  let sentence: Int
  /// When they ring: it goes by the alarms and the date alone, so that nothing moves with the seconds of the present.
  let when: Int

  init(_ model: Model, _ shown: some Collection<AlarmEntry>, _ columns: Int) {
    id = shown.map { "\($0.id)".count }.max() ?? 1
    let widest = shown.map { Glyphs.width(of: $0.sentence, model.charset, upTo: columns) }.max() ?? 0
    sentence = min(widest, max(16, columns * (columns < 60 ? 3 : 2) / 5))
    let noon = ClockTime(hour: 12, minute: 0).map(model.shown) ?? ""
    let usual = Glyphs.width(of: "\(model.shown(model.now.wall.date)) \(noon)", model.charset, upTo: 40)
    when = shown.map { Glyphs.width(of: model.whenShown($0), model.charset, upTo: 40) }.reduce(usual + 1, max)
  }
}

/// One alarm as one line: whether it is on, its number, what it says, when it rings, what it is called.
func drawAlarm(
  _ model: Model, _ alarm: AlarmEntry, _ row: Area, _ columns: AlarmColumns, _ frame: inout Frame,
  isSelected: Bool = false
) {
  func style(_ role: Role) -> Style { Style(role, selected: isSelected) }
  if isSelected { frame.fill(row, style(.normal)) }
  let (sign, role): (String, Role) =
    switch alarm.state {
    case "ringing": ("!", .error)
    case "snoozed": ("z", .warning)
    default: alarm.enabled ? ("●", .good) : ("○", .dim)
    }
  // What comes once is off as soon as it rings.
  let isLive = (alarm.enabled || alarm.isGoingOn) && model.link == .up
  frame.put(sign, row.column, row.row, in: row, style(role))
  let id = String(repeating: " ", count: max(0, columns.id - "\(alarm.id)".count)) + "\(alarm.id)"
  let column = frame.put(id, row.column + 2, row.row, in: row, style(.dim)) + 2
  let cut = Area(
    column: column, row: row.row, columns: min(columns.sentence, row.endColumn - column), rows: 1)
  frame.put(alarm.sentence, column, row.row, in: cut, style(isLive ? .normal : .dim))
  var left = column + columns.sentence + 2
  if row.columns >= 60 {
    let when = model.whenShown(alarm)
    frame.put(when, left, row.row, in: row, style(.dim))
    left += columns.when + 2
  }
  var room = row.from(left)
  let missed = missedWordings(model, alarm)
  if let whole = missed.first {
    // What it is called stands first, and leaves half of what is there to what became of it.
    let width = Glyphs.width(of: alarm.label, model.charset, upTo: room.columns)
    let spare = room.columns - Glyphs.width(of: whole, model.charset, upTo: room.columns) - 2
    room.columns = min(width, max(room.columns / 2, spare))
  }
  let end = frame.put(alarm.label, left, row.row, in: room, style(isLive ? .strong : .dim))
  guard !missed.isEmpty else { return }
  let rest = row.from(alarm.label.isEmpty ? left : end + 2)
  let words = fitting(missed, rest.columns, model.charset)
  guard words.count <= rest.columns else { return }
  frame.put(words, rest.column, row.row, in: rest, style(.error))
}

/// That it was missed, when and why, from the longest wording to the shortest; empty where it was not.
private func missedWordings(_ model: Model, _ alarm: AlarmEntry) -> [String] {
  guard let missed = alarm.missed, let at = WallTime(iso: missed.at) else { return [] }
  let isToday = at.date == model.now.wall.date
  return [
    "missed \(model.shown(at)): \(missed.because)", "missed \(model.shown(at))",
    "missed \(isToday ? model.shown(at.clock) : model.shown(at.date))", "missed",
  ]
}

extension AlarmEntry {
  /// It rings, or is snoozed.
  var isGoingOn: Bool { state == "ringing" || state == "snoozed" }
}

extension Model {
  /// When it rings next, or why it does not.
  func whenShown(_ alarm: AlarmEntry) -> String {
    alarm.next.flatMap(WallTime.init(iso:)).map(shown)
      ?? (alarm.enabled && !alarm.isGoingOn ? "" : restWords(alarm))
  }

  /// What is said of an alarm that has no time ahead.
  func restWords(_ alarm: AlarmEntry) -> String {
    switch alarm.state {
    case "ringing": "rings now"
    case "snoozed": "snoozed"
    default: alarm.enabled ? "has no time ahead" : "off"
    }
  }
}
