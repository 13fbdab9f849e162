import Core
import Platform
import Wire

// From somebody looking at it to the end: who is told, and what goes on in the background.
extension AlarmEngine {
  /// A client came, went, said who it is, or its terminal's focus is another.
  func clientsChanged() {
    live(.screens(server.screens))
    desktop.setSeen(server.hasSeenScreen)
    if !isEnding {
      updateWakefulness()
      endBoundLeases()
    }
    armPosition()
    statusChanged()
  }

  func live(_ event: LifeCycle.Event) {
    let steps = lifeCycle.handle(event)
    for step in steps {
      Log.debug("life cycle: \(step.rawValue)")
      server.broadcastEvent("lifecycle", ["state": .string(step.rawValue)])
    }
    guard !steps.isEmpty else { return }
    statusChanged()
    if steps.contains(.foreground) { enterForeground() }
    // The last screen may have gone while the machine slept.
    if lifeCycle.state == .background, wasForeground { enterBackground() }
    if !steps.isEmpty, lifeCycle.state != .suspending { wasForeground = lifeCycle.state.isForeground }
  }

  private func enterForeground() {
    readSettingsAgain()
    loudness.isPaused = false
    if pausedForBackground {
      pausedForBackground = false
      if player.transport == .paused { attempt { try self.tellPlayer(.play) } }
    }
    changeRings()
  }

  private func enterBackground() {
    if !settings.background.engine {
      return end(because: "its last screen has gone, and background.engine is off")
    }
    let modes = settings.background.modes
    loudness.isPaused = !modes.contains(.fetch)
    if !modes.contains(.audio), player.transport == .playing {
      pausedForBackground = true
      attempt { try self.tellPlayer(.pause) }
    }
    changeRings()
  }

  /// A ring is heard again, or no longer.
  private func changeRings() {
    guard !settings.background.modes.contains(.alarms) else { return }
    for occurrence in book.ringing {
      if let ring = book.ring(for: occurrence) { rings.change(heard(ring)) }
    }
  }

  /// The ring as it sounds now: without `alarms` among the modes it is only shown while no screen is attached.
  func heard(_ ring: Ring) -> Ring {
    guard !lifeCycle.state.isForeground, !settings.background.modes.contains(.alarms) else { return ring }
    var ring = ring
    ring.volume = 0
    return ring
  }

  /// What a screen says of its terminal.
  func focus(_ request: Request, _ params: Params) throws(WireError) {
    guard case .bool(let focused)? = params.members["focused"] else {
      throw WireError(code: ErrorCode.invalidParams, "“focused” must be true or false")
    }
    guard request.connection.isScreen else {
      throw WireError(code: ErrorCode.refused, "only a screen (“client”: “screen” in “hello”) has the focus")
    }
    request.connection.isFocused = focused
    request.connection.isSeen = focused
    request.reply(DoneReply())
    clientsChanged()
  }

  /// What whoever adds an alarm is to know of the time after the last screen.
  var backgroundDoubts: [String] {
    var sentences: [String] = []
    if !settings.background.engine {
      sentences.append(
        "background.engine is off: the engine ends with its last screen, and no alarm rings after that")
    } else if !settings.background.modes.contains(.alarms) {
      sentences.append(
        "background.modes is without alarms: with no screen open they are shown and not heard")
    }
    return sentences
  }
}
