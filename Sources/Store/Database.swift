import CSQLite
import Glibc
import Platform

/// Owns one `sqlite3*`: opened in `init`, closed in `deinit`. Used by one thread at a time.
final class Database {
  enum Mode {
    case readWrite
    case readOnly
    /// The file is taken as it is, its write-ahead log not looked at (`immutable=1`): for a folder that cannot be
    /// written, where a reader could not even make its index.
    case immutable
  }

  /// How long another program's lock is waited for, in milliseconds: less than the engine waits for an answer, so that the
  /// answer names the lock.
  static let busyTimeout: Int32 = 600

  private let handle: OpaquePointer
  let path: String
  private var statements: [String: Statement] = [:]

  init(_ path: String, _ mode: Mode) throws(StoreError) {
    self.path = path
    var opened: OpaquePointer?
    var name = path
    // Without a mutex: the connection never leaves its thread. Extended codes tell a full disk from a broken one.
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
    switch mode {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = (FileName(bytes: Array(path.utf8))?.uri ?? path) + "?immutable=1"
    }
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      // A connection is made even where opening fails, and must be closed.
      sqlite3_close_v2(opened)
      throw StoreError(sqlite: code, detail: nil, path: path)
    }
    handle = opened
    sqlite3_busy_timeout(handle, Database.busyTimeout)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs statements that answer nothing.
  func run(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  /// A statement, prepared once and kept.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let kept = statements[sql] { return kept }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code) }
    let statement = Statement(owning: prepared, of: self)
    statements[sql] = statement
    return statement
  }

  /// Runs one statement with these values.
  func run(_ sql: String, _ values: [Value]) throws(StoreError) { try statement(sql).run(values) }

  /// The first column of the first row.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    var result: Int64?
    try statement(sql).each([]) { row throws(StoreError) in
      if result == nil { result = row.integer(0) }
    }
    return result
  }

  /// Everything `body` does, or nothing.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // Some errors have rolled back already, and then this one fails.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Copies all that is committed to another file, synced; that one is replaced, and gone where it fails.
  func copy(to other: String) throws(StoreError) {
    // VACUUM INTO refuses a file that is there; one that a crash left is of no use. The empty file it does accept is
    // made here, so that nobody else can read it.
    unlink(other)
    do {
      _ = try Descriptor.open(other, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      throw StoreError(.cannotWrite, "\(error); make its folder writable")
    }
    do throws(StoreError) {
      try run("VACUUM INTO ?", [.text(other)])
      do {
        let file = try Descriptor.open(other, O_RDONLY)
        try check("cannot write “\(clean(other))”") { fsync(file.number) }
      } catch {
        throw StoreError(.cannotWrite, "\(error); look at the disk it lies on")
      }
    } catch {
      unlink(other)
      throw error
    }
  }

  /// What the last call on this connection complained of.
  func error(_ code: Int32) -> StoreError {
    StoreError(sqlite: code, detail: sqlite3_errmsg(handle).map { String(cString: $0) }, path: path)
  }
}

extension StoreError {
  /// A sentence for an SQLite result code.
  init(sqlite code: Int32, detail: String?, path: String) {
    let shown = "“\(clean(path))”"
    let reason = clean(detail ?? String(cString: sqlite3_errstr(code)))
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(.broken, "\(shown) is not a sound database (\(reason)); it is left as it is", code: code)
    case SQLITE_FULL:
      self.init(.cannotWrite, "cannot write \(shown): the disk is full; make room on it", code: code)
    case SQLITE_READONLY, SQLITE_PERM:
      self.init(
        .cannotWrite, "cannot write \(shown): it or its folder is read-only; make them writable", code: code)
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .cannotWrite, "cannot write \(shown): another program holds it locked; close that program", code: code
      )
    case SQLITE_IOERR:
      self.init(.cannotWrite, "cannot write \(shown): \(reason); look at the disk it lies on", code: code)
    default:
      self.init(
        .cannotRead, "cannot use \(shown): \(reason); look at its permissions and its folder", code: code)
    }
  }
}
