import CLinux
import Glibc
import Platform
import Wire

/// The socket: who may connect, how many, and what becomes of it when somebody removes it.
final class Server {
  static let mostClients = 64
  /// Pauses between two attempts to make the socket. The longest is short enough for a client that has just made the
  /// folder to wait for it.
  static let firstPause: Int64 = 500_000
  static let longestPause: Int64 = 2_000_000

  let loop: EventLoop
  private let paths: Paths
  private let handle: (Request) -> Void
  private let clientsChanged: () -> Void
  private var makeStatus: () -> [UInt8] = { [] }

  private var listener: Descriptor?
  private var listenerSource: DescriptorSource?
  private var folderWatch: FileChangeSource?
  private var retry: TimerSource?
  private var retryPause = Server.firstPause
  /// Why it cannot listen, as it was logged.
  private var lastTrouble: SystemError?
  private var later: DeferredSource?
  private var waiting: [Connection] = []
  /// Made by a service manager, which hands it over once and keeps it.
  private var handedOver: ServiceManager.HandedOver?
  /// The file of the socket was made by this engine, which takes it away when it ends.
  private var madeSocket = false
  /// Device and inode of our own socket file.
  private var identity: (dev_t, ino_t)?

  private(set) var connections: [Int: Connection] = [:]
  private var lastNumber = 0

  /// `handle` is called for every request, `clientsChanged` when a connection came, went or said who it is.
  init(
    _ loop: EventLoop, _ paths: Paths, _ handedOver: ServiceManager.HandedOver?,
    handle: @escaping (Request) -> Void,
    clientsChanged: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.paths = paths
    self.handedOver = handedOver
    self.handle = handle
    self.clientsChanged = clientsChanged
    later = try DeferredSource(loop) { [weak self] in self?.takeTurns() }
    retry = try TimerSource(loop, .monotonic, accuracy: 100_000) { [weak self] in self?.bindAnew() }
  }

  /// Binds and listens. The caller holds the lock beside the data, so a socket that nobody answers at was left by a dead
  /// engine; one that answers belongs to an engine of other data.
  func listen() throws(SystemError) {
    try paths.makeRuntimeFolder()
    let path = paths.socket
    if let given = takeHandedOver() { return try listen(on: given) }
    if try removeDeadSocket(path) {
      throw SystemError("another engine answers at “\(clean(path))”", code: EADDRINUSE)
    }
    let socket = try UnixSocket.listen(path)
    madeSocket = true
    try listen(on: socket)
  }

  /// The socket that a service manager made, where it is the one that clients look for.
  private func takeHandedOver() -> Descriptor? {
    guard let given = handedOver else { return nil }
    handedOver = nil
    guard given.path == paths.socket else {
      Log.warning(
        "the socket that was handed over is at “\(clean(given.path))”, where nobody looks for it; the engine listens at “\(clean(paths.socket))”"
      )
      return nil
    }
    // Its file is gone: nobody can connect to it, so another one is made.
    guard access(given.path, F_OK) == 0 else { return nil }
    return given.socket
  }

  private func listen(on socket: Descriptor) throws(SystemError) {
    let path = paths.socket
    var status = stat()
    try check("cannot look at “\(clean(path))”") { lstat(path, &status) }
    identity = (status.st_dev, status.st_ino)
    listenerSource = try DescriptorSource(loop, socket.number, .reading) { [weak self] _ in
      self?.acceptSome()
    }
    listenerSource?.setPriority(.low)
    listener = socket
    do {
      folderWatch = try FileChangeSource(
        loop, paths.runtime,
        mask: UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
      ) { [weak self] _, _ in
        self?.folderChanged()
      }
    } catch {
      // A user has only so many of these, and an editor may hold them all.
      folderWatch = nil
      Log.warning("\(error); a socket that is removed is not made anew before a restart")
    }
  }

