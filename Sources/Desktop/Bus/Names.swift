import Platform

/// Who has a name on the bus, and word of every change.
public final class NameWatch: BusPart {
  /// The unique name of the owner; nil where nobody has it, or there is no bus.
  public private(set) var owner: String?
  /// It is known who has it, or that there is no bus now.
  public var isSettled: Bool { bus.isSettled && !isAsking }
  private var isAsking = false
  private let bus: Bus
  private let name: String
  private let changed: (String?) -> Void
  private var match: SignalMatch?

  /// `changed` is told the new owner, also where one took over from another.
  public init(_ bus: Bus, _ name: String, changed: @escaping (String?) -> Void) {
    (self.bus, self.name, self.changed) = (bus, name, changed)
    match = SignalMatch(
      bus, from: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      first: name
    ) { [weak self] signal in
      guard signal.sender == "org.freedesktop.DBus", signal[0]?.text == name, let owner = signal[2]?.text
      else { return }
      self?.set(owner.isEmpty ? nil : owner)
    }
    bus.add(self)
  }

  func connected() {
    // Asked after the match was put in, so that no change falls between the two.
    isAsking = true
    bus.call(.bus, "GetNameOwner", [.string(name)]) { [weak self] result in
      self?.isAsking = false
      if case .success(let reply) = result { self?.set(reply[0]?.text) }
    }
  }

  func disconnected() {
    isAsking = false
    set(nil)
  }

  private func set(_ new: String?) {
    guard new != owner else { return }
    owner = new
    changed(new)
  }
}

/// A name that is asked for on every connection, as long as this object lives.
public final class OwnedName: BusPart {
  /// The name that is ours, or is waited for.
  public private(set) var name: String
  /// It is ours now.
  public private(set) var isOwned = false
  private let wanted: String
  private let other: String?
  private let bus: Bus
  private let changed: (Bool) -> Void
  private var matches: [SignalMatch] = []

  /// Where somebody has the name already, `other` is taken, or else the name is waited for in the bus's queue. `changed` is
  /// told when one is ours and when it is no more.
  public init(
    _ bus: Bus, _ name: String, otherwise other: String? = nil, changed: @escaping (Bool) -> Void = { _ in }
  ) {
    (self.bus, self.name, self.changed) = (bus, name, changed)
    (wanted, self.other) = (name, other)
    for (member, owned) in [("NameAcquired", true), ("NameLost", false)] {
      matches.append(
        SignalMatch(
          bus, from: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: member
        ) { [weak self] signal in
          guard let self, signal.sender == "org.freedesktop.DBus", signal[0]?.text == self.name else {
            return
          }
          set(owned)
        })
    }
    bus.add(self)
  }

  deinit { bus.call(.bus, "ReleaseName", [.string(name)]) }

  func connected() { request(wanted, orElse: other) }

  private func request(_ name: String, orElse other: String?) {
    self.name = name
    // 4: not queued.
    let flags: UInt32 = other == nil ? 0 : 4
    bus.call(.bus, "RequestName", [.string(name), .uint32(flags)]) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let reply):
        switch reply[0]?.number {
        // Ours; ours already.
        case 1, 4: set(true)
        // Somebody else's.
        case 3: if let other { request(other, orElse: nil) }
        default: break
        }
      case .failure(let error):
        if error != .disconnected { Log.warning("the bus does not give the name “\(name)”: \(error)") }
      }
    }
  }

  func disconnected() { set(false) }

  private func set(_ owned: Bool) {
    guard owned != isOwned else { return }
    isOwned = owned
    changed(owned)
  }
}

/// Word of every connection and its end.
public final class ConnectionWatch: BusPart {
  private let changed: (_ isConnected: Bool) -> Void
  public init(_ bus: Bus, _ changed: @escaping (_ isConnected: Bool) -> Void) {
    self.changed = changed
    bus.add(self)
  }
  func connected() { changed(true) }
  func disconnected() { changed(false) }
}
