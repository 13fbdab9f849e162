import CLinux
import Glibc
import Platform

/// A user's systemd of one's own: the real `systemd --user`, with only its basic targets beside the units of a world.
///
/// It runs in a mount namespace with a `/run` of its own, because it believes that the machine was booted by systemd only
/// where `/run/systemd/system` is there. Needs root. Any thread, one at a time; it is stopped with all its services when it
/// goes.
public final class UserSystemd {
  public static let program = "/lib/systemd/systemd"
  /// Only root can make a namespace for it everywhere.
  public static var canRun: Bool {
    getuid() == 0 && access(program, X_OK) == 0 && access("/usr/bin/nsenter", X_OK) == 0
  }

  private let environment: [String: String]
  private var process: pid_t = 0

  /// `environment`: what it and its services are to have, `XDG_RUNTIME_DIR` among it. Its basic targets are kept in `folder`.
  public init(_ environment: [String: String], folder: TemporaryFolder) throws {
    let units = folder.path + "/systemd-units"
    mkdir(units, 0o700)
    for name in [
      "default.target", "basic.target", "sockets.target", "timers.target", "paths.target", "shutdown.target",
      "exit.target",
      "systemd-exit.service", "app.slice",
    ] {
      symlink("/usr/lib/systemd/user/\(name)", "\(units)/\(name)")
    }
    var own = environment
    let configuration = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
    own["SYSTEMD_UNIT_PATH"] = "\(configuration)/systemd/user:\(units)"
    self.environment = own
    let nothing = try Descriptor.open("/dev/null", O_WRONLY)
    let script =
      "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec \(UserSystemd.program) --user"
    process = try spawn(
      ["unshare", "-m", "--propagation", "private", "sh", "-c", script], environment: own,
      descriptors: [(1, nothing.number), (2, nothing.number)], newGroup: true)
    do {
      try wait(until: "systemd to run", every: .milliseconds(50)) {
        try self.run("systemctl", "--user", "is-active", "default.target").succeeded
      }
    } catch {
      stop()
      throw error
    }
  }

  deinit { stop() }

  /// Runs a program where systemd is seen.
  public func run(_ words: String...) throws -> Finished { try run(words) }

  public func run(_ words: [String], input: String = "") throws -> Finished {
    try Harness.run(
      ["nsenter", "-t", "\(process)", "-m", "--"] + words, input: Array(input.utf8), environment: environment)
  }

  /// A property of a unit.
  public func property(_ name: String, of unit: String) throws -> String {
    let shown = try run("systemctl", "--user", "show", "--property=\(name)", "--value", unit)
    return shown.text.split(separator: "\n").first.map(String.init) ?? ""
  }

  public func stop() {
    guard process > 0 else { return }
    // Ends all units in order first (systemd(1), SIGRTMIN+24).
    kill(process, __libc_current_sigrtmin() + 24)
    for _ in 0..<500 {
      if waitpid(process, nil, WNOHANG) != 0 {
        process = 0
        return
      }
      usleep(20_000)
    }
    kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
    process = 0
  }
}
