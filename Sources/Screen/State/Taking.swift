import Wire

// What comes from the engine.
extension Model {
  mutating func take(_ new: Status, asked: Bool) -> [Effect] {
    let old = status
    status = new
    statusAt = now.monotonic
    isRefused = []
    link = .up
    // What was said before is not about what has begun to ring.
    if let old,
      new.ringing.contains(where: { ring in !old.ringing.contains { $0.occurrence == ring.occurrence } })
    {
      message = nil
    }
    if let opened { open(opened) }
    if old?.inbox != new.inbox { isStale.insert(.inbox) }
    if old?.queue.changes != new.queue.changes || old?.queue.length != new.queue.length { queue.expire() }
    if asked { isStale.formUnion([.inbox, .log]) }
    guard !asked else { return [] }
    let alarmsMoved = old?.alarms != new.alarms
    if alarmsMoved || old?.inbox != new.inbox { isStale.insert(.log) }
    return alarmsMoved ? [.request(.list)] : []
  }

  mutating func take(_ result: Result<Reply, WireError>, for request: Request) -> [Effect] {
    switch result {
    case .success(.status(let status)):
      if case .levels = request { return take(status, asked: false) }
      queue.expire()
      return take(status, asked: true) + [.request(.list)]
    case .success(.list(let entries)): take(entries)
    case .success(.queue(let entries)): queue.take(entries)
    case .success(.inbox(let entries)):
      if request == .clearInbox {
        say(entries.isEmpty ? "Nothing was missed." : "\(counted(entries.count, "notification")) taken out.")
        isStale.insert(.inbox)
      } else {
        isAsked.remove(.inbox)
        inbox = entries
        // The status that says so is on its way.
        if request == .inbox(seen: true) { status?.badge = 0 }
      }
    case .success(.log(let entries)):
      isAsked.remove(.log)
      log = entries
    case .success(.alarm(let reply)): return take(reply, for: request)
    case .success(.done(let reply)):
      let sentences = reply.lines + reply.warnings
      if !sentences.isEmpty { say(sentences.joined(separator: "  ")) }
    case .failure(let error): return refused(error, request)
    }
    return []
  }

  private mutating func take(_ entries: [AlarmEntry]) {
    let selected =
      alarms.indices.contains(lines[.alarms]?.selected ?? 0) ? alarms[lines[.alarms]?.selected ?? 0].id : nil
    alarms = Model.sorted(entries)
    // The selection stays on the alarm, wherever it has moved to.
    if let selected, let line = alarms.firstIndex(where: { $0.id == selected }) {
      lines[.alarms, default: ListPlace()].selected = line
    }
  }

  private mutating func take(_ reply: AlarmReply, for request: Request) -> [Effect] {
    let done: String
    switch request {
    case .add, .edit:
      typing = nil
      done = reply.alarms.first.map(added) ?? "done"
    case .remove:
      done =
        "removed: " + (reply.alarms.first.map { "\($0.id)  \($0.sentence)" } ?? "nothing")
        + " (\(keys.names(for: .undo)) brings it back)"
    default: done = reply.done ?? reply.alarms.first.map(added) ?? "done"
    }
    say(([done] + reply.warnings).joined(separator: "  "))
    return [.request(.list)]
  }

  private mutating func refused(_ error: WireError, _ request: Request) -> [Effect] {
    switch request {
    case .add, .edit:
      if var form {
        form.isSent = false
        form.refuse(error.description)
        typing = .form(form)
        return []
      }
    case .queue: queue.take(nil)
    case .inbox:
      isAsked.remove(.inbox)
      isRefused.insert(.inbox)
    case .log: isAsked.remove(.log)
    // A screen without focus, or without a meter, is no worse for it.
    case .focus, .levels: return []
    default: break
    }
    say(error.description, isError: true)
    // Without it nothing will ever be told here: a connection like that is none.
    return request == .subscribe ? [.disconnect] + disconnected(error.description) : []
  }

  private func added(_ entry: AlarmEntry) -> String {
    let name = "\(entry.id)  \(entry.sentence)"
    guard let next = entry.next.flatMap(WallTime.init(iso:)) else {
      return entry.enabled ? name : "\(name)  off"
    }
    return "\(name)  next \(shown(next)), in \(untilWords(next).words)"
  }

  func untilWords(_ wall: WallTime) -> Wording.Span {
    Wording.span(wall.instant.microseconds.subtractingClamped(now.wall.instant.microseconds))
  }

  func counted(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

  /// What comes next stands first, what is off stands last.
  static func sorted(_ entries: [AlarmEntry]) -> [AlarmEntry] {
    let dated = entries.map { ($0, $0.next.flatMap(WallTime.init(iso:))?.instant.microseconds ?? Int64.max) }
    return dated.sorted { left, right in
      (left.0.enabled ? 0 : 1, left.1, left.0.id) < (right.0.enabled ? 0 : 1, right.1, right.0.id)
    }.map(\.0)
  }
}

extension Int64 {
  /// A difference that stays at the ends instead of trapping: the instants may come from outside.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
