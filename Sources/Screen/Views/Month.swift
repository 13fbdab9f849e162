import Schedule

/// A month of days, as a wall calendar shows them.
enum CalendarMonth {
  static let columns = 20
}

/// This month: today, and the days on which an alarm comes next.
func drawMonth(_ model: Model, _ area: Area, _ frame: inout Frame) {
  var area = area
  guard area.columns >= CalendarMonth.columns, area.rows >= 8 else { return }
  let today = model.now.wall.date
  let title = area.takeTop(1)
  frame.put(
    "\(model.names.longMonths[today.month - 1]) \(today.year)", title.column, title.row, in: title, .title)
  let names = area.takeTop(1)
  for column in 0..<7 {
    let weekday = (model.names.firstWeekday - 1 + column) % 7
    let cell = Area(column: names.column + 3 * column, row: names.row, columns: 2, rows: 1)
    frame.put(model.names.weekdays[weekday], cell.column, cell.row, in: cell, .dim, ellipsis: false)
  }
  guard let first = LocalDate(year: today.year, month: today.month, day: 1) else { return }
  let marked = Set(model.alarms.lazy.prefix(1000).compactMap { $0.next.flatMap(WallTime.init(iso:))?.date })
  let before = (first.weekday.rawValue - model.names.firstWeekday + 7) % 7
  var date = first
  while date.month == today.month {
    let place = before + date.day - 1
    let row = area.row + place / 7
    guard row < area.endRow else { return }
    let cell = Area(column: area.column + 3 * (place % 7), row: row, columns: 2, rows: 1)
    let style = Style(marked.contains(date) ? .good : .normal, selected: date == today)
    frame.putRight(date.day < 10 ? " \(date.day)" : "\(date.day)", row, in: cell, style)
    date = date.adding(days: 1)
  }
}
