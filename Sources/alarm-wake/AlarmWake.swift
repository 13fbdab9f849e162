import CLinux

/// The helper that may set the machine's clock to wake it, for an engine that may not.
///
/// It is a program of its own because the right to do so (`cap_wake_alarm`, capabilities(7)) belongs to a file, and would
/// make of `alarm` itself a program whose environment nobody trusts. On its input it is told, a line each, `wake SECONDS`
/// (of CLOCK_REALTIME) or `off`; to each it answers with a line: `armed SECONDS`, `off`, or `refused ERRNO REASON`. It
/// holds the timer as long as its input is open, so that it ends with whoever started it, and does nothing else. Embedded
/// Swift: no runtime that listens to an environment, and no library but the C library.
@main
struct AlarmWake {
  /// The longest line that means anything is far shorter; whoever writes a longer one is not the engine.
  static let longestLine = 32

  static func main() {
    // Without these two the timer's own descriptor would take their place.
    guard isOpen(0), isOpen(1), reveille_keep_wake_alarm_only() == 0 else { exit(1) }
    _ = chdir("/")
    var timer = WakingTimer()
    var line: [UInt8] = []
    line.reserveCapacity(longestLine)
    var input = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(0, &input, input.count)
      guard count > 0 else {
        if count < 0, reveille_errno() == EINTR { continue }
        exit(count == 0 ? 0 : 1)
      }
      for byte in input[..<count] {
        if byte == UInt8(ascii: "\n") {
          answer(Request(line), &timer)
          line.removeAll(keepingCapacity: true)
        } else if line.count < longestLine {
          line.append(byte)
        } else {
          refuse(EMSGSIZE)
          exit(1)
        }
      }
    }
  }

  private static func answer(_ request: Request, _ timer: inout WakingTimer) {
    switch request {
    case .wake(let seconds):
      let code = timer.set(seconds)
      guard code == 0 else { return refuse(code) }
      say("armed ", number: seconds)
    case .off:
      let code = timer.set(nil)
      guard code == 0 else { return refuse(code) }
      say("off", number: nil)
    case .wrong(let code): refuse(code)
    }
  }

  private static func refuse(_ code: Int32) {
    say("refused ", number: Int64(code), reason: strerror(code))
  }

  private static func say(_ word: StaticString, number: Int64?, reason: UnsafeMutablePointer<CChar>? = nil) {
    var text: [UInt8] = []
    text.reserveCapacity(128)
    word.withUTF8Buffer { text.append(contentsOf: $0) }
    if let number { append(number, to: &text) }
    if var reason {
      text.append(UInt8(ascii: " "))
      while reason.pointee != 0 {
        text.append(UInt8(bitPattern: reason.pointee))
        reason += 1
      }
    }
    text.append(UInt8(ascii: "\n"))
    var start = 0
    while start < text.count {
      let count = text.withUnsafeBytes { write(1, $0.baseAddress.map { $0 + start }, $0.count - start) }
      if count > 0 {
        start += count
      } else if count == 0 || reveille_errno() != EINTR {
        // Nobody listens any more.
        exit(1)
      }
    }
  }

  private static func append(_ number: Int64, to text: inout [UInt8]) {
    var digits: [UInt8] = []
    var rest = number
    repeat {
      digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    text.append(contentsOf: digits.reversed())
  }

  private static func isOpen(_ number: Int32) -> Bool {
    var status = stat()
    return fstat(number, &status) == 0
  }
}
