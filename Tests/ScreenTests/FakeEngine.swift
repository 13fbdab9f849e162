import Glibc
import Harness
import Platform
import Synchronization
import Wire

/// Something that was waited for did not come.
struct Overdue: Error, CustomStringConvertible {
  let description: String
}

/// Stands in for the engine in tests of the screen in a real terminal: it serves the socket by canned answers and remembers
/// what it was asked.
///
/// A thread of its own holds the sockets; `state` is what it shares with the test, under its lock.
final class FakeEngine: Sendable {
  struct State: Sendable {
    var status: Status
    var alarms: [AlarmEntry] = []
    var asked: [String] = []
    /// Counts up when `status` is to be sent to every subscriber.
    var turn = 0
    var isOver = false
    var hasEnded = false
  }

  let path: String
  let state: Mutex<State>

  init(at path: String, _ status: Status, _ alarms: [AlarmEntry] = []) throws {
    self.path = path
    state = Mutex(State(status: status, alarms: alarms))
    unlink(path)
    let listener = try UnixSocket.listen(path)
    start(Handover(listener: listener, engine: self))
  }

  /// Changes the status and tells every subscriber.
  func tell(_ change: (inout Status) -> Void) {
    state.withLock {
      change(&$0.status)
      $0.turn += 1
    }
  }

  /// Ends like an engine that died: every socket is closed and the path is dead.
  func end() throws {
    state.withLock { $0.isOver = true }
    try wait(until: "the engine has ended") { $0.hasEnded }
  }

  func wait(until what: String, _ condition: (State) -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while !state.withLock({ condition($0) }) {
      if ContinuousClock.now > end {
        throw Overdue(description: "it is not so that \(what): \(state.withLock { $0.asked })")
      }
      usleep(5000)
    }
  }

  func wait(forRequest method: String) throws {
    try wait(until: "“\(method)” was asked") { $0.asked.contains(method) }
  }

  /// @unchecked: given to the thread, which alone uses it.
  private final class Handover: @unchecked Sendable {
    let listener: Descriptor
    let engine: FakeEngine
    init(listener: Descriptor, engine: FakeEngine) { (self.listener, self.engine) = (listener, engine) }
  }

  private func start(_ handover: Handover) {
    var thread = pthread_t()
    _ = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let handover = Unmanaged<Handover>.fromOpaque(context).takeRetainedValue()
        handover.engine.serve(handover.listener)
        return nil
      }, Unmanaged.passRetained(handover).toOpaque())
    pthread_detach(thread)
  }

  private func serve(_ listener: Descriptor) {
    var peers: [Descriptor] = []
    var framers: [LineFramer] = []
    var turn = 0
    while !state.withLock({ $0.isOver }) {
      var waits = ([listener] + peers).map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      poll(&waits, nfds_t(waits.count), 10)
      if let peer = try? UnixSocket.accept(listener) {
        peers.append(peer)
        framers.append(LineFramer())
      }
      for index in peers.indices {
        guard let bytes = try? UnixSocket.receive(peers[index]) else { continue }
        framers[index].append(bytes)
        while case .line(let line)? = framers[index].next() { answer(line, peers[index]) }
      }
      let (now, status) = state.withLock { ($0.turn, $0.status) }
      if now != turn {
        turn = now
        let line = Outgoing.notification(method: "status", params: status)
        for peer in peers { _ = try? UnixSocket.send(peer, line[...]) }
      }
    }
    peers = []
    listener.close()
    unlink(path)
    state.withLock { $0.hasEnded = true }
  }

  private func answer(_ line: [UInt8], _ peer: Descriptor) {
    guard case .request(let id, let method, let params)? = try? Incoming(line: line) else { return }
    let (status, alarms) = state.withLock {
      $0.asked.append(method)
      return ($0.status, $0.alarms)
    }
    let reply: [UInt8]
    switch method {
    case "hello":
      reply = Outgoing.reply(
        id: id, result: Hello(protocol: Methods.protocolVersion, version: "test", pid: getpid()))
    case "subscribe": reply = Outgoing.reply(id: id, result: status)
    case "list": reply = Outgoing.reply(id: id, result: alarms)
    case "add":
      let words = (try? params.json())?["when"]
      guard case .string(let when)? = words else { return }
      var entry = AlarmEntry(id: 9, when: when, sentence: "understood “\(when)”")
      entry.next = nil
      state.withLock { $0.alarms.append(entry) }
      reply = Outgoing.reply(id: id, result: AlarmReply(alarms: [entry]))
    case "queue.list": reply = Outgoing.reply(id: id, result: Samples.queue)
    case "inbox": reply = Outgoing.reply(id: id, result: status.inbox)
    case "log": reply = Outgoing.reply(id: id, result: Samples.log)
    case "dismiss":
      state.withLock {
        $0.status.ringing = []
        $0.turn += 1
      }
      reply = Outgoing.reply(id: id, result: DoneReply(lines: ["dismissed"]))
    default: reply = Outgoing.reply(id: id, result: DoneReply(lines: ["\(method): done"]))
    }
    _ = try? UnixSocket.send(peer, reply[...])
  }
}
