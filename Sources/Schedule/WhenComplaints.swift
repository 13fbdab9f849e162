/// What to say of words that are none of the grammar's, each with the form that was probably meant.
extension WhenReader {
  /// The piece at the cursor begins neither a clock time nor a day, or a second one of its kind.
  mutating func unexpected() -> Complaint {
    let start = cursor.at
    if let spoken = clockWithPartOfDay(at: start) { return spoken }
    _ = cursor.take("at") || cursor.takeSymbol("@")
    if let zone = zoneNamed() { return zone }
    if let spoken = spoken(at: start) { return spoken }
    if let number = cursor.peek(), number.kind == .number { return unexpectedNumber(number) }
    cursor.at = start
    switch cursor.word() {
    case "tonight":
      return Complaint(
        message: "says \"tonight\", which is today",
        forms: tonight(at: start) + [
          replacing(start, by: "today"), replacing(start, by: "tomorrow"), "tomorrow 20:00",
        ])
    case "hourly":
      return Complaint(message: "repeats by hours, and alarms repeat by days", forms: ["every day 07:00"])
    case "weekly":
      return Complaint(message: "does not say on which day of the week", forms: ["every mon 07:00"])
    case "monthly":
      return Complaint(message: "does not say on which day of the month", forms: ["every day 1 07:00"])
    case "yearly", "annually":
      return Complaint(message: "does not say on which day of the year", forms: ["every 24 Dec 07:00"])
    case "day" where parts.day == nil:
      return Complaint(
        message: "does not say which day of the month, or every day",
        forms: [replacing(start, by: "every day"), "every day 07:00"])
    default: break
    }
    let end = start > 0 && cursor.tokens[start - 1].text == "," ? start - 1 : start
    let before = cursor.words.string(ofTokens: 0..<end)
    if parts.clock != nil, isClock(0) || cursor.word() == "noon" || cursor.word() == "midnight" {
      return Complaint(message: "has more than one time, and each alarm has one", forms: [before])
    }
    if parts.clock != nil, end == start, let label = label(from: start) {
      return Complaint(
        message: "says more than a time, and what an alarm is called is an option of its own",
        forms: [before],
        suffix: label)
    }
    let rest = quote(cursor.words.string(ofTokens: start..<cursor.tokens.count))
    let message =
      start == 0 || rest.isEmpty ? "is no time, day or date" : "is not understood from \"\(rest)\" on"
    if let form = respelled(at: start) ?? respelled(at: start + 1) {
      return Complaint(message: message, forms: [form])
    }
    // The time is there, only behind something that is not understood.
    let clock = parts.clock == nil ? clockBehind(start).map { cursor.words.string(ofTokens: $0) } : nil
    return Complaint(
      message: message,
      forms: parts.clock != nil
        ? [before]
        : parts.day != nil ? (clock.map { ["\(before) \($0)"] } ?? []) + [before + " 07:00"] : [])
  }

  private func unexpectedNumber(_ number: Token) -> Complaint {
    let at = cursor.at
    let (next, value) = (cursor.peek(1), number.value ?? 0)
    func form(_ pieces: Int, _ text: String) -> String {
      cursor.words.replacing(at..<(at + pieces), by: text)
    }
    func clock(_ hour: Int, _ minute: Int) -> String { "\(padded(hour, 2)):\(padded(minute, 2))" }
    if parts.clock != nil, isClock(0) || number.digits == 4 {
      return Complaint(
        message: "has more than one time, and each alarm has one",
        forms: [cursor.words.string(ofTokens: 0..<at)])
    }
    if let slash = next, ["/", "."].contains(slash.text), slash.glued, let second = cursor.peek(2),
      second.kind == .number,
      second.glued
    {
      if slash.text == "/" || cursor.isSymbol(".", 3, glued: true) {
        return numericDate(value, slash.text, second)
      }
      let minute = padded(second.value ?? 99, 2)
      let right = meridiem(3) == nil ? clock(value, second.value ?? 99) : "\(value):\(minute)"
      return Complaint(message: "has a dot in its time", forms: [form(3, right), form(3, "07:00")])
    }
    if let unit = next, unit.kind == .word, SpanReader.unit(unit.text) != nil {
      let span = cursor.words.string(ofTokens: at..<cursor.tokens.count)
      return Complaint(
        message: "has a span of time where a time of day belongs", forms: ["+" + span, "+25m"])
    }
    if isSuffix(1) {
      let month = Month.short(Days.monthDays([value]).first(onOrAfter: today.adding(days: 1))?.month ?? 1)
      return Complaint(
        message: "does not say of which month, or of each",
        forms: [form(2, "\(value) \(month)"), form(2, "\(value) \(month)") + " 07:00", "day 1 07:00"])
    }
    let clockWord = next?.text == "o" && cursor.peek(3)?.text == "clock" ? 4 : next?.text == "oclock" ? 2 : 1
    if clockWord > 1 {
      return Complaint(message: "has a time in words", forms: [form(clockWord, clock(value, 0))])
    }
    if number.digits == 3 {
      let forms =
        meridiem(1) != nil
        ? [form(1, "\(value / 100):\(padded(value % 100, 2))")] : [form(1, clock(value / 100, value % 100))]
      return Complaint(message: "has no colon between hours and minutes", forms: forms + [form(1, "07:00")])
    }
    if number.digits == 4 {
      return Complaint(
        message: "has no colon between hours and minutes", forms: [form(1, clock(value / 100, value % 100))])
    }
    if number.digits <= 2 {
      if let part = partOfDay(from: at + 1), let hour = part.hour(value) {
        return Complaint(
          message: "has no minutes",
          forms: part.forms(cursor.words.replacing(at..<part.end, by: clock(hour, 0)), clock(hour, 0)))
      }
      if cursor.tokens.count == 1, value > 24 {
        return Complaint(message: "has no unit, and no hour is that late", forms: ["+\(value)m"])
      }
      return Complaint(
        message: "has no minutes",
        forms: [form(1, value == 24 ? "00:00" : clock(value, 0)), form(1, "07:00")])
    }
    return Complaint(message: "has a number that is no time", forms: [form(1, "07:00")])
  }

