import Glibc

/// A condition that did not come true in time.
public struct Timeout: Error, CustomStringConvertible, Sendable {
  public let description: String
  public init(description: String) { self.description = description }
}

/// Asks again and again until `condition` gives something, and throws where it does not within `deadline`. The pause
/// between two questions is short against every deadline used here; what is waited for is an event, never a span.
public func wait<Value>(
  for what: String, within deadline: Duration = .seconds(10), every pause: Duration = .milliseconds(10),
  _ condition: () throws -> Value?
) throws -> Value {
  let end = ContinuousClock.now + deadline
  while true {
    if let value = try condition() { return value }
    if ContinuousClock.now >= end { throw Timeout(description: "\(what) did not come within \(deadline)") }
    usleep(UInt32(pause / .microseconds(1)))
  }
}

/// The same for something that is true or not.
public func wait(
  until what: String, within deadline: Duration = .seconds(10), every pause: Duration = .milliseconds(10),
  _ condition: () throws -> Bool
) throws {
  _ = try wait(for: what, within: deadline, every: pause) { try condition() ? true : nil }
}

/// Numbers that look random and are the same for the same seed (SplitMix64, Steele, Lea and Flood 2014).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
