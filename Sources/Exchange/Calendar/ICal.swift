import CLibical
import Schedule

/// One component, read by libical. Owns the `icalcomponent*` of the whole text; freed in `deinit`.
final class ICalText {
  let root: ICalComponent

  /// nil where libical makes nothing of it. `ICal.load` comes first.
  init?(_ bytes: [UInt8]) {
    let parsed = (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { start in
        start.withMemoryRebound(to: CChar.self, capacity: buffer.count) { reveille_ical_parse($0) }
      }
    }
    guard let parsed else { return nil }
    root = ICalComponent(pointer: parsed)
  }

  deinit { reveille_ical_free(root.pointer) }
}

enum ICal {
  /// Loads libical at the first call.
  static func load() throws(ExchangeError) {
    guard reveille_ical_load() != 0 else {
      throw ExchangeError(
        "calendars are read and written by libical, which is not installed: “apt install libical3” brings it")
    }
  }

  /// A text of libical's that is to be freed.
  static func take(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}

/// Good as long as its `ICalText` is.
struct ICalComponent {
  let pointer: OpaquePointer

  var kind: icalcomponent_kind { reveille_ical_kind(pointer) }

  func inner(_ kind: icalcomponent_kind) -> [ICalComponent] {
    var result: [ICalComponent] = []
    var next = reveille_ical_first_inner(pointer, kind)
    while let found = next {
      result.append(ICalComponent(pointer: found))
      next = reveille_ical_next_inner(pointer, kind)
    }
    return result
  }

  var properties: [ICalProperty] {
    var result: [ICalProperty] = []
    var next = reveille_ical_first(pointer, ICAL_ANY_PROPERTY)
    while let found = next {
      result.append(ICalProperty(pointer: found))
      next = reveille_ical_next(pointer, ICAL_ANY_PROPERTY)
    }
    return result
  }
}

/// Good as long as its `ICalText` is.
struct ICalProperty {
  let pointer: OpaquePointer

  var kind: icalproperty_kind { reveille_ical_property_kind(pointer) }
  /// In capitals, as RFC 5545 has it, whatever the file says.
  var name: String {
    reveille_ical_name(pointer).map { String(cString: $0).uppercased() } ?? ""
  }
  /// As it stands in the file.
  var value: String { ICal.take(reveille_ical_value(pointer)) ?? "" }
  /// Without the escapes of a text.
  var text: String { reveille_ical_plain_text(pointer).map { String(cString: $0) } ?? value }

  func parameter(_ name: String) -> String? {
    ICal.take(reveille_ical_parameter(pointer, name)).map { text in
      text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        ? String(text.dropFirst().dropLast()) : text
    }
  }

  /// A date or a date with a time; nil where it is neither.
  var time: CalendarTime? { CalendarTime(value, zone: parameter("TZID")) }
}

/// A point in a calendar: a date, mostly with a time, in a zone or floating.
struct CalendarTime: Hashable {
  enum Place: Hashable {
    case utc, floating
    case zone(String)
  }

  var date: LocalDate
  /// nil: all of the day.
  var clock: ClockTime?
  var place: Place

  init(_ date: LocalDate, _ clock: ClockTime?, _ place: Place) {
    (self.date, self.clock, self.place) = (date, clock, place)
  }

  /// `20261130`, `20261130T070000`, `20261130T060000Z` (RFC 5545, 3.3.4 and 3.3.5).
  init?(_ text: String, zone: String?) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let date = LocalDate(year: year, month: month, day: day)
    else { return nil }
    guard bytes.count > 8 else {
      self.init(date, nil, .floating)
      return
    }
    guard bytes.count == 15 || bytes.count == 16 && bytes[15] == UInt8(ascii: "Z"),
      bytes[8] == UInt8(ascii: "T"),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15),
      // A leap second is the second before.
      let clock = ClockTime(hour: hour, minute: minute, second: min(second, 59))
    else { return nil }
    self.init(date, clock, bytes.count == 16 ? .utc : zone.map { .zone($0) } ?? .floating)
  }

  /// What the wall shows, in seconds since 1970-01-01T00:00:00 on it.
  var wall: Int { date.dayNumber * 86_400 + (clock?.secondOfDay ?? 0) }

  var shown: String { clock.map { "\(date) \($0)" } ?? "\(date)" }
}

/// A span of a calendar: days by the calendar and seconds by the clock, each with the sign of the whole.
struct CalendarSpan: Hashable {
  var days: Int
  var seconds: Int

  init(days: Int, seconds: Int) { (self.days, self.seconds) = (days, seconds) }

  /// nil where it is longer than any alarm is ahead (ten years).
  init?(_ duration: icaldurationtype) {
    let sign = duration.is_neg == 0 ? 1 : -1
    let days = Int(duration.weeks) * 7 + Int(duration.days)
    let seconds = Int(duration.hours) * 3600 + Int(duration.minutes) * 60 + Int(duration.seconds)
    guard days + seconds / 86_400 <= 3653 else { return nil }
    self.init(days: sign * days, seconds: sign * seconds)
  }

  /// By the wall, where no clock is changed in between.
  var wall: Int { days * 86_400 + seconds }
}
