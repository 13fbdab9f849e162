/// A point on the wall clock's time line: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Microseconds in 64 bits reach 292 000 years either way, so no date a person can type overflows.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }
  public init(seconds: Int64) { self.microseconds = seconds * 1_000_000 }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 {
    let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }
  public static func + (instant: Instant, span: Duration) -> Instant {
    Instant(microseconds: instant.microseconds + span.microseconds)
  }
  public static func - (instant: Instant, span: Duration) -> Instant {
    Instant(microseconds: instant.microseconds - span.microseconds)
  }
  /// The span from `right` to `left`; negative where `left` is the earlier one.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds - right.microseconds)
  }
}

extension Duration {
  /// The span in whole microseconds, rounded towards zero.
  public var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }

  /// The span in seconds, for showing and for files.
  public var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
