import Audio
import Core
import Glibc
import Platform
import Schedule
import Wire

// The methods of the socket.
extension AlarmEngine {
  func serve(_ request: Request) {
    answer(request) {
      guard !isEnding else { throw WireError(code: ErrorCode.connectionLost, "the engine is ending") }
      // Its params are not looked at by name: there may be a megabyte of them.
      if request.method == "import" { return try self.importAlarms(request) }
      try self.dispatch(request, Params(request.params))
    }
  }

  /// Does it, and answers with its error where there is one.
  func answer(_ request: Request, _ body: () throws -> Void) {
    do {
      try body()
    } catch let error as WireError {
      request.fail(error)
    } catch {
      request.fail(WireError(code: ErrorCode.refused, "\(error)"))
    }
  }

  private func dispatch(_ request: Request, _ params: Params) throws {
    complaints = []
    try params.expectOnlyKnown(to: request.method)
    switch request.method {
    case "hello": try hello(request, params)
    case "focus": try focus(request, params)
    case "status":
      request.reply(status())
      // Whoever has mended it looks again.
      if !missing.isEmpty { lookForMissing() }
    case "settings": request.reply(settingsReply)
    case "subscribe": try subscribe(request, params)
    case "add": try add(request, params)
    case "edit": try edit(request, params)
    case "list":
      let after = try params.integer("after", in: 0...Int.max)
      let alarms = after.map { book.all(after: $0, limit: Methods.listPage) } ?? book.all
      request.reply(alarms: alarms.map(shapes.entry))
    case "show": request.reply(shapes.entry(try existing(try params.id())))
    case "remove":
      request.reply(changed(try tell(try params.flag("spent") ? .removeSpent : .remove(try params.ids()))))
    case "on": reply(request, changed(try tell(.setEnabled(try params.ids(), true))))
    case "off": request.reply(changed(try tell(.setEnabled(try params.ids(), false))))
    case "export": try exportAlarms(request, params)
    case "skip": request.reply(changed(try tell(.skip(try skip(params)))))
    case "undo": request.reply(changed(try tell(.undo)))
    case "next":
      let count = try params.integer("count", in: 1...10_000) ?? 1
      request.reply(book.nextOccurrences(count, at: now).map { shapes.next($0.alarm, $0.due) })
    case "timer": try timer(request, params)
    case "ring":
      var answer = done(try tell(.rehearse(try params.id())))
      answer.warnings += ringDoubts
      request.reply(answer)
    case "snooze":
      let span = try params.span("span")
      try AlarmWords.requireDay(span, "a snooze", "5m")
      request.reply(
        done(
          try tell(
            .snooze(id: try params.optionalID(), span: span, by: request.connection.hand))))
    case "dismiss":
      request.reply(done(try tell(.dismiss(id: try params.optionalID(), by: request.connection.hand))))
    case "stop": request.reply(try stop(by: request.connection.hand))
    case "inbox": request.reply(try inbox(params))
    case "badge": request.reply(BadgeReply(badge: book.badge))
    case "log": try log(request, params)
    case "engine.stop":
      request.reply(DoneReply(lines: ["the engine has stopped"]))
      end(because: "a client asked for it")
    default:
      guard
        try playerMethod(request, params) || queueMethod(request, params) || outputMethod(request, params)
          || leaseMethod(request, params) || doctorMethod(request)
      else {
        throw WireError(
          code: ErrorCode.unknownMethod, "there is no method “\(clean(request.method, atMost: 60))”")
      }
    }
  }

  var shapes: AlarmShapes { AlarmShapes(book: book, now: now) }

  /// The answer to a change. `shapes` copies the book, so it is asked for only here, after the change.
  private func changed(_ answer: AlarmBook.Answer) -> AlarmReply { shapes.reply(answer) }

  private func done(_ answer: AlarmBook.Answer) -> DoneReply {
    DoneReply(lines: shapes.lines(answer), warnings: answer.warnings)
  }

  /// A warning for whoever is about to rely on a sound, where the output is known to reach nobody.
  var doubts: [String] {
    hearing.refresh()
    let output = outputStatus(sounds.status)
    return output.audible ? [] : [output.reason ?? "nobody will hear it"]
  }

