/// Gives words their meaning at one moment in one zone.
struct Meaning {
  let now: Instant
  let zone: Zone
  let zoneGiven: Bool

  /// The rule, or the sentence that says what is wrong with the first right form that is understood here and now.
  func answer(_ words: String, changing rule: Rule?) throws(WhenError) -> When {
    do {
      return try when(words, changing: rule)
    } catch {
      let namesOneTime = (try? Words(words))?.namesOneTime ?? false
      let form = error.forms.first { form in
        // Whoever means one time must not be led to an alarm that comes again and again.
        guard let when = try? when(form, changing: nil) else { return false }
        return !namesOneTime || !when.rule.repeats
      }
      throw WhenError(error, words: words, form: form ?? "07:00", isExample: form == nil)
    }
  }

  private func when(_ text: String, changing rule: Rule?) throws(Complaint) -> When {
    let words = try Words(text)
    var cursor = Cursor(words)
    let once = cursor.take("once")
    if cursor.isSymbol("+") || cursor.word() == "in" {
      let span = words.string(ofTokens: cursor.at..<words.tokens.count)
      do {
        return When(rule: .timer(try SpanReader.read(span, allowZero: false)))
      } catch {
        throw moreThanSpan(words, from: cursor.at) ?? error
      }
    }
    if let past = past(words, from: cursor.at) { throw past }
    var reader = WhenReader(words, today: today)
    let parts: WhenParts
    do {
      parts = try reader.read()
    } catch {
      let whole = words.string(ofTokens: cursor.at..<words.tokens.count)
      guard !once, (try? SpanReader.read(whole, allowZero: true)) != nil else { throw error }
      let first = words.tokens.first?.kind
      throw Complaint(
        message: "is a span of time", forms: [(first == .number ? "+" : "in ") + whole, "+25m"])
    }
    return try when(rule.map { keeping($0, parts) } ?? parts, words, changing: rule)
  }

  private func when(_ parts: WhenParts, _ words: Words, changing rule: Rule?) throws(Complaint) -> When {
    guard let clock = parts.clock else { throw timeless(parts, words) }
    if let offset = parts.offset, case .date(let date, let named)? = parts.day {
      return When(rule: try fixed(date, named, clock, offset))
    }
    var warnings: [String] = []
    let result: Rule
    switch parts.day {
    case nil:
      guard let due = Rule.every(.daily, clock).next(after: now, in: zone) else { throw passed("\(clock)") }
      result = .once(due.date, clock, clockAlone: true)
    case .days(.weekly(let days))? where parts.once && days.count == 1:
      result = .once(try coming(days.first ?? .monday, clock), clock, clockAlone: false)
    case .days(let days)?:
      if parts.once {
        let next = Rule.every(days, clock).next(after: now, in: zone)
        throw Complaint(
          message: "says \"once\" of several days", forms: next.map { ["\($0.date) \(clock)"] } ?? [])
      }
      result = .every(days, clock)
      if parts.midnight { warnings.append("Midnight is the 00:00 that begins the day.") }
    case let day?:
      let date = try date(day, clock)
      result = .once(date, clock, clockAlone: false)
      if parts.midnight { warnings.append("Midnight is the 00:00 that begins \(date.named).") }
      if case .tomorrow = day { warnings += tomorrow(clock) }
    }
    return When(rule: result, remarks: warnings, gap: gapAhead(result))
  }

  /// A span with something behind it: `+25m tea`, `in 3 days at 7:00`; nil where it does not begin with one.
  private func moreThanSpan(_ words: Words, from start: Int) -> Complaint? {
    for end in stride(from: words.tokens.count - 1, to: start, by: -1) {
      let text = words.string(ofTokens: start..<end)
      guard let span = try? SpanReader.read(text, allowZero: false) else { continue }
      var reader = WhenReader(words, today: today)
      if let label = reader.label(from: end) {
        return Complaint(
          message: "says more than a span of time, and what an alarm is called is an option of its own",
          forms: [text], suffix: label)
      }
      reader.cursor.at = end
      let days = Int(span.components.seconds) / 86_400
      guard span == .seconds(days * 86_400), let clock = try? reader.readClock(), reader.cursor.atEnd else {
        return nil
      }
      return Complaint(
        message: "has both a span and a time of day", forms: ["\(today.adding(days: days)) \(clock)"])
    }
    return nil
  }

  /// What lies behind us: `-5m`, `5m ago`. What is counted from now is a span of another wording: `5m from now`.
  private func past(_ words: Words, from start: Int) -> Complaint? {
    let tokens = words.tokens
    guard start < tokens.count else { return nil }
    let isMinus = ["-", "\u{2212}"].contains(tokens[start].text)
    let isAgo = tokens.last?.text == "ago"
    let isFromNow = tokens.last?.text == "now" && tokens.dropLast().last?.text == "from"
    guard isMinus || isAgo || isFromNow else { return nil }
    let span = words.string(
      ofTokens: (isMinus ? start + 1 : start)..<(tokens.count - (isAgo ? 1 : isFromNow ? 2 : 0)))
    guard (try? SpanReader.read(span, allowZero: false)) != nil else { return nil }
    return Complaint(
      message: isFromNow ? "is a span of time" : "lies in the past",
      forms: [(span.first?.isNumber == true ? "+" : "in ") + span])
  }

  /// The parts with what the words leave out taken from the rule that is changed.
  private func keeping(_ rule: Rule, _ parts: WhenParts) -> WhenParts {
    var parts = parts
    let old: (day: WhenParts.Day?, clock: ClockTime)
    switch rule {
    case .once(let date, let clock, let clockAlone): old = (clockAlone ? nil : .date(date, named: nil), clock)
    case .every(let days, let clock): old = (.days(days), clock)
    case .fixed(let instant):
      let local = zone.local(instant)
      old = (.date(local.date, named: nil), local.clock)
    case .timer: return parts
    }
    if parts.clock == nil { parts.clock = old.clock } else if parts.day == nil { parts.day = old.day }
    return parts
  }

  private func timeless(_ parts: WhenParts, _ words: Words) -> Complaint {
    let whole = words.whole
    if let at = parts.yearAt, let year = words.tokens[at].value, year < 1900 {
      // Four digits right behind day and month are a year.
      let clock = "\(padded(year / 100, 2)):\(padded(year % 100, 2))"
      return Complaint(
        message: "has a year (\(words.tokens[at].text)) and no time",
        forms: [words.replacing(at..<(at + 1), by: clock), words.replacing(at..<(at + 1), by: "07:00")])
    }
    if case .days(.monthDays(let days))? = parts.day, let day = days.first, days.count == 1, day < 24,
      words.tokens.first?.text == "every"
    {
      return Complaint(
        message: "has no time of day (a lone number behind \"day\" is a day of the month)",
        forms: ["every day \(padded(day, 2)):00"])
    }
    return Complaint(message: "has no time of day", forms: [whole + " 07:00", whole + " 23:59"])
  }
}
