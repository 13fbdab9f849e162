import CLinux
import Core
import Platform
import Wire

/// One client's connection, on the loop's thread.
///
/// What it may cost is bounded: lines a round of the loop, lines a second, bytes that wait to be read and bytes that
/// wait to be sent.
final class Connection {
  enum Limits {
    /// Lines handled before other sources get their turn.
    static let linesPerRound = 32
    /// More than this is a flood, and the connection ends.
    static let linesPerSecond = 2000
    /// A client that has not read this much is given up.
    static let unsentBytes = 4 << 20
    /// Requests that wait for a worker.
    static let openRequests = 64
  }

  let number: Int
  private let socket: Descriptor
  private var source: DescriptorSource?
  private var framer = LineFramer()
  private var unsent: [UInt8] = []
  private var sent = 0
  private var secondBegan: Int64 = 0
  private var linesThisSecond = 0
  private(set) var isClosed = false
  /// The other side sends nothing more, or has been told a fatal error: what is left is to be sent.
  private var isEnding = false

  /// It hears nothing any more.
  private var isDeaf = false

  /// Said in `hello`.
  var isScreen = false
  /// A screen whose terminal does not report its focus counts as having it.
  var isFocused = true
  /// It is a screen and its terminal said so itself: somebody looks at it for certain.
  var isSeen = false
  /// It wants to be told of what only time moves, such as the place in the track.
  var wantsMotion = true
  /// When it wants to be told how loud what is heard is.
  var levels = LevelsWish.never
  /// By whose hand what it asks for is done.
  var hand = Hand.program
  var isSubscribed = false
  var events: Set<String> = []
  /// A lease ends with it.
  private(set) var isBound = false
  /// A newer status waits until what was sent before has been read; older ones are never queued.
  var owesStatus = false
  /// What `import` has brought so far, with more to come.
  var gathered: [AlarmCopy] = []
  /// Requests whose answer a worker is at.
  var openRequests = 0

  private unowned let server: Server

  init(_ socket: Descriptor, number: Int, server: Server) throws(SystemError) {
    self.socket = socket
    self.number = number
    self.server = server
    source = try DescriptorSource(server.loop, socket.number, .reading) { [weak self] ready in
      self?.isReady(ready)
    }
    source?.setPriority(.low)
  }

  /// CLOCK_MONOTONIC in microseconds when something came from it last, or it connected.
  private(set) var lastHeard = Clocks.monotonicMicroseconds()
  /// Nobody looks at it and nothing is under way.
  var isIdle: Bool { !isScreen && !isSubscribed && !isBound && openRequests == 0 && isDrained }

  /// Nothing waits to be sent.
  var isDrained: Bool { sent == unsent.count }

  /// A lease is bound to it from here on, and it is told when that is about to end.
  func bind() {
    isBound = true
    events.insert("leaseExpiring")
  }

  /// Queues a line and sends what goes out at once.
  func send(_ line: [UInt8]) {
    guard !isClosed, !isDeaf else { return }
    // One long answer is no sign of a client that does not read: a list of ten thousand alarms is longer than that.
    if !isDrained, unsent.count - sent + line.count > Limits.unsentBytes {
      Log.warning("client \(number) does not read what it asked for; its connection is closed")
      return close()
    }
    unsent += line
    flush()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    source?.cancel()
    source = nil
    socket.close()
    server.connectionClosed(self)
  }

  private func isReady(_ ready: Interest) {
    if ready.contains(.writing) { flush() }
    guard !isClosed else { return }
    if ready.contains(.reading) {
      read()
    } else if !ready.isDisjoint(with: .hangUp) {
      // It has gone; what it had sent before counts all the same.
      if isEnding { return close() }
      while !isClosed, handleSomeLines() {}
      if !isClosed { read() }
    }
  }

  private func read() {
    do {
      guard let bytes = try UnixSocket.receive(socket) else { return }
      if bytes.isEmpty {
        isEnding = true
        if isDrained && openRequests == 0 { close() } else { watch() }
        return
      }
      lastHeard = Clocks.monotonicMicroseconds()
      framer.append(bytes)
      handleLines()
    } catch {
      close()
    }
  }

