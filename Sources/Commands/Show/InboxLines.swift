import Platform
import Schedule
import Wire

/// Notifications and stories as lines for people. Everything that comes from outside is sanitised here.
enum InboxLines {
  /// `Mon 30 Nov 07:00  3 “Up”  missed: the machine was asleep`, and below it what is attached.
  static func lines(_ entry: Status.InboxEntry, at now: Instant) -> [String] {
    var lines = [head(entry.at, entry.id, entry.label, outcome(entry.state, entry.because), now)]
    if !entry.body.isEmpty { lines.append("  " + clean(entry.body)) }
    for (key, value) in entry.userInfo.sorted(by: { $0.key < $1.key }) {
      lines.append("  " + clean("\(key)=\(value)"))
    }
    return lines
  }

  /// The same head, and a line for each thing that happened.
  static func story(_ entry: LogEntry, at now: Instant) -> [String] {
    var state = outcome(entry.state, entry.because)
    if entry.rehearsal { state += " (a rehearsal)" }
    let day = entry.at.prefix(10)
    return [head(entry.at, entry.id, entry.label, state, now)]
      + entry.story.map { line in
        // On another day than the one it was due on the time alone would mislead.
        let time = line.at.dropFirst(11).prefix(8)
        return clean("  \(line.at.hasPrefix(day) ? "" : "\(line.at.prefix(10)) ")\(time)  \(line.text)")
      }
  }

  private static func head(_ at: String, _ id: Int, _ label: String, _ state: String, _ now: Instant)
    -> String
  {
    clean("\(Moment.shown(at, at: now))  \(StatusLines.named(id, label))  \(state)")
  }

  /// By whose hand it was dismissed stands in the story, so that a person did it need not be said.
  private static func outcome(_ state: String, _ because: String?) -> String {
    guard let because, state == "missed" else { return state }
    return "\(state): \(because)"
  }
}
