/// What a desktop reads (freedesktop.org, Desktop Entry Specification).
enum DesktopFiles {
  /// The entry in its menus, with the program named by its whole path: a desktop's PATH need not be a shell's.
  static func entry(program: String) -> String {
    let text = String(decoding: PackageResources.reveille_desktop, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line == "Exec=alarm" ? "Exec=\(quoted(program))" : String(line)
    }.joined(separator: "\n")
  }

  static var icon: [UInt8] { PackageResources.reveille_svg }

  /// Starts the engine when a desktop's session begins, where no systemd does it.
  static func autostart(program: String) -> String {
    """
    [Desktop Entry]
    Type=Application
    Name=Reveille
    Comment=Starts the engine of the alarm clock
    Exec=\(quoted(program)) engine start
    Icon=reveille
    Terminal=false
    NoDisplay=true

    """
  }

  /// A word of `Exec=`: quoted by its own rule, then escaped as every string of an entry, with no field code in it.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\\\\\"
      case "\"", "`", "$": result += "\\\\" + String(scalar)
      case "%": result += "%%"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
