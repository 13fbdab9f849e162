import Engine
import Platform
import Wire

/// The units of the user's systemd (systemd.unit(5), systemd.service(5), systemd.socket(5)).
enum UnitFiles {
  static func socket() -> String {
    """
    [Unit]
    Description=Socket of the Reveille alarm clock
    Documentation=man:alarm(1)

    [Socket]
    ListenStream=%t/reveille/engine.sock
    SocketMode=0600
    DirectoryMode=0700
    RemoveOnStop=yes
    # Where an engine started by hand has the data, ours ends at once: after a few attempts the place is left to it.
    TriggerLimitIntervalSec=20s
    TriggerLimitBurst=10

    [Install]
    WantedBy=sockets.target

    """
  }

  /// `variables` are put into the engine's environment, for what the manager does not know: where data and settings lie.
  static func service(program: String, variables: [(String, String)]) -> String {
    let environment = variables.map { "Environment=\(quoted("\($0.0)=\($0.1)"))\n" }.joined()
    return """
      [Unit]
      Description=Reveille alarm clock
      Documentation=man:alarm(1)
      Requires=\(EngineUnit.socket)
      After=\(EngineUnit.socket) dbus.socket pipewire.socket pipewire-pulse.socket pulseaudio.socket
      # An alarm clock is started again however often it fails.
      StartLimitIntervalSec=0

      [Service]
      Type=notify
      ExecStart=\(command(program)) engine run
      \(environment)WatchdogSec=20s
      Restart=on-failure
      RestartSec=500ms
      # Another engine, started by hand, has the data.
      RestartPreventExitStatus=\(EngineProcess.anotherRuns)
      TimeoutStopSec=10s
      # A terminal or command that it started outlives it, and takes it along neither when memory is short.
      KillMode=process
      OOMPolicy=continue
      UMask=0077
      # No further sandbox: in a user's systemd each brings NoNewPrivileges= along, and with it a command of yours (--run,
      # --then) could not use sudo, nor the helper alarm-wake its capability. Who has neither:
      # “systemctl --user edit reveille.service”, and below [Service] NoNewPrivileges=yes, RestrictNamespaces=yes,
      # SystemCallArchitectures=native, LockPersonality=yes.

      [Install]
      WantedBy=default.target

      """
  }

  /// The beginning of a command line. systemd takes no program with a quote, a backslash or a control character in its
  /// path, but every such word behind another program, which env(1) is; there a `$` is looked for too.
  private static func command(_ program: String) -> String {
    let isPlain = program.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && !"\"'\\\u{7f}".unicodeScalars.contains($0)
    }
    if isPlain { return quoted(program) }
    return "/usr/bin/env "
      + quoted(program.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$"))
  }

  /// A word as systemd reads it: nothing in it is a quote, an escape, a specifier or the end of the line. (The first word
  /// of a command line and an assignment are searched for no `$`.)
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "%": result += "%%"
      case "\u{1}"..."\u{1f}", "\u{7f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\x" + (digits.count == 1 ? "0" : "") + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
