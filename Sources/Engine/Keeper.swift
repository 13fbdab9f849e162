import Core
import Glibc
import Platform
import Store

/// What is stored, and what becomes of it when storing fails or stalls: the engine goes on ringing, says what is wrong, and
/// tries again until it is mended.
final class Keeper {
  /// How long until a disk that could not be written is tried again.
  static let retryPause: Int64 = 30_000_000
  /// How long after a change of alarms they are backed up, so that many changes make one backup.
  static let backupPause: Int64 = 60_000_000

  /// The same where there is none of today's: whoever changes them is not to wait for the disk meanwhile.
  static let firstBackupPause: Int64 = 5_000_000

  /// How long the loop waits for the disk, in microseconds: less than a ring is handed over ahead, so that one that stalls
  /// delays no ring.
  static let patience: Int64 = 1_000_000
  /// The same for what is only looked up.
  static let shortPatience: Int64 = 200_000

  /// Called when files beside the database may have been removed.
  var folderChanged: () -> Void = {}
  /// Called when something could be stored again after it could not.
  var mended: () -> Void = {}
  /// What is written to find out whether it is mended.
  var probe: () -> [Change] = { [] }
  /// Everything there is of alarms, for a database to which nothing could be written until now.
  var everything: () -> [Change] = { [] }

  /// How things stand now with what these were to change: for changes that were given up and stored all the same.
  var present: ([Change]) -> [Change] = { _ in [] }

  private let loop: EventLoop
  private let path: String
  private let folder: String
  /// Tells of files that are removed; nil where the folder cannot be watched or is gone itself.
  private var folderWatch: FileChangeSource?
  private var lookTimer: TimerSource?
  /// How often the database was found gone and made anew.
  private var timesMended = 0
  private let workers: Workers
  private var store: StoreThread?
  private var retry: TimerSource?
  /// What was wrong when it was opened; it stays wrong until the engine is started anew, unless `unwritable`.
  private var lasting: [String] = []
  /// The alarms of a database that could be read and not written when it was opened.
  private var unwritable: [Alarm]?
  /// The last commit failed, with this sentence.
  private var failure: String?
  /// A commit has not come back.
  private var isStalled = false
  private var backupTimer: TimerSource?
  private var backupTriedAt: Int64?
  /// Alarms have changed since the last backup.
  private var wantsBackup = false
  private var isBackingUp = false
  /// Whoever is to be told when the backup that is being made is there.
  private var waiting: [() -> Void] = []
  private var isClosed = false

  init(_ loop: EventLoop, _ paths: Paths, _ workers: Workers) throws(SystemError) {
    self.loop = loop
    (path, folder) = (paths.database, paths.data)
    self.workers = workers
    retry = try TimerSource(loop, .monotonic, accuracy: 1_000_000) { [weak self] in self?.tryAgain() }
    lookTimer = try TimerSource(loop, .monotonic) { [weak self] in self?.look() }
    backupTimer = try TimerSource(loop, .monotonic, accuracy: 1_000_000) { [weak self] in self?.backUp() }
  }

  /// Sentences for `status`.
  var troubles: [String] { lasting + (failure.map { [$0] } ?? []) }

  /// Why changes of alarms are to be refused; nil where they can be stored.
  var trouble: String? { store == nil ? lasting.first : nil }

