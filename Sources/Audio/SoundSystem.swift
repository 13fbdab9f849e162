import Platform

/// Everything that is heard: one track, any number of rings and the silent clip, mixed into one open device.
///
/// Made and used on the loop's thread only; nothing here waits for a file or a device. What happens is told through
/// `report`, on the same thread, never from within a call made here.
public final class SoundSystem {
  private let report: (SoundReport) -> Void
  private var settings: SoundSettings

  /// Opens nothing yet.
  public init(loop: EventLoop, settings: SoundSettings, report: @escaping (SoundReport) -> Void)
    throws(SystemError)
  {
    self.settings = settings
    self.report = report
  }

  /// Takes other settings; a device that is open is changed only where it must be.
  public func apply(_ settings: SoundSettings) { self.settings = settings }

  /// The silent clip: the device is opened and kept awake until this is off again.
  public func setKeepAlive(_ on: Bool) {}

  /// Opens the device ahead of a ring and feeds it silence, so that the ring can be placed on its time line.
  public func holdOpen(_ on: Bool) {}

  /// Opens and decodes a track ahead in place of the one loaded now; `loaded` or `loadFailed` follows with `token`.
  public func load(_ file: FileName, token: UInt64, at position: Duration, startPlaying: Bool) {}

  /// Plays from where it was paused, or as soon as it is loaded.
  public func play() {}
  /// Fades out over 20 ms and keeps the place.
  public func pause() {}
  /// Fades out over 20 ms and unloads the track.
  public func stop() {}
  /// Goes to a place in the track, clamped to it; playing or paused as before.
  public func seek(to position: Duration) {}

  /// 0 … 100 on the scale of `Loudness`; 100 leaves every sample as it is. Rings are not touched by it.
  public func setMusicVolume(_ percent: Int, muted: Bool) {}

  /// The place in the track that is heard now; nil where nothing is loaded.
  public var position: Duration? { nil }

  /// Gets a ring ready to begin at an instant of CLOCK_MONOTONIC (µs), nil: now. From then on it needs neither the
  /// loop nor, for its first seconds, the disk. `sources` are tried in order, the built-in tone comes last; what plays
  /// loops until `stopRing`. It fades in from −40 dB over `fade`. An `id` that is known is replaced.
  public func prepareRing(
    _ id: String, sources: [FileName], volume: Int, fade: Duration, atMonotonic: Int64?
  ) {}

  /// A ring that is covered by a newer one is silent until it is uncovered.
  public func setRingSounding(_ id: String, _ sounding: Bool) {}

  /// Another volume, at once.
  public func changeRing(_ id: String, volume: Int) {}

  /// Fades out over 20 ms and forgets the ring.
  public func stopRing(_ id: String) {}

  /// A snapshot.
  public var status: OutputStatus { OutputStatus() }

  /// Fades everything out, closes the device and calls `done`; after `limit` at the latest, whatever the device does.
  public func shutDown(within limit: Duration, done: @escaping () -> Void) {}
}
