import Glibc
import Platform

/// Whether the user's systemd, and the engine with it, goes on after logout (loginctl(1)).
struct Lingering {
  let run: UserManager.Run
  private let user: String

  /// nil where the user has no name.
  init?(_ run: @escaping UserManager.Run) {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return nil }
    (self.run, user) = (run, String(cString: name))
  }

  var isOn: Bool {
    let answer = try? run(["loginctl", "show-user", user, "--property=Linger", "--value"])
    return answer.map { $0.succeeded && $0.output.split(separator: "\n").first == "yes" } ?? false
  }

  /// What stands in the way of switching it, as the rest of a sentence; nil where it is done.
  func set(_ isOn: Bool) -> String? {
    do throws(SystemError) {
      let result = try run(["loginctl", isOn ? "enable-linger" : "disable-linger", user])
      return result.succeeded ? nil : result.reason
    } catch {
      return "\(error)"
    }
  }
}
