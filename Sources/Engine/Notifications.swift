import Core
import Platform
import Schedule

/// What the desktop is to show, kept so that a notification server that starts late or anew can be told again.
///
/// Whoever talks to the desktop sets the handlers and calls `showAll` when a server appears. A notification that was
/// closed or has expired while it rings ends nothing: `showAgain`. What was chosen on one goes to the book as `chosen`.
final class Notifications {
  /// Shows it, in the place of one with the same occurrence.
  var onShow: (Notification) -> Void = { _ in }
  var onWithdraw: (OccurrenceID) -> Void = { _ in }
  var onBadge: (Int) -> Void = { _ in }

  private(set) var shown: [OccurrenceID: Notification] = [:]
  private(set) var badge = 0

  func show(_ notification: Notification) {
    let id = notification.occurrence.id
    guard shown[id] != notification else { return }
    shown[id] = notification
    onShow(notification)
  }

  func withdraw(_ id: OccurrenceID) {
    guard shown.removeValue(forKey: id) != nil else { return }
    onWithdraw(id)
  }

  func setBadge(_ number: Int) {
    badge = number
    onBadge(number)
  }

  /// It was closed, or its time ran out; one that does not ring stays closed. False where it is not shown again.
  @discardableResult
  func showAgain(_ id: OccurrenceID) -> Bool {
    guard let notification = shown[id], notification.isUrgent else {
      shown[id] = nil
      return false
    }
    onShow(notification)
    return true
  }

  /// For a server that knows nothing of us.
  func showAll() {
    for notification in shown.values.sorted(by: { $0.occurrence.due < $1.occurrence.due }) {
      onShow(notification)
    }
    onBadge(badge)
  }
}

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
