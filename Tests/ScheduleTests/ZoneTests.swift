import Foundation
import Testing

@testable import Schedule

@Suite("Zones")
struct ZoneTests {
  /// Zone, date and time of the wall, the instant, and what kind of time it is ("+30" is a gap of 30 minutes).
  @Test(
    "gaps, repeated times and missing days of history",
    arguments: [
      ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T03:30:00+02:00", "+60"),
      ("Europe/Berlin", "2026-03-29 02:00", "2026-03-29T03:00:00+02:00", "+60"),
      ("Europe/Berlin", "2026-03-29 01:59", "2026-03-29T01:59:00+01:00", "exact"),
      ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T03:00:00+02:00", "exact"),
      ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25T02:30:00+02:00", "first"),
      ("Europe/Berlin", "2026-10-25 02:00", "2026-10-25T02:00:00+02:00", "first"),
      ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T03:00:00+01:00", "exact"),
      ("Europe/Berlin", "2426-03-29 02:30", "2426-03-29T03:30:00+02:00", "+60"),
      ("Europe/Berlin", "9226-03-29 02:30", "9226-03-29T03:30:00+02:00", "+60"),
      ("Europe/Berlin", "9999-07-01 07:00", "9999-07-01T07:00:00+02:00", "exact"),
      ("Australia/Lord_Howe", "2024-10-06 02:15", "2024-10-06T02:45:00+11:00", "+30"),
      ("Australia/Lord_Howe", "2024-04-07 01:45", "2024-04-07T01:45:00+11:00", "first"),
      ("America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T01:00:00-02:00", "+60"),
      ("America/Sao_Paulo", "2018-11-04 00:59", "2018-11-04T01:59:00-02:00", "+60"),
      ("America/Sao_Paulo", "2018-02-17 23:30", "2018-02-17T23:30:00-02:00", "first"),
      ("Africa/Cairo", "2024-04-26 00:30", "2024-04-26T01:30:00+03:00", "+60"),
      ("Africa/Cairo", "2024-10-31 23:30", "2024-10-31T23:30:00+03:00", "first"),
      ("America/Nuuk", "2024-03-30 23:30", "2024-03-31T00:30:00-01:00", "+60"),
      ("America/Godthab", "2024-03-30 22:59", "2024-03-30T22:59:00-02:00", "exact"),
      ("America/Godthab", "2016-03-26 22:30", "2016-03-26T23:30:00-02:00", "+60"),
      ("Africa/Casablanca", "2026-02-15 02:30", "2026-02-15T02:30:00+01:00", "first"),
      ("Europe/Dublin", "2026-03-29 01:30", "2026-03-29T02:30:00+01:00", "+60"),
      ("Antarctica/Troll", "2026-03-29 01:30", "2026-03-29T03:30:00+02:00", "+120"),
      ("America/Caracas", "2016-05-01 02:45", "2016-05-01T03:15:00-04:00", "+30"),
      ("Asia/Pyongyang", "2018-05-04 23:45", "2018-05-05T00:15:00+09:00", "+30"),
      ("Pacific/Apia", "2011-12-29 23:59", "2011-12-29T23:59:00-10:00", "exact"),
      ("Pacific/Apia", "2011-12-30 00:00", "", "missing"),
      ("Pacific/Apia", "2011-12-30 23:59", "", "missing"),
      ("Pacific/Apia", "2011-12-31 00:00", "2011-12-31T00:00:00+14:00", "exact"),
      ("Pacific/Kwajalein", "1993-08-21 12:00", "", "missing"),
      ("Pacific/Kiritimati", "1994-12-31 12:00", "", "missing"),
      ("UTC", "2026-03-29 02:30", "2026-03-29T02:30:00+00:00", "exact"),
      ("Asia/Kathmandu", "2026-01-01 00:00", "2026-01-01T00:00:00+05:45", "exact"),
    ])
  func resolved(name: String, wall: String, iso: String, kind: String) throws {
    let zone = try #require(Zone(name))
    guard case .once(let date, let clock, _)? = Rule(text: wall) else {
      Issue.record("\(wall) is no date and time")
      return
    }
    let found = zone.instant(date, clock)
    let foundKind =
      switch found?.kind {
      case nil: "missing"
      case .exact: "exact"
      case .firstOfTwo: "first"
      case .shifted(let span): "+\(span.components.seconds / 60)"
      }
    #expect(foundKind == kind)
    #expect((found?.instant.iso(in: zone) ?? "") == iso)
  }

  @Test("an alarm of every evening rings on each of the days around the one Samoa left out, and not on it")
  func samoa() throws {
    let zone = try #require(Zone("Pacific/Apia"))
    let clock = try #require(ClockTime("23:30"))
    let rule = Rule.every(.daily, clock)
    let start = try #require(Instant(iso: "2011-12-29T00:00:00-10:00"))
    let first = try #require(rule.next(after: start, in: zone))
    let second = try #require(rule.next(after: first.instant, in: zone))
    #expect(first.date.description == "2011-12-29" && second.date.description == "2011-12-31")
    let missing = try #require(LocalDate("2011-12-30"))
    #expect(rule.due(on: missing, in: zone) == nil)
    #expect(rule.next(onOrAfter: missing, in: zone) == second)
  }

