/// The offsets of one zone through all time: spans, each with one offset, from one transition to the next.
///
/// The rule for the future in a zone file (RFC 9636, the footer) is written out for 400 years, after which the Gregorian calendar
/// with its weekdays repeats to the day; later instants are looked up that many years earlier. Immutable, so it can be shared.
final class ZoneTable: Equatable, Sendable {
  static let day = 86_400
  /// 400 years in seconds: 146 097 days, which is a whole number of weeks.
  static let cycle = 146_097 * day
  /// No offset in a zone file is further from UTC than this (RFC 9636, 3.2).
  private static let reach = 26 * 3600

  /// When each span begins, in seconds since 1970; the first is `Int.min`.
  private let starts: [Int]
  /// Seconds east of UTC in each span; as many as `starts`.
  private let offsets: [Int]
  /// From this second on the table repeats every `cycle`; nil where the last offset holds for ever.
  private let repeatsFrom: Int?

  /// A zone whose clocks never change.
  init(fixed offset: Int) { (starts, offsets, repeatsFrom) = ([Int.min], [offset], nil) }

  /// `transitions` in order of time; `before` is the offset until the first; `rule` is what holds after the last.
  init(before: Int, transitions: [(second: Int, offset: Int)], rule: PosixRule?) {
    var starts = [Int.min]
    var offsets = [before]
    func add(_ second: Int, _ offset: Int) {
      if starts.last == second {
        offsets[offsets.count - 1] = offset
      } else if let last = starts.last, second > last, offsets.last != offset {
        starts.append(second)
        offsets.append(offset)
      }
    }
    for (second, offset) in transitions { add(second, offset) }
    var repeatsFrom: Int?
    if let rule {
      let last = transitions.last?.second
      if rule.summer == nil {
        add(last ?? Int.min, rule.standard)
      } else {
        let year = LocalDate(dayNumber: floorDivide(last ?? 0, by: Self.day).quotient).year
        for year in year...(year + 403) {
          for (second, offset) in rule.transitions(in: year) where second > last ?? Int.min {
            add(second, offset)
          }
        }
        repeatsFrom = LocalDate(year: year + 1, month: 1, day: 2).map { $0.dayNumber * Self.day }
      }
    }
    (self.starts, self.offsets, self.repeatsFrom) = (starts, offsets, repeatsFrom)
  }

  /// Seconds east of UTC at that second since 1970.
  func offset(at second: Int64) -> Int { offsets[index(at: Int(second) - fold(Int(second)))] }

  /// The second at which the wall shows a day number and a second of that day; nil where the zone jumps over the day.
  func resolve(day: Int, secondOfDay: Int) -> (second: Int64, kind: Resolved.Kind)? {
    let unfolded = day * Self.day + secondOfDay
    let fold = fold(unfolded)
    let local = unfolded - fold
    let spans = index(at: local - Self.reach)...index(at: local + Self.reach)
    var found: Int?
    for index in spans where contains(local - offsets[index], in: index) {
      if let found { return (Int64(found + fold), .firstOfTwo) }
      found = local - offsets[index]
    }
    if let found { return (Int64(found + fold), .exact) }
    for index in spans.dropFirst() {
      let (before, after, turn) = (offsets[index - 1], offsets[index], starts[index])
      guard local - before >= turn, local - after < turn else { continue }
      let midnight = local - secondOfDay
      if midnight >= turn + before, midnight + Self.day <= turn + after { return nil }
      return (Int64(local - before + fold), .shifted(by: .seconds(after - before)))
    }
    return nil
  }

  /// The seconds in a stretch of time at which the offset changes.
  func turns(after start: Int64, until end: Int64) -> [Int64] {
    let fold = fold(Int(start))
    let spans = index(at: Int(start) - fold)...index(at: Int(end) - fold)
    return spans.dropFirst().map { Int64(starts[$0] + fold) }
  }

  static func == (left: ZoneTable, right: ZoneTable) -> Bool {
    left === right
      || left.starts == right.starts && left.offsets == right.offsets && left.repeatsFrom == right.repeatsFrom
  }

  private func contains(_ second: Int, in index: Int) -> Bool {
    second >= starts[index] && (index + 1 == starts.count || second < starts[index + 1])
  }

  /// How much earlier a second far in the future is looked up: a multiple of `cycle`.
  private func fold(_ second: Int) -> Int {
    guard let repeatsFrom, second >= repeatsFrom + Self.cycle else { return 0 }
    return (second - repeatsFrom) / Self.cycle * Self.cycle
  }

  /// The span that holds a second.
  private func index(at second: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= second { low = middle } else { high = middle }
    }
    return low
  }
}
