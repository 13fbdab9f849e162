import Audio
import Core
import Glibc
import Platform
import Wire

/// Sentences about what is wrong with settings. Any thread.
public typealias SettingsJudge = @Sendable (Settings) -> [String]

/// The settings file, read. Any thread; it blocks on the disk.
public enum SettingsFile {
  /// No settings are larger than this, in bytes.
  private static let limit = 1 << 20

  /// The settings, and a sentence for each thing that is wrong in the file. A file that is not there, is empty or holds
  /// white space alone is all defaults.
  ///
  /// `judge` says what else is wrong with settings that can be read, by what only others know.
  public static func read(_ paths: Paths, judge: SettingsJudge = { _ in [] }) -> (Settings, [String]) {
    let path = clean(paths.settingsFile)
    var status = stat()
    if stat(paths.settingsFile, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      // What it holds at this moment is nobody's settings.
      return (Settings(), ["the settings cannot be read: “\(path)” is a pipe; put a file in its place"])
    }
    let bytes: [UInt8]
    do {
      bytes = try readFile(paths.settingsFile, limit: limit + 1)
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return (Settings(), []) }
      return (Settings(), ["the settings cannot be read: \(error)"])
    }
    guard bytes.count <= limit else {
      return (
        Settings(),
        ["the settings in “\(path)” have more than \(limit >> 20) MiB; take out what is no setting"]
      )
    }
    // Space and what C calls white space. NUL bytes are not: a power cut leaves a file of them.
    if bytes.allSatisfy({ $0 == 32 || (9...13).contains($0) }) { return (Settings(), []) }
    do {
      let value = try JSON(json5: bytes)
      guard case .object = value else {
        return (Settings(), ["the settings in “\(path)” must stand between { and }"])
      }
      var values: [(key: String, value: SettingValue)] = []
      flatten(value, "", into: &values)
      var (settings, problems) = Settings.read(values)
      settings.alarm.sound = homely(settings.alarm.sound, paths)
      settings.keepAlive.clip = settings.keepAlive.clip.map { homely($0, paths) }
      return (settings, (problems + judge(settings)).map { "\(clean($0)) (in “\(path)”)" })
    } catch {
      return (Settings(), ["the settings in “\(path)” cannot be understood: \(clean(error.description))"])
    }
  }

  /// `~/x` as the path that it means.
  private static func homely(_ text: String, _ paths: Paths) -> String {
    guard text.hasPrefix("~/"), let home = FileName(text: paths.home), let file = FileName(text: text) else {
      return text
    }
    return file.absolute(from: home, home: paths.home).text
  }

  /// `alarm: { fade: "30s" }` is the same as `"alarm.fade": "30s"`.
  private static func flatten(
    _ json: JSON, _ key: String, into values: inout [(key: String, value: SettingValue)]
  ) {
    if case .object(let members) = json {
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        flatten(member, key.isEmpty ? name : "\(key).\(name)", into: &values)
      }
    } else if let value = value(json) {
      values.append((key, value))
    }
  }

  private static func value(_ json: JSON) -> SettingValue? {
    switch json {
    case .null: nil
    case .bool(let bool): .bool(bool)
    case .int(let number): .number(Double(number))
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    case .array(let elements): .list(elements.compactMap(value))
    case .object: nil
    }
  }
}

extension SoundSources {
  /// What the settings mean for the sound system. Looks for the silent clip among the program's sounds.
  func soundSettings(_ settings: Settings) -> SoundSettings {
    SoundSettings(
      device: settings.output.device, alarmDevices: settings.output.alarmDevices,
      rate: {
        switch settings.output.rate {
        case .auto: .auto
        case .track: .track
        case .fixed(let rate): .fixed(rate)
        }
      }(),
      keepAliveMode: settings.keepAlive.mode == .pulse ? .pulse : .stream,
      interval: settings.keepAlive.interval,
      signal: {
        switch settings.keepAlive.signal {
        case .auto: .auto
        case .zero: .zero
        case .lsb: .lsb
        case .sine: .sine
        }
      }(),
      clip: settings.keepAlive.clip.flatMap { FileName(text: $0) } ?? named("silence"),
      gain: {
        switch settings.player.gain {
        case .off: .off
        case .track: .track
        case .album: .album
        }
      }())
  }
}

extension AlarmEngine {
  /// The file has changed, or a screen has come: read on a worker, because a disk may hang. Where anything in it is wrong
  /// the old settings stay, and `status` says what is wrong.
  func readSettingsAgain() {
    let (paths, judge) = (paths, options.judge)
    workers.run("settings") {
      SettingsFile.read(paths, judge: judge)
    } then: { [weak self] settings, problems in
      guard let self else { return }
      if problems != configErrors {
        for problem in problems { Log.warning("\(problem); the settings stay as they were") }
        configErrors = problems
        statusChanged()
      }
      if problems.isEmpty, settings != self.settings { use(settings) }
      lookForMissing()
    }
  }

  /// What the screen goes by.
  var settingsReply: SettingsReply {
    let screen = settings.interface
    return SettingsReply(
      clock: screen.clock.rawValue, theme: screen.theme.rawValue, mouse: screen.mouse,
      meter: screen.meter.rawValue,
      keys: screen.keys.map { SettingsReply.Keys(action: $0.action, keys: $0.keys) },
      music: settings.player.music)
  }

  private func use(_ settings: Settings) {
    Log.info("the settings have changed")
    self.settings = settings
    useOnDesktop(settings)
    sounds.apply(finder.soundSettings(effectiveSettings))
    attempt { try self.tell(.settings(settings)) }
    attempt { try self.tellPlayer(.settings(settings)) }
    attempt { try self.tellWakefulness(.settings(settings)) }
    measureSounds()
  }
}
