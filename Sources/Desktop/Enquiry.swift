import Platform

/// A question to whoever has a name on a bus, asked once and answered within seconds. For what is looked at now and then and
/// is not worth a watch. On the loop's thread.
public struct Enquiry {
  let bus: Bus
  /// How long one answer may take. What starts a service takes longer than what is there.
  static let patience = Bus.Patience.span(.seconds(4))

  public init(_ bus: Bus) { self.bus = bus }

  /// Who answers on the bus, and who could be started for a name.
  public func hasService(_ name: String, then done: @escaping (Bool) -> Void) {
    bus.call(.bus, "NameHasOwner", [.string(name)], patience: Enquiry.patience) { [bus] result in
      if case .success(let reply) = result, reply[0]?.truth == true { return done(true) }
      bus.call(.bus, "ListActivatableNames", patience: Enquiry.patience) { result in
        guard case .success(let reply) = result else { return done(false) }
        done(reply[0]?.textElements?.contains(name) ?? false)
      }
    }
  }

  /// All properties of an interface, an array of entries (`a{sv}`); nil where nobody answers. Starts the service where it
  /// can be started.
  func properties(
    _ destination: String, _ path: String, _ interface: String, then done: @escaping (BusValue?) -> Void
  ) {
    bus.call(
      BusTarget(destination, path, "org.freedesktop.DBus.Properties"), "GetAll", [.string(interface)],
      patience: Enquiry.patience
    ) { result in
      if case .success(let reply) = result { done(reply[0]) } else { done(nil) }
    }
  }

  /// Whether the clock is synchronised (`org.freedesktop.timedate1`); nil where nobody knows.
  public func isClockSynchronised(then done: @escaping (Bool?) -> Void) {
    let name = "org.freedesktop.timedate1"
    properties(name, "/org/freedesktop/timedate1", name) { done($0?[key: "NTPSynchronized"]?.truth) }
  }
}

/// What UPower says of the machine (`org.freedesktop.UPower`).
public struct MachinePower: Equatable, Sendable {
  public var isOnBattery: Bool?
  /// Of the battery, 0–100; nil: there is none.
  public var percentage: Double?
  /// Until the battery is empty, at the present rate; nil where that is not known.
  public var timeToEmpty: Duration?
  public var hasLid: Bool?

  public init(_ state: PowerState = PowerState()) {
    (isOnBattery, percentage) = (state.isOnBattery, state.percentage)
  }
}

extension Enquiry {
  /// nil where there is no UPower.
  public func power(then done: @escaping (MachinePower?) -> Void) {
    let (name, path) = ("org.freedesktop.UPower", "/org/freedesktop/UPower")
    properties(name, path, name) { values in
      guard let values else { return done(nil) }
      properties(name, path + "/devices/DisplayDevice", name + ".Device") { battery in
        var power = MachinePower()
        power.isOnBattery = values[key: "OnBattery"]?.truth
        power.hasLid = values[key: "LidIsPresent"]?.truth
        if battery?[key: "IsPresent"]?.truth == true {
          if let share = battery?[key: "Percentage"]?.real, share.isFinite {
            power.percentage = min(max(share, 0), 100)
          }
          if let left = battery?[key: "TimeToEmpty"]?.number, left > 0 { power.timeToEmpty = .seconds(left) }
        }
        done(power)
      }
    }
  }
}
