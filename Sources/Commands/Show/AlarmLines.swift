import Platform
import Schedule
import Wire

/// Alarms as lines for people. Everything that comes from outside is sanitised here.
enum AlarmLines {
  /// `3  every Mon-Fri 07:00  next Mon 30 Nov 07:00, in 8 h 12 min  Up`
  static func line(_ alarm: AlarmEntry) -> String {
    var parts = ["\(alarm.id)", rule(alarm), state(alarm)]
    if !alarm.label.isEmpty { parts.append(clean(alarm.label)) }
    return parts.joined(separator: "  ")
  }

  /// What was understood, and the zone where it is not the machine's, by whose clock the next time is shown.
  static func rule(_ alarm: AlarmEntry) -> String {
    clean(alarm.zone.map { "\(alarm.sentence) \($0)" } ?? alarm.sentence)
  }

  private static func state(_ alarm: AlarmEntry) -> String {
    switch alarm.state {
    case "ringing": "ringing"
    case "snoozed": "snoozed" + (next(alarm).map { ", \($0)" } ?? "")
    default: alarm.enabled ? next(alarm).map { "next \($0)" } ?? "no next time" : "off"
    }
  }

  /// `Mon 30 Nov 07:00, in 8 h 12 min`
  private static func next(_ alarm: AlarmEntry) -> String? {
    guard let shown = alarm.nextShown ?? alarm.next else { return nil }
    return clean(shown) + (alarm.inSeconds.map { ", in \(SpanText.shown($0))" } ?? "")
  }

  /// The table of all alarms. `columns` is the terminal's width, nil where the output is none: then nothing is cut and
  /// no head stands above it, so that a line is an alarm.
  static func table(_ alarms: [AlarmEntry], columns: Int?, style: Style) -> [String] {
    let head = columns == nil ? [] : [["ID", "", "WHEN", "NEXT", "IN", "LABEL", "SOUND"]]
    let rows = alarms.map { alarm in
      [
        "\(alarm.id)", mark(alarm), rule(alarm), clean(alarm.nextShown ?? alarm.next ?? ""),
        alarm.inSeconds.map(SpanText.shown) ?? "", clean(alarm.label), sound(alarm.sound),
      ]
    }
    var hidden = Set(rows.isEmpty ? [] : (0..<7).filter { column in rows.allSatisfy { $0[column].isEmpty } })
    func shown() -> [[String]] {
      (head + rows).map { row in row.enumerated().map { hidden.contains($0.offset) ? "" : $0.element } }
    }
    // Where little room is left, sound and remaining time go before the rule is cut to a stump.
    if let columns {
      for column in [6, 4] where !Columns.fit(shown(), limit: columns, shrinkable: [2, 5, 6], least: 16) {
        hidden.insert(column)
      }
    }
    return Columns.align(shown(), limit: columns, shrinkable: [2, 5, 6]).enumerated().map { index, cells in
      let line = trimmed(cells.joined(separator: "  "))
      guard index >= head.count else { return style.faint(line) }
      let alarm = alarms[index - head.count]
      switch alarm.state {
      case "ringing": return style.red(line)
      case "snoozed": return style.yellow(line)
      default: return alarm.enabled ? line : style.faint(line)
      }
    }
  }

  private static func mark(_ alarm: AlarmEntry) -> String {
    switch alarm.state {
    case "ringing", "snoozed": alarm.state
    default: (alarm.enabled ? "on" : "off") + (alarm.missed == nil ? "" : ", missed")
    }
  }

  /// Everything about one alarm, a line a thing.
  static func details(_ alarm: AlarmEntry) -> [String] {
    var rows: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { rows.append((name, clean(value))) }
    }
    add("when", alarm.when)
    add("next", next(alarm) ?? (alarm.enabled ? "none is left" : nil))
    add("state", alarm.state)
    add("missed", alarm.missed.map { "\($0.shown): \($0.because)" })
    add("label", alarm.label)
    add("body", alarm.body)
    add("zone", alarm.zone)
    add("sound", alarm.sound.map { FileName(text: $0)?.shown ?? $0 })
    add("volume", alarm.volume.map(String.init))
    add("fade", alarm.fade.map(SpanText.shown))
    add("snooze", alarm.snooze.map(SpanText.shown))
    add("snooze-limit", alarm.snoozeLimit.map(String.init))
    add("silence-after", alarm.silenceAfter.map(SpanText.shown))
    add("action", alarm.action)
    add("badge", alarm.badge.map(String.init))
    add("run", alarm.run)
    for (key, value) in alarm.userInfo.sorted(by: { $0.key < $1.key }) { add("info", "\(key)=\(value)") }
    add("until", alarm.until)
    add("count", alarm.count.map(String.init))
    for skip in alarm.skips {
      add("skips", skip.from == skip.until ? skip.from : "\(skip.from) to \(skip.until)")
    }
    return [line(alarm)] + rows.map { "  \(Columns.padded($0.0, to: 13))  \($0.1)" }
  }

  /// `3  Mon 30 Nov 07:00, in 8 h 12 min  Up`
  static func line(_ next: NextEntry) -> String {
    let start = "\(next.id)  \(clean(next.shown)), in \(SpanText.shown(next.inSeconds))"
    return next.label.isEmpty ? start : "\(start)  \(clean(next.label))"
  }

  /// A file's last name, or a sound's name as it is.
  static func sound(_ text: String?) -> String {
    guard let text else { return "" }
    return FileName(text: text)?.lastShown ?? clean(text)
  }

  static func trimmed(_ line: String) -> String {
    var end = line.endIndex
    while end > line.startIndex, line[line.index(before: end)] == " " { end = line.index(before: end) }
    return String(line[..<end])
  }
}
