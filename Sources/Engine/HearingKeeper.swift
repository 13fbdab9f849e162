import Audio
import Core
import Glibc
import Platform

/// Sees to it that a ring is heard: asks what stands between the output and an ear, raises for the ring what is muted or
/// too low, and puts it back afterwards.
///
/// Everything that waits is done by workers, one visit at a time. What is raised is stored before it is touched, so that
/// the next engine puts back what this one could not.
final class HearingKeeper {
  /// What it goes by.
  struct Surroundings: Equatable {
    /// ALSA's name of the device, and whether it is open.
    var device = ""
    var isOpen = false
    /// Why nothing comes out of it, whoever may listen: a sentence; empty where something does.
    var lost = ""
    /// Devices opened and streams made so far: where they change our sound may go another way.
    var generation = 0
    /// A ring is near, or on.
    var isHeld = false
    /// The rings that are to be heard.
    var rings: Set<OccurrenceID> = []
    var leastVolume = 30
  }

  private enum Visit {
    case look
    /// `isNew`: another ring has begun, so what a person changed during the one before counts anew.
    case raise(isNew: Bool)
    case putBack
  }

  private static let process = getpid()
  /// While a ring is on, or the output is not to be trusted, it is looked at again after so long (µs).
  private static let pause: Int64 = 5_000_000
  /// An open output is looked at now and then: its server may play to another sink by now. So long (µs) without being
  /// asked, and so soon again where somebody asks.
  private static let calm: Int64 = 120_000_000
  private static let soon: Int64 = 3_000_000
  /// A new stream takes a moment to be at its place.
  private static let settling: Int64 = 700_000
  /// How long the device is kept open so that our own stream can be put back as it was.
  private static let patience: Int64 = 10_000_000
  private static let mostTries = 40

  /// What the present output was last found to be; nil where nobody has asked.
  private(set) var hearing: Hearing?
  /// What was done for the ring that is on, in whole sentences.
  private(set) var deeds: [String] = []

  private let workers: Workers
  private let store: ([Change]) -> String?
  private let note: (String) -> Void
  private let changed: () -> Void
  private var timer: TimerSource?
  private var now = Surroundings()
  /// What is raised now, as it is stored.
  private(set) var raised: [RaisedLevel] = []
  private var wanted: (look: Bool, raise: Bool, isNew: Bool, putBack: Bool) = (false, false, false, false)
  /// The mutes and volumes that were looked at since the ring began: how they stand by now is what a person wants.
  private var met: Set<String> = []
  private var looked: Int64 = 0
  private var toldLost = ""
  private var isBusy = false
  /// Nobody has answered yet for the output as it now is.
  private var isUnasked = true
  private var tries = 0
  private var holdsUntil: Int64?
  private var ending: (() -> Void)?

  /// - Parameters:
  ///   - store: stores changes at once; the sentence where that fails.
  ///   - note: a sentence for the rings that are on.
  ///   - changed: `hearing`, `deeds` or `holdsDevice` is another.
  init(
    _ loop: EventLoop, _ workers: Workers, store: @escaping ([Change]) -> String?,
    note: @escaping (String) -> Void, changed: @escaping () -> Void
  ) throws(SystemError) {
    (self.workers, self.store, self.note, self.changed) = (workers, store, note, changed)
    timer = try TimerSource(loop, .monotonic, accuracy: 100_000) { [weak self] in self?.timeIsUp() }
  }

  /// What the engine before this one left raised. Before the first `update`.
  func take(_ levels: [RaisedLevel]) {
    raised = levels
    if !levels.isEmpty { wanted.putBack = true }
    hold()
  }

  /// The device is to stay open, because our own stream is to be put back.
  var holdsDevice: Bool { holdsUntil != nil }

  /// The ring that is near or on is not to be left to this output alone. Once that is so it stays so until nothing rings.
  private(set) var needsOthers = false
  /// Why that is so.
  private var doubt = ""

