import Core
import Platform
import Store

/// What is stored, and what becomes of it when storing fails: the engine goes on ringing, says what is wrong, and tries
/// again until it is mended.
final class Keeper {
  /// How long until a disk that could not be written is tried again.
  static let retryPause: Int64 = 30_000_000
  /// How long after a change of alarms they are backed up, so that many changes make one backup.
  static let backupPause: Int64 = 60_000_000

  /// Called when something could be stored again after it could not.
  var mended: () -> Void = {}
  /// What is written to find out whether it is mended.
  var probe: () -> [Change] = { [] }
  /// Everything there is of alarms, for a database to which nothing could be written until now.
  var everything: () -> [Change] = { [] }

  private let path: String
  private let workers: Workers
  private var store: Store?
  private var retry: TimerSource?
  /// What was wrong when it was opened; it stays wrong until the engine is started anew, unless `unwritable`.
  private var lasting: [String] = []
  /// The alarms of a database that could be read and not written when it was opened.
  private var unwritable: [Alarm]?
  /// The last commit failed, with this sentence.
  private var failure: String?
  private var backupTimer: TimerSource?
  private var backupTriedAt: Int64?
  /// Alarms have changed since the last backup.
  private var wantsBackup = false
  private var isClosed = false

  init(_ loop: EventLoop, _ paths: Paths, _ workers: Workers) throws(SystemError) {
    path = paths.database
    self.workers = workers
    retry = try TimerSource(loop, .monotonic, accuracy: 1_000_000) { [weak self] in self?.tryAgain() }
    backupTimer = try TimerSource(loop, .monotonic, accuracy: 1_000_000) { [weak self] in self?.backUp() }
  }

  /// Sentences for `status`.
  var troubles: [String] { lasting + (failure.map { [$0] } ?? []) }

  /// Why changes of alarms are to be refused; nil where they can be stored.
  var trouble: String? { store == nil ? lasting.first : nil }

  func load() -> StoredState {
    let opened = Store.openOrFallBack(path)
    store = opened.store
    lasting = opened.sentences
    if opened.isReadOnly {
      unwritable = opened.state.alarms
      retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
    }
    for sentence in opened.sentences { Log.error(sentence) }
    // What was changed before a crash may be in no backup.
    wantsBackup = !opened.state.alarms.isEmpty
    if Store.isBackupDue(of: path, at: Clocks.wallMicroseconds()) {
      backUp()
    } else if wantsBackup {
      backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.backupPause)
    }
    return opened.state
  }

  /// Stores it; the sentence where that failed. What need not succeed is kept and stored with what comes next.
  func save(_ changes: [Change], mustSucceed: Bool = false) -> String? {
    guard let store else {
      return isClosed ? nil : lasting.first.map { "\($0); until then a restart may ring again" }
    }
    do {
      try store.commit(changes, mustSucceed: mustSucceed)
    } catch {
      failure = error.description
      retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
      return error.description
    }
    if failure != nil {
      failure = nil
      retry?.disarm()
      mended()
    }
    noteForBackup(changes)
    return nil
  }

  /// What was measured of a file; nil too where it cannot be read.
  func loudness(of path: String) -> FileLoudness? { try? store?.loudness(of: path) }

  /// What happened to the occurrences of one alarm, or of all, the newest first.
  func stories(of alarm: Int?, limit: Int) throws(StoreError) -> [Story] {
    guard let store else {
      throw StoreError(.cannotRead, lasting.first ?? "the engine is ending")
    }
    return try store.stories(of: alarm, limit: limit)
  }

  /// The last words; a failure is logged. `done` is called when the backup is made too; whoever waits for it must not
  /// wait for ever, because the disk may hang.
  func saveLast(_ changes: [Change], then done: @escaping () -> Void) {
    if let sentence = save(changes) { Log.error(sentence) }
    backUp(then: done)
  }

  func close() {
    isClosed = true
    retry?.disarm()
    backupTimer?.disarm()
    store = nil
  }

  /// Nothing can be stored, and trying again may help.
  var isFailing: Bool { failure != nil || unwritable != nil }

  /// Finds out whether it is mended.
  func tryAgain() {
    if unwritable == nil { _ = save(probe()) } else { reopen() }
  }

  /// A disk that was full or read-only when the engine was started. What another program changed in the database
  /// meanwhile is not overwritten; then it stays as it is until the engine is started anew.
  private func reopen() {
    retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
    guard let alarms = unwritable, let opened = try? Store(path), let state = try? opened.load(),
      state.alarms == alarms
    else { return }
    // What rang when it was last stored may have been dealt with.
    let changes = state.live.map { Change.dropped($0.id) } + everything()
    guard (try? opened.commit(changes)) != nil else { return }
    (store, unwritable, lasting) = (opened, nil, state.warnings)
    retry?.disarm()
    wantsBackup = true
    backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.backupPause)
    mended()
  }

  // MARK: The backup

  /// Made at once where there is none of today's, else a while after alarms were changed, and before the end. An engine at
  /// rest has nothing to back up.
  private func noteForBackup(_ changes: [Change]) {
    let concernsAlarms = changes.contains {
      switch $0 {
      case .alarm, .removed: true
      default: false
      }
    }
    guard concernsAlarms else { return }
    if !wantsBackup { backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.backupPause) }
    wantsBackup = true
    let now = Clocks.wallMicroseconds()
    if Store.isBackupDue(of: path, at: now), backupTriedAt.map({ abs(now - $0) > 3_600_000_000 }) ?? true {
      backUp()
    }
  }

  private func backUp(then done: @escaping () -> Void = {}) {
    backupTimer?.disarm()
    guard store != nil, wantsBackup else { return done() }
    wantsBackup = false
    backupTriedAt = Clocks.wallMicroseconds()
    let path = path
    workers.run("backup", urgent: true) { () -> String? in
      do throws(StoreError) {
        try Store.backUp(path)
        return nil
      } catch {
        return error.description
      }
    } then: { problem in
      if let problem { Log.warning("the backup could not be made: \(problem)") }
      done()
    }
  }
}
