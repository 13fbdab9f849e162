import Core
import Platform
import Schedule
import Wire

/// A story in words. Text from outside is not sanitised here: whoever shows it does that.
struct StoryWords {
  let zone: Zone

  func entry(_ story: Story, because why: (Occurrence.Reason?) -> String) -> LogEntry {
    let occurrence = story.occurrence
    return LogEntry(
      occurrence: occurrence.id.description, id: occurrence.alarm, label: occurrence.label,
      at: occurrence.due.iso(in: zone), state: occurrence.state.rawValue, reason: occurrence.reason?.rawValue,
      because: occurrence.reason.map { why($0) }, late: occurrence.late?.inSeconds,
      rehearsal: occurrence.isRehearsal,
      story: story.lines.map {
        LogEntry.Line(at: $0.at.iso(in: zone), what: $0.kind.rawValue, text: sentence($0))
      })
  }

  func sentence(_ line: StoryLine) -> String {
    let until = line.until.map { time($0) } ?? ""
    switch line.kind {
    case .armed: return "the output was given the ring, to begin at \(until)"
    case .rang: return "rang"
    case .late: return "rang \(line.span.map { Span.text($0) } ?? "") late: \(cause(line))"
    case .rehearsed: return "rehearsed"
    case .again: return "rang again"
    case .restarted: return "rang again: \(cause(line))"
    case .sounds:
      if let file = FileName(text: line.text), file.isAbsolute { return "rang with “\(file.shown)”" }
      return "rang with the sound “\(line.text)”"
    case .covered: return "silent, for \(line.text) rings over it"
    case .uncovered: return "no longer covered: it is to sound"
    case .unheard: return "was not heard until then: others rang over it"
    case .soundFailed, .noted: return line.text
    case .snoozed: return "snoozed by \(line.text) until \(until)"
    case .silenced: return "nobody came: snoozed by itself until \(until)"
    case .dismissed: return line.text.isEmpty ? "dismissed" : "dismissed by \(line.text)"
    case .superseded: return "its own next time took over"
    case .edited: return "ended, because the alarm was changed, switched off or removed"
    case .missed: return "missed: \(cause(line))"
    case .skipped: return "skipped, as was asked for"
    case .reopened: return "to come again, because the clock went back before it"
    case .ran, .runFailed: return line.text
    }
  }

  private func cause(_ line: StoryLine) -> String {
    let from = line.from.map { time($0) }
    let until = line.until.map { time($0) } ?? ""
    switch line.reason {
    case .away where line.text == StoryLine.stopped:
      return from.map { "the engine was stopped, or hung, from \($0) to \(until)" }
        ?? "the engine was stopped"
    case .away:
      return from.map { "no engine ran from \($0) until it was started at \(until)" } ?? "no engine ran"
    case .asleep: return from.map { "the machine slept from \($0) to \(until)" } ?? "the machine slept"
    case .clockSet: return from.map { "the clock was set from \($0) to \(until)" } ?? "the clock was set"
    case .zoneChanged: return "the time zone became \(line.text)"
    case .unanswered: return "nobody came"
    case .person, .superseded, .edited, nil: return "it did not ring"
    }
  }

  /// `2026-11-30 07:00:00`
  private func time(_ instant: Instant) -> String {
    let text = instant.shownSecond.iso(in: zone).prefix(19)
    return text.prefix(10) + " " + text.dropFirst(11)
  }
}
