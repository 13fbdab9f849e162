import CLibical
import Core
import Exchange
import Harness
import Schedule
import Testing

@Suite("Alarms to a file and back")
struct RoundTripTests {
  /// Alarms of every kind, made by chance.
  static func alarms(_ count: Int, seed: UInt64, forCalendar: Bool = false) throws -> [AlarmCopy] {
    var random = SeededGenerator(seed: seed)
    let zones = try ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"].map {
      try zone($0)
    }
    let texts = [
      "", "Up", "Zähne, putzen; jetzt \\ \"so\"", "zwei\nZeilen\tund", "日本語 ⏰", "%41=x", "a\u{301}",
    ]
    func some<Value>(_ make: @autoclosure () -> Value) -> Value? {
      Int.random(in: 0..<3, using: &random) == 0 ? make() : nil
    }
    func text() -> String { texts.randomElement(using: &random) ?? "" }
    func days(_ depth: Int = 0) -> Days {
      switch Int.random(in: 0..<(depth == 0 ? 6 : 5), using: &random) {
      case 0: return .weekly(Set((0..<3).compactMap { _ in Weekday.allCases.randomElement(using: &random) }))
      case 1: return .monthDays(Set((0..<3).map { _ in Int.random(in: 1...31, using: &random) }))
      case 2: return .lastDayOfMonth
      case 3:
        return .ordinal(
          Set((0..<2).compactMap { _ in Ordinal.allCases.randomElement(using: &random) }),
          Weekday.allCases.randomElement(using: &random) ?? .monday)
      case 4:
        return .yearly(
          month: Int.random(in: 1...12, using: &random), day: Int.random(in: 1...29, using: &random))
      default: return .any([days(1), days(1)])
      }
    }
    return (1...count).compactMap { id in
      let second = Int.random(in: 0..<86_400, using: &random)
      guard let clock = ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60) else {
        return nil
      }
      let date = LocalDate(dayNumber: 20_800 + Int.random(in: 0..<2000, using: &random))
      let rule: Rule
      switch Int.random(in: 0..<(forCalendar ? 4 : 5), using: &random) {
      case 0: rule = .once(date, clock, clockAlone: Bool.random(using: &random))
      case 1:
        let micro = forCalendar ? 0 : Int64.random(in: 0..<1_000_000, using: &random)
        rule = .fixed(Instant(microseconds: 1_800_000_000_000_000 + Int64(second) * 1_000_000 + micro))
      case 4: rule = .timer(.milliseconds(Int.random(in: 1...90_000_000, using: &random)))
      default: rule = Rule.every(days(), clock)
      }
      // As the grammar has it, which is what an engine would hold.
      var draft = AlarmDraft(rule: rule.repeats ? Rule(text: rule.text) ?? rule : rule)
      var isTimer = false
      if case .timer = rule { isTimer = true }
      if case .fixed = rule {
      } else if !isTimer {
        draft.zone = some(zones.randomElement(using: &random) ?? .utc)
      }
      (draft.label, draft.body, draft.action) = (text(), text(), some("Open") ?? "")
      draft.sound = some("/tmp/säge, laut%.ogg")
      draft.volume = some(Int.random(in: 0...100, using: &random))
      draft.fade = some(.milliseconds(Int.random(in: 0...90_000, using: &random)))
      draft.snooze = some(.seconds(Int.random(in: 1...9000, using: &random)))
      draft.snoozeLimit = some(Int.random(in: 0...9, using: &random))
      draft.silenceAfter = some(.seconds(Int.random(in: 1...9000, using: &random)))
      draft.badge = some(7)
      draft.run = some("notify-send \"$LABEL\"; echo 100% \\") ?? ""
      draft.info = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        InfoPair(["room", "a=b", "c%3D", "ü,;"].randomElement(using: &random) ?? "k", text())
      }
      if draft.rule.repeats { draft.until = some(LocalDate(dayNumber: 21_200 + second % 900)) }
      if draft.rule.repeats, draft.until == nil || !forCalendar {
        draft.count = some(Int.random(in: 1...40, using: &random))
      }
      var copy = AlarmCopy(draft, id: id)
      if rule.repeats {
        copy.skips = (0..<Int.random(in: 0..<3, using: &random)).map { index in
          let first = LocalDate(dayNumber: 20_788 + index * 100 + Int.random(in: 0..<60, using: &random))
          return first...first.adding(days: Int.random(in: 0..<30, using: &random))
        }
      }
      copy.isEnabled = Bool.random(using: &random) || forCalendar
      if !forCalendar {
        copy.isSpent = !copy.isEnabled && Bool.random(using: &random)
        copy.counted = Int.random(in: 0..<5, using: &random)
        if isTimer { copy.endsAt = Instant(microseconds: 1_800_000_000_123_456) }
      }
      return copy
    }
  }

  @Test(
    "JSON brings every alarm back exactly, to the microsecond and the order of its user-info",
    arguments: 1...20)
  func json(seed: Int) throws {
    let alarms = try RoundTripTests.alarms(100, seed: UInt64(seed))
    let text =
      AlarmDocument.header(at: now)
      + (try alarms.map { try AlarmDocument.line($0) }).joined(separator: AlarmDocument.separator)
      + AlarmDocument.footer
    let context = ImportContext(now: now, zone: try zone("Europe/Berlin"), takesCommands: true)
    let found = try readAlarms(Array(text.utf8), context)
    #expect(found.format == .json)
    #expect(found.leftOut.isEmpty && found.changed.isEmpty)
    #expect(found.alarms == alarms)
  }

  @Test(
    "iCalendar brings every alarm back with the same next times and everything it carries", arguments: 1...20)
  func calendar(seed: Int) throws {
    let machine = try zone("Europe/Berlin")
    let alarms = try RoundTripTests.alarms(60, seed: UInt64(seed), forCalendar: true)
    var writer = try CalendarWriter(now: now, machine: machine)
    var text = CalendarWriter.header
    for alarm in alarms { text += writer.text(alarm) }
    text += CalendarWriter.footer
    let found = try readAlarms(
      Array(text.utf8), ImportContext(now: now, zone: machine, takesCommands: true))
    for alarm in alarms {
      let wanted = dues(alarm, machine: machine, 40).map(\.instant)
      let copy = found.alarms.first { $0.id == alarm.id }
      guard !wanted.isEmpty else {
        #expect(copy == nil)
        continue
      }
      guard let copy else {
        Issue.record("\(alarm.draft.rule.text) is lost: \(found.leftOut)")
        continue
      }
      #expect(dues(copy, machine: machine, 40).map(\.instant) == wanted, "\(alarm) became \(copy)")
      var same = copy.draft
      (same.rule, same.until, same.count) = (alarm.draft.rule, alarm.draft.until, alarm.draft.count)
      #expect(same == alarm.draft)
      // Only where a count runs over several rules does it become a last date.
      if alarm.draft.count == nil { #expect(copy.draft.until == alarm.draft.until) }
      // Several kinds of days may come in another order, and those that never come before the end are gone.
      if case .every(let days, _) = alarm.draft.rule, !days.text.contains(", ") {
        #expect(copy.draft.rule == alarm.draft.rule)
      }
    }
  }

  @Test("What is written is to libical what it is to us", arguments: 21...30)
  func oracle(seed: Int) throws {
    let machine = try zone("Europe/Berlin")
    for alarm in try RoundTripTests.alarms(60, seed: UInt64(seed), forCalendar: true) {
      guard alarm.draft.rule.repeats, alarm.skips.isEmpty, alarm.draft.until == nil, alarm.draft.count == nil
      else { continue }
      var writer = try CalendarWriter(now: now, machine: machine)
      let lines = writer.text(alarm).replacing("\r\n ", with: "").split(separator: "\r\n")
      let event = lines[(lines.firstIndex(of: "BEGIN:VEVENT") ?? 0)...]
      let start = try #require(event.first { $0.hasPrefix("DTSTART") }?.split(separator: ":").last)
      let rules = event.filter { $0.hasPrefix("RRULE:") }.map { String($0.dropFirst(6)) }
      #expect(!rules.isEmpty)
      let all = Set(rules.flatMap { ExchangeTests.oracle($0, from: String(start), 50).compactMap(\.date) })
      #expect(
        Array(all.sorted().prefix(30)) == dues(alarm, machine: machine, 30).map(\.date),
        "\(alarm.draft.rule.text)")
    }
  }

  @Test(
    "A zone that is written has for libical the hours it has here",
    arguments: [
      "Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Asia/Kolkata",
      "Africa/Casablanca",
      "Europe/Dublin", "Asia/Jerusalem", "America/Havana", "Pacific/Chatham", "Asia/Kathmandu",
      "Antarctica/Troll", "Asia/Gaza",
    ])
  func zones(name: String) throws {
    let zone = try zone(name)
    var writer = try CalendarWriter(now: now, machine: .utc)
    let alarm = AlarmCopy(AlarmDraft(rule: .every(.daily, try clock("07:00")), zone: zone), id: 1)
    let text = writer.text(alarm)
    let end = try #require(text.range(of: "END:VTIMEZONE\r\n"))
    let component = try #require(reveille_ical_parse(String(text[..<end.upperBound])))
    let written = try #require(reveille_ical_zone(component))
    defer { reveille_ical_free_zone(written) }
    for hour in stride(from: -24 * 700, to: 24 * 366 * 8, by: 3) {
      let second = now.seconds + Int64(hour) * 3600
      let ours = zone.offset(at: Instant(seconds: second))
      guard Int(reveille_ical_offset(written, second)) != ours else { continue }
      Issue.record(
        "\(Instant(seconds: second).iso(in: zone)): \(reveille_ical_offset(written, second)) is not \(ours)")
      break
    }
  }
}

extension String {
  /// (Foundation's is not wanted here.)
  func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}
