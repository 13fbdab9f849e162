import Testing

@testable import Schedule

/// Times that other projects state in their own tests, put into our grammar.
private struct Vector: CustomTestStringConvertible, Sendable {
  var zone: String
  var after: String
  var rule: String
  var expected: [String]
  /// Project, file and version the figures are from.
  var source: String

  var testDescription: String { "\(rule) in \(zone) after \(after) (\(source))" }
}

@Suite("Times that other projects state")
struct VectorTests {
  @Test("the next instants are theirs", arguments: vectors)
  private func nextInstants(vector: Vector) throws {
    let zone = try #require(Zone(vector.zone))
    let after = try #require(Instant(iso: vector.after))
    let rule = try When.parse(vector.rule, now: after, zone: zone).rule
    var found: [String] = []
    var instant = after
    for _ in vector.expected {
      guard let due = rule.next(after: instant, in: zone) else { break }
      found.append(due.instant.iso(in: zone))
      instant = due.instant
    }
    #expect(found == vector.expected)
  }
}

private let vectors: [Vector] = [
  Vector(
    zone: "America/New_York", after: "2012-11-04T00:00:00-04:00", rule: "daily 01:00",
    expected: ["2012-11-04T01:00:00-04:00"],
    source: "robfig/cron:spec_test.go@bc59245 TestNext"),
  Vector(
    zone: "America/New_York", after: "2012-11-04T00:00:00-04:00", rule: "daily 02:00",
    expected: ["2012-11-04T02:00:00-05:00"],
    source: "robfig/cron:spec_test.go@bc59245 TestNext"),
  Vector(
    zone: "America/New_York", after: "2012-11-04T02:00:00-05:00", rule: "daily 02:00",
    expected: ["2012-11-05T02:00:00-05:00"],
    source: "robfig/cron:spec_test.go@bc59245 TestNext"),
  Vector(
    zone: "America/Sao_Paulo", after: "2018-02-14T05:00:00-05:00", rule: "day 22 09:00",
    expected: ["2018-02-22T09:00:00-03:00"],
    source: "robfig/cron:spec_test.go@bc59245 TestNext (cron#157)"),
  Vector(
    zone: "Asia/Kolkata", after: "2016-01-03T13:09:03+05:30", rule: "daily 14:14",
    expected: ["2016-01-03T14:14:00+05:30"],
    source: "robfig/cron:spec_test.go@bc59245 TestNextWithTz"),
  Vector(
    zone: "Asia/Kolkata", after: "2016-01-03T04:09:03+05:30", rule: "daily 14:14",
    expected: ["2016-01-03T14:14:00+05:30"],
    source: "robfig/cron:spec_test.go@bc59245 TestNextWithTz"),
  Vector(
    zone: "Asia/Kolkata", after: "2016-01-03T14:09:03+05:30", rule: "daily 14:14",
    expected: ["2016-01-03T14:14:00+05:30"],
    source: "robfig/cron:spec_test.go@bc59245 TestNextWithTz"),
  Vector(
    zone: "Asia/Kolkata", after: "2016-01-03T14:00:00+05:30", rule: "daily 14:14",
    expected: ["2016-01-03T14:14:00+05:30"],
    source: "robfig/cron:spec_test.go@bc59245 TestNextWithTz"),
  Vector(
    zone: "UTC", after: "2012-07-09T23:35:00+00:00", rule: "every February 29 00:00",
    expected: ["2016-02-29T00:00:00+00:00"],
    source: "robfig/cron:spec_test.go@bc59245 TestNext"),
  Vector(
    zone: "Pacific/Auckland", after: "1970-01-01T15:25:45+12:00", rule: "2017-04-02 02:30",
    expected: ["2017-04-02T02:30:00+13:00"],
    source: "systemd src/test/test-calendarspec.c calendar_spec_next (elogind/elogind@d7956ed)"),
  Vector(
    zone: "Pacific/Auckland", after: "1970-01-01T15:25:45+12:00", rule: "2017-09-24 03:30",
    expected: ["2017-09-24T03:30:00+13:00"],
    source: "systemd src/test/test-calendarspec.c calendar_spec_next (elogind/elogind@d7956ed)"),
  Vector(
    zone: "Europe/Berlin", after: "1970-01-01T04:25:45+01:00", rule: "2016-03-27 03:17",
    expected: ["2016-03-27T03:17:00+02:00"],
    source: "systemd src/test/test-calendarspec.c calendar_spec_next (elogind/elogind@d7956ed)"),
  Vector(
    zone: "UTC", after: "1970-01-01T03:25:45+00:00", rule: "2016-03-27 03:17",
    expected: ["2016-03-27T03:17:00+00:00"],
    source: "systemd src/test/test-calendarspec.c calendar_spec_next (elogind/elogind@d7956ed)"),
  Vector(
    zone: "America/Sao_Paulo", after: "2018-02-17T21:00:00-02:00", rule: "daily 00:00",
    expected: ["2018-02-18T00:00:00-03:00"],
    source: "pallets-eco/croniter:src/croniter/tests/test_croniter.py@3dd4d14 test_std_dst2"),
  Vector(
    zone: "America/Sao_Paulo", after: "2018-02-17T22:00:00-02:00", rule: "daily 00:00",
    expected: ["2018-02-18T00:00:00-03:00"],
    source: "pallets-eco/croniter:src/croniter/tests/test_croniter.py@3dd4d14 test_std_dst2"),
  Vector(
    zone: "America/Sao_Paulo", after: "2018-02-17T22:05:00-02:00", rule: "daily 00:00",
    expected: ["2018-02-18T00:00:00-03:00"],
    source: "pallets-eco/croniter:src/croniter/tests/test_croniter.py@3dd4d14 test_std_dst2"),
  Vector(
    zone: "America/Sao_Paulo", after: "2018-02-18T00:05:00-03:00", rule: "daily 00:00",
    expected: ["2018-02-19T00:00:00-03:00"],
    source: "pallets-eco/croniter:src/croniter/tests/test_croniter.py@3dd4d14 test_std_dst2"),
  Vector(
    zone: "US/Eastern", after: "2013-03-09T12:00:00-05:00", rule: "daily 08:00",
    expected: ["2013-03-10T08:00:00-04:00"],
    source: "agronholm/apscheduler:tests/triggers/test_cron.py@02b8584 test_dst_change"),
  Vector(
    zone: "Australia/Lord_Howe", after: "2024-10-05T00:00:00+10:30", rule: "daily 02:30",
    expected: ["2024-10-05T02:30:00+10:30", "2024-10-06T02:30:00+11:00", "2024-10-07T02:30:00+11:00"],
    source: "agronholm/apscheduler:tests/triggers/test_cron.py@02b8584 test_dst_partial_gap"),
  Vector(
    zone: "Europe/Berlin", after: "2016-02-01T00:00:00+01:00", rule: "day 30 00:00",
    expected: ["2016-03-30T00:00:00+02:00", "2016-04-30T00:00:00+02:00"],
    source: "agronholm/apscheduler:tests/triggers/test_cron.py@02b8584 test_month_rollover"),
  Vector(
    zone: "Europe/Berlin", after: "2016-10-30T00:00:00+02:00", rule: "daily 02:30",
    expected: ["2016-10-30T02:30:00+02:00"],
    source: "agronholm/apscheduler:tests/triggers/test_calendarinterval.py@04f33ed test_repeated_time"),
  Vector(
    zone: "UTC", after: "2021-02-25T15:00:00+00:00", rule: "sun-fri 00:00",
    expected: ["2021-02-26T00:00:00+00:00", "2021-02-28T00:00:00+00:00"],
    source: "spring-projects/spring-framework:…/CronExpressionTests.java@0a7105d sundayToFriday (zone-less)"),
  Vector(
    zone: "UTC", after: "2007-02-10T12:00:00+00:00", rule: "every February 29 00:00",
    expected: ["2008-02-29T00:00:00+00:00", "2012-02-29T00:00:00+00:00"],
    source:
      "spring-projects/spring-framework:…/CronExpressionTests.java@0a7105d leapYearSpecificDate (zone-less)"),
  Vector(
    zone: "America/New_York", after: "2025-03-09T06:00:00+00:00", rule: "daily 02:30",
    expected: ["2025-03-09T03:30:00-04:00"],
    source: "Hexagon/croner:test/timezone.test.ts@0fc2c65 OCPS 1.4"),
  Vector(
    zone: "Europe/London", after: "2025-03-30T00:00:00+00:00", rule: "daily 01:30",
    expected: ["2025-03-30T02:30:00+01:00"],
    source: "Hexagon/croner:test/timezone.test.ts@0fc2c65 OCPS 1.4"),
  Vector(
    zone: "Europe/Athens", after: "2016-10-29T01:00:00+02:00", rule: "daily 12:00",
    expected: ["2016-10-29T12:00:00+03:00", "2016-10-30T12:00:00+02:00", "2016-10-31T12:00:00+02:00"],
    source: "harrisiirak/cron-parser:tests/timezone.test.ts@6a4fa5d"),
  Vector(
    zone: "Europe/Athens", after: "2016-10-29T02:59:59+02:00", rule: "daily 12:00",
    expected: ["2016-10-29T12:00:00+03:00", "2016-10-30T12:00:00+02:00", "2016-10-31T12:00:00+02:00"],
    source: "harrisiirak/cron-parser:tests/timezone.test.ts@6a4fa5d"),
  Vector(
    zone: "UTC", after: "2010-09-21T00:00:00+00:00", rule: "daily 14:00",
    expected: [
      "2010-09-21T14:00:00+00:00", "2010-09-22T14:00:00+00:00", "2010-09-23T14:00:00+00:00",
      "2010-09-24T14:00:00+00:00", "2010-09-25T14:00:00+00:00", "2010-09-26T14:00:00+00:00",
      "2010-09-27T14:00:00+00:00", "2010-09-28T14:00:00+00:00", "2010-09-29T14:00:00+00:00",
      "2010-09-30T14:00:00+00:00",
    ],
    source:
      "swiftlang/swift-foundation:Tests/FoundationEssentialsTests/GregorianCalendarRecurrenceRuleTests.swift@767ff1c simpleDailyRecurrence"
  ),
  Vector(
    zone: "UTC", after: "2019-01-01T00:05:00+00:00", rule: "daily 01:00",
    expected: ["2019-01-01T01:00:00+00:00", "2019-01-02T01:00:00+00:00"],
    source:
      "yuriykulikov/AlarmClock:app/src/test/java/com/better/alarm/AlarmCoreTest.kt@8293b52 Repeating alarm shows proper next time (zone-less; 2nd = next after skip)"
  ),
  Vector(
    zone: "UTC", after: "2019-01-01T00:05:00+00:00", rule: "mon,tue 01:00",
    expected: ["2019-01-01T01:00:00+00:00", "2019-01-07T01:00:00+00:00"],
    source:
      "yuriykulikov/AlarmClock:app/src/test/java/com/better/alarm/AlarmCoreTest.kt@8293b52 Repeating alarm shows proper next time when repeating is not every day (zone-less; 2nd = next after skip)"
  ),
]
