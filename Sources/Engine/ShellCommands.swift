import Glibc
import Platform

/// Lines for the shell that the engine runs: each in a process group of its own, without input, its output in the log.
final class ShellCommands {
  /// So many at once; more is a mistake that would take the machine with it.
  static let most = 64

  private let loop: EventLoop
  private let home: String
  private let output: CommandOutput
  private var running: [pid_t: ChildSource] = [:]

  init(_ loop: EventLoop, home: String, _ output: CommandOutput) {
    (self.loop, self.home, self.output) = (loop, home, output)
  }

  /// Ours without what is between us and systemd alone.
  static func environment() -> [String: String] {
    var result = currentEnvironment()
    for key in ServiceManager.variables + RingCommands.marks { result[key] = nil }
    return result
  }

  /// Starts it and does not wait. What becomes of it is logged with `what`, such as `the command of lease 3`.
  func run(_ line: String, _ what: String) {
    guard running.count < ShellCommands.most else {
      return Log.error("\(what) is not run: \(running.count) commands of this engine run already")
    }
    do {
      let input = try Descriptor.open("/dev/null", O_RDONLY)
      let says = try output.open(what)
      let process = try spawn(
        ["/bin/sh", "-c", line], environment: ShellCommands.environment(),
        descriptors: [(0, input.number), (1, says.number), (2, says.number)], newGroup: true,
        folder: access(home, X_OK) == 0 ? home : "/"
      )
      Log.info("\(what) runs as process \(process): \(line)")
      running[process] = try ChildSource(loop, process) { [weak self] status in
        self?.running[process] = nil
        switch status {
        case .exited(0): Log.info("\(what) has ended")
        case .exited(let code): Log.warning("\(what) ended with status \(code): \(line)")
        case .killed(let signal): Log.warning("\(what) was killed by signal \(signal): \(line)")
        }
      }
    } catch {
      Log.error("\(what) cannot be run: \(error)")
    }
  }
}
