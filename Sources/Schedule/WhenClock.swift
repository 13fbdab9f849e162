/// Clock times.
extension WhenReader {
  /// `07:00[:00]`, `07h30`, `0730`, `7am`, `7:30 p.m.`, `noon`, `midnight`, with `at` before it or not.
  mutating func readClock() throws(Complaint) -> ClockTime? {
    let start = cursor.at
    if !cursor.take("at") { _ = cursor.takeSymbol("@") }
    if let clock = try readBareClock() { return clock }
    cursor.at = start
    return nil
  }

  /// Whether a clock time, right or wrong, begins `offset` pieces on: the digits are not a day or a year.
  func isClock(_ offset: Int) -> Bool {
    guard let token = cursor.peek(offset), token.kind == .number else { return false }
    if cursor.isSymbol(":", offset + 1, glued: true) || meridiem(offset + 1) != nil { return true }
    return cursor.word(offset + 1) == "h" && cursor.number(offset + 2, glued: true) != nil
  }

  private mutating func readBareClock() throws(Complaint) -> ClockTime? {
    if cursor.word() == "noon" || cursor.word() == "midnight" {
      parts.midnight = cursor.word() == "midnight"
      cursor.at += 1
      return ClockTime(hour: parts.midnight ? 0 : 12, minute: 0)
    }
    guard let first = cursor.peek(), first.kind == .number else { return nil }
    let start = cursor.at
    if cursor.isSymbol(":", 1, glued: true) {
      var values = [first]
      while values.count < 3, cursor.isSymbol(":", 1, glued: true), let next = cursor.peek(2),
        next.kind == .number,
        next.glued
      {
        values.append(next)
        cursor.at += 2
      }
      cursor.at += 1
      return try clock(values, from: start)
    }
    if let minute = cursor.peek(2), cursor.word(1) == "h", cursor.peek(1)?.glued == true,
      minute.kind == .number,
      minute.glued, first.digits == 2, minute.digits == 2, !isUnit(3)
    {
      cursor.at += 3
      return try clock([first, minute], from: start)
    }
    if meridiem(1) != nil, first.digits <= 2 {
      cursor.at += 1
      return try clock([first], from: start)
    }
    if first.digits == 4, let value = first.value,
      cursor.peek(1).map({ !$0.glued || $0.text == "," }) ?? true,
      !isUnit(1), meridiem(1) == nil
    {
      cursor.at += 1
      guard let clock = ClockTime(hour: value / 100, minute: value % 100) else {
        throw badClock(hour: value / 100, minute: value % 100, from: start)
      }
      return clock
    }
    return nil
  }

  /// Hour, minute and second with `am` or `pm` behind them or not.
  private mutating func clock(_ values: [Token], from start: Int) throws(Complaint) -> ClockTime {
    let numbers = values.map { $0.value ?? 99 }
    let (minute, second) = (numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
    var hour = numbers[0]
    guard values[0].digits <= 2, values.dropFirst().allSatisfy({ $0.digits == 2 }),
      values.count > 1 || meridiem(0) != nil
    else {
      throw Complaint(
        message: "has minutes that are not two digits",
        forms: [
          replacing(start, by: "\(padded(hour, 2)):\(padded(minute, 2))"), replacing(start, by: "07:00"),
        ])
    }
    if let (afternoon, count) = meridiem(0) {
      cursor.at += count
      guard (1...12).contains(hour) else {
        let right = ClockTime(hour: hour, minute: minute, second: second)
        throw Complaint(
          message: "has an hour that am and pm do not know, they go from 1 to 12",
          forms: [
            hour == 0 ? replacing(start, by: "12am") : right.map { replacing(start, by: "\($0)") } ?? "7am"
          ])
      }
      hour = hour % 12 + (afternoon ? 12 : 0)
    }
    guard let clock = ClockTime(hour: hour, minute: minute, second: second) else {
      throw badClock(hour: hour, minute: minute, from: start)
    }
    return clock
  }

  private func badClock(hour: Int, minute: Int, from start: Int) -> Complaint {
    if (24..<48).contains(hour), minute < 60 {
      let time = "\(padded(hour - 24, 2)):\(padded(minute, 2))"
      return Complaint(
        message: hour == 24 && minute == 0
          ? "goes past the end of the day, which is the 00:00 that begins the next"
          : "has an hour that is not 0 to 23",
        forms: [replacing(start, by: time)])
    }
    if hour > 23 {
      return Complaint(message: "has an hour that is not 0 to 23", forms: [replacing(start, by: "07:00")])
    }
    return Complaint(
      message: "has minutes or seconds that are not 00 to 59",
      forms: [replacing(start, by: "\(padded(hour, 2)):00")])
  }

  /// The words with what was read since `start` replaced.
  func replacing(_ start: Int, by text: String) -> String {
    cursor.words.replacing(start..<min(max(cursor.at, start + 1), cursor.tokens.count), by: text)
  }

  /// `am`, `pm`, `a.m.`, `p.m.`: whether it is the afternoon, and how many pieces it takes.
  func meridiem(_ offset: Int) -> (afternoon: Bool, count: Int)? {
    switch cursor.word(offset) {
    case "am": return (false, 1)
    case "pm": return (true, 1)
    case "a", "p":
      guard cursor.isSymbol(".", offset + 1, glued: true), cursor.word(offset + 2) == "m" else { return nil }
      return (cursor.word(offset) == "p", cursor.isSymbol(".", offset + 3, glued: true) ? 4 : 3)
    default: return nil
    }
  }

  private func isUnit(_ offset: Int) -> Bool { cursor.word(offset).flatMap { SpanReader.unit($0) } != nil }
}
