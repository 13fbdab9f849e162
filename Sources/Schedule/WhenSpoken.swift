/// What people say of a time and the grammar does not know, with the form that says the same.
extension WhenReader {
  /// `half past seven`, `a quarter to 8 pm`, `seven o'clock`, `the day after tomorrow`, `now`, `in the evening`; nil where it is
  /// none of them.
  func spoken(at start: Int) -> Complaint? {
    dayAfterTomorrow(at: start) ?? moment(at: start) ?? wordedClock(at: start) ?? partOfDay(at: start)
  }

  private func word(_ place: Int) -> String? {
    cursor.tokens.indices.contains(place) && cursor.tokens[place].kind == .word
      ? cursor.tokens[place].text : nil
  }

  /// The words with the pieces of a range replaced; without a clock time with the usual one behind them too.
  private func forms(_ range: Range<Int>, by text: String) -> [String] {
    let form = cursor.words.replacing(range, by: text)
    return [form, form + " 07:00", text]
  }

  private func dayAfterTomorrow(at start: Int) -> Complaint? {
    let first = word(start) == "the" ? start + 1 : start
    guard word(first) == "day", word(first + 1) == "after", word(first + 2) == "tomorrow" else { return nil }
    return Complaint(
      message: "names a day in words", forms: forms(start..<(first + 3), by: "\(today.adding(days: 2))"))
  }

  private func moment(at start: Int) -> Complaint? {
    guard ["now", "immediately"].contains(word(start)), start == 0 else { return nil }
    return Complaint(message: "leaves no time to wait for", forms: ["+1m"])
  }

  private func partOfDay(at start: Int) -> Complaint? {
    var place = start
    if word(place) == "in", word(place + 1) == "the" { place += 2 }
    let times = ["morning": "08:00", "afternoon": "15:00", "evening": "20:00", "night": "22:00"]
    guard let time = word(place).flatMap({ times[$0] }), parts.clock == nil else { return nil }
    return Complaint(
      message: "does not say at what time",
      forms: [cursor.words.replacing(start..<(place + 1), by: time), time])
  }

  // MARK: Clock times in words

  private func wordedClock(at start: Int) -> Complaint? {
    guard parts.clock == nil else { return nil }
    var place = word(start) == "at" ? start + 1 : start
    var hour: Int
    var minute = 0
    if let (minutes, isBefore, used) = minutesFrom(place), let (full, hourUsed) = hourNamed(place + used) {
      place += used + hourUsed
      (hour, minute) = isBefore ? ((full + 23) % 24, 60 - minutes) : (full, minutes)
      // Ten to one is 00:50 by the rules, and 12:50 to everybody.
      if isBefore, full == 1 { hour = 12 }
    } else if word(place) == "half", let (full, used) = hourNamed(place + 1) {
      place += 1 + used
      (hour, minute) = (full, 30)
    } else if word(place) != nil, let (full, used) = hourNamed(place) {
      place += used
      hour = full
      if let (more, used) = number(place), (1...59).contains(more) {
        minute = more
        place += used
      }
    } else {
      return nil
    }
    if word(place) == "oclock" {
      place += 1
    } else if word(place) == "o", word(place + 2) == "clock" {
      place += 3
    }
    let half = word(place).flatMap { ["am", "pm"].contains($0) ? $0 : nil }
    if half != nil { place += 1 }
    let digits = padded(minute, 2)
    if half == nil, let part = partOfDay(from: place), let hour = part.hour(hour) {
      let time = "\(padded(hour, 2)):\(digits)"
      return Complaint(
        message: "has a time in words",
        forms: part.forms(cursor.words.replacing(start..<part.end, by: time), time))
    }
    let time =
      if let half { "\((hour + 11) % 12 + 1):\(digits)\(half)" } else { "\(padded(hour, 2)):\(digits)" }
    return Complaint(
      message: "has a time in words",
      forms: [cursor.words.replacing(start..<min(place, cursor.tokens.count), by: time), time])
  }

