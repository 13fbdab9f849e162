import CLibical
import Core
import Schedule

/// iCalendar (RFC 5545) into alarms: each VALARM of a VEVENT or VTODO is one, at the instant of its trigger.
enum CalendarReader {
  static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ExchangeError) -> Import {
    try ICal.load()
    var result = Import(format: .iCalendar)
    let zones = CalendarZones(machine: context.zone, now: context.now)
    var events: [CalendarEvent] = []
    var scanner = CalendarScanner(bytes)
    while let piece = scanner.next() {
      let name = "the \(piece.kind) at line \(piece.line)"
      if let problem = piece.problem {
        result.leftOut.append(Import.Remark(name, problem))
        continue
      }
      guard ["VEVENT", "VTODO", "VTIMEZONE"].contains(piece.kind) else { continue }
      guard let text = ICalText(piece.text) else {
        result.leftOut.append(Import.Remark(name, "it cannot be read"))
        continue
      }
      switch text.root.kind {
      case ICAL_VTIMEZONE_COMPONENT:
        let identifier = text.root.properties.first { $0.kind == ICAL_TZID_PROPERTY }
        if let identifier { zones.define(identifier.text, piece.text) }
      case ICAL_VEVENT_COMPONENT, ICAL_VTODO_COMPONENT: events.append(CalendarEvent(text.root))
      default: result.leftOut.append(Import.Remark(name, "it cannot be read"))
      }
    }
    if scanner.version == "1.0" {
      throw ExchangeError("it is a vCalendar 1.0 of before 1998: save it as iCalendar (VERSION:2.0)")
    }
    apply(overridesIn: &events, &result)
    var maker = AlarmMaker(context, zones)
    for event in events {
      maker.take(event, into: &result)
      guard result.alarms.count <= Import.mostAlarms else {
        throw ExchangeError("it brings more than \(Import.mostAlarms) alarms: divide the file")
      }
    }
    for (name, taken) in zones.substitutes.sorted(by: { $0.key < $1.key }) {
      result.changed.append(
        Import.Remark("the zone “\(name)”", "it is taken for \(taken), which has the same hours"))
    }
    return result
  }

  /// An event that stands in for one of a row takes that one out of the row.
  private static func apply(overridesIn events: inout [CalendarEvent], _ result: inout Import) {
    var masters: [String: Int] = [:]
    for (index, event) in events.enumerated() where event.instance == nil && !event.uid.isEmpty {
      // Of two with one name only the later is valid, but both may have been sent: each rings.
      masters[event.uid] = index
    }
    for event in events {
      guard let instance = event.instance, let master = masters[event.uid] else { continue }
      events[master].exceptions.append(instance)
      guard event.isForAllLater else { continue }
      for index in events[master].rules.indices { events[master].rules[index].end(before: instance) }
      result.leftOut.append(
        Import.Remark(event.name, "all that follow it are moved as well, which is left out: add them by hand")
      )
    }
  }
}

extension RecurrenceRule {
  /// Ends it before an instance of it.
  mutating func end(before instance: CalendarTime) {
    until = CalendarTime(instance.date.adding(days: -1), nil, .floating)
    // It reaches that instance at least.
    count = nil
  }
}
