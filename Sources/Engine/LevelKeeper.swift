import Audio
import Core
import Platform
import Wire

/// Tells whoever shows a meter how loud what is heard is. While nobody asked, or nothing plays, no timer runs and nothing is
/// measured. On the loop's thread.
final class LevelKeeper {
  /// Ten times a second, in microseconds.
  private static let pause: Int64 = 100_000

  private let sounds: SoundSystem
  private unowned let server: Server
  private var timer: TimerSource?
  private var isOn = false
  private var isOnBattery = false
  /// Up to when it was told (CLOCK_MONOTONIC in microseconds).
  private var told: Int64 = 0

  init(_ loop: EventLoop, _ sounds: SoundSystem, _ server: Server) throws(SystemError) {
    (self.sounds, self.server) = (sounds, server)
    timer = try TimerSource(loop, .monotonic, accuracy: 10_000) { [weak self] in self?.tell() }
  }

  /// Called after everything that it depends on may be another.
  func update(isPlaying: Bool, isOnBattery: Bool) {
    self.isOnBattery = isOnBattery
    let isOn = isPlaying && server.wantsLevels(onBattery: isOnBattery)
    guard isOn != self.isOn else { return }
    self.isOn = isOn
    sounds.measureLevels(isOn)
    guard isOn else {
      timer?.disarm()
      return
    }
    told = Clocks.monotonicMicroseconds()
    timer?.arm(atMicroseconds: told + LevelKeeper.pause)
  }

  private func tell() {
    guard isOn else { return }
    let now = Clocks.monotonicMicroseconds()
    timer?.arm(atMicroseconds: now + LevelKeeper.pause)
    if let levels = sounds.levels(after: told, until: now) {
      server.broadcastLevels(
        Outgoing.notification(method: "levels", params: Levels(levels)), onBattery: isOnBattery)
    }
    told = now
  }
}

extension Levels {
  /// Tenths are finer than anything that shows them.
  init(_ levels: SoundLevels) {
    func rounded(_ decibels: Double) -> Double { (decibels * 10).rounded() / 10 }
    self.init(
      peak: levels.channels.map { rounded($0.peak) }, rms: levels.channels.map { rounded($0.rms) })
  }
}

extension LevelsWish {
  func holds(onBattery: Bool) -> Bool { self == .always || self == .onMains && !onBattery }
}

extension AlarmEngine {
  /// Somebody began or ceased to show a meter, the music began or ended, or the power comes from elsewhere.
  func updateLevels() {
    levels.update(
      isPlaying: player.transport == .playing && !isEnding, isOnBattery: inhibitors.power?.isOnBattery == true
    )
    followPower()
  }

  /// The kernel is asked for the battery again and again only while something goes by it.
  func followPower() {
    let leasesDo =
      settings.awake.onBattery != .yes && wakefulness.leases.contains { $0.kinds.contains(Lease.system) }
    let metersDo = player.transport == .playing && server.hasLevelsOnMains
    inhibitors.followPower(leasesDo || metersDo)
  }
}