  /// It could not listen; it tries again until it can.
  func listenLater(_ error: SystemError) {
    if lastTrouble != error {
      Log.warning("nobody can reach this engine until its socket can be made: \(error)")
      lastTrouble = error
    }
    retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + retryPause)
    retryPause = min(retryPause * 2, Server.longestPause)
  }

  /// True when somebody answers there.
  private func removeDeadSocket(_ path: String) throws(SystemError) -> Bool {
    do {
      try UnixSocket.connect(path).close()
      return true
    } catch {
      switch error.code {
      case ECONNREFUSED: unlink(path)
      case ENOENT: break
      default: throw error
      }
      return false
    }
  }

  /// The end: nobody is let in any more, the socket file goes if it is still ours; connections stay until `closeAll`. At
  /// one that was handed over whoever connects from now on waits for the next engine.
  func stopListening() {
    folderWatch?.cancel()
    retry?.cancel()
    listenerSource?.cancel()
    if madeSocket, socketIsOurs { unlink(paths.socket) }
    listener?.close()
    listener = nil
  }

  func closeAll() {
    for connection in Array(connections.values) { connection.close() }
  }

  private var socketIsOurs: Bool {
    var status = stat()
    guard let identity, lstat(paths.socket, &status) == 0 else { return false }
    return identity == (status.st_dev, status.st_ino)
  }

  private func folderChanged() {
    guard !socketIsOurs else { return }
    // Not from within the handler of the watch that is replaced here.
    retryPause = Server.firstPause
    retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 10_000)
  }

  private func bindAnew() {
    if listener != nil, socketIsOurs { return resumeAccepting() }
    listenerSource?.cancel()
    folderWatch?.cancel()
    listener?.close()
    listener = nil
    do {
      try listen()
      retryPause = Server.firstPause
      lastTrouble = nil
      Log.warning("the socket “\(clean(paths.socket))” was gone; it is there again")
    } catch {
      listenLater(error)
    }
  }

  private func acceptSome() {
    guard let listener else { return }
    for _ in 0..<16 {
      do {
        guard let socket = try UnixSocket.accept(listener) else { return }
        try take(socket)
      } catch {
        if error.code == EMFILE, closeIdlest() { continue }
        // Out of descriptors: the listener would stay readable and the loop would spin.
        Log.warning("\(error); trying again in a second")
        listenerSource?.setInterest([])
        retry?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 1_000_000)
        return
      }
    }
  }

  private func resumeAccepting() { listenerSource?.setInterest(.reading) }

  private func take(_ socket: Descriptor) throws(SystemError) {
    let peer = try UnixSocket.peer(socket)
    var refusal: String?
    if peer.user != getuid() {
      refusal = "this engine belongs to another user: user \(peer.user) may not use it"
      Log.warning("user \(peer.user) (process \(peer.process)) tried to connect and was refused")
    } else if connections.count >= Server.mostClients, !closeIdlest() {
      refusal = "\(Server.mostClients) clients are connected already: close one first"
    }
    if let refusal {
      let line = Outgoing.failure(id: .null, WireError(code: ErrorCode.refused, refusal))
      _ = try? UnixSocket.send(socket, line[...])
      return
    }
    lastNumber += 1
    connections[lastNumber] = try Connection(socket, number: lastNumber, server: self)
  }

  /// Makes room for a new client, which may be a person who wants silence: of those that only hold a connection, the one
  /// that has said nothing for the longest time is closed. False where all are in use.
  private func closeIdlest() -> Bool {
    let idle = connections.values.filter(\.isIdle).min {
      ($0.lastHeard, $0.number) < ($1.lastHeard, $1.number)
    }
    guard let idle else { return false }
    Log.debug("client \(idle.number) has said nothing for the longest time; it makes room for another")
    idle.close()
    return true
  }

  // MARK: What connections tell

  func receive(_ request: Request) { handle(request) }

  func connectionClosed(_ connection: Connection) {
    connections[connection.number] = nil
    clientsChanged()
  }

  func continueLater(_ connection: Connection) {
    waiting.append(connection)
    later?.schedule()
  }

  private func takeTurns() {
    let turn = waiting
    waiting = []
    for connection in turn { connection.continueReading() }
  }

  // MARK: Status

  /// How the line with the newest status is made; called only when somebody is to get it.
  func setStatus(_ make: @escaping () -> [UInt8]) { makeStatus = make }

  var hasSubscribers: Bool { connections.values.contains { $0.isSubscribed } }
  var hasScreen: Bool { connections.values.contains { $0.isScreen } }
  /// For each screen, whether it has the focus.
  var screens: [Bool] { connections.values.filter(\.isScreen).map(\.isFocused) }

  /// A screen has the focus for certain: its terminal reports it.
  var hasSeenScreen: Bool { connections.values.contains { $0.isScreen && $0.isSeen } }
  var hasMotionSubscribers: Bool { connections.values.contains { $0.isSubscribed && $0.wantsMotion } }

  /// Sends a status line to every subscriber, or to those that want to be told of what only time moves; one that has not
  /// read the last yet gets the newest later, once.
  func broadcastStatus(_ line: [UInt8], motionOnly: Bool = false) {
    for connection in Array(connections.values)
    where connection.isSubscribed && (connection.wantsMotion || !motionOnly) {
      if connection.isDrained {
        connection.send(line)
      } else {
        connection.owesStatus = true
      }
    }
  }

  func sendOwedStatus(to connection: Connection) {
    connection.owesStatus = false
    connection.send(makeStatus())
  }

  func wantsLevels(onBattery: Bool) -> Bool {
    connections.values.contains { $0.levels.holds(onBattery: onBattery) }
  }
  /// Whether somebody wants levels depends on where the power comes from.
  var hasLevelsOnMains: Bool { connections.values.contains { $0.levels == .onMains } }

  /// Sends how loud it is now; one that has not read what was sent before does without.
  func broadcastLevels(_ line: [UInt8], onBattery: Bool) {
    for connection in Array(connections.values)
    where connection.isDrained && connection.levels.holds(onBattery: onBattery) {
      connection.send(line)
    }
  }

  /// Sends an event to those who asked for its name; false where nobody did.
  @discardableResult
  func broadcastEvent(_ name: String, _ members: JSON) -> Bool {
    var line: [UInt8]?
    for connection in Array(connections.values) where connection.events.contains(name) {
      let made =
        line ?? Outgoing.notification(method: "event", params: ["name": .string(name), "data": members])
      line = made
      connection.send(made)
    }
    return line != nil
  }
}
