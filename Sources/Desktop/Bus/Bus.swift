import CSystemd
import Glibc
import Platform

/// A connection to a message bus that comes again whenever it can: `sd_bus` on the loop.
///
/// Nothing here ever waits: connecting, the handshake and every call go through the loop, because a bus that hangs (a
/// stopped daemon) would hold up a synchronous call for half a minute. Where there is no bus this says so once in the log
/// and looks for it now and then, and when its socket appears. What was made on it (`SignalMatch`, `NameWatch`,
/// `OwnedName`, `ExportedObject`) is there again on every new connection.
///
/// Made, used and ended on the loop's thread.
public final class Bus {
  public enum Kind: String, Sendable { case session, system }

  let loop: EventLoop
  public let kind: Kind
  let address: BusAddress?
  /// Handshake and greeting are over; calls go out.
  public private(set) var isConnected = false

  /// Where it is looked for, sanitised; nil where its address names no local socket.
  public var place: String? { address.map { clean($0.text, atMost: 300) } }

  private(set) var pointer: OpaquePointer?
  private var filter: OpaquePointer?
  private var isClosed = false
  private var retryTimer: TimerSource?
  private var deadlineTimer: TimerSource?
  private var lossWork: DeferredSource?
  private var socketWatch: FileChangeSource?
  /// Until the next attempt, in microseconds; it grows while nothing comes of them.
  private var pause = Bus.shortestPause
  private var connectedAt: Int64 = 0
  private var isMissed = false
  /// Connected, or known to be missing for now.
  public var isSettled: Bool { isConnected || isMissed || address == nil }

  private var parts: [WeakPart] = []
  var pending: [ObjectIdentifier: PendingCall] = [:]

  private static let shortestPause: Int64 = 100_000
  /// Where the socket cannot be watched for, else ten times that.
  private static let longestPause: Int64 = 30_000_000
  /// A daemon that takes longer over its greeting hangs.
  private static let patience: Int64 = 10_000_000

  /// The address is the environment's (`DBUS_SESSION_BUS_ADDRESS`, `DBUS_SYSTEM_BUS_ADDRESS`), else the usual one. The
  /// first attempt is made when the loop runs.
  public init(_ loop: EventLoop, _ kind: Kind, environment: [String: String] = currentEnvironment())
    throws(SystemError)
  {
    (self.loop, self.kind) = (loop, kind)
    address = BusAddress(kind, environment: environment)
    retryTimer = try TimerSource(loop, .boot) { [weak self] in self?.connect() }
    deadlineTimer = try TimerSource(loop, .monotonic) { [weak self] in
      self?.lose("it does not answer")
    }
    lossWork = try DeferredSource(loop) { [weak self] in self?.lose("the connection ended") }
    guard address != nil else {
      Log.info("the \(kind.rawValue) bus has no local socket in its address, so it is done without")
      return
    }
    retryTimer?.arm(atMicroseconds: 0)
  }

  deinit { close() }

  /// Leaves the bus for good, without waiting for anything. What was sent before has been written already, unless the
  /// bus hangs.
  public func close() {
    isClosed = true
    retryTimer?.cancel()
    socketWatch?.cancel()
    drop()
  }

  // MARK: What stays over connections

  func add(_ part: any BusPart) {
    parts.removeAll { $0.part == nil }
    parts.append(WeakPart(part: part))
    if isConnected { part.connected() }
  }

  // MARK: Connecting

