import Glibc

/// A line that the helper `alarm-wake` says.
public enum WakeAnswer: Hashable, Sendable {
  /// The machine wakes at that second of CLOCK_REALTIME.
  case armed(Int64)
  /// It could be woken, and is not to be.
  case off
  /// It cannot be woken, with the errno value that says why.
  case refused(Int32)

  /// A line without its end; nil where it means nothing.
  public init?(_ line: [UInt8]) {
    let words = line.split(separator: 32, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case "armed":
      guard words.count == 2, let seconds = Int64(words[1]), seconds > 0 else { return nil }
      self = .armed(seconds)
    case "off":
      guard words.count == 1 else { return nil }
      self = .off
    case "refused":
      guard words.count > 1, let code = Int32(words[1]), code > 0 else { return nil }
      self = .refused(code)
    default: return nil
    }
  }
}
