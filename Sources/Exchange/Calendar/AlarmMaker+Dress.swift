import Core
import Schedule

extension AlarmMaker {
  /// What it carries besides its time.
  func dress(_ copy: inout AlarmCopy, _ event: CalendarEvent, isFirst: Bool, into result: inout Import) {
    let own = event.own
    func tell(_ key: String) {
      result.changed.append(
        Import.Remark(
          event.name, "its X-REVEILLE-\(key) (“\(own[key] ?? "")”) cannot be read and is left out"))
    }
    func number(_ key: String) -> Int? {
      guard let text = own[key] else { return nil }
      let value = Int(text)
      if value == nil { tell(key) }
      return value
    }
    func span(_ key: String) -> Duration? {
      guard let text = own[key] else { return nil }
      let value = try? Span.parse(text, allowZero: true)
      if value == nil { tell(key) }
      return value
    }
    copy.draft.label = event.summary
    copy.draft.body = event.details
    copy.draft.sound = own["SOUND"]
    copy.draft.volume = number("VOLUME")
    copy.draft.fade = span("FADE")
    copy.draft.snooze = span("SNOOZE")
    copy.draft.snoozeLimit = number("SNOOZE-LIMIT")
    copy.draft.silenceAfter = span("SILENCE-AFTER")
    copy.draft.action = own["ACTION"] ?? ""
    copy.draft.badge = number("BADGE")
    copy.draft.run = own["RUN"] ?? ""
    for text in event.info {
      guard let equals = text.firstIndex(of: "=") else { continue }
      copy.draft.info.append(
        InfoPair(OwnText.decode(text[..<equals]), OwnText.decode(text[text.index(after: equals)...])))
    }
    if own["CLOCK-ALONE"] == "TRUE", case .once(let date, let clock, _) = copy.draft.rule {
      copy.draft.rule = .once(date, clock, clockAlone: true)
    }
    if isFirst { copy.id = number("ID") }
    copy.takeBounded(event.name, context, &result.changed)
  }
}
