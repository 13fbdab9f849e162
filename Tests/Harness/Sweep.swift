/// What a recording tells of a sine that rises by 100 Hz a second from 300 Hz on: any stretch of it tells its place.
public enum Sweep {
  /// The place (s) at the middle of a stretch that was recorded; nil where nothing of it sounds.
  ///
  /// By the middle one of the distances between its crossings of zero upwards: how many there are in the whole stretch says
  /// something else where a server on a busy machine ran dry and left a gap.
  public static func place(_ stretch: ArraySlice<Float>) -> Double? {
    var crossings: [Double] = []
    for index in stretch.indices.dropFirst() where stretch[index - 1] < 0 && stretch[index] >= 0 {
      let (before, after) = (Double(stretch[index - 1]), Double(stretch[index]))
      crossings.append(Double(index) - after / (after - before))
    }
    let periods = zip(crossings, crossings.dropFirst()).map { $1 - $0 }.sorted()
    guard !periods.isEmpty else { return nil }
    return (48_000 / periods[periods.count / 2] - 300) / 100
  }

  /// Where it was when it was last heard in a recording (s).
  public static func end(of recording: [Float]) -> Double? {
    guard let last = recording.lastIndex(where: { abs($0) > 0.01 }), last >= 9600 else { return nil }
    return place(recording[(last - 9600)...last]).map { $0 + 0.1 }
  }

  /// Where it was when it was first heard (s); the first 25 ms, in which it may fade in, are left out.
  public static func beginning(of recording: [Float]) -> Double? {
    guard let first = recording.firstIndex(where: { abs($0) > 0.01 }), recording.count - first > 10_800
    else { return nil }
    return place(recording[(first + 1200)..<(first + 10_800)]).map { $0 - 0.125 }
  }
}
