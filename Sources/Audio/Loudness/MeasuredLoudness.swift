import CEbur128
import Glibc
import Platform
import Synchronization

/// How loud a file is, measured by EBU R128, and which file that was.
public struct MeasuredLoudness: Hashable, Sendable {
  /// Bytes, and when it was last changed (µs since 1970): what tells that a file is another one by now.
  public struct Stamp: Hashable, Sendable {
    public var size: Int64
    public var changedAt: Int64

    public init(size: Int64, changedAt: Int64) { (self.size, self.changedAt) = (size, changedAt) }

    /// nil where there is no such file. Blocks on the disk: for workers. (`stat`)
    public init?(of file: FileName) {
      var status = stat()
      guard file.withCPath({ stat($0, &status) }) == 0 else { return nil }
      self.init(
        size: Int64(status.st_size),
        changedAt: Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec / 1000))
    }
  }

  public var stamp: Stamp
  /// Integrated loudness in LUFS; nil for what is silent or too short to say.
  public var loudness: Double?
  /// The largest sample in decibels of full scale.
  public var peak: Double

  public init(stamp: Stamp, loudness: Double?, peak: Double) {
    (self.stamp, self.loudness, self.peak) = (stamp, loudness, peak)
  }

  /// So much of a file counts; what is longer is a recording that is much the same throughout.
  static let most = Duration.seconds(1800)

  /// Decodes the file to its end and measures it, at the lowest priority of the calling thread, which keeps it: for a
  /// thread of its own. `isCancelled` is looked at several times a second.
  ///
  /// - Returns: nil where it was cancelled.
  public static func measure(_ file: FileName, isCancelled: () -> Bool) throws(AudioError)
    -> MeasuredLoudness?
  {
    // On Linux 0 is the calling thread and not the process (setpriority(2), notes).
    setpriority(__priority_which_t(UInt32(PRIO_PROCESS.rawValue)), 0, 19)
    guard let stamp = Stamp(of: file) else { throw .cannotOpen(file, errno) }
    let decoder = try openDecoder(file)
    let (rate, channels) = (decoder.format.rate, decoder.format.channels)
    var state = reveille_ebur128_make(UInt32(channels), UInt(rate))
    guard let meter = state else { throw .hasNoMemory(file) }
    defer { ebur128_destroy(&state) }
    if channels == 1 { reveille_ebur128_mono(meter) }
    let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: 8192 * channels)
    defer { room.deallocate() }
    var left = Int64(most.seconds) * Int64(rate)
    while left > 0 {
      if isCancelled() { return nil }
      let count = try decoder.read(into: room)
      if count == 0 { break }
      ebur128_add_frames_float(meter, room.baseAddress, count)
      left -= Int64(count)
    }
    var loudness = 0.0
    ebur128_loudness_global(meter, &loudness)
    var peak = 0.0
    for channel in 0..<UInt32(channels) {
      var one = 0.0
      if ebur128_sample_peak(meter, channel, &one) == 0 { peak = max(peak, one) }
    }
    return MeasuredLoudness(
      stamp: stamp, loudness: loudness.isFinite && loudness > -70 ? loudness : nil,
      peak: peak > 0 ? 20 * log10(peak) : -120)
  }
}
