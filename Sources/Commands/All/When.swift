import Schedule
import Wire

extension Command {
  static let when = Command(
    "when", .alarms, forms: ["RULE [options]"], "shows when a rule would be due, and adds nothing",
    about: [
      "Prints the next instants as ISO 8601 with offset, one a line. RULE is written as “alarm add” takes it. When none is left it prints nothing and the exit status is 1."
    ],
    options: [
      Option("zone", "ZONE", "reads the rule by the clock of this zone instead of the machine's"),
      Option("after", "INSTANT", "counts from then (2026-11-30T07:00:00+01:00) instead of from now"),
      Option("count", "N", "how many instants, 1 where left out"), .json,
    ],
    examples: [
      Example("alarm when mon-fri 07:00 --count 3", "the next three"),
      Example("alarm when last day 18:00 --zone Asia/Tokyo", "the end of the month in Tokyo"),
      Example(
        "alarm when daily 02:30 --after 2027-03-27T12:00:00+01:00", "what happens when the clocks go forward"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts().joined(separator: " ")
    guard !words.isEmpty else {
      throw .wrongWords("say the rule: “alarm when mon-fri 07:00”; “alarm help when” shows every form")
    }
    let dry = try DryRun(call)
    let answers = try dry.answers(words)
    call.warn(answers.remarks)
    let lines = answers.instants.map { $0.iso(in: dry.zone) }
    if call.has("json") {
      call.printLine(JSONText.pretty(.array(lines.map { .string($0) })))
    } else {
      call.printLines(lines)
    }
    return lines.isEmpty ? 1 : 0
  }
}

/// The options of `when`, read.
private struct DryRun {
  let zone: Zone
  let zoneGiven: Bool
  let start: Instant
  let startGiven: Bool
  let count: Int

  init(_ call: Call) throws(Complaint) {
    if let name = try call.option("zone") {
      guard let zone = Zone(named: name) else {
        let near = nearest(to: name, among: Zone.allIdentifiers).map { "did you mean \($0)?" }
        throw .wrongWords("there is no time zone “\(name)”; \(near ?? "write it as Europe/Berlin")")
      }
      (self.zone, zoneGiven) = (zone, true)
    } else {
      (zone, zoneGiven) = (.current(), false)
    }
    if let text = try call.option("after") {
      guard let instant = Instant(iso: text, in: zone) else {
        throw .wrongWords("“--after \(text)” is no instant; write it as 2026-11-30T07:00:00+01:00")
      }
      (start, startGiven) = (instant, true)
    } else {
      (start, startGiven) = (call.outside.now(), false)
    }
    if let text = try call.option("count") {
      guard let number = Call.number(text), (1...100_000).contains(number) else {
        throw .wrongWords("“--count \(text)” is out of place; give a whole number from 1 to 100000")
      }
      count = number
    } else {
      count = 1
    }
  }

  /// The instants, and what is to be said of the words and of these instants; what the clocks do behind the last of them is
  /// nobody's question.
  func answers(_ words: String) throws(Complaint) -> (instants: [Instant], remarks: [String]) {
    let when: When
    do throws(WhenError) {
      when = try read(words, at: start)
    } catch {
      // With --after a date may well lie before it; that is no wrong word, only nothing is left.
      if startGiven, isDateBefore(words) { return ([], []) }
      throw .wrongWords(error.description)
    }
    if case .timer(let span) = when.rule { return ([start + span], when.remarks) }
    var dues: [Due] = []
    while dues.count < count, let due = when.rule.next(after: dues.last?.instant ?? start, in: zone) {
      dues.append(due)
    }
    let turns = dues.lazy.compactMap { $0.remark(in: zone) }
    return (dues.map(\.instant), when.remarks + turns.prefix(DryRun.mostTurns))
  }

  /// Of a thousand years of changed clocks nobody reads more.
  private static let mostTurns = 4

  private func read(_ words: String, at now: Instant) throws(WhenError) -> When {
    try When.parse(words, now: now, zone: zone, zoneGiven: zoneGiven)
  }

  /// True where the words name one date whatever the present is, and that date is before the start. Words that depend on
  /// the present mean something else from another one.
  private func isDateBefore(_ words: String) -> Bool {
    let long = Instant(seconds: -5_000_000_000)
    let later = long + .seconds(40_000_000)
    guard let one = try? read(words, at: long).rule, let other = try? read(words, at: later).rule,
      one == other
    else {
      return false
    }
    return !one.repeats && one.next(after: start, in: zone) == nil
  }
}
