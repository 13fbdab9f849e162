import Audio
import Core
import Platform

/// Where rings sound: the one output that everything sounds on, and, where that one is not trusted to be heard, each of
/// `output.alarmDevices` besides.
///
/// Such another output is a small sound system of its own that only ever holds rings: it has its own thread, so that a
/// device that hangs holds up no other, and it is gone when nothing rings any more.
final class RingOutputs {
  private struct Entry {
    /// As `SoundSystem.prepareRing` takes them.
    var sources: [[FileName]]
    var volume: Int
    var fade: Duration
    var atMonotonic: Int64?
    var isSounding = true
  }

  private let loop: EventLoop
  private let main: SoundSystem
  private let told: (OccurrenceID, String) -> Void
  private let changed: () -> Void
  private var rings: [String: Entry] = [:]
  private var others: [(device: String, sounds: SoundSystem)] = []
  /// What was measured of the files that ring.
  private var known: [FileName: MeasuredLoudness] = [:]

  /// - Parameters:
  ///   - told: a sentence for one ring, which is on or about to begin.
  ///   - changed: another output was opened or closed.
  init(
    _ loop: EventLoop, _ main: SoundSystem, told: @escaping (OccurrenceID, String) -> Void,
    changed: @escaping () -> Void
  ) {
    (self.loop, self.main, self.told, self.changed) = (loop, main, told, changed)
  }

  /// Devices opened and streams made by the others; where it changes, our sound goes another way.
  var generation: Int {
    others.reduce(0) { $0 + $1.sounds.status.opens + $1.sounds.status.streams }
  }

  private var all: [SoundSystem] { [main] + others.map(\.sounds) }

  // MARK: Rings, as `SoundSystem` has them

  func know(_ measured: MeasuredLoudness, of file: FileName) {
    if known.count >= 64 { known = [:] }
    known[file] = measured
    for sounds in all { sounds.know(measured, of: file) }
  }

  func prepareRing(_ id: String, sources: [[FileName]], volume: Int, fade: Duration, atMonotonic: Int64?) {
    rings[id] = Entry(sources: sources, volume: volume, fade: fade, atMonotonic: atMonotonic)
    for sounds in all {
      sounds.prepareRing(id, sources: sources, volume: volume, fade: fade, atMonotonic: atMonotonic)
    }
  }

  func setRingSounding(_ id: String, _ sounding: Bool) {
    rings[id]?.isSounding = sounding
    for sounds in all { sounds.setRingSounding(id, sounding) }
  }

  func changeRing(_ id: String, volume: Int) {
    rings[id]?.volume = volume
    for sounds in all { sounds.changeRing(id, volume: volume) }
  }

  /// More rings than those at the outputs may sound soon. The others are open for as long as they are there.
  func expectRings(_ on: Bool) { main.expectRings(on) }

  func stopRing(_ id: String) {
    rings[id] = nil
    for sounds in all { sounds.stopRing(id) }
  }

  // MARK: Other devices

  /// Rings sound on these devices besides, from here on; those that are no longer named end.
  func setOthers(_ devices: [String]) {
    for (device, sounds) in others where !devices.contains(device) { end(device, sounds) }
    others.removeAll { !devices.contains($0.device) }
    for device in devices where !others.contains(where: { $0.device == device }) {
      do throws(SystemError) {
        let sounds = try SoundSystem(loop: loop, settings: SoundSettings(device: device)) {
          [weak self] report in
          self?.hear(report, device)
        }
        others.append((device, sounds))
        Log.info("the output is not trusted to be heard: rings sound on “\(clean(device))” too")
        sounds.holdOpen(true)
        for (file, measured) in known { sounds.know(measured, of: file) }
        for (id, ring) in rings { begin(id, ring, on: sounds) }
      } catch {
        Log.warning("rings cannot sound on “\(clean(device))” too: \(error)")
      }
    }
  }

  /// Closes every device before the machine sleeps; `done` is called when the main one is closed.
  func suspend(then done: @escaping () -> Void) {
    for (_, sounds) in others { sounds.suspend {} }
    main.suspend(then: done)
  }

  /// Goes on where it was.
  func resume() { for sounds in all { sounds.resume() } }

  /// Lets go of everything but the main output, for the end of the engine.
  func end() { setOthers([]) }

  private func begin(_ id: String, _ ring: Entry, on sounds: SoundSystem) {
    sounds.prepareRing(
      id, sources: ring.sources, volume: ring.volume, fade: ring.fade, atMonotonic: ring.atMonotonic)
    if !ring.isSounding { sounds.setRingSounding(id, false) }
  }

  private func end(_ device: String, _ sounds: SoundSystem) {
    // It lives until its device is closed, or a second at the most.
    sounds.shutDown(within: .seconds(1)) { withExtendedLifetime(sounds) {} }
  }

  private func hear(_ report: SoundReport, _ device: String) {
    switch report {
    case .ringStarted(let id, _, _, _):
      Log.debug("ring \(id) is heard on “\(clean(device))” too")
      if rings[id] != nil, let id = OccurrenceID(id) { told(id, "it rings on “\(clean(device))” too") }
    case .interrupted(let reason): Log.warning("“\(clean(device))”: \(reason)")
    case .statusChanged: changed()
    default: break
    }
  }
}
