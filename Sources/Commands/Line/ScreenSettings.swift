import Core
import Screen

/// What the settings say of the screen, in its own words.
enum ScreenSettings {
  static func options(_ settings: Settings) -> TerminalScreen.Options {
    var options = TerminalScreen.Options()
    options.clock = settings.interface.clock == .twelve ? .hours12 : .hours24
    options.theme = Theme(rawValue: settings.interface.theme.rawValue) ?? .default
    options.usesMouse = settings.interface.mouse
    options.meter = MeterChoice(rawValue: settings.interface.meter.rawValue) ?? .auto
    options.music = settings.player.music.isEmpty ? nil : settings.player.music
    options.keys = keys(settings).table
    return options
  }

  /// What is wrong with them, told by the engine like everything that is wrong in the file.
  static func problems(_ settings: Settings) -> [String] { keys(settings).problems }

  private static func keys(_ settings: Settings) -> (table: KeyTable, problems: [String]) {
    KeyTable.standard.changed(settings.interface.keys.map { ($0.action, $0.keys) })
  }
}
