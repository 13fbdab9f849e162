import Testing

@testable import Commands

@Suite("A dry run of a rule")
struct WhenTests {
  @Test(
    "The next instants are printed with their offset, without an engine",
    arguments: [
      ("when 07:00 --zone UTC", ["2026-11-30T07:00:00+00:00"]),
      (
        "when mon-fri 07:00 --zone UTC --count 2", ["2026-11-30T07:00:00+00:00", "2026-12-01T07:00:00+00:00"]
      ),
      ("when +25m --zone UTC", ["2026-11-30T00:25:00+00:00"]),
      ("when tomorrow 7am --zone UTC --count 5", ["2026-12-01T07:00:00+00:00"]),
      (
        "when daily 02:30 --zone Europe/Berlin --after 2027-03-27T12:00:00+01:00 --count 2",
        ["2027-03-28T03:30:00+02:00", "2027-03-29T02:30:00+02:00"]
      ),
      ("when daily 12:00 --zone Europe/Berlin --after 2026-12-24T12:00", ["2026-12-25T12:00:00+01:00"]),
      ("when 2016-03-27 03:17 --zone UTC --after 2016-03-27T03:16:59Z", ["2016-03-27T03:17:00+00:00"]),
    ] as [(String, [String])])
  func instants(_ line: String, _ expected: [String]) {
    let bench = Bench()
    bench.engineRuns = false
    #expect(bench.run(line) == 0)
    #expect(bench.text.split(separator: "\n").map(String.init) == expected)
  }

  @Test(
    "None left prints nothing and ends with 1",
    arguments: ["2016-03-27 03:17", "27 March 2016 03:17", "2016-03-27T03:17:00+01:00"])
  func noneLeft(_ rule: String) {
    let bench = Bench()
    #expect(bench.run("when \(rule) --after 2016-03-27T03:17:00Z --zone UTC".replacing(rule: rule)) == 1)
    #expect(bench.text.isEmpty && bench.complaint.isEmpty)
  }

  @Test(
    "A wrong rule, and a date that has passed, end with 2",
    arguments: ["7", "24:00", "2016-03-27 03:17", "today 00:00", "next friday"])
  func wrong(_ rule: String) {
    let bench = Bench()
    #expect(bench.run("when \(rule) --zone UTC") == 2)
    #expect(bench.text.isEmpty)
    #expect(bench.complaint.hasPrefix("alarm: \"\(rule)\" "))
  }

  @Test("What the clocks do to the instants that are printed is said, and nothing of what comes behind them")
  func turns() {
    let bench = Bench()
    #expect(
      bench.run("when daily 02:30 --zone Europe/Berlin --after 2027-10-30T12:00:00+02:00 --count 3") == 0)
    #expect(
      bench.complaint
        == "alarm: In Europe/Berlin the clocks go back over 02:30 on Sun 2027-10-31; it rings the first time, not the second.\n"
    )
    let gap = Bench()
    #expect(gap.run("when daily 02:30 --zone Europe/Berlin --after 2027-03-27T12:00:00+01:00") == 0)
    #expect(
      gap.complaint
        == "alarm: In Europe/Berlin the clocks go forward over 02:30 on Sun 2027-03-28; that day it rings at 03:30.\n"
    )
  }

  @Test("With --json it is a list")
  func json() {
    let bench = Bench()
    #expect(bench.run("when 07:00 --zone UTC --json") == 0)
    #expect(bench.text == "[\n  \"2026-11-30T07:00:00+00:00\"\n]\n")
  }
}

extension String {
  /// An instant with an offset takes no `--zone`.
  fileprivate func replacing(rule: String) -> String {
    rule.contains("T") ? split(separator: " --zone")[0].description : self
  }
}