  /// Handles some of the lines that have come; the rest waits until the others had their turn, and meanwhile nothing
  /// more is read.
  private func handleLines() {
    if handleSomeLines() {
      server.continueLater(self)
      watch(pausingReads: true)
    } else {
      watch()
    }
  }

  /// True where there may be more.
  private func handleSomeLines() -> Bool {
    for _ in 0..<Limits.linesPerRound {
      guard !isClosed, let line = framer.next(), countLine() else { return false }
      switch line {
      case .tooLong:
        fail(.null, WireError(code: ErrorCode.invalidRequest, "a line may have at most 1 MiB"))
      case .line(let text):
        // The many small pieces that a long line is read into are not kept for the next one, which may never come.
        defer { if text.count > 65_536 { reveille_return_memory() } }
        do {
          switch try Incoming(line: text, mostValues: Incoming.mostRequestValues) {
          case .request(let id, let method, let params):
            server.receive(Request(id: id, method: method, params: params, connection: self))
          case .notification(let method, let params):
            // Nothing is answered, but it is done.
            server.receive(Request(id: nil, method: method, params: params, connection: self))
          case .reply(let id, _), .failure(let id, _):
            fail(id, WireError(code: ErrorCode.invalidRequest, "the line names no “method”"))
          }
        } catch {
          fail(.null, error)
        }
      }
    }
    return true
  }

  /// False when the client floods; it is told so and the connection ends.
  private func countLine() -> Bool {
    let now = Clocks.monotonicMicroseconds()
    if now - secondBegan > 1_000_000 { (secondBegan, linesThisSecond) = (now, 0) }
    linesThisSecond += 1
    if linesThisSecond <= Limits.linesPerSecond { return true }
    Log.warning("client \(number) sends more than \(Limits.linesPerSecond) lines a second; it is cut off")
    fail(
      .null,
      WireError(
        code: ErrorCode.refused,
        "more than \(Limits.linesPerSecond) lines a second: the connection is closed"))
    close()
    return false
  }

  func fail(_ id: JSON, _ error: WireError) { send(Outgoing.failure(id: id, error)) }

  /// A worker has answered; ends a connection that only waited for it.
  func requestAnswered() {
    openRequests -= 1
    if isEnding, openRequests == 0, isDrained { close() }
  }

  private func flush() {
    do {
      while sent < unsent.count {
        let count = try UnixSocket.send(socket, unsent[sent...])
        if count == 0 { break }
        sent += count
      }
    } catch {
      // It went without waiting for answers; what it asked for is done all the same.
      isDeaf = true
      sent = unsent.count
    }
    if isDrained {
      unsent.removeAll(keepingCapacity: unsent.capacity <= 65_536)
      sent = 0
      if isEnding && openRequests == 0 { return close() }
      if owesStatus, !isDeaf { server.sendOwedStatus(to: self) }
    } else if sent > 1 << 20 {
      unsent.removeFirst(sent)
      sent = 0
    }
    watch()
  }

  private var readsPaused = false
  private func watch(pausingReads: Bool? = nil) {
    guard !isClosed else { return }
    if let pausingReads { readsPaused = pausingReads }
    var interest: Interest = []
    if !readsPaused && !isEnding { interest.insert(.reading) }
    if !isDrained { interest.insert(.writing) }
    source?.setInterest(interest)
  }

  /// The others had their turn.
  func continueReading() {
    guard !isClosed else { return }
    readsPaused = false
    handleLines()
  }
}

/// One request on its way; it is answered once, or never where it is a notification.
struct Request {
  let id: JSON?
  let method: String
  let params: Incoming.Payload
  let connection: Connection

  func reply(_ result: some Encodable) {
    if let id { connection.send(Outgoing.reply(id: id, result: result)) }
  }

  /// There may be very many of them.
  func reply(alarms: [AlarmEntry]) {
    if let id { connection.send(Outgoing.reply(id: id, alarms: alarms)) }
  }

  func fail(_ error: WireError) {
    if let id { connection.fail(id, error) }
  }
}
