@testable import Schedule

/// A generator that gives the same numbers for the same seed, everywhere (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &self)] }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// A clock time in whole minutes.
  mutating func clock() -> ClockTime { ClockTime(secondOfDay: below(1440) * 60) }

  /// A set of at least one.
  mutating func some<T: Hashable>(of values: [T]) -> Set<T> {
    let chosen = Set(values.filter { _ in Bool.random(using: &self) })
    return chosen.isEmpty ? [pick(values)] : chosen
  }

  /// Days of one kind.
  mutating func simpleDays() -> Days {
    switch below(7) {
    case 0: return .daily
    case 1, 2: return .weekly(some(of: Weekday.allCases))
    case 3: return .monthDays(Set((0...below(4)).map { _ in 1 + below(31) }))
    case 4: return .lastDayOfMonth
    case 5: return .ordinal(some(of: Ordinal.allCases), pick(Weekday.allCases))
    default:
      let month = 1 + below(12)
      return .yearly(month: month, day: 1 + below(LocalDate.length(ofMonth: month, year: 2000)))
    }
  }

  mutating func days() -> Days {
    below(5) > 0 ? simpleDays() : Days.joined((0...below(4)).map { _ in simpleDays() })
  }
}
