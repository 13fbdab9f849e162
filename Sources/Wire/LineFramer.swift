/// Cuts a stream of bytes into lines of at most `limit` bytes.
///
/// A line that is longer is told once, when the limit is passed; the rest of it, up to its end, is dropped.
public struct LineFramer: Sendable {
  public enum Line: Hashable, Sendable {
    /// Without its line feed (and carriage return).
    case line([UInt8])
    case tooLong
  }

  /// 1 MiB, as the protocol has it.
  public static let protocolLimit = 1 << 20

  private let limit: Int
  private var waiting: [UInt8] = []
  /// Everything before this has been given out; `waiting` is shortened when it is worth it, not at every line.
  private var start = 0
  /// How far the search for a line feed has come, so that a long line is not searched again at each piece.
  private var searched = 0
  /// Within a line that was told as too long.
  private var dropping = false

  public init(limit: Int = LineFramer.protocolLimit) { self.limit = limit }

  /// Bytes that have come and are in no line yet.
  public var count: Int { waiting.count - start }

  public mutating func append(_ bytes: some Sequence<UInt8>) { waiting += bytes }

  /// The next whole line, or nil until more has come.
  public mutating func next() -> Line? {
    while true {
      guard let end = waiting[searched...].firstIndex(of: 10) else {
        searched = waiting.count
        if dropping {
          forget(upTo: waiting.count)
        } else if count > limit {
          dropping = true
          forget(upTo: waiting.count)
          return .tooLong
        } else if start > 65_536 {
          forget(upTo: start)
        }
        return nil
      }
      let line = waiting[start..<end]
      start = end + 1
      searched = start
      if start == waiting.count { forget(upTo: start) }
      if dropping {
        dropping = false
        continue
      }
      if line.count > limit { return .tooLong }
      return .line(Array(line.last == 13 ? line.dropLast() : line))
    }
  }

  private mutating func forget(upTo index: Int) {
    waiting.removeFirst(index)
    searched -= index
    start = 0
  }
}
