import Core
import Schedule

extension Notification {
  /// The text below the title: the alarm's body, and whole sentences that say why it is late, was missed, and which sound
  /// failed. From outside and not sanitised or escaped.
  func lines(in zone: Zone, at now: Instant, because why: (Occurrence.Reason?) -> String) -> [String] {
    var lines = body.isEmpty ? [] : [body]
    let due = occurrence.due.shown(in: zone, now: now)
    switch occurrence.state {
    case .snoozed:
      if let until = occurrence.snoozedUntil {
        lines.append("snoozed until \(until.wall.shown(in: zone, now: now))")
      }
    case .missed: lines.append("missed, due \(due): \(why(occurrence.reason))")
    default:
      if let late = occurrence.late {
        lines.append("due \(due), \(Span.text(late)) late: \(why(occurrence.lateReason))")
      }
    }
    if occurrence.isRehearsal { lines.append("a rehearsal") }
    return lines + occurrence.notes
  }
}
