/// Spans of elapsed time as people write and read them. A day is 24 hours, a week seven of them.
public enum Span {
  /// The longest span that is read: ten years.
  static let longest = Duration.seconds(3653 * 86_400)

  /// Reads `25m`, `1h30`, `1 h 30 min`, `1.5 hours`, `half an hour`, `an hour`, with `+` or `in` before it or not.
  ///
  /// - Throws: a sentence that shows a right form: for a number without a unit, for nothing at all, for more than ten
  ///   years, and for a span of zero unless `allowZero` (as settings do, where `0s` means never or at once).
  public static func parse(_ text: String, allowZero: Bool = false) throws(WhenError) -> Duration {
    do {
      return try SpanReader.read(text, allowZero: allowZero)
    } catch {
      throw WhenError(error, words: text)
    }
  }

  /// The longest beginning of a list of words that is a span, and how many words it took; nil where there is none.
  /// Of `["10", "min", "tea"]` it is ten minutes, two words.
  public static func longestPrefix(of words: [String]) -> (span: Duration, used: Int)? {
    for used in stride(from: min(words.count, 14), to: 0, by: -1) {
      let text = words[..<used].joined(separator: " ")
      if let span = try? SpanReader.read(text, allowZero: false) { return (span, used) }
    }
    return nil
  }

  /// For showing: the two largest units, rounded down: `8 h 12 min`, `25 min`, `45 s`, `2 d 3 h`.
  public static func text(_ span: Duration) -> String {
    let parts = units(of: span.components.seconds.magnitude, names: [" d", " h", " min", " s"])
    let sign = span < .zero ? "-" : ""
    guard let first = parts.first else { return "0 s" }
    // A small unit far behind a large one (1 d 5 s) says nothing.
    let shown = parts.dropFirst().first.flatMap { $0.rank == first.rank + 1 ? [first, $0] : nil } ?? [first]
    return sign + shown.map(\.text).joined(separator: " ")
  }

  /// For storing: exact to the microsecond, and `parse` reads it back: `25m`, `1h30m`, `1d2h`, `1.5s`, `0s`.
  public static func compact(_ span: Duration) -> String {
    let seconds = span.components.seconds.magnitude
    let fraction = Int(span.components.attoseconds.magnitude / 1_000_000_000_000)
    let sign = span < .zero ? "-" : ""
    guard fraction > 0 else {
      let parts = units(of: seconds, names: ["d", "h", "m", "s"])
      return sign + (parts.isEmpty ? "0s" : parts.map(\.text).joined())
    }
    let whole = units(of: seconds - seconds % 60, names: ["d", "h", "m", "s"]).map(\.text).joined()
    var digits = padded(fraction, 6)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole)\(seconds % 60).\(digits)s"
  }

  private static func units(of seconds: UInt64, names: [String]) -> [(rank: Int, text: String)] {
    let amounts = [seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    return amounts.indices.compactMap { amounts[$0] == 0 ? nil : ($0, "\(amounts[$0])\(names[$0])") }
  }
}
