import Testing

@testable import Schedule

@Suite("Changing when")
struct EditTests {
  @Test(
    "a clock alone keeps the days or the date, days or a date alone keep the clock",
    arguments: [
      ("every Mon-Fri 07:00", "08:00", "every Mon-Fri 08:00"),
      ("every Mon-Fri 07:00", "at noon", "every Mon-Fri 12:00"),
      ("every Mon-Fri 07:00", "sat,sun", "every Sat,Sun 07:00"),
      ("every Mon-Fri 07:00", "every day", "every day 07:00"),
      ("every Mon-Fri 07:00", "weekends", "every Sat,Sun 07:00"),
      ("every Mon-Fri 07:00", "day 1,15", "every day 1,15 07:00"),
      ("every Mon-Fri 07:00", "tomorrow", "once 2026-12-01 07:00"),
      ("every Mon-Fri 07:00", "24 dec", "once 2026-12-24 07:00"),
      ("every Mon-Fri 07:00", "every 24 dec", "every 24 Dec 07:00"),
      ("every Mon-Fri 07:00", "this fri", "once 2026-12-04 07:00"),
      ("every Mon-Fri 07:00", "sat 9:00", "every Sat 09:00"), ("every Mon-Fri 07:00", "+25m", "once +25m"),
      ("every Mon-Fri 07:00", "2026-12-24T18:00Z", "once 2026-12-24T19:00:00+01:00"),
      ("2026-12-24 18:00", "19:30", "once 2026-12-24 19:30"),
      ("2026-12-24 18:00", "7pm", "once 2026-12-24 19:00"),
      ("2026-12-24 18:00", "25 dec", "once 2026-12-25 18:00"),
      ("2026-12-24 18:00", "daily", "every day 18:00"),
      ("2026-12-24 18:00", "mon", "every Mon 18:00"),
      ("2026-12-24T17:00:00Z", "19:00", "once 2026-12-24 19:00"),
      ("2026-12-24T17:00:00Z", "25 dec", "once 2026-12-25 18:00"), ("+25m", "07:00", "once 2026-12-01 07:00"),
      ("+25m", "+30m", "once +30m"), ("+25m", "mon 7:00", "every Mon 07:00"),
    ])
  func edit(old: String, words: String, sentence: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let rule = try #require(Rule(text: old))
    let when = try When.parseEdit(words, of: rule, now: AcceptedTests.now, zone: zone)
    #expect(when.rule.sentence(in: zone) == sentence)
  }

  @Test("a new clock for an alarm that was a clock alone is again the next such time")
  func clockAlone() throws {
    let date = try #require(LocalDate("2026-11-01"))
    let rule = Rule.once(date, try #require(ClockTime("07:00")), clockAlone: true)
    let when = try When.parseEdit("23:00", of: rule, now: AcceptedTests.now, zone: .utc)
    #expect(
      when.rule
        == .once(try #require(LocalDate("2026-11-30")), try #require(ClockTime("23:00")), clockAlone: true))
  }

  @Test(
    "what cannot be completed, or has passed, is refused with a right form",
    arguments: [
      ("+25m", "mon", "mon 07:00"), ("+25m", "tomorrow", "tomorrow 07:00"),
      ("2026-11-01 07:00", "08:00", "1 Nov 08:00"),
      ("every Mon-Fri 07:00", "8", "08:00"), ("every Mon-Fri 07:00", "today", "tomorrow 07:00"),
      ("every Mon-Fri 07:00", "+0s", "+1m"), ("every Mon-Fri 07:00", "blurg", "07:00"),
      ("every Mon-Fri 07:00", "24 dec 0800", "24 Dec 07:00"),
    ])
  func refused(old: String, words: String, form: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let rule = try #require(Rule(text: old))
    let error = #expect(throws: WhenError.self) {
      try When.parseEdit(words, of: rule, now: AcceptedTests.now, zone: zone)
    }
    #expect(error?.form == form)
  }
}

@Suite("What add warns of")
struct WarningTests {
  @Test(
    "gaps ahead, tomorrow at night, and which midnight",
    arguments: [
      (
        "daily 02:30", "2026-11-30T12:00:00Z",
        "In Europe/Berlin the clocks go forward over 02:30 on Sun 2027-03-28; that day it rings at 03:30."
      ),
      (
        "2027-03-28 02:30", "2026-11-30T12:00:00Z",
        "In Europe/Berlin the clocks go forward over 02:30 on Sun 2027-03-28; that day it rings at 03:30."
      ),
      (
        "tomorrow 7am", "2026-11-30T00:30:00Z",
        "It is 01:30, so tomorrow is Tue 2026-12-01; for this morning write: today 07:00"
      ),
      ("tomorrow 1am", "2026-11-30T00:30:00Z", "It is 01:30, so tomorrow is Tue 2026-12-01."),
      ("tomorrow midnight", "2026-11-30T12:00:00Z", "Midnight is the 00:00 that begins Tue 2026-12-01."),
      ("24 dec midnight", "2026-11-30T12:00:00Z", "Midnight is the 00:00 that begins Thu 2026-12-24."),
      ("mon midnight", "2026-11-30T12:00:00Z", "Midnight is the 00:00 that begins the day."),
    ])
  func warning(words: String, now: String, warning: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let when = try When.parse(words, now: try #require(Instant(iso: now)), zone: zone)
    #expect(when.warnings == [warning])
  }

  @Test("a gap over midnight is warned of with the day on which it rings")
  func overMidnight() throws {
    let zone = try #require(Zone("America/Nuuk"))
    let now = try #require(Instant(iso: "2024-03-01T00:00:00Z"))
    let when = try When.parse("sat 23:30", now: now, zone: zone)
    #expect(
      when.warnings == [
        "In America/Nuuk the clocks go forward over 23:30 on Sat 2024-03-30; that day it rings at 00:30 on Sun 2024-03-31."
      ])
  }

  @Test(
    "nothing is said where nothing is odd",
    arguments: [
      "daily 07:00", "mon 02:30", "tomorrow 7am", "7am", "midnight", "+25m", "2026-12-24T18:00Z", "noon",
    ])
  func none(words: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    #expect(try When.parse(words, now: AcceptedTests.now, zone: zone).warnings.isEmpty)
  }
}
