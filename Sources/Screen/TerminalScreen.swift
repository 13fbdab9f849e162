import Glibc
import Platform
import Wire

/// The screen: the clock, the next alarm, what plays, and the keys for it, on a terminal.
public enum TerminalScreen {
  /// A greeted connection (`client` is `screen`), nil where no engine runs; it may start one where it is told so.
  public typealias Connecting = @Sendable (_ mayStart: Bool) throws(WireError) -> Client?

  /// Runs a line of words as the shell would; called on a thread of its own, once at a time.
  public typealias Running = @Sendable (_ words: String) -> CommandOutcome

  /// Opens the screen and stays until the person leaves it; the engine goes on. Call it on the main thread, before any
  /// other thread is made: signals are blocked here for all of them.
  ///
  /// - Parameters:
  ///   - paths: where the engine is found; it is started where none runs.
  ///   - clock: 24 or 12 hours (`ui.clock`).
  ///   - opening: the occurrence whose notification is shown first.
  ///   - music: the folder in which browsing begins (`player.music`); nil: where the desktop keeps music.
  ///   - running: the shell's commands, for the command line.
  /// - Returns: the exit status: 0 where the person left, 1 with a sentence on standard error where the terminal or the
  ///   engine is not to be had (nothing was written to the terminal), 128 + n after signal n.
  public static func run(
    paths: Paths = .current(), clock: ClockStyle = .hours24, opening: String? = nil, music: String? = nil,
    running: Running? = nil
  ) -> Int32 {
    let places = Places.ofProcess(paths, music: music)
    return run(clock: clock, opening: opening, places: places, running: running) {
      (mayStart) throws(WireError) in
      mayStart
        ? try Connect.toEngine(paths, client: "screen")
        : try Connect.toRunningEngine(paths, client: "screen")
    }
  }

  /// The same with a way of one's own to the engine; `connect` is called on the calling thread at first, later on threads
  /// of its own.
  public static func run(
    clock: ClockStyle = .hours24, opening: String? = nil, places: Places = .root, running: Running? = nil,
    connect: @escaping Connecting
  ) -> Int32 {
    let environment = currentEnvironment()
    if let refusal = CursesPainter.refusal(environment: environment) { return complain(refusal) }
    do {
      guard let client = try connect(true) else { return complain("no engine runs and none was started") }
      return try open(client, connect, clock, opening, places, running, environment)
    } catch {
      return complain("\(error)")
    }
  }

  private static func open(
    _ client: Client, _ connect: @escaping Connecting, _ clock: ClockStyle, _ opening: String?,
    _ places: Places, _ running: Running?, _ environment: [String: String]
  ) throws(SystemError) -> Int32 {
    let charset = Locale.prepare(environment: environment)
    let names = CalendarNames.ofLocale()
    let connector = try Connector(connect)
    let chores = try Chores(running: running)
    blockSignals(Session.signals)
    // NO_COLOR (no-color.org): any value but the empty one.
    guard let painter = CursesPainter(usesColours: environment["NO_COLOR"]?.isEmpty ?? true) else {
      return complain(
        "the terminal cannot be set up for a screen: use “alarm status” and “alarm list” instead")
    }
    defer { painter.leave() }
    let session = try Session(
      painter: painter, client: client, connector: connector, chores: chores, clock: clock, charset: charset,
      names: names, places: places, opening: opening)
    return try session.run()
  }

  private static func complain(_ sentence: String) -> Int32 {
    let bytes = Array("alarm: \(clean(sentence))\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    return 1
  }
}
