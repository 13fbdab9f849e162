import CLibical
import Schedule

extension Zone {
  /// The instants in a stretch of time at which the offset changes, in order.
  func changes(from start: Instant, to end: Instant) -> [Instant] {
    var result: [Instant] = []
    var (second, offset) = (start.seconds, self.offset(at: start))
    while second < end.seconds {
      // No zone changes twice within a day.
      let next = min(second + 86_400, end.seconds)
      let later = self.offset(at: Instant(seconds: next))
      if later != offset {
        var (low, high) = (second, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if self.offset(at: Instant(seconds: middle)) == offset { low = middle } else { high = middle }
        }
        result.append(Instant(seconds: high))
      }
      (second, offset) = (next, later)
    }
    return result
  }
}

/// A zone as a VTIMEZONE (RFC 5545, 3.6.5), from what it does: its changes of the coming years, as yearly rules where they
/// are such, and one by one where they are not.
struct ZoneWriter {
  private struct Change {
    /// The wall's time by the offset before.
    var wall: CalendarTime
    var before: Int
    var after: Int
    var isDaylight: Bool

    init(_ instant: Instant, _ zone: Zone) {
      before = zone.offset(at: instant - .seconds(1))
      after = zone.offset(at: instant)
      isDaylight = after > before
      let (date, clock, _) = Zone.utc.local(instant + .seconds(before))
      wall = CalendarTime(date, clock, .floating)
    }

    /// `BYMONTH=10;BYDAY=-1SU`, of the several readings of a date number `reading`.
    func rule(_ reading: Int) -> String {
      let (date, weekday) = (wall.date, wall.date.weekday.calendarName)
      let isLast = date.day + 7 > LocalDate.length(ofMonth: date.month, year: date.year)
      let position = reading == 0 ? (isLast ? -1 : (date.day + 6) / 7) : (date.day + 6) / 7
      return "FREQ=YEARLY;BYMONTH=\(date.month);BYDAY=\(position)\(weekday)"
    }
  }

  /// Years ahead that are written where they follow no rule.
  static let years = 20

  static func component(_ zone: Zone, around now: Instant) -> OpaquePointer? {
    let component = reveille_ical_component(ICAL_VTIMEZONE_COMPONENT)
    guard let component else { return nil }
    ICalWriter.add(component, ICAL_TZID_PROPERTY, text: zone.identifier)
    let start = now - .seconds(800 * 86_400)
    let changes = zone.changes(from: start, to: now + .seconds(Int64(years) * 366 * 86_400)).map {
      Change($0, zone)
    }
    // What holds before the first change that is written.
    let offset = zone.offset(at: start)
    add(
      component, CalendarTime(LocalDate(dayNumber: 0), ClockTime(hour: 0, minute: 0), .floating), offset,
      offset, false, nil)
    if let rules = yearly(changes) {
      for (change, rule) in zip(changes, rules) {
        add(component, change.wall, change.before, change.after, change.isDaylight, rule)
      }
    } else {
      for change in changes {
        add(component, change.wall, change.before, change.after, change.isDaylight, nil)
      }
    }
    return component
  }

  /// The rules of the first changes, one for each of a year, where all later ones follow them.
  private static func yearly(_ changes: [Change]) -> [String]? {
    guard changes.count >= 4 else { return nil }
    let first = changes[0].wall.date
    let perYear = changes.prefix { $0.wall.date.dayNumber - first.dayNumber < 340 }.count
    var rules: [String] = []
    for index in 0..<perYear {
      let all = stride(from: index, to: changes.count, by: perYear).map { changes[$0] }
      let isEven = zip(all, all.dropFirst()).allSatisfy { $1.wall.date.year == $0.wall.date.year + 1 }
      let isSame = all.allSatisfy {
        ($0.wall.clock, $0.before, $0.after) == (all[0].wall.clock, all[0].before, all[0].after)
      }
      guard isEven, isSame,
        let rule = [0, 1].lazy.compactMap({ reading -> String? in
          let rule = all[0].rule(reading)
          return all.allSatisfy { $0.rule(reading) == rule } ? rule : nil
        }).first
      else { return nil }
      rules.append(rule)
    }
    return rules
  }

  private static func add(
    _ zone: OpaquePointer, _ wall: CalendarTime, _ before: Int, _ after: Int, _ isDaylight: Bool,
    _ rule: String?
  ) {
    guard let part = reveille_ical_component(isDaylight ? ICAL_XDAYLIGHT_COMPONENT : ICAL_XSTANDARD_COMPONENT)
    else { return }
    ICalWriter.add(part, ICAL_DTSTART_PROPERTY, raw: wall.iCalendar)
    ICalWriter.add(part, ICAL_TZOFFSETFROM_PROPERTY, raw: offsetText(before))
    ICalWriter.add(part, ICAL_TZOFFSETTO_PROPERTY, raw: offsetText(after))
    if let rule { ICalWriter.add(part, ICAL_RRULE_PROPERTY, raw: rule) }
    reveille_ical_add_inner(zone, part)
  }

  private static func offsetText(_ offset: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let size = abs(offset)
    let seconds = size % 60 == 0 ? "" : two(size % 60)
    return "\(offset < 0 ? "-" : "+")\(two(size / 3600))\(two(size / 60 % 60))\(seconds)"
  }
}

extension Weekday {
  /// `MO` … `SU`.
  var calendarName: String { ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][rawValue - 1] }
}

extension CalendarTime {
  /// `20261130T070000`, with a `Z` where it is universal time.
  var iCalendar: String {
    let day = date.description.filter { $0 != "-" }
    guard let clock else { return day }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(day)T\(two(clock.hour))\(two(clock.minute))\(two(clock.second))\(place == .utc ? "Z" : "")"
  }
}

/// Puts properties into components of libical's.
enum ICalWriter {
  /// `raw`: a value as it stands in the file.
  static func add(_ component: OpaquePointer, _ kind: icalproperty_kind, raw: String, zone: String? = nil) {
    guard let property = reveille_ical_property(kind) else { return }
    reveille_ical_set(property, raw, "NO")
    if let zone { reveille_ical_set_parameter(property, "TZID", zone) }
    reveille_ical_add(component, property)
  }

  /// `text`: libical puts the escapes in. Controls other than line breaks and tabs have no place in a calendar.
  static func add(_ component: OpaquePointer, _ kind: icalproperty_kind, text: String) {
    var plain = String.UnicodeScalarView()
    plain.append(
      contentsOf: text.unicodeScalars.filter {
        $0.value >= 32 && !(0x7f...0x9f).contains($0.value) || $0 == "\n" || $0 == "\t"
      })
    guard let property = reveille_ical_property(kind) else { return }
    reveille_ical_set_value(property, reveille_ical_text_value(String(plain)))
    reveille_ical_add(component, property)
  }

  /// One of our own, `X-REVEILLE-NAME`.
  static func add(_ component: OpaquePointer, own name: String, _ value: String?) {
    guard let value, let property = reveille_ical_property(ICAL_X_PROPERTY) else { return }
    reveille_ical_set_value(property, reveille_ical_x_value(value))
    reveille_ical_set_name(property, "X-REVEILLE-" + name)
    reveille_ical_add(component, property)
  }

  /// The component as text, which frees it.
  static func text(_ component: OpaquePointer) -> String {
    defer { reveille_ical_free(component) }
    return ICal.take(reveille_ical_text_of_component(component)) ?? ""
  }
}
