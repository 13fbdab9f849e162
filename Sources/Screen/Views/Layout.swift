/// Where things stand on the screen, at every size: what `view` draws into and what scrolling goes by.
struct Layout {
  /// The row of tabs, or the page's title where there is no room for it.
  var tabs: Area
  /// What is wrong.
  var troubles: Area
  /// What plays, on the pages that do not show it anyway.
  var strip: Area
  /// What is typed, with what it means.
  var typing: Area
  /// The last line: answers, questions, hints.
  var bottom: Area
  /// What is left for the page.
  var body: Area
  /// Of the body: above the list, the list, below it.
  var head: Area
  var list: Area
  var detail: Area

  init(_ model: Model) {
    let size = model.size
    var area = Area(column: 0, row: 0, columns: size.columns, rows: size.rows)
    let margin = size.columns >= 60 ? 2 : 0
    let isClock = model.page == .clock
    let banner = model.typing != nil && model.shownRing != nil && area.rows >= 2 ? 1 : 0
    _ = area.takeTop(banner)

    tabs = area.takeTop(size.rows >= (isClock ? 16 : 4) ? 1 : 0).inset(columns: margin)
    typing = area.takeBottom(Layout.rows(of: model.typing, in: area.rows)).inset(columns: margin)
    let hasBottom =
      model.typing == nil
      && (area.rows >= 5 || (area.rows >= 2 && (model.message != nil || model.question != nil)))
    bottom = area.takeBottom(hasBottom ? 1 : 0).inset(columns: margin)
    area = area.inset(columns: margin)
    troubles = area.takeBottom(Layout.troubleRows(model, area.rows))
    let showsStrip =
      !isClock && model.page != .player && model.link == .up && model.status?.player.track != nil
      && size.rows >= 12
    strip = area.takeBottom(showsStrip ? 1 : 0)
    if !isClock, size.rows >= 20 {
      _ = area.takeTop(1)
      if showsStrip { _ = area.takeBottom(1) }
    }
    body = area
    if model.output != nil {
      body = Layout.answerArea(size)
      (body.row, body.rows) = (area.row, area.rows)
    }
    let room = area.rows
    switch model.page {
    case .player: head = area.takeTop(room >= 12 ? 6 : room >= 6 ? 2 : room >= 2 ? 1 : 0)
    case .files: head = area.takeTop(room >= 3 ? 1 : 0)
    default: head = area.takeTop(0)
    }
    switch model.page {
    case .alarms: detail = area.takeBottom(room >= 12 ? 4 : 0)
    case .inbox: detail = area.takeBottom(room >= 8 ? min(12, room / 2) : 0)
    case .log: detail = area.takeBottom(room >= 8 ? min(14, room * 3 / 5) : 0)
    default: detail = area.takeBottom(0)
    }
    list = area
  }

  /// The columns for what a command printed: what is made for 80 columns is shown in 80.
  static func answerArea(_ size: Size) -> Area {
    Area(column: 0, row: 0, columns: size.columns, rows: size.rows)
      .inset(columns: max(0, min(2, (size.columns - 80) / 2)))
  }

  /// There is room for the meter, between what plays and the queue.
  var hasMeter: Bool { head.rows >= 6 && head.columns >= 40 }

  /// The form is whole where there is room for it, else one field at a time.
  static func showsWholeForm(_ rows: Int) -> Bool { rows >= Form.Field.allCases.count + 4 }

  private static func rows(of typing: Typing?, in rows: Int) -> Int {
    switch typing {
    case nil: 0
    case .form:
      // The field, what the words mean, and the name of the thing; the list above stays to be seen where it can.
      rows >= 18 ? Form.Field.allCases.count + 5 : rows >= 10 ? 4 : min(rows, 3)
    case .command, .search: rows >= 2 ? (rows >= 12 ? 2 : 1) : rows
    }
  }

  private static func troubleRows(_ model: Model, _ rows: Int) -> Int {
    // The time and the next alarm keep their place.
    let room = min(rows >= 18 ? 4 : rows >= 10 ? 2 : 1, max(0, rows - 1))
    return min(room, troubleLines(model).count)
  }
}
