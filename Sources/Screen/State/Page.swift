/// What the screen shows below the row of tabs; the raw value is its digit.
public enum Page: Int, Hashable, Sendable, CaseIterable {
  case clock = 1
  case alarms, player, files, inbox, log, help

  var title: String {
    switch self {
    case .clock: "Clock"
    case .alarms: "Alarms"
    case .player: "Player"
    case .files: "Files"
    case .inbox: "Inbox"
    case .log: "Log"
    case .help: "Help"
    }
  }

  var action: Action {
    switch self {
    case .clock: .clock
    case .alarms: .alarms
    case .player: .player
    case .files: .files
    case .inbox: .inbox
    case .log: .log
    case .help: .help
    }
  }

  /// The page so many tabs on, around the end.
  func moved(by count: Int) -> Page {
    let pages = Page.allCases
    let index = (rawValue - 1 + count % pages.count + pages.count) % pages.count
    return pages[index]
  }
}

/// Which line of a list is selected, and which is the first that shows.
public struct ListPlace: Hashable, Sendable {
  public var selected = 0
  public var first = 0

  /// Selects a line, or the nearest there is, and scrolls as little as shows it.
  mutating func select(_ line: Int, of count: Int, rows: Int) {
    selected = max(0, min(line, count - 1))
    first = shownFirst(of: count, rows: rows)
  }

  /// The first line that shows, where so many rows are there: no row stays empty while lines are above.
  func shownFirst(of count: Int, rows: Int) -> Int {
    let rows = max(1, rows)
    let reaching = min(max(first, selected - rows + 1), selected)
    return max(0, min(reaching, count - rows))
  }
}