  func update(_ next: Surroundings) {
    guard next != now else { return }
    let old = now
    now = next
    if !next.rings.subtracting(old.rings).isEmpty {
      (wanted.raise, wanted.isNew, wanted.putBack) = (true, true, false)
      holdsUntil = nil
    } else if next.rings.isEmpty, !old.rings.isEmpty {
      deeds = []
      // What comes next, a snooze perhaps, may go to another output.
      (needsOthers, doubt) = (false, "")
      wanted.look = next.isOpen
      wanted.raise = false
      wanted.putBack = !raised.isEmpty
      tries = 0
      hold()
    }
    if next.isHeld, !old.isHeld { wanted.look = true }
    if next.lost != old.lost, !next.rings.isEmpty { wanted.look = true }
    if !next.isHeld, next.rings.isEmpty { (needsOthers, doubt) = (false, "") }
    if next.generation != old.generation || next.device != old.device {
      isUnasked = true
      arm(HearingKeeper.settling)
    }
    if old.isOpen, !next.isOpen { hearing = nil }
    go()
  }

  /// Puts back what can be put back; `done` is called afterwards, whatever came of it.
  func end(then done: @escaping () -> Void) {
    guard !raised.isEmpty, !isBusy else { return done() }
    now.rings = []
    ending = done
    (wanted.raise, wanted.putBack, holdsUntil) = (false, true, nil)
    go()
  }

  /// Somebody is about to rely on what is known: what is not of this moment is found out anew, and told when it is known.
  func refresh() {
    guard now.isOpen, Clocks.monotonicMicroseconds() - looked > HearingKeeper.soon else { return }
    wanted.look = true
    go()
  }

  // MARK: When

  private func timeIsUp() {
    if !now.rings.isEmpty, isUnasked { wanted.raise = true }
    if let until = holdsUntil, Clocks.monotonicMicroseconds() >= until {
      holdsUntil = nil
      changed()
    }
    if now.rings.isEmpty, !raised.isEmpty { wanted.putBack = true }
    if now.isOpen { wanted.look = true }
    go()
  }

