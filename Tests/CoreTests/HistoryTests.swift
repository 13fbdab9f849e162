import Core
import Schedule
import Testing

/// One thing that happens in a random history.
enum Happening: Hashable, Sendable, CustomStringConvertible {
  case add(AlarmDraft)
  case request(Request, Int)
  case pass(Int)
  case sleep(Int)
  case kill(Int, reboot: Bool, step: Int)
  case setClock(Int)
  case move(String)
  case disk(full: Bool)

  enum Request: Hashable, Sendable, CaseIterable {
    case dismiss, dismissAny, snooze, snoozeAny, stop, off, on, remove, undo, rehearse, editTime, editLabel,
      editAgain, editZone, editEnd, removeSpent
  }

  var description: String {
    switch self {
    case .add(let draft): "add \(draft.rule.text)" + (draft.zone.map { " in \($0.identifier)" } ?? "")
    case .request(let request, let id): "\(request) \(id)"
    case .pass(let seconds): "pass \(seconds) s"
    case .sleep(let seconds): "sleep \(seconds) s"
    case .kill(let seconds, let reboot, let step):
      "kill, away \(seconds) s\(reboot ? ", reboot" : "")\(step == 0 ? "" : ", clock \(step) s")"
    case .setClock(let step): "set the clock by \(step) s"
    case .move(let zone): "move to \(zone)"
    case .disk(let full): full ? "disk full" : "disk free"
    }
  }

  static let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]

  /// Without `clocks` nobody sets the clock, changes the zone or fills the disk, and alarms stay as they were added.
  static func random(_ generator: inout Seeded, clocks: Bool) -> Happening {
    let span = [1, 5, 60, 299, 600, 601, 3600, 20_000, 86_400, 200_000].randomElement(using: &generator) ?? 1
    let jittered = span + Int.random(in: 0...span, using: &generator)
    switch Int.random(in: 0..<(clocks ? 22 : 16), using: &generator) {
    case 0, 1: return .add(draft(&generator))
    case 2...6: return .pass(jittered)
    case 7, 8: return .sleep(jittered)
    case 9, 10:
      let step = clocks ? [0, 0, 0, -3600, 7200, -1_700_000_000].randomElement(using: &generator) ?? 0 : 0
      return .kill(jittered, reboot: Bool.random(using: &generator), step: step)
    case 11...15:
      let calm: [Request] = [.dismiss, .dismissAny, .snooze, .snoozeAny, .stop, .rehearse, .editLabel]
      let request = (clocks ? Request.allCases : calm).randomElement(using: &generator) ?? .stop
      return .request(request, Int.random(in: 1...4, using: &generator))
    case 16...18:
      let step = [-5, 5, -300, 300, -7200, 7200, -100_000, 100_000, 300_000_000, -300_000_000]
      return .setClock(step.randomElement(using: &generator) ?? 5)
    case 19, 20: return .move(zones.randomElement(using: &generator) ?? "UTC")
    default: return .disk(full: Bool.random(using: &generator))
    }
  }

  static func draft(_ generator: inout Seeded) -> AlarmDraft {
    let clock = clock(
      Int.random(in: 0...23, using: &generator), [0, 2, 30, 59].randomElement(using: &generator) ?? 0)
    let rule: Rule
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: rule = .timer(.seconds(Int.random(in: 1...100_000, using: &generator)))
    case 1:
      let day = date("2026-10-20").adding(days: Int.random(in: 0...14, using: &generator))
      rule = .once(day, clock, clockAlone: Bool.random(using: &generator))
    case 2: rule = .fixed(Instant(seconds: 1_792_600_000 + Int64.random(in: 0...900_000, using: &generator)))
    case 3: rule = .every(.weekly([.monday, .wednesday, .saturday]), clock)
    default: rule = .every(.daily, clock)
    }
    var draft = AlarmDraft(rule: rule)
    if Int.random(in: 0..<4, using: &generator) == 0 {
      draft.zone = Zone(zones.randomElement(using: &generator) ?? "")
    }
    if Int.random(in: 0..<5, using: &generator) == 0 {
      draft.count = Int.random(in: 1...3, using: &generator)
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { draft.snoozeLimit = 1 }
    return draft
  }
}

