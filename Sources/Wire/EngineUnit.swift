import Glibc
import Platform

/// The unit by which a user's systemd starts the engine, where `alarm install` has written it.
public enum EngineUnit {
  public static let service = "reveille.service"
  public static let socket = "reveille.socket"

  public static func isInstalled(_ paths: Paths) -> Bool {
    paths.unitFolders.contains { access("\($0)/\(service)", F_OK) == 0 }
  }

  /// Starts it with its socket and waits until it is ready; false where it could not be started.
  static func start() -> Bool {
    (try? runTool(["systemctl", "--user", "start", service]))?.status == .exited(0)
  }

  /// What a user's systemd has beside the engine's runtime folder while it runs.
  static func managerFolder(of socket: String) -> String {
    socket.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/systemd"
  }
}
