import CLibical
import Core
import Exchange
import Schedule
import Testing

@Suite("Rules of calendars, beside libical's own reading of them")
struct OracleTests {
  static let rules = [
    "FREQ=DAILY", "FREQ=DAILY;COUNT=12", "FREQ=DAILY;UNTIL=20270315T120000Z", "FREQ=DAILY;BYDAY=MO,WE,FR",
    "FREQ=DAILY;BYMONTHDAY=1,15", "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=WEEKLY;BYDAY=SA,SU;WKST=SU", "FREQ=WEEKLY;COUNT=9;BYDAY=TU,TH", "FREQ=WEEKLY;COUNT=65;BYDAY=TU,TH",
    "FREQ=DAILY;COUNT=44", "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYMONTHDAY=1,15,31", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=10,-1",
    "FREQ=MONTHLY;BYDAY=1MO,3MO", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=2TU,4TH",
    "FREQ=MONTHLY;BYDAY=WE;BYSETPOS=2", "FREQ=MONTHLY;BYDAY=SU;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=SA",
    "FREQ=MONTHLY;INTERVAL=12", "FREQ=MONTHLY;BYMONTH=3,6;BYMONTHDAY=5", "FREQ=MONTHLY;COUNT=7;BYDAY=1MO",
    "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=YEARLY;BYMONTH=1,7",
    "FREQ=YEARLY;BYMONTH=3,10;BYMONTHDAY=28,29", "FREQ=YEARLY;UNTIL=20310101T000000Z",
  ]

