import Platform
import Schedule
import Wire

@testable import Screen

/// Values for the tests: Sunday 29 November 2026, 22:48:00 in a zone an hour ahead of UTC.
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
    var up = alarm(3, "every Mon-Fri 07:00", next: "2026-11-30T07:00:00+01:00", label: "Up")
    (up.sound, up.volume, up.fade, up.snooze) = ("dawn", 60, 30, 600)
    (up.body, up.userInfo) = ("The train leaves at 08:12", ["room": "kitchen", "cat": "🐈 fed"])
    up.skips = [.init(from: "2026-12-24", until: "2026-12-26")]
    return [
      alarm(1, "once 2026-11-20 06:15", next: nil, label: "Airport", enabled: false, state: "off"), up,
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

  static var missed: Status.InboxEntry {
    .init(
      occurrence: "3@2026-11-29.1", id: 3, label: "Up", body: "The train leaves at 08:12", action: "Go",
      userInfo: ["room": "kitchen", "cat": "🐈 fed"], at: "2026-11-29T07:00:00+01:00", state: "missed",
      reason: "asleep", because: "the machine was asleep")
  }

  static func queueEntry(_ place: Int) -> QueueEntry {
    let titles = [
      ("Étude nº 3 – 夜想曲 🎹", "שלום Ensemble"), ("Cafe\u{301} del Mar", "مرحبا"), ("", ""),
      (
        "A rather long title that does not fit into the column that it is given here", "Somebody & the Others"
      ),
    ]
    let (title, artist) = titles[(place - 1) % titles.count]
    return QueueEntry(
      place: place, current: place == 2, path: "/music/\(place) 早.flac", title: title, artist: artist,
      album: "",
      duration: place % 3 == 0 ? nil : 61.5 * Double(place))
  }

  static var queue: [QueueEntry] { (1...12).map(queueEntry) }

  static var log: [LogEntry] {
    let story = [
      LogEntry.Line(at: "2026-11-29T07:00:00+01:00", what: "rang", text: "It rang, with “dawn”."),
      LogEntry.Line(
        at: "2026-11-29T07:00:12+01:00", what: "soundFailed",
        text: "“/music/早.flac” could not be decoded, so the default sound was taken in its place."),
      LogEntry.Line(
        at: "2026-11-29T07:10:00+01:00", what: "snoozed", text: "Nobody came: it snoozed by itself."),
    ]
    return [
      LogEntry(
        occurrence: "3@2026-11-29.1", id: 3, label: "Up", at: "2026-11-29T07:00:00+01:00", state: "missed",
        reason: "unanswered", because: "it rang and nobody came", late: 12, rehearsal: false, story: story),
      LogEntry(
        occurrence: "4@2026-11-28.1", id: 4, label: "市場 🥕", at: "2026-11-28T09:30:00+01:00",
        state: "dismissed",
        reason: "person", because: "a person did it", late: nil, rehearsal: true,
        story: Array(story.prefix(1))),
    ]
  }

  static func file(_ path: String) -> FileName { FileName(text: path) ?? Places.root.home }

  static var places: Places {
    Places(
      home: file("/home/ann"), current: file("/home/ann/work"), music: file("/home/ann/Music"),
      sounds: file("/usr/share/reveille/sounds"), soundNames: ["beeps", "chimes", "dawn", "harp", "surf"])
  }

  static var folder: Folder {
    let names: [(String, Folder.Entry.Kind)] = [
      ("Bach", .folder), ("市場 🥕", .folder), ("שלום", .folder), ("evening.m3u8", .playlist),
      ("1 Cafe\u{301}.ogg", .track),
      ("2 夜想曲 🎹.flac", .track), ("10 مرحبا.mp3", .track),
    ]
    return Folder(
      path: places.music, entries: names.map { Folder.Entry(name: Array($0.0.utf8), kind: $0.1) })
  }

  /// What `evening.m3u8` names.
  static var playlist: Folder {
    let entries: [Folder.Entry] = [
      .init(name: Array("2 夜想曲 🎹.flac".utf8), kind: .track, place: file("/home/ann/Music/2 夜想曲 🎹.flac")),
      .init(name: Array("gone \u{1b}[2J שלום.mp3".utf8), kind: .track, trouble: "is not there"),
      .init(name: Array("/mnt/Café".utf8), kind: .folder, place: file("/mnt/Café")),
      .init(name: Array("evening.m3u8".utf8), kind: .playlist, place: file("/home/ann/Music/evening.m3u8")),
      .init(name: Array("http://radio.example/x".utf8), kind: .track, trouble: "a stream cannot be played"),
      .init(name: Array("2 夜想曲 🎹.flac".utf8), kind: .track, place: file("/home/ann/Music/2 夜想曲 🎹.flac")),
    ]
    return Folder(path: file("/home/ann/Music/evening.m3u8"), entries: entries, isPlaylist: true)
  }

  static func model(
    _ columns: Int, _ rows: Int, clock: ClockStyle = .hours24, charset: Charset = .unicode,
    keys: KeyTable = .standard
  ) -> Model {
    var model = Model(
      now: now(), size: Size(columns: columns, rows: rows), clock: clock, charset: charset, keys: keys,
      places: places)
    _ = model.update(.connected, at: now())
    return model
  }

  /// A model that is attached and answered: by keys it goes where a test wants it.
  static func attached(
    _ columns: Int = 80, _ rows: Int = 24, alarms: [AlarmEntry] = alarms, keys: KeyTable = .standard,
    _ change: (inout Status) -> Void = { _ in }
  ) -> Model {
    var model = model(columns, rows, keys: keys)
    var status = status
    change(&status)
    answer(&model, model.update(.replied(.subscribe, .success(.status(status))), at: now()), alarms)
    return model
  }

  /// Answers what a model asks for, as an engine and a disk would, until it asks no more.
  static func answer(_ model: inout Model, _ effects: [Effect], _ alarms: [AlarmEntry] = alarms) {
    for effect in effects {
      switch effect {
      case .request(.list):
        answer(&model, model.update(.replied(.list, .success(.list(alarms))), at: model.now), alarms)
      case .request(.queue(let from)):
        let entries = Array(queue.dropFirst(from - 1))
        answer(
          &model, model.update(.replied(.queue(from: from), .success(.queue(entries))), at: model.now), alarms
        )
      case .request(.inbox(let seen)):
        let entries = model.status?.inbox ?? []
        answer(
          &model, model.update(.replied(.inbox(seen: seen), .success(.inbox(entries))), at: model.now), alarms
        )
      case .request(.log):
        answer(&model, model.update(.replied(.log, .success(.log(log))), at: model.now), alarms)
      case .readFolder(let path):
        var folder = path == playlist.path ? playlist : folder
        folder.path = path
        answer(&model, model.update(.folder(path, .success(folder)), at: model.now), alarms)
      case .preview(let words, _):
        let preview: Preview =
          words == "7"
          ? .wrong("“7” has no minutes: write 07:00") : .rings("2026-11-30T07:00:00+01:00", warnings: [])
        answer(&model, model.update(.previewed(words, preview), at: model.now), alarms)
      default: break
      }
    }
  }

  /// Presses keys, answering what each asks for.
  static func press(_ model: inout Model, _ keys: [Key], at seconds: Double = 0) {
    for key in keys { answer(&model, model.update(.key(key), at: now(seconds))) }
  }

  static func type(_ model: inout Model, _ text: String) { press(&model, text.map { .character($0) }) }

  static func playing(_ status: inout Status) {
    status.player.state = "playing"
    status.player.track = track
    status.player.position = 83.4
    status.player.volume = 70
    (status.queue.length, status.queue.index, status.queue.repeat) = (12, 1, "all")
    status.keepAlive.active = true
    status.keepAlive.why = "a track is loaded"
  }
}