  /// The same for whoever is about to rely on a ring, which sounds on other devices where they can be opened.
  var ringDoubts: [String] {
    let lacking = Set(missing.map(\.device))
    let others = settings.output.alarmDevices.filter {
      $0 != effectiveSettings.output.device && $0 != "null" && !lacking.contains($0)
    }
    let doubts = doubts
    guard !others.isEmpty else { return doubts }
    let names = others.map { "“\(clean($0))”" }.joined(separator: ", ")
    return doubts.map { "\(Finding.withoutVerdict($0)); alarms are tried on \(names) instead" }
  }

  private func existing(_ id: Int) throws(WireError) -> Alarm {
    guard let alarm = book.alarm(id) else {
      throw WireError(
        code: ErrorCode.refused, "there is no alarm \(id); “alarm list” shows those there are")
    }
    return alarm
  }

  // MARK: Clients

  private func hello(_ request: Request, _ params: Params) throws(WireError) {
    if let version = try params.integer("protocol", in: 0...Int.max), version != Methods.protocolVersion {
      throw WireError(
        code: ErrorCode.refused,
        "this engine (version \(options.version)) speaks protocol \(Methods.protocolVersion), not \(version): restart it with “alarm engine stop”"
      )
    }
    let client = try params.text("client")
    request.connection.isScreen = client == "screen"
    request.connection.hand = client == "screen" ? .screen : client == "command" ? .commandLine : .program
    request.reply(Hello(protocol: Methods.protocolVersion, version: options.version, pid: getpid()))
    clientsChanged()
  }

  private func subscribe(_ request: Request, _ params: Params) throws(WireError) {
    var events: Set<String> = []
    switch params.members["events"] {
    case nil, .null?: break
    case .array(let names)?:
      for name in names {
        guard case .string(let text) = name, events.count < 64 else {
          throw WireError(code: ErrorCode.invalidParams, "“events” must be an array of names")
        }
        events.insert(text)
      }
    default: throw WireError(code: ErrorCode.invalidParams, "“events” must be an array of names")
    }
    let motion = try params.flag("motion", otherwise: true)
    let wish = try params.text("levels") ?? LevelsWish.never.rawValue
    guard let levels = LevelsWish(rawValue: wish) else {
      let known = LevelsWish.allCases.map(\.rawValue).joined(separator: ", ")
      throw WireError(code: ErrorCode.invalidParams, "“levels” must be one of \(known)")
    }
    let status = status()
    request.reply(status)
    if !server.hasSubscribers { noteTold(status) }
    request.connection.isSubscribed = true
    request.connection.wantsMotion = motion
    request.connection.levels = levels
    request.connection.events = request.connection.isBound ? events.union(["leaseExpiring"]) : events
    armPosition()
    updateLevels()
  }

  // MARK: Alarms

  private func add(_ request: Request, _ params: Params) throws {
    let words = try AlarmWords(adding: params, now: now.wall, machine: now.zone)
    try checkSound(words, request) { [self] in
      var answer = changed(try tell(.add(words.draft)))
      answer.warnings = words.warnings + answer.warnings
      reply(request, answer)
    }
  }

  private func edit(_ request: Request, _ params: Params) throws {
    let id = try params.id()
    let words = try AlarmWords(editing: try existing(id), params, now: now.wall, machine: now.zone)
    try checkSound(words, request) { [self] in
      // Somebody may have changed it while the sound was looked at: what this request does not name is theirs.
      let words = try AlarmWords(editing: try existing(id), params, now: now.wall, machine: now.zone)
      var answer = changed(try tell(.edit(id, words.draft, namesTime: words.namesTime)))
      answer.warnings = words.warnings + answer.warnings
      reply(request, answer)
    }
  }