  func load() -> StoredState {
    let opened = Store.openOrFallBack(path)
    lasting = opened.sentences
    if let store = opened.store {
      do {
        use(try StoreThread(loop, store))
      } catch {
        lasting.append("\(error); nothing can be stored until the engine is started anew")
      }
    }
    if opened.isReadOnly {
      unwritable = opened.state.alarms
      retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
    }
    for sentence in lasting { Log.error(sentence) }
    watchFolder()
    // What was changed before a crash may be in no backup.
    wantsBackup = !opened.state.alarms.isEmpty
    if Store.isBackupDue(of: path, at: Clocks.wallMicroseconds()) {
      backUp()
    } else if wantsBackup {
      backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.backupPause)
    }
    return opened.state
  }

  private func use(_ thread: StoreThread) {
    store = thread
    // Whatever came last: a look at where the file lies tells nothing of what was to be stored.
    thread.caughtUp = { [weak self] in
      guard let self, isStalled, !isClosed else { return }
      isStalled = false
      tryAgain()
    }
  }

  /// Stores it; the sentence where that failed. What need not succeed is kept and stored with what comes next.
  func save(_ changes: [Change], mustSucceed: Bool = false, isProbe: Bool = false) -> String? {
    guard let store else {
      return isClosed ? nil : lasting.first.map { "\($0); until then a restart may ring again" }
    }
    if isStalled, mustSucceed { return failure ?? stallSentence }
    // What fails is not waited for again and again: another program may hold it locked.
    let usual = failure == nil || mustSucceed || isProbe ? Keeper.patience : Keeper.patience / 20
    let answer = store.run(patience: isStalled ? 0 : usual) {
      Outcome($0) { store throws(StoreError) in try store.commit(changes, mustSucceed: mustSucceed) }
    } later: { [weak self] outcome in
      self?.cameBack(outcome, changes, wasRefused: mustSucceed)
    }
    guard let outcome = answer else {
      isStalled = true
      // Where it was not waited for long because it failed before, it is still that.
      let sentence = failure ?? stallSentence
      failure = sentence
      let consequence = "a restart may ring again"
      return sentence
        + (mustSucceed || sentence.contains(consequence) ? "" : "; until it is stored \(consequence)")
    }
    note(outcome)
    if let problem = outcome.problem {
      failed(problem)
      return problem
    }
    succeeded(changes)
    return nil
  }

  private var stallSentence: String {
    "the disk with “\(clean(path))” does not answer; look at it, and try again"
  }

  private func failed(_ problem: String) {
    failure = problem
    retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
  }

  private func succeeded(_ changes: [Change]) {
    if failure != nil {
      failure = nil
      retry?.disarm()
      mended()
    }
    noteForBackup(changes)
  }

  /// What was not waited for to its end. Where a request was refused meanwhile, what it was to change is put back.
  private func cameBack(_ outcome: Outcome, _ changes: [Change], wasRefused: Bool) {
    guard !isClosed else { return }
    if store?.isBusy == false { isStalled = false }
    note(outcome)
    if let problem = outcome.problem {
      Log.error(problem)
      failed(problem)
      return
    }
    if wasRefused, let store {
      let present = present(changes)
      _ = store.run(patience: 0) {
        Outcome($0) { store throws(StoreError) in try store.commit(present, mustSucceed: false) }
      } later: { [weak self] outcome in
        self?.cameBack(outcome, present, wasRefused: false)
      }
    }
    if !isStalled { succeeded(changes) }
  }

  /// What was measured of a file; nil too where it cannot be read.
  func loudness(of path: String) -> FileLoudness? {
    guard let store, !isStalled else { return nil }
    return store.run(patience: Keeper.shortPatience) { try? $0.loudness(of: path) } ?? nil
  }

  /// What happened to the occurrences of one alarm, or of all, the newest first.
  func stories(of alarm: Int?, limit: Int) throws(StoreError) -> [Story] {
    guard let store else {
      throw StoreError(.cannotRead, lasting.first ?? "the engine is ending")
    }
    guard !isStalled,
      let result = store.run(
        patience: Keeper.patience,
        { store -> Result<[Story], StoreError> in
          Result { () throws(StoreError) in try store.stories(of: alarm, limit: limit) }
        })
    else { throw StoreError(.cannotRead, stallSentence) }
    return try result.get()
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
    lookTimer?.disarm()
    folderWatch?.cancel()
    // The write-ahead log is brought over when it is closed; where that takes longer the next start does it.
    store?.end(patience: isStalled ? 0 : Keeper.patience / 2)
    store = nil
  }

  /// Nothing can be stored, and trying again may help.
  var isFailing: Bool { failure != nil || unwritable != nil }

  /// Finds out whether it is mended.
  func tryAgain() {
    if unwritable == nil { _ = save(probe(), isProbe: true) } else { reopen() }
  }

  /// A disk that was full or read-only when the engine was started. What another program changed in the database
  /// meanwhile is not overwritten; then it stays as it is until the engine is started anew.
  private func reopen() {
    retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.retryPause)
    guard let alarms = unwritable else { return }
    let (opened, state): (Store, StoredState)
    do throws(StoreError) {
      opened = try Store(path)
      state = try opened.load()
      guard state.alarms == alarms else {
        return Log.warning("“\(clean(path))” was changed by another program; start the engine anew to use it")
      }
      // What rang when it was last stored may have been dealt with.
      try opened.commit(state.live.map { Change.dropped($0.id) } + everything())
    } catch {
      return Log.warning("still nothing can be stored: \(error.description)")
    }
    guard let thread = try? StoreThread(loop, opened) else { return }
    (unwritable, lasting) = (nil, state.warnings)
    use(thread)
    retry?.disarm()
    wantsBackup = true
    backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.backupPause)
    mended()
  }

  // MARK: Where it lies

  /// How work on the database ended.
  private struct Outcome: Sendable {
    var problem: String?
    let timesMended: Int

    init(_ store: Store, _ work: (Store) throws(StoreError) -> Void) {
      do throws(StoreError) { try work(store) } catch { problem = error.description }
      timesMended = store.timesMended
    }
  }

  private func note(_ outcome: Outcome) {
    guard outcome.timesMended > timesMended else { return }
    timesMended = outcome.timesMended
    let sentence =
      "“\(clean(path))” was removed while the engine ran; it was made anew with all that was in it: find out what removes it"
    Log.error(sentence)
    if !lasting.contains(sentence) { lasting.append(sentence) }
    wantsBackup = true
    backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.firstBackupPause)
    lookTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds())
  }

  private func watchFolder() {
    folderWatch?.cancel()
    let mask = [IN_DELETE, IN_MOVED_FROM, IN_DELETE_SELF, IN_MOVE_SELF].reduce(UInt32(0)) { $0 | UInt32($1) }
    // Where it cannot be watched (a user has only so many of these) the next commit notices.
    folderWatch = try? FileChangeSource(loop, folder, mask: mask) { [weak self] _, _ in
      self?.lookTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 10_000)
    }
  }

  /// Files were removed: what is stored must be where the next engine looks for it.
  private func look() {
    guard !isClosed, let store else { return }
    _ = store.run(patience: 0) {
      Outcome($0) { store throws(StoreError) in try store.mendPlace() }
    } later: { [weak self] outcome in
      guard let self, !isClosed else { return }
      note(outcome)
      if let problem = outcome.problem {
        Log.error(problem)
        failed(problem)
      }
      // The folder may be another one.
      watchFolder()
      folderChanged()
    }
  }

  // MARK: The backup

  /// Made soon where there is none of today's, else a while after alarms were changed, and before the end. An engine at
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
      backupTriedAt = now
      backupTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Keeper.firstBackupPause)
    }
  }

  private func backUp(then done: @escaping () -> Void = {}) {
    backupTimer?.disarm()
    // One under way has the database open: ended before it, the engine would leave the log of what is to be merged.
    guard !isBackingUp else { return waiting.append { [weak self] in self?.backUp(then: done) ?? done() } }
    guard store != nil, wantsBackup else { return done() }
    wantsBackup = false
    isBackingUp = true
    backupTriedAt = Clocks.wallMicroseconds()
    let path = path
    workers.run("backup", urgent: true) { () -> String? in
      do throws(StoreError) {
        try Store.backUp(path)
        return nil
      } catch {
        return error.description
      }
    } then: { [weak self] problem in
      if let problem { Log.warning("the backup could not be made: \(problem)") }
      guard let self else { return done() }
      isBackingUp = false
      done()
      let next = waiting
      waiting = []
      for proceed in next { proceed() }
    }
  }
}
