import Core
import Schedule

/// One thing that happens in a random history.
enum Happening: Hashable, Sendable, CustomStringConvertible {
  case add(AlarmDraft)
  case request(Request, Int)
  case pass(Int)
  case sleep(Int)
  case hang(Int)
  case stop(Int)
  case kill(Int, reboot: Bool, step: Int)
  case setClock(Int)
  case move(String)
  case disk(full: Bool)

  enum Request: Hashable, Sendable, CaseIterable {
    case dismiss, dismissAny, snooze, snoozeAny, stop, rehearse, editLabel, skip
    // What changes when an alarm is due.
    case skipDays, skipAll, skipOff, off, on, remove, undo, editTime, editAgain, editZone, editEnd,
      removeSpent

    /// Those that leave the times of alarms as they are.
    static let calm: [Request] = [
      .dismiss, .dismissAny, .snooze, .snoozeAny, .stop, .rehearse, .editLabel, .skip,
    ]
  }

  var description: String {
    switch self {
    case .add(let draft):
      "add \(draft.rule.text)" + (draft.zone.map { " in \($0.identifier)" } ?? "")
        + (draft.count.map { ", \($0) times" } ?? "") + (draft.until.map { ", until \($0)" } ?? "")
    case .request(let request, let id): "\(request) \(id)"
    case .pass(let seconds): "pass \(seconds) s"
    case .sleep(let seconds): "sleep \(seconds) s"
    case .hang(let seconds): "hang \(seconds) s"
    case .stop(let seconds): "stop \(seconds) s"
    case .kill(let seconds, let reboot, let step):
      "kill, away \(seconds) s\(reboot ? ", reboot" : "")\(step == 0 ? "" : ", clock \(step) s")"
    case .setClock(let step): "set the clock by \(step) s"
    case .move(let zone): "move to \(zone)"
    case .disk(let full): full ? "disk full" : "disk free"
    }
  }

  /// Every kind of clock change there is: none, an hour north and south, half an hour, at midnight, in Ramadan, the other
  /// way round in winter, and offsets that are no whole hours.
  static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC", "Europe/London",
    "Europe/Dublin", "Europe/Lisbon", "Europe/Helsinki", "Europe/Moscow", "Europe/Chisinau",
    "Atlantic/Azores",
    "Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "Africa/Lagos", "America/Sao_Paulo",
    "America/Santiago", "America/Asuncion", "America/Havana", "America/Nuuk", "America/St_Johns",
    "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage", "America/Adak",
    "America/Caracas", "Asia/Beirut", "Asia/Jerusalem", "Asia/Tehran", "Asia/Kathmandu", "Asia/Tokyo",
    "Australia/Adelaide", "Australia/Eucla", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Kiritimati",
    "Pacific/Apia", "Pacific/Easter",
  ]

  /// Without `clocks` nobody sets the clock, changes the zone or fills the disk, and alarms stay as they were added.
  static func random(_ generator: inout Seeded, near start: Instant, clocks: Bool) -> Happening {
    let span = [1, 5, 60, 299, 600, 601, 3600, 20_000, 86_400, 200_000].randomElement(using: &generator) ?? 1
    let jittered = span + Int.random(in: 0...span, using: &generator)
    switch Int.random(in: 0..<(clocks ? 23 : 17), using: &generator) {
    case 0, 1: return .add(draft(&generator, near: start))
    case 2...6: return .pass(jittered)
    case 7, 8: return .sleep(jittered)
    case 9, 10:
      let step = clocks ? [0, 0, 0, -3600, 7200, -1_700_000_000].randomElement(using: &generator) ?? 0 : 0
      return .kill(jittered, reboot: Bool.random(using: &generator), step: step)
    case 11...15:
      let request = (clocks ? Request.allCases : Request.calm).randomElement(using: &generator) ?? .stop
      return .request(request, Int.random(in: 1...4, using: &generator))
    case 16: return Bool.random(using: &generator) ? .hang(jittered) : .stop(jittered)
    case 17...19:
      let step = [-5, 5, -300, 300, -7200, 7200, -100_000, 100_000, 300_000_000, -300_000_000]
      return .setClock(step.randomElement(using: &generator) ?? 5)
    case 20, 21: return .move(zones.randomElement(using: &generator) ?? "UTC")
    default: return .disk(full: Bool.random(using: &generator))
    }
  }

  /// An alarm of any kind that rings around `start`.
  static func draft(_ generator: inout Seeded, near start: Instant) -> AlarmDraft {
    let clock = clock(
      Int.random(in: 0...23, using: &generator), [0, 2, 30, 59].randomElement(using: &generator) ?? 0)
    let today = Zone.utc.local(start).date
    let day = today.adding(days: Int.random(in: -2...12, using: &generator))
    let rule: Rule
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: rule = .timer(.seconds(Int.random(in: 1...100_000, using: &generator)))
    case 1: rule = .once(day, clock, clockAlone: Bool.random(using: &generator))
    case 2: rule = .fixed(start + .seconds(Int.random(in: 0...900_000, using: &generator)))
    case 3: rule = .every(.weekly([.monday, .wednesday, .saturday]), clock)
    case 4: rule = .every(.monthDays([day.day, 31]), clock)
    case 5: rule = .every(.any([.lastDayOfMonth, .ordinal([.first, .last], day.weekday)]), clock)
    case 6: rule = .every(.yearly(month: day.month, day: day.day), clock)
    default: rule = .every(.daily, clock)
    }
    var draft = AlarmDraft(rule: rule)
    if Int.random(in: 0..<4, using: &generator) == 0 {
      draft.zone = Zone(zones.randomElement(using: &generator) ?? "")
    }
    if Int.random(in: 0..<5, using: &generator) == 0 {
      draft.count = Int.random(in: 1...3, using: &generator)
    }
    if Int.random(in: 0..<6, using: &generator) == 0 {
      draft.until = today.adding(days: Int.random(in: 0...9, using: &generator))
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { draft.snoozeLimit = 1 }
    if Int.random(in: 0..<6, using: &generator) == 0 {
      draft.badge = Int.random(in: 0...9, using: &generator)
    }
    if Int.random(in: 0..<6, using: &generator) == 0 { draft.run = "true" }
    return draft
  }
}

