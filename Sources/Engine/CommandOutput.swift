import CLinux
import Glibc
import Platform

/// What commands say, brought into the engine's log line by line.
///
/// The log lies on the disk on which the alarms lie, and a command may talk without end: so much of each is kept as a
/// person reads, and behind that its pipe is only emptied, at a pace that costs nothing. On the loop's thread.
final class CommandOutput {
  /// Bytes by which one command may lengthen the log.
  static let most = 32 << 10
  private static let longestLine = 1000
  /// What stands before a line in the log, about.
  private static let margin = 64
  /// Bytes read at once, and how long (µs) a pipe of which nothing more is kept rests after them.
  private static let portion = 16 << 10
  private static let rest: Int64 = 200_000

  private final class Pipe {
    let name: String
    let end: Descriptor
    var source: DescriptorSource?
    var timer: TimerSource?
    /// A line that has not come to its end.
    var line: [UInt8] = []
    var kept = 0
    init(_ name: String, _ end: Descriptor) { (self.name, self.end) = (name, end) }
  }

  private let loop: EventLoop
  private var pipes: [Int32: Pipe] = [:]

  init(_ loop: EventLoop) { self.loop = loop }

  /// The end to write to, for the command's descriptors 1 and 2; closed by the caller once the command has it. `name`
  /// begins each line, such as `alarm 3: its command`.
  func open(_ name: String) throws(SystemError) -> Descriptor {
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, Int32(O_CLOEXEC)) }
    let pipe = Pipe(name, Descriptor(owning: ends[0]))
    let theirs = Descriptor(owning: ends[1])
    let number = ends[0]
    try check("cannot make a pipe") { reveille_set_nonblocking(number) }
    pipe.source = try DescriptorSource(loop, number, .reading) { [weak self] _ in self?.read(number) }
    pipe.source?.setPriority(.low)
    pipe.timer = try TimerSource(loop, .monotonic, accuracy: 50_000) { [weak self] in
      self?.pipes[number]?.source?.setInterest(.reading)
    }
    pipes[number] = pipe
    return theirs
  }

  /// The engine ends, and commands that go on must not be ended by a pipe that nobody reads any more.
  func end() {
    for pipe in pipes.values {
      finishLine(pipe)
      pipe.source?.cancel()
      guard let nothing = try? Descriptor.open("/dev/null", O_WRONLY) else { continue }
      _ = try? spawn(
        ["cat"], descriptors: [(0, pipe.end.number), (1, nothing.number), (2, nothing.number)],
        newSession: true, folder: "/")
    }
    pipes = [:]
  }

  private func read(_ number: Int32) {
    guard let pipe = pipes[number] else { return }
    let bytes: [UInt8]
    do {
      guard let got = try pipe.end.read(CommandOutput.portion) else { return }
      bytes = got
    } catch {
      // As good as the end.
      bytes = []
    }
    guard !bytes.isEmpty else {
      finishLine(pipe)
      pipe.source?.cancel()
      pipes[number] = nil
      return
    }
    guard pipe.kept < CommandOutput.most else {
      // Where everybody has hung up it is read to its end at once.
      pipe.source?.setInterest([])
      pipe.timer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + CommandOutput.rest)
      return
    }
    for byte in bytes where pipe.kept < CommandOutput.most {
      if byte == 10 || byte == 13 { finishLine(pipe) } else { pipe.line.append(byte) }
      if pipe.line.count >= CommandOutput.longestLine { finishLine(pipe) }
    }
    guard pipe.kept >= CommandOutput.most else { return }
    Log.warning("\(pipe.name) said \(CommandOutput.most >> 10) KB; the rest is not kept")
  }

  private func finishLine(_ pipe: Pipe) {
    guard !pipe.line.isEmpty else { return }
    Log.info("\(pipe.name) says: \(String(decoding: pipe.line, as: UTF8.self))")
    pipe.kept += pipe.line.count + CommandOutput.margin
    pipe.line = []
  }
}
