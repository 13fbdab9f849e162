import CNcurses
import Platform

/// Puts frames on the terminal: the only file that knows curses.
///
/// Curses is one global thing, so there is one painter at a time, used on the thread that made it. It writes only the cells
/// that differ from the frame before.
final class CursesPainter {
  /// The terminal as a frame was last drawn on it; nil: everything must be drawn.
  private var shown: Frame?
  private var isVisible = false
  private let usesColours: Bool

  private static let pasteOn = "\u{1b}[?2004h"
  private static let pasteOff = "\u{1b}[?2004l"
  private static let input: Int32 = 0
  private static let output: Int32 = 1

  /// Why this terminal cannot be used, as a whole sentence; nil where it can. Nothing is written to it.
  static func refusal(environment: [String: String]) -> String? {
    let instead = "use “alarm status” and “alarm list” instead"
    guard isatty(input) == 1, isatty(output) == 1 else {
      return "the screen needs a terminal, and standard input or output is none: \(instead)"
    }
    guard let name = environment["TERM"], !name.isEmpty else {
      return "the screen needs to know the terminal and TERM is not set: set it, or \(instead)"
    }
    let shownName = clean(name.prefix(60))
    var status: Int32 = 0
    let known = setupterm(name, output, &status)
    guard name != "dumb", known == OK, status == 1 else {
      return name == "dumb"
        ? "the terminal is “dumb” and cannot place a cursor: \(instead), or set TERM to what it really is"
        : "the terminal “\(shownName)” is not known here (TERM): set TERM to one that is, such as xterm, or \(instead)"
    }
    guard reveille_capability("cup") != nil, reveille_capability("clear") != nil else {
      return "the terminal “\(shownName)” cannot place a cursor (TERM): \(instead)"
    }
    return nil
  }

  /// Takes the terminal over: the alternate screen, keys one by one. nil where curses will not start.
  ///
  /// From here on a trap gives the terminal back too.
  init?(usesColours wanted: Bool) {
    guard reveille_rescue_remember(CursesPainter.input) == 0, reveille_newterm() != nil else { return nil }
    cbreak()
    noecho()
    nonl()
    reveille_own_keys(CursesPainter.input)
    usesColours = wanted && has_colors() && start_color() == OK && use_default_colors() == OK
    if usesColours {
      for colour in [COLOR_CYAN, COLOR_GREEN, COLOR_YELLOW, COLOR_RED] {
        init_pair(Int16(colour), Int16(colour), -1)
      }
    }
    reveille_rescue_install()
    appear()
  }

  deinit { leave() }

  /// What the terminal says its size is; what terminfo says where it does not know (a serial line).
  func size() -> Size {
    var rows: UInt16 = 0
    var columns: UInt16 = 0
    if reveille_screen_size(CursesPainter.output, &rows, &columns) == 0, rows > 0, columns > 0 {
      return Size(columns: Int(columns), rows: Int(rows))
    }
    return Size(columns: Int(reveille_first_columns()), rows: Int(reveille_first_rows()))
  }

  /// Draws what is different.
  func paint(_ frame: Frame) {
    guard isVisible, frame.size.columns > 0, frame.size.rows > 0 else { return }
    if shown?.size != frame.size {
      resizeterm(Int32(frame.size.rows), Int32(frame.size.columns))
      reveille_erase()
      shown = Frame(frame.size, frame.charset)
    }
    // The last cell is written by inserting before its left neighbour where the terminal would scroll; curses does so
    // even where there is no neighbour, and shows nothing. So a terminal of one cell is written by hand.
    if frame.cells.count == 1 {
      reveille_refresh()
      write("\r" + frame[0, 0].text)
      shown = frame
      return
    }
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let cell = frame[column, row]
        // The right half of a wide character comes with its left half.
        if cell.width > 0, cell != shown?[column, row] { put(cell, column, row) }
      }
    }
    curs_set(frame.cursor == nil ? 0 : 1)
    if let cursor = frame.cursor { reveille_move(Int32(cursor.row), Int32(cursor.column)) }
    reveille_refresh()
    shown = frame
  }

  /// Sounds the bell, or flashes a terminal that has none. (`beep`, which writes at once)
  func bell() { beep() }

  /// The next frame is drawn whole: somebody else wrote on the terminal.
  func forget() { reveille_redraw_all() }

  /// Gives the terminal back as it was; `appear` takes it again.
  func leave() {
    guard isVisible else { return }
    isVisible = false
    write(CursesPainter.pasteOff)
    curs_set(1)
    endwin()
    reveille_rescue_disarm()
  }

  /// Stops the process, as a person wants it who presses Ctrl-Z; returns when it goes on.
  func suspend() {
    leave()
    reveille_stop_self()
    appear()
  }

  /// After somebody stopped and continued the process without a word (SIGSTOP), the terminal may be in any mode.
  func reappear() {
    leave()
    appear()
  }

  private func appear() {
    guard !isVisible else { return }
    isVisible = true
    arm()
    reset_prog_mode()
    reveille_refresh()
    reveille_redraw_all()
    write(CursesPainter.pasteOn)
  }

  private func put(_ cell: Cell, _ column: Int, _ row: Int) {
    let text = cell.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
    let role = cell.style.role
    let isReversed = cell.style.isSelected || [.ringing, .heading, .tabShown].contains(role)
    reveille_put_cell(
      Int32(row), Int32(column), text, CursesPainter.bold.contains(role), role == .dim || role == .barRest,
      isReversed, usesColours ? Int16(CursesPainter.colour(role)) : 0)
  }

  private static let bold: Set<Role> = [
    .strong, .digits, .title, .tabShown, .key, .field, .playing, .error, .ringing, .heading,
  ]

  private static func colour(_ role: Role) -> Int32 {
    switch role {
    case .accent, .digits, .title, .key, .heading, .bar, .tabShown: COLOR_CYAN
    case .good, .playing: COLOR_GREEN
    case .warning: COLOR_YELLOW
    case .error, .ringing: COLOR_RED
    default: 0
    }
  }

  /// What is written when the process dies by a trap: out of the keypad's mode and the alternate screen, attributes off,
  /// the cursor shown.
  private func arm() {
    var text = CursesPainter.pasteOff
    for name in ["sgr0", "rmkx", "cnorm", "rmcup"] {
      guard let capability = reveille_capability(name) else { continue }
      text += CursesPainter.withoutDelays(String(cString: capability))
    }
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { reveille_rescue_arm($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
  }

  /// Padding (`$<5>`) is for tputs(3), which cannot be called in a signal handler.
  static func withoutDelays(_ capability: String) -> String {
    var result = ""
    var rest = capability[...]
    while let start = rest.firstRange(of: "$<") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstIndex(of: ">") else { return result }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // The terminal has gone where this fails, and the loop hears of that by itself.
    _ = CNcurses.write(CursesPainter.output, bytes, bytes.count)
  }
}