  /// Goes on once the sound that was named is known to be there and to be decodable; a worker looks, because that may
  /// take long.
  private func checkSound(_ words: AlarmWords, _ request: Request, then proceed: @escaping () throws -> Void)
    throws
  {
    guard let sound = words.soundToCheck else { return try proceed() }
    let finder = finder
    try later(request, "sound-check") { () -> WireError? in
      do throws(AudioError) {
        try finder.check(sound)
        return nil
      } catch {
        return WireError(code: ErrorCode.refused, error.description)
      }
    } then: { problem in
      if let problem { throw problem }
      try proceed()
    }
  }

  /// Lets a worker do what may take long, and then answers the request.
  func later<Value: Sendable>(
    _ request: Request, _ name: String, _ work: @escaping @Sendable () -> Value,
    then proceed: @escaping (Value) throws -> Void
  ) throws(WireError) {
    let connection = try opening(request)
    workers.run(name, work) { [weak self] value in
      self?.answer(request) { try proceed(value) }
      connection.requestAnswered()
    }
  }

  /// The same for what a device or a sound server is asked, which may never answer: then the request is refused with
  /// `silence`, and what there is to do about it. `unasked` begins the refusal where too much hangs already for it to be
  /// asked at all.
  func asking<Value: Sendable>(
    _ request: Request, _ name: String, orElse silence: String, or unasked: String,
    _ work: @escaping @Sendable () -> Value,
    then proceed: @escaping (Value) throws -> Void
  ) throws(WireError) {
    let connection = try opening(request)
    workers.ask(name, work) { [weak self] reply in
      self?.answer(request) {
        switch reply {
        case .answer(let value): try proceed(value)
        case .silence:
          throw WireError(
            code: ErrorCode.refused, "\(silence); try again, or see what “alarm doctor” finds")
        case .notAsked:
          throw WireError(
            code: ErrorCode.refused,
            "\(unasked): \(Workers.mostQuestions) questions before it still wait for a sound server or device that does not "
              + "answer; restart the sound server, or see what “alarm doctor” finds")
        }
      }
      connection.requestAnswered()
    }
  }

  /// Counts a request that is answered later; its connection has to be told by `requestAnswered`.
  func opening(_ request: Request) throws(WireError) -> Connection {
    let connection = request.connection
    guard connection.openRequests < Connection.Limits.openRequests else {
      throw WireError(code: ErrorCode.refused, "too many requests are open: wait for their answers first")
    }
    connection.openRequests += 1
    return connection
  }

  private func skip(_ params: Params) throws(WireError) -> AlarmBook.Skip {
    let id = try params.optionalID()
    let isAll = try params.flag("all")
    guard (id == nil) == isAll else {
      throw WireError(code: ErrorCode.invalidParams, "“skip” takes either “id” or “all”")
    }
    let until = try params.text("until")
    if try params.flag("off") {
      guard until == nil else {
        throw WireError(code: ErrorCode.invalidParams, "“skip” takes either “until” or “off”")
      }
      return .off(id)
    }
    guard let until else {
      guard let id else {
        throw Params.wrong("to skip all alarms say up to when: alarm skip --all --until DATE")
      }
      return .next(id)
    }
    let zone = id.flatMap { book.alarm($0)?.zone } ?? now.zone
    let date = try AlarmWords.date(until, "until", now.wall, zone)
    return id.map { .until($0, date) } ?? .all(date)
  }

  private func timer(_ request: Request, _ params: Params) throws(WireError) {
    let text = try params.required("span")
    let span: Duration
    do {
      span = try Span.parse(text)
    } catch {
      throw Params.wrong(error.description)
    }
    let label = try AlarmWords.bounded(try params.text("label") ?? "", "label", AlarmWords.longestLabel)
    reply(request, changed(try tell(.addTimer(span, label: label))))
  }

  private func stop(by hand: Hand) throws(WireError) -> DoneReply {
    if !book.ringing.isEmpty { return done(try tell(.stopRinging(by: hand))) }
    guard player.transport != .stopped else {
      let isComing = playOrder != nil
      overrulePlayOrder()
      return DoneReply(lines: [isComing ? "what was to be played is not played" : "nothing sounds"])
    }
    try tellPlayer(.stop)
    return DoneReply(lines: ["the music has stopped"], warnings: complaints)
  }
}
