import Core
import Platform
import Screen

/// `alarm help config`: every setting with its default, from Core's table.
enum HelpConfig {
  static func lines(_ paths: Paths) -> [String] {
    var lines = ["Settings are read from", "  \(clean(paths.settingsFile))"]
    lines += Columns.wrap(
      "and read again when it changes. What is left out keeps its default; a wrong value, or a name of what is not there, is reported by “alarm status”.",
      to: HelpText.width)
    lines += ["", "  { // JSON5: keys nest, spans are written as people write them"]
    lines += [
      "    alarm: { sound: \"dawn\", fade: \"30s\" },", "    keepAlive: { when: \"always\" },", "  }", "",
    ]
    let size = Setting.all.map { $0.key.count }.max() ?? 0
    for setting in Setting.all {
      let standard = setting.defaultText.isEmpty ? "" : "; default: \(setting.defaultText)"
      lines += HelpText.entry(setting.key, setting.doc + standard, size)
      // Where the doc does not say so already: what may stand there.
      lines += Columns.wrap("Takes \(setting.allowed).", to: HelpText.width, indent: size + 4)
    }
    return lines + keys
  }

  /// Every action of the screen, by the name `ui.keys` knows it by, with its usual keys.
  private static var keys: [String] {
    let rows = KeyTable.standard.bindings
    let size = rows.map { $0.action.rawValue.count }.max() ?? 0
    let intro =
      "ui.keys: \(KeyTable.keyNames). These are the names of what keys do, and their usual keys; they do nothing while text is typed or an alarm rings."
    return ["", "Keys of the screen"] + Columns.wrap(intro, to: HelpText.width, indent: 2)
      + rows.flatMap { row in
        HelpText.entry(
          row.action.rawValue, "\(row.action.does): \(row.keys.map(\.name).joined(separator: " "))", size)
      }
  }
}
