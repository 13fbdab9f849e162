/// What words say of when an alarm is to be due, and what to tell the person about it.
public struct When: Hashable, Sendable {
  public var rule: Rule
  /// Whole sentences on the words themselves: what "tomorrow" means at night, which midnight it is.
  public var remarks: [String]
  /// A whole sentence on the first gap in the clocks of the coming year that moves it.
  var gap: [String] = []

  /// All that there is to say, as whole sentences.
  public var warnings: [String] { remarks + gap }

  init(rule: Rule, remarks: [String] = [], gap: [String] = []) {
    (self.rule, self.remarks, self.gap) = (rule, remarks, gap)
  }
}

extension Due {
  /// A whole sentence where the clocks skip its time or show it twice; nil where they do neither.
  public func remark(in zone: Zone) -> String? {
    let local = zone.local(instant)
    switch kind {
    case .exact: return nil
    case .shifted(let gap):
      let day = local.date == date ? "" : " on \(local.date.named)"
      let time = ClockTime(
        secondOfDay: ((local.clock.secondOfDay - Int(gap.components.seconds)) % 86_400 + 86_400) % 86_400)
      return "In \(zone.identifier) the clocks go forward over \(time) on \(date.named); "
        + "that day it rings at \(local.clock)\(day)."
    case .firstOfTwo:
      return "In \(zone.identifier) the clocks go back over \(local.clock) on \(date.named); "
        + "it rings the first time, not the second."
    }
  }
}

extension When {
  /// Understands the words of `alarm add`; the whole grammar is in `alarm help when`.
  ///
  /// - Parameters:
  ///   - words: what the person wrote, in any case, at most 200 bytes.
  ///   - now: the present, from which "tomorrow" and "the next such time" are counted.
  ///   - zone: the zone in which wall-clock times are read.
  ///   - zoneGiven: the person named the zone (`--zone`), which an instant with an offset contradicts.
  /// - Throws: one sentence that quotes the words and shows a right form.
  public static func parse(_ words: String, now: Instant, zone: Zone, zoneGiven: Bool = false)
    throws(WhenError)
    -> When
  {
    try Meaning(now: now, zone: zone, zoneGiven: zoneGiven).answer(words, changing: nil)
  }

  /// Understands the words of `alarm edit`: a clock alone keeps the days or the date, days or a date alone keep the clock,
  /// everything else is as in `parse`.
  public static func parseEdit(
    _ words: String, of rule: Rule, now: Instant, zone: Zone, zoneGiven: Bool = false
  ) throws(WhenError) -> When {
    try Meaning(now: now, zone: zone, zoneGiven: zoneGiven).answer(words, changing: rule)
  }
}

extension LocalDate {
  /// Understands the grammar's `date` alone, as `--until` takes it: `2026-12-24`, `24 Dec`, `tomorrow`, `fri`; a weekday and a
  /// date without a year are the next such day, today included. A full date may have passed.
  public static func parse(_ words: String, now: Instant, zone: Zone) throws(WhenError) -> LocalDate {
    let today = zone.local(now).date
    if let parsed = try? Words(words) {
      var reader = WhenReader(parsed, today: today)
      if let parts = try? reader.read(), parts.clock == nil, let date = parts.day?.date(from: today) {
        return date
      }
    }
    throw WhenError(Complaint(message: "is no date", forms: ["\(today.adding(days: 1))"]), words: words)
  }
}

extension WhenParts.Day {
  /// The date it stands for, today or later unless it is written in full; nil for what is no single date or contradicts itself.
  fileprivate func date(from today: LocalDate) -> LocalDate? {
    let found: LocalDate?
    var weekday: Weekday?
    switch self {
    case .today: found = today
    case .tomorrow: found = today.adding(days: 1)
    case .coming(let weekday): found = Days.weekly([weekday]).first(onOrAfter: today)
    case .days(.weekly(let days)): found = days.count == 1 ? Days.weekly(days).first(onOrAfter: today) : nil
    case .days: found = nil
    case .date(let date, let named): (found, weekday) = (date, named)
    case .monthDay(let month, let day, let named):
      (found, weekday) = (Days.yearly(month: month, day: day).first(onOrAfter: today), named)
    }
    return weekday == nil || found?.weekday == weekday ? found : nil
  }
}

extension Rule {
  /// Reads what `text` wrote, and nothing that depends on the present. (`clockAlone` is false: it is kept elsewhere.)
  public init?(text: String) {
    if text.hasPrefix("+") {
      guard let span = try? SpanReader.read(text, allowZero: true) else { return nil }
      self = .timer(span)
    } else if text.hasPrefix("every ") {
      guard let rule = Rule(repeatingWords: text) else { return nil }
      self = rule
    } else if let instant = Instant(iso: text) {
      self = .fixed(instant)
    } else {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let date = LocalDate(parts[0]), let clock = ClockTime(parts[1]) else {
        return nil
      }
      self = .once(date, clock, clockAlone: false)
    }
  }
}

extension Rule {
  /// Reads the words of `alarm add` for what repeats, which mean the same whenever they are read: `daily 07:00`,
  /// `7am weekdays`. nil for all that depends on the present, and for everything else.
  public init?(repeatingWords text: String) {
    guard let words = try? Words(text) else { return nil }
    var reader = WhenReader(words, today: LocalDate(dayNumber: 0))
    guard let parts = try? reader.read(), let clock = parts.clock, case .days(let days)? = parts.day,
      parts.offset == nil
    else { return nil }
    self = .every(days, clock)
  }
}

extension ClockTime {
  /// Reads `07:00` or `07:00:30`; nil for everything else.
  public init?(_ text: some StringProtocol) {
    var reader = DigitReader(String(text))
    guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2) else { return nil }
    var second = 0
    if reader.skip(":") {
      guard let value = reader.number(2) else { return nil }
      second = value
    }
    guard reader.atEnd else { return nil }
    self.init(hour: hour, minute: minute, second: second)
  }
}
