import Glibc
import Platform
import Wire

/// The screen: the clock, the next alarm, what plays, and the keys for it, on a terminal.
public enum TerminalScreen {
  /// A greeted connection (`client` is `screen`), nil where no engine runs; it may start one where it is told so.
  public typealias Connecting = @Sendable (_ mayStart: Bool) throws(WireError) -> Client?

  /// Runs a line of words as the shell would and lays out what it prints for so many columns; called on a thread of its own,
  /// once at a time.
  public typealias Running = @Sendable (_ words: String, _ columns: Int) -> CommandOutcome

  /// What a person has set.
  public struct Options: Sendable {
    /// 24 or 12 hours (`ui.clock`).
    public var clock = ClockStyle.hours24
    public var theme = Theme.default
    public var keys = KeyTable.standard
    /// Whether the mouse is asked for; where not, the terminal keeps it.
    public var usesMouse = true
    /// Whether the player's page shows how loud what is heard is (`ui.meter`).
    public var meter = MeterChoice.auto
    /// The folder in which browsing begins (`player.music`); nil: where the desktop keeps music.
    public var music: String?
    /// The shell's commands, for the command line.
    public var running: Running?
    var places = Places.root
    /// The occurrence whose notification is shown first.
    public var opening: String?
    public init() {}
  }

  /// Opens the screen and stays until the person leaves it; the engine goes on. Call it on the main thread, before any
  /// other thread is made: signals are blocked here for all of them.
  ///
  /// - Parameter paths: where the engine is found; it is started where none runs.
  /// - Returns: the exit status: 0 where the person left, 1 with a sentence on standard error where the terminal or the
  ///   engine is not to be had (nothing was written to the terminal), 128 + n after signal n.
  public static func run(paths: Paths = .current(), _ options: Options = Options()) -> Int32 {
    var options = options
    options.places = Places.ofProcess(paths, music: options.music)
    return run(options) { (mayStart) throws(WireError) in
      mayStart
        ? try Connect.toEngine(paths, client: "screen")
        : try Connect.toRunningEngine(paths, client: "screen")
    }
  }

  /// The same with a way of one's own to the engine; `connect` is called on the calling thread at first, later on threads
  /// of its own.
  public static func run(_ options: Options = Options(), connect: @escaping Connecting) -> Int32 {
    let environment = currentEnvironment()
    if let refusal = CursesPainter.refusal(environment: environment) { return complain(refusal) }
    do {
      guard let client = try connect(true) else { return complain("no engine runs and none was started") }
      return try open(client, connect, options, environment)
    } catch {
      return complain("\(error)")
    }
  }

  private static func open(
    _ client: Client, _ connect: @escaping Connecting, _ options: Options, _ environment: [String: String]
  ) throws(SystemError) -> Int32 {
    let charset = Locale.prepare(environment: environment)
    let names = CalendarNames.ofLocale()
    let connector = try Connector(connect)
    let chores = try Chores(running: options.running)
    blockSignals(Session.signals)
    let looks = CursesPainter.Options(theme: options.theme, usesMouse: options.usesMouse)
    guard let painter = CursesPainter(looks, environment: environment) else {
      return complain(
        "the terminal cannot be set up for a screen: use “alarm status” and “alarm list” instead")
    }
    defer { painter.leave() }
    let session = try Session(
      painter: painter, client: client, connector: connector, chores: chores, options: options,
      charset: charset, names: names)
    return try session.run()
  }

  private static func complain(_ sentence: String) -> Int32 {
    let bytes = Array("alarm: \(clean(sentence))\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    return 1
  }
}
