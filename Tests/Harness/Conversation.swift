import CLinux
import Glibc
import Platform

/// A program that is spoken to in lines and answers in lines. One test's thread owns it; it is killed when it goes.
public final class Conversation {
  public let process: pid_t
  private let input: Descriptor
  private let output: Descriptor
  private var partial: [UInt8] = []
  private var unread: [String] = []
  private var isOver = false

  public init(_ words: [String], environment: [String: String]? = nil) throws {
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    let theirInput = Descriptor(owning: ends[0])
    input = Descriptor(owning: ends[1])
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    output = Descriptor(owning: ends[0])
    let theirOutput = Descriptor(owning: ends[1])
    process = try spawn(
      words, environment: environment, descriptors: [(0, theirInput.number), (1, theirOutput.number)])
  }

  deinit { end() }

  public func say(_ line: String) throws { try input.writeAll(Array((line + "\n").utf8)) }

  /// The next line for which `matches` holds; those before it are dropped. nil at the deadline or the program's end.
  public func line(within deadline: Duration = .seconds(10), where matches: (String) -> Bool) throws
    -> String?
  {
    let end = ContinuousClock.now + deadline
    while true {
      while !unread.isEmpty {
        let line = unread.removeFirst()
        if matches(line) { return line }
      }
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      guard left > 0, !isOver else { return nil }
      var waiting = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(left) + 1) > 0, let bytes = try output.read(65_536) else { continue }
      isOver = bytes.isEmpty
      partial += bytes
      while let newline = partial.firstIndex(of: 10) {
        unread.append(String(decoding: partial[..<newline], as: UTF8.self))
        partial.removeFirst(newline + 1)
      }
    }
  }

  /// Kills it at once and waits for it.
  public func end() {
    guard waitpid(process, nil, WNOHANG) == 0 else { return }
    kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }
}

/// A program of this package, built beside the tests.
public func builtProgram(_ name: String) throws -> String {
  // The test bundle is mapped into this process, whichever program loaded it.
  for line in String(decoding: try readFile("/proc/self/maps"), as: UTF8.self).split(separator: "\n") {
    guard let slash = line.firstIndex(of: "/"), line.hasSuffix(".xctest") else { continue }
    let folder = line[slash...].split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/\(name)"
    if access(path, X_OK) == 0 { return path }
  }
  throw RunError(description: "“\(name)” lies not beside the tests; build it with them")
}