  @Test("a gap over midnight keeps the date of the rule and rings on the next")
  func overMidnight() throws {
    let zone = try #require(Zone("America/Nuuk"))
    let rule = Rule.every(.weekly([.saturday]), try #require(ClockTime("23:30")))
    let before = try #require(Instant(iso: "2024-03-31T00:10:00-01:00"))
    let due = try #require(rule.next(after: before, in: zone))
    #expect(due.date.description == "2024-03-30")
    #expect(due.instant.iso(in: zone) == "2024-03-31T00:30:00-01:00")
  }

  @Test("29 February waits eight years around 2100, and 30 February for ever")
  func leapDays() throws {
    let clock = try #require(ClockTime("00:00"))
    let after = try #require(Instant(iso: "2096-03-01T00:00:00Z"))
    let rule = Rule.every(.yearly(month: 2, day: 29), clock)
    #expect(rule.next(after: after, in: .utc)?.date.description == "2104-02-29")
    #expect(Rule.every(.yearly(month: 2, day: 30), clock).next(after: after, in: .utc) == nil)
    for days: Days in [.weekly([]), .monthDays([]), .monthDays([32]), .ordinal([], .monday), .any([])] {
      #expect(Rule.every(days, clock).next(after: after, in: .utc) == nil)
    }
    #expect(Rule.timer(.seconds(5)).next(after: after, in: .utc) == nil)
  }

  @Test("names are found in any case; what is no name is nil and touches no other file")
  func names() {
    #expect(Zone("europe/berlin")?.identifier == "Europe/Berlin")
    #expect(Zone("utc")?.identifier == "UTC")
    #expect(Zone("UTC")?.offset(at: Instant(seconds: 0)) == 0)
    for name in [
      "", "Nowhere", "Europe", "../../../etc/localtime", "/etc/localtime", "Europe/../Europe/Berlin",
      "zone.tab",
      "Europe/Berlin\0", "Europe//Berlin ", "./UTC", String(repeating: "a", count: 5000), "posix",
    ] {
      #expect(Zone(name) == nil, "\(name)")
    }
    #expect(Zone.allIdentifiers.contains("Europe/Berlin") && Zone.allIdentifiers.contains("UTC"))
    #expect(
      Zone.allIdentifiers.allSatisfy { Zone($0) != nil && !$0.hasPrefix("posix") && !$0.hasPrefix("right") })
  }

  @Test(
    "every change of the clocks that zdump finds in the machine's data is found here",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zdump")))
  func zdump() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/zdump")
    process.arguments =
      ["-v", "-c", "1930,2060"]
      + Zone.allIdentifiers.enumerated().filter { $0.offset % 12 == 0 }.map(\.element)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var count = 0
    var zones: [Substring: Zone] = [:]
    for line in text.split(separator: "\n") {
      // Europe/Berlin  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200
      let words = line.split(separator: " ")
      guard words.count == 16, let gmtoff = Int(words[15].dropFirst(7)),
        let month = Month.named(words[2].lowercased()),
        let day = Int(words[3]), let clock = ClockTime(words[4]), let year = Int(words[5]),
        let date = LocalDate(year: year, month: month, day: day)
      else { continue }
      let zone = try #require(zones[words[0]] ?? Zone(String(words[0])))
      zones[words[0]] = zone
      let second = date.dayNumber * 86_400 + clock.secondOfDay
      #expect(zone.offset(at: Instant(seconds: Int64(second))) == gmtoff, "\(line)")
      count += 1
    }
    #expect(count > 3000)
  }

  @Test("local gives date, clock and offset, before 1970 and within a second too")
  func local() throws {
    let zone = try #require(Zone("America/New_York"))
    let instant = try #require(Instant(iso: "1960-07-01T03:59:59.750Z"))
    let (date, clock, offset) = zone.local(instant)
    #expect(date.description == "1960-06-30" && clock.description == "23:59:59" && offset == -14_400)
    #expect(Instant(microseconds: -1).seconds == -1 && Instant(microseconds: .min).seconds < 0)
  }

  @Test("What lies beside the zones is none that a person can name")
  func named() {
    for name in [
      "localtime", "posixrules", "right/Europe/Berlin", "posix/UTC", "Factory", "Mars/Olympus", "",
    ] {
      #expect(Zone(named: name) == nil, "\(name)")
    }
    #expect(Zone(named: "europe/berlin")?.identifier == "Europe/Berlin")
    #expect(Zone(named: "utc")?.identifier == "UTC")
  }
}
