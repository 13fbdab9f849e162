import Core
import Platform
import Schedule
import Wire

// The methods about leases.
extension AlarmEngine {
  /// False where the method is another's.
  func leaseMethod(_ request: Request, _ params: Params) throws -> Bool {
    switch request.method {
    case "awake": request.reply(try takeLease(request, params))
    case "awake.list": request.reply(wakefulness.leases.map { lease($0, now) })
    case "awake.renew":
      request.reply(try granted(by: .renew(id: try leaseID(params), span: try params.span("span"))))
    case "awake.off": request.reply(try endLeases(params))
    default: return false
    }
    return true
  }

  private func takeLease(_ request: Request, _ params: Params) throws -> LeaseReply {
    var asked = LeaseRequest()
    asked.owner = try bounded(params, "owner") ?? Wakefulness.person
    guard asked.owner != Wakefulness.engine, !asked.owner.isEmpty else {
      throw Params.wrong("“owner” may be any name but “engine”, which is the engine's own")
    }
    asked.reason = try bounded(params, "reason") ?? ""
    let named = (audio: try params.flag("audio"), system: try params.flag("system"))
    // Neither means both.
    asked.kinds =
      (named.audio || !named.system ? [Lease.audio] : [])
      + (named.system || !named.audio ? [Lease.system] : [])
    let isBound = try params.flag("bind")
    asked.then = try params.text("then").map { try AlarmWords.command($0, "then") }
    (asked.span, asked.until) = (try params.span("span"), try end(params))
    if asked.span != nil, asked.until != nil {
      throw Params.wrong("a span and --until contradict each other: give one of the two")
    }
    let machine = Clocks.bootID()
    if let id = try params.integer("while", in: 1...Int(Int32.max)) {
      guard let process = OtherProcess(Int32(id)) else {
        throw WireError(
          code: ErrorCode.refused, "there is no process \(id) to wait for: “ps” shows those that run")
      }
      asked.process = LeaseProcess(id: process.id, started: process.started, bootID: machine)
      if asked.reason.isEmpty { asked.reason = "while \(process.name) (\(process.id)) runs" }
    }
    if isBound { asked.connection = request.connection.number }
    let reply = try granted(by: .take(asked))
    // Who is bound to a lease is told of its end without asking.
    if isBound { request.connection.bind() }
    return reply
  }

  /// `--until` as an instant: a clock time is the next such time.
  private func end(_ params: Params) throws(WireError) -> Instant? {
    guard let words = try params.text("until") else { return nil }
    let now = now
    do {
      let when = try When.parse(words, now: now.wall, zone: now.zone)
      if case .timer(let span) = when.rule { return now.wall + span }
      if !when.rule.repeats, let due = when.rule.next(after: now.wall, in: now.zone) { return due.instant }
    } catch {
      throw Params.wrong("--until: \(error)")
    }
    throw Params.wrong(
      "--until: “\(clean(words, atMost: 60))” comes again and again: give one time, such as 23:00")
  }

  private func bounded(_ params: Params, _ key: String) throws(WireError) -> String? {
    guard let text = try params.text(key) else { return nil }
    return try AlarmWords.bounded(text, key, AlarmWords.longestLabel)
  }

  private func leaseID(_ params: Params) throws(WireError) -> Int {
    guard let id = try params.integer("id", in: 1...Int.max) else {
      throw WireError(
        code: ErrorCode.invalidParams, "“id” is missing: say which lease; “alarm awake list” shows them")
    }
    return id
  }

  private func granted(by event: Wakefulness.Event) throws(WireError) -> LeaseReply {
    guard let lease = try tellWakefulness(event) else {
      throw WireError(code: ErrorCode.refused, "the lease was over at once")
    }
    let now = now
    let until = lease.until?.shownEnd(at: now).shown(in: now.zone, now: now.wall) ?? ""
    let more =
      lease.renewalsLeft > 0
      ? ", and \(lease.renewalsLeft == 1 ? "once" : "\(lease.renewalsLeft) times") as long again if need be"
      : ""
    return LeaseReply(
      lease: self.lease(lease, now), lines: ["awake until \(until)\(more) (lease \(lease.id))"],
      warnings: complaints)
  }

  private func endLeases(_ params: Params) throws(WireError) -> DoneReply {
    let before = wakefulness.leases.count
    try tellWakefulness(.release(id: params.has("id") ? try leaseID(params) : nil))
    let ended = before - wakefulness.leases.count
    let line =
      ended == 0 ? "no lease was held" : ended == 1 ? "the lease has ended" : "\(ended) leases have ended"
    return DoneReply(lines: [line], warnings: complaints)
  }

  /// A connection has gone, and what was bound to it ends.
  func endBoundLeases() {
    let gone = Set(wakefulness.leases.compactMap(\.connection)).filter { server.connections[$0] == nil }
    for number in gone { attempt { try self.tellWakefulness(.connectionClosed(number)) } }
  }

  func leaseExpired(_ lease: Lease, _ end: Lease.End) {
    let why =
      switch end {
      case .time: "its time is over"
      case .process: "its process has ended"
      case .connection: "its client has gone"
      }
    Log.info("lease \(lease.id) of \(lease.owner) has ended: \(why)")
    if let line = lease.then { shell.run(line, "the command of lease \(lease.id)") }
    var members = leaseMembers(lease)
    members["because"] = .string(end.rawValue)
    server.broadcastEvent("leaseExpired", .object(members))
  }

  func leaseExpiring(_ lease: Lease) {
    var members = leaseMembers(lease)
    members["secondsLeft"] = .number((lease.until?.remaining(at: now) ?? .zero).inSeconds)
    server.broadcastEvent("leaseExpiring", .object(members))
  }

  private func leaseMembers(_ lease: Lease) -> [String: JSON] {
    [
      "id": .int(Int64(lease.id)), "owner": .string(lease.owner), "reason": .string(lease.reason),
      "kinds": .array(lease.kinds.map { .string($0) }),
    ]
  }
}
