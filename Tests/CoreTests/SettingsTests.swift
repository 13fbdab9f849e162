import Core
import Schedule
import Testing

@Suite("Settings")
struct SettingsTests {
  @Test("Nothing said is the defaults, and the listed defaults are those")
  func defaults() {
    #expect(Settings.read([]).settings == Settings())
    let listed = Setting.all.map { setting -> (key: String, value: SettingValue) in
      (setting.key, Double(setting.defaultText).map(SettingValue.number) ?? .string(setting.defaultText))
    }
    let (settings, problems) = Settings.read(listed)
    #expect(problems == [])
    #expect(settings == Settings())
    #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
  }

  @Test("What is said is read")
  func values() {
    let (settings, problems) = Settings.read([
      ("output.device", .string("hw:1")), ("output.rate", .number(48_000)),
      ("keepAlive.when", .string("always")),
      ("keepAlive.mode", .string("pulse")), ("alarm.fade", .string("1 min 30 s")),
      ("alarm.snoozeLimit", .number(3)),
      ("alarm.volume", .number(50)), ("alarm.leastVolume", .number(0)), ("player.gain", .string("album")),
      ("ui.clock", .number(12)), ("ui.theme", .string("night")), ("ui.mouse", .string("off")),
      ("ui.keys.mute", .string("m ctrl-x")), ("ui.keys.stop", .string("")), ("ui.keys.inbox", .number(9)),
      ("awake.beforeAlarm", .string("0s")), ("awake.renewals", .number(2)),
      ("awake.idle", .string("off")), ("awake.sleep", .string("delay")), ("awake.lid", .string("block")),
      ("awake.untilAlarm", .string("block")), ("awake.whilePlaying", .bool(false)),
      ("background.engine", .bool(false)),
      ("background.modes", .list([.string("alarms"), .string("fetch")])),
    ])
    #expect(problems == [])
    #expect(settings.output.device == "hw:1")
    #expect(settings.output.rate == .fixed(48_000))
    #expect(settings.keepAlive.when == .always)
    #expect(settings.keepAlive.mode == .pulse)
    #expect(settings.alarm.fade == .seconds(90))
    #expect(settings.alarm.snoozeLimit == 3)
    #expect(settings.alarm.volume == 50)
    #expect(settings.alarm.leastVolume == 0)
    #expect(settings.player.gain == .album)
    #expect(settings.interface.clock == .twelve && settings.interface.theme == .night)
    #expect(!settings.interface.mouse)
    #expect(
      settings.interface.keys == [
        .init("mute", ["m", "ctrl-x"]), .init("stop", []), .init("inbox", ["9"]),
      ])
    #expect(settings.awake.beforeAlarm == .zero)
    #expect(settings.awake.renewals == 2)
    #expect(settings.awake.idle == .off && settings.awake.sleep == .delay && settings.awake.lid == .block)
    #expect(settings.awake.untilAlarm == .block && !settings.awake.whilePlaying)
    #expect(!settings.background.engine && settings.background.modes == [.alarms, .fetch])
  }

  @Test("The doctor's hour is a clock time, to the second, or off")
  func doctor() {
    let read = { (value: SettingValue) in Settings.read([("doctor.at", value)]) }
    #expect(read(.string("20:30")).settings.doctor.at == ClockTime(hour: 20, minute: 30))
    #expect(read(.string("20:30:05")).settings.doctor.at == ClockTime(hour: 20, minute: 30, second: 5))
    #expect(read(.string("off")).settings.doctor.at == nil && read(.bool(false)).settings.doctor.at == nil)
    for wrong in [.number(21), .string("9 pm"), .string("25:00"), .bool(true)] as [SettingValue] {
      #expect(read(wrong).problems.first?.contains("doctor.at") == true)
    }
  }

  @Test("The battery is yes, no or a percentage, however that is written")
  func battery() {
    let read = { (value: SettingValue) in Settings.read([("awake.onBattery", value)]) }
    let right: [(SettingValue, Settings.Awake.OnBattery)] = [
      (.string("yes"), .yes), (.string("no"), .no), (.bool(true), .yes), (.bool(false), .no),
      (.number(30), .above(30)), (.string("30"), .above(30)), (.string("30%"), .above(30)),
    ]
    for (value, expected) in right { #expect(read(value).settings.awake.onBattery == expected) }
    for wrong in [.number(0), .number(101), .number(1.5), .string("%"), .string("half")] as [SettingValue] {
      #expect(read(wrong).problems.first?.contains("awake.onBattery") == true)
    }
  }

  @Test("Keys stand under what they do")
  func keys() {
    for (key, value) in [
      ("ui.keys", SettingValue.string("p")), ("ui.keys.mute", .bool(true)), ("ui.theme", .string("pink")),
    ] {
      #expect(Settings.read([(key, value)]).problems.first?.contains(key) == true)
    }
    // The last of one name counts, as everywhere.
    let twice = Settings.read([("ui.keys.mute", .string("x")), ("ui.keys.mute", .list([.string("y")]))])
    #expect(twice.problems == [] && twice.settings.interface.keys == [.init("mute", ["y"])])
  }

  @Test("The terminal is one program or a list of words, and neither is empty")
  func terminal() {
    let read = { (value: SettingValue) in Settings.read([("ui.terminal", value)]) }
    #expect(read(.string("foot")).settings.interface.terminal == ["foot"])
    #expect(
      read(.list([.string("xterm"), .string("-e"), .string("{}")])).settings.interface.terminal
        == ["xterm", "-e", "{}"])
    for wrong in [.number(1), .list([.string("")]), .list([.string("x"), .number(1)])] as [SettingValue] {
      #expect(read(wrong).problems.first?.contains("ui.terminal") == true)
    }
  }

  @Test("Devices for alarms are a list or one name, signals are words")
  func devicesAndSignals() {
    let (settings, problems) = Settings.read([
      ("output.alarmDevices", .list([.string("default"), .string("plughw:CARD=PCH")])),
      ("keepAlive.signal", .string("lsb")),
    ])
    #expect(problems == [])
    #expect(settings.output.alarmDevices == ["default", "plughw:CARD=PCH"])
    #expect(settings.keepAlive.signal == .lsb)
    #expect(
      Settings.read([("output.alarmDevices", .string("hw:1"))]).settings.output.alarmDevices == ["hw:1"])
  }

  @Test(
    "A wrong value is a sentence with its key and what is allowed, and a wrong key names the nearest",
    arguments: [
      (
        "alarm.volume", SettingValue.number(101),
        "alarm.volume: 101 is not allowed; it takes a whole number from 0 to 100"
      ),
      (
        "alarm.snooze", .number(10),
        "alarm.snooze: 10 is not allowed; it takes a span such as 10 min, at least 1 s and at most 24 h"
      ),
      (
        "alarm.fade", .string("soon"),
        "alarm.fade: “soon” is not allowed; it takes a span such as 20 s, at most 24 h"
      ),
      (
        "output.alarmDevices", .list([.string("hw:0"), .number(1)]),
        "output.alarmDevices: a list is not allowed; it takes a list of device names such as [\"plughw:CARD=PCH\"]"
      ),
      (
        "keepAlive.signal", .string("loud"),
        "keepAlive.signal: “loud” is not allowed; it takes auto, zero, lsb, sine"
      ),
      ("keepAlive.when", .bool(true), "keepAlive.when: true is not allowed; it takes alarm, lease, always"),
      (
        "output.rate", .number(1e300),
        "output.rate: 1e+300 is not allowed; it takes auto, track or a number from 8000 to 192000"
      ),
      (
        "background.modes", .list([.string("alarm")]),
        "background.modes: a list is not allowed; it takes a list of audio, alarms and fetch, such as [\"alarms\"]"
      ),
      ("background.engine", .number(1), "background.engine: 1 is not allowed; it takes on or off"),
      (
        "alarm.snoze", .string("x"),
        "there is no setting “alarm.snoze”; the nearest is “alarm.snooze” (“alarm help config” lists all)"
      ),
      (
        "keepalive.when", .string("alarm"),
        "there is no setting “keepalive.when”; the nearest is “keepAlive.when” (“alarm help config” lists all)"
      ),
      ("foo", .number(1), "there is no setting “foo”; “alarm help config” lists those there are"),
      (
        "snooze", .string("5m"),
        "there is no setting “snooze”; the nearest is “alarm.snooze” (“alarm help config” lists all)"
      ),
    ])
  func problems(key: String, value: SettingValue, sentence: String) {
    let (settings, problems) = Settings.read([(key, value)])
    #expect(problems == [sentence])
    #expect(settings == Settings())
  }
}
