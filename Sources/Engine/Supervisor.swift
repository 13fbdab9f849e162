import CLinux
import Glibc
import Platform
import Wire

/// The tiny parent: it does nothing but start the engine and start it again when it dies.
///
/// It opens no socket, no lock and no device, so that nothing but its own code can end it. Where it is killed, the
/// engine goes on alone.
enum Supervisor {
  static let firstPause: Int64 = 200_000
  static let longestPause: Int64 = 30_000_000
  /// After running so long the engine counts as healthy and the pause begins small again.
  static let healthyAfter: Int64 = 60_000_000

  /// Runs until the engine ends in order, or refuses to start; the exit status. `ready` is the descriptor that is handed
  /// to the first engine for telling that it listens.
  static func run(_ paths: Paths, ready: Int32?) -> Int32 {
    // Whoever started it may have been a service itself, whose manager is not ours.
    for name in ServiceManager.variables { unsetenv(name) }
    let watched = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]
    blockSignals(watched)
    var set = sigset_t()
    sigemptyset(&set)
    for number in watched { sigaddset(&set, number) }

    var pause = firstPause
    var handOver = ready
    var first = true
    while true {
      let began = Clocks.monotonicMicroseconds()
      let child: pid_t
      do {
        child = try startEngine(paths, ready: handOver, again: !first)
      } catch {
        Log.error("the engine cannot be started: \(error)")
        return 1
      }
      if let descriptor = handOver { close(descriptor) }
      handOver = nil

      let (status, asked) = waitForChild(child, &set)
      let lived = Clocks.monotonicMicroseconds() - began
      if status == .exited(0) || asked { return status.shellStatus }
      // Refused at the first start, or because another engine has taken over: that one is the engine now.
      let another = status == .exited(EngineProcess.anotherRuns)
      if another || status == .exited(1) && (first || EngineLock.isHeld(paths)) { return 1 }
      first = false
      if lived >= healthyAfter { pause = firstPause }
      let cause =
        switch status {
        case .exited(let code): "ended with status \(code)"
        case .killed(let signal): "was killed by signal \(signal)"
        }
      Log.warning("the engine (process \(child)) \(cause); starting it again in \(Double(pause) / 1e6) s")
      if sleepUnlessAsked(pause, &set) { return 0 }
      // A command that came meanwhile has started another one, with a parent of its own.
      if anotherHasTakenOver(paths) { return 1 }
      pause = min(pause * 2, longestPause)
    }
  }

  /// Somebody may only be looking at the lock (`EngineLock.isHeld`), so it is believed when it lasts.
  private static func anotherHasTakenOver(_ paths: Paths) -> Bool {
    for _ in 0..<5 {
      if !EngineLock.isHeld(paths) { return false }
      usleep(10_000)
    }
    return true
  }

  private static func startEngine(_ paths: Paths, ready: Int32?, again: Bool) throws(SystemError) -> pid_t {
    let words = [paths.executable, "engine", "run"] + (again ? ["--again"] : [])
    guard let ready else { return try spawn(words) }
    return try spawn(words + ["--ready"], descriptors: [(Connect.readyDescriptor, ready)])
  }

  /// Waits until the child has ended, handing on what asks for the end; whether anything did.
  private static func waitForChild(_ child: pid_t, _ set: inout sigset_t) -> (ExitStatus, asked: Bool) {
    var asked = false
    while true {
      var status: Int32 = 0
      let result = waitpid(child, &status, WNOHANG)
      if result == child { return (ExitStatus(waitStatus: status), asked) }
      if result < 0, errno == ECHILD { return (.exited(0), asked) }
      var info = siginfo_t()
      let signal = sigwaitinfo(&set, &info)
      if signal == SIGTERM || signal == SIGINT {
        asked = true
        kill(child, SIGTERM)
      }
    }
  }

  /// True when the end was asked for meanwhile.
  private static func sleepUnlessAsked(_ microseconds: Int64, _ set: inout sigset_t) -> Bool {
    let end = Clocks.monotonicMicroseconds() + microseconds
    while true {
      let left = end - Clocks.monotonicMicroseconds()
      if left <= 0 { return false }
      var time = timespec(tv_sec: Int(left / 1_000_000), tv_nsec: Int(left % 1_000_000 * 1000))
      var info = siginfo_t()
      let signal = sigtimedwait(&set, &info, &time)
      if signal == SIGTERM || signal == SIGINT { return true }
    }
  }
}
