import Core
import Glibc
import Platform
import Schedule

/// The database. Whoever holds the engine's lock opens it; one thread uses it.
///
/// Write-ahead log with `synchronous=FULL`: what `commit` has returned from is there after a power cut. A database that is
/// broken or was made by a newer program is refused and left byte for byte as it is.
public final class Store {
  public let path: String
  private(set) var database: Database
  private let migrations: [String]
  /// The files as they were opened, to find out that they are no longer where they were.
  private var files: [String: FileIdentity] = [:]
  /// Changes that could not be stored and whose request went on all the same; they go with the next commit.
  private(set) var owed: [Change] = []
  /// The queue as it is stored, so that a new position does not write a thousand tracks.
  var storedQueue: [Track]?
  var storedOrder: [Int]?
  private var isPruned = false
  /// How often its files were found gone and made anew.
  public private(set) var timesMended = 0

  /// Opens the database, makes it where there is none, and brings an older one up to date.
  ///
  /// - Throws: a `StoreError`; the file has not been changed then.
  public convenience init(_ path: String) throws(StoreError) {
    try self.init(path, migrations: Migrations.all)
  }

  init(_ path: String, migrations: [String]) throws(StoreError) {
    (self.path, self.migrations) = (path, migrations)
    if try Store.exists(path) {
      try Store.examineFile(path)
      try Store.examine(Database(path, .readOnly), newest: migrations.count)
    } else {
      try Store.make(path)
    }
    database = try Store.open(path, migrations)
    noteFiles()
  }

  private static func open(_ path: String, _ migrations: [String]) throws(StoreError) -> Database {
    let database = try Database(path, .readWrite)
    // NORMAL would lose the last commits in a power cut.
    try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -512")
    try Migrations.run(migrations, on: database)
    return database
  }

