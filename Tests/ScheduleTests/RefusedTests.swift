import Testing

@testable import Schedule

@Suite("Words that do not say when")
struct RefusedTests {
  @Test("each is refused by one sentence that quotes it and shows a form that is right", arguments: refused)
  func refusal(words: String, form: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let now = AcceptedTests.now
    do {
      let when = try When.parse(words, now: now, zone: zone)
      Issue.record("\(words) was taken as \(when.rule.text)")
    } catch {
      #expect(error.description.hasPrefix("\"\(words)\" "))
      #expect(error.form == form, "\(error)")
      #expect(
        error.description.hasSuffix(": write \(form)")
          || form == "07:00" && error.description.hasSuffix(": write a time such as 07:00"))
      #expect(!error.description.contains("\n"))
      let alone = form.split(separator: " --")[0]
      #expect(throws: Never.self) { try When.parse(String(alone), now: now, zone: zone) }
    }
  }

  @Test(
    "words that mean one time are never answered with what repeats",
    arguments: [
      "once", "today", "tomorrow", "tonight", "this", "next", "in", "now", "day after tomorrow", "later",
    ])
  func oneTime(start: String) throws {
    let zone = try #require(Zone("Europe/Berlin"))
    for rest in [
      "", " day", " mon-fri", " day 7am", " every", " last day", " weekly 7am", " 7 mon", " day 32 7am",
    ] {
      let words = start + rest
      do {
        _ = try When.parse(words, now: AcceptedTests.now, zone: zone)
      } catch  where !rest.contains("every") {
        let form = String(error.form.split(separator: " --")[0])
        let when = try When.parse(form, now: AcceptedTests.now, zone: zone)
        #expect(!when.rule.repeats, "\(error)")
      } catch {}
    }
  }

  @Test("what is understood of a time stays in the form that is shown, and an example is called one")
  func kept() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let morning = try #require(Instant(iso: "2026-11-30T08:00:00Z"))
    for (words, end) in [
      ("tonight 8:30", "write today 20:30"), ("8:30 tonight", "write today 20:30"),
      ("tonight 8", "write today 20:00"), ("8 tonight", "write today 20:00"),
      ("7:30 this evening", "write today 19:30"), ("blurg", "write a time such as 07:00"),
      (
        "every second monday 8:00",
        "can mean every other week, which no alarm repeats by, or the 2nd Mon of each month: write every 2nd monday 8:00"
      ),
    ] {
      let error = #expect(throws: WhenError.self) { try When.parse(words, now: morning, zone: zone) }
      #expect(error?.description.hasSuffix(end) == true, "\(words): \(error?.description ?? "")")
    }
    #expect(
      try When.parse("every 2nd monday 8:00", now: morning, zone: zone).rule.text == "every 2nd Mon 08:00")
  }

  @Test(
    "a span of nothing is answered with one that is taken, where nothing is not",
    arguments: ["0", "0m", "+0"])
  func noSpan(words: String) {
    let error = #expect(throws: WhenError.self) { try Span.parse(words) }
    #expect(error.map { (try? Span.parse($0.form)) == .seconds(60) } == true, "\(error?.description ?? "")")
  }

  @Test("next friday names both of the dates it can mean")
  func nextFriday() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let error = #expect(throws: WhenError.self) {
      try When.parse("next friday 8am", now: AcceptedTests.now, zone: zone)
    }
    #expect(
      error?.description
        == "\"next friday 8am\" can mean Fri 2026-12-04 or Fri 2026-12-11: write 2026-12-04 8am")
  }

  @Test("nothing at all, and only space, are answered too", arguments: ["", "  ", "\n\t", "\u{2003}"])
  func nothing(words: String) throws {
    let zone = try #require(Zone("UTC"))
    let error = #expect(throws: WhenError.self) { try When.parse(words, now: AcceptedTests.now, zone: zone) }
    #expect(error?.description == "no time is given: write 07:00")
  }

  @Test("an offset and --zone exclude each other")
  func offsetWithZone() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let error = #expect(throws: WhenError.self) {
      try When.parse("2026-12-01T07:00+05:00", now: AcceptedTests.now, zone: zone, zoneGiven: true)
    }
    #expect(
      error?.description
        == "\"2026-12-01T07:00+05:00\" has an offset, and --zone names another: write 2026-12-01 07:00")
    #expect(throws: Never.self) {
      try When.parse("2026-12-01T07:00", now: AcceptedTests.now, zone: zone, zoneGiven: true)
    }
  }

  @Test("a day the zone leaves out is refused")
  func missingDay() throws {
    let zone = try #require(Zone("Pacific/Apia"))
    let now = try #require(Instant(iso: "2011-12-28T12:00:00-10:00"))
    let error = #expect(throws: WhenError.self) { try When.parse("2011-12-30 07:00", now: now, zone: zone) }
    #expect(
      error?.description
        == "\"2011-12-30 07:00\" names a day that Pacific/Apia leaves out (2011-12-30): write 2011-12-31 07:00"
    )
  }

  @Test("words that could move a cursor or turn the text are quoted without that power")
  func hostile() throws {
    let zone = try #require(Zone("UTC"))
    for words in [
      "7\u{1b}[2J", "mon\u{202e} 7", "a\u{7}b", "7\u{2028}mon", "x\u{0}y", "\u{e0041}7", "\u{9b}31m 7",
    ] {
      let error = #expect(throws: WhenError.self) {
        try When.parse(words, now: AcceptedTests.now, zone: zone)
      }
      let text = try #require(error?.description)
      for scalar in text.unicodeScalars {
        #expect(scalar.value >= 32 && !(0x7f...0x9f).contains(scalar.value))
        #expect(!(0x202a...0x202e).contains(scalar.value) && scalar.value != 0x2028 && scalar.value < 0xe0000)
      }
    }
  }

  @Test("very long words are refused without being shown in full")
  func long() throws {
    let zone = try #require(Zone("UTC"))
    for words in [
      String(repeating: "mon,", count: 60_000), String(repeating: "9", count: 500),
      "+" + String(repeating: "9", count: 150),
    ] {
      let error = #expect(throws: WhenError.self) {
        try When.parse(words, now: AcceptedTests.now, zone: zone)
      }
      let count = try #require(error?.description.count)
      #expect(count < 200)
    }
  }
}

