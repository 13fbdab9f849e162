import Glibc
import Harness

/// `make bench`: prints figures, judges nothing. Arguments name the parts to run; none runs all.
@main
struct Bench {
  static func main() throws {
    let wanted = CommandLine.arguments.dropFirst()
    // The bare loop is this program again, so that it is measured as a process of its own.
    if wanted.first == "--bare", let file = wanted.dropFirst().first { exit(BareLoop.run(file)) }
    func part(_ name: String, _ run: () throws -> Void) throws {
      if wanted.isEmpty || wanted.contains(name) { try run() }
    }
    try part("schedule") { ScheduleBench.run() }
    try part("commands") { try CommandBench.run() }
    try part("rest") { try RestBench.run() }
    try part("memory") { try MemoryBench.run() }
    try part("alarms") { try AlarmBench.run() }
    try part("due") { try DueBench.run() }
    try part("sound") { try SoundBench.run() }
    try part("players") { try PlayerBench.run() }
    try part("screen") { try ScreenBench.run() }
  }

  /// One row: a name, what was measured, and what is to be reached.
  static func row(_ name: String, _ value: String, toReach: String = "") {
    let left = name.count < 58 ? name + String(repeating: " ", count: 58 - name.count) : name
    print(toReach.isEmpty ? "\(left) \(value)" : "\(left) \(value)  (to reach: \(toReach))")
    fflush(nil)
  }

  static func milliseconds(_ span: Duration) -> String { decimals(span / .milliseconds(1), 1) + " ms" }

  /// A number with so many digits behind the point.
  static func decimals(_ value: Double, _ digits: Int) -> String {
    let factor = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let scaled = Int64((value * factor).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(scaled.magnitude % UInt64(factor))
    return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt64(factor))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension Array where Element: Comparable {
  /// The middle one of an odd number of figures.
  var median: Element? { isEmpty ? nil : sorted()[count / 2] }
}
