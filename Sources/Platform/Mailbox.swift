import CLinux
import Glibc
import Synchronization

/// A queue from any thread to the loop: `send` never waits, the loop is woken by one eventfd.
///
/// Messages arrive in the order in which they were sent. The lock protects `queue` alone and is held for an append or
/// a swap, never across a call.
public final class Mailbox<Message: Sendable>: Sendable {
  private let queue = Mutex<[Message]>([])
  private let bell: Descriptor

  public init() throws(SystemError) {
    bell = Descriptor(
      owning: try check("cannot make an eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Any thread.
  public func send(_ message: Message) {
    queue.withLock { $0.append(message) }
    var one: UInt64 = 1
    _ = write(bell.number, &one, 8)
  }

  /// The loop's thread: calls `handler` for every message from now on, for as long as the result lives.
  public func deliver(on loop: EventLoop, _ handler: @escaping (Message) -> Void) throws(SystemError)
    -> EventSource
  {
    try DescriptorSource(loop, bell.number, .reading) { [self] _ in
      for message in drain() { handler(message) }
    }
  }

  /// Any thread, where no loop delivers: waits until something has come, for so many microseconds at most (nil: for ever).
  /// False where nothing has. poll(2).
  @discardableResult
  public func wait(atMost microseconds: Int64? = nil) -> Bool {
    var waiting = pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0)
    let deadline = microseconds.map { Clocks.monotonicMicroseconds() + $0 }
    while true {
      let left = deadline.map { max(0, ($0 - Clocks.monotonicMicroseconds() + 999) / 1000) } ?? -1
      let ready = poll(&waiting, 1, Int32(min(left, Int64(Int32.max))))
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }

  /// What has come since the last call, without waiting.
  public func drain() -> [Message] {
    var count: UInt64 = 0
    _ = read(bell.number, &count, 8)
    return queue.withLock { waiting in
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }
}
