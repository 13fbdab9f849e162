import Wire

@testable import Screen

/// The scenes that are recorded.
enum Scenes {
  static let all = [
    "idle", "first run", "playing", "alarms", "no alarms", "form", "form with an error", "form for an edit",
    "player", "meter", "empty queue", "files", "playlist", "inbox", "log", "help", "command",
    "command output", "search",
    "question",
    "ringing", "ringing with digits", "ringing while typing", "no sound card", "engine gone", "opened",
  ]

  static func model(_ name: String, _ columns: Int, _ rows: Int) -> Model {
    var model: Model
    switch name {
    case "first run":
      model = Samples.attached(columns, rows, alarms: []) { $0.alarms = .init() }
    case "no alarms":
      model = Samples.attached(columns, rows, alarms: []) { $0.alarms = .init() }
      Samples.press(&model, ["2"])
      // The sample's answers hold alarms.
      _ = model.update(.replied(.list, .success(.list([]))), at: Samples.now())
    case "playing", "player", "meter", "search":
      model = Samples.attached(columns, rows, Samples.playing)
    case "ringing", "ringing with digits":
      model = Samples.attached(columns, rows) { $0.ringing = [Samples.ring] }
      _ = model.update(.tick, at: Samples.now(2))
    case "ringing while typing":
      model = Samples.attached(columns, rows)
      Samples.type(&model, "a+")
      var status = Samples.status
      status.ringing = [Samples.ring]
      _ = model.update(.status(status), at: Samples.now())
    case "no sound card":
      model = Samples.attached(columns, rows) {
        $0.output.audible = false
        $0.output.reason = "there is no sound card"
        $0.engine.configErrors = ["alarm.volume is 300 and must be 0 to 100"]
        $0.engine.storeErrors = ["The disk is full: changes cannot be saved, make room."]
        $0.snoozed = [.init(id: 4, occurrence: "4", label: "Tea", until: "2026-11-29T22:49:10+01:00")]
      }
    case "opened", "inbox":
      model = Samples.attached(columns, rows) {
        $0.inbox = [Samples.missed]
        $0.badge = 1
      }
    default:
      model = Samples.attached(columns, rows) { status in
        if name == "alarms" { Samples.playing(&status) }
      }
    }
    Scenes.act(name, &model)
    return model
  }

  private static func act(_ name: String, _ model: inout Model) {
    switch name {
    case "alarms": Samples.press(&model, ["2"])
    case "form":
      Samples.press(&model, ["2", "a"])
      Samples.answer(&model, model.update(.paste("mon 7am 早\u{1b}[31m"), at: Samples.now()))
    case "form with an error":
      Samples.type(&model, "a7")
    case "form for an edit": Samples.press(&model, ["2", "e", .tab, .tab])
    case "player", "empty queue": Samples.press(&model, ["3", "j", "j", "j"])
    case "meter":
      Samples.press(&model, ["3"])
      for (second, peak) in [(1.0, [-2.5, -0.4]), (1.1, [-30, -12])] {
        let levels = Levels(peak: peak, rms: peak.map { $0 - 9 })
        _ = model.update(.levels(levels), at: Samples.now(second))
      }
    case "files": Samples.press(&model, ["4", "j", "j", "j"])
    case "playlist": Samples.press(&model, ["4", "j", "j", "j", "j", "j", .enter, "j", "j", "j"])
    case "inbox": Samples.press(&model, ["5"])
    case "log": Samples.press(&model, ["6"])
    case "help": Samples.press(&model, ["?"])
    case "command": Samples.type(&model, ":add 07:00 --label 早\u{202e}")
    case "command output":
      Samples.press(&model, [":", "x", .enter])
      let lines = (1...30).map { "\($0)  every Mon-Fri 07:00  早 \u{1b}[2J" }
      _ = model.update(.ran("x", CommandOutcome(lines: lines, complaints: ["mind"])), at: Samples.now())
      Samples.press(&model, ["j", "j"])
    case "search":
      Samples.press(&model, ["3", "/"])
      Samples.type(&model, "mar")
    case "question": Samples.press(&model, ["Q"])
    case "ringing with digits":
      for digit in ["1", "5"] as [Key] { _ = model.update(.key(digit), at: Samples.now(2)) }
    case "engine gone": _ = model.update(.disconnected("gone"), at: Samples.now())
    case "opened": _ = model.update(.opened(Samples.missed.occurrence), at: Samples.now())
    default: break
    }
  }
}
