import Platform

/// Who has a name on the bus, and word of every change.
public final class NameWatch: BusPart {
  /// The unique name of the owner; nil where nobody has it, or there is no bus.
  public private(set) var owner: String?
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
    bus.call(.bus, "GetNameOwner", [.string(name)]) { [weak self] result in
      if case .success(let reply) = result { self?.set(reply[0]?.text) }
    }
  }

  func disconnected() { set(nil) }

  private func set(_ new: String?) {
    guard new != owner else { return }
    owner = new
    changed(new)
  }
}

/// A name that is asked for on every connection, as long as this object lives.
public final class OwnedName: BusPart {
  public let name: String
  /// It is ours now.
  public private(set) var isOwned = false
  private let bus: Bus
  private let changed: (Bool) -> Void
  private var matches: [SignalMatch] = []

  /// Where somebody has the name already, it is waited for in the bus's queue. `changed` is told when it is ours and
  /// when it is no more.
  public init(_ bus: Bus, _ name: String, changed: @escaping (Bool) -> Void = { _ in }) {
    (self.bus, self.name, self.changed) = (bus, name, changed)
    for (member, owned) in [("NameAcquired", true), ("NameLost", false)] {
      matches.append(
        SignalMatch(
          bus, from: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: member, first: name
        ) { [weak self] signal in
          if signal.sender == "org.freedesktop.DBus", signal[0]?.text == name { self?.set(owned) }
        })
    }
    bus.add(self)
  }

  deinit { bus.call(.bus, "ReleaseName", [.string(name)]) }

  func connected() {
    bus.call(.bus, "RequestName", [.string(name), .uint32(0)]) { [weak self] result in
      switch result {
      // 1: ours; 2: queued; 4: ours already.
      case .success(let reply): self?.set(reply[0]?.number == 1 || reply[0]?.number == 4)
      case .failure(let error): Log.warning("the bus does not give the name: \(error)")
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
