import Platform

/// Notifications on the desktop: `org.freedesktop.Notifications` on the session bus (Desktop Notifications Specification
/// 1.2).
///
/// What is wanted is kept here under a key; the server may come, go, hang or drop what it shows, and is given again what
/// is wanted when it can be. Without a bus or a server nothing happens. On the loop's thread.
public final class Notifications {
  let bus: Bus
  let told: (NoticeEvent) -> Void
  var entries: [String: NoticeEntry] = [:]
  /// Of the server that has the name now; nil: not asked yet.
  var capabilities: Set<String>?
  private var isAsking = false
  private var watch: NameWatch?
  private var signals: [SignalMatch] = []
  private var retryTimer: TimerSource?
  /// Tokens that came for a notification, until its action does.
  private var tokens: [UInt32: String] = [:]

  static let target = BusTarget(
    "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications")

  /// `told` is called on the loop.
  public init(_ bus: Bus, _ told: @escaping (NoticeEvent) -> Void) throws(SystemError) {
    (self.bus, self.told) = (bus, told)
    retryTimer = try TimerSource(bus.loop, .boot) { [weak self] in self?.updateAll() }
    for (member, heard) in [
      ("ActionInvoked", Notifications.invoked), ("ActivationToken", Notifications.tokenCame),
      ("NotificationClosed", Notifications.closed),
    ] {
      signals.append(
        SignalMatch(
          bus, from: Notifications.target.destination, path: Notifications.target.path,
          interface: Notifications.target.interface, member: member
        ) { [weak self] signal in
          // Anybody on the bus can send such a signal to us alone.
          guard let self, let owner = watch?.owner, signal.sender == owner else { return }
          guard let number = signal[0]?.number, let id = UInt32(exactly: number), id != 0 else { return }
          heard(self)(id, signal)
        })
    }
    watch = NameWatch(bus, Notifications.target.destination) { [weak self] in self?.ownerChanged($0) }
  }

  /// A server is there now.
  public var isServed: Bool { watch?.owner != nil }

  /// Shows a notification, or changes the one under this key in its place.
  public func show(_ key: String, _ notice: Notice) {
    let entry = entries[key] ?? NoticeEntry()
    entries[key] = entry
    entry.wanted = notice
    update(key, entry)
  }

  /// Takes a notification away, where it is shown.
  public func close(_ key: String) {
    guard let entry = entries[key] else { return }
    entry.wanted = nil
    update(key, entry)
  }

  /// The keys of what is wanted.
  public var wanted: Set<String> { Set(entries.filter { $0.value.wanted != nil }.keys) }

  // MARK: The server

  private func ownerChanged(_ owner: String?) {
    // Another server knows nothing of the notifications of the one before it.
    capabilities = nil
    tokens = [:]
    for entry in entries.values { entry.forgetServer() }
    if owner != nil { updateAll() }
  }

  /// What the server can do is read before the first notification, and again where another server comes. False where that
  /// has to be waited for.
  private func knowsCapabilities() -> Bool {
    if capabilities != nil { return true }
    guard !isAsking else { return false }
    isAsking = true
    let asked = watch?.owner
    bus.call(Notifications.target, "GetCapabilities", patience: .endless) { [weak self] result in
      guard let self else { return }
      isAsking = false
      switch result {
      case .success(let reply):
        // Where another server has come meanwhile, its own answer counts.
        if asked == nil || asked == watch?.owner { capabilities = Set(reply[0]?.textElements ?? []) }
      case .failure(let error):
        // Nobody there: they are shown when somebody comes.
        if error.isNobodyThere { return }
        Log.warning("the notification server does not say what it can do: \(error)")
        capabilities = []
      }
      updateAll()
    }
    return false
  }

  private func updateAll() { for (key, entry) in entries { update(key, entry) } }

  // MARK: One notification

  /// Brings what is shown nearer to what is wanted, one call at a time.
  private func update(_ key: String, _ entry: NoticeEntry) {
    guard bus.isConnected else {
      if entry.wanted == nil { entries[key] = nil }
      return
    }
    // Its answer brings us here again.
    guard !entry.isCalling else { return }
    guard let notice = entry.wanted else {
      if let id = entry.id {
        bus.call(Notifications.target, "CloseNotification", [.uint32(id)], starting: false)
      }
      entries[key] = nil
      return
    }
    if entry.id != nil, entry.shown == notice { return }
    guard knowsCapabilities() else { return }
    let now = Clocks.bootMicroseconds()
    guard now >= entry.notBefore else { return armRetry() }
    entry.isCalling = true
    let server = watch?.owner
    bus.call(
      Notifications.target, "Notify",
      notice.arguments(replacing: entry.id ?? 0, capabilities: capabilities ?? []), patience: .endless
    ) { [weak self] in self?.answered(key, entry, notice, server, $0) }
  }

