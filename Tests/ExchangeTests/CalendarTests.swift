import Core
import Exchange
import Schedule
import Testing

@Suite("Alarms of a calendar")
struct CalendarTests {
  @Test(
    "One of an event that is once rings at its trigger",
    arguments: [
      ("DTSTART:20261201T080000Z", "TRIGGER:-PT15M", "2026-12-01T07:45:00Z"),
      ("DTSTART;TZID=Europe/Berlin:20261201T080000", "TRIGGER:-PT15M", "2026-12-01 07:45 Europe/Berlin"),
      (
        "DTSTART;TZID=\"America/New_York\":20261202T001000", "TRIGGER:-P1DT15M",
        "2026-11-30 23:55 America/New_York"
      ),
      ("DTSTART:20261201T080000", "TRIGGER:PT5M", "2026-12-01 08:05"),
      ("DTSTART;VALUE=DATE:20261224", "TRIGGER:-PT15H", "2026-12-23 09:00"),
      (
        "DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227", "TRIGGER;RELATED=END:-PT1H",
        "2026-12-26 23:00"
      ),
      ("DTSTART;VALUE=DATE:20261224", "TRIGGER;RELATED=END:PT0S", "2026-12-25 00:00"),
      (
        "DTSTART:20261201T080000Z\nDTEND:20261201T093000Z", "TRIGGER;RELATED=END:PT0S", "2026-12-01T09:30:00Z"
      ),
      ("DTSTART:20261201T080000Z\nDURATION:PT45M", "TRIGGER;RELATED=END:-PT5M", "2026-12-01T08:40:00Z"),
      (
        "DTSTART;TZID=Europe/Berlin:20261201T080000\nDTEND:20261201T093000Z", "TRIGGER;RELATED=END:PT0S",
        "2026-12-01 10:30 Europe/Berlin"
      ),
      ("DTSTART:20261201T080000Z", "TRIGGER;VALUE=DATE-TIME:20261130T200000Z", "2026-11-30T20:00:00Z"),
      // Two hours before 03:30 is 00:30 on the day on which an hour is missing.
      ("DTSTART;TZID=Europe/Berlin:20270328T033000", "TRIGGER:-PT2H", "2027-03-28 00:30 Europe/Berlin"),
      // The second of two: no clock time of ours says it.
      ("DTSTART;TZID=Europe/Berlin:20271031T023000", "TRIGGER:PT1H", "2027-10-31T01:30:00Z"),
    ])
  func once(start: String, trigger: String, expected: String) throws {
    let found = try read(event(start, trigger: trigger))
    #expect(found.leftOut.isEmpty && found.changed.isEmpty, "\(found)")
    let copy = try #require(found.alarms.first)
    let shown = copy.draft.rule.text + (copy.draft.zone.map { " \($0.identifier)" } ?? "")
    #expect(shown == expected && found.alarms.count == 1)
  }

  @Test(
    "One of a to-do rings before it is due",
    arguments: [
      ("DUE:20261201T080000Z", "TRIGGER;RELATED=END:-PT1H", "2026-12-01T07:00:00Z"),
      ("DTSTART:20261201T080000Z\nDUE:20261201T100000Z", "TRIGGER:PT0S", "2026-12-01T08:00:00Z"),
      ("DTSTART:20261201T080000Z\nDUE:20261201T100000Z", "TRIGGER;RELATED=END:PT0S", "2026-12-01T10:00:00Z"),
      ("PRIORITY:1", "TRIGGER;VALUE=DATE-TIME:20261201T100000Z", "2026-12-01T10:00:00Z"),
    ])
  func toDo(properties: String, trigger: String, expected: String) throws {
    let text = event(properties, trigger: trigger).replacing("VEVENT", with: "VTODO")
    let found = try read(text)
    #expect(found.alarms.map(\.draft.rule.text) == [expected], "\(found.leftOut)")
  }

