import Platform

/// A file as frames for one output: decoded, its channels mapped, resampled. Not thread-safe: one worker owns it.
///
/// Where rate and channels agree with the file's, samples pass bit for bit.
public final class TrackReader {
  /// What the file holds, before conversion.
  public var format: SourceFormat { decoder.format }
  public var tags: Tags { decoder.tags }
  /// Frames a second that come out.
  public let rate: Int
  /// Samples in a frame that comes out.
  public let channels: Int

  private let decoder: any Decoder
  private let map: ChannelMap
  private let resampler: Resampler?
  /// As the decoder gives them; `chunk` frames.
  private let raw: UnsafeMutableBufferPointer<Float>
  /// With the target's channels; `waiting` are the frames of it that the resampler has not taken yet.
  private let mapped: UnsafeMutableBufferPointer<Float>
  private var waiting = 0..<0
  private var isDrained = false
  private var clock: SourceClock

  private static let chunk = 2048

  /// Takes the decoder over.
  public init(_ decoder: any Decoder, rate: Int, channels: Int) throws(AudioError) {
    let source = decoder.format
    (self.decoder, self.rate, self.channels) = (decoder, rate, channels)
    map = ChannelMap(from: source.channels, to: channels)
    resampler =
      rate == source.rate ? nil : try Resampler(from: source.rate, to: rate, channels: channels)
    raw = .allocate(capacity: TrackReader.chunk * source.channels)
    mapped = .allocate(capacity: TrackReader.chunk * channels)
    clock = SourceClock(sourceRate: source.rate, rate: rate)
  }

  /// Opens the file too; throws as `openDecoder`.
  public convenience init(_ file: FileName, rate: Int, channels: Int) throws(AudioError) {
    try self.init(try openDecoder(file), rate: rate, channels: channels)
  }

  deinit {
    raw.deallocate()
    mapped.deallocate()
  }

  /// The frame of the source that the next frame to come out begins at.
  public var position: Int64 { clock.position }

  /// Fills whole frames into `samples` (room for a multiple of `channels`); the number of frames, 0 only at the end or
  /// where there is no room. May block on the disk and takes the processor: for workers.
  public func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    let room = samples.count / channels
    var filled = 0
    while filled < room {
      let rest = UnsafeMutableBufferPointer(rebasing: samples[(filled * channels)..<(room * channels)])
      let got = if let resampler { try resampled(by: resampler, into: rest) } else { try plain(into: rest) }
      if got == 0 { break }
      filled += got
      clock.advance(by: got)
    }
    return filled
  }

  /// Goes to a frame of the source, clamped to the file; `position` says where that was.
  public func seek(toSourceFrame frame: Int64) throws(AudioError) {
    resampler?.reset()
    waiting = 0..<0
    isDrained = false
    try decoder.seek(toFrame: frame)
    let clamped = min(max(0, frame), format.frames ?? .max)
    clock = SourceClock(sourceRate: format.rate, rate: rate, start: decoder.position ?? clamped)
  }

  /// A sentence for the log about damage met since the last call, or nil.
  public func takeComplaint() -> String? { decoder.takeComplaint() }

  /// Straight from the decoder, through the map where it does something.
  private func plain(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    if map.isIdentity { return try decode(into: samples) }
    let wanted = min(samples.count / channels, TrackReader.chunk) * map.from
    let got = try decode(into: UnsafeMutableBufferPointer(rebasing: raw[..<wanted]))
    map.apply(UnsafeBufferPointer(raw), into: samples, frames: got)
    return got
  }

  private func resampled(
    by resampler: Resampler, into samples: UnsafeMutableBufferPointer<Float>
  ) throws(AudioError) -> Int {
    while true {
      if waiting.isEmpty, !isDrained {
        let got = try plain(into: mapped)
        waiting = 0..<got
        isDrained = got == 0
      }
      if isDrained { return resampler.flush(into: samples) }
      let input = UnsafeBufferPointer(
        rebasing: mapped[(waiting.lowerBound * channels)..<(waiting.upperBound * channels)])
      let (consumed, produced) = resampler.process(input, into: samples)
      waiting = (waiting.lowerBound + consumed)..<waiting.upperBound
      if produced > 0 { return produced }
    }
  }

  private func decode(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    let got = try decoder.read(into: samples)
    clock.decoded(got, upTo: decoder.position)
    return got
  }
}