  /// `half past`, `a quarter to`, `20 minutes after`.
  private func minutesFrom(_ start: Int) -> (minutes: Int, isBefore: Bool, used: Int)? {
    var place = word(start) == "a" ? start + 1 : start
    let minutes: Int
    switch word(place) {
    case "half": (minutes, place) = (30, place + 1)
    case "quarter": (minutes, place) = (15, place + 1)
    default:
      guard let (count, used) = number(place), (1...59).contains(count) else { return nil }
      (minutes, place) = (count, place + used)
      if ["min", "minute", "minutes"].contains(word(place)) { place += 1 }
    }
    switch word(place) {
    case "past", "after": return (minutes, false, place + 1 - start)
    case "to", "before", "till", "of": return (minutes, true, place + 1 - start)
    default: return nil
    }
  }

  private func hourNamed(_ place: Int) -> (hour: Int, used: Int)? {
    if word(place) == "noon" { return (12, 1) }
    if word(place) == "midnight" { return (0, 1) }
    guard let (hour, used) = number(place), (0...23).contains(hour) else { return nil }
    return (hour, used)
  }

  /// A number in digits or in words: `7`, `seven`, `twenty five`.
  private func number(_ place: Int) -> (value: Int, used: Int)? {
    if cursor.tokens.indices.contains(place), let value = cursor.tokens[place].value { return (value, 1) }
    let names = [
      "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
      "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    guard let name = word(place) else { return nil }
    if let index = names.firstIndex(of: name) { return (index + 1, 1) }
    guard let index = ["twenty", "thirty", "forty", "fifty"].firstIndex(of: name) else { return nil }
    let tens = (index + 2) * 10
    let next =
      cursor.tokens.indices.contains(place + 1) && cursor.tokens[place + 1].text == "-"
      ? place + 2 : place + 1
    if let one = word(next).flatMap({ names.prefix(9).firstIndex(of: $0) }) {
      return (tens + one + 1, next + 1 - place)
    }
    return (tens, 1)
  }

  // MARK: What is no time at all

  /// Words behind a whole time that say nothing of when: what the alarm is to be called, as an option; nil where they may be
  /// meant as a part of the time.
  func label(from start: Int) -> String? {
    let tokens = cursor.tokens[min(start, cursor.tokens.count)...]
    guard tokens.first?.kind == .word, tokens.allSatisfy({ $0.kind != .symbol || $0.text == "-" }) else {
      return nil
    }
    let words = tokens.filter { $0.kind == .word }.map(\.text)
    guard !words.contains(where: WhenReader.mayMeanTime) else { return nil }
    let text = cursor.words.string(ofTokens: start..<cursor.tokens.count)
    guard text.utf8.count <= 40 else { return " --label TEXT" }
    return tokens.count == 1 ? " --label \(text)" : " --label \"\(text)\""
  }

  private static func mayMeanTime(_ word: String) -> Bool {
    let words: Set = [
      "a", "after", "ago", "am", "an", "and", "annually", "at", "before", "between", "but", "clock", "coming",
      "daily",
      "during", "each", "evening", "every", "everyday", "except", "first", "for", "fourth", "from", "half",
      "hourly",
      "in", "last", "later", "midnight", "month", "monthly", "months", "morning", "next", "night", "noon",
      "not",
      "now", "o", "of", "on", "once", "only", "or", "other", "past", "pm", "quarter", "afternoon", "second",
      "starting", "that", "the", "third", "this", "through", "till", "to", "today", "tomorrow", "tonight",
      "twice",
      "until", "weekday", "weekdays", "weekend", "weekends", "weekly", "without", "year", "yearly", "years",
    ]
    return words.contains(word) || Weekday.named(word) != nil || Month.named(word) != nil
      || SpanReader.unit(word) != nil
  }
}

extension Words {
  /// They speak of one time, so that no form that is shown for them may repeat.
  var namesOneTime: Bool {
    let words: Set = [
      "ago", "coming", "from", "in", "next", "now", "once", "this", "today", "tomorrow", "tonight", "later",
    ]
    // "In the evening" is said of every day too.
    return tokens.indices.contains { place in
      tokens[place].kind == .word && words.contains(tokens[place].text)
        && !(tokens[place].text == "in" && tokens.dropFirst(place + 1).first?.text == "the")
    }
      && !tokens.contains { ["every", "each"].contains($0.text) }
  }
}