  @Test("What an event says is what the alarm shows, and its own properties are read")
  func content() throws {
    let found = try read(
      event(
        """
        DTSTART:20261201T080000Z
        DESCRIPTION:one\\, two\\nthree
        X-REVEILLE-VOLUME:40
        X-REVEILLE-FADE:1m30s
        X-REVEILLE-INFO:room=kitchen
        X-REVEILLE-SNOOZE:never
        X-REVEILLE-RUN:rm -rf /
        """))
    let draft = try #require(found.alarms.first).draft
    #expect(
      (draft.label, draft.body, draft.volume, draft.fade) == ("Event", "one, two\nthree", 40, .seconds(90)))
    #expect(draft.info == [InfoPair("room", "kitchen")])
    #expect(draft.run.isEmpty && draft.snooze == nil)
    #expect(found.changed.map(\.why).contains { $0.contains("--with-commands takes it") })
    #expect(found.changed.map(\.why).contains { $0.contains("X-REVEILLE-SNOOZE") })
  }

  @Test("Several alarms of an event are several, and two at one instant are one")
  func several() throws {
    let bells = ["-PT1H", "-PT10M", "-PT10M", "PT0S"].map {
      "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:\($0)\nEND:VALARM"
    }
    let found = try read(
      "BEGIN:VEVENT\nSUMMARY:Three\nDTSTART:20261201T080000Z\n\(bells.joined(separator: "\n"))\nEND:VEVENT")
    #expect(
      found.alarms.map(\.draft.rule.text) == [
        "2026-12-01T07:00:00Z", "2026-12-01T07:50:00Z", "2026-12-01T08:00:00Z",
      ])
  }

  @Test("Further dates of an event are alarms of their own, and a rule of two lines is one alarm")
  func further() throws {
    let found = try read(
      event(
        "DTSTART;TZID=Europe/Berlin:20261130T080000\nRRULE:FREQ=WEEKLY;BYDAY=MO\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1\nRDATE;TZID=Europe/Berlin:20261205T090000,20261212T100000"
      ))
    #expect(
      found.alarms.map(\.draft.rule.text) == [
        "every Mon, last day 08:00", "2026-12-05 09:00", "2026-12-12 10:00",
      ])
  }

  @Test(
    "What is excepted is left out, an event that begins later rings from then on, and one that is moved rings there"
  )
  func exceptions() throws {
    let row =
      "DTSTART;TZID=Europe/Berlin:20261214T080000\nRRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20261224T080000\nEXDATE:20261225T070000Z\nEXDATE;VALUE=DATE:20261231"
    let moved = event(
      "RECURRENCE-ID;TZID=Europe/Berlin:20261220T080000\nDTSTART;TZID=Europe/Berlin:20261220T113000")
    let found = try read(event(row, trigger: "TRIGGER:-PT9H") + "\n" + moved)
    #expect(found.leftOut.isEmpty && found.alarms.count == 2, "\(found)")
    let copy = found.alarms[0]
    #expect(copy.draft.rule.text == "every day 23:00")
    let berlin = try zone("Europe/Berlin")
    let dates = dues(copy, machine: berlin, 20).map { "\($0.date)".dropFirst(5) }
    #expect(
      dates == [
        "12-13", "12-14", "12-15", "12-16", "12-17", "12-18", "12-20", "12-21", "12-22", "12-25", "12-26",
        "12-27", "12-28", "12-29",
        "12-31", "01-01", "01-02", "01-03", "01-04", "01-05",
      ])
    #expect(found.alarms[1].draft.rule.text == "2026-12-20 11:30")
  }

  @Test("A row of which all that follow are moved ends before them, and that is said")
  func allLater() throws {
    let row = "DTSTART:20261130T080000\nRRULE:FREQ=DAILY;COUNT=100"
    let moved = event("RECURRENCE-ID;RANGE=THISANDFUTURE:20261220T080000\nDTSTART:20261220T113000")
    let found = try read(event(row) + "\n" + moved)
    #expect(found.alarms.map(\.draft.until) == [LocalDate("2026-12-19"), nil])
    #expect(found.leftOut.count == 1 && found.leftOut[0].why.contains("all that follow"))
  }

  @Test("Several times a day are several alarms")
  func severalADay() throws {
    let found = try read(event("DTSTART:20261130T080000\nRRULE:FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,30"))
    #expect(
      found.alarms.map(\.draft.rule.text)
        == ["every day 08:00", "every day 08:30", "every day 20:00", "every day 20:30"])
  }

  static let left: [(String, String, String)] = [
    ("DTSTART:20250101T080000Z", "TRIGGER:PT0S", "it has passed"),
    ("DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY;COUNT=5", "TRIGGER:PT0S", "it has passed"),
    ("DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY;UNTIL=20260101T000000Z", "TRIGGER:PT0S", "it has passed"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2", "TRIGGER:PT0S", "every 2 weeks"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=HOURLY", "TRIGGER:PT0S", "several times a day"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=5MO", "TRIGGER:PT0S", "fifth weekday"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=-2MO", "TRIGGER:PT0S", "from the end of the month"),
    (
      "DTSTART:20261201T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "TRIGGER:PT0S",
      "by their places"
    ),
    (
      "DTSTART:20261201T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "TRIGGER:PT0S",
      "falls on some days"
    ),
    (
      "DTSTART:20261201T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "TRIGGER:PT0S", "yearly on a weekday"
    ),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=YEARLY;BYYEARDAY=100", "TRIGGER:PT0S", "days of the year"),
    (
      "DTSTART:20261201T080000Z\nRRULE:FREQ=YEARLY;BYMONTHDAY=13", "TRIGGER:PT0S", "programs read differently"
    ),
    (
      "DTSTART:20261201T080000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-3", "TRIGGER:PT0S",
      "from the end of the month"
    ),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=DAILY;BYMONTH=3", "TRIGGER:PT0S", "some months"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "TRIGGER:PT0S", "no year has"),
    ("DTSTART:20261201T080000Z\nRRULE:FREQ=FORTNIGHTLY", "TRIGGER:PT0S", "cannot be read"),
    ("DTSTART:20261201T080000Z\nSTATUS:CANCELLED", "TRIGGER:PT0S", "it was cancelled"),
    ("DTSTART;TZID=Mars/Olympus:20261201T080000", "TRIGGER:PT0S", "time zone “Mars/Olympus”"),
    ("DTSTART:20261201T080000Z", "X-NOTHING:1", "no trigger"),
    ("DTSTART:20261201T080000Z", "TRIGGER:tomorrow", "no trigger"),
    ("DTSTART:99991231T080000Z", "TRIGGER:P40D", "does not exist"),
    ("LOCATION:nowhere", "TRIGGER:PT0S", "no date"),
  ]

  @Test("What cannot be taken is named with its reason", arguments: left)
  func leftOut(properties: String, trigger: String, reason: String) throws {
    let found = try read(event(properties, trigger: trigger))
    #expect(found.alarms.isEmpty)
    #expect(found.leftOut.count == 1)
    #expect(found.leftOut[0].what.hasPrefix("“Event”"))
    #expect(found.leftOut[0].why.contains(reason), "\(found.leftOut)")
  }

  @Test(
    "Letters and programs are left out by their names", arguments: ["EMAIL", "PROCEDURE", "NONE", "X-DANCE"])
  func actions(name: String) throws {
    let found = try read(
      event("DTSTART:20261201T080000Z").replacing("ACTION:DISPLAY", with: "ACTION:\(name)"))
    #expect(found.alarms.isEmpty && found.leftOut.count == 1)
    #expect(found.leftOut[0].why.contains("ACTION:\(name)"))
  }

  @Test("An event without an alarm is counted, and none is made of it")
  func silent() throws {
    let found = try read("BEGIN:VEVENT\nSUMMARY:Quiet\nDTSTART:20261201T080000Z\nEND:VEVENT")
    #expect(found.alarms.isEmpty && found.leftOut.isEmpty && found.silent == 1)
  }

  @Test("An alarm that is hours before its event says on which day the clocks make a difference")
  func changesOfClocks() throws {
    let found = try read(
      event("DTSTART;TZID=Europe/Berlin:20261130T033000\nRRULE:FREQ=DAILY", trigger: "TRIGGER:-PT2H"),
      at: now - .seconds(86_400 / 4))
    #expect(found.alarms.map(\.draft.rule.text) == ["every day 01:30"])
    #expect(found.changed.count == 1 && found.changed[0].why.contains("on 2027-03-28"), "\(found.changed)")
  }

  @Test(
    "A zone by another name is known by its hours",
    arguments: ["W. Europe Standard Time", "/example.org/2026/Europe/Berlin"])
  func zones(name: String) throws {
    let definition = """
      BEGIN:VTIMEZONE
      TZID:\(name)
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE
      """
    let found = try read(
      definition + "\n" + event("DTSTART;TZID=\(name):20261201T080000\nRRULE:FREQ=DAILY"),
      machine: "Asia/Tokyo",
      at: Instant(seconds: 1_796_083_200 - 3600))
    let draft = try #require(found.alarms.first, "\(found.leftOut)").draft
    #expect(draft.zone?.identifier == "Europe/Berlin" && draft.rule.text == "every day 08:00")
    #expect(found.changed.count == 1 && found.changed[0].why.contains("same hours"))
  }
}