  private func arm(_ microseconds: Int64) {
    timer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + microseconds)
  }

  /// Our own stream is only there while the device is open.
  private func hold() {
    let concernsStream = raised.contains { LevelControl(code: $0.control)?.isStream ?? false }
    guard concernsStream, now.rings.isEmpty else { return }
    holdsUntil = Clocks.monotonicMicroseconds() + HearingKeeper.patience
    arm(HearingKeeper.patience)
  }

  private func go() {
    guard !isBusy else { return }
    if wanted.raise {
      let isNew = wanted.isNew
      (wanted.raise, wanted.look, wanted.isNew) = (false, false, false)
      visit(.raise(isNew: isNew))
    } else if wanted.putBack, !(holdsDevice && !now.isOpen) {
      wanted.putBack = false
      putBack()
    } else if wanted.look {
      wanted.look = false
      visit(.look)
    }
  }

  private func armNext() {
    let isDoubtful = now.isOpen && hearing.map { !$0.isTrusted } ?? false
    if !now.rings.isEmpty || isDoubtful {
      arm(HearingKeeper.pause)
    } else if now.isOpen {
      arm(HearingKeeper.calm)
    }
  }

  // MARK: Looking and raising

  private func visit(_ purpose: Visit) {
    isBusy = true
    looked = Clocks.monotonicMicroseconds()
    let (device, isOpen, least) = (now.device, now.isOpen, now.leastVolume)
    workers.run("hearing", urgent: true) {
      OutputVisit(process: HearingKeeper.process).view(device: device, isOpen: isOpen, leastVolume: least)
        .judge(leastVolume: least)
    } then: { [weak self] found in
      guard let self else { return }
      isUnasked = found.isUnknown
      if case .raise(let isNew) = purpose {
        if raise(found, isNew: isNew) { return }
        return finish(found, tells: isNew)
      }
      finish(found)
    }
  }

  private func finish(_ found: Hearing, tells: Bool = false) {
    isBusy = false
    let isOther = found != hearing
    hearing = found
    // A person who turns it down during the ring means it; what cannot be raised is another matter.
    let isNear = now.isHeld || !now.rings.isEmpty
    if isNear, found.doubt != nil || (tells && !found.isTrusted) {
      needsOthers = true
      doubt = found.sentence
    }
    if isOther, !found.isTrusted, now.isHeld || !now.rings.isEmpty {
      Log.warning("what is played may not be heard: \(found.sentence)")
    }
    // With the other devices it may be trusted by now; why they sound is to be said all the same.
    let sentence = found.sentence.isEmpty && tells ? doubt : found.sentence
    if isOther || tells, !now.rings.isEmpty, !sentence.isEmpty { note(sentence) }
    tellLost(anew: tells)
    // The server plays to another sink since the ring began, which nobody has touched.
    if !now.rings.isEmpty, found.raises.contains(where: { !met.contains($0.control.code) }) {
      wanted.raise = true
    }
    if isOther { changed() }
    armNext()
    go()
  }

  /// The story of a ring says that nothing comes out, and that something does again.
  private func tellLost(anew: Bool) {
    guard !now.rings.isEmpty else {
      toldLost = ""
      return
    }
    guard anew || now.lost != toldLost else { return }
    if !now.lost.isEmpty {
      note(now.lost)
    } else if !toldLost.isEmpty {
      note("the sound device “\(clean(now.device))” takes sound again")
    }
    toldLost = now.lost
  }

  /// Raises what was found too low; false where there is nothing to raise.
  private func raise(_ found: Hearing, isNew: Bool) -> Bool {
    guard !now.rings.isEmpty else { return false }
    if isNew { met = [] }
    // During one and the same ring a level that was seen, and raised or not, is the person's.
    let raises = found.raises.filter { !met.contains($0.control.code) }
    met.formUnion(found.controls.map(\.code))
    guard !raises.isEmpty else { return false }
    for raise in raises {
      raised.removeAll { $0.control == raise.control.code }
      raised.append(
        RaisedLevel(control: raise.control.code, before: raise.before.code, after: raise.after.code))
    }
    // The ring comes first: where it cannot be stored it is raised all the same.
    if let sentence = store([.raised(raised)]) {
      Log.warning("\(sentence); what is raised for this ring stays raised if the engine is killed")
    }
    let (device, isOpen, least) = (now.device, now.isOpen, now.leastVolume)
    workers.run("hearing", urgent: true) { () -> ([LevelRaise], Hearing) in
      let visit = OutputVisit(process: HearingKeeper.process)
      let done = visit.raise(raises)
      return (done, visit.view(device: device, isOpen: isOpen, leastVolume: least).judge(leastVolume: least))
    } then: { [weak self] done, after in
      guard let self else { return }
      for raise in done {
        let sentence =
          raise.before.isMuted == true
          ? "\(raise.sentence): it is on for this ring" : "\(raise.sentence): it is raised for this ring"
        Log.info(sentence)
        deeds.append(sentence)
        note(sentence)
      }
      finish(after, tells: true)
      changed()
    }
    return true
  }

  // MARK: Putting back

  private func putBack() {
    isBusy = true
    let levels = raised
    workers.run("hearing", urgent: true) { () -> [LevelOutcome] in
      let visit = OutputVisit(process: HearingKeeper.process)
      return levels.map { level in
        guard let control = LevelControl(code: level.control), let before = OutputLevel(code: level.before),
          let after = OutputLevel(code: level.after)
        else { return .changedMeanwhile }
        return visit.putBack(control, from: after, to: before)
      }
    } then: { [weak self] outcomes in
      self?.havePutBack(levels, outcomes)
    }
  }

  private func havePutBack(_ levels: [RaisedLevel], _ outcomes: [LevelOutcome]) {
    isBusy = false
    tries += 1
    for (level, outcome) in zip(levels, outcomes) {
      let isStream = LevelControl(code: level.control)?.isStream ?? true
      switch outcome {
      case .putBack: Log.info("\(clean(level.control)) is as it was before the ring")
      case .changedMeanwhile:
        Log.info("\(clean(level.control)) was changed during the ring and is left alone")
      case .gone where isStream && !holdsDevice: break
      case .gone, .failed: continue
      }
      raised.removeAll { $0 == level }
    }
    if let sentence = store([.raised(raised)]) { Log.warning(sentence) }
    if raised.isEmpty || !raised.contains(where: { LevelControl(code: $0.control)?.isStream ?? false }) {
      holdsUntil = nil
    }
    changed()
    if let ending {
      self.ending = nil
      return ending()
    }
    // What is not there now may come back, for a while: a sound server that is being restarted, a plug.
    if !raised.isEmpty, tries < HearingKeeper.mostTries {
      arm(holdsDevice ? 300_000 : 3 * HearingKeeper.pause)
    }
    armNext()
    go()
  }
}

extension LevelControl {
  fileprivate var isStream: Bool { if case .stream = self { true } else { false } }
}
