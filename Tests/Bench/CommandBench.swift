import Harness
import Platform

/// Commands as whole processes, from spawn to exit, beside the smallest process there is.
enum CommandBench {
  static func run() throws {
    let world = try World()
    for number in 0..<10 { try world.must("add", "mon-fri 0\(number):00", "--label", "Alarm \(number)") }
    let smallest = try time(31) { _ = try Harness.run(["true"]) }
    Bench.row("`true`, whole process, median of 31", Bench.milliseconds(smallest))
    for words in [["list"], ["next"], ["when", "mon-fri 07:00", "--count", "3"], ["status"], ["--version"]] {
      let median = try time(31) {
        let finished = try world.alarm(words)
        if !finished.succeeded { throw RunError(description: finished.complaint) }
      }
      Bench.row(
        "`alarm \(words.joined(separator: " "))`, engine running, median of 31",
        "\(Bench.milliseconds(median)), \(Bench.decimals(median / smallest, 1)) × true",
        toReach: "under 50 ms")
    }
  }

  private static func time(_ runs: Int, _ body: () throws -> Void) throws -> Duration {
    try body()
    let spans = try (0..<runs).map { _ in try ContinuousClock().measure(body) }
    return spans.median ?? .zero
  }
}
