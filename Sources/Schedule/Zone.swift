/// A named zone of the tz database, with its table of offsets as it stood when the zone was made.
///
/// A value, free to be used from any thread. The data are the machine's own (`/usr/share/zoneinfo`), so a changed
/// law arrives with the system's update and not with a new build of this program. Whoever keeps a zone for long makes it anew
/// when the machine's zone or its data may have changed; files that did not change are not read twice.
public struct Zone: Hashable, Sendable {
  let table: ZoneTable

  /// The name in the tz database, such as `Europe/Berlin`.
  public let identifier: String

  init(identifier: String, table: ZoneTable) {
    (self.identifier, self.table) = (identifier, table)
  }

  /// The zone with that name, in any case of letters; nil when the machine knows none. `UTC` is always known.
  public init?(_ identifier: String) {
    guard let zone = ZoneLibrary.system.zone(named: identifier) else { return nil }
    self = zone
  }

  /// The zone that a person names, in any case of letters. Not what lies beside the zones and is none of its own:
  /// `localtime`, `posixrules`, `right/Europe/Berlin`.
  public init?(named name: String) {
    guard let zone = Zone(name), let first = zone.identifier.utf8.first, (65...90).contains(first),
      zone.identifier != "Factory"
    else { return nil }
    self = zone
  }

  /// Universal time, which needs no data.
  public static let utc = Zone(identifier: "UTC", table: ZoneTable(fixed: 0))

  /// The zone of the machine, read afresh at each call as the C library reads it: the variable `TZ`, else
  /// `/etc/localtime`, its name from the link or from `/etc/timezone`; UTC when there is nothing to read.
  public static func current() -> Zone { ZoneLibrary.system.current() }

  /// All names in the tz database of the machine, sorted; `UTC` alone where there is no database.
  public static var allIdentifiers: [String] { ZoneLibrary.system.identifiers() }

  /// How many seconds east of UTC the clocks are at an instant.
  public func offset(at instant: Instant) -> Int { table.offset(at: instant.seconds) }

  /// What a calendar and a clock on the wall show at an instant (whole seconds, rounded down).
  public func local(_ instant: Instant) -> (date: LocalDate, clock: ClockTime, offset: Int) {
    let second = instant.seconds
    let offset = table.offset(at: second)
    let (day, secondOfDay) = floorDivide(Int(second) + offset, by: ZoneTable.day)
    return (LocalDate(dayNumber: day), ClockTime(secondOfDay: secondOfDay), offset)
  }

  /// The instant at which the wall shows that date and time.
  ///
  /// A time that does not exist because the clocks go forward is moved later by the length of the gap; of a time that
  /// exists twice it is the first. nil when the zone has no such calendar day, because it jumps over all of it (and for
  /// dates outside the years -100 000 to 100 000).
  public func instant(_ date: LocalDate, _ clock: ClockTime) -> Resolved? {
    guard (-100_000...100_000).contains(date.year),
      let (second, kind) = table.resolve(day: date.dayNumber, secondOfDay: clock.secondOfDay)
    else { return nil }
    return Resolved(instant: Instant(seconds: second), kind: kind)
  }

  public static func == (left: Zone, right: Zone) -> Bool {
    left.identifier == right.identifier && left.table == right.table
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The instant a wall-clock time stands for, and whether it had to be chosen.
public struct Resolved: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The time exists, once.
    case exact
    /// The time does not exist, the clocks jump over it; the instant is later by the length of the gap.
    case shifted(by: Duration)
    /// The time exists twice, because the clocks go back; this is the first.
    case firstOfTwo
  }

  public let instant: Instant
  public let kind: Kind

  public init(instant: Instant, kind: Kind) { (self.instant, self.kind) = (instant, kind) }
}

/// The quotient rounded down, and the remainder, which is never negative.
func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
