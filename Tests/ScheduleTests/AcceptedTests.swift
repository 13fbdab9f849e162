import Testing

@testable import Schedule

@Suite("Ways to say when")
struct AcceptedTests {
  /// Monday, 22:48 in Berlin.
  static let now = Instant(seconds: 1_796_075_280)

  @Test("each means what the table says", arguments: accepted)
  func meaning(words: String, sentence: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let when = try When.parse(words, now: Self.now, zone: zone)
    #expect(when.rule.sentence(in: zone) == sentence)
    if case .timer = when.rule { return }
    let due = try #require(when.rule.next(after: Self.now, in: zone))
    #expect(due.instant > Self.now)
  }

  @Test("in any case of letters, and with more space, they mean the same", arguments: accepted)
  func caseAndSpace(words: String, sentence: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    for form in [
      words.uppercased(), words.lowercased(), "  " + words.replacing(" ", with: " \t\u{a0}") + "\n",
    ] {
      let when = try When.parse(form, now: Self.now, zone: zone)
      #expect(when.rule.sentence(in: zone) == sentence, "\(form)")
    }
  }

  @Test("what add says can be typed again", arguments: accepted)
  func sentenceParses(words: String, sentence: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let rule = try When.parse(words, now: Self.now, zone: zone).rule
    let again = try When.parse(sentence, now: Self.now, zone: zone).rule
    #expect(again.sentence(in: zone) == sentence)
    let stored = try #require(Rule(text: rule.text))
    #expect(
      stored.text == rule.text
        && stored.next(after: Self.now, in: zone) == rule.next(after: Self.now, in: zone))
  }

  @Test("there are at least 120 of them, all different")
  func count() { #expect(Set(accepted.map(\.0)).count >= 120) }

  @Test("a clock time alone remembers that it is one, anything with a day does not")
  func clockAlone() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let date = try #require(LocalDate("2026-12-01"))
    let seven = try #require(ClockTime("07:00"))
    #expect(try When.parse("7am", now: Self.now, zone: zone).rule == .once(date, seven, clockAlone: true))
    #expect(
      try When.parse("tomorrow 7am", now: Self.now, zone: zone).rule == .once(date, seven, clockAlone: false))
  }
}

