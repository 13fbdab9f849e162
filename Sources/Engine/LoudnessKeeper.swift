import Audio
import Core
import Platform
import Synchronization

/// Measures how loud files are, one after the other in the background, each once, and keeps that in the store.
///
/// A ring or a track never waits for it: what is not measured yet sounds as it is. At rest there is no thread.
final class LoudnessKeeper {
  /// How many files of one sound, a folder or playlist say, and how many at all wait to be measured.
  static let mostOfSound = 16
  static let mostWaiting = 256

  private enum Outcome: Sendable {
    case measured(MeasuredLoudness)
    case failed(String)
    case cancelled
  }

  /// A file whose measuring never came to its end so often is left alone: it may be what killed the engine.
  static let mostAttempts = 2

  private let sounds: RingOutputs
  private let workers: Workers
  private let keeper: Keeper
  private let finder: SoundSources
  private var waiting: [FileName] = []
  private var isBusy = false
  private var isEnding = false
  /// Sounds as they are named and files that were dealt with since the start.
  private var lookedUp: Set<String> = []
  private var done: Set<FileName> = []
  private let stop = Flag()

  /// Raised once, seen by the worker.
  private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    func raise() { value.store(true, ordering: .relaxed) }
    var isRaised: Bool { value.load(ordering: .relaxed) }
  }

  init(_ sounds: RingOutputs, _ workers: Workers, _ keeper: Keeper, _ finder: SoundSources) {
    (self.sounds, self.workers, self.keeper, self.finder) = (sounds, workers, keeper, finder)
  }

  /// A file is about to be opened: what is known of it is handed on, and looked at again where the file is another one by
  /// now.
  func announce(_ file: FileName) {
    if let kept = keeper.loudness(of: file.text), kept.attempts == 0 {
      sounds.know(MeasuredLoudness(kept), of: file)
    }
    done.remove(file)
    want(files: [file])
  }

  /// These sounds are to ring one day (`FileName.text` or names).
  func want(sounds names: some Sequence<String>) {
    let fresh = names.filter { lookedUp.insert($0).inserted }
    guard !fresh.isEmpty, !isEnding else { return }
    let finder = finder
    workers.run("sounds") {
      fresh.flatMap { (try? finder.files(of: $0))?.prefix(LoudnessKeeper.mostOfSound) ?? [] }
    } then: { [weak self] files in
      self?.want(files: files)
    }
  }

  func want(files: [FileName]) {
    guard !isEnding else { return }
    for file in files where waiting.count < LoudnessKeeper.mostWaiting && done.insert(file).inserted {
      waiting.append(file)
    }
    if done.count > 10_000 { done = Set(waiting) }
    next()
  }

  /// Lets go of what is being measured.
  func end() {
    isEnding = true
    waiting = []
    stop.raise()
  }

  private func next() {
    guard !isBusy, !isEnding, !waiting.isEmpty else { return }
    isBusy = true
    let file = waiting.removeFirst()
    workers.run("loudness") {
      MeasuredLoudness.Stamp(of: file)
    } then: { [weak self] stamp in
      self?.consider(file, stamp)
    }
  }

  private func consider(_ file: FileName, _ stamp: MeasuredLoudness.Stamp?) {
    let kept = keeper.loudness(of: file.text)
    var entry = FileLoudness(
      path: file.text, size: stamp?.size ?? 0, changedAt: stamp?.changedAt ?? 0, loudness: nil, peak: 0)
    if let kept, kept.size == entry.size, kept.changedAt == entry.changedAt { entry.attempts = kept.attempts }
    let isKnown = kept.map { $0.size == entry.size && $0.changedAt == entry.changedAt && $0.attempts == 0 }
    guard stamp != nil, isKnown != true, entry.attempts < LoudnessKeeper.mostAttempts, !isEnding else {
      isBusy = false
      return next()
    }
    // Stored before it is opened, as a ring's source is: a file that kills the engine must not do it for ever.
    entry.attempts += 1
    if let sentence = keeper.save([.loudness(entry)]) { Log.debug(sentence) }
    let stop = stop
    workers.run("loudness") { () -> Outcome in
      do throws(AudioError) {
        return try MeasuredLoudness.measure(file) { stop.isRaised }.map { .measured($0) } ?? .cancelled
      } catch {
        return .failed(error.description)
      }
    } then: { [weak self] outcome in
      self?.finish(file, entry, outcome)
    }
  }

  private func finish(_ file: FileName, _ entry: FileLoudness, _ outcome: Outcome) {
    isBusy = false
    var entry = entry
    switch outcome {
    case .measured(let measured):
      let loudness = measured.loudness.map { "\(($0 * 10).rounded() / 10) LUFS" } ?? "silent"
      Log.debug("“\(file.shown)” is \(loudness)")
      entry = FileLoudness(file, measured)
      sounds.know(measured, of: file)
    case .failed(let sentence):
      Log.debug("loudness: \(sentence)")
      return next()
    case .cancelled: entry.attempts -= 1
    }
    if let sentence = keeper.save([.loudness(entry)]) { Log.debug(sentence) }
    next()
  }
}

extension MeasuredLoudness {
  init(_ kept: FileLoudness) {
    self.init(
      stamp: Stamp(size: kept.size, changedAt: kept.changedAt),
      loudness: kept.loudness.map { Double($0) / 1000 }, peak: Double(kept.peak) / 1000)
  }
}

extension FileLoudness {
  init(_ file: FileName, _ measured: MeasuredLoudness) {
    self.init(
      path: file.text, size: measured.stamp.size, changedAt: measured.stamp.changedAt,
      loudness: measured.loudness.map { Int(($0 * 1000).rounded()) },
      peak: Int((measured.peak * 1000).rounded()))
  }
}

extension AlarmEngine {
  /// Has every sound measured that may ring, and the music where it is evened.
  func measureSounds() {
    loudness.want(
      sounds: [settings.alarm.sound] + book.sounds.sorted())
    guard settings.player.gain != .off, player.hasTrack else { return }
    // The one that plays, and what comes after it.
    let files = player.queue.upcoming(4).compactMap { FileName(text: $0.path) }
    loudness.want(files: Array(files))
  }
}
