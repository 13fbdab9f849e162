import Glibc
import Platform
import Wire

/// Connects on a thread of its own, because starting an engine or greeting one that hangs takes seconds, in which the
/// screen must go on.
final class Connector: Sendable {
  enum Outcome: Sendable {
    case connected(Handover)
    case failed(String)
  }

  /// @unchecked: the thread that made the client ends after it has sent it, so it always has one owner.
  struct Handover: @unchecked Sendable {
    let client: Client
  }

  let outcomes: Mailbox<Outcome>
  private let connect: TerminalScreen.Connecting

  init(_ connect: @escaping TerminalScreen.Connecting) throws(SystemError) {
    outcomes = try Mailbox()
    self.connect = connect
  }

  /// Any thread; the answer comes into `outcomes`.
  func attempt(mayStart: Bool) {
    let work = Work(connector: self, mayStart: mayStart)
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(work)
    let failure = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if failure != 0 {
      context.release()
      outcomes.send(.failed("no thread can be made: \(SystemError.reason(failure))"))
    }
  }

  private final class Work: Sendable {
    let connector: Connector
    let mayStart: Bool

    init(connector: Connector, mayStart: Bool) { (self.connector, self.mayStart) = (connector, mayStart) }

    func run() {
      do {
        if let client = try connector.connect(mayStart) {
          connector.outcomes.send(.connected(Handover(client: client)))
        } else {
          connector.outcomes.send(.failed("no engine runs"))
        }
      } catch {
        connector.outcomes.send(.failed(error.description))
      }
    }
  }
}
