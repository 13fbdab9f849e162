import Schedule
import Testing

@testable import Store

@Suite("How things are written down")
struct CodingTests {
  @Test("Every rule reads back as it was")
  func rules() {
    var generator = Seeded(1)
    for _ in 0..<3000 {
      let rule = generator.rule()
      #expect(RuleCode.decode(RuleCode.encode(rule)) == rule, "\(RuleCode.encode(rule))")
    }
  }

  @Test(
    "What is stored stays as it is: these must be read for ever",
    arguments: [
      (
        "once 2026-12-01 25200",
        Rule.once(LocalDate("2026-12-01")!, ClockTime(hour: 7, minute: 0)!, clockAlone: false)
      ),
      (
        "once 2026-12-01 25200 alone",
        .once(LocalDate("2026-12-01")!, ClockTime(hour: 7, minute: 0)!, clockAlone: true)
      ),
      ("every 25200 weekly 1 5", .every(.weekly([.monday, .friday]), ClockTime(hour: 7, minute: 0)!)),
      ("every 0 nth 2 1 5", .every(.ordinal([.first, .last], .tuesday), ClockTime(hour: 0, minute: 0)!)),
      (
        "every 0 any [last|month 1 15]",
        .every(.any([.lastDayOfMonth, .monthDays([1, 15])]), ClockTime(hour: 0, minute: 0)!)
      ),
      ("every 0 year 2 29", .every(.yearly(month: 2, day: 29), ClockTime(hour: 0, minute: 0)!)),
      ("fixed -5", .fixed(Instant(microseconds: -5))),
      ("timer 1500000000", .timer(.seconds(1500))),
    ])
  func forms(text: String, rule: Rule) {
    #expect(RuleCode.decode(text) == rule)
    #expect(RuleCode.encode(rule) == text)
  }

  @Test(
    "Everything else is no rule",
    arguments: [
      "", "once", "once 2026-12-01", "once 2026-12-01 86400", "once 2026-13-01 0", "once 2026-12-01 0 x",
      "every 0", "every 0 never", "every 0 weekly 8", "every 0 nth", "every 0 year 2", "fixed x", "timer",
      "timer 1 2",
    ])
  func noRule(text: String) {
    #expect(RuleCode.decode(text) == nil)
  }

  @Test("Every list reads back as it was")
  func lists() {
    var generator = Seeded(2)
    for _ in 0..<1000 {
      let list = (0..<generator.int(0...4)).map { _ in generator.text() }
      #expect(ListCode.decode(ListCode.encode(list)) == list)
    }
  }
}
