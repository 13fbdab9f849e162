import CLibical
import Core
import Exchange
import Schedule
import Testing

/// Monday, 30 November 2026, 06:00 in Berlin.
let now = Instant(seconds: 1_796_014_800)

func zone(_ name: String) throws -> Zone { try #require(Zone(name)) }

func clock(_ text: String) throws -> ClockTime { try #require(ClockTime(text)) }

/// Reads a calendar whose VCALENDAR is put around it; lines may end as they like.
func read(_ inner: String, machine: String = "Europe/Berlin", at now: Instant = now, commands: Bool = false)
  throws
  -> Import
{
  let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + lines(inner) + "\r\nEND:VCALENDAR\r\n"
  return try readAlarms(
    Array(text.utf8), ImportContext(now: now, zone: try zone(machine), takesCommands: commands))
}

/// An event with these properties and one alarm.
func event(_ properties: String, trigger: String = "TRIGGER:PT0S") -> String {
  """
  BEGIN:VEVENT
  UID:event
  SUMMARY:Event
  \(properties)
  BEGIN:VALARM
  ACTION:DISPLAY
  \(trigger)
  END:VALARM
  END:VEVENT
  """
}

func lines(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
}

/// What libical itself makes of a rule: the walls' times, from the beginning on.
func oracle(_ rule: String, from start: String, _ count: Int) -> [icaltimetype] {
  guard reveille_ical_load() != 0 else { return [] }
  let iterator = reveille_ical_iterator(reveille_ical_rule_of(rule), reveille_ical_time(start))
  guard let iterator else { return [] }
  defer { reveille_ical_free_iterator(iterator) }
  var result: [icaltimetype] = []
  while result.count < count {
    let time = reveille_ical_next_time(iterator)
    if time.year == 0 { break }
    result.append(time)
  }
  return result
}

extension icaltimetype {
  var date: LocalDate? { LocalDate(year: Int(year), month: Int(month), day: Int(day)) }
  var wall: String {
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute)):\(two(second))"
  }
}

/// The times at which a copy rings, as the book would have them: what is left out counts too.
func dues(_ copy: AlarmCopy, machine: Zone, after: Instant = now, _ count: Int) -> [Due] {
  var result: [Due] = []
  var from = after
  var counted = copy.counted
  while result.count < count, copy.draft.count.map({ counted < $0 }) ?? true,
    let due = copy.draft.rule.next(after: from, in: copy.draft.zone ?? machine)
  {
    if let until = copy.draft.until, due.date > until { break }
    from = due.instant
    counted += 1
    if !copy.skips.contains(where: { $0.contains(due.date) }) { result.append(due) }
  }
  return result
}
