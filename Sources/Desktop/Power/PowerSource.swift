import Glibc
import Platform

/// Where the machine's power comes from.
public struct PowerState: Equatable, Sendable {
  /// nil: nobody knows, as on most desktop machines.
  public var isOnBattery: Bool?
  /// Of the battery, 0–100; nil: there is none.
  public var percentage: Double?

  public init(isOnBattery: Bool? = nil, percentage: Double? = nil) {
    (self.isOnBattery, self.percentage) = (isOnBattery, percentage)
  }

  /// What the kernel says (`/sys/class/power_supply`; sysfs-class-power), for a machine without UPower. Reads files that a
  /// battery may be slow to answer: for a worker.
  public static func ofKernel(_ folder: String = "/sys/class/power_supply") -> PowerState {
    func word(_ supply: String, _ name: String) -> String? {
      guard let bytes = try? readFile("\(folder)/\(supply)/\(name)") else { return nil }
      return String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
    }
    var state = PowerState()
    var hasMains = false
    var isMainsOn = false
    var isDischarging = false
    for supply in namesInFolder(folder) {
      switch word(supply, "type") {
      case "Mains", "USB":
        hasMains = true
        isMainsOn = isMainsOn || word(supply, "online") == "1"
      case "Battery":
        // A mouse's or a keyboard's says so.
        if word(supply, "scope") == "Device" { continue }
        if let capacity = word(supply, "capacity").flatMap(Double.init) {
          state.percentage = max(state.percentage ?? 0, min(max(capacity, 0), 100))
        }
        isDischarging = isDischarging || word(supply, "status") == "Discharging"
      default: continue
      }
    }
    if state.percentage != nil { state.isOnBattery = hasMains ? !isMainsOn : isDischarging }
    return state
  }
}

/// UPower on the system bus (`org.freedesktop.UPower`): on battery or not, and how much is left. On the loop's thread.
public final class PowerSource {
  public private(set) var state = PowerState()
  /// UPower is there to say.
  public var isServed: Bool { watch?.owner != nil }
  private let bus: Bus
  private let changed: (PowerState) -> Void
  private var watch: NameWatch?
  private var matches: [SignalMatch] = []
  private var starter: ConnectionWatch?
  private var hasBattery = true
  private var lastShare: Double?

  private static let name = "org.freedesktop.UPower"
  private static let path = "/org/freedesktop/UPower"
  private static let battery = path + "/devices/DisplayDevice"
  private static let properties = "org.freedesktop.DBus.Properties"

  public init(_ system: Bus, changed: @escaping (PowerState) -> Void) {
    (bus, self.changed) = (system, changed)
    for path in [PowerSource.path, PowerSource.battery] {
      matches.append(
        SignalMatch(
          system, from: PowerSource.name, path: path, interface: PowerSource.properties,
          member: "PropertiesChanged"
        ) { [weak self] signal in
          guard let self, signal.sender == watch?.owner else { return }
          take(signal[1], path)
        })
    }
    watch = NameWatch(system, PowerSource.name) { [weak self] owner in
      guard let self else { return }
      owner == nil ? set(PowerState()) : ask()
    }
    // It is started by whoever asks first.
    starter = ConnectionWatch(system) { [weak self] in if $0 { self?.ask() } }
  }

  private func ask() {
    for (path, interface) in [
      (PowerSource.path, PowerSource.name), (PowerSource.battery, PowerSource.name + ".Device"),
    ] {
      bus.call(
        BusTarget(PowerSource.name, path, PowerSource.properties), "GetAll", [.string(interface)]
      ) { [weak self] result in
        if case .success(let reply) = result { self?.take(reply[0], path) }
      }
    }
  }

  private func take(_ values: BusValue?, _ path: String) {
    var new = state
    if path == PowerSource.path {
      if let onBattery = values?[key: "OnBattery"]?.truth { new.isOnBattery = onBattery }
    } else {
      // A machine without a battery has a display device all the same.
      if let isPresent = values?[key: "IsPresent"]?.truth { hasBattery = isPresent }
      if let share = values?[key: "Percentage"]?.real, share.isFinite { lastShare = min(max(share, 0), 100) }
      new.percentage = hasBattery ? lastShare : nil
    }
    set(new)
  }

  private func set(_ new: PowerState) {
    guard new != state else { return }
    state = new
    changed(new)
  }
}
