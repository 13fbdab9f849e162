import Platform

/// The number on the program's icon in docks that know Unity's launcher protocol (`com.canonical.Unity.LauncherEntry`):
/// KDE Plasma, Dash to Dock, Plank. A signal is all of it; docks forget it when the sender leaves the bus.
public final class LauncherBadge {
  private let bus: Bus
  private var watch: ConnectionWatch?
  private var count = 0
  private var isUrgent = false
  private var wasSent = false

  static let path = "/com/canonical/unity/launcherentry/reveille"
  static let interface = "com.canonical.Unity.LauncherEntry"
  static let entry = "application://reveille.desktop"

  public init(_ bus: Bus) {
    self.bus = bus
    watch = ConnectionWatch(bus) { [weak self] isConnected in
      guard let self else { return }
      wasSent = false
      if isConnected, count > 0 || isUrgent { send() }
    }
  }

  /// `count` 0 shows none; `isUrgent`: something rings.
  public func set(_ count: Int, isUrgent: Bool) {
    let isSame = count == self.count && isUrgent == self.isUrgent
    (self.count, self.isUrgent) = (count, isUrgent)
    if !isSame || !wasSent && (count > 0 || isUrgent) { send() }
  }

  private func send() {
    guard bus.isConnected else { return }
    wasSent = true
    bus.emit(
      LauncherBadge.path, LauncherBadge.interface, "Update",
      [
        .string(LauncherBadge.entry),
        .properties([
          ("count", .int64(Int64(count))), ("count-visible", .bool(count > 0)), ("urgent", .bool(isUrgent)),
        ]),
      ])
  }
}
