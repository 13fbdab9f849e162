import CLibical
import Schedule

/// A VEVENT or VTODO, as far as alarms are concerned.
struct CalendarEvent {
  struct Alarm: Hashable {
    enum Trigger: Hashable {
      case relative(CalendarSpan, toEnd: Bool)
      case absolute(CalendarTime)
      case none
    }
    var action = ""
    var trigger = Trigger.none
    var repeats = 0
  }

  var isToDo: Bool
  var uid = ""
  var summary = ""
  var details = ""
  var status = ""
  var start: CalendarTime?
  var end: CalendarTime?
  var due: CalendarTime?
  var duration: CalendarSpan?
  var rules: [RecurrenceRule] = []
  var extraDates: [CalendarTime] = []
  var exceptions: [CalendarTime] = []
  /// The one it stands in for, of an event that repeats.
  var instance: CalendarTime?
  /// It stands in for all later ones too.
  var isForAllLater = false
  var alarms: [Alarm] = []
  /// Our own properties, X-REVEILLE- left out of their names.
  var own: [String: String] = [:]
  var info: [String] = []
  /// A rule of it cannot be read, so nobody knows when it is.
  var hasBrokenRule = false
  /// What libical or we could not read of it.
  var problems: [String] = []

  /// For a sentence: “Dentist” (2026-11-30 09:00).
  var name: String {
    let kind = isToDo ? "a to-do" : "an event"
    let title = summary.isEmpty ? kind : "“\(summary.cut(to: 60).map { $0 + "…" } ?? summary)”"
    return anchor.map { "\(title) (\($0.shown))" } ?? title
  }

  /// Properties that an alarm's time depends on.
  private static let needed = [
    "RRULE", "DTSTART", "DTEND", "DUE", "DURATION", "EXDATE", "RDATE", "RECURRENCE-ID", "TRIGGER",
  ]

  /// What its alarms are measured from.
  var anchor: CalendarTime? { start ?? due }

  init(_ component: ICalComponent) {
    isToDo = component.kind == ICAL_VTODO_COMPONENT
    for property in component.properties { take(property) }
    alarms = component.inner(ICAL_VALARM_COMPONENT).map { Alarm($0, &problems) }
  }

  private mutating func take(_ property: ICalProperty) {
    func time(_ what: String) -> CalendarTime? {
      let time = property.time
      if time == nil { problems.append("its \(what) (“\(property.value)”) is no date") }
      return time
    }
    switch property.kind {
    case ICAL_UID_PROPERTY: uid = property.text
    case ICAL_SUMMARY_PROPERTY: summary = property.text
    case ICAL_DESCRIPTION_PROPERTY: details = property.text
    case ICAL_STATUS_PROPERTY: status = property.value.uppercased()
    case ICAL_DTSTART_PROPERTY: start = time("start")
    case ICAL_DTEND_PROPERTY: end = time("end")
    case ICAL_DUE_PROPERTY: due = time("due date")
    case ICAL_DURATION_PROPERTY: duration = CalendarSpan(reveille_ical_duration(property.pointer))
    case ICAL_RRULE_PROPERTY: rules.append(RecurrenceRule(property))
    case ICAL_EXRULE_PROPERTY: problems.append("it has an EXRULE (a rule of exceptions), which is out of use")
    case ICAL_RDATE_PROPERTY:
      // A period begins where its first half says.
      let text = property.value.split(separator: "/").first.map(String.init) ?? ""
      if let time = CalendarTime(text, zone: property.parameter("TZID")) {
        extraDates.append(time)
      } else {
        problems.append("one of its further dates (“\(property.value)”) is no date")
      }
    case ICAL_EXDATE_PROPERTY: if let time = time("exception") { exceptions.append(time) }
    case ICAL_RECURRENCEID_PROPERTY:
      instance = time("RECURRENCE-ID")
      isForAllLater = property.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
    case ICAL_XLICERROR_PROPERTY:
      // libical says so of whatever it drops; what is nothing to an alarm is passed over.
      let text = property.text
      guard let name = CalendarEvent.needed.first(where: { text.contains("\($0) property") }) else { return }
      if name == "RRULE" {
        hasBrokenRule = true
      } else {
        problems.append("its \(name) cannot be read: \(text)")
      }
    case ICAL_X_PROPERTY:
      let name = property.name
      guard name.hasPrefix("X-REVEILLE-") else { return }
      let value = OwnText.decode(property.text)
      if name == "X-REVEILLE-INFO" {
        info.append(property.text)
      } else {
        own[String(name.dropFirst(11))] = value
      }
    default: break
    }
  }
}

extension CalendarEvent.Alarm {
  init(_ component: ICalComponent, _ problems: inout [String]) {
    for property in component.properties {
      switch property.kind {
      case ICAL_ACTION_PROPERTY: action = property.value.uppercased()
      case ICAL_REPEAT_PROPERTY: repeats = Int(property.value) ?? 0
      case ICAL_TRIGGER_PROPERTY:
        let given = reveille_ical_trigger(property.pointer)
        if let time = CalendarTime(property.value, zone: property.parameter("TZID")), time.clock != nil {
          trigger = .absolute(time)
        } else if property.value.uppercased().contains("P"), let span = CalendarSpan(given.duration) {
          trigger = .relative(span, toEnd: property.parameter("RELATED")?.uppercased() == "END")
        }
      case ICAL_XLICERROR_PROPERTY: problems.append("of an alarm of it: \(property.text)")
      default: break
      }
    }
  }
}

/// Texts of our own in a calendar: what another program might take for an escape is written as `%` and two digits.
enum OwnText {
  static func encode(_ text: String, isKey: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.value >= 32 && !(0x7f...0x9f).contains(scalar.value)
        && !"%\\\",;".unicodeScalars.contains(scalar) && !(isKey && scalar == "=")
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return result
  }

  static func decode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
