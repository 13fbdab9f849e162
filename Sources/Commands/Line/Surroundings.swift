import Core
import Engine
import Glibc
import Platform
import Schedule
import Screen
import Wire

/// A connection to the engine, as far as commands need one; Wire's `Client` is the real one.
protocol EngineLink: AnyObject {
  /// Sends a request and waits for its answer.
  func ask<Reply: Decodable>(_ method: String, _ params: JSON, as kind: Reply.Type) throws(WireError) -> Reply
  /// Waits for what the engine says unasked.
  func awaitNotification() throws(WireError) -> (method: String, params: Incoming.Payload)?
}

extension Client: EngineLink {
  func ask<Reply: Decodable>(_ method: String, _ params: JSON, as kind: Reply.Type) throws(WireError) -> Reply
  {
    try call(method, params, as: kind)
  }

  func awaitNotification() throws(WireError) -> (method: String, params: Incoming.Payload)? {
    try nextNotification().map { ($0.method, $0.params) }
  }
}

/// Everything a command meets outside itself, so that a test can put its own in place.
///
/// Not Sendable: a command runs on one thread.
final class Surroundings {
  var environment: [String: String]
  var paths: Paths
  var inputIsTerminal = false
  var outputIsTerminal = false
  var errorIsTerminal = false
  /// The words were typed into a screen that is open.
  var isOnScreen = false
  /// Leaves it to that screen to ask a person, and to do it where the answer is yes; nil where no screen has the words.
  var askOnScreen: ((Question) -> Void)?
  /// The terminal's width in columns.
  var columns: () -> Int = { 80 }
  /// How wide tables are laid out; nil where nobody looks at them.
  var tableColumns: Int? { outputIsTerminal || isOnScreen ? columns() : nil }
  var currentFolder: () throws(SystemError) -> FileName
  /// Writes all the bytes to descriptor 1 or 2.
  var write: (_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) -> Void
  /// A line of standard input without its end; nil at the end of the input.
  var readLine: () -> String? = { nil }
  /// The engine; where none runs it is started, or with `starting: false` the answer is nil.
  var connect: (_ starting: Bool) throws(WireError) -> (any EngineLink)?
  /// Opens the screen; returns the exit status.
  var runScreen: (_ opening: String?) -> Int32
  /// Runs the engine in this process until it is told to end.
  var runEngine: (EngineOptions) -> Int32
  /// Runs a command for as long as which a lease is held that is asked for with these params; its exit status, or that of
  /// our own failure as env(1) has it.
  var runAwake: (_ command: [Argument], _ params: [String: JSON]) -> Int32 = { _, _ in 125 }
  /// What the doctor finds where no engine can be started, for this reason.
  var examineAlone: (_ reason: String) throws(Complaint) -> [Finding] = { _ throws(Complaint) in [] }
  /// Waits until no engine holds the data any more, for some seconds at most; false where one still does.
  var awaitEngineEnd: () -> Bool = { true }
  /// Runs a program of the system, found in PATH, to its end.
  var runTool: ([String]) throws(SystemError) -> ToolResult = { words throws(SystemError) in
    throw SystemError("cannot run “\(clean(words.first ?? ""))”", code: ENOENT)
  }
  /// Runs a program of the system that talks with whoever sits at the terminal, to its end.
  var runAtTerminal: ([String]) throws(SystemError) -> ExitStatus = { words throws(SystemError) in
    throw SystemError("cannot run “\(clean(words.first ?? ""))”", code: ENOENT)
  }
  var isRoot = geteuid() == 0
  /// The machine has a clock that wakes it.
  var canWake: () -> Bool = { Clocks.canWake }
  /// From now on the process may live so many seconds, and ends without a word when they are over.
  var endWithin: (UInt32) -> Void = { _ in }
  /// From now on the process ends with whoever reads its output, even while it has nothing to write.
  var endWithReader: () -> Void = {}
  var now: () -> Instant = { Instant(microseconds: Clocks.wallMicroseconds()) }

  init(
    environment: [String: String], paths: Paths,
    currentFolder: @escaping () throws(SystemError) -> FileName,
    write: @escaping (Int32, [UInt8]) throws(SystemError) -> Void,
    connect: @escaping (Bool) throws(WireError) -> (any EngineLink)?,
    runScreen: @escaping (_ opening: String?) -> Int32, runEngine: @escaping (EngineOptions) -> Int32
  ) {
    (self.environment, self.paths) = (environment, paths)
    (self.currentFolder, self.write, self.connect) = (currentFolder, write, connect)
    (self.runScreen, self.runEngine) = (runScreen, runEngine)
  }

  /// Output is gathered and written at once, so that a table is never seen half drawn.
  private var pending: [UInt8] = []
  /// Set when whoever reads the output has gone; nothing is written from then on.
  private(set) var readerHasGone = false

  /// A line for standard output. `line` must be sanitised already; it may carry colours.
  func printLine(_ line: String) {
    pending += Array(line.utf8)
    pending.append(UInt8(ascii: "\n"))
  }

  /// Writes what has been printed. A reader that has gone is no error: it has what it wanted.
  func flush() throws(Complaint) {
    let bytes = pending
    pending = []
    guard !bytes.isEmpty, !readerHasGone else { return }
    do throws(SystemError) {
      try write(1, bytes)
    } catch {
      guard error.code != EPIPE else {
        readerHasGone = true
        return
      }
      throw .failed(
        "cannot write the output: \(SystemError.reason(error.code)); what was asked for may have been done, see “alarm status”"
      )
    }
  }

  /// A sentence for standard error. What cannot be written there cannot be said anywhere.
  func complain(_ sentence: String) {
    do throws(SystemError) { try write(2, Array("alarm: \(clean(sentence))\n".utf8)) } catch {}
  }

  /// Puts a question, without a line's end, to whoever sits at the terminal.
  func ask(_ question: String) {
    do throws(SystemError) { try write(2, Array(question.utf8)) } catch {}
  }

  /// True where colours may be used: a terminal that knows them, and a person who does not mind (https://no-color.org).
  var usesColour: Bool {
    outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty && !terminalIsDumb
  }

  var terminalIsDumb: Bool { ["dumb", ""].contains(environment["TERM", default: ""]) }
}
