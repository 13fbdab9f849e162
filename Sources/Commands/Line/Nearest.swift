/// The candidate that a mistyped word most likely means, nil where none is near.
///
/// Distance counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); a third of
/// the word's length may be wrong. A candidate that begins with the word is near whatever its length.
func nearest(to word: String, among candidates: [String]) -> String? {
  let lowered = word.lowercased()
  guard !lowered.isEmpty else { return nil }
  let limit = max(1, lowered.count / 3)
  let measured = candidates.map { ($0, editDistance(lowered, $0)) }
  if let best = measured.min(by: { $0.1 < $1.1 }), best.1 <= limit { return best.0 }
  return lowered.count >= 2 ? candidates.first { $0.hasPrefix(lowered) } : nil
}

func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left), Array(right))
  // Words of people are short; a file pasted as a command need not be measured.
  guard left.count <= 64 else { return left.count }
  var before: [Int] = []
  var last = Array(0...right.count)
  for row in 0..<left.count {
    var current = [row + 1]
    for column in 0..<right.count {
      let cost = left[row] == right[column] ? 0 : 1
      var best = min(last[column] + cost, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, before[column - 1] + 1)
      }
      current.append(best)
    }
    (before, last) = (last, current)
  }
  return last[right.count]
}
