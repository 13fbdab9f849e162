import Schedule

extension Setting {
  /// Every setting offered, in the order they are listed.
  public static let all: [Setting] = [
    Setting(
      key: "output.device", defaultText: "default", doc: "the ALSA device that plays",
      allowed: "a text that is not empty, and no device that writes a file (file:…, tee:…, {…})"
    ) { value, settings in
      guard case .string(let name) = value, !name.isEmpty, !DeviceName.writesFile(name) else { return false }
      settings.output.device = name
      return true
    },
    Setting(
      key: "output.alarmDevices", defaultText: "",
      doc: "ALSA devices an alarm tries in this order where output.device cannot be heard; empty: none",
      allowed:
        "a list of device names such as [\"plughw:CARD=PCH\"], none that writes a file (file:…, tee:…, {…})"
    ) { value, settings in
      let values: [SettingValue] =
        if case .list(let values) = value { values } else { value == .string("") ? [] : [value] }
      let names = values.compactMap { if case .string(let name) = $0, !name.isEmpty { name } else { nil } }
      guard names.count == values.count, names.count <= 16, !names.contains(where: DeviceName.writesFile)
      else { return false }
      settings.output.alarmDevices = names
      return true
    },
    Setting(
      key: "output.rate", defaultText: "auto",
      doc: "the device's rate: auto, track (always that of the track) or a number of Hz",
      allowed: "auto, track or a number from 8000 to 192000"
    ) { value, settings in
      switch value {
      case .string("auto"): settings.output.rate = .auto
      case .string("track"): settings.output.rate = .track
      default:
        guard let rate = whole(value), (8000...192_000).contains(rate) else { return false }
        settings.output.rate = .fixed(rate)
      }
      return true
    },
    choice(
      "keepAlive.when", \.keepAlive.when, "alarm",
      "when the device is kept awake: alarm (before an alarm and while a track is loaded), lease, always"),
    choice(
      "keepAlive.mode", \.keepAlive.mode, "stream",
      "stream feeds it without end; pulse plays the clip every interval"),
    choice(
      "keepAlive.signal", \.keepAlive.signal, "auto",
      "what the clip is made of: auto (by the device), zero, lsb (the least bit), sine (30 Hz, soft)"),
    span(
      "keepAlive.interval", \.keepAlive.interval, "10 s", least: 1, "the time between two clips in pulse mode"
    ),
    Setting(
      key: "keepAlive.clip", defaultText: "", doc: "a sound file to keep the device awake; empty: our own",
      allowed: "the path of a sound file"
    ) { value, settings in
      guard case .string(let path) = value else { return false }
      settings.keepAlive.clip = path.isEmpty ? nil : path
      return true
    },
    text("alarm.sound", \.alarm.sound, "dawn", "what an alarm plays: a sound's name or a path"),
    number("alarm.volume", \.alarm.volume, "80", 0...100, "how loud an alarm is"),
    span("alarm.fade", \.alarm.fade, "20 s", least: 0, "how long an alarm takes to reach its volume"),
    span("alarm.snooze", \.alarm.snooze, "10 min", least: 1, "how long a snooze lasts"),
    Setting(
      key: "alarm.snoozeLimit", defaultText: "none", doc: "how often an alarm can be snoozed",
      allowed: "none or a whole number from 0 on"
    ) { value, settings in
      if value == .string("none") {
        settings.alarm.snoozeLimit = nil
      } else {
        guard let limit = whole(value), (0...1_000_000).contains(limit) else { return false }
        settings.alarm.snoozeLimit = limit
      }
      return true
    },
    span(
      "alarm.silenceAfter", \.alarm.silenceAfter, "10 min", least: 1,
      "how long an alarm sounds before it snoozes by itself"),
    number(
      "alarm.unanswered", \.alarm.unanswered, "2", 0...100,
      "how often an alarm snoozes by itself before it is missed"),
    span(
      "alarm.lateWithin", \.alarm.lateWithin, "10 min", least: 0,
      "up to how late an alarm still rings after the engine was away or the machine slept"),
    number(
      "alarm.leastVolume", \.alarm.leastVolume, "30", 0...100,
      "a muted or lower system volume is raised to this for a ring"),
    choice(
      "alarm.mediaKey", \.alarm.mediaKey, "snooze",
      "what the play/pause key does while an alarm rings: snooze, dismiss, nothing (it plays and pauses)"),
    choice(
      "alarm.info", \.alarm.info, "hint",
      "where a notification carries what --info attached: hint (for scripts), body (in its text too)"),
    number("player.volume", \.player.volume, "100", 0...100, "how loud the music is until it is set"),
    Setting(
      key: "player.music", defaultText: "",
      doc: "the folder in which the screen's Files begin, such as ~/Music; empty: ~/Music, or home",
      allowed: "a folder's path"
    ) { value, settings in
      guard case .string(let path) = value else { return false }
      settings.player.music = path
      return true
    },
    choice(
      "player.gain", \.player.gain, "off",
      "whether tracks are made equally loud: off, each track, or album by album"),
    span(
      "awake.beforeAlarm", \.awake.beforeAlarm, "15 min", least: 0,
      "how long before an alarm the device and the machine are kept awake"),
    choice(
      "awake.idle", \.awake.idle, "block",
      "whether a lease on the system keeps the machine from idling (the screen from blanking): block or off"),
    choice(
      "awake.sleep", \.awake.sleep, "block",
      "what a lease on the system does to sleep: block, delay (some seconds, for the device to be closed), off"
    ),
    choice(
      "awake.lid", \.awake.lid, "off",
      "block: a lease on the system keeps the closed lid from sending the machine to sleep, too"),
    choice(
      "awake.untilAlarm", \.awake.untilAlarm, "off",
      "block: where nothing can wake the machine, sleep and the lid are blocked from now until the next alarm"
    ),
    Setting(
      key: "awake.whilePlaying", defaultText: "on",
      doc: "music keeps the machine from idling, though not from sleeping", allowed: "on or off"
    ) { value, settings in
      guard let on = onOff(value) else { return false }
      settings.awake.whilePlaying = on
      return true
    },
    Setting(
      key: "awake.onBattery", defaultText: "yes",
      doc: "whether sleep is blocked on battery too: yes, no, or with so many percent left at least",
      allowed: "yes, no or a percentage from 1 to 100"
    ) { value, settings in
      var percentage = value
      if case .string(let text) = value, text.hasSuffix("%") { percentage = .string(String(text.dropLast())) }
      if let least = whole(percentage) {
        guard (1...100).contains(least) else { return false }
        settings.awake.onBattery = .above(least)
      } else {
        guard let yes = onOff(value) else { return false }
        settings.awake.onBattery = yes ? .yes : .no
      }
      return true
    },
    number(
      "awake.renewals", \.awake.renewals, "5", 0...1000,
      "how often a lease without a span that ends with a process or connection goes on by itself, an hour each"
    ),
    flag(
      "background.engine", \.background.engine, "on",
      "off: the engine ends with its last screen, and no alarm rings after that"),
    Setting(
      key: "background.modes", defaultText: "audio, alarms, fetch",
      doc:
        "what goes on with no screen open: audio (music), alarms (else they are shown and not heard), fetch (measuring how loud sounds are)",
      allowed: "a list of audio, alarms and fetch, such as [\"alarms\"]"
    ) { value, settings in
      let words: [SettingValue] =
        switch value {
        case .list(let list): list
        case .string(let text):
          text.split { ", ".contains($0) }.map { .string(String($0)) }
        default: []
        }
      let modes = words.compactMap {
        if case .string(let word) = $0 { Settings.Background.Mode(rawValue: word) } else { nil }
      }
      guard modes.count == words.count, !words.isEmpty || value == .list([]) || value == .string("") else {
        return false
      }
      settings.background.modes = Set(modes)
      return true
    },
    Setting(
      key: "doctor.at", defaultText: "21:00",
      doc: "when the engine looks by itself whether an alarm of the next 12 h will be heard; off: never",
      allowed: "a clock time such as 21:00, or off"
    ) { value, settings in
      if onOff(value) == false {
        settings.doctor.at = nil
        return true
      }
      guard case .string(let text) = value, let clock = ClockTime(text[...]) else { return false }
      settings.doctor.at = clock
      return true
    },
    Setting(
      key: "ui.clock", defaultText: "24",
      doc: "whether the clock counts to 12 or to 24, on a screen that is opened from then on",
      allowed: "12 or 24"
    ) { value, settings in
      guard let clock = whole(value).flatMap(Settings.Interface.Clock.init(rawValue:)) else { return false }
      settings.interface.clock = clock
      return true
    },
    choice(
      "ui.theme", \.interface.theme, "default",
      "how a screen looks that is opened from then on: default (the terminal's own colours), dark, light, mono (none), night (dim red)"
    ),
    flag(
      "ui.mouse", \.interface.mouse, "on",
      "off: the terminal keeps the mouse, on a screen that is opened from then on"),
    choice(
      "ui.meter", \.interface.meter, "auto",
      "whether a screen that is opened from then on shows in the player how loud the music is: auto (not on battery), on, off"
    ),
    Setting(
      key: "ui.keys", defaultText: "",
      doc:
        "other keys for what is listed below, on a screen that is opened from then on; one key for two things is refused",
      allowed: "names with keys, such as { mute: \"m ctrl-x\", stop: \"\" }",
      apply: { value, _ in value == .string("") },
      applyMember: { name, value, settings in
        let words: [SettingValue] =
          switch value {
          case .string(let text): text.split(separator: " ").map { .string(String($0)) }
          case .number, .list: if case .list(let list) = value { list } else { [value] }
          case .bool: [.bool(true)]
          }
        let keys = words.compactMap { word in
          switch word {
          case .string(let key) where !key.isEmpty: key
          case .number(let digit) where (0...9).contains(digit): Int(exactly: digit).map(String.init)
          default: nil
          }
        }
        guard keys.count == words.count, keys.count <= 16 else { return false }
        settings.interface.keys.removeAll { $0.action == name }
        settings.interface.keys.append(Settings.Interface.Keys(name, keys))
        return true
      }),
    Setting(
      key: "ui.terminal", defaultText: "",
      doc:
        "the terminal in which a notification's own action opens the screen; empty: one that is installed",
      allowed: "a program, or a list of its words such as [\"xterm\", \"-e\", \"{}\"]"
    ) { value, settings in
      let values: [SettingValue] =
        if case .list(let values) = value { values } else { value == .string("") ? [] : [value] }
      let words = values.compactMap { if case .string(let word) = $0 { word } else { nil } }
      guard words.count == values.count, words.count <= 64, words.first?.isEmpty != true else { return false }
      settings.interface.terminal = words
      return true
    },
  ]

