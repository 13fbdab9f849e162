import Glibc
import Platform
import Wire

/// The user's systemd, asked through `systemctl --user`.
struct UserManager {
  typealias Run = ([String]) throws(SystemError) -> ToolResult

  private let run: Run
  /// The environment that it gives to services.
  private let environment: [String: String]

  /// nil where none runs.
  init?(_ run: @escaping Run) {
    self.run = run
    guard let answer = try? run(["systemctl", "--user", "show-environment"]), answer.succeeded else {
      return nil
    }
    environment = ServiceManager.environment(shown: answer.output)
  }

  /// Where it reads units: by its own environment, which need not be that of a shell.
  func unitFolder(_ paths: Paths) -> String {
    configuration(paths) + "/systemd/user"
  }

  private func configuration(_ paths: Paths) -> String {
    environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? paths.home + "/.config"
  }

  /// What the engine must be told to find the same data and settings as the shell in which it was installed.
  func variables(_ paths: Paths) -> [(String, String)] {
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? paths.home + "/.local/share"
    var result: [(String, String)] = []
    if configuration(paths) != paths.configurationHome {
      result.append(("XDG_CONFIG_HOME", paths.configurationHome))
    }
    if data != paths.dataHome { result.append(("XDG_DATA_HOME", paths.dataHome)) }
    return result
  }

  /// Its timers may wake the machine (`WakeSystem=`, from version 254 on), and those of its services too.
  var wakesMachine: Bool {
    let answer = try? run(["systemctl", "--user", "show", "--property=Version", "--value"])
    let digits = (answer?.output ?? "").drop { !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
    return Int(digits).map { $0 >= 254 } ?? false
  }

  var serviceIsActive: Bool {
    (try? run(["systemctl", "--user", "is-active", "--quiet", EngineUnit.service]))?.succeeded ?? false
  }

  /// Runs `systemctl --user` with these words; what stands in the way as the rest of a sentence, nil where nothing does.
  func trouble(_ words: String...) -> String? {
    do throws(SystemError) {
      let result = try run(["systemctl", "--user"] + words)
      return result.succeeded ? nil : result.reason
    } catch {
      return "\(error)"
    }
  }
}