  /// Clocks are changed at 02:00 or 03:00, at 00:00 in Havana, by half an hour on Lord Howe.
  @Test(
    "The next sixty dates and instants are libical's, over the changes of the clocks",
    arguments: rules, ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "UTC"])
  func same(rule: String, name: String) throws {
    let zone = try zone(name)
    let eve = try #require(LocalDate(year: 2026, month: 11, day: 29))
    let begin = try #require(zone.instant(eve, try clock("23:59:59"))).instant
    // From before the first on, and from when some have passed.
    for (time, after) in ["023000", "000000", "190030"].flatMap({ time in [0, 10].map { (time, $0) } }) {
      let after = begin + .seconds(after * 86_400)
      // On a day that is the 30th, a Monday, the fifth of its month.
      let start = "20261130T\(time)"
      let found = try read(event("DTSTART;TZID=\(name):\(start)\nRRULE:\(rule)"), at: after)
      #expect(found.leftOut.isEmpty && found.changed.isEmpty && found.alarms.count == 1, "\(found)")
      guard let copy = found.alarms.first, case .every(_, let clock) = copy.draft.rule else { continue }
      let wanted = oracle(rule, from: start, 200).filter {
        !$0.isBehind(rule, zone) && reveille_ical_instant($0, name) > after.seconds
      }.prefix(60)
      let ours = dues(copy, machine: zone, after: after, 60)
      #expect(ours.map(\.date) == wanted.map(\.date), "\(rule) \(time)")
      for (due, time) in zip(ours, wanted) {
        #expect(
          (clock.hour, clock.minute, clock.second) == (Int(time.hour), Int(time.minute), Int(time.second)))
        // libical has another mind about times that do not exist, or exist twice, and RFC 5545 has ours.
        guard due.kind == .exact else { continue }
        #expect(due.instant.seconds == reveille_ical_instant(time, name), "\(rule) \(time.wall)")
      }
    }
  }

  @Test(
    "An alarm before or after its event rings as long before or after each of libical's dates",
    arguments: [
      ("FREQ=DAILY", "-PT1H"), ("FREQ=DAILY", "-P1DT3H"), ("FREQ=DAILY", "PT40M"),
      ("FREQ=WEEKLY;BYDAY=MO,SA", "-PT1H"),
      ("FREQ=WEEKLY;BYDAY=MO,SU", "-P2D"), ("FREQ=WEEKLY;BYDAY=FR", "P1DT23H"),
      ("FREQ=MONTHLY;BYMONTHDAY=1", "-PT1H"),
      ("FREQ=MONTHLY;BYMONTHDAY=5,28", "-P3D"), ("FREQ=MONTHLY;BYMONTHDAY=-1", "PT23H45M"),
      ("FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "-PT15M"), ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "-P7D"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "PT1H"),
    ])
  func shifted(rule: String, trigger: String) throws {
    let seconds = [
      "-PT1H": -3600, "-P1DT3H": -97_200, "PT40M": 2400, "-P2D": -172_800, "P1DT23H": 169_200,
      "-P3D": -259_200, "PT23H45M": 85_500, "-PT15M": -900, "-P7D": -604_800, "PT1H": 3600,
    ]
    let offset = try #require(seconds[trigger])
    let past = Instant(seconds: now.seconds - 20 * 86_400)
    let start = "20261101T001000"
    let found = try read(event("DTSTART:\(start)Z\nRRULE:\(rule)", trigger: "TRIGGER:\(trigger)"), at: past)
    #expect(found.leftOut.isEmpty && found.changed.isEmpty, "\(found)")
    let copy = try #require(found.alarms.first)
    // The first of a rule that begins later than its first date is not ours to say.
    let wanted = oracle(rule, from: start, 90).map { reveille_ical_instant($0, "UTC") + Int64(offset) }
      .filter { $0 > past.seconds }.prefix(40)
    let ours = dues(copy, machine: .utc, after: past, 40).map(\.instant.seconds)
    #expect(ours == Array(wanted))
  }

  @Test(
    "A trigger that falls on days no rule of ours names is left out with its reason",
    arguments: [
      ("FREQ=MONTHLY;BYDAY=1MO", "-PT1H"), ("FREQ=MONTHLY;BYMONTHDAY=31", "-PT1H"),
      ("FREQ=MONTHLY;BYMONTHDAY=-1", "-PT1H"),
      ("FREQ=MONTHLY;BYMONTHDAY=1", "-P2D"), ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", "-PT1H"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "-PT1H"), ("FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "-P365D"),
    ])
  func unnamed(rule: String, trigger: String) throws {
    let found = try read(event("DTSTART:20261101T001000Z\nRRULE:\(rule)", trigger: "TRIGGER:\(trigger)"))
    #expect(found.alarms.isEmpty)
    #expect(found.leftOut.count == 1 && found.leftOut[0].why.contains("no rule of ours names"), "\(found)")
  }

  @Test(
    "What repeats at intervals and ends is taken one by one, as libical has it",
    arguments: [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=20", "FREQ=DAILY;INTERVAL=3;UNTIL=20270110T063000Z",
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU;COUNT=8", "FREQ=YEARLY;INTERVAL=4;COUNT=5",
      "FREQ=WEEKLY;INTERVAL=3;WKST=SU;BYDAY=SU,MO;COUNT=9",
    ])
  func intervals(rule: String) throws {
    let found = try read(event("DTSTART;TZID=Europe/Berlin:20261201T073000\nRRULE:\(rule)"))
    #expect(found.leftOut.isEmpty)
    #expect(found.changed.count == 1 && found.changed[0].why.contains("alarms of their own"))
    let berlin = try zone("Europe/Berlin")
    let ours = found.alarms.compactMap { $0.draft.rule.next(after: now, in: berlin)?.instant.seconds }
    #expect(
      ours
        == oracle(rule, from: "20261201T073000", 1000).filter { !$0.isBehind(rule, berlin) }
        .map { reveille_ical_instant($0, "Europe/Berlin") })
    #expect(ours.count > 3)
  }
}

extension icaltimetype {
  /// Beyond an UNTIL in universal time, which libical's iterator takes for the wall's.
  func isBehind(_ rule: String, _ zone: Zone) -> Bool {
    guard let part = rule.split(separator: ";").first(where: { $0.hasPrefix("UNTIL=") }) else { return false }
    let end = reveille_ical_instant(reveille_ical_time(String(part.dropFirst(6))), "UTC")
    return reveille_ical_instant(self, zone.identifier) > end
  }
}