/// The words, and what `add` says of them on Monday 2026-11-30, 22:48 in Berlin.
private let accepted: [(String, String)] = [
  // A clock time alone: the next such time.
  ("7:00", "once 2026-12-01 07:00"), ("07:00", "once 2026-12-01 07:00"),
  ("07:00:30", "once 2026-12-01 07:00:30"),
  ("23:15", "once 2026-11-30 23:15"), ("22:48", "once 2026-12-01 22:48"), ("22:49", "once 2026-11-30 22:49"),
  ("0:00", "once 2026-12-01 00:00"), ("00:00", "once 2026-12-01 00:00"),
  ("23:59:59", "once 2026-11-30 23:59:59"),
  ("07h30", "once 2026-12-01 07:30"), ("12h05", "once 2026-12-01 12:05"), ("0730", "once 2026-12-01 07:30"),
  ("2330", "once 2026-11-30 23:30"), ("2026", "once 2026-12-01 20:26"), ("7am", "once 2026-12-01 07:00"),
  ("7 am", "once 2026-12-01 07:00"), ("7:30 PM", "once 2026-12-01 19:30"),
  ("11:30pm", "once 2026-11-30 23:30"),
  ("7 a.m.", "once 2026-12-01 07:00"), ("7:15p.m", "once 2026-12-01 19:15"),
  ("12am", "once 2026-12-01 00:00"),
  ("12pm", "once 2026-12-01 12:00"), ("12:30 am", "once 2026-12-01 00:30"), ("noon", "once 2026-12-01 12:00"),
  ("midnight", "once 2026-12-01 00:00"), ("at 7am", "once 2026-12-01 07:00"),
  ("at noon", "once 2026-12-01 12:00"),
  ("once 07:00", "once 2026-12-01 07:00"),
  // A date.
  ("today 23:00", "once 2026-11-30 23:00"), ("today at 11pm", "once 2026-11-30 23:00"),
  ("tomorrow 6:30", "once 2026-12-01 06:30"), ("7am tomorrow", "once 2026-12-01 07:00"),
  ("tomorrow at 0700", "once 2026-12-01 07:00"), ("tomorrow, 7am", "once 2026-12-01 07:00"),
  ("at 7am tomorrow", "once 2026-12-01 07:00"), ("tomorrow noon", "once 2026-12-01 12:00"),
  ("tomorrow midnight", "once 2026-12-01 00:00"), ("this fri 8am", "once 2026-12-04 08:00"),
  ("on fri 8am", "once 2026-12-04 08:00"), ("8am this friday", "once 2026-12-04 08:00"),
  ("8am on friday", "once 2026-12-04 08:00"), ("on friday at 8am", "once 2026-12-04 08:00"),
  ("on mon 23:00", "once 2026-11-30 23:00"), ("on mon 22:00", "once 2026-12-07 22:00"),
  ("once fri 8am", "once 2026-12-04 08:00"), ("2026-12-24 18:00", "once 2026-12-24 18:00"),
  ("on 2026-12-24 at 6pm", "once 2026-12-24 18:00"), ("18:00 2026-12-24", "once 2026-12-24 18:00"),
  ("thu 2026-12-24 18:00", "once 2026-12-24 18:00"), ("Thursday, 2026-12-24, 18:00", "once 2026-12-24 18:00"),
  ("24 dec 18:00", "once 2026-12-24 18:00"), ("dec 24 18:00", "once 2026-12-24 18:00"),
  ("24 December 6pm", "once 2026-12-24 18:00"), ("December 24 at 6pm", "once 2026-12-24 18:00"),
  ("24th dec 18:00", "once 2026-12-24 18:00"), ("dec 24th, 18:00", "once 2026-12-24 18:00"),
  ("24th of december 18:00", "once 2026-12-24 18:00"),
  ("on the 24th of december at 6pm", "once 2026-12-24 18:00"),
  ("thu, 24 dec 18:00", "once 2026-12-24 18:00"), ("Thu 24 Dec 2026 18:00", "once 2026-12-24 18:00"),
  ("24 dec 2027 18:00", "once 2027-12-24 18:00"), ("Dec 24, 2027 18:00", "once 2027-12-24 18:00"),
  ("december 24th, 2027 6pm", "once 2027-12-24 18:00"), ("18:00 24 dec 2027", "once 2027-12-24 18:00"),
  ("18:00 on dec 24", "once 2026-12-24 18:00"), ("24 dec 2027 1800", "once 2027-12-24 18:00"),
  ("30 nov 23:00", "once 2026-11-30 23:00"), ("30 nov 22:00", "once 2027-11-30 22:00"),
  ("1 jan 00:00", "once 2027-01-01 00:00"), ("29 feb 7:00", "once 2028-02-29 07:00"),
  ("1st sept 7:00", "once 2027-09-01 07:00"), ("may 1 7am", "once 2027-05-01 07:00"),
  ("2nd jan 7am", "once 2027-01-02 07:00"), ("12 dec midnight", "once 2026-12-12 00:00"),
  // Instants.
  ("2026-12-01T07:00", "once 2026-12-01 07:00"), ("2026-12-01T07:00:30", "once 2026-12-01 07:00:30"),
  ("2026-12-01T07:00Z", "once 2026-12-01T08:00:00+01:00"),
  ("2026-12-01 07:00Z", "once 2026-12-01T08:00:00+01:00"),
  ("2026-12-01T07:00:00+01:00", "once 2026-12-01T07:00:00+01:00"),
  ("2026-12-01 07:00-05:00", "once 2026-12-01T13:00:00+01:00"),
  ("2026-12-01T07:00:15+05:45", "once 2026-12-01T02:15:15+01:00"),
  // Weekdays repeat.
  ("mon 07:00", "every Mon 07:00"), ("monday 7am", "every Mon 07:00"), ("mondays 7am", "every Mon 07:00"),
  ("every mon 7am", "every Mon 07:00"), ("every Monday at 7am", "every Mon 07:00"),
  ("7am mon", "every Mon 07:00"),
  ("07:00 every monday", "every Mon 07:00"), ("mon 0700", "every Mon 07:00"),
  ("on mondays 7am", "every Mon 07:00"),
  ("tues 7am", "every Tue 07:00"), ("weds 7am", "every Wed 07:00"), ("thurs 7am", "every Thu 07:00"),
  ("thur 7am", "every Thu 07:00"), ("mon-fri 07:00", "every Mon-Fri 07:00"),
  ("mon - fri 07:00", "every Mon-Fri 07:00"), ("mon..fri 07:00", "every Mon-Fri 07:00"),
  ("mon\u{2013}fri 07:00", "every Mon-Fri 07:00"), ("monday to friday 7am", "every Mon-Fri 07:00"),
  ("monday through friday 7am", "every Mon-Fri 07:00"), ("7am mon-fri", "every Mon-Fri 07:00"),
  ("weekdays 07:00", "every Mon-Fri 07:00"), ("every weekday 07:00", "every Mon-Fri 07:00"),
  ("7am weekdays", "every Mon-Fri 07:00"), ("weekends 9am", "every Sat,Sun 09:00"),
  ("on weekends at 9am", "every Sat,Sun 09:00"), ("sat,sun 9am", "every Sat,Sun 09:00"),
  ("sat sun 9am", "every Sat,Sun 09:00"), ("sat and sun 9am", "every Sat,Sun 09:00"),
  ("sat & sun 9am", "every Sat,Sun 09:00"), ("mon, wed, fri 6:45", "every Mon,Wed,Fri 06:45"),
  ("mon wed fri 6:45", "every Mon,Wed,Fri 06:45"), ("fri-mon 8:00", "every Fri-Mon 08:00"),
  ("sat-sun 8:00", "every Sat,Sun 08:00"), ("mon-wed,sat 8:00", "every Mon-Wed,Sat 08:00"),
  ("sun,mon 8:00", "every Mon,Sun 08:00"), ("weekdays, sat 8:00", "every Mon-Sat 08:00"),
  ("mon-mon 8:00", "every Mon 08:00"), ("mon midnight", "every Mon 00:00"), ("mon, 7:00", "every Mon 07:00"),
  // Every day.
  ("daily 07:00", "every day 07:00"), ("every day 07:00", "every day 07:00"),
  ("everyday 7am", "every day 07:00"),
  ("7am every day", "every day 07:00"), ("7am daily", "every day 07:00"),
  ("daily at noon", "every day 12:00"),
  ("mon-sun 7:00", "every day 07:00"), ("every day 0700", "every day 07:00"),
  ("each day 7:00", "every day 07:00"),
  // Days of the month and the year.
  ("day 1 09:00", "every day 1 09:00"), ("every day 1,15 09:00", "every day 1,15 09:00"),
  ("day 15, 1 9am", "every day 1,15 09:00"), ("every day 1 and 15 9am", "every day 1,15 09:00"),
  ("day 31 0900", "every day 31 09:00"), ("last day 9am", "every last day 09:00"),
  ("every last day of the month 9am", "every last day 09:00"), ("1st mon 9am", "every 1st Mon 09:00"),
  ("first monday 9am", "every 1st Mon 09:00"), ("every 1st,3rd mon 9am", "every 1st,3rd Mon 09:00"),
  ("second and last fri 9am", "every 2nd,last Fri 09:00"), ("last fri 5pm", "every last Fri 17:00"),
  ("5pm every last friday", "every last Fri 17:00"), ("every 24 dec 18:00", "every 24 Dec 18:00"),
  ("every dec 24 18:00", "every 24 Dec 18:00"), ("every 24th of december 6pm", "every 24 Dec 18:00"),
  ("every 29 feb 00:00", "every 29 Feb 00:00"), ("18:00 every 24 dec", "every 24 Dec 18:00"),
  ("every 24 dec, 1 jan 9:00", "every 24 Dec, 1 Jan 09:00"),
  ("every mon, day 1,15, 29 feb, last fri 9:00", "every Mon, day 1,15, 29 Feb, last Fri 09:00"),
  // Spans.
  ("+25m", "once +25m"), ("+ 25 min", "once +25m"), ("in 25 minutes", "once +25m"), ("+1h30", "once +1h30m"),
  ("+1h 30m", "once +1h30m"), ("in 1 h 30 min", "once +1h30m"), ("+1.5h", "once +1h30m"),
  ("+90s", "once +1m30s"),
  ("in half an hour", "once +30m"), ("in an hour", "once +1h"), ("in a minute", "once +1m"),
  ("+half an hour", "once +30m"),
  ("in 2 days", "once +2d"), ("+1w", "once +7d"), ("in 2 hours and 5 minutes", "once +2h5m"),
  ("+0.5s", "once +0.5s"),
  ("in 1 hr, 10 secs", "once +1h10s"), ("once in 45 s", "once +45s"),
]
