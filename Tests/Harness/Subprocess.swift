import CLinux
import Glibc
import Platform

/// What a process left behind.
public struct Finished: Sendable {
  public let status: ExitStatus
  public let output: [UInt8]
  public let complaints: [UInt8]

  /// Standard output as text, odd bytes repaired.
  public var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text, odd bytes repaired.
  public var complaint: String { String(decoding: complaints, as: UTF8.self) }
  public var succeeded: Bool { status == .exited(0) }
}

/// A process that did not do what a test needs of it.
public struct RunError: Error, CustomStringConvertible, Sendable {
  public let description: String
  public init(description: String) { self.description = description }
}

/// Runs a program to its end and collects what it writes.
///
/// `words` are the program (found in PATH) and its arguments; `input` is its standard input, empty unless given;
/// `environment` replaces ours. What still runs or holds the pipes at the deadline is killed together with its
/// process group, and that throws. Blocks; any thread may call it.
public func run(
  _ words: [String], input: [UInt8] = [], environment: [String: String]? = nil,
  within deadline: Duration = .seconds(60)
) throws -> Finished {
  let (outputEnd, outputStart) = try makePipe()
  let (complaintEnd, complaintStart) = try makePipe()
  // A file, not a pipe: a program that does not read its input costs neither a deadlock nor a SIGPIPE.
  let inputFile = try anonymousFile(holding: input)
  let process = try spawn(
    words, environment: environment,
    descriptors: [(0, inputFile.number), (1, outputStart.number), (2, complaintStart.number)], newGroup: true)
  outputStart.close()
  complaintStart.close()

  let end = ContinuousClock.now + deadline
  var output = Collector(outputEnd)
  var complaints = Collector(complaintEnd)
  while !output.isDone || !complaints.isDone {
    let left = (end - ContinuousClock.now) / .milliseconds(1)
    var waits = [output, complaints].map {
      pollfd(fd: $0.isDone ? -1 : $0.descriptor.number, events: Int16(POLLIN), revents: 0)
    }
    let ready = left > 0 ? poll(&waits, nfds_t(waits.count), Int32(min(left, 60_000)) + 1) : 0
    if ready == 0, ContinuousClock.now >= end {
      kill(-process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw RunError(
        description: "“\(words.joined(separator: " "))” was not done within \(deadline); "
          + "it wrote “\(String(decoding: output.bytes + complaints.bytes, as: UTF8.self))”")
    }
    if waits[0].revents != 0 { try output.take() }
    if waits[1].revents != 0 { try complaints.take() }
  }
  var status: Int32 = 0
  try check("cannot wait for “\(words[0])”") { waitpid(process, &status, 0) }
  return Finished(status: ExitStatus(waitStatus: status), output: output.bytes, complaints: complaints.bytes)
}

/// Runs a program that must succeed; what it wrote to standard output.
@discardableResult
public func runOrThrow(
  _ words: [String], input: [UInt8] = [], environment: [String: String]? = nil,
  within deadline: Duration = .seconds(60)
) throws -> [UInt8] {
  let finished = try run(words, input: input, environment: environment, within: deadline)
  guard finished.succeeded else {
    throw RunError(
      description: "“\(words.joined(separator: " "))” ended with \(finished.status): \(finished.complaint)")
  }
  return finished.output
}

/// The reading end of a pipe and what came out of it so far.
private struct Collector {
  let descriptor: Descriptor
  var bytes: [UInt8] = []
  var isDone = false

  init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  mutating func take() throws {
    guard let more = try descriptor.read(65_536) else { return }
    if more.isEmpty { isDone = true } else { bytes += more }
  }
}

/// pipe2(2) with O_CLOEXEC: the reading end, the writing end.
private func makePipe() throws(SystemError) -> (Descriptor, Descriptor) {
  var ends: [Int32] = [-1, -1]
  try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
  return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
}

/// A file without a name that holds `bytes`, at its beginning.
private func anonymousFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
  if bytes.isEmpty { return try Descriptor.open("/dev/null", O_RDONLY) }
  let folder = try TemporaryFolder()
  let path = folder.path + "/input"
  let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL)
  try file.writeAll(bytes)
  try check("cannot go back to the start of “\(path)”") { lseek(file.number, 0, SEEK_SET) }
  return file
}
