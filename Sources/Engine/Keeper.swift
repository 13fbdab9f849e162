import Core
import Platform
import Store

/// What is stored, and what becomes of it when storing fails: the engine goes on ringing, says what is wrong, and tries
/// again until it is mended.
final class Keeper {
  /// How long until a disk that could not be written is tried again.
  static let retryPause: Int64 = 30_000_000

  /// Called when something could be stored again after it could not.
  var mended: () -> Void = {}
  /// What is written to find out whether it is mended.
  var probe: () -> [Change] = { [] }

  private let path: String
  private let workers: Workers
  private var store: Store?
  private var retry: TimerSource?
  /// What was wrong when it was opened; it stays wrong until the engine is started anew.
  private var lasting: [String] = []
  /// The last commit failed, with this sentence.
  private var failure: String?
  private var backupTriedAt: Int64?
  private var isClosed = false

  init(_ loop: EventLoop, _ paths: Paths, _ workers: Workers) throws(SystemError) {
    path = paths.database
    self.workers = workers
    retry = try TimerSource(loop, .monotonic, accuracy: 1_000_000) { [weak self] in self?.tryAgain() }
  }

  /// Sentences for `status`.
  var troubles: [String] { lasting + (failure.map { [$0] } ?? []) }

  /// Why changes of alarms are to be refused; nil where they can be stored.
  var trouble: String? { store == nil ? lasting.first : nil }

  func load() -> StoredState {
    let opened = Store.openOrFallBack(path)
    store = opened.store
    lasting = opened.sentences
    for sentence in opened.sentences { Log.error(sentence) }
    backUpWhereDue()
    return opened.state
  }

  /// Stores it; the sentence where that failed. What need not succeed is kept and stored with what comes next.
  func save(_ changes: [Change], mustSucceed: Bool = false) -> String? {
    guard let store else { return isClosed ? nil : lasting.first }
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
    backUpWhereDue()
    return nil
  }

  /// The last words; a failure is logged.
  func saveLast(_ changes: [Change]) {
    if let sentence = save(changes) { Log.error(sentence) }
  }

  func close() {
    isClosed = true
    retry?.disarm()
    store = nil
  }

  private func tryAgain() { _ = save(probe()) }

  /// Once a day, and only when something was stored: an engine at rest has nothing to back up.
  private func backUpWhereDue() {
    let now = Clocks.wallMicroseconds()
    if let backupTriedAt, abs(now - backupTriedAt) < 3_600_000_000 { return }
    guard store != nil, Store.isBackupDue(of: path, at: now) else { return }
    backupTriedAt = now
    let path = path
    workers.run("backup") { () -> String? in
      do throws(StoreError) {
        try Store.backUp(path)
        return nil
      } catch {
        return error.description
      }
    } then: { problem in
      if let problem { Log.warning("the daily backup could not be made: \(problem)") }
    }
  }
}
