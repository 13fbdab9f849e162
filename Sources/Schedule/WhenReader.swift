/// What stands in the words, before the present gives it its meaning.
struct WhenParts {
  enum Day {
    case days(Days)
    case today
    case tomorrow
    /// `this fri`, `on fri`.
    case coming(Weekday)
    case date(LocalDate, named: Weekday?)
    /// The next such day.
    case monthDay(month: Int, day: Int, named: Weekday?)
  }

  var clock: ClockTime?
  /// The pieces of the clock time.
  var clockAt = 0..<0
  /// The clock was the word "midnight".
  var midnight = false
  var day: Day?
  /// Seconds east of UTC, written behind date and clock.
  var offset: Int?
  /// `once` was written before it.
  var once = false
  /// Where a four-digit year stands behind day and month.
  var yearAt: Int?
}

/// Reads WHEN (all but spans): any order of one clock and one day, with the small words between them.
struct WhenReader {
  var cursor: Cursor
  var parts = WhenParts()
  /// For right forms that need a date.
  let today: LocalDate

  init(_ words: Words, today: LocalDate) {
    cursor = Cursor(words)
    self.today = today
  }

  mutating func read() throws(Complaint) -> WhenParts {
    if cursor.atEnd { throw Complaint(message: "says no time", forms: ["07:00"]) }
    parts.once = cursor.take("once")
    while !cursor.atEnd {
      let start = cursor.at
      if parts.clock != nil || parts.day != nil { _ = cursor.takeSymbol(",") }
      if parts.day == nil, let day = try readDay() {
        parts.day = day
      } else if parts.clock == nil, let clock = try readClock() {
        parts.clock = clock
        parts.clockAt = start..<cursor.at
        try readOffset()
      } else {
        if cursor.atEnd { cursor.at = start }
        throw unexpected()
      }
    }
    return parts
  }

  /// `Z` or `±HH:MM` behind date and clock.
  private mutating func readOffset() throws(Complaint) {
    let sign = cursor.isSymbol("+") ? 1 : cursor.isSymbol("-") ? -1 : 0
    let zulu = cursor.word() == "z"
    guard zulu || sign != 0 else { return }
    var offset = 0
    if !zulu {
      guard let hours = cursor.number(1, digits: 2...2, glued: true), hours < 24,
        cursor.isSymbol(":", 2, glued: true),
        let minutes = cursor.number(3, digits: 2...2, glued: true), minutes < 60
      else { return }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard case .date(let date, _)? = parts.day, let clock = parts.clock else {
      let clock = parts.clock.map { "\($0)" } ?? "07:00"
      throw Complaint(
        message: "has an offset but no date",
        forms: ["\(today.adding(days: 1))T\(clock)\(Offset.text(offset))"])
    }
    _ = (date, clock)
    parts.offset = offset
    cursor.at += zulu ? 1 : 4
  }
}
