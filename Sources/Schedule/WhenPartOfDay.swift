/// Clock times with the part of the day in words, and other words that are nearly those of the grammar.
extension WhenReader {
  /// `in the evening`, `at night`, `tonight`, and where it ends.
  struct PartOfDay {
    enum Name: String { case morning, afternoon, evening, night }
    let name: Name
    /// Of today: `tonight`, `this evening`.
    let isToday: Bool
    let end: Int

    /// The hour of the day, where an hour of twelve or of the day can be meant in it.
    func hour(_ hour: Int) -> Int? {
      switch (name, hour) {
      case (.morning, 0...11): hour
      case (.afternoon, 1...7), (.evening, 3...11), (.night, 5...11): hour + 12
      case (.afternoon, 12...19), (.evening, 15...23), (.night, 17...23), (.night, 0...4): hour
      case (.night, 12): 0
      default: nil
      }
    }

    /// The form, and before it those of today and, where that has passed, of tomorrow.
    func forms(_ form: String, _ time: String) -> [String] {
      isToday ? ["today " + form, "tomorrow " + form, "today " + time, "tomorrow " + time] : [form, time]
    }
  }

  func partOfDay(from start: Int) -> PartOfDay? {
    let tokens = cursor.tokens
    func word(_ place: Int) -> String? {
      tokens.indices.contains(place) && tokens[place].kind == .word ? tokens[place].text : nil
    }
    if word(start) == "tonight" { return PartOfDay(name: .night, isToday: true, end: start + 1) }
    let (isToday, place) =
      switch (word(start), word(start + 1)) {
      case ("this", _): (true, start + 1)
      case ("at", "night"): (false, start + 1)
      case ("in", "the"): (false, start + 2)
      default: (false, tokens.count)
      }
    guard let name = word(place).flatMap(PartOfDay.Name.init(rawValue:)) else { return nil }
    return PartOfDay(name: name, isToday: isToday, end: place + 1)
  }

  /// `7:30 in the evening`, with the cursor behind the time.
  func clockWithPartOfDay(at start: Int) -> Complaint? {
    guard let clock = parts.clock, !saysHalf(parts.clockAt), let part = partOfDay(from: start),
      let hour = part.hour(clock.hour),
      let right = ClockTime(hour: hour, minute: clock.minute, second: clock.second)
    else { return nil }
    let words = cursor.words
    let pieces = [
      words.string(ofTokens: 0..<parts.clockAt.lowerBound), "\(right)",
      words.string(ofTokens: parts.clockAt.upperBound..<start),
      words.string(ofTokens: part.end..<words.tokens.count),
    ]
    let form = pieces.filter { !$0.isEmpty }.joined(separator: " ")
    return Complaint(message: "says the part of the day in words", forms: part.forms(form, "\(right)"))
  }

  /// `tonight 8:30`: what is meant, with the cursor behind the word.
  func tonight(at start: Int) -> [String] {
    let night = PartOfDay(name: .night, isToday: true, end: start + 1)
    if let hour = cursor.number(1, digits: 1...2).flatMap(night.hour), hour >= 12, cursor.peek(2) == nil {
      return ["today \(padded(hour, 2)):00", "tomorrow \(padded(hour, 2)):00"]
    }
    guard let clock = clockBehind(start + 1) ?? (parts.clock == nil ? nil : parts.clockAt), !saysHalf(clock)
    else { return [] }
    var reader = self
    reader.cursor.at = clock.lowerBound
    guard let time = try? reader.readClock(), let hour = night.hour(time.hour),
      let right = ClockTime(hour: hour, minute: time.minute, second: time.second), hour >= 12
    else { return [] }
    return ["today \(right)", "tomorrow \(right)"]
  }

  /// Where a clock time of the grammar stands further on.
  func clockBehind(_ start: Int) -> Range<Int>? {
    for place in start..<max(start, cursor.tokens.count) {
      var reader = self
      reader.cursor.at = place
      if (try? reader.readClock()) ?? nil != nil { return place..<reader.cursor.at }
    }
    return nil
  }

  private func saysHalf(_ range: Range<Int>) -> Bool {
    range.contains { ["am", "pm", "a", "p"].contains(cursor.tokens[$0].text) }
  }

  /// The words with the one at a place spelled as the day that it nearly is; nil where it is near to none, or to two.
  func respelled(at place: Int) -> String? {
    guard parts.day == nil, cursor.tokens.indices.contains(place), cursor.tokens[place].kind == .word else {
      return nil
    }
    let word = Array(cursor.tokens[place].text)
    guard (5...12).contains(word.count) else { return nil }
    let near = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow", "weekdays",
      "weekends",
    ].filter { WhenReader.isNear(word, Array($0)) }
    guard near.count == 1, let name = near.first else { return nil }
    return cursor.words.replacing(place..<(place + 1), by: name)
  }

  /// One letter too many, one that is missing, another one, or two that have changed places.
  private static func isNear(_ left: [Character], _ right: [Character]) -> Bool {
    let head = zip(left, right).prefix { $0 == $1 }.count
    let (left, right) = (left[head...], right[head...])
    switch left.count - right.count {
    case 1: return left.dropFirst() == right
    case -1: return left == right.dropFirst()
    case 0:
      return left.dropFirst() == right.dropFirst()
        || left.count > 1 && left[head] == right[head + 1] && left[head + 1] == right[head]
          && left.dropFirst(2) == right.dropFirst(2)
    default: return false
    }
  }

  /// `every second monday` is each other week's to one and each month's second to another.
  func everySecond() -> Complaint? {
    guard cursor.word() == "second", let weekday = cursor.word(1).flatMap({ Weekday.named($0) })?.weekday
    else {
      return nil
    }
    let form = cursor.words.replacing(cursor.at..<(cursor.at + 1), by: "2nd")
    return Complaint(
      message:
        "can mean every other week, which no alarm repeats by, or the 2nd \(weekday.short) of each month",
      forms: [form, form + " 07:00", "every 2nd \(weekday.short) 07:00"])
  }
}
