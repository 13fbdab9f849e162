import Core
import Engine
import Platform
import Screen
import Wire

/// What the settings say of the screen, in its own words.
enum ScreenSettings {
  /// The settings that a screen which opens now goes by: the file's, or, where anything in it is wrong, those from before,
  /// which the engine holds. Blocks on the disk, and on the engine for some seconds at most.
  static func inForce(_ paths: Paths) -> Settings {
    // What is wrong in the file the engine tells.
    var (settings, troubles) = SettingsFile.read(paths, judge: problems)
    // One that is yet to be started reads the same file, and has none from before.
    if !troubles.isEmpty, let engine = try? Connect.toRunningEngine(paths),
      let reply = try? engine.call("settings", as: SettingsReply.self, waitingAtMost: 5)
    {
      take(reply, into: &settings)
    }
    return settings
  }

  private static func take(_ reply: SettingsReply, into settings: inout Settings) {
    typealias Interface = Settings.Interface
    settings.interface.clock = Interface.Clock(rawValue: reply.clock) ?? .twentyFour
    settings.interface.theme = Interface.Theme(rawValue: reply.theme) ?? .default
    settings.interface.mouse = reply.mouse
    settings.interface.meter = Interface.Meter(rawValue: reply.meter) ?? .auto
    settings.interface.keys = reply.keys.map { Interface.Keys($0.action, $0.keys) }
    settings.player.music = reply.music
  }

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
