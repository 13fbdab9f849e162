import Testing

@testable import Schedule

@Suite("Words in any order")
struct ScrambledTests {
  private static let words =
    [
      "mon", "tuesday", "fri", "sat,sun", "mon-fri", "fri..mon", "weekdays", "weekends", "daily", "every",
      "day", "days",
      "last", "1st", "2nd", "first", "fourth", "5th", "1,15", "31", "30", "29", "0", "99999999999999999999",
      "feb",
      "July", "4", "24", "2024", "2026", "2027", "9999", "10000", "0000", "at", "on", "in", "this", "next",
      "today",
      "tomorrow", "yesterday", "noon", "midnight", "7", "730", "0730", "7:00", "07:00", "07:00:59",
      "23:59:60", "24:00",
      "7am", "12am", "12", "am", "pm", "13pm", "7h30", "25h", "+25m", "+", "-", ",", "..", ":", "half", "an",
      "hour",
      "a", "1.5", "h", "min", "+1e9s", "-5m", "2026-12-01", "2026-02-30", "2026-12-01T07:00",
      "2026-12-01T07:00Z",
      "2026-03-29T02:30+01:00", "Z", "+25:00", "T", "UTC", "é", "\u{0}", "🕖", "1/2", "12/24", "7.30",
      "\u{661}\u{667}:00",
      "--", "2w", "3653d", "3654d", "0s", "29 feb", "31 jan", "1st,last",
    ]

  /// The form that a complaint shows.
  private func shown(_ complaint: String) -> String? {
    guard let start = complaint.range(of: ": write ") else { return nil }
    let written = String(complaint[start])
    let example = "a time such as "
    let form = written.hasPrefix(example) ? String(written.dropFirst(example.count)) : written
    return form.contains(" --") ? nil : form
  }

  @Test("are a rule whose text reads back, or a complaint whose form is right", arguments: 0..<4)
  func scrambled(part: Int) {
    var random = Seeded(UInt64(40 + part))
    let rules: [Rule] = [
      .every(.daily, ClockTime(secondOfDay: 25_200)),
      .once(LocalDate(dayNumber: 20_800), ClockTime(secondOfDay: 25_200), clockAlone: true),
      .timer(.seconds(1500)), .fixed(Instant(seconds: 1_800_000_000)),
    ]
    var (right, wrong) = (0, 0)
    for round in 0..<1000 {
      let zone = random.pick([Zone.utc, Zone("Europe/Berlin") ?? .utc, Zone("Australia/Lord_Howe") ?? .utc])
      let now = Instant(seconds: Int64(random.below(25_000_000)) + 1_768_000_000)
      let count = 1 + random.below(5)
      let text = (0..<count).map { _ in random.pick(Self.words) }.joined(
        separator: random.below(5) == 0 ? "" : " ")
      do {
        let when = try When.parse(text, now: now, zone: zone)
        right += 1
        _ = (when.rule.sentence(in: zone), when.rule.next(after: now, in: zone))
        let again = try? When.parse(when.rule.text, now: now, zone: zone).rule
        #expect(
          again?.text == when.rule.text,
          "“\(text)” is “\(when.rule.text)”, which is \(String(describing: again))")
      } catch {
        wrong += 1
        if let form = shown(error.description) {
          #expect(
            (try? When.parse(form, now: now, zone: zone)) != nil,
            "“\(text)” at \(now.iso(in: zone)): \(error)")
        }
      }
      let rule = rules[round % rules.count]
      do {
        let when = try When.parseEdit(text, of: rule, now: now, zone: zone)
        _ = (when.rule.sentence(in: zone), when.rule.next(after: now, in: zone))
      } catch {
        if let form = shown(error.description) {
          #expect(
            (try? When.parseEdit(form, of: rule, now: now, zone: zone)) != nil,
            "“\(text)” in place of “\(rule.text)” at \(now.iso(in: zone)): \(error)")
        }
      }
    }
    #expect(right > 20 && wrong > 500)
  }
}

extension String {
  fileprivate func range(of part: String) -> PartialRangeFrom<String.Index>? {
    var place = startIndex
    var found: String.Index?
    while place < endIndex {
      if self[place...].hasPrefix(part) { found = index(place, offsetBy: part.count) }
      place = index(after: place)
    }
    return found.map { $0... }
  }
}
