import Foundation
import Testing

@testable import Schedule

@Suite("Next times in all zones of the machine")
struct PropertyTests {
  /// Zones that Foundation knows and has the same offsets for; its data and the machine's may be of different years.
  static let zones: [(zone: Zone, reference: Reference)] = Zone.allIdentifiers.compactMap { name in
    guard let zone = Zone(name), let reference = Reference(name) else { return nil }
    for year in 1974...2037 {
      for day in stride(from: 0, to: 365, by: 14) {
        let second = ((year - 1970) * 365 + day) * 86_400
        guard zone.offset(at: Instant(seconds: Int64(second))) == reference.offset(at: second) else {
          return nil
        }
      }
    }
    return (zone, reference)
  }

  @Test("almost every zone agrees with Foundation's own data, so the comparison says something")
  func zonesAgree() {
    #expect(Self.zones.count > 400)
  }

  @Test("the next time is after the instant, is the first, and is the slow reference's", arguments: 0..<8)
  func nextIsTheFirst(part: Int) throws {
    var random = Seeded(UInt64(2026 + part))
    for (index, (zone, reference)) in Self.zones.enumerated() where index % 8 == part {
      for round in 0..<12 {
        var second = Int.random(in: 157_766_400..<2_114_380_800, using: &random)
        var clock = random.clock()
        var days = random.days()
        // Half of the rounds stand at a change of the clocks.
        if round % 2 == 0, let turn = turn(after: second, reference) {
          let wall = turn + reference.offset(at: turn - 1)
          let near = wall + (random.below(13) - 6) * 15 * 60
          clock = ClockTime(secondOfDay: ((near % 86_400) + 86_400) % 86_400 / 60 * 60)
          second = turn - random.below(3 * 86_400) + random.below(7200)
          if random.below(3) > 0 { days = .daily }
        }
        let rule = Rule.every(days, clock)
        let due = rule.next(after: Instant(seconds: Int64(second)), in: zone)
        let expected = reference.next(after: second, days, clock)
        #expect(
          due.map { Int($0.instant.seconds) } == expected,
          "\(rule.text) in \(zone.identifier) after \(second)")
        guard let due else { continue }
        #expect(due.instant > Instant(seconds: Int64(second)))
        #expect(rule.due(on: due.date, in: zone) == due)
        #expect(rule.next(onOrAfter: due.date, in: zone) == due)
        #expect(days.contains(due.date))
      }
    }
  }

  @Test("each kind of days names the same dates as the calendar does, over 400 years")
  func daysAgree() throws {
    var random = Seeded(7)
    let reference = try #require(Reference("UTC"))
    for _ in 0..<300 {
      let days = random.days()
      let date = LocalDate(dayNumber: random.below(146_097))
      #expect(days.contains(date) == reference.names(days, date.dayNumber), "\(days.text) on \(date)")
      let first = try #require(days.first(onOrAfter: date))
      #expect(first >= date && days.contains(first))
      let slow = (date.dayNumber..<(date.dayNumber + 3700)).first { reference.names(days, $0) }
      #expect(first.dayNumber == slow, "\(days.text) from \(date)")
    }
  }

  @Test("a year of a rule's times has no time twice, none out of order, and one for each date that exists")
  func everyDate() throws {
    var random = Seeded(99)
    for _ in 0..<60 {
      let zone = random.pick(Self.zones).zone
      let clock = random.clock()
      let rule = Rule.every(.daily, clock)
      var instant = Instant(seconds: Int64(random.below(1_900_000_000)))
      var date = zone.local(instant).date.adding(days: -1)
      for _ in 0..<370 {
        let due = try #require(rule.next(after: instant, in: zone))
        #expect(due.instant > instant && due.date > date)
        for missed in (date.dayNumber + 1)..<due.date.dayNumber {
          let day = LocalDate(dayNumber: missed)
          #expect(
            zone.instant(day, clock).map { $0.instant <= instant } ?? true, "\(day) in \(zone.identifier)")
        }
        (instant, date) = (due.instant, due.date)
      }
    }
  }

  /// The first change of a zone's offset after a second, to the minute, by halving; nil within ten years.
  private func turn(after second: Int, _ reference: Reference) -> Int? {
    var low = second
    for _ in 0..<520 {
      var high = low + 7 * 86_400
      guard reference.offset(at: low) != reference.offset(at: high) else {
        low = high
        continue
      }
      while high - low > 1 {
        let middle = (low + high) / 2
        if reference.offset(at: middle) == reference.offset(at: second) {
          low = middle
        } else {
          high = middle
        }
      }
      return high
    }
    return nil
  }
}
