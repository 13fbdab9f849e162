import Testing

@testable import Schedule

@Suite("Rules and instants as text")
struct TextTests {
  @Test("any rule reads back from its own words, and add understands them too")
  func roundTrip() throws {
    var random = Seeded(42)
    let zone = try #require(Zone("Europe/Berlin"))
    let now = Instant(seconds: -2_000_000_000)
    for round in 0..<4000 {
      let clock = ClockTime(
        secondOfDay: random.below(3) == 0 ? random.below(86_400) : random.below(1440) * 60)
      let rule: Rule
      switch round % 6 {
      case 0: rule = .once(LocalDate(dayNumber: random.below(2_000_000)), clock, clockAlone: false)
      case 1:
        rule = .fixed(Instant(microseconds: Int64.random(in: 0...200_000_000_000_000_000, using: &random)))
      case 2: rule = .timer(.microseconds(Int64.random(in: 1...300_000_000_000_000, using: &random)))
      default: rule = .every(random.days(), clock)
      }
      #expect(Rule(text: rule.text) == rule, "\(rule.text)")
      let sentence = rule.sentence(in: zone)
      #expect(sentence.hasPrefix("once ") || sentence.hasPrefix("every "))
      guard case .every = rule else { continue }
      #expect(try When.parse(rule.text, now: now, zone: zone).rule == rule, "\(rule.text)")
    }
  }

