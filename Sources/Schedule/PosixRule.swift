/// A rule for clock changes as POSIX writes it in `TZ` and zone files in their last line: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Source: POSIX.1-2024, 8.3 "Other Environment Variables", with the hours of RFC 9636 (-167 to 167).
struct PosixRule: Equatable {
  /// A day of the year and the seconds after its 00:00 at which the clocks change.
  struct Turn: Equatable {
    enum Day: Equatable {
      /// 1 to 365, 29 February never counted.
      case julian(Int)
      /// 0 to 365, 29 February counted.
      case zeroBased(Int)
      /// Weekday 0 (Sunday) to 6 in week 1 to 5 (the last) of a month.
      case weekday(month: Int, week: Int, weekday: Int)
    }
    var day: Day
    var second: Int
  }

  /// Seconds east of UTC.
  var standard: Int
  /// The offset in summer, and when it begins and ends.
  var summer: (offset: Int, from: Turn, until: Turn)?

  static func == (left: PosixRule, right: PosixRule) -> Bool {
    left.standard == right.standard && left.summer?.offset == right.summer?.offset
      && left.summer?.from == right.summer?.from && left.summer?.until == right.summer?.until
  }

  init?(_ text: some StringProtocol) {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    if reader.rest.isEmpty { return }
    guard reader.skipName() else { return nil }
    var offset = standard + 3600
    if let first = reader.rest.first, first != UInt8(ascii: ",") {
      guard let west = reader.time() else { return nil }
      offset = -west
    }
    if reader.rest.isEmpty { reader.rest = Array(",M3.2.0,M11.1.0".utf8)[...] }
    guard let from = reader.turn(), let until = reader.turn(), reader.rest.isEmpty else { return nil }
    summer = (offset, from, until)
  }

  /// The two changes of a year, in order of time: seconds since 1970, and the offset from then on.
  func transitions(in year: Int) -> [(second: Int, offset: Int)] {
    guard let summer else { return [] }
    let begin = (summer.from.second(in: year) - standard, summer.offset)
    let end = (summer.until.second(in: year) - summer.offset, standard)
    return begin.0 <= end.0 ? [begin, end] : [end, begin]
  }
}

extension PosixRule.Turn {
  /// Seconds from 1970-01-01 to the change on the wall's own clock.
  fileprivate func second(in year: Int) -> Int {
    let newYear = LocalDate(year: year, month: 1, day: 1)?.dayNumber ?? 0
    let number: Int
    switch day {
    case .julian(let day): number = newYear + day - 1 + (LocalDate.isLeap(year) && day > 59 ? 1 : 0)
    case .zeroBased(let day): number = newYear + day
    case .weekday(let month, let week, let weekday):
      let first = LocalDate(year: year, month: month, day: 1)?.dayNumber ?? newYear
      let start = (first + 4) % 7
      var day = (weekday - (start < 0 ? start + 7 : start) + 7) % 7 + (week - 1) * 7
      while day >= LocalDate.length(ofMonth: month, year: year) { day -= 7 }
      number = first + day
    }
    return number * ZoneTable.day + second
  }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  /// A name of at least three letters, or anything in `<>`.
  mutating func skipName() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix { (65...90).contains($0 & 0xdf) }
    rest = rest[letters.endIndex...]
    return letters.count >= 3
  }

  mutating func number(upTo limit: Int) -> Int? {
    let digits = rest.prefix { (48...57).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    let value = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    return value <= limit ? value : nil
  }

  /// `[+|-]hh[:mm[:ss]]` in seconds.
  mutating func time() -> Int? {
    let negative = skip("-")
    if !negative { _ = skip("+") }
    guard let hours = number(upTo: 167) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where skip(":") {
      guard let value = number(upTo: 59) else { return nil }
      seconds += value * unit
    }
    return negative ? -seconds : seconds
  }

  /// `,Mm.w.d`, `,Jn` or `,n`, each with an optional `/time`.
  mutating func turn() -> PosixRule.Turn? {
    guard skip(",") else { return nil }
    let day: PosixRule.Turn.Day
    if skip("M") {
      guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0,
        skip("."),
        let weekday = number(upTo: 6)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else if skip("J") {
      guard let number = number(upTo: 365), number > 0 else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(upTo: 365) else { return nil }
      day = .zeroBased(number)
    }
    if skip("/") {
      guard let second = time() else { return nil }
      return PosixRule.Turn(day: day, second: second)
    }
    return PosixRule.Turn(day: day, second: 7200)
  }
}
