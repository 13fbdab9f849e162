import Core
import Platform
import Schedule
import Wire

/// What `add` and `edit` say of an alarm, read into a draft.
struct AlarmWords {
  var draft: AlarmDraft
  var warnings: [String] = []
  /// A time was named.
  private(set) var namesTime = true
  /// A sound was named and is to be checked.
  var soundToCheck: String?

  /// Bytes of a label, and of the reason for a lease.
  static let longestLabel = 2000

  /// A new alarm.
  init(adding params: Params, now: Instant, machine: Zone) throws(WireError) {
    draft = AlarmDraft(rule: .timer(.zero))
    let words = try params.required("when")
    try readZone(params)
    do {
      let when = try When.parse(words, now: now, zone: draft.zone ?? machine, zoneGiven: draft.zone != nil)
      draft.rule = when.rule
      warnings = when.warnings
    } catch {
      throw Params.wrong(error.description)
    }
    try readOptions(params, now: now, machine: machine)
  }

  /// A changed one: what is not named stays as it was.
  init(editing alarm: Alarm, _ params: Params, now: Instant, machine: Zone) throws(WireError) {
    draft = alarm.draft
    namesTime = false
    try readZone(params)
    if let words = try params.text("when"), !words.isEmpty {
      do {
        let when = try When.parseEdit(
          words, of: alarm.rule, now: now, zone: draft.zone ?? machine, zoneGiven: draft.zone != nil)
        draft.rule = when.rule
        warnings = when.warnings
        namesTime = true
      } catch {
        throw Params.wrong(error.description)
      }
    } else if case .fixed = draft.rule, draft.zone != nil {
      throw Params.wrong(
        "“\(draft.rule.text)” has its own offset, which --zone contradicts: give a new time too")
    }
    try readOptions(params, now: now, machine: machine)
  }

  private mutating func readZone(_ params: Params) throws(WireError) {
    switch try params.givenText("zone") {
    case .absent: break
    case .removed: draft.zone = nil
    case .value(let name):
      guard let zone = Zone(named: name) else {
        throw Params.wrong(
          "there is no time zone “\(clean(name, atMost: 60))”: write one such as Europe/Berlin")
      }
      draft.zone = zone
    }
  }

  private mutating func readOptions(_ params: Params, now: Instant, machine: Zone) throws(WireError) {
    if let label = try params.text("label") {
      draft.label = try AlarmWords.bounded(label, "label", AlarmWords.longestLabel)
    }
    if let body = try params.text("body") { draft.body = try AlarmWords.bounded(body, "body", 16_000) }
    if let action = try params.text("action") {
      draft.action = try AlarmWords.bounded(action, "action", 200)
    }
    if let line = try params.text("run") {
      draft.run = try AlarmWords.command(line, "run")
    }
    try params.givenInteger("badge", in: AlarmDraft.badges).apply(to: &draft.badge)
    let sound = try params.givenText("sound")
    sound.apply(to: &draft.sound)
    if case .value(let text) = sound { soundToCheck = try AlarmWords.bounded(text, "sound", 16_000) }
    try params.givenInteger("volume", in: 0...100).apply(to: &draft.volume)
    if params.has("volume"), draft.volume == 0 {
      warnings.append("the volume is 0: nothing will be heard, the alarm is only shown")
    }
    try params.givenSpan("fade", allowZero: true).apply(to: &draft.fade)
    try params.givenSpan("snooze").apply(to: &draft.snooze)
    try params.givenInteger("snooze-limit", in: 0...10_000).apply(to: &draft.snoozeLimit)
    try params.givenSpan("silence-after").apply(to: &draft.silenceAfter)
    try params.givenInteger("count", in: 1...1_000_000).apply(to: &draft.count)
    switch try params.givenText("until") {
    case .absent: break
    case .removed: draft.until = nil
    case .value(let text): draft.until = try AlarmWords.date(text, "until", now, draft.zone ?? machine)
    }
    try AlarmWords.requireDay(draft.fade, "--fade", "30s")
    try AlarmWords.requireDay(draft.snooze, "--snooze", "10m")
    try AlarmWords.requireDay(draft.silenceAfter, "--silence-after", "10m")
    if !draft.rule.repeats {
      for option in ["until", "count"] where params.has(option) && params.members[option] != .string("") {
        warnings.append(
          "“\(draft.rule.sentence(in: draft.zone ?? machine))” comes once, so --\(option) changes nothing")
      }
    }
    try readInfo(params)
  }

  /// Says as a mistake in words what the book refuses too.
  static func requireDay(_ span: Duration?, _ what: String, _ example: String) throws(WireError) {
    guard let span, span > .seconds(86_400) else { return }
    throw Params.wrong("\(what) lasts 24 h at most, not \(Span.text(span)): say for example \(example)")
  }

  private mutating func readInfo(_ params: Params) throws(WireError) {
    switch params.members["info"] {
    case nil, .null?: return
    case .string("")?: draft.info = []
    case .object(let pairs)?:
      for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
        guard case .string(let text) = value, !key.isEmpty else {
          throw WireError(code: ErrorCode.invalidParams, "“info” must hold texts by key")
        }
        if text.isEmpty {
          draft.info.removeAll { $0.key == key }
        } else if let place = draft.info.firstIndex(where: { $0.key == key }) {
          draft.info[place].value = text
        } else {
          draft.info.append(InfoPair(key, text))
        }
      }
    default: throw WireError(code: ErrorCode.invalidParams, "“info” must be an object")
    }
    try AlarmWords.requireInfo(draft.info)
  }

  static func requireInfo(_ info: [InfoPair]) throws(WireError) {
    let size = info.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard size <= 32_000 else {
      throw Params.wrong("all that --info says may be 32000 bytes, not \(size): shorten it")
    }
  }

  /// What an alarm carries goes through every status and every screen.
  static func bounded(_ text: String, _ option: String, _ limit: Int) throws(WireError) -> String {
    guard text.utf8.count <= limit else {
      throw Params.wrong("--\(option) may be \(limit) bytes, not \(text.utf8.count): shorten it")
    }
    return text
  }

  /// A line for the shell.
  static func command(_ line: String, _ option: String) throws(WireError) -> String {
    if line.utf8.contains(0) {
      throw Params.wrong("--\(option) holds a NUL character, which no shell takes: leave it out")
    }
    return try bounded(line, option, 16_000)
  }

  /// A date in any form that WHEN takes, not passed yet.
  static func date(_ text: String, _ option: String, _ now: Instant, _ zone: Zone) throws(WireError)
    -> LocalDate
  {
    do {
      let date = try LocalDate.parse(text, now: now, zone: zone)
      if date >= zone.local(now).date { return date }
    } catch {
      throw Params.wrong("--\(option): \(error)")
    }
    throw Params.wrong(
      "“\(clean(text, atMost: 60))” has passed: write a coming date for --\(option), such as \(zone.local(now).date.adding(days: 30))"
    )
  }
}