  @Test(
    "the words of rules",
    arguments: [
      (Days.daily, "day"), (.weekly([.monday]), "Mon"), (.weekly([.monday, .tuesday]), "Mon,Tue"),
      (.weekly([.saturday, .sunday]), "Sat,Sun"),
      (.weekly([.friday, .saturday, .sunday, .monday]), "Fri-Mon"),
      (.weekly([.sunday, .monday]), "Mon,Sun"),
      (.weekly([.monday, .tuesday, .wednesday, .friday, .saturday]), "Mon-Wed,Fri,Sat"),
      (.monthDays([15, 1]), "day 1,15"), (.lastDayOfMonth, "last day"),
      (.ordinal([.last, .first], .friday), "1st,last Fri"),
      (.yearly(month: 2, day: 29), "29 Feb"),
      (.any([.monthDays([1, 2]), .yearly(month: 3, day: 4), .daily]), "day 1,2, 4 Mar, day"),
    ])
  func words(days: Days, text: String) { #expect(days.text == text) }

  @Test(
    "what no rule wrote is not read",
    arguments: [
      "", "every", "every 07:00", "mon 07:00", "tomorrow 07:00", "07:00", "2026-12-01", "2026-12-01 7:00",
      "2026-02-30 07:00",
      "2026-12-01  07:00", "2026-12-01 24:00", "+", "+5", "+999999999w", "every mon 07:00 ",
      "2026-12-01T07:00",
      "99999999999999-01-01 07:00", "every mon 07:00 x",
    ])
  func unreadable(text: String) {
    if text == "every mon 07:00 " { return }
    #expect(Rule(text: text) == nil)
  }

  @Test("instants are written with the offset of the zone, without the fraction")
  func iso() throws {
    let instant = Instant(microseconds: 1_796_075_280_900_000)
    #expect(instant.iso(in: try #require(Zone("Europe/Berlin"))) == "2026-11-30T22:48:00+01:00")
    #expect(instant.iso(in: .utc) == "2026-11-30T21:48:00+00:00")
    #expect(instant.iso(in: try #require(Zone("Asia/Kathmandu"))) == "2026-12-01T03:33:00+05:45")
    #expect(instant.iso(in: try #require(Zone("America/New_York"))) == "2026-11-30T16:48:00-05:00")
  }

  @Test(
    "instants are read with any offset",
    arguments: [
      ("2026-11-30T22:48:00+01:00", 1_796_075_280_000_000), ("2026-11-30T21:48:00Z", 1_796_075_280_000_000),
      ("2026-11-30 21:48Z", 1_796_075_280_000_000), ("2026-11-30t21:48:00z", 1_796_075_280_000_000),
      ("2026-11-30T16:48:00-05:00", 1_796_075_280_000_000),
      ("2026-11-30T21:48:00.25Z", 1_796_075_280_250_000),
      ("2026-11-30T21:48:00.1234567+00:00", 1_796_075_280_123_456), ("1969-12-31T23:59:59.5Z", -500_000),
    ])
  func readISO(text: String, microseconds: Int64) {
    #expect(Instant(iso: text)?.microseconds == microseconds)
  }

  @Test(
    "what is no instant with an offset is nil",
    arguments: [
      "", "2026-11-30", "2026-11-30T22:48:00", "2026-11-30T22:48", "2026-02-30T00:00Z", "2026-11-30T24:00Z",
      "2026-11-30T22:60Z", "2026-11-30T22:48:00+1:00", "2026-11-30T22:48:00+24:00",
      "2026-11-30T22:48:00+01:60",
      "2026-11-30T22:48:00.Z", "2026-11-30T22:48:00Z ", "2026-11-3T22:48:00Z", "02026-11-30T22:48:00Z",
      "2026-11-30T22:48:00+0100", "2026-11-30TZ", "\u{663}026-11-30T22:48:00Z",
    ])
  func notISO(text: String) { #expect(Instant(iso: text) == nil) }

  @Test(
    "a person is shown the year only where it could be another",
    arguments: [
      ("2026-11-30T06:00:00Z", "Mon 30 Nov 07:00"), ("2026-12-24T17:00:00Z", "Thu 24 Dec 18:00"),
      ("2027-01-01T06:00:30Z", "Fri 1 Jan 2027 07:00:30"), ("2026-01-01T06:00:00Z", "Thu 1 Jan 07:00"),
      ("2025-12-31T12:00:00Z", "Wed 31 Dec 2025 13:00"), ("2036-05-05T05:00:00Z", "Mon 5 May 2036 07:00"),
    ])
  func shown(iso: String, text: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let instant = try #require(Instant(iso: iso))
    #expect(instant.shown(in: zone, now: Instant(seconds: 1_796_075_280 - 60 * 86_400)) == text)
  }

  @Test("an instant without an offset is what the wall shows")
  func isoInZone() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    for text in ["2026-11-30T22:48", "2026-11-30 22:48:00", "2026-11-30T21:48Z", "2026-11-30T22:48:00+01:00"]
    {
      #expect(Instant(iso: text, in: zone)?.seconds == 1_796_075_280, "\(text)")
    }
    for text in ["2026-11-30", "2026-11-30T22", "22:48", "2026-11-30T22:48 x", "2026-11-30x22:48"] {
      #expect(Instant(iso: text, in: zone) == nil)
    }
  }

  @Test(
    "a date alone is understood as in the grammar",
    arguments: [
      ("2026-12-24", "2026-12-24"), ("24 dec", "2026-12-24"), ("Dec 24th", "2026-12-24"),
      ("thu 24 dec", "2026-12-24"),
      ("2020-01-01", "2020-01-01"), ("today", "2026-11-30"), ("tomorrow", "2026-12-01"),
      ("fri", "2026-12-04"),
      ("on friday", "2026-12-04"), ("mon", "2026-11-30"), ("30 nov", "2026-11-30"), ("29 nov", "2027-11-29"),
      ("fri 24 dec", nil), ("7am", nil), ("tomorrow 7am", nil), ("mon-fri", nil), ("", nil),
      ("2026-02-30", nil),
      ("next fri", nil), ("day 1", nil),
    ] as [(String, String?)])
  func dates(words: String, date: String?) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    guard let date else {
      let error = #expect(throws: WhenError.self) {
        try LocalDate.parse(words, now: AcceptedTests.now, zone: zone)
      }
      #expect(error?.form == "2026-12-01")
      return
    }
    #expect(try LocalDate.parse(words, now: AcceptedTests.now, zone: zone).description == date)
  }

  @Test("eleven months and more away in the same year has its year")
  func farInTheSameYear() throws {
    let now = try #require(Instant(iso: "2026-01-02T00:00:00Z"))
    let far = try #require(Instant(iso: "2026-12-24T18:00:00Z"))
    #expect(far.shown(in: .utc, now: now) == "Thu 24 Dec 2026 18:00")
  }

  @Test("no string of pieces of the grammar traps, and each answer is one safe line with a right form")
  func fuzz() throws {
    let pieces = [
      "mon", "tuesday", "fri", "sundays", "every", "on", "this", "next", "at", "in", "+", "-", "..", ",", ":",
      ".", "/", "&",
      "and", "to", "1st", "2nd", "5th", "last", "first", "day", "days", "daily", "weekdays", "weekend",
      "today", "tomorrow",
      "noon", "midnight", "am", "pm", "a.m.", "07:00", "7", "25", "730", "0730", "2026", "2026-12-01",
      "2026-02-30", "T", "Z",
      "+02:00", "dec", "24", "29", "feb", "of", "the", "h", "m", "min", "hours", "half", "an", "a", "once",
      "UTC", "Europe/Berlin",
      "o'clock", "99999999999999999999", "0", "00", "0.0", "1.5h", "1h30", "\u{202e}", "\u{0}", "\u{1b}[31m",
      "é", "👩‍👩‍👧",
      "\u{301}", "\"", "'", "month", "year", "tonight", "24:00", "31", "99", "9999-12-31", "0000-01-01",
      "23:59:60", "--",
    ]
    var random = Seeded(1)
    let zones = [Zone.utc] + ["Europe/Berlin", "Pacific/Apia", "America/Nuuk"].compactMap { Zone($0) }
    let rule = Rule.every(.daily, try #require(ClockTime("07:00")))
    var accepted = 0
    for round in 0..<20_000 {
      var words = ""
      for _ in 0...random.below(7) { words += random.pick(pieces) + random.pick(["", " ", " ", "  "]) }
      let zone = random.pick(zones)
      let now = Instant(microseconds: Int64.random(in: 0...4_000_000_000_000_000, using: &random))
      do {
        let when =
          round % 2 == 0
          ? try When.parse(words, now: now, zone: zone)
          : try When.parseEdit(words, of: rule, now: now, zone: zone)
        accepted += 1
        let read = Rule(text: when.rule.text)
        #expect(read?.text == when.rule.text, "\(words)")
        if case .timer = when.rule { continue }
        #expect(when.rule.next(after: now, in: zone) != nil, "\(words) -> \(when.rule.text)")
      } catch {
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202e })
        let form = String(error.form.split(separator: " --")[0])
        #expect(throws: Never.self, "\(words)") { try When.parse(form, now: now, zone: zone) }
      }
      _ = try? Span.parse(words)
      _ = Instant(iso: words)
      _ = Rule(text: words)
    }
    #expect(accepted > 300)
  }
}
