import CLibical
import Schedule

/// The zones a calendar names. What the machine knows by that name is taken from the machine; another is looked for by the
/// hours that the calendar's own VTIMEZONE gives it.
final class CalendarZones {
  /// The components by their TZID.
  private var defined: [String: [UInt8]] = [:]
  private var found: [String: Zone?] = [:]
  private let machine: Zone
  private let now: Instant
  /// What a zone was taken for that has another name.
  private(set) var substitutes: [String: String] = [:]

  init(machine: Zone, now: Instant) { (self.machine, self.now) = (machine, now) }

  func define(_ name: String, _ component: [UInt8]) { if defined.count < 500 { defined[name] = component } }

  /// nil where nobody can say what its hours are.
  func zone(_ name: String) -> Zone? {
    if let known = found[name] { return known }
    let zone = byName(name) ?? byHours(name)
    found[name] = .some(zone)
    if let zone, zone.identifier.lowercased() != name.lowercased() { substitutes[name] = zone.identifier }
    return zone
  }

  /// `Europe/Berlin`, and what programs put before it: `/freeassociation.sourceforge.net/Europe/Berlin`.
  private func byName(_ name: String) -> Zone? {
    guard name.utf8.count <= 200 else { return nil }
    if let zone = Zone(name) { return zone }
    let parts = name.split(separator: "/")
    for count in [3, 2] where parts.count > count {
      if let zone = Zone(parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return nil
  }

  private var changes: [String: [Instant]] = [:]

  /// When the clocks of a zone are changed in the next two years.
  func changes(of zone: Zone) -> [Instant] {
    if let known = changes[zone.identifier] { return known }
    let found = zone.changes(from: now, to: now + .seconds(731 * 86_400))
    changes[zone.identifier] = found
    return found
  }

  // MARK: By its hours

  /// Days that are compared: three years from now, every one.
  private static let compared = 3 * 366

  /// Tried first, so that of many with the same hours the one that people know is named.
  private static let wellKnown = [
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "America/New_York", "America/Chicago",
    "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Shanghai", "Asia/Tokyo", "Australia/Brisbane", "Australia/Sydney", "Pacific/Auckland", "UTC",
  ]

  private func byHours(_ name: String) -> Zone? {
    guard let component = defined[name], let text = ICalText(component), CalendarZones.isSound(text.root),
      // libical's zone owns a component of its own.
      let own = (component + [0]).withUnsafeBytes({ buffer in
        buffer.baseAddress.flatMap { reveille_ical_parse($0.assumingMemoryBound(to: CChar.self)) }
      })
    else { return nil }
    guard let zone = reveille_ical_zone(own) else {
      reveille_ical_free(own)
      return nil
    }
    defer { reveille_ical_free_zone(zone) }
    let offsets = (0..<CalendarZones.compared).map { day in
      Int(reveille_ical_offset(zone, now.seconds + Int64(day) * 86_400))
    }
    func matches(_ candidate: Zone) -> Bool {
      offsets.indices.allSatisfy { day in
        candidate.offset(at: Instant(seconds: now.seconds + Int64(day) * 86_400)) == offsets[day]
      }
    }
    if matches(machine) { return machine }
    for name in CalendarZones.wellKnown + Zone.allIdentifiers {
      if let candidate = Zone(name), matches(candidate) { return candidate }
    }
    return nil
  }

  /// A zone whose rules are yearly and few: libical works out every change of it.
  private static func isSound(_ component: ICalComponent) -> Bool {
    guard component.kind == ICAL_VTIMEZONE_COMPONENT else { return false }
    let parts = component.inner(ICAL_ANY_COMPONENT)
    let properties = parts.flatMap(\.properties)
    guard (1...200).contains(parts.count), properties.count <= 2000 else { return false }
    return properties.allSatisfy { property in
      switch property.kind {
      case ICAL_RRULE_PROPERTY:
        let rule = RecurrenceRule(property)
        return rule.frequency == .yearly && !rule.months.isEmpty && rule.clockCount <= 1
      case ICAL_DTSTART_PROPERTY: return property.time.map { $0.date.year >= 1600 } ?? false
      default: return true
      }
    }
  }
}

extension RecurrenceRule {
  fileprivate var clockCount: Int { max(hours.count, minutes.count, seconds.count) }
}
