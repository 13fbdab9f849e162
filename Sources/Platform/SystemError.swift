import CLinux
import Glibc

/// A failed system call: what was being done, to what, and the kernel's reason.
///
/// `description` is a full sentence part that names the thing: `cannot open “/x/y”: no such file or directory`.
public struct SystemError: Error, CustomStringConvertible, Sendable, Equatable {
  /// What was tried, with the thing it was tried on: `cannot open “/x/y”`.
  public let attempt: String
  /// The `errno` value.
  public let code: Int32

  public init(_ attempt: String, code: Int32 = errno) {
    self.attempt = attempt
    self.code = code
  }

  public var description: String { "\(attempt): \(SystemError.reason(code))" }

  /// The kernel's words for an errno value, in lower case at the start as the middle of a sentence wants it.
  public static func reason(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    // The GNU variant returns a pointer that need not be into the buffer.
    guard let text = strerror_r(code, &buffer, buffer.count) else { return "error \(code)" }
    let words = String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

/// Calls `body` until it does not fail with EINTR; −1 becomes a `SystemError` that carries `attempt`.
@discardableResult
public func check<Number: SignedInteger>(
  _ attempt: @autoclosure () -> String, _ body: () -> Number
) throws(SystemError) -> Number {
  while true {
    let result = body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemError(attempt(), code: code) }
  }
}
