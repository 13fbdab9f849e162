import Core
import Glibc
import Platform

extension Store {
  /// Where the daily backup of a database lies.
  public static func backupPath(of path: String) -> String { path + ".backup" }

  /// Whether there is no backup from the last 24 hours. Costs one `stat(2)`.
  ///
  /// - Parameter wall: microseconds since 1970.
  public static func isBackupDue(of path: String, at wall: Int64) -> Bool {
    var status = stat()
    guard stat(backupPath(of: path), &status) == 0 else { return true }
    let age = wall / 1_000_000 - Int64(status.st_mtim.tv_sec)
    // One from the future is from before the clock was set.
    return age >= 86_400 || age < -60
  }

  /// Copies a database that is in use beside it, whole or not at all: written to another name, synced, renamed.
  ///
  /// Opens a connection of its own, so any thread may call it; a worker should, for it reads all of the file. Commits
  /// go on meanwhile.
  public static func backUp(_ path: String) throws(StoreError) {
    let target = backupPath(of: path)
    let beside = target + ".new"
    try Database(path, .readOnly).copy(to: beside)
    guard rename(beside, target) == 0 else {
      let reason = SystemError.reason(errno)
      unlink(beside)
      throw StoreError(
        .cannotWrite, "cannot rename to “\(clean(target))”: \(reason); look at the disk it lies on")
    }
  }

  /// What starting found: a store where it can be written, what is stored, and sentences about what is wrong.
  public struct Opened {
    /// nil: nothing can be stored, and changes of alarms are to be refused with the first of `sentences`.
    public var store: Store?
    public var state: StoredState
    public var sentences: [String]
    /// `state` is the database's own, which only could not be written: trying again may help.
    public var isReadOnly = false
  }

  /// Opens the database or, where it cannot be, what the alarms can ring from: the database itself read-only where only
  /// writing fails, else the backup. Neither is changed.
  public static func openOrFallBack(_ path: String) -> Opened {
    let backup = backupPath(of: path)
    do throws(StoreError) {
      if hasNothing(path), access(backup, F_OK) == 0 {
        throw StoreError(
          .broken,
          "“\(clean(path))” is missing or empty, but its backup is there; copy the backup to it, or move the backup "
            + "away to begin with no alarms")
      }
      let store = try Store(path)
      let state = try store.load()
      return Opened(store: store, state: state, sentences: state.warnings)
    } catch {
      let ready = "changes are refused until that is mended"
      if error.kind == .cannotWrite, let state = try? readOnly(path) {
        return Opened(
          store: nil, state: state, sentences: ["\(error); \(ready)"] + state.warnings, isReadOnly: true)
      }
      if let state = try? readOnly(backup) {
        return Opened(
          store: nil, state: state,
          sentences: ["\(error); the alarms ring from its backup, and \(ready)"] + state.warnings)
      }
      return Opened(
        store: nil, state: StoredState(),
        sentences: ["\(error); there is no backup to ring from, so no alarm will ring, and \(ready)"])
    }
  }

  private static func hasNothing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 ? errno == ENOENT : status.st_size == 0
  }

  /// What a database holds, without writing to it or beside it.
  private static func readOnly(_ path: String) throws(StoreError) -> StoredState {
    guard access(path, R_OK) == 0 else {
      throw StoreError(.cannotRead, "cannot read “\(clean(path))”: \(SystemError.reason(errno))")
    }
    try examineFile(path)
    do throws(StoreError) {
      let database = try Database(path, .readOnly)
      try examine(database)
      return try read(database)
    } catch {
      guard error.kind == .cannotRead || error.kind == .cannotWrite else { throw error }
      let database = try Database(path, .immutable)
      try examine(database)
      return try read(database)
    }
  }
}
