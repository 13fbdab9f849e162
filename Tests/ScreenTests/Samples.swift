import Schedule
import Wire

@testable import Screen

/// Models for the tests: Sunday 29 November 2026, 22:48:00 in a zone an hour ahead of UTC.
enum Samples {
  static let wall: WallTime = moment("2026-11-29T22:48:00+01:00")

  static func moment(_ iso: String) -> WallTime {
    WallTime(iso: iso) ?? WallTime(Instant(microseconds: 0), offset: 0)
  }

  /// That many seconds after the beginning, by both clocks.
  static func now(_ seconds: Double = 0) -> Moment {
    let microseconds = Int64(seconds * 1e6)
    return Moment(
      wall: WallTime(Instant(microseconds: wall.instant.microseconds + microseconds), offset: 3600),
      monotonic: 1_000_000_000 + microseconds)
  }

  static var status: Status {
    var status = Status(
      engine: .init(
        pid: 1, version: "1", startedAt: "2026-11-29T08:00:00+01:00", socket: "/run/x", configErrors: [],
        storeErrors: []))
    status.alarms.count = 3
    status.alarms.enabled = 2
    status.alarms.next = .init(id: 3, label: "Up", at: "2026-11-30T07:00:00+01:00")
    status.keepAlive.why = nil
    return status
  }

  static func alarm(
    _ id: Int, _ sentence: String, next: String?, label: String = "", enabled: Bool = true,
    state: String = "scheduled"
  ) -> AlarmEntry {
    var entry = AlarmEntry(id: id, when: sentence, sentence: sentence)
    (entry.next, entry.label, entry.enabled, entry.state) = (next, label, enabled, state)
    return entry
  }

  static var alarms: [AlarmEntry] {
    [
      alarm(1, "once 2026-11-20 06:15", next: nil, label: "Airport", enabled: false, state: "off"),
      alarm(3, "every Mon-Fri 07:00", next: "2026-11-30T07:00:00+01:00", label: "Up"),
      alarm(4, "every Sat,Sun 09:30", next: "2026-12-05T09:30:00+01:00", label: "市場 🥕 weekend"),
    ]
  }

  static var track: Status.Track {
    .init(
      path: "/music/e\u{301}tude.flac", title: "Étude nº 3 – 夜想曲 🎹", artist: "שלום Ensemble", album: "A",
      duration: 296)
  }

  static var ring: Status.Ringing {
    .init(
      id: 3, occurrence: "3@2026-11-30", label: "Up", body: "The train leaves at 08:12",
      since: "2026-11-29T22:47:30+01:00", sound: "dawn", sounding: true, snoozesLeft: 2,
      userInfo: ["room": "kitchen", "cat": "🐈 fed"], notes: ["It rings 12 s late: the machine slept."])
  }

  static func model(_ columns: Int, _ rows: Int, clock: ClockStyle = .hours24, charset: Charset = .unicode)
    -> Model
  {
    var model = Model(
      now: now(), size: Size(columns: columns, rows: rows), clock: clock, charset: charset)
    _ = model.update(.connected, at: now())
    return model
  }

  /// The scenes that are recorded.
  static let scenes = [
    "idle", "first run", "playing", "ringing", "ringing while typing", "prompt", "prompt with an error",
    "no sound card", "engine gone", "help", "opened",
  ]

  static func scene(_ name: String, _ columns: Int, _ rows: Int) -> Model {
    var model = model(columns, rows)
    var status = status
    var alarms = alarms
    var events: [Event] = []
    switch name {
    case "first run":
      status.alarms = .init()
      alarms = []
    case "playing":
      status.player.state = "playing"
      status.player.track = track
      status.player.position = 83.4
      status.player.volume = 70
      status.keepAlive.active = true
      status.keepAlive.why = "a track is loaded"
    case "ringing", "ringing while typing":
      status.ringing = [ring]
      if name != "ringing" {
        _ = model.update(.key(.character("a")), at: now())
        _ = model.update(.key(.character("+")), at: now())
      }
    case "prompt":
      events = [
        .key(.character("a")), .paste("mon 7am 早\u{1b}[31m"),
        .previewed("mon 7am 早\u{fffd}[31m", .rings("2026-11-30T07:00:00+01:00", warnings: [])),
      ]
    case "prompt with an error":
      events = [
        .key(.character("a")), .paste("7"),
        .previewed("7", .wrong("\"7\" has no minutes: write 07:00")),
      ]
    case "no sound card":
      status.output.audible = false
      status.output.reason = "there is no sound card"
      status.engine.configErrors = ["alarm.volume is 300 and must be 0 to 100"]
      status.engine.storeErrors = ["The disk is full: changes cannot be saved, make room."]
      status.snoozed = [
        .init(id: 4, occurrence: "4", label: "Tea", until: "2026-11-29T22:49:10+01:00")
      ]
    case "engine gone": events = [.disconnected("gone")]
    case "opened":
      status.inbox = [
        .init(
          occurrence: "3@2026-11-29.1", id: 3, label: "Up", body: "The train leaves at 08:12", action: "Go",
          userInfo: ["room": "kitchen", "cat": "🐈 fed"], at: "2026-11-29T07:00:00+01:00", state: "missed",
          reason: "asleep", because: "the machine was asleep")
      ]
      _ = model.update(.opened("3@2026-11-29.1"), at: now())
    case "help": events = [.key(.character("?"))]
    default: break
    }
    _ = model.update(.replied(.subscribe, .success(.status(status))), at: now())
    _ = model.update(.replied(.list, .success(.list(alarms))), at: now())
    for event in events { _ = model.update(event, at: now()) }
    _ = model.update(.tick, at: now(name == "ringing" ? 2 : 0))
    return model
  }
}
