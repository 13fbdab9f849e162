import Glibc
import Platform
import Wire

/// A file that `alarm install` puts somewhere.
struct Placed {
  let path: String
  let bytes: [UInt8]
  /// Where `make install` puts the same below its prefix's `share`; nil where it does not.
  let shared: String?
  /// Less what the person's umask takes.
  var mode: mode_t = 0o644

  /// All of them. `unitFolder`: where the user's systemd reads units, nil where none runs.
  static func all(_ paths: Paths, environment: [String: String], manager: UserManager?) -> [Placed] {
    let program = paths.executable
    var files: [Placed] = []
    func place(_ path: String, _ text: String, shared: String? = nil) {
      files.append(Placed(path: path, bytes: Array(text.utf8), shared: shared))
    }
    if let manager {
      let folder = manager.unitFolder(paths)
      place("\(folder)/\(EngineUnit.socket)", UnitFiles.socket())
      place(
        "\(folder)/\(EngineUnit.service)",
        UnitFiles.service(program: program, variables: manager.variables(paths)))
    } else {
      place(
        "\(paths.configurationHome)/autostart/reveille.desktop", DesktopFiles.autostart(program: program))
    }
    let data = paths.dataHome
    place(
      "\(data)/applications/reveille.desktop", DesktopFiles.entry(program: program),
      shared: "applications/reveille.desktop")
    let icon = "icons/hicolor/scalable/apps/reveille.svg"
    files.append(Placed(path: "\(data)/\(icon)", bytes: DesktopFiles.icon, shared: icon))
    place("\(data)/man/man1/alarm.1", ManPage.text(), shared: "man/man1/alarm.1")
    let bash = environment["BASH_COMPLETION_USER_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    place(
      "\(bash ?? data + "/bash-completion")/completions/alarm", CompletionScript.bash.text,
      shared: "bash-completion/completions/alarm")
    place(
      "\(data)/zsh/site-functions/_alarm", CompletionScript.zsh.text, shared: "zsh/site-functions/_alarm")
    place(
      "\(data)/fish/vendor_completions.d/alarm.fish", CompletionScript.fish.text,
      shared: "fish/vendor_completions.d/alarm.fish")
    return files
  }
}
