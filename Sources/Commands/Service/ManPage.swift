import Core

/// `alarm help man`: the page alarm(1), from the table of commands, the grammar of WHEN and the table of settings.
enum ManPage {
  static func text() -> String { lines().joined(separator: "\n") + "\n" }

  static func lines() -> [String] {
    var page = Roff()
    page.request("TH", "ALARM", "1", "", "Reveille \(CommandLineProgram.version)", "User Commands")
    page.request("SH", "NAME")
    page.text("alarm - an alarm clock and music player for the terminal")
    page.request("SH", "SYNOPSIS")
    page.entry("alarm", "opens the screen")
    page.entry("alarm COMMAND …", "does one thing")
    page.request("SH", "DESCRIPTION")
    page.text(
      "An engine in the background owns the alarms, the player and the sound device, and goes on when every terminal is closed. The screen and the commands only show and ask; whatever needs the engine starts it."
    )
    page.paragraph(
      "Options stand anywhere, as --name value or --name=value, and may be shortened as long as they stay unambiguous. A word of a sign and a digit (-10s, +25m) is a word; -- ends the options."
    )
    for group in Command.Group.allCases {
      page.request("SH", "COMMANDS: \(group.rawValue.uppercased())")
      for command in Command.all where command.group == group { add(command, to: &page) }
    }
    page.request("SH", "TIMES")
    page.block(HelpWhen.grammar)
    for section in HelpWhen.sections {
      page.request("SS", section.title)
      for example in section.examples { page.entry(example.line, example.does) }
    }
    page.request("SH", "SETTINGS")
    page.text(
      "Settings are read from config.json5 (see FILES), as JSON5 whose keys nest, and again when it changes. What is left out keeps its default; a wrong value is reported by “alarm status”."
    )
    for setting in Setting.all {
      let standard = setting.defaultText.isEmpty ? "" : "; default: \(setting.defaultText)"
      page.entry(setting.key, "\(setting.doc)\(standard). Takes \(setting.allowed).")
    }
    addFiles(to: &page)
    return page.lines
  }

  private static func add(_ command: Command, to page: inout Roff) {
    page.request("SS", "alarm \(command.name)")
    page.block(command.forms.map { "alarm \(command.name)\($0.isEmpty ? "" : " " + $0)" })
    page.paragraph(HelpText.sentence(command.summary))
    for paragraph in command.about { page.paragraph(paragraph) }
    for option in command.allOptions {
      page.entry(option.shown, option.does + (option.repeats ? "; again and again" : ""))
    }
    guard !command.examples.isEmpty else { return }
    page.paragraph("Examples:")
    for example in command.examples { page.entry(example.line, example.does) }
  }

  private static func addFiles(to page: inout Roff) {
    page.request("SH", "FILES")
    page.entry("$XDG_CONFIG_HOME/reveille/config.json5", "settings; ~/.config where the variable is not set")
    page.entry(
      "$XDG_DATA_HOME/reveille/",
      "alarms (reveille.db), sounds of your own (sounds) and the engine's log; ~/.local/share where the variable is not set"
    )
    page.entry(
      "$XDG_RUNTIME_DIR/reveille/engine.sock", "the engine's socket, one JSON object a line (JSON-RPC 2.0)")
    page.request("SH", "EXIT STATUS")
    page.entry("0", "it was done")
    page.entry("1", "it could not be done")
    page.entry("2", "the words were wrong")
    page.request("SH", "ENVIRONMENT")
    page.entry("NO_COLOR", "where it is set and not empty, nothing is coloured")
    page.entry("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_RUNTIME_DIR", "where things lie")
    page.entry(
      "DBUS_SESSION_BUS_ADDRESS, DBUS_SYSTEM_BUS_ADDRESS",
      "the buses; a missing one takes nothing away but what needs it")
    page.request("SH", "SEE ALSO")
    page.text("at(1), playerctl(1), systemctl(1), loginctl(1)")
  }
}
