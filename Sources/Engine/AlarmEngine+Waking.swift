import Core
import Platform
import Schedule
import Wire

// Leases and the keep-alive.
extension AlarmEngine {
  func tellWakefulness(_ event: Wakefulness.Event) throws(WireError) {
    let effects: [Wakefulness.Effect]
    do {
      effects = try wakefulness.handle(event, at: now)
    } catch {
      throw WireError(code: ErrorCode.refused, error.description)
    }
    for effect in effects {
      switch effect {
      case .keepAlive(let on, let why):
        sounds.setKeepAlive(on)
        Log.info(on ? "the device is kept awake: \(why ?? "")" : "the device is no longer kept awake")
      case .armLease(let deadline):
        if let deadline {
          leaseTimer.arm(
            atMicroseconds: Clocks.bootMicroseconds() + max(.zero, deadline.remaining(at: now)).microseconds)
        } else {
          leaseTimer.disarm()
        }
      case .leaseExpired(let lease):
        Log.info("the lease of \(lease.owner) has ended")
        server.broadcastEvent("leaseExpired", ["id": .int(Int64(lease.id)), "owner": .string(lease.owner)])
      case .save(let changes): keep(changes)
      }
    }
    statusChanged()
  }

  /// Tells what the keep-alive depends on. Called after everything that may have changed it; time alone may have.
  func updateWakefulness() {
    let now = now
    surroundings.nextAlarm = book.soonest(at: now).map { ($0.alarm, $0.at) }
    surroundings.isRinging = !book.ringing.isEmpty
    surroundings.hasTrack = player.hasTrack
    attempt { try self.tellWakefulness(.surroundings(self.surroundings)) }
    sounds.holdOpen(book.needsDevice(at: now))
  }
}
