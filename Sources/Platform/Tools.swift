import CLinux
import Glibc

/// What a program that ran to its end has said.
public struct ToolResult: Sendable {
  public let status: ExitStatus
  public let output: String
  public let complaints: String

  public init(status: ExitStatus, output: String = "", complaints: String = "") {
    (self.status, self.output, self.complaints) = (status, output, complaints)
  }

  public var succeeded: Bool { status == .exited(0) }
  /// The last thing it complained of, or else said; sanitised, without the program's own name.
  public var reason: String {
    let lines = (complaints.isEmpty ? output : complaints).split(whereSeparator: \.isNewline)
    return lines.last.map { clean($0, atMost: 400) } ?? "it ended with status \(status.shellStatus)"
  }
}

/// Runs a program of the system, found in PATH, to its end: without input, its words collected. Blocks, so never on the
/// loop. What has not ended after `seconds` is killed.
public func runTool(_ words: [String], within seconds: Int64 = 120) throws(SystemError) -> ToolResult {
  var ends: [Int32] = [-1, -1, -1, -1]
  for place in [0, 2] {
    var pair: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&pair, Int32(O_CLOEXEC)) }
    (ends[place], ends[place + 1]) = (pair[0], pair[1])
  }
  let pipes = ends.map { Descriptor(owning: $0) }
  let nothing = try Descriptor.open("/dev/null", O_RDONLY)
  let process = try spawn(
    words, descriptors: [(0, nothing.number), (1, pipes[1].number), (2, pipes[3].number)], newGroup: true)
  pipes[1].close()
  pipes[3].close()
  let deadline = Clocks.monotonicMicroseconds() + seconds * 1_000_000
  var said: [[UInt8]] = [[], []]
  var open = [true, true]
  while open.contains(true) {
    var waits = [0, 1].map {
      pollfd(fd: open[$0] ? pipes[2 * $0].number : -1, events: Int16(POLLIN), revents: 0)
    }
    let left = deadline - Clocks.monotonicMicroseconds()
    if left <= 0 {
      kill(-process, SIGKILL)
      break
    }
    _ = poll(&waits, 2, Int32(clamping: left / 1000 + 1))
    for place in [0, 1] where waits[place].revents != 0 {
      guard let more = try? pipes[2 * place].read(65_536), !more.isEmpty else {
        open[place] = false
        continue
      }
      // More than a megabyte is not what any of them says.
      if said[place].count < 1 << 20 { said[place] += more }
    }
  }
  var status: Int32 = 0
  try check("cannot wait for “\(clean(words[0]))”") { waitpid(process, &status, 0) }
  return ToolResult(
    status: ExitStatus(waitStatus: status), output: String(decoding: said[0], as: UTF8.self),
    complaints: String(decoding: said[1], as: UTF8.self))
}
