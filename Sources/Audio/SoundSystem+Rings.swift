import Platform

/// A ring that was prepared.
struct Ring {
  var plan: RingPlan
  /// What it rings with, best first: each sound is a file, or files that sound one behind the other.
  let sources: [[FileName]]
  var feeder: Feeder
  var voice: Voice
  /// The source that was opened last.
  var source: Int
  /// The file of it that sounds, or is about to.
  var file: FileName?
  var isTold = false
  /// Sources that failed, so that one is not complained of twice.
  var failed: Set<Int> = []
}

extension SoundSystem {
  /// Gets a ring ready to begin at an instant of CLOCK_MONOTONIC (µs), nil: now. From then on it needs neither the
  /// loop nor, for its first seconds, the disk. `sources` are tried in order, the built-in tone comes last. Each is one
  /// sound: its files sound one behind the other, and again from the first until `stopRing`; those that cannot be played
  /// are left out. It fades in from −40 dB over `fade`. An `id` that is known is replaced. The device is open
  /// from here on: some ten seconds ahead are enough.
  public func prepareRing(
    _ id: String, sources: [[FileName]], volume: Int, fade: Duration, atMonotonic: Int64?
  ) {
    let plan = RingPlan(
      id: id, level: Loudness.factor(percent: volume), fade: max(0, fade.seconds), atMonotonic: atMonotonic)
    // A ring comes before everything: a machine that rings is not asleep.
    resume()
    rings.removeValue(forKey: id)?.feeder.cancel()
    startRing(plan, sources, replacing: nil)
    reconsider()
  }

  /// Rings will be prepared soon, or one behind the other: the device is open for them until this is off again.
  public func expectRings(_ on: Bool) {
    guard on != expectsRings else { return }
    expectsRings = on
    reconsider()
  }

  private func startRing(_ plan: RingPlan, _ sources: [[FileName]], replacing old: Ring?) {
    let feeder: Feeder
    do throws(SystemError) {
      feeder = try makeFeeder()
    } catch {
      Log.error("the ring “\(clean(plan.id))” cannot be prepared: \(error)")
      return
    }
    let voice = Voice(
      id: feeder.job, format: voiceFormat, seconds: 3, isExact16: false, bell: feeder.bell)
    var ring = Ring(plan: plan, sources: sources, feeder: feeder, voice: voice, source: sources.count)
    if let old { (ring.isTold, ring.failed) = (old.isTold, old.failed) }
    rings[plan.id] = ring
    feeder.begin(voice)
    stage.send(.ring(plan, voice, replacing: old != nil))
    do throws(SystemError) {
      try feeder.startRing(sources, wakes: stage.bell)
    } catch {
      // No thread to be had: the mixer's tone needs none.
      Log.error("the sound of ring “\(clean(plan.id))” cannot be read: \(error)")
      voice.ring.finish()
    }
  }

  /// The same sound in another format.
  func refeedRing(_ id: String) {
    guard let ring = rings[id] else { return }
    ring.feeder.cancel()
    startRing(ring.plan, ring.sources, replacing: ring)
  }

  /// A ring that is covered by a newer one is silent until it is uncovered.
  public func setRingSounding(_ id: String, _ sounding: Bool) {
    guard rings[id] != nil else { return }
    rings[id]?.plan.isSounding = sounding
    stage.send(.ringSounding(id, sounding))
  }

  /// Another volume, at once.
  public func changeRing(_ id: String, volume: Int) {
    guard rings[id] != nil else { return }
    let level = Loudness.factor(percent: volume)
    rings[id]?.plan.level = level
    stage.send(.ringLevel(id, level))
  }

  /// Fades out over 20 ms and forgets the ring.
  public func stopRing(_ id: String) {
    guard let ring = rings.removeValue(forKey: id) else { return }
    ring.feeder.cancel()
    stage.send(.dropRing(id))
    reconsider()
  }

  func ringSourceFailed(_ id: String, _ source: Int, _ error: AudioError) {
    guard let ring = rings[id], !ring.failed.contains(source) else { return }
    rings[id]?.failed.insert(source)
    if ring.source == source { rings[id]?.source = ring.sources.count }
    report(.ringSourceFailed(id, source: source, error))
  }

  func ringStarted(_ id: String, _ voice: UInt64, _ instant: Int64, byTone: Bool) {
    // The tone is told once; the file that takes over from it is told then.
    guard let ring = rings[id], ring.voice.id == voice, !ring.isTold || !byTone else { return }
    rings[id]?.isTold = true
    report(
      .ringStarted(
        id, source: byTone ? ring.sources.count : ring.source, file: byTone ? nil : ring.file,
        atMonotonic: instant))
  }

  func ringTurned(_ id: String, _ source: Int, _ file: FileName) {
    rings[id]?.file = file
    if rings[id]?.isTold == true { report(.ringTurned(id, source: source, file: file)) }
  }
}