  /// `12/24`, `24.12.2026`.
  private func numericDate(_ first: Int, _ separator: String, _ second: Token) -> Complaint {
    var pieces = 3
    var year = ""
    if cursor.isSymbol(separator, 3, glued: true) {
      pieces = 4
      if let token = cursor.peek(4), token.kind == .number, token.glued {
        pieces = 5
        if token.digits == 4 { year = " " + token.text }
      }
    }
    let second = second.value ?? 0
    // Dots and a first number over twelve mean that the day comes first.
    let dayFirst = separator == "." || first > 12
    let (day, month) = dayFirst || second <= 12 && second < 1 ? (first, second) : (second, first)
    let date = "\(day) \(Month.short(month))\(year)"
    let form = cursor.words.replacing(cursor.at..<min(cursor.at + pieces, cursor.tokens.count), by: date)
    return Complaint(
      message:
        "has a date in numbers, which can be read in two ways",
      forms: [form, form + " 07:00", date + " 07:00", "24 Dec 07:00"])
  }

  /// `next friday` is this week's to one and next week's to another.
  func next(from start: Int) -> Complaint {
    guard let weekday = cursor.word(1).flatMap({ Weekday.named($0)?.weekday }) else {
      return Complaint(message: "does not say which day comes next", forms: ["tomorrow 07:00"])
    }
    let days = (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1
    let (first, second) = (today.adding(days: days), today.adding(days: days + 7))
    let form = cursor.words.replacing(start..<(start + 2), by: "\(first)")
    return Complaint(
      message: "can mean \(first.named) or \(second.named)", forms: [form, form + " 07:00", "\(first) 07:00"])
  }

  /// `every` with something behind it that days are not.
  mutating func badEvery(from start: Int) -> Complaint {
    let rest = cursor.words.string(ofTokens: cursor.at..<cursor.tokens.count)
    if cursor.atEnd {
      return Complaint(
        message: "does not say which days", forms: [cursor.words.whole + " day", "every day 07:00"])
    }
    if isClock(0) || cursor.number(digits: 4...4) != nil
      || ["noon", "midnight", "at"].contains(cursor.word())
    {
      return Complaint(message: "does not say which days", forms: ["every day " + rest, "every day 07:00"])
    }
    if let hour = cursor.number(digits: 1...2), cursor.peek(1) == nil {
      return Complaint(
        message: "does not say which days", forms: ["every day \(padded(hour, 2)):00", "every day 07:00"])
    }
    if let day = cursor.number(digits: 1...2), isSuffix(1), cursor.word(2) != "day" {
      let form = cursor.words.replacing(cursor.at..<(cursor.at + 2), by: "day \(day)")
      return Complaint(
        message: "does not say of which month, or of each",
        forms: [form, form + " 07:00", "every day 1 07:00"])
    }
    switch cursor.word() ?? cursor.word(1) {
    case "month", "months":
      return Complaint(message: "does not say on which day of the month", forms: ["every day 1 07:00"])
    case "week", "weeks":
      return Complaint(message: "does not say on which days of the week", forms: ["every mon 07:00"])
    case "year", "years":
      return Complaint(message: "does not say on which day of the year", forms: ["every 24 Dec 07:00"])
    case "today", "tomorrow", "this", "next":
      return Complaint(message: "names a date, which does not repeat", forms: [rest, "every day 07:00"])
    default:
      return Complaint(
        message: "does not repeat by days of the week, the month or the year, and nothing else repeats",
        forms: ["every day 07:00"])
    }
  }

  /// A zone behind the time: `07:00 UTC`, `mon 7am Europe/Berlin`.
  private func zoneNamed() -> Complaint? {
    guard cursor.at > 0, let word = cursor.word() else { return nil }
    let known = [
      "utc", "gmt", "z", "cet", "cest", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "bst", "ist",
      "jst", "eet",
      "eest", "wet", "west", "msk", "aest", "aedt", "nzst", "nzdt", "hst", "akst",
    ]
    let rest = cursor.words.string(ofTokens: cursor.at..<cursor.tokens.count)
    let isPath = cursor.isSymbol("/", 1, glued: true)
    guard isPath || known.contains(word) else { return nil }
    let name = isPath ? rest : word.uppercased()
    let zone = ZoneLibrary.system.zone(exactly: name)?.identifier ?? (word == "z" ? "UTC" : "Europe/Berlin")
    return Complaint(
      message: "names a zone, which is an option of its own",
      forms: [cursor.words.string(ofTokens: 0..<cursor.at)], suffix: " --zone \(zone)")
  }
}
