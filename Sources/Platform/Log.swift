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
      put(line)
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
    put(Array("\(stamp) \(name)\(clean(text()))\n".utf8))
  }

  private static func put(_ line: [UInt8]) {
    _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    rotation.withLock { $0?.wrote(line.count) }
  }

  // MARK: The file

  /// Longer than this (bytes) no log becomes; one older is kept beside it.
  public static let mostBytes = 1 << 20

  /// Protects the count, and that one thread at a time moves the file's content away.
  private static let rotation = Mutex<Rotation?>(nil)

  /// Keeps the file at `path` short while standard error is that file, opened for appending.
  public static func keepShort(_ path: String) { rotation.withLock { $0 = Rotation(path: path) } }

  /// Begins the file anew where it was removed while it was written to.
  public static func restore() { rotation.withLock { $0?.restore() } }

  private struct Rotation {
    let path: String
    /// Bytes written here since its length was looked at; others write to it too.
    var unseen = 0

    mutating func wrote(_ count: Int) {
      unseen += count
      guard unseen >= Log.mostBytes / 16 else { return }
      unseen = 0
      rotate()
    }

    func restore() {
      var (here, there) = (stat(), stat())
      guard fstat(2, &here) == 0, here.st_mode & S_IFMT == S_IFREG, here.st_nlink == 0,
        stat(path, &there) != 0,
        let file = try? Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
      else { return }
      dup2(file.number, 2)
    }

    /// The content is moved and not the file: the tiny parent and whoever else writes to it go on with the same file.
    private func rotate() {
      var (here, there) = (stat(), stat())
      guard fstat(2, &here) == 0, stat(path, &there) == 0,
        (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino),
        here.st_mode & S_IFMT == S_IFREG, here.st_size > Log.mostBytes, reveille_appends(2) != 0
      else { return }
      // On a full disk what is old is given up for what comes.
      let old = path + ".1"
      unlink(old)
      if let from = try? Descriptor.open(path, O_RDONLY),
        let to = try? Descriptor.open(old, O_WRONLY | O_CREAT | O_EXCL)
      {
        do {
          while let bytes = try from.read(65_536), !bytes.isEmpty { try to.writeAll(bytes) }
        } catch {
          unlink(old)
        }
      }
      ftruncate(2, 0)
    }
  }
}
