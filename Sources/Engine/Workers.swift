import Platform

/// Threads for what may take long or hang: opening files, reading folders. Value in, value out; the answer is given on
/// the loop's thread. No thread waits for work: at rest there is none.
final class Workers {
  private struct Answer: Sendable {
    let ticket: UInt64
    let value: any Sendable
  }

  /// Ordinary work runs on so many threads at most; a ring's work does not wait behind it.
  static let mostThreads = 4

  private let mailbox: Mailbox<Answer>
  private var delivery: EventSource?
  private var lastTicket: UInt64 = 0
  private var open: [UInt64: (any Sendable) -> Void] = [:]
  private var running = 0
  private var queue: [() -> Void] = []

  init(_ loop: EventLoop) throws(SystemError) {
    mailbox = try Mailbox()
    delivery = try mailbox.deliver(on: loop) { [weak self] answer in
      self?.open.removeValue(forKey: answer.ticket)?(answer.value)
    }
  }

  /// Runs `work` on a thread of its own and then `done` on the loop's. `urgent` work never queues. Where no thread can
  /// be made, the work is done here and now: late is better than never.
  func run<Value: Sendable>(
    _ name: String, urgent: Bool = false, _ work: @escaping @Sendable () -> Value,
    then done: @escaping (Value) -> Void
  ) {
    let begin = { [self] in
      lastTicket += 1
      let ticket = lastTicket
      open[ticket] = { [weak self] value in
        if !urgent { self?.finished() }
        if let value = value as? Value { done(value) }
      }
      if !urgent { running += 1 }
      let mailbox = mailbox
      do {
        try startThread(name) { mailbox.send(Answer(ticket: ticket, value: work())) }
      } catch {
        Log.warning("\(error); doing its work in the loop")
        mailbox.send(Answer(ticket: ticket, value: work()))
      }
    }
    if urgent || running < Workers.mostThreads { begin() } else { queue.append(begin) }
  }

  private func finished() {
    running -= 1
    if !queue.isEmpty { queue.removeFirst()() }
  }
}
