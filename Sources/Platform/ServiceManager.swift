import CLinux
import CSystemd
import Glibc

/// What a service manager hands to a process it started, and is told by it (sd-daemon(3)). Everything here does nothing
/// where no service manager started this process. Used on the thread that runs the loop.
public enum ServiceManager {
  /// True where whoever started this process waits to be told about it (`NOTIFY_SOCKET`).
  public static var isListening: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// What lies between a service manager and the process that it started; no child is to have it.
  public static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
  ]

  /// A listening socket that was handed over.
  public struct HandedOver: Sendable {
    public let socket: Descriptor
    /// Where its file was made.
    public let path: String
  }

  /// The first listening stream socket with a path that was handed over; nil where there is none. To be asked once: the
  /// descriptor is the caller's from then on. `sd_listen_fds`, `sd_is_socket_unix`.
  public static func takeSocket() -> HandedOver? {
    let count = sd_listen_fds(0)
    guard count > 0 else { return nil }
    for number in SD_LISTEN_FDS_START..<SD_LISTEN_FDS_START + count
    where sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 {
      if let path = UnixSocket.path(ofSocket: number), reveille_set_nonblocking(number) >= 0 {
        return HandedOver(socket: Descriptor(owning: number), path: path)
      }
    }
    return nil
  }

  /// What `systemctl --user show-environment` prints: the environment of a user's services as it is now. A value that it
  /// had to quote (`$'…'`) is left out.
  public static func environment(shown text: String) -> [String: String] {
    var result: [String: String] = [:]
    for line in text.split(separator: "\n") {
      if let equals = line.firstIndex(of: "="), !line[equals...].hasPrefix("=$'") {
        result[String(line[..<equals])] = String(line[line.index(after: equals)...])
      }
    }
    return result
  }

  /// Tells something, such as `STOPPING=1`; a line a thing. `sd_notify`.
  public static func tell(_ state: String) { sd_notify(0, state) }

  /// Shows a line about how things stand beside the service's name. `sd_notify` with `STATUS=`.
  public static func show(_ line: String) { sd_notify(0, "STATUS=" + clean(line)) }
}
