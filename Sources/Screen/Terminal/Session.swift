import Glibc
import Platform
import Schedule
import Wire

/// The shell around the model: turns what comes from the terminal, the engine, the signals and the clock into events, does
/// the effects, and draws when something has happened. One thread.
final class Session {
  private let loop: EventLoop
  private let painter: CursesPainter
  private let connector: Connector
  private let chores: Chores
  private var model: Model
  private var decoder = KeyDecoder()

  private var client: Client?
  private var clientSource: DescriptorSource?
  private var pending: [Int64: Request] = [:]
  private var isConnecting = false

  private var sources: [EventSource] = []
  private var paintSoon: DeferredSource?
  private var faceTimer: TimerSource?
  private var deadlineTimer: TimerSource?
  private var keyTimer: TimerSource?
  private var paceTimer: TimerSource?
  private var clockWatch: ClockWatch?
  /// Waits while the terminal takes nothing.
  private var outputSource: DescriptorSource?
  private var lastPaint: Int64 = 0
  private var zone = Zone.current()
  /// When it was asked for (CLOCK_MONOTONIC in microseconds).
  private var zoneAt: Int64 = 0

  static let signals: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT]
  private static let zoneTime: Int64 = 10_000_000
  /// 30 frames a second at most.
  private static let leastPause: Int64 = 33_000

  init(
    painter: CursesPainter, client: Client, connector: Connector, chores: Chores,
    options: TerminalScreen.Options, charset: Charset, names: CalendarNames
  ) throws(SystemError) {
    loop = try EventLoop()
    (self.painter, self.connector, self.chores) = (painter, connector, chores)
    model = Model(
      now: Session.moment(in: zone), size: painter.size(), clock: options.clock, charset: charset,
      keys: options.keys,
      names: names, places: options.places)
    model.meterChoice = options.meter
    try watch()
    if let opening = options.opening { handle(.opened(opening)) }
    adopt(client)
  }

  /// Until the person leaves or a signal ends it; the exit status.
  func run() throws(SystemError) -> Int32 {
    defer { painter.leave() }
    return try loop.run()
  }

  private func watch() throws(SystemError) {
    paintSoon = try DeferredSource(loop) { [unowned self] in paint() }
    faceTimer = try TimerSource(loop, .wall) { [unowned self] in handle(.tick) }
    deadlineTimer = try TimerSource(loop, .monotonic) { [unowned self] in handle(.tick) }
    keyTimer = try TimerSource(loop, .monotonic) { [unowned self] in take(decoder.timeOut()) }
    paceTimer = try TimerSource(loop, .monotonic) { [unowned self] in paint() }
    clockWatch = try ClockWatch(loop) { [unowned self] in handle(.tick) }
    sources.append(try DescriptorSource(loop, STDIN_FILENO, .reading) { [unowned self] _ in readKeys() })
    let output = try DescriptorSource(loop, CursesPainter.descriptor, .writing) { [unowned self] _ in
      painter.sendRest()
      if painter.unsent.isEmpty { paint() }
      waitForTerminal()
    }
    output.setInterest([])
    outputSource = output
    sources.append(try connector.outcomes.deliver(on: loop) { [unowned self] in connectionEnded($0) })
    sources.append(try chores.outcomes.deliver(on: loop) { [unowned self] in handle($0) })
    for number in Session.signals {
      sources.append(try SignalSource(loop, number) { [unowned self] in signalled(number) })
    }
  }

  /// Now on the wall. The zone is seldom another one and costs two looks at the disk, so it is not asked for each second.
  private func now() -> Moment {
    let monotonic = Clocks.monotonicMicroseconds()
    if monotonic - zoneAt > Session.zoneTime { (zone, zoneAt) = (Zone.current(), monotonic) }
    return Session.moment(in: zone)
  }

  private static func moment(in zone: Zone) -> Moment {
    let instant = Instant(microseconds: Clocks.wallMicroseconds())
    let wall = WallTime(instant, offset: zone.offset(at: instant))
    return Moment(wall: wall, monotonic: Clocks.monotonicMicroseconds())
  }

  // MARK: - Events and effects

  private func handle(_ event: Event) {
    for effect in model.update(event, at: now()) { perform(effect) }
    paintSoon?.schedule()
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .request(let request): send(request)
    case .connect(let mayStart):
      if isConnecting { return }
      isConnecting = true
      connector.attempt(mayStart: mayStart)
    case .disconnect: drop()
    case .preview(let words, let changing):
      handle(.previewed(words, Preview(of: words, changing: changing, at: model.now.wall.instant)))
    case .readFolder(let path): chores.read(path)
    case .run(let words, let columns): chores.run(words, columns: columns)
    case .redraw: painter.forget()
    case .bell: painter.bell()
    case .quit: loop.stop(0)
    }
  }

  private func paint() {
    let now = Clocks.monotonicMicroseconds()
    if now - lastPaint < Session.leastPause {
      paceTimer?.arm(atMicroseconds: lastPaint + Session.leastPause)
      return
    }
    lastPaint = now
    // A terminal that is behind gets the newest picture when it has taken the old one.
    if !painter.unsent.isEmpty { return waitForTerminal() }
    let frame = view(model)
    painter.paint(frame)
    waitForTerminal()
    armTimers(frame.refresh)
  }

  private func waitForTerminal() { outputSource?.setInterest(painter.unsent.isEmpty ? [] : .writing) }

  /// The next second or minute of the wall, and the model's own deadline; nothing else wakes the process.
  private func armTimers(_ refresh: Refresh) {
    // Nobody looks at the seconds of a terminal without the focus; an alarm that rings is looked at from afar.
    let showsSeconds = refresh == .second && (model.hasFocus != false || model.shownRing != nil)
    let step: Int64 = showsSeconds ? 1_000_000 : 60_000_000
    let offset = Int64(model.now.wall.offset) * 1_000_000
    let wall = model.now.wall.instant.microseconds + offset
    let into = (wall % step + step) % step
    faceTimer?.arm(atMicroseconds: wall - into + step - offset)
    if let deadline = model.deadline {
      deadlineTimer?.arm(atMicroseconds: deadline)
    } else {
      deadlineTimer?.disarm()
    }
  }

  // MARK: - The terminal

  private func readKeys() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // The terminal has gone.
    guard count > 0 else { return loop.stop(128 + SIGHUP) }
    take(decoder.append(buffer[..<count]))
  }

  private func take(_ inputs: [KeyDecoder.Input]) {
    for input in inputs {
      switch input {
      case .key(let key): handle(.key(key))
      case .mouse(let mouse): handle(.mouse(mouse))
      case .paste(let text): handle(.paste(text))
      case .focus(let hasFocus): handle(.focus(hasFocus))
      case .answer(let answer): painter.take(answer)
      }
    }
    if decoder.isWaiting {
      keyTimer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + decoder.patience)
    } else {
      keyTimer?.disarm()
    }
  }

  private func signalled(_ number: Int32) {
    switch number {
    case SIGWINCH: handle(.resize(painter.size()))
    case SIGTSTP:
      painter.suspend()
      handle(.resize(painter.size()))
    case SIGCONT:
      painter.reappear()
      handle(.resize(painter.size()))
    default: loop.stop(128 + number)
    }
  }

  // MARK: - The engine

  private func adopt(_ client: Client) {
    do {
      clientSource = try DescriptorSource(loop, client.descriptor, .reading) { [unowned self] _ in receive() }
    } catch {
      return handle(.connectFailed(error.description))
    }
    self.client = client
    handle(.connected)
    // What came together with the answer to the greeting is in no socket any more.
    receive()
  }

  private func connectionEnded(_ outcome: Connector.Outcome) {
    isConnecting = false
    switch outcome {
    case .connected(let handover): adopt(handover.client)
    case .failed(let sentence): handle(.connectFailed(sentence))
    }
  }

  private func send(_ request: Request) {
    guard let client else { return }
    do {
      pending[try client.send(request.method, request.params)] = request
    } catch {
      lost(error)
    }
  }

  private func receive() {
    guard let client else { return }
    do {
      for message in try client.readAvailable() { take(message) }
    } catch {
      lost(error)
    }
  }

  private func lost(_ error: WireError) {
    guard client != nil else { return }
    drop()
    handle(.disconnected(error.description))
  }

  private func drop() {
    clientSource?.cancel()
    (clientSource, client) = (nil, nil)
    pending = [:]
  }

  private func take(_ message: Incoming) {
    switch message {
    case .notification("status", let params):
      // An engine whose status cannot be read is of another version; the greeting has told so already.
      if let status = try? params.decode(Status.self) { handle(.status(status)) }
    case .notification("levels", let params):
      if let levels = try? params.decode(Levels.self) { handle(.levels(levels)) }
    case .notification("event", let params):
      if let event = try? params.decode(OpenEvent.self), event.name == "open" {
        handle(.opened(event.data.occurrence))
      }
    case .reply(.int(let id), let result):
      guard let request = pending.removeValue(forKey: id) else { return }
      do {
        handle(.replied(request, .success(try Reply(to: request, result))))
      } catch {
        handle(.replied(request, .failure(error)))
      }
    case .failure(.int(let id), let error):
      if let request = pending.removeValue(forKey: id) { handle(.replied(request, .failure(error))) }
    default: break
    }
  }
}

/// The event that a notification was opened.
private struct OpenEvent: Decodable {
  struct Data: Decodable { var occurrence: String }
  var name: String
  var data: Data
}
