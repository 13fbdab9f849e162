import Core
import Schedule

/// Says of a history without set clocks and changed alarms what must have become of each due time, from the rules and the
/// gaps alone: it knows nothing of how the book works.
struct Oracle {
  /// A stretch in which nobody was there to ring.
  struct Gap {
    var reason: Occurrence.Reason
    var from: Instant
    var until: Instant
    var isHang: Bool
  }

  private(set) var world: World
  private var gaps: [Gap] = []
  private var added: [Int: (draft: AlarmDraft, at: Instant)] = [:]
  private var skipped: [Int: Set<Instant>] = [:]

  init(_ world: World) { self.world = world }

  mutating func happen(_ happening: Happening) {
    let (from, before) = (world.wall, Set(world.book.all.map(\.id)))
    if case .request(.skip, let id) = happening { skip(id) }
    world.happen(happening)
    switch happening {
    case .sleep: gaps.append(Gap(reason: .asleep, from: from, until: world.wall, isHang: false))
    case .kill: gaps.append(Gap(reason: .away, from: from, until: world.wall, isHang: false))
    case .hang: gaps.append(Gap(reason: .away, from: from, until: world.wall, isHang: true))
    case .stop: gaps.append(Gap(reason: .away, from: from, until: world.wall, isHang: false))
    case .add:
      for alarm in world.book.all where !before.contains(alarm.id) {
        added[alarm.id] = (alarm.draft, world.wall)
      }
    default: break
    }
  }

  private mutating func skip(_ id: Int) {
    guard let draft = added[id]?.draft, draft.rule.repeats else { return }
    let next = dues(id, until: world.wall + .seconds(400 * 86_400)).first {
      $0 > world.wall && skipped[id]?.contains($0) != true
    }
    if let next { skipped[id, default: []].insert(next) }
  }

  /// When an alarm is due up to an instant, by its rule alone.
  private func dues(_ id: Int, until end: Instant) -> [Instant] {
    guard let (draft, at) = added[id] else { return [] }
    if case .timer(let span) = draft.rule { return at + span <= end ? [at + span] : [] }
    var dues: [Instant] = []
    var from = at
    while dues.count < draft.count ?? .max,
      let due = draft.rule.next(after: from, in: draft.zone ?? world.zone),
      due.instant <= end, draft.until.map({ due.date <= $0 }) ?? true
    {
      dues.append(due.instant)
      from = due.instant
    }
    return dues
  }

  /// What does not agree with what the world told.
  func complaints() -> [String] {
    if !world.broken.isEmpty { return world.broken }
    return added.keys.sorted().flatMap { complaints($0) }
  }

  private func complaints(_ id: Int) -> [String] {
    let told = zip(world.told, world.toldAt).filter { $0.0.alarm == id && !$0.0.isRehearsal }
    let dues = dues(id, until: world.wall)
    let name = "alarm \(id) \(added[id]?.draft.rule.text ?? "")"
    func shown(_ instant: Instant) -> String { instant.iso(in: world.zone) }
    var complaints: [String] = []
    let ends = told.filter { $0.0.state.isSettled }.map(\.0.due)
    let live = world.book.liveOccurrence(of: id).map { $0.isRehearsal ? [] : [$0.due] } ?? []
    if (ends + live).sorted() != dues {
      complaints.append("\(name): due \(dues.map(shown)), accounted for \((ends + live).sorted().map(shown))")
    }
    for due in dues {
      let all = told.filter { $0.0.due == due }
      guard let (first, at) = all.first else { continue }
      func complain(_ expected: String) {
        let late = first.late.map { " \($0) late \(first.lateReason?.rawValue ?? "")" } ?? ""
        complaints.append(
          "\(name), due \(shown(due)): \(expected), but it is \(first.state.rawValue) "
            + "\(first.reason?.rawValue ?? "") at \(shown(at))\(late)")
      }
      if skipped[id]?.contains(due) == true {
        if first.state != .skipped || all.count != 1 { complain("skipped") }
        continue
      }
      guard let gap = gaps.first(where: { $0.from < due && due <= $0.until }) else {
        if first.state != .ringing || at != due || first.late != nil { complain("rings on time") }
        continue
      }
      // What the output held began by itself: of several at one instant only the last.
      if gap.isHang, due - gap.from <= AlarmBook.prepareAhead, first.state == .ringing, first.late == nil {
        continue
      }
      let newer = dues.contains { $0 > due && $0 <= gap.until && skipped[id]?.contains($0) != true }
      let late = gap.until - due
      if newer || late >= world.settings.alarm.lateWithin {
        if first.state != .missed || first.reason != gap.reason || at != gap.until || all.count != 1 {
          complain("missed \(gap.reason.rawValue)")
        }
      } else if first.state != .ringing || at != gap.until
        || late > .seconds(1) && (first.late != late || first.lateReason != gap.reason)
      {
        complain("rings \(late) late \(gap.reason.rawValue)")
      }
    }
    return complaints
  }
}
