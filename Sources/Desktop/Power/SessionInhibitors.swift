import Platform

/// What the desktop itself listens to before it blanks or sleeps: GNOME's session manager, the screen saver (KDE, MATE,
/// Cinnamon, XFCE) and the portal, each where it runs; none is started for this. On the loop's thread.
public final class SessionInhibitors {
  public struct Wanted: Equatable, Sendable {
    public var idle: Bool
    public var sleep: Bool
    public init(idle: Bool, sleep: Bool) { (self.idle, self.sleep) = (idle, sleep) }
    /// The bits of `org.gnome.SessionManager` and of the portal: 4 suspend, 8 idle.
    fileprivate var flags: UInt32 { (sleep ? 4 : 0) | (idle ? 8 : 0) }
    fileprivate var words: String {
      [idle ? "idle" : nil, sleep ? "sleep" : nil].compactMap(\.self).joined(separator: ":")
    }
  }

  fileprivate enum Service: CaseIterable {
    case gnome, screenSaver, portal

    var target: BusTarget {
      switch self {
      case .gnome:
        BusTarget(
          "org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager")
      case .screenSaver:
        BusTarget(
          "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver")
      case .portal:
        BusTarget(
          "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
          "org.freedesktop.portal.Inhibit")
      }
    }

    /// The arguments of `Inhibit`; nil where this service has nothing for what is wanted.
    func arguments(_ wanted: Wanted, _ reason: String) -> [BusValue]? {
      switch self {
      case .gnome:
        wanted.flags == 0 ? nil : [.string("reveille"), .uint32(0), .string(reason), .uint32(wanted.flags)]
      case .screenSaver: wanted.idle ? [.string("reveille"), .string(reason)] : nil
      case .portal:
        wanted.flags == 0
          ? nil : [.string(""), .uint32(wanted.flags), .properties([("reason", .string(reason))])]
      }
    }

    /// The call that gives back what `Inhibit` answered; nil where that is none of its shape.
    func release(_ answer: BusValue?) -> (target: BusTarget, member: String, arguments: [BusValue])? {
      switch (self, answer) {
      case (.gnome, .uint32(let cookie)?): (target, "Uninhibit", [.uint32(cookie)])
      case (.screenSaver, .uint32(let cookie)?): (target, "UnInhibit", [.uint32(cookie)])
      case (.portal, .objectPath(let path)?):
        (BusTarget(target.destination, path, "org.freedesktop.portal.Request"), "Close", [])
      default: nil
      }
    }
  }

  /// One service and what it holds for us.
  fileprivate final class Lock {
    let service: Service
    var watch: NameWatch?
    var release: (target: BusTarget, member: String, arguments: [BusValue])?
    /// What it holds; nil: nothing.
    var held: Wanted?
    var refusal: String?
    var isAsking = false
    init(_ service: Service) { self.service = service }
    func forget() { (release, held, refusal) = (nil, nil, nil) }
  }

  private let bus: Bus
  private let changed: () -> Void
  private var locks: [Lock] = []
  private var wanted = Wanted(idle: false, sleep: false)
  private var reason = ""

  /// `changed` is called when what `states` says is another.
  public init(_ session: Bus, changed: @escaping () -> Void) {
    (bus, self.changed) = (session, changed)
    for service in Service.allCases {
      let lock = Lock(service)
      locks.append(lock)
      lock.watch = NameWatch(session, service.target.destination) { [weak self, weak lock] _ in
        guard let self, let lock else { return }
        lock.forget()
        update(lock)
        self.changed()
      }
    }
  }

  public func hold(_ wanted: Wanted, reason: String) {
    guard wanted != self.wanted else { return }
    (self.wanted, self.reason) = (wanted, clean(reason, atMost: 200))
    for lock in locks {
      lock.refusal = nil
      update(lock)
    }
    changed()
  }

  /// One for each service that runs and was asked.
  public var states: [InhibitorState] {
    locks.compactMap { lock in
      guard lock.watch?.owner != nil, lock.service.arguments(wanted, reason) != nil else { return nil }
      let words = lock.service == .screenSaver ? "idle" : wanted.words
      return InhibitorState(
        what: words, mode: Logind.Mode.block.rawValue, by: lock.service.target.destination,
        isHeld: lock.held == wanted, refused: lock.refusal)
    }
  }

  private func update(_ lock: Lock) {
    guard lock.watch?.owner != nil, !lock.isAsking, lock.refusal == nil else { return }
    guard let arguments = lock.service.arguments(wanted, reason) else {
      if let release = lock.release {
        bus.call(release.target, release.member, release.arguments, starting: false)
      }
      return lock.forget()
    }
    guard lock.held != wanted else { return }
    let (asked, owner) = (wanted, lock.watch?.owner)
    lock.isAsking = true
    bus.call(lock.service.target, "Inhibit", arguments, starting: false) { [weak self, weak lock] result in
      guard let self, let lock else { return }
      lock.isAsking = false
      guard owner == lock.watch?.owner else { return update(lock) }
      // The new one is held before the old one goes.
      let old = lock.release
      lock.forget()
      switch result {
      case .success(let reply):
        lock.release = lock.service.release(reply[0])
        if lock.release == nil { lock.refusal = BusError.wrongAnswer.description } else { lock.held = asked }
      case .failure(let error): lock.refusal = error.description
      }
      if let old { bus.call(old.target, old.member, old.arguments, starting: false) }
      if asked != wanted { lock.refusal = nil }
      update(lock)
      changed()
    }
  }
}
