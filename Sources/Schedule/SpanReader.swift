/// The grammar's `span`.
enum SpanReader {
  /// Microseconds in a unit, by its names.
  static func unit(_ word: String) -> Int? {
    switch word {
    case "s", "sec", "secs", "second", "seconds": 1_000_000
    case "m", "min", "mins", "minute", "minutes": 60_000_000
    case "h", "hr", "hrs", "hour", "hours": 3_600_000_000
    case "d", "day", "days": 86_400_000_000
    case "w", "wk", "wks", "week", "weeks": 604_800_000_000
    default: nil
    }
  }

  static func read(_ text: String, allowZero: Bool) throws(Complaint) -> Duration {
    var cursor = Cursor(try Words(text))
    let plus = cursor.takeSymbol("+") || cursor.take("in") ? "+" : ""
    guard !cursor.atEnd else {
      throw Complaint(message: "names no span of time", forms: [plus + "25m"])
    }
    var total = 0
    while true {
      let (sum, overflow) = total.addingReportingOverflow(try part(&cursor, plus, allowZero))
      guard !overflow, sum <= Span.longest.microseconds else { throw tooLong(plus) }
      total = sum
      if cursor.atEnd { break }
      if !cursor.takeSymbol(",") || cursor.word() == "and" { _ = cursor.take("and") }
    }
    guard total > 0 || allowZero else {
      throw Complaint(message: "is no time at all", forms: [plus + "1m"])
    }
    return .microseconds(total)
  }

  /// One number with its unit, or `half an hour`, `an hour`; in microseconds.
  private static func part(_ cursor: inout Cursor, _ plus: String, _ allowZero: Bool) throws(Complaint) -> Int
  {
    let half = cursor.take("half")
    let article = cursor.take("an") || cursor.take("a")
    if half || article {
      guard let unit = cursor.word().flatMap({ unit($0) }) else { throw unknown(cursor, plus) }
      cursor.at += 1
      return half ? unit / 2 : unit
    }
    guard let token = cursor.peek(), token.kind == .number else { throw unknown(cursor, plus) }
    guard let whole = token.value else { throw tooLong(plus) }
    cursor.at += 1
    var fraction = ""
    if cursor.isSymbol(".", glued: true), let digits = cursor.peek(1), digits.kind == .number, digits.glued {
      fraction = String(digits.text.prefix(6))
      cursor.at += 2
    }
    if cursor.isSymbol(",", glued: true), cursor.number(1, glued: true) != nil {
      throw Complaint(
        message: "has a comma in its number",
        forms: [cursor.words.replacing(cursor.at..<(cursor.at + 1), by: "."), plus + "1.5h"])
    }
    guard let word = cursor.word() else {
      if cursor.atEnd {
        let form = whole > 0 || allowZero ? cursor.words.whole + "m" : plus + "1m"
        throw Complaint(message: "has no unit", forms: [form, plus + "25m"])
      }
      throw unknown(cursor, plus)
    }
    guard let unit = unit(word) else { throw unknown(cursor, plus) }
    cursor.at += 1
    var total = unit.multipliedReportingOverflow(by: whole)
    if let digits = Int(fraction) {
      // At most 604 800 000 000 times 999 999: no overflow.
      let scale = (0..<fraction.utf8.count).reduce(1) { scale, _ in scale * 10 }
      total = total.overflow ? total : total.partialValue.addingReportingOverflow(unit * digits / scale)
    }
    // 1h30: minutes without a unit, two digits right behind the h.
    if !total.overflow, word == "h", let minutes = cursor.number(digits: 2...2, glued: true), minutes < 60,
      cursor.word(1).flatMap({ Self.unit($0) }) == nil, !cursor.isSymbol(".", 1, glued: true)
    {
      cursor.at += 1
      total = total.partialValue.addingReportingOverflow(minutes * 60_000_000)
    }
    guard !total.overflow else { throw tooLong(plus) }
    return total.partialValue
  }

  private static func tooLong(_ plus: String) -> Complaint {
    Complaint(message: "is longer than ten years", forms: [plus + "52w"])
  }

  private static func unknown(_ cursor: Cursor, _ plus: String) -> Complaint {
    let rest = quote(cursor.words.string(ofTokens: cursor.at..<cursor.tokens.count))
    let message =
      rest.isEmpty
      ? "is no span of time" : "is no span of time (units are s, min, h, d, w) from \"\(rest)\" on"
    return Complaint(message: message, forms: [plus + "25m"])
  }
}
