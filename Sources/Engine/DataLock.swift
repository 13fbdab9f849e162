import Glibc
import Platform
import Wire

/// The lock beside the data, which makes this process the engine of that data. On the loop's thread.
final class DataLock {
  private let paths: Paths
  private var lock: FileLock

  private init(_ paths: Paths, _ lock: FileLock) { (self.paths, self.lock) = (paths, lock) }

  /// nil where another engine has the data. Somebody may be looking at the lock at this very moment
  /// (`EngineLock.isHeld`), so a refusal is believed only when it lasts.
  static func take(_ paths: Paths) throws(SystemError) -> DataLock? {
    for _ in 0..<20 {
      if let lock = try FileLock.take(paths.lock, waiting: false) {
        let taken = DataLock(paths, lock)
        taken.write()
        return taken
      }
      usleep(10_000)
    }
    return nil
  }

  private func write() {
    do {
      try lock.write(EngineLock.text(pid: getpid(), socket: paths.socket))
    } catch {
      // A full disk must not keep alarms from ringing.
      Log.warning("\(error); others cannot read where this engine's socket is")
    }
  }

  /// Makes it anew where its file was removed, or another engine would be started beside this one. False where one was
  /// started meanwhile.
  func renew() -> Bool {
    guard !lock.lies(at: paths.lock) else { return true }
    do {
      guard let anew = try FileLock.take(paths.lock, waiting: false) else { return false }
      lock = anew
      write()
    } catch {
      Log.error("\(error); another engine may be started on the same data")
    }
    return true
  }
}
