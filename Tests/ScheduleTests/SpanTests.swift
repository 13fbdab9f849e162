import Testing

@testable import Schedule

@Suite("Spans of elapsed time")
struct SpanTests {
  @Test(
    "people's ways to write a span",
    arguments: [
      ("25m", 1500), ("25 min", 1500), ("25 mins", 1500), ("25 minutes", 1500), ("1 minute", 60), ("45s", 45),
      ("45 sec", 45), ("45 seconds", 45), ("1h", 3600), ("2 hrs", 7200), ("2 hours", 7200), ("1h30", 5400),
      ("1h05", 3900), ("12h30", 45000), ("1 h 30 min", 5400), ("1h30m", 5400), ("1h30m15s", 5415),
      ("1 hour and 30 minutes", 5400), ("1 hour, 30 minutes", 5400), ("1.5h", 5400), ("0.25 h", 900),
      ("half an hour", 1800), ("half a minute", 30), ("half hour", 1800), ("an hour", 3600),
      ("a day", 86_400),
      ("2d", 172_800), ("1 week", 604_800), ("2 wks", 1_209_600), ("+10m", 600), ("in 10 min", 600),
      ("30m 1h", 5400), ("10M", 600), (" 10\tm ", 600), ("3653d", 315_619_200),
    ])
  func accepted(text: String, seconds: Int) throws {
    #expect(try Span.parse(text) == .seconds(seconds))
  }

  @Test(
    "what is none is refused with a form that is one",
    arguments: [
      ("90", "90m"), ("+90", "+90m"), ("in 5", "in 5m"), ("0s", "1m"), ("+0s", "+1m"), ("0h 0m", "1m"),
      ("", "25m"),
      ("m", "25m"), ("ten minutes", "25m"), ("1h 30", "1h 30m"), ("1h tea", "25m"), ("1,5h", "1.5h"),
      ("-5m", "25m"),
      ("1 month", "25m"), ("99999999999999999999h", "52w"), ("999999999w", "52w"), ("3654d", "52w"),
      ("3653d 999999999s", "52w"), ("0.0000001s", "1m"), ("1..5h", "25m"), ("half", "25m"), ("5 m m", "25m"),
    ])
  func refused(text: String, form: String) {
    let error = #expect(throws: WhenError.self) { try Span.parse(text) }
    #expect(error?.form == form)
    #expect(throws: Never.self) { try Span.parse(form) }
  }

  @Test("zero is a span only for settings", arguments: ["0s", "0 min", "0h"])
  func zero(text: String) throws {
    #expect(throws: WhenError.self) { try Span.parse(text) }
    #expect(try Span.parse(text, allowZero: true) == .zero)
  }

  @Test(
    "a timer's span is the longest beginning of its words",
    arguments: [
      ("25m", 1500, 1), ("25m tea", 1500, 1), ("10 min eggs", 600, 2), ("half an hour nap", 1800, 3),
      ("1 h 30 min cake", 5400, 4), ("1h 30 eggs", 3600, 1), ("1 h and tea", 3600, 2), ("5m 3 eggs", 300, 1),
      ("1 hour and 5 minutes walk", 3900, 5), ("+5m x", 300, 1), ("an hour", 3600, 2), ("2h 5m 3s", 7503, 3),
    ])
  func prefix(text: String, seconds: Int, used: Int) throws {
    let words = text.split(separator: " ").map { String($0) }
    let found = try #require(Span.longestPrefix(of: words))
    #expect(found.span == .seconds(seconds) && found.used == used)
  }

  @Test(
    "words that begin with no span have no prefix",
    arguments: [[], ["tea"], ["tea", "25m"], ["25"], ["0s"], [""]])
  func noPrefix(words: [String]) { #expect(Span.longestPrefix(of: words) == nil) }

  @Test(
    "two units are shown, rounded down",
    arguments: [
      (0.0, "0 s"), (0.9, "0 s"), (45, "45 s"), (60, "1 min"), (90, "1 min 30 s"), (1500, "25 min"),
      (3600, "1 h"),
      (3605, "1 h"), (29_520, "8 h 12 min"), (29_579, "8 h 12 min"), (183_600, "2 d 3 h"), (86_700, "1 d"),
      (-90, "-1 min 30 s"),
    ])
  func shown(seconds: Double, text: String) { #expect(Span.text(.seconds(seconds)) == text) }

  @Test(
    "the stored form is short",
    arguments: [
      (1_500_000, "25m"), (5_400_000, "1h30m"), (0, "0s"), (1500, "1.5s"), (90_000_000, "1d1h"),
      (61_250, "1m1.25s"),
      (1, "0.001s"),
    ])
  func compact(milliseconds: Int, text: String) { #expect(Span.compact(.milliseconds(milliseconds)) == text) }

  @Test("the stored form reads back exactly")
  func compactRoundTrip() throws {
    var random = Seeded(3)
    for round in 0..<3000 {
      let limit: Int64 = [2_000_000, 100_000_000, 90_000_000_000, 315_000_000_000_000][round % 4]
      var span = Duration.microseconds(Int64.random(in: 1...limit, using: &random))
      if round % 3 == 0 { span = .seconds(max(1, span.components.seconds)) }
      #expect(try Span.parse(Span.compact(span)) == span)
    }
  }
}
