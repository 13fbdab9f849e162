import Core
import Platform
import Schedule
import Wire

// Leases and the keep-alive.
extension AlarmEngine {
  /// Gives an event to Core and does what it answers; the lease that was taken or renewed.
  @discardableResult
  func tellWakefulness(_ event: Wakefulness.Event) throws(WireError) -> Lease? {
    let effects: [Wakefulness.Effect]
    do {
      effects = try wakefulness.handle(event, at: now)
    } catch {
      throw WireError(error)
    }
    var granted: Lease?
    for effect in effects {
      switch effect {
      case .save(let changes): keep(changes)
      case .granted(let lease): granted = lease
      case .expiring(let lease): leaseExpiring(lease)
      case .expired(let lease, let end): leaseExpired(lease, end)
      case .armLease(let deadline):
        if let deadline {
          leaseTimer.arm(
            atMicroseconds: Clocks.bootMicroseconds() + max(.zero, deadline.remaining(at: now)).microseconds)
        } else {
          leaseTimer.disarm()
        }
      case .keepAlive(let on, let why):
        sounds.setKeepAlive(on)
        Log.info(on ? "the device is kept awake: \(why ?? "")" : "the device is no longer kept awake")
      case .hold(let wanted): inhibitors.hold(wanted)
      }
    }
    leaseWatches.update(wakefulness.leases)
    followPower()
    statusChanged()
    return granted
  }

  /// Tells what the keep-alive depends on. Called after everything that may have changed it; time alone may have.
  func updateWakefulness() {
    let now = now
    surroundings.nextAlarm = book.soonest(at: now).map { ($0.alarm, $0.at) }
    surroundings.isRinging = !book.ringing.isEmpty
    surroundings.isSnoozed = !book.snoozed.isEmpty
    surroundings.hasTrack = player.hasTrack
    surroundings.isPlaying = player.transport == .playing
    surroundings.hasScreen = server.hasScreen
    wakeUps.setRing(surroundings.nextAlarm?.at)
    surroundings.canWake = !(wakeUps.isImpossible && inhibitors.sleepFacts?.canSleep == true)
    surroundings.isLidClosed = inhibitors.sleepFacts?.isLidClosed ?? false
    surroundings.power = inhibitors.power
    attempt { try self.tellWakefulness(.surroundings(self.surroundings)) }
    updateHearing()
    holdDevice()
    updateNightWatch()
  }

  /// The device is open, with silence, for whoever needs it so.
  func holdDevice() {
    sounds.holdOpen(book.needsDevice(at: now) || hearing.holdsDevice || doctorHolds)
  }

  // MARK: Being heard

  /// Tells what it depends on whether a ring is heard. Called with `updateWakefulness` and when the output is another.
  func updateHearing() {
    guard !isEnding else { return }
    let output = sounds.status
    var surroundings = HearingKeeper.Surroundings()
    surroundings.device = output.device
    surroundings.isOpen = output.state == .running
    if !output.audible, !output.reason.isEmpty {
      let reason = output.reason
      surroundings.lost = reason.hasPrefix("nobody will hear") ? reason : "nobody hears it: \(reason)"
    }
    surroundings.generation = output.opens + output.streams + ringOutputs.generation
    surroundings.isHeld = book.needsDevice(at: now)
    // One that is notification only needs no loudspeaker.
    surroundings.rings = Set(
      book.ringing.filter { (book.ring(for: $0)?.volume ?? 0) > 0 }.map(\.id))
    surroundings.leastVolume = settings.alarm.leastVolume
    hearing.update(surroundings)
    updateOthers()
    tellDesktopOfSound()
  }

  /// Where the output is not trusted to be heard, the other devices for alarms sound besides; one that does so already
  /// in the place of the first is left out.
  private func updateOthers() {
    var devices: [String] = []
    if hearing.needsOthers, !isEnding {
      for device in settings.output.alarmDevices
      where device != sounds.status.device && device != effectiveSettings.output.device
        && !devices.contains(device)
      {
        devices.append(device)
      }
    }
    ringOutputs.setOthers(devices)
  }

  /// What the person is to know of everything that rings.
  func noteRings(_ sentence: String) {
    for occurrence in book.ringing {
      attempt { try self.tell(.ringNoted(occurrence.id, sentence: sentence)) }
    }
  }

  func hearingChanged() {
    updateOthers()
    tellDesktopOfSound()
    holdDevice()
    statusChanged()
  }
}
