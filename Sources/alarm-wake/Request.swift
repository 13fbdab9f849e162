import CLinux

/// What a line asks for.
enum Request {
  /// The machine is to be awake at that instant, in seconds of CLOCK_REALTIME.
  case wake(Int64)
  /// It need not be woken any more.
  case off
  /// The line means nothing, with the errno value that says why.
  case wrong(Int32)

  /// The last second that the kernel's clocks reach (KTIME_SEC_MAX, in the year 2262).
  static let lastSecond: Int64 = 9_223_372_036

  /// A line without its end.
  init(_ line: [UInt8]) {
    if Request.begins(line, with: "off"), line.count == 3 {
      self = .off
      return
    }
    guard Request.begins(line, with: "wake "), line.count > 5 else {
      self = .wrong(EINVAL)
      return
    }
    var seconds: Int64 = 0
    for byte in line[5...] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
        self = .wrong(EINVAL)
        return
      }
      // More digits make it no smaller, and never so large that it overflows.
      if seconds <= Request.lastSecond { seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0")) }
    }
    // 0 would switch the timer off.
    self = seconds > 0 && seconds <= Request.lastSecond ? .wake(seconds) : .wrong(ERANGE)
  }

  private static func begins(_ line: [UInt8], with word: StaticString) -> Bool {
    guard line.count >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { buffer in
      for index in 0..<buffer.count where buffer[index] != line[index] { return false }
      return true
    }
  }
}
