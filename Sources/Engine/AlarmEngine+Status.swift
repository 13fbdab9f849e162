import Audio
import Core
import Glibc
import Platform
import Schedule
import Wire

// Everything at a glance, and who is told.
extension AlarmEngine {
  func status() -> Status {
    let now = now
    let shapes = AlarmShapes(book: book, now: now)
    var status = Status(
      engine: Status.Engine(
        pid: getpid(), version: options.version, startedAt: startedAt.iso(in: now.zone), socket: paths.socket,
        configErrors: configErrors, configWarnings: configWarnings, storeErrors: keeper.troubles))
    status.lifecycle = lifeCycle.state.rawValue
    status.player = playerStatus()
    status.queue.length = player.queue.count
    status.queue.index = player.queue.index
    status.queue.repeat = player.queue.repeats.rawValue
    status.queue.shuffle = player.queue.isShuffled
    status.queue.stopAfter = player.stopsAfter
    status.queue.changes = player.queue.changes
    let output = sounds.status
    status.output = outputStatus(output)
    // Nothing is kept awake while the device is away, whatever is wanted.
    status.keepAlive.active = wakefulness.isKeptAlive && output.state != .interrupted && sleep == .awake
    status.keepAlive.mode = output.keepAlive.mode.rawValue
    status.keepAlive.signal = output.keepAlive.signal.rawValue
    // Why it is on, and what it is made of and why.
    let reasons = [wakefulness.why, wakefulness.isKeptAlive ? output.keepAlive.why : nil]
    status.keepAlive.why =
      reasons.contains { $0 != nil } ? reasons.compactMap { $0 }.joined(separator: "; ") : nil
    if let why = wakefulness.why, !status.keepAlive.active {
      // The reason alone would read as one for being off.
      status.keepAlive.why =
        "not while \(sleep == .awake ? "the device is away" : "the machine sleeps") (\(why))"
    }
    status.awake.leases = wakefulness.leases.map { lease($0, now) }
    status.awake.inhibitors = inhibitors.states.map {
      Status.Inhibitor(what: $0.what, mode: $0.mode, by: $0.by, held: $0.isHeld, refused: $0.refused)
    }
    status.awake.wakeUp = wakeUpStatus
    status.alarms.count = book.count
    status.alarms.enabled = book.enabledCount
    status.alarms.changes = book.changes
    status.alarms.next = book.nextOccurrences(1, at: now).first.map { alarm, due in
      Status.Next(id: alarm, label: book.alarm(alarm)?.label ?? "", at: due.instant.iso(in: now.zone))
    }
    status.ringing = book.ringing.map(shapes.ringing)
    status.snoozed = book.snoozed.map(shapes.snoozed)
    status.inbox = shapes.inbox(bytes: 200_000, count: 50)
    status.badge = book.badge
    return status
  }

  private func playerStatus() -> Status.Player {
    var result = Status.Player()
    switch player.transport {
    case .stopped: result.state = "stopped"
    case .playing: result.state = "playing"
    case .paused: result.state = "paused"
    case .interrupted: result.state = "interrupted"
    }
    if player.hasTrack, let track = player.track {
      result.track = Status.Track(
        path: track.path, title: track.title, artist: track.artist, album: track.album,
        duration: track.duration?.inSeconds)
      result.position = heardPosition.inSeconds
    }
    result.sleepAt = player.sleep?.shownEnd(at: now).iso(in: now.zone)
    result.volume = player.volume
    result.muted = player.isMuted
    return result
  }

  func outputStatus(_ output: OutputStatus) -> Status.Output {
    var result = Status.Output()
    result.device = output.device
    result.state = output.state.rawValue
    let heard = output.state == .running ? hearing.hearing : nil
    let reasons =
      [output.reason].filter { !$0.isEmpty } + (heard.map { [$0.sentence] } ?? []).filter { !$0.isEmpty }
      + hearing.deeds
    result.reason = reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    // Of a closed device nothing is known that would make anybody doubt it.
    result.audible =
      (output.audible || output.state == .closed && output.reason.isEmpty) && (heard?.isAudible ?? true)
    result.rate = output.rate == 0 ? nil : output.rate
    result.channels = output.channels == 0 ? nil : output.channels
    result.format = output.format.isEmpty ? nil : output.format
    result.opens = output.opens
    result.underruns = output.underruns
    result.streams = output.streams
    result.framesWritten = output.framesWritten
    return result
  }

  func lease(_ lease: Lease, _ now: Moment) -> Status.Lease {
    Status.Lease(
      id: lease.id, owner: lease.owner, reason: lease.reason, kinds: lease.kinds,
      expiresAt: lease.until?.shownEnd(at: now).iso(in: now.zone),
      secondsLeft: lease.until.map { max(.zero, $0.remaining(at: now)).inSeconds },
      renewalsLeft: lease.renewalsLeft)
  }

  // MARK: Telling

  /// Something may be another; those who look are told at the end of this round of the loop.
  func statusChanged() { statusWork.schedule() }

  func statusLine() -> [UInt8] { Outgoing.notification(method: "status", params: status()) }

  /// The track is elsewhere than who was told last must think: a seek, or a device that took its time to begin.
  func hasJumped(to position: Double, isPlaying: Bool) -> Bool {
    let since = isPlaying ? Double(Clocks.monotonicMicroseconds() - toldPlace.at) / 1e6 : 0
    return abs(position - toldPlace.position - since) > 0.4
  }

  /// The first who subscribes has been told this, and is told again only where something is another.
  func noteTold(_ status: Status) {
    lastStatus = status.withoutMotion
    toldPlace = (status.player.position, Clocks.monotonicMicroseconds())
  }

  /// Sends the status where it differs in more than what only time moves.
  func publishStatus(evenUnchanged: Bool = false) {
    showToServiceManager()
    guard server.hasSubscribers else {
      lastStatus = nil
      return
    }
    let status = status()
    let still = status.withoutMotion
    let isMotion =
      still == lastStatus
      && !hasJumped(to: status.player.position, isPlaying: status.player.state == "playing")
    if isMotion, !evenUnchanged || !server.hasMotionSubscribers { return }
    lastStatus = still
    if !isMotion { toldPlace = (status.player.position, Clocks.monotonicMicroseconds()) }
    server.broadcastStatus(Outgoing.notification(method: "status", params: status), motionOnly: isMotion)
  }
}

// What `systemctl status` shows.
extension AlarmEngine {
  /// Which alarm rings, or is the next.
  private func showToServiceManager() {
    guard ServiceManager.isListening, !isEnding else { return }
    let line = lineForServiceManager()
    guard line != lastShown else { return }
    lastShown = line
    ServiceManager.show(line)
  }

  private func lineForServiceManager() -> String {
    func named(_ id: Int) -> String {
      let label = book.alarm(id)?.label ?? ""
      return label.isEmpty ? "alarm \(id)" : "alarm \(id) “\(label)”"
    }
    if let ring = book.ringing.first { return "\(named(ring.id.alarm)) rings" }
    let now = now
    guard let (alarm, due) = book.nextOccurrences(1, at: now).first else { return "no alarm is to ring" }
    return "\(named(alarm)) rings at \(due.instant.iso(in: now.zone))"
  }
}

extension Status {
  /// Without what moves by itself, so that only a change is told.
  fileprivate var withoutMotion: Status {
    var still = self
    still.player.position = 0
    still.output.framesWritten = 0
    for place in still.awake.leases.indices { still.awake.leases[place].secondsLeft = nil }
    return still
  }
}