  private static func text(
    _ key: String, _ path: WritableKeyPath<Settings, String> & Sendable, _ standard: String, _ doc: String
  ) -> Setting {
    Setting(key: key, defaultText: standard, doc: doc, allowed: "a text that is not empty") {
      value, settings in
      guard case .string(let text) = value, !text.isEmpty else { return false }
      settings[keyPath: path] = text
      return true
    }
  }

  private static func number(
    _ key: String, _ path: WritableKeyPath<Settings, Int> & Sendable, _ standard: String,
    _ range: ClosedRange<Int>, _ doc: String
  ) -> Setting {
    let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return Setting(key: key, defaultText: standard, doc: doc, allowed: allowed) { value, settings in
      guard let number = whole(value), range.contains(number) else { return false }
      settings[keyPath: path] = number
      return true
    }
  }

  /// `least` in seconds; the longest is a day. A bare number is refused, because it has no unit.
  private static func span(
    _ key: String, _ path: WritableKeyPath<Settings, Duration> & Sendable, _ standard: String, least: Int,
    _ doc: String
  ) -> Setting {
    let allowed = "a span such as \(standard), \(least == 0 ? "" : "at least \(least) s and ")at most 24 h"
    return Setting(key: key, defaultText: standard, doc: doc, allowed: allowed) { value, settings in
      guard case .string(let text) = value, let span = try? Span.parse(text, allowZero: true),
        span >= .seconds(least), span <= .seconds(86_400)
      else { return false }
      settings[keyPath: path] = span
      return true
    }
  }

  private static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ key: String, _ path: WritableKeyPath<Settings, Choice> & Sendable, _ standard: String, _ doc: String
  ) -> Setting where Choice.RawValue == String {
    let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return Setting(key: key, defaultText: standard, doc: doc, allowed: allowed) { value, settings in
      guard case .string(let word) = value, let choice = Choice(rawValue: word) else { return false }
      settings[keyPath: path] = choice
      return true
    }
  }

  private static func flag(
    _ key: String, _ path: WritableKeyPath<Settings, Bool> & Sendable, _ standard: String, _ doc: String
  ) -> Setting {
    Setting(key: key, defaultText: standard, doc: doc, allowed: "on or off") { value, settings in
      guard let on = onOff(value) else { return false }
      settings[keyPath: path] = on
      return true
    }
  }

  private static func onOff(_ value: SettingValue) -> Bool? {
    switch value {
    case .bool(let bool): bool
    case .string("on"), .string("yes"): true
    case .string("off"), .string("no"): false
    default: nil
    }
  }

  /// A whole number, also where it was written as text.
  private static func whole(_ value: SettingValue) -> Int? {
    switch value {
    case .number(let number): Int(exactly: number)
    case .string(let text): Int(text)
    case .bool, .list: nil
    }
  }
}