  /// Whether there is a file; a folder, or a path that cannot be looked at, is an error.
  private static func exists(_ path: String) throws(StoreError) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw StoreError(.cannotRead, "“\(clean(path))” is not a file; move it away")
      }
      return true
    }
    if errno == ENOENT { return false }
    throw StoreError(
      .cannotRead, "cannot look at “\(clean(path))”: \(SystemError.reason(errno)); look at its permissions")
  }

  /// Refuses a file that SQLite would take for an empty database and write over (one shorter than a header), and one whose
  /// last page was cut, which SQLite fills up with zeros.
  ///
  /// Reads the file by hand, so no connection may be open: closing any descriptor of a file drops SQLite's locks on it.
  static func examineFile(_ path: String) throws(StoreError) {
    let header: [UInt8]
    var status = stat()
    do {
      let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
      try check("cannot look at “\(clean(path))”") { fstat(file.number, &status) }
      header = try file.read(100) ?? []
    } catch {
      throw StoreError(.cannotRead, "\(error); look at its permissions")
    }
    if status.st_size == 0 { return }
    let name = "“\(clean(path))”"
    // The database file format, 1.3: the magic string, and the page size in two bytes, of which 1 stands for 65 536.
    guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8) else {
      throw StoreError(.broken, "\(name) is not a sound database (it has no header); it is left as it is")
    }
    let given = Int(header[16]) << 8 | Int(header[17])
    let page = given == 1 ? 65_536 : given
    var log = stat()
    // A power cut while pages were brought over from the log leaves half a page, which the log holds whole.
    let hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
    guard page >= 512, hasLog || Int(status.st_size) % page == 0 else {
      throw StoreError(.broken, "\(name) is not a sound database (it was cut short); it is left as it is")
    }
  }

  /// Makes an empty file that nobody else can read; SQLite would go by the umask.
  private static func make(_ path: String) throws(StoreError) {
    do {
      _ = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      throw StoreError(.cannotWrite, "\(error); make its folder writable")
    }
  }

  /// Refuses what is not ours, newer or broken.
  static func examine(_ database: Database, newest: Int = Migrations.all.count) throws(StoreError) {
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    let application = try database.integer("PRAGMA application_id") ?? 0
    let path = "“\(clean(database.path))”"
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    if tables > 0, application != Migrations.applicationID {
      throw StoreError(.broken, "\(path) is a database of another program; it is left as it is, move it away")
    }
    if version > newest {
      throw StoreError(
        .newer,
        "\(path) was made by a newer version of this program (\(version), this one knows \(newest)); it is left as it "
          + "is, install the newer program")
    }
    var complaint: String?
    try database.statement("PRAGMA quick_check(1)").each([]) { row throws(StoreError) in
      if let text = row.text(0), text != "ok" { complaint = clean(text) }
    }
    if let complaint {
      // SQLite's own text may run over lines.
      throw StoreError(.broken, "\(path) is not a sound database (\(complaint)); it is left as it is")
    }
  }

  // MARK: Committing

  /// Stores all of these or none; returns when they are on the disk.
  ///
  /// - Parameter mustSucceed: false for what has been done already, such as a snooze: where it cannot be stored it is kept and
  ///   tried again with the next commit.
  /// - Throws: a `StoreError` whose sentence says what to do.
  public func commit(_ changes: [Change], mustSucceed: Bool = true) throws(StoreError) {
    let all = owed + changes
    guard !all.isEmpty else { return }
    do throws(StoreError) {
      try mendPlace()
      try database.transaction { () throws(StoreError) in
        for change in all { try write(change) }
        try pruneOnce()
      }
      owed = []
      noteFiles()
    } catch {
      (storedQueue, storedOrder) = (nil, nil)
      if mustSucceed { throw error }
      owed = Store.newest(of: all)
      throw StoreError(
        error.kind, error.description + "; until then a restart may ring again", code: error.code)
    }
  }

  /// Reads what would be there if what is owed had been stored; nothing is written.
  func withOwed<Value>(_ read: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    guard !owed.isEmpty else { return try read() }
    // The pages stay in memory: only a commit needs room on the disk.
    try database.run("BEGIN IMMEDIATE")
    let queue = (storedQueue, storedOrder)
    defer {
      try? database.run("ROLLBACK")
      (storedQueue, storedOrder) = queue
    }
    for change in owed { try write(change) }
    return try read()
  }

  // MARK: Where it lies

  private struct FileIdentity: Equatable {
    let device: dev_t
    let node: ino_t
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, node) = (status.st_dev, status.st_ino)
    }
  }

  /// The file itself and its log, in which the last commits stand.
  private var filePaths: [String] { [path, path + "-wal"] }

  private func noteFiles() {
    for name in filePaths where files[name] == nil { files[name] = FileIdentity(name) }
  }

  /// Makes the database anew at its path, whole and with its history, where its files were removed while it was open: what
  /// would be stored in them would be gone with this process. Called before every commit, and when the folder has changed.
  ///
  /// - Returns: true where it was made anew.
  /// - Throws: where it cannot be made, or where another file lies there, which is left alone.
  @discardableResult
  public func mendPlace() throws(StoreError) -> Bool {
    guard filePaths.contains(where: { files[$0] != nil && files[$0] != FileIdentity($0) }) else {
      return false
    }
    if let there = FileIdentity(path), there != files[path] {
      throw StoreError(
        .cannotWrite,
        "“\(clean(path))” was replaced by another file while the engine had it open; end the engine (alarm engine stop) to "
          + "use that one, or move it away to keep what the engine knows")
    }
    do {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
      try Paths.makePrivateFolder(folder)
    } catch {
      throw StoreError(.cannotWrite, "“\(clean(path))” is gone and cannot be made anew: \(error)")
    }
    let beside = path + ".new"
    try database.copy(to: beside)
    // The log of a file that is gone would be taken for the log of the new one.
    for name in ["-wal", "-shm"] { unlink(path + name) }
    guard rename(beside, path) == 0 else {
      let reason = SystemError.reason(errno)
      unlink(beside)
      throw StoreError(.cannotWrite, "“\(clean(path))” is gone and cannot be made anew: \(reason)")
    }
    // The old connection finds its file gone and touches none when it is closed.
    database = try Store.open(path, migrations)
    (storedQueue, storedOrder) = (nil, nil)
    files = [:]
    noteFiles()
    timesMended += 1
    return true
  }

  /// Of several changes to one thing the last, in order.
  static func newest(of changes: [Change]) -> [Change] {
    var seen: Set<String> = []
    var result: [Change] = []
    for change in changes.reversed() where seen.insert(change.subject).inserted { result.append(change) }
    return result.reversed()
  }

  /// Microseconds since 1970 before which nothing is kept.
  private static var oldest: Int64 { Clocks.wallMicroseconds() - 90 * 86_400 * 1_000_000 }

  /// The story is kept for 90 days, and the last few ends of each alarm for as long as it is there.
  private func pruneOnce() throws(StoreError) {
    guard !isPruned else { return }
    isPruned = true
    // What was settled in a future the clock was only set to is kept as well.
    try database.run(
      """
      DELETE FROM occurrences WHERE settledAt < ? AND (alarm NOT IN (SELECT id FROM alarms) OR id NOT IN (
        SELECT id FROM occurrences AS other WHERE other.alarm = occurrences.alarm
        ORDER BY settledAt DESC LIMIT \(AlarmBook.remembered)))
      """, [.integer(Store.oldest)])
    try database.run("DELETE FROM story WHERE at < ?", [.integer(Store.oldest)])
  }
}

extension Change {
  /// What the change is about: a later change with the same subject makes it needless.
  fileprivate var subject: String {
    switch self {
    case .alarm(let alarm): "alarm \(alarm.id)"
    case .removed(let id): "alarm \(id)"
    case .occurrence(let occurrence): "occurrence \(occurrence.id)"
    case .dropped(let id): "occurrence \(id)"
    case .reopened(let id, _): "reopened \(id)"
    case .inbox(let entry): "inbox \(entry.occurrence)"
    case .outOfInbox(let id): "inbox \(id)"
    case .badge: "badge"
    // Each line is one of its own.
    case .story(let line):
      "story \(line.occurrence) \(line.at.microseconds) \(line.kind.rawValue) \(line.text)"
    case .nextID: "nextID"
    case .seen: "seen"
    case .player: "player"
    case .outputDevice: "outputDevice"
    case .leases: "leases"
    case .raised: "raised"
    case .loudness(let file): "loudness \(file.path)"
    }
  }
}
