import Platform

/// Threads for what may take long or hang: opening files, reading folders. Value in, value out; the answer is given on
/// the loop's thread. No thread waits for work: at rest there is none.
final class Workers {
  private struct Answer: Sendable {
    let ticket: UInt64
    let value: any Sendable
  }

  /// Ordinary work runs on so many threads at most; a ring's work does not wait behind it. What has not come back after
  /// `patience` hangs in a disk for all that is known and does not count any more, or four of those would hold up everything.
  static let mostThreads = 4
  private static let mostHung = 12

  /// How long a device, a server or a disk is waited for (µs): a Bluetooth device that answers needs two or three seconds.
  private static let patience: Int64 = 5_000_000
  /// So many questions may hang in a dead sound server at once; more would only hang too.
  static let mostQuestions = 4

  /// What became of a question.
  enum Reply<Value> {
    case answer(Value)
    /// It was asked, and nobody has answered in time.
    case silence
    /// As many as may be asked at once are unanswered.
    case notAsked
  }

  private let loop: EventLoop
  private let mailbox: Mailbox<Answer>
  private var delivery: EventSource?
  private var lastTicket: UInt64 = 0
  private var open: [UInt64: (any Sendable) -> Void] = [:]
  private var running = 0
  /// Ordinary work under way, by its ticket, with what ends the patience with it.
  private var impatience: [UInt64: TimerSource] = [:]
  private var hung: Set<UInt64> = []
  private var queue: [() -> Void] = []
  /// Questions whose threads have not come back, with what ends the wait for each.
  private var questions: [UInt64: TimerSource] = [:]
  private var lastQuestion: UInt64 = 0

  init(_ loop: EventLoop) throws(SystemError) {
    self.loop = loop
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
        if !urgent { self?.finished(ticket) }
        if let value = value as? Value { done(value) }
      }
      if !urgent {
        running += 1
        watch(ticket)
      }
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

  /// Asks what may never answer: a device, a sound server. `done` is called on the loop's thread, at once where it is not
  /// asked because too many questions hang already. No other work waits behind it.
  func ask<Value: Sendable>(
    _ name: String, _ work: @escaping @Sendable () -> Value, then done: @escaping (Reply<Value>) -> Void
  ) {
    guard questions.count < Workers.mostQuestions else { return done(.notAsked) }
    lastQuestion += 1
    let question = lastQuestion
    var waiting: ((Reply<Value>) -> Void)? = done
    let end = { (reply: Reply<Value>) in
      let done = waiting
      waiting = nil
      done?(reply)
    }
    do {
      let timer = try TimerSource(loop, .monotonic, accuracy: 100_000) { end(.silence) }
      timer.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Workers.patience)
      questions[question] = timer
    } catch {
      Log.warning(error.description)
      return done(.notAsked)
    }
    run(name, urgent: true, work) { [weak self] value in
      self?.questions.removeValue(forKey: question)?.cancel()
      end(.answer(value))
    }
  }

  private func finished(_ ticket: UInt64) {
    impatience.removeValue(forKey: ticket)?.cancel()
    if hung.remove(ticket) == nil { makeRoom() }
  }

  private func makeRoom() {
    running -= 1
    if !queue.isEmpty { queue.removeFirst()() }
  }

  private func watch(_ ticket: UInt64) {
    do {
      let timer = try TimerSource(loop, .monotonic, accuracy: 100_000) { [weak self] in
        guard let self, hung.count < Workers.mostHung else { return }
        hung.insert(ticket)
        makeRoom()
      }
      timer.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Workers.patience)
      impatience[ticket] = timer
    } catch {
      Log.warning(error.description)
    }
  }
}
