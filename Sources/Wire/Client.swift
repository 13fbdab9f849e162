import CLinux
import Glibc
import Platform

/// One connection to the engine. Not thread-safe: one thread owns it.
///
/// The command line calls and waits (`call`, `nextNotification`). The screen polls `descriptor`, takes what has come by
/// `readAvailable` and sends by `send`, which returns the request's number; it never waits for an answer.
///
/// An engine that dies on the way is a `WireError` with `ErrorCode.connectionLost` and a whole sentence.
public final class Client {
  private let socket: Descriptor
  // The engine's answers may be longer than what it takes: ten thousand alarms are three megabytes.
  private var framer = LineFramer(limit: 64 << 20)
  private var lastID: Int64 = 0
  private var notifications: [Notification] = []

  /// What the engine says unasked.
  public struct Notification: Sendable {
    public let method: String
    public let params: Incoming.Payload
  }

  /// Connects to the socket at `path`. ENOENT and ECONNREFUSED: no engine is there.
  public init(path: String) throws(SystemError) { socket = try UnixSocket.connect(path) }

  /// Takes over a connected socket.
  public init(_ socket: Descriptor) { self.socket = socket }

  /// For poll(2): readable when `readAvailable` has something to take.
  public var descriptor: Int32 { socket.number }

  /// Says who this is (`screen` counts as an attached screen); the engine's version.
  @discardableResult
  public func hello(client: String, waitingAtMost seconds: Double = 10) throws(WireError) -> Hello {
    let params: JSON = ["client": .string(client), "protocol": .int(Int64(Methods.protocolVersion))]
    let hello: Hello = try call("hello", params, waitingAtMost: seconds)
    guard hello.protocol == Methods.protocolVersion else {
      throw WireError(
        code: ErrorCode.refused,
        "the engine (version \(clean(hello.version))) speaks protocol \(hello.protocol) and this program \(Methods.protocolVersion): restart it with “alarm engine stop”"
      )
    }
    return hello
  }

  /// Asks and waits for the answer. Notifications that come meanwhile are kept for `nextNotification`.
  public func call<Result: Decodable>(
    _ method: String, _ params: JSON = [:], as kind: Result.Type = Result.self,
    waitingAtMost seconds: Double = 30
  ) throws(WireError) -> Result {
    let id = try send(method, params)
    let deadline = Clocks.monotonicMicroseconds() + Int64(seconds * 1_000_000)
    while true {
      guard let message = try next(until: deadline) else {
        throw WireError(
          code: ErrorCode.connectionLost,
          "the engine has not answered “\(clean(method))” within \(Int(seconds)) seconds: look at “alarm status”, and at its log"
        )
      }
      switch message {
      case .reply(.int(id), let result): return try result.decode()
      case .failure(.int(id), let error), .failure(.null, let error): throw error
      case .notification(let method, let params):
        notifications.append(Notification(method: method, params: params))
      default: continue
      }
    }
  }

  /// The next thing the engine says unasked; nil when the time is over (nil seconds: waits for ever).
  public func nextNotification(waitingAtMost seconds: Double? = nil) throws(WireError) -> Notification? {
    let deadline = seconds.map { Clocks.monotonicMicroseconds() + Int64($0 * 1_000_000) }
    while notifications.isEmpty {
      guard let message = try next(until: deadline) else { return nil }
      if case .notification(let method, let params) = message {
        return Notification(method: method, params: params)
      }
    }
    return notifications.removeFirst()
  }

  /// Sends a request without waiting for its answer, which comes through `readAvailable` with the number returned here.
  @discardableResult
  public func send(_ method: String, _ params: JSON = [:]) throws(WireError) -> Int64 {
    lastID += 1
    try sendRaw(Outgoing.request(id: lastID, method: method, params: params))
    return lastID
  }

  /// Sends bytes as they are; for tests of what the engine does with them.
  public func sendRaw(_ bytes: [UInt8]) throws(WireError) {
    let deadline = Clocks.monotonicMicroseconds() + 10_000_000
    var rest = bytes[...]
    do {
      while !rest.isEmpty {
        let sent = try UnixSocket.send(socket, rest)
        rest = rest.dropFirst(sent)
        if sent == 0, try !waitFor(socket.number, POLLOUT, until: deadline) {
          throw WireError(code: ErrorCode.connectionLost, "the engine takes nothing more: it hangs")
        }
      }
    } catch let error as WireError {
      throw error
    } catch {
      throw Client.lost
    }
  }

  /// Everything that has come, without waiting; empty where nothing has. Throws when the engine has gone, after what it
  /// said before has been given out.
  public func readAvailable() throws(WireError) -> [Incoming] {
    var messages: [Incoming] = notifications.map { .notification(method: $0.method, params: $0.params) }
    notifications = []
    var gone = false
    func takeLines() {
      while let line = framer.next() {
        if case .line(let text) = line, let message = try? Incoming(line: text) { messages.append(message) }
      }
    }
    // What came in one piece with the answer that was waited for.
    takeLines()
    // Bounded, so that an engine that talks without end cannot hold a screen.
    for _ in 0..<64 {
      let bytes: [UInt8]?
      do { bytes = try UnixSocket.receive(socket) } catch { bytes = [] }
      guard let bytes else { break }
      if bytes.isEmpty {
        gone = true
        break
      }
      framer.append(bytes)
      takeLines()
    }
    if gone, messages.isEmpty { throw Client.lost }
    return messages
  }

  private func next(until deadline: Int64?) throws(WireError) -> Incoming? {
    while true {
      while let line = framer.next() {
        guard case .line(let text) = line else {
          throw WireError(code: ErrorCode.connectionLost, "the engine sent a line of more than 64 MiB")
        }
        return try Incoming(line: text)
      }
      do {
        guard try waitFor(socket.number, POLLIN, until: deadline) else { return nil }
        guard let bytes = try UnixSocket.receive(socket) else { continue }
        if bytes.isEmpty { throw Client.lost }
        framer.append(bytes)
      } catch let error as WireError {
        throw error
      } catch {
        throw Client.lost
      }
    }
  }

  static let lost = WireError(
    code: ErrorCode.connectionLost,
    "the engine has ended the connection: it was stopped, or it died and starts again; try once more, and see “alarm engine status”"
  )
}
