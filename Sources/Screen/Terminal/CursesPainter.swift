import CNcurses
import Glibc
import Platform

/// Puts frames on the terminal: the only file that knows curses.
///
/// Curses tells what this terminal can do (terminfo) and nothing more: it has no colours beyond 256, and it would wait for a
/// terminal that takes nothing. What is to be drawn is `FrameWriter`'s affair. Curses is one global thing, so there is one
/// painter at a time, used on the thread that made it.
final class CursesPainter {
  struct Options: Hashable, Sendable {
    var theme = Theme.default
    var usesMouse = true
  }

  private let options: Options
  private let names: Names
  private var writer: FrameWriter
  private var isVisible = false
  /// What the terminal has not taken yet.
  private(set) var unsent: [UInt8] = []
  private var knowsKeys = false
  private var synchronizes = false

  /// What gives the terminal back, also after a trap; the process has one terminal.
  nonisolated(unsafe) private static let rescue = reveille_rescue_make()
  private let rescue: UnsafeMutablePointer<reveille_rescue>

  private static let input: Int32 = 0
  private static let output: Int32 = 1
  /// From so many cells on a frame is held back until it is whole, where the terminal can do that.
  private static let largeChange = 100

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

  /// Takes the terminal over, which `refusal` has found fit: the alternate screen, keys one by one. nil where its settings
  /// cannot be read. From here on a trap gives the terminal back too.
  init?(_ options: Options, environment: [String: String]) {
    guard let rescue = CursesPainter.rescue, reveille_rescue_remember(rescue, CursesPainter.input) == 0 else {
      return nil
    }
    self.rescue = rescue
    self.options = options
    names = Names(environment)
    let depth = ColourDepth.of(
      environment: environment, colours: Int(tigetnum("colors")), isDirect: tigetflag("RGB") == 1)
    writer = FrameWriter(CursesPainter.brush(options.theme, depth))
    reveille_rescue_install(rescue)
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
    return Size(columns: max(1, Int(tigetnum("cols"))), rows: max(1, Int(tigetnum("lines"))))
  }

  /// Draws what is different. While the terminal has not taken what went before, nothing is: call it again when `unsent`
  /// is empty.
  func paint(_ frame: Frame) {
    guard isVisible, unsent.isEmpty, frame.size.columns > 0, frame.size.rows > 0 else { return }
    let isLarge = synchronizes && writer.changes(to: frame) >= CursesPainter.largeChange
    let bytes = writer.bytes(for: frame)
    guard !bytes.isEmpty else { return }
    send(isLarge ? Array("\u{1b}[?2026h".utf8) + bytes + Array("\u{1b}[?2026l".utf8) : bytes)
  }

  /// Sounds the bell, or flashes a terminal that has none.
  func bell() { send(names["bel"] ?? names["flash"] ?? []) }

  /// The next frame is drawn whole: somebody else wrote on the terminal.
  func forget() { writer.forget() }

  /// What the terminal said of itself.
  func take(_ answer: KeyDecoder.Answer) {
    guard isVisible else { return }
    switch answer {
    case .knowsKeys:
      if knowsKeys { return }
      knowsKeys = true
      // Keys that are not to be told apart otherwise, and those for music, come as CSI … u from now on.
      arm()
      send(Array("\u{1b}[>1u".utf8))
    case .synchronizes: synchronizes = true
    }
  }

  /// Gives the terminal back as it was; `appear` takes it again.
  func leave() {
    guard isVisible else { return }
    isVisible = false
    // What a terminal does not take within a moment is lost; its settings are given back all the same.
    send(farewell(), waitingAtMost: 300)
    unsent = []
    knowsKeys = false
    reveille_rescue_give_back(rescue)
    reveille_rescue_disarm(rescue)
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
    reveille_own_keys(rescue, CursesPainter.input)
    writer.forget()
    var greeting = (names["smcup"] ?? []) + (names["smkx"] ?? [])
    if names.knowsPrivateModes {
      greeting += Array("\u{1b}[?2004h\u{1b}[?1004h".utf8)
      if options.usesMouse { greeting += Array("\u{1b}[?1002h\u{1b}[?1006h".utf8) }
    }
    if names.answersQuestions { greeting += Array("\u{1b}[?u\u{1b}[?2026$p".utf8) }
    send(greeting)
  }

  /// Out of every mode and the alternate screen, attributes off, the cursor shown.
  private func farewell() -> [UInt8] {
    var bytes: [UInt8] = []
    if knowsKeys { bytes += Array("\u{1b}[<u".utf8) }
    if synchronizes { bytes += Array("\u{1b}[?2026l".utf8) }
    if names.knowsPrivateModes {
      if options.usesMouse { bytes += Array("\u{1b}[?1006l\u{1b}[?1002l".utf8) }
      bytes += Array("\u{1b}[?1004l\u{1b}[?2004l".utf8)
    }
    for name in ["sgr0", "rmkx", "cnorm"] { bytes += names[name] ?? [] }
    // Where there is no second picture to leave, what comes next begins on the last line.
    bytes += names.lastLine + (names["el"] ?? [])
    return bytes + (names["rmcup"] ?? [])
  }

