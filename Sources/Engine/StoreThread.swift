import Platform
import Store
import Synchronization

/// The thread on which the database lives, so that a disk that stalls holds up nobody but itself.
///
/// The loop hands work over and waits for its answer, but no longer than it says: what comes later is told then. Work is
/// done in the order in which it was given.
final class StoreThread {
  private struct Job: Sendable {
    let ticket: UInt64
    /// nil: the end.
    let work: (@Sendable (Store) -> any Sendable)?
  }

  private struct Answer: Sendable {
    let ticket: UInt64
    let value: any Sendable
  }

  /// Lets the store, which one thread uses at a time, pass to its own: after `init` that thread alone looks at it.
  private final class Holder: @unchecked Sendable {
    var store: Store?
    init(_ store: Store) { self.store = store }
  }

  private let jobs: Mailbox<Job>
  private let answers: Mailbox<Answer>
  private var delivery: EventSource?
  private var lastTicket: UInt64 = 0
  /// What is to be told of answers that were not waited for.
  private var late: [UInt64: (any Sendable) -> Void] = [:]
  private var isEnded = false
  /// Everything that was not waited for has been answered.
  var caughtUp: () -> Void = {}

  /// Takes over `store`; nobody else may use it from here on.
  init(_ loop: EventLoop, _ store: Store) throws(SystemError) {
    jobs = try Mailbox()
    answers = try Mailbox()
    let (jobs, answers, holder) = (jobs, answers, Holder(store))
    try startThread("alarm-store") { StoreThread.work(holder, jobs, answers) }
    delivery = try answers.deliver(on: loop) { [weak self] in self?.tell($0) }
  }

  private static func work(_ holder: Holder, _ jobs: Mailbox<Job>, _ answers: Mailbox<Answer>) {
    while true {
      jobs.wait()
      for job in jobs.drain() {
        guard let work = job.work else {
          // Closed before it is answered, for then the process may end.
          holder.store = nil
          return answers.send(Answer(ticket: job.ticket, value: true))
        }
        if let store = holder.store { answers.send(Answer(ticket: job.ticket, value: work(store))) }
      }
    }
  }

  /// Some work has not been answered: the disk stalls, or is at it.
  var isBusy: Bool { !late.isEmpty }

  /// Has this done and waits for its answer, `patience` microseconds at most; nil where it does not come in that time.
  /// Then `later` is told of it in a later round of the loop.
  func run<Value: Sendable>(
    patience: Int64, _ work: @escaping @Sendable (Store) -> Value, later: @escaping (Value) -> Void = { _ in }
  ) -> Value? {
    guard !isEnded else { return nil }
    guard let value = hand(work, patience, later: { if let value = $0 as? Value { later(value) } }) else {
      return nil
    }
    return value as? Value
  }

  /// Closes the database, when all that was given before has been done; waits for that for so long.
  func end(patience: Int64) {
    guard !isEnded else { return }
    isEnded = true
    _ = hand(nil, patience, later: { _ in })
    delivery?.cancel()
  }

  private func hand(
    _ work: (@Sendable (Store) -> any Sendable)?, _ patience: Int64, later: @escaping (any Sendable) -> Void
  ) -> (any Sendable)? {
    lastTicket += 1
    let ticket = lastTicket
    jobs.send(Job(ticket: ticket, work: work))
    let deadline = Clocks.monotonicMicroseconds() + patience
    var found: (any Sendable)?
    var others: [Answer] = []
    while found == nil {
      let left = deadline - Clocks.monotonicMicroseconds()
      guard left > 0, answers.wait(atMost: left) else { break }
      for answer in answers.drain() {
        if answer.ticket == ticket { found = answer.value } else { others.append(answer) }
      }
    }
    // Not from within whatever waits here: they may begin something of their own.
    for answer in others { answers.send(answer) }
    if found == nil { late[ticket] = later }
    return found
  }

  private func tell(_ answer: Answer) {
    guard let later = late.removeValue(forKey: answer.ticket) else { return }
    later(answer.value)
    if late.isEmpty { caughtUp() }
  }
}