extension World {
  mutating func happen(_ happening: Happening) {
    switch happening {
    case .add(let draft): ask(.add(draft))
    case .pass(let seconds): pass(.seconds(seconds))
    case .sleep(let seconds): sleep(.seconds(seconds))
    case .kill(let seconds, let reboot, let step):
      kill(away: .seconds(seconds), reboot: reboot, clockStep: .seconds(step))
    case .setClock(let step): setClock(by: .seconds(step))
    case .move(let zone): move(to: zone)
    case .disk(let full): isDiskFull = full
    case .request(let request, let id):
      switch request {
      case .dismiss: ask(.dismiss(id: id))
      case .dismissAny: ask(.dismiss(id: nil))
      case .snooze: ask(.snooze(id: id, span: .seconds(300)))
      case .snoozeAny: ask(.snooze(id: nil, span: nil))
      case .stop: ask(.stopRinging())
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
        case .editEnd: (draft.until, draft.count) = draft.until == nil ? (date("2026-10-27"), 2) : (nil, nil)
        default: draft.label += "x"
        }
        ask(.edit(id, draft, namesTime: request == .editTime || request == .editAgain))
      }
    }
  }

  static func live(_ history: [Happening]) -> World {
    var world = World("2026-10-23T06:00:00+02:00")
    for happening in history where world.broken.isEmpty { world.happen(happening) }
    return world
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

@Suite("Random histories")
struct HistoryTests {
  @Test(
    "With clocks set, zones changed, suspends, kills and full disks no promise is broken", arguments: 0..<4)
  func anything(block: Int) {
    for seed in (block * 500)..<(block * 500 + 500) {
      var generator = Seeded(UInt64(seed))
      let history = (0..<24).map { _ in Happening.random(&generator, clocks: true) }
      guard !World.live(history).broken.isEmpty else { continue }
      report(seed, history) { World.live($0).broken }
      return
    }
  }

  @Test(
    "With suspends and kills each due occurrence ends once, and rings when it is not too late",
    arguments: 0..<4)
  func nothingForgotten(block: Int) {
    for seed in (block * 400)..<(block * 400 + 400) {
      var generator = Seeded(UInt64(seed) + 1_000_000)
      let history = (0..<20).map { _ in Happening.random(&generator, clocks: false) }
      guard !broken(history).isEmpty else { continue }
      report(seed, history, broken)
      return
    }
  }

  private func report(_ seed: Int, _ history: [Happening], _ breaks: ([Happening]) -> [String]) {
    let short = shrink(history, breaks)
    let story = short.map(\.description).joined(separator: "\n  ")
    Issue.record("seed \(seed): \(breaks(short))\n  \(story)")
  }

  /// Lives a history without set clocks and compares what ended or is live with what the rules say.
  private func broken(_ history: [Happening]) -> [String] {
    var world = World("2026-10-23T06:00:00+02:00")
    var added: [Int: Instant] = [:]
    for happening in history where world.broken.isEmpty {
      let before = Set(world.book.all.map(\.id))
      world.happen(happening)
      for id in Set(world.book.all.map(\.id)).subtracting(before) { added[id] = world.wall }
    }
    if !world.broken.isEmpty { return world.broken }
    var complaints: [String] = []
    for alarm in world.book.all {
      guard let since = added[alarm.id] else { continue }
      var dues: [Instant] = []
      if case .timer(let span) = alarm.rule {
        if since + span <= world.wall { dues = [since + span] }
      } else {
        var from = since
        while dues.count < alarm.draft.count ?? .max,
          let due = alarm.rule.next(after: from, in: alarm.zone ?? world.zone), due.instant <= world.wall
        {
          dues.append(due.instant)
          from = due.instant
        }
      }
      let ended = world.told.filter { $0.alarm == alarm.id && $0.state.isSettled && !$0.isRehearsal }.map(
        \.due)
      let live = world.book.liveOccurrence(of: alarm.id).map { $0.isRehearsal ? [] : [$0.due] } ?? []
      if (ended + live).sorted() != dues {
        complaints.append(
          "alarm \(alarm.id) \(alarm.rule.text): due \(dues.map { $0.iso(in: world.zone) }), accounted for "
            + "\((ended + live).sorted().map { $0.iso(in: world.zone) })")
      }
    }
    return complaints
  }
}
