/// One word of the command line as the kernel hands it over: bytes, not necessarily UTF-8.
///
/// `CommandLine.arguments` would repair what is not UTF-8, and a file with such a name could never be played.
public struct Argument: Hashable, Sendable, ExpressibleByStringLiteral {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { bytes = Array(text.utf8) }
  public init(stringLiteral value: String) { self.init(value) }

  /// The word as text, nil where it is not valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The words of this process, its own name left out.
  public static func ofProcess() -> [Argument] {
    var result: [Argument] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index] else { break }
      var bytes: [UInt8] = []
      var place = word
      while place.pointee != 0 {
        bytes.append(UInt8(bitPattern: place.pointee))
        place += 1
      }
      result.append(Argument(bytes: bytes))
    }
    return result
  }
}