  private func answered(
    _ key: String, _ entry: NoticeEntry, _ notice: Notice, _ server: String?,
    _ result: Result<Received, BusError>
  ) {
    entry.isCalling = false
    switch result {
    case .success(let reply):
      if let server, server != watch?.owner { break }
      if case .uint32(let id)? = reply[0], id != 0 {
        // One number cannot stand for two.
        for other in entries.values where other !== entry && other.id == id { other.id = nil }
        entry.nowShown(as: id, notice)
        if entry.wanted != nil { told(.shown(key: key)) }
      } else {
        failed(key, entry, .wrongAnswer)
      }
    case .failure(let error):
      // Nobody there: it is shown when somebody comes.
      if error.isNobodyThere { return entry.wanted == nil ? entries[key] = nil : () }
      failed(key, entry, error)
    }
    update(key, entry)
  }

  private func failed(_ key: String, _ entry: NoticeEntry, _ error: BusError) {
    Log.warning("the desktop does not show the notification “\(clean(key))”: \(error)")
    entry.brake(Clocks.bootMicroseconds())
  }

  private func armRetry() {
    let next = entries.values.filter { $0.wanted != nil && $0.id == nil || $0.wanted != $0.shown }.map(
      \.notBefore
    ).min()
    if let next { retryTimer?.arm(atMicroseconds: max(next, Clocks.bootMicroseconds() + 1000)) }
  }

  // MARK: What the server tells

  private func find(_ id: UInt32) -> (key: String, entry: NoticeEntry)? {
    entries.first { $0.value.id == id }.map { ($0.key, $0.value) }
  }

  private func invoked(_ id: UInt32, _ signal: Received) {
    let token = tokens.removeValue(forKey: id)
    guard let (key, entry) = find(id), entry.wanted != nil, let name = signal[1]?.text else { return }
    guard let action = name == "default" ? .open : NoticeAction(rawValue: name) else { return }
    told(.invoked(key: key, action, token: token))
  }

  private func tokenCame(_ id: UInt32, _ signal: Received) {
    guard find(id) != nil, let token = signal[1]?.text, token.utf8.count < 4096 else { return }
    tokens[id] = token
  }

  private func closed(_ id: UInt32, _ signal: Received) {
    tokens[id] = nil
    guard let (key, entry) = find(id) else { return }
    let end = NoticeEnd(code: signal[1]?.number)
    let now = Clocks.bootMicroseconds()
    let stood = now - entry.shownAt
    entry.forgetServer()
    guard let notice = entry.wanted else { return }
    if notice.isRinging {
      // A server that closes at once is asked less and less often.
      if stood < NoticeEntry.shortest { entry.brake(now) } else { entry.releaseBrake() }
    } else if !entry.isCalling {
      entries[key] = nil
    }
    told(.closed(key: key, end))
    // The one who was told may have closed or changed it.
    if entries[key] === entry { update(key, entry) }
  }
}

/// What is known of one notification.
final class NoticeEntry {
  /// nil: it is to go.
  var wanted: Notice?
  /// The server's number for it, while it is shown.
  var id: UInt32?
  var shown: Notice?
  var shownAt: Int64 = 0
  var isCalling = false
  /// CLOCK_BOOTTIME before which it is not shown again.
  var notBefore: Int64 = 0
  private var pause: Int64 = 0

  /// One that stood for less was closed “at once”.
  static let shortest: Int64 = 2_000_000
  private static let longestPause: Int64 = 60_000_000

  func nowShown(as id: UInt32, _ notice: Notice) {
    (self.id, shown, shownAt) = (id, notice, Clocks.bootMicroseconds())
  }

  func forgetServer() { (id, shown) = (nil, nil) }

  func brake(_ now: Int64) {
    pause = min(max(500_000, pause * 2), NoticeEntry.longestPause)
    notBefore = now + pause
  }

  func releaseBrake() { (pause, notBefore) = (0, 0) }
}
