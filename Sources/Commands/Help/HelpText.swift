/// The help, made from the table of commands.
enum HelpText {
  static let width = 80

  /// Topics of `alarm help` that are no commands.
  static let topics: [(name: String, summary: String)] = [
    ("when", "how times, days and dates are written"), ("config", "the settings and their defaults"),
    ("sounds", "the sounds an alarm can play by name"), ("man", "all of it, as a page for man(1)"),
  ]

  /// `alarm help`: all commands, a line each.
  static func overview() -> [String] {
    var lines = [
      "alarm: an alarm clock and music player for the terminal", "",
      "  alarm              opens the screen", "  alarm COMMAND …    does one thing", "",
    ]
    for group in Command.Group.allCases {
      lines.append(group.rawValue)
      for command in Command.all where command.group == group {
        lines += entry(command.name, command.summary, 12)
      }
      lines.append("")
    }
    lines.append("More help")
    lines += entry("alarm help COMMAND", "all about a command, like “alarm COMMAND --help”", 20)
    for topic in topics { lines += entry("alarm help \(topic.name)", topic.summary, 20) }
    lines += entry("alarm --version", "the version", 20)
    return lines
  }

  /// Everything about one command.
  static func lines(_ command: Command) -> [String] {
    var lines: [String] = []
    for (index, form) in command.forms.enumerated() {
      let start = index == 0 ? "usage: alarm " : "       alarm "
      lines.append(start + command.name + (form.isEmpty ? "" : " " + form))
    }
    lines.append("")
    lines += Columns.wrap(sentence(command.summary), to: width)
    for paragraph in command.about { lines += [""] + Columns.wrap(paragraph, to: width) }
    lines += ["", "Options"]
    let size = min(command.allOptions.map { $0.shown.count }.max() ?? 0, 26)
    for option in command.allOptions {
      lines += entry(option.shown, option.does + (option.repeats ? "; again and again" : ""), size)
    }
    if !command.examples.isEmpty {
      lines += ["", "Examples"]
      let size = min(command.examples.map { $0.line.count }.max() ?? 0, 40)
      for example in command.examples { lines += entry(example.line, example.does, size) }
    }
    return lines
  }

  /// `  name  what it does`, the second part wrapped beside the first, or below where the name is too long.
  static func entry(_ name: String, _ text: String, _ size: Int) -> [String] {
    let indent = size + 4
    let wrapped = Columns.wrap(text, to: width, indent: indent)
    guard Columns.width(name) <= size else { return ["  " + name] + wrapped }
    let first = "  " + Columns.padded(name, to: size + 2)
    return [first + (wrapped.first.map { String($0.dropFirst(indent)) } ?? "")] + wrapped.dropFirst()
  }

  /// A summary as a sentence: `Adds an alarm.`
  static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}
