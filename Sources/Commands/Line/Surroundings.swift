import CLinux
import Glibc
import Platform
import Schedule
import Wire

/// A connection to the engine, as far as commands need one. `WireLink` is the real one.
protocol EngineLink: AnyObject {
  /// Sends a request and waits for its answer.
  func ask(_ method: String, _ params: JSON) throws(EngineFault) -> JSON
  /// Waits for the next notification; nil when the engine has gone.
  func nextNotification() throws(EngineFault) -> (method: String, params: JSON)?
}

/// Why the engine did not answer as asked.
enum EngineFault: Error {
  /// It answered with an error.
  case refused(WireError)
  /// There is no engine to be had, or it went away: a whole sentence.
  case unreachable(String)
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
  /// The terminal's width in columns.
  var columns: () -> Int = { 80 }
  var currentFolder: () throws(SystemError) -> FileName
  /// Writes all the bytes to descriptor 1 or 2.
  var write: (_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) -> Void
  /// A line of standard input without its end; nil at the end of the input.
  var readLine: () -> String? = { nil }
  /// The engine; where none runs it is started, or with `starting: false` the answer is nil.
  var connect: (_ starting: Bool) throws(EngineFault) -> (any EngineLink)?
  /// Opens the screen; returns the exit status.
  var runScreen: () -> Int32
  /// Runs the engine in this process until it is told to end.
  var runEngine: () -> Int32
  var now: () -> Schedule.Instant = { Instant(microseconds: Clocks.wallMicroseconds()) }

  init(
    environment: [String: String], paths: Paths,
    currentFolder: @escaping () throws(SystemError) -> FileName,
    write: @escaping (Int32, [UInt8]) throws(SystemError) -> Void,
    connect: @escaping (Bool) throws(EngineFault) -> (any EngineLink)?,
    runScreen: @escaping () -> Int32, runEngine: @escaping () -> Int32
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

  /// True where colours may be used: a terminal that knows them, and a person who does not mind (https://no-color.org).
  var usesColour: Bool {
    outputIsTerminal && environment["NO_COLOR", default: ""].isEmpty && !terminalIsDumb
  }

  var terminalIsDumb: Bool { ["dumb", ""].contains(environment["TERM", default: ""]) }
}
