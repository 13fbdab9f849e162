import Core
import Desktop
import Platform
import Wire

// What is done on the desktop.
extension AlarmEngine {
  func desktopTold(_ news: DesktopKeeper.News) {
    guard !isEnding else { return }
    switch news {
    case .chosen(let id, .open, let token): openScreen(on: id, token: token)
    case .chosen(let id, let choice, _): attempt { try self.tell(.chosen(id, choice, by: .desktop)) }
    case .zoneChanged: time.zoneMayBeAnother()
    }
  }

  /// What stands below the title of a notification.
  func words(_ notification: Notification) -> [String] {
    let now = now
    return notification.lines(in: now.zone, at: now.wall, because: shapes.why)
  }

  /// Where nothing sounds that could be heard, the desktop makes a sound for what rings.
  func tellDesktopOfSound() {
    guard !isEnding else { return }
    desktop.setHeard(book.ringing.isEmpty || outputStatus(sounds.status).audible)
  }

  /// Shows it on the screens that are open, else in a terminal of its own.
  private func openScreen(on id: OccurrenceID, token: String?) {
    if server.broadcastEvent("open", ["occurrence": .string(id.description)]) { return }
    openTerminal("occurrence \(id)", [paths.executable, "open", id.description], token: token)
  }

  /// The terminal that was named, or one that is installed.
  func terminal(in environment: [String: String]) -> TerminalCommand? {
    let template = settings.interface.terminal
    return template.isEmpty
      ? TerminalCommand.usual(environment: environment) : TerminalCommand(template: template)
  }

  /// Runs one of our commands in a terminal; `what` is what it shows, for the log.
  func openTerminal(_ what: String, _ command: [String], token: String? = nil) {
    let environment = ShellCommands.environment()
    guard ServiceManager.isListening, !TerminalCommand.hasDisplay(environment) else {
      return openTerminal(what, command, token, environment)
    }
    // systemd started the engine before there was a desktop, and has been told of the display since.
    workers.run("alarm-display") {
      (try? runTool(["systemctl", "--user", "show-environment"], within: 5))?.output ?? ""
    } then: { [weak self] shown in
      let display = ServiceManager.environment(shown: shown).filter {
        ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"].contains($0.key)
      }
      self?.openTerminal(what, command, token, environment.merging(display) { $1 })
    }
  }

  private func openTerminal(
    _ what: String, _ command: [String], _ token: String?, _ environment: [String: String]
  ) {
    guard let terminal = terminal(in: environment) else {
      return Log.warning(
        "\(what) cannot be opened: there is no terminal program to open it in; name one as ui.terminal in “\(paths.settingsFile)”"
      )
    }
    attempt {
      let child = try terminal.open(command, environment: environment, token: token)
      terminals[child] = try ChildSource(loop, child) { [weak self] status in
        self?.terminals[child] = nil
        if status != .exited(0) {
          Log.warning(
            "the terminal for \(what) ended with \(status.shellStatus); another one can be named as ui.terminal"
          )
        }
      }
    }
  }

  /// What the settings say of notifications and the player there.
  func useOnDesktop(_ settings: Settings) {
    desktop.showsInfo = settings.alarm.info == .body
    media.canRaise = terminal(in: currentEnvironment()) != nil
  }
}
