import Glibc
import Platform
import Synchronization

/// By how much each file is made softer or louder, so that all sound alike.
///
/// Rings are always evened, to −14 LUFS at volume 100; music only where it is asked for, to −18 LUFS as ReplayGain has it.
/// What a file says of itself (ReplayGain, R128) counts before what was measured; what is neither stays as it is.
public final class Gains: Sendable {
  /// What music is evened by.
  public enum Mode: String, Sendable, CaseIterable {
    case off, track, album
  }

  enum Use {
    case ring, music
  }

  /// LUFS.
  static let ringTarget = -14.0
  static let musicTarget = -18.0
  /// Nothing is made louder than by this, or noise would be all there is (decibels).
  static let most = 20.0
  /// A ring may reach so far over full scale, where the limiter holds it; music never does.
  static let ringOver = 6.0

  private struct State {
    var mode = Mode.off
    var measured: [FileName: MeasuredLoudness] = [:]
  }

  /// Protects both, for a look or a change.
  private let state = Mutex(State())

  init() {}

  func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

  /// What was measured of a file that is about to be opened. Any thread.
  func put(_ measured: MeasuredLoudness, of file: FileName) {
    state.withLock { state in
      // Only what is about to be opened is of interest.
      if state.measured.count >= 256 { state.measured.removeAll() }
      state.measured[file] = measured
    }
  }

  /// The factor for a file, nil where nothing is known of it or nothing is to be done. Reads its tags: for workers.
  func factor(of file: FileName, for use: Use) -> Double? {
    let (mode, measured) = state.withLock { ($0.mode, $0.measured[file]) }
    if use == .music, mode == .off { return nil }
    let tags = (try? AudioFile(file)).map { GainTags(of: $0) } ?? GainTags()
    let trusted = measured.flatMap { MeasuredLoudness.Stamp(of: file) == $0.stamp ? $0 : nil }
    return Gains.decibels(tags, trusted, use == .ring ? .track : mode, isRing: use == .ring)
      .map(Loudness.factor(decibels:))
  }

  /// The rule.
  static func decibels(_ tags: GainTags, _ measured: MeasuredLoudness?, _ mode: Mode, isRing: Bool) -> Double?
  {
    let tag = mode == .album ? tags.album ?? tags.track : tags.track ?? tags.album
    let toMusic = tag ?? measured?.loudness.map { musicTarget - $0 }
    guard let toMusic else { return nil }
    let wanted = isRing ? toMusic + ringTarget - musicTarget : toMusic
    let peak =
      (mode == .album && tag != nil ? tags.albumPeak ?? tags.trackPeak : tags.trackPeak) ?? measured?.peak
    // A peak that nobody told may be full scale.
    let room = (isRing ? ringOver : 0) - (peak ?? 0)
    return max(-40, min(wanted, most, max(0, room)))
  }
}
