import Platform

/// Word of a new time zone from `org.freedesktop.timedate1` on the system bus; beside a watch of the zone file, which tells
/// nothing where /etc cannot be watched.
public final class ZoneWatch {
  private var match: SignalMatch?

  /// `changed` gets the zone's name where it was told. On the loop.
  public init(_ system: Bus, _ changed: @escaping (String?) -> Void) {
    match = SignalMatch(
      system, from: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1",
      interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
      first: "org.freedesktop.timedate1"
    ) { signal in
      if let zone = signal[1]?[key: "Timezone"]?.text {
        changed(clean(zone, atMost: 100))
      } else if signal[2]?.textElements?.contains("Timezone") == true {
        changed(nil)
      }
    }
  }
}
