import CLinux
import Glibc
import Synchronization

/// Log lines, on standard error, each one write(2) so that lines of several threads do not mix.
///
/// Text from outside is sanitised here, whatever the caller did.
public enum Log {
  public enum Level: Int, Sendable, Comparable {
    case error = 3, warning = 4, info = 6, debug = 7
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  // Protects nothing but itself: read on every line, set once at the start.
  private static let threshold = Atomic<Int>(Level.info.rawValue)

  public static func setLevel(_ level: Level) { threshold.store(level.rawValue, ordering: .relaxed) }

  /// Whether standard error is the journal itself: `JOURNAL_STREAM` may have been handed on by whoever started us.
  private static let goesToJournal: Bool = {
    guard let stream = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    return fstat(2, &status) == 0 && String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }()

  public static func error(_ text: @autoclosure () -> String) { write(.error, text) }
  public static func warning(_ text: @autoclosure () -> String) { write(.warning, text) }
  public static func info(_ text: @autoclosure () -> String) { write(.info, text) }
  public static func debug(_ text: @autoclosure () -> String) { write(.debug, text) }

  private static func write(_ level: Level, _ text: () -> String) {
    guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
    if goesToJournal {
      // The journal has a clock and levels of its own (sd-daemon(3)).
      let line = Array("<\(level.rawValue)>\(clean(text()))\n".utf8)
      _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
      return
    }
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let stamp = String(unsafeUninitializedCapacity: 32) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, 32, "%Y-%m-%d %H:%M:%S", &parts) }
    }
    let name =
      switch level {
      case .error: "error: "
      case .warning: "warning: "
      case .info: ""
      case .debug: "debug: "
      }
    let line = Array("\(stamp) \(name)\(clean(text()))\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