extension World {
  mutating func happen(_ happening: Happening) {
    switch happening {
    case .add(let draft): ask(.add(draft))
    case .pass(let seconds): pass(.seconds(seconds))
    case .sleep(let seconds): sleep(.seconds(seconds))
    case .hang(let seconds): hang(.seconds(seconds))
    case .stop(let seconds): stop(.seconds(seconds))
    case .kill(let seconds, let reboot, let step):
      kill(away: .seconds(seconds), reboot: reboot, clockStep: .seconds(step))
    case .setClock(let step): setClock(by: .seconds(step))
    case .move(let zone): move(to: zone)
    case .disk(let full): isDiskFull = full
    case .request(let request, let id): happen(request, id)
    }
  }

  private mutating func happen(_ request: Happening.Request, _ id: Int) {
    let holiday = zone.local(wall).date.adding(days: id)
    switch request {
    case .dismiss: ask(.dismiss(id: id))
    case .dismissAny: ask(.dismiss(id: nil))
    case .snooze: ask(.snooze(id: id, span: .seconds(300)))
    case .snoozeAny: ask(.snooze(id: nil, span: nil))
    case .stop: ask(.stopRinging())
    case .skip: if book.alarm(id)?.rule.repeats == true { ask(.skip(.next(id))) }
    case .skipDays: ask(.skip(.until(id, holiday)))
    case .skipAll: ask(.skip(.all(holiday)))
    case .skipOff: ask(.skip(.off(id == 4 ? nil : id)))
    case .off: ask(.setEnabled([id], false))
    case .on: ask(.setEnabled([id], true))
    case .remove: ask(.remove([id]))
    case .undo: ask(.undo)
    case .rehearse: ask(.rehearse(id))
    case .removeSpent: ask(.removeSpent)
    case .editTime, .editLabel, .editAgain, .editZone, .editEnd:
      guard var draft = book.alarm(id)?.draft else { return }
      switch request {
      case .editTime: draft.rule = .every(.daily, clock(12, 34))
      case .editZone: draft.zone = draft.zone == nil ? Zone("Asia/Kolkata") : nil
      case .editEnd: (draft.until, draft.count) = draft.until == nil ? (holiday, 2) : (nil, nil)
      default: draft.label += "x"
      }
      ask(.edit(id, draft, namesTime: request == .editTime || request == .editAgain))
    }
  }
}

/// Leaves out of a history that breaks a promise what is not needed to break it.
func shrink(_ history: [Happening], _ breaks: ([Happening]) -> [String]) -> [Happening] {
  var history = history
  var size = max(1, history.count / 2)
  while size >= 1 {
    var start = 0
    while start < history.count {
      var shorter = history
      shorter.removeSubrange(start..<min(history.count, start + size))
      if breaks(shorter).isEmpty { start += size } else { history = shorter }
    }
    size = size == 1 ? 0 : size / 2
  }
  return history
}