/// The words, and the form that is shown on Monday 2026-11-30, 22:48 in Berlin.
private let refused: [(String, String)] = [
  ("7", "07:00"), ("730", "07:30"), ("25", "+25m"), ("25m", "+25m"), ("25 min", "+25 min"),
  ("mon 7", "mon 07:00"),
  ("tomorrow 6", "tomorrow 06:00"), ("7.30", "07:30"), ("7.30pm", "7:30pm"), ("24:00", "00:00"),
  ("7:60", "07:00"),
  ("13pm", "13:00"), ("0am", "12am"), ("730am", "7:30am"), ("25:00", "01:00"), ("24:30", "00:30"),
  ("99:00", "07:00"), ("7:5", "07:05"),
  ("2560", "07:00"),
  ("7:30:99", "07:00"), ("24", "00:00"), ("at 7", "at 07:00"), ("7 tomorrow", "07:00 tomorrow"),
  ("7 mon", "07:00 mon"), ("mon 730", "mon 07:30"),
  ("next friday", "2026-12-04 07:00"), ("8am next friday", "8am 2026-12-04"),
  ("next week 7am", "tomorrow 07:00"),
  ("next monday 7am", "2026-12-07 7am"),
  ("12/24", "24 Dec 07:00"), ("12/24/2026 8am", "24 Dec 2026 8am"), ("24.12.2026 18:00", "24 Dec 2026 18:00"),
  ("24.12. 18:00", "24 Dec 18:00"),
  ("07:00 UTC", "07:00 --zone UTC"), ("7am CET", "7am --zone CET"),
  ("mon 7am Europe/Berlin", "mon 7am --zone Europe/Berlin"),
  ("mon 7am Nowhere/Else", "mon 7am --zone Europe/Berlin"),
  ("07:00Z", "2026-12-01T07:00+00:00"), ("07:00+02:00", "2026-12-01T07:00+02:00"),
  ("every 2h", "every day 07:00"), ("every 30 min", "every day 07:00"),
  ("every other day 7am", "every day 07:00"),
  ("every", "every day 07:00"), ("every 07:00", "every day 07:00"), ("every 7am", "every day 7am"),
  ("every 7", "every day 07:00"), ("every day 7", "every day 07:00"), ("every day", "every day 07:00"),
  ("every month 7am", "every day 1 07:00"), ("every week 7am", "every mon 07:00"),
  ("every year 7am", "every 24 Dec 07:00"),
  ("hourly", "every day 07:00"), ("monthly 7am", "every day 1 07:00"), ("weekly 7am", "every mon 07:00"),
  ("yearly 7am", "every 24 Dec 07:00"), ("every tomorrow 7am", "tomorrow 7am"),
  ("every 15th 7am", "every day 15 7am"),
  ("15th 7am", "15 Dec 7am"), ("every 2nd day 7am", "every day 07:00"), ("5th mon 7am", "last mon 7am"),
  ("every 24 dec 2026 18:00", "24 dec 2026 18:00"), ("every 24 dec 0700", "every 24 dec 07:00"),
  ("24 dec 0700", "24 dec 07:00"), ("dec 24, 1800", "dec 24, 18:00"),
  ("mon", "mon 07:00"), ("mon-fri", "mon-fri 07:00"), ("tomorrow", "tomorrow 07:00"),
  ("today", "today 23:59"),
  ("2026-12-24", "2026-12-24 07:00"), ("24 dec", "24 dec 07:00"), ("24 dec 2027", "24 dec 2027 07:00"),
  ("this friday", "this friday 07:00"), ("last day", "last day 07:00"), ("day 07:00", "every day 07:00"),
  ("day 32 7am", "day 31 7am"), ("day 0 7am", "day 1 7am"),
  ("2020-12-24 07:00", "24 Dec 07:00"), ("today 06:00", "tomorrow 06:00"),
  ("today midnight", "tomorrow 00:00"),
  ("2026-11-30 22:48", "30 Nov 22:48"), ("2020-01-01T00:00Z", "2026-12-01T00:00+00:00"),
  ("fri 24 dec 18:00", "Thu 2026-12-24 18:00"), ("sun 2026-12-24 18:00", "Thu 2026-12-24 18:00"),
  ("31 feb 7am", "29 Feb 7am"), ("31 apr 7am", "30 Apr 7am"), ("2027-02-29 7am", "28 Feb 2027 7am"),
  ("2026-13-01 7am", "2026-12-01 7am"), ("2027-2-3 7am", "2027-02-03 7am"), ("0 dec 7am", "2026-12-01 7am"),
  ("+0s", "+1m"), ("+25", "+25m"), ("in 25", "in 25m"), ("+", "+25m"), ("+1h 30", "+1h 30m"),
  ("+tea", "+25m"),
  ("in the morning", "+25m"), ("+999999999999h", "+52w"), ("+4000d", "+52w"), ("+1 month", "+25m"),
  ("+1,5h", "+1.5h"),
  ("+1h tea", "+1h --label tea"), ("in 3 days at 7:00", "2026-12-03 07:00"),
  ("in 2 weeks 7am", "2026-12-14 07:00"), ("1h30", "+1h30"), ("7h30", "+7h30"),
  ("half an hour", "in half an hour"),
  ("2h", "+2h"),
  ("07:00 08:00", "07:00"), ("mon 07:00 08:00", "mon 07:00"), ("mon 07:00 tue", "mon 07:00"),
  ("7am blurg", "7am --label blurg"), ("07:00 Green tea", "07:00 --label \"Green tea\""),
  ("mon 07:00 except wed", "mon 07:00"),
  ("07:00 $(reboot)", "07:00"), ("mon-fri 7am Bus 12", "mon-fri 7am --label \"Bus 12\""),
  ("blurg", "07:00"), ("tonight 8pm", "tomorrow 8pm"), ("11pm tonight", "11pm today"), ("8 o'clock", "08:00"),
  ("tomorrow 8 o'clock", "tomorrow 08:00"), ("on mon, wed 7am", "mon, wed 7am"),
  ("this mon-fri 7am", "this Mon 7am"),
  ("once mon-fri 7am", "2026-12-01 07:00"), ("mon,,tue 7am", "mon 7am"), ("-5m", "+5m"), ("5m ago", "+5m"),
  ("half an hour ago", "in half an hour"), ("5 min from now", "+5 min"), ("now", "+1m"),
  ("day after tomorrow 7:00", "2026-12-02 7:00"), ("7am the day after tomorrow", "7am 2026-12-02"),
  ("the day after tomorrow", "2026-12-02 07:00"), ("half past seven", "07:30"), ("quarter to eight", "07:45"),
  ("a quarter past 6 pm", "6:15pm"), ("ten to one", "12:50"),
  ("tomorrow at half past seven", "tomorrow 07:30"),
  ("twenty-five minutes past nine", "09:25"), ("half past midnight", "00:30"), ("five to midnight", "23:55"),
  ("seven thirty am", "7:30am"), ("mon seven", "mon 07:00"), ("eight o'clock", "08:00"),
  ("tomorrow morning", "tomorrow 08:00"), ("in the evening", "+25m"),
  ("tomorrow in the evening", "tomorrow 20:00"),
  ("8 at night", "20:00"), ("tomorrow 8 at night", "tomorrow 20:00"), ("at 8 at night", "at 20:00"),
  ("7:30 in the evening", "19:30"), ("mon-fri 7:30 in the morning", "mon-fri 07:30"),
  ("quarter past 9 in the evening", "21:15"), ("half past nine at night", "21:30"),
  ("tuesday and 9:00", "tuesday 9:00"), ("wednsday 7:00", "wednesday 7:00"),
  ("this firday 7:00", "this friday 7:00"), ("tonight 8:30", "tomorrow 20:30"),
  ("every second mon 8:00", "every 2nd mon 8:00"), ("12 at night", "00:00"),
  ("tomorrow daily", "tomorrow 07:00"),
  ("7:00 -", "7:00"),
  ("٧:٠٠", "07:00"), ("７:００", "07:00"), ("sunrise", "07:00"), ("every blue moon 7am", "every day 07:00"),
]