  private func connect() {
    guard let address, pointer == nil, !isClosed else { return }
    watchSocket()
    let result = start(address)
    if result < 0 { return lose(SystemError.reason(-result)) }
    deadlineTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Bus.patience)
  }

  private func start(_ address: BusAddress) -> Int32 {
    let made = sd_bus_new(&pointer)
    guard made >= 0, let pointer else { return made < 0 ? made : -ENOMEM }
    let steps: [() -> Int32] = [
      { sd_bus_set_address(pointer, address.text) },
      { sd_bus_set_bus_client(pointer, 1) },
      { sd_bus_negotiate_fds(pointer, 1) },
      { sd_bus_set_connected_signal(pointer, 1) },
      // At the loop's end libsystemd would flush, and wait for a bus that hangs.
      { sd_bus_set_close_on_exit(pointer, 0) },
      { Bus.addFilter(pointer, &self.filter, self) },
      { sd_bus_start(pointer) },
      // After timers and devices: a chatty bus holds up no ring.
      { sd_bus_attach_event(pointer, self.loop.event, Int32(EventSource.Priority.low.rawValue)) },
    ]
    for step in steps {
      let result = step()
      if result < 0 { return result }
    }
    return 0
  }

  private static func addFilter(_ pointer: OpaquePointer, _ slot: inout OpaquePointer?, _ me: Bus) -> Int32 {
    // Unretained: the filter goes in `drop`, before this object does.
    sd_bus_add_filter(
      pointer, &slot,
      { message, context, _ in
        guard let message, let context else { return 0 }
        let me = Unmanaged<Bus>.fromOpaque(context).takeUnretainedValue()
        // libsystemd refuses these from anybody but itself.
        let local = "org.freedesktop.DBus.Local"
        if sd_bus_message_is_signal(message, local, "Connected") > 0 {
          me.becomeConnected()
        } else if sd_bus_message_is_signal(message, local, "Disconnected") > 0 {
          // Not here, within the work of what is to be freed.
          me.lossWork?.schedule()
        }
        return 0
      }, Unmanaged.passUnretained(me).toOpaque())
  }

  private func becomeConnected() {
    deadlineTimer?.disarm()
    isConnected = true
    connectedAt = Clocks.bootMicroseconds()
    if isMissed { Log.info("the \(kind.rawValue) bus is there") }
    isMissed = false
    for part in parts { part.part?.connected() }
  }

  /// There is no connection any more, or none came about.
  private func lose(_ reason: String) {
    guard !isClosed else { return }
    if !isMissed {
      let place = address.map { " at “\(clean($0.text, atMost: 300))”" } ?? ""
      Log.info("there is no \(kind.rawValue) bus\(place) (\(reason)); it is looked for again")
    }
    isMissed = true
    // A bus that takes everybody and drops them at once is not asked without a pause.
    if isConnected, Clocks.bootMicroseconds() - connectedAt > 5_000_000 { pause = Bus.shortestPause }
    drop()
    retryTimer?.arm(atMicroseconds: Clocks.bootMicroseconds() + pause)
    pause = min(pause * 2, socketWatch == nil ? Bus.longestPause : Bus.longestPause * 10)
  }

  private func drop() {
    deadlineTimer?.disarm()
    let wasConnected = isConnected
    isConnected = false
    if wasConnected { for part in parts { part.part?.disconnected() } }
    let calls = pending.values
    pending = [:]
    for call in calls { call.end(.failure(.disconnected)) }
    sd_bus_slot_unref(filter)
    filter = nil
    guard let pointer else { return }
    self.pointer = nil
    sd_bus_detach_event(pointer)
    sd_bus_close(pointer)
    sd_bus_unref(pointer)
  }

  /// The folder in which the socket will appear, where it is there already.
  private func watchSocket() {
    guard socketWatch == nil, let path = address?.socketPath, let slash = path.lastIndex(of: "/") else {
      return
    }
    let name = Array(path[path.index(after: slash)...].utf8)
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let mask =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_ONLYDIR)
    socketWatch = try? FileChangeSource(loop, folder, mask: mask) { [weak self] changed, mask in
      guard let self else { return }
      if mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_IGNORED)) != 0 {
        // A runtime folder that goes with the logout; a new one is watched at a later attempt.
        socketWatch = nil
        pause = min(pause, Bus.longestPause)
      } else if changed == name, pointer == nil, !isClosed {
        // It is bound before it listens; a refusal is soon tried again.
        pause = Bus.shortestPause
        retryTimer?.arm(atMicroseconds: Clocks.bootMicroseconds() + 20_000)
      }
    }
  }
}

/// Something that is made anew on every connection.
protocol BusPart: AnyObject {
  func connected()
  func disconnected()
}

private struct WeakPart {
  weak var part: (any BusPart)?
}
