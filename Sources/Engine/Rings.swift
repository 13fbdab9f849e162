import Audio
import Core
import Platform
import Schedule

/// Carries rings from the book to the output: finds their files, hands them over ahead of time, and tells the book what
/// became of them.
///
/// Only what sounds, or is held to begin by itself, is at the output: a ring that a newer one covers costs no thread and
/// no decoding, however many there are. Its files are found and opened when it is uncovered. The one covered last, which
/// is the next to be uncovered, stays at the output where it was heard before.
///
/// A disk that hangs must not keep a ring from ringing: where the files are not found in time the built-in tone rings.
final class Rings {
  /// What the book is to be told.
  enum News {
    case attempting(OccurrenceID, source: String)
    /// `file`: which one of a folder or playlist.
    case sounding(OccurrenceID, source: String, file: FileName?)
    case failed(OccurrenceID, source: String, sentence: String)
  }

  static let builtInTone = "built-in tone"
  /// How long a ring waits for its files to be found.
  static let patience: Int64 = 1_000_000
  /// So many rings are held ahead. Of many that begin together one will sound, and the loop begins the others.
  static let mostHeld = 8
  /// So many files of a folder or playlist sound one behind the other before the first one sounds again.
  static let mostFiles = 100

  /// One sound with its files, which sound one behind the other.
  private struct Source: Sendable {
    let sound: String
    let files: [FileName]

    /// The file where it is not the sound itself, but one of a folder or playlist.
    func part(_ file: FileName) -> FileName? {
      guard let named = FileName(text: sound), named.isAbsolute, named != file else { return nil }
      return file
    }
  }

  private struct Found: Sendable {
    var sources: [Source] = []
    var failures: [(sound: String, sentence: String)] = []
  }

  private struct Entry {
    var ring: Ring
    /// CLOCK_MONOTONIC at which it begins; nil: now.
    var beginsAt: Int64?
    /// What was handed to the output; nil until then, and again while it is covered.
    var sources: [Source]?
    /// Tells this request for files from an older one; 0: none was made.
    var search: UInt64 = 0
    /// Rings without its files until they are found.
    var isMakeshift = false
    var hasBegun = false
  }

  private let sounds: RingOutputs
  private let workers: Workers
  private let finder: SoundSources
  private let loudness: LoudnessKeeper
  private let tell: (News) -> Void
  private var timer: TimerSource?
  private var entries: [OccurrenceID: Entry] = [:]
  private var lastSearch: UInt64 = 0
  private var held: Set<OccurrenceID> = []
  /// The one covered last, silent at the output.
  private var covered: OccurrenceID?

  init(
    _ loop: EventLoop, _ sounds: RingOutputs, _ workers: Workers, _ finder: SoundSources,
    _ loudness: LoudnessKeeper, tell: @escaping (News) -> Void
  ) throws(SystemError) {
    (self.sounds, self.workers, self.finder, self.tell) = (sounds, workers, finder, tell)
    self.loudness = loudness
    timer = try TimerSource(loop, .monotonic) { [weak self] in self?.losePatience() }
  }

  // MARK: What the book wants

  func prepare(_ ring: Ring, atMonotonic instant: Int64) {
    let id = ring.occurrence
    entries[id] = Entry(ring: ring, beginsAt: instant)
    keepOpen()
    guard held.count < Rings.mostHeld else { return }
    held.insert(id)
    search(for: id)
  }

  /// Rings now; one that was prepared has begun by itself.
  func start(_ ring: Ring) {
    let id = ring.occurrence
    held.remove(id)
    if let entry = entries[id], entry.ring.sounds == ring.sounds, entry.ring.volume == ring.volume {
      entries[id]?.ring = ring
      if entry.sources == nil { entries[id]?.beginsAt = nil }
      if ring.sounding { uncover(id) } else { cover(id) }
      return
    }
    begin(anew: ring)
  }

  func stop(_ id: OccurrenceID) {
    held.remove(id)
    if covered == id { covered = nil }
    guard entries.removeValue(forKey: id) != nil else { return }
    sounds.stopRing(id.description)
    keepOpen()
  }

  func setSounding(_ id: OccurrenceID, _ sounding: Bool) {
    guard entries[id] != nil else { return }
    entries[id]?.ring.sounding = sounding
    if sounding { uncover(id) } else { cover(id) }
  }

  /// Another label, sound, volume or fade from now on.
  func change(_ ring: Ring) {
    let id = ring.occurrence
    guard let old = entries[id]?.ring else { return }
    entries[id]?.ring = ring
    if old.sounds != ring.sounds || (old.volume == 0) != (ring.volume == 0) {
      sounds.stopRing(id.description)
      begin(anew: ring)
    } else if old.volume != ring.volume {
      sounds.changeRing(id.description, volume: ring.volume)
    }
  }