  /// What is written when the process dies by a trap.
  private func arm() {
    farewell().withUnsafeBytes {
      reveille_rescue_arm(rescue, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
  }
}

// MARK: - Sending

extension CursesPainter {
  /// The descriptor that `unsent` waits for.
  static var descriptor: Int32 { output }

  /// Writes as much as the terminal takes without waiting; the rest goes when it takes more (`sendRest`).
  private func send(_ bytes: [UInt8], waitingAtMost milliseconds: Int32 = 0) {
    unsent += bytes
    sendRest(waitingAtMost: milliseconds)
  }

  /// Goes on with what is unsent.
  func sendRest(waitingAtMost milliseconds: Int32 = 0) {
    var sent = 0
    while sent < unsent.count {
      var wait = pollfd(fd: CursesPainter.output, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&wait, 1, milliseconds)
      if ready < 0, errno == EINTR { continue }
      // Small pieces: a terminal that is ready may take no more than that without waiting.
      guard ready == 1 else { break }
      let count = unsent[sent...].prefix(1024).withUnsafeBytes {
        Glibc.write(CursesPainter.output, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      // The terminal has gone, and the loop hears of that by itself.
      guard count > 0 else {
        unsent = []
        return
      }
      sent += count
    }
    unsent.removeFirst(sent)
  }
}

// MARK: - What the terminal can do

extension CursesPainter {
  /// The strings of the terminal's description.
  private struct Names {
    /// It takes xterm's private modes, or passes over those it does not have.
    let knowsPrivateModes: Bool
    /// It passes over a question it does not know; the Linux console prints the end of it.
    let answersQuestions: Bool

    init(_ environment: [String: String]) {
      knowsPrivateModes = Names.capability("cup")?.starts(with: [0x1b, 0x5b]) == true
      answersQuestions = knowsPrivateModes && !environment["TERM", default: ""].hasPrefix("linux")
    }

    /// To the beginning of the last line, wherever that is: a terminal holds the cursor within its rows.
    var lastLine: [UInt8] { CursesPainter.filled("cup", 998, 0) }

    subscript(name: String) -> [UInt8]? { Names.capability(name) }

    static func capability(_ name: String) -> [UInt8]? {
      reveille_capability(name).map { Array(CursesPainter.withoutDelays(String(cString: $0)).utf8) }
    }
  }

  /// Padding (`$<5>`) is for terminals that are slower than their line, of which none is left.
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

  /// A capability with its parameters put in.
  private static func filled(_ name: String, _ first: Int, _ second: Int = 0) -> [UInt8] {
    guard let text = reveille_filled(name, Int32(first), Int32(second)) else { return [] }
    return Array(withoutDelays(String(cString: text)).utf8)
  }

  private static func brush(_ theme: Theme, _ depth: ColourDepth) -> Brush {
    let hasGround = theme.look(.normal, depth).ground != nil
    let isUsual = reveille_capability("cup").map { String(cString: $0) } == "\u{1b}[%i%p1%d;%p2%dH"
    return Brush(
      place: { column, row in
        isUsual ? Array("\u{1b}[\(row + 1);\(column + 1)H".utf8) : filled("cup", row, column)
      },
      clear: Names.capability("clear") ?? [], clearLine: Names.capability("el"),
      erasesInColour: tigetflag("bce") == 1, losesLastCell: tigetflag("am") == 1 && tigetflag("xenl") != 1,
      showCursor: Names.capability("cnorm") ?? [], hideCursor: Names.capability("civis") ?? [],
      style: { bytes(for: theme.look($0, depth), depth) }, hasGround: hasGround)
  }

  private static func bytes(for look: Look, _ depth: ColourDepth) -> [UInt8] {
    var bytes = Names.capability("sgr0") ?? []
    for (isOn, name) in [
      (look.isBold, "bold"), (look.isDim, "dim"), (look.isUnderlined, "smul"), (look.isReversed, "rev"),
    ] where isOn { bytes += Names.capability(name) ?? [] }
    if let ink = look.ink { bytes += colour(ink, depth, isGround: false) }
    if let ground = look.ground { bytes += colour(ground, depth, isGround: true) }
    return bytes
  }

  private static func colour(_ ink: Ink, _ depth: ColourDepth, isGround: Bool) -> [UInt8] {
    let name = isGround ? "setab" : "setaf"
    switch (depth, ink.kind) {
    case (.none, _): return []
    case (.direct, .exactly(let colour)):
      // As ISO 8613-6 has it, but with semicolons, which more terminals understand.
      let parts = ColourDepth.components(colour).map(String.init).joined(separator: ";")
      return Array("\u{1b}[\(isGround ? 48 : 38);2;\(parts)m".utf8)
    case (.indexed, .exactly(let colour)): return filled(name, ColourDepth.index(of: colour))
    case (_, .own), (.eight, .exactly): return filled(name, ink.own)
    }
  }
}
