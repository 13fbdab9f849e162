import Schedule

// Alarms that come from elsewhere, and copies of ours that go there.
extension AlarmBook {
  /// Numbers beyond this are not kept when alarms are brought in; they would make every later number as long.
  static let largestKeptID = 999_999

  /// Copies of the alarms whose numbers come after `id`, in their order, `limit` at most.
  public func copies(after id: Int, limit: Int, at now: Moment) -> [AlarmCopy] {
    all(after: id, limit: limit).map { AlarmCopy($0, at: now) }
  }

  /// The alarms whose numbers come after `id`, in their order, `limit` at most.
  public func all(after id: Int, limit: Int) -> [Alarm] {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] <= id { low = middle + 1 } else { high = middle }
    }
    return ids[low...].prefix(limit).compactMap { alarms[$0] }
  }

  /// Takes all of them or, where this throws, none. One keeps its number where that was never used here; what has
  /// passed meanwhile is taken off and spent.
  mutating func bringIn(_ copies: [AlarmCopy], at now: Moment) throws(Refusal) {
    for (index, copy) in copies.enumerated() {
      do {
        try check(copy.draft)
      } catch {
        throw Refusal("none was taken, because of the one at place \(index + 1): \(error)")
      }
    }
    let present = Set(alarms.values.lazy.map(\.draft))
    let twins = copies.count { present.contains($0.draft) }
    var planned: [(id: Int, due: Due)] = []
    let numbers = numbers(for: copies)
    for (id, copy) in zip(numbers, copies).sorted(by: { $0.0 < $1.0 }) {
      var alarm = Alarm(id: id, draft: copy.draft, createdAt: now.wall)
      (alarm.isEnabled, alarm.isSpent) = (copy.isEnabled && !copy.isSpent, copy.isSpent)
      alarm.counted = max(0, copy.counted)
      alarm.skips = copy.draft.rule.repeats ? copy.skips : []
      if case .timer(let span) = copy.draft.rule {
        let left = copy.endsAt.map { min($0 - now.wall, span) } ?? span
        alarm.timerEnd = Deadline(max(.zero, left), after: now)
        if left <= .zero { (alarm.isEnabled, alarm.isSpent) = (false, true) }
        if alarm.isEnabled { timers.insert(id) }
      } else if alarm.isEnabled {
        if let due = firstOpenDue(of: alarm, after: now.wall, in: now.zone) {
          planned.append((id, due))
        } else {
          (alarm.isEnabled, alarm.isSpent) = (false, true)
        }
      }
      put(alarm)
    }
    plan(planned)
    nextID = max(nextID, (numbers.max() ?? 0) + 1)
    out.changes.append(.nextID(nextID))
    keepForUndo(Undoable(deed: .bringingIn, before: [], added: numbers))
    out.answer?.alarms = numbers
    if twins > 0 {
      out.answer?.warnings.append(
        "\(twins) of them \(twins == 1 ? "is" : "are") just like what was there already; “alarm undo” takes all of "
          + "this import back")
    }
  }

  private func numbers(for copies: [AlarmCopy]) -> [Int] {
    var kept: Set<Int> = []
    let wanted = copies.map { copy -> Int? in
      guard let id = copy.id, (nextID...AlarmBook.largestKeptID).contains(id), kept.insert(id).inserted else {
        return nil
      }
      return id
    }
    var fresh = max(nextID - 1, kept.max() ?? 0)
    return wanted.map { id in
      if let id { return id }
      fresh += 1
      return fresh
    }
  }
}