  // MARK: Covered and uncovered

  private func begin(anew ring: Ring) {
    let id = ring.occurrence
    held.remove(id)
    if covered == id { covered = nil }
    entries[id] = Entry(ring: ring)
    keepOpen()
    if ring.sounding { search(for: id) }
  }

  private func uncover(_ id: OccurrenceID) {
    if covered == id { covered = nil }
    guard let entry = entries[id] else { return }
    if entry.sources != nil {
      sounds.setRingSounding(id.description, true)
    } else if entry.search == 0 {
      entries[id]?.beginsAt = nil
      search(for: id)
    }
  }

  private func cover(_ id: OccurrenceID) {
    guard let entry = entries[id], entry.sources != nil, entry.hasBegun else { return letGo(id) }
    sounds.setRingSounding(id.description, false)
    if let covered, covered != id { letGo(covered) }
    covered = id
  }

  /// Takes it from the output until it is uncovered; then it begins anew.
  private func letGo(_ id: OccurrenceID) {
    if covered == id { covered = nil }
    guard let entry = entries[id] else { return }
    if entry.sources != nil { sounds.stopRing(id.description) }
    entries[id] = Entry(ring: entry.ring)
  }

  /// Between two of them the device stays open, also while the files of the next are looked for.
  private func keepOpen() { sounds.expectRings(entries.values.contains { $0.ring.volume > 0 }) }

  // MARK: What the output says

  func began(_ name: String, source index: Int, _ file: FileName?) {
    guard let id = OccurrenceID(name), let sources = entries[id]?.sources else { return }
    entries[id]?.hasBegun = true
    guard index < sources.count else {
      return tell(.sounding(id, source: Rings.builtInTone, file: nil))
    }
    tell(.sounding(id, source: sources[index].sound, file: file.flatMap { sources[index].part($0) }))
  }

  /// It has gone on to another file.
  func turned(_ name: String, source index: Int, _ file: FileName) { began(name, source: index, file) }

  func failed(_ name: String, source index: Int, _ error: AudioError) {
    guard let id = OccurrenceID(name), let sources = entries[id]?.sources, index < sources.count else {
      return
    }
    tell(.failed(id, source: sources[index].sound, sentence: error.description))
    if index + 1 < sources.count {
      tell(.attempting(id, source: sources[index + 1].sound))
    }
  }

  // MARK: Files

  private func search(for id: OccurrenceID) {
    guard let ring = entries[id]?.ring else { return }
    // Notification only: nothing is opened and nothing is heard.
    if ring.volume == 0 {
      entries[id]?.sources = []
      return
    }
    lastSearch += 1
    let number = lastSearch
    entries[id]?.search = number
    let finder = finder
    let names = ring.sounds
    guard !names.isEmpty else { return handOver(id, number, Found()) }
    timer?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + Rings.patience)
    workers.run("ring-files", urgent: true) { () -> Found in
      var found = Found()
      for name in names {
        do throws(AudioError) {
          found.sources.append(
            Source(sound: name, files: Array(try finder.files(of: name).prefix(Rings.mostFiles))))
        } catch {
          found.failures.append((name, error.description))
        }
      }
      return found
    } then: { [weak self] found in
      guard let self, let entry = entries[id], entry.search == number else { return }
      // The tone is heard already: it goes on, a change of sound would only confuse.
      if entry.isMakeshift, entry.hasBegun { return }
      handOver(id, number, found)
    }
  }

  private func handOver(_ id: OccurrenceID, _ number: UInt64, _ found: Found) {
    // By what is told it may be covered, changed or gone.
    var isWanted: Bool { entries[id]?.search == number }
    for (sound, sentence) in found.failures { tell(.failed(id, source: sound, sentence: sentence)) }
    guard isWanted else { return }
    // Stored before it is opened: a file whose decoding kills the engine is passed over after the restart.
    if let first = found.sources.first { tell(.attempting(id, source: first.sound)) }
    guard isWanted, var entry = entries[id] else { return }
    entry.sources = found.sources
    entry.isMakeshift = false
    entries[id] = entry
    begin(entry)
  }

  private func begin(_ entry: Entry) {
    let ring = entry.ring
    let name = ring.occurrence.description
    let sources = (entry.sources ?? []).map(\.files)
    for file in sources.joined() { loudness.announce(file) }
    sounds.prepareRing(
      name, sources: sources, volume: ring.volume, fade: ring.fade,
      atMonotonic: entry.beginsAt)
  }

  private func losePatience() {
    for (id, entry) in entries where entry.sources == nil && entry.search != 0 {
      Log.warning("the sound of \(id) was not found in time; the built-in tone takes its place")
      var makeshift = entry
      makeshift.sources = []
      makeshift.isMakeshift = true
      entries[id] = makeshift
      begin(makeshift)
    }
  }
}
