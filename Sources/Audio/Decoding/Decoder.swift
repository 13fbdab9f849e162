import Platform

/// What a file holds.
public struct SourceFormat: Hashable, Sendable {
  /// Frames a second.
  public var rate: Int
  /// Samples in a frame, in the order that WAVE gives them: L R C LFE …
  public var channels: Int
  /// Frames in all, where that is known for certain; a truncated file's promise is not.
  public var frames: Int64?
  /// Bits of a sample where the file keeps whole numbers, else nil (Vorbis, Opus, MP3, float WAV).
  public var bits: Int?

  public init(rate: Int, channels: Int, frames: Int64?, bits: Int?) {
    (self.rate, self.channels, self.frames, self.bits) = (rate, channels, frames, bits)
  }

  /// Length in seconds, where known.
  public var duration: Double? { frames.map { Double($0) / Double(max(1, rate)) } }
}

/// What a file says of itself, as it stands there: not sanitised, empty where it says nothing.
public struct Tags: Hashable, Sendable {
  public var title = ""
  public var artist = ""
  public var album = ""
  public init() {}
}

/// One open audio file, read from front to back. Not thread-safe: one worker owns it.
///
/// Samples are 32-bit floats, −1 … 1, interleaved; 16- and 24-bit files come through exactly (value / 2^(bits−1)).
public protocol Decoder: AnyObject {
  var format: SourceFormat { get }
  var tags: Tags { get }

  /// Fills whole frames into `samples` (room for a multiple of `format.channels`); the number of frames, 0 at the end.
  /// Damage that can be skipped is skipped and told through `takeComplaint`.
  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int

  /// Goes to a frame; clamped to the file.
  func seek(toFrame frame: Int64) throws(AudioError)

  /// A sentence for the log about damage met since the last call, or nil.
  func takeComplaint() -> String?

  /// The frame that the next read begins at, where the decoder may jump over damage; nil: it never jumps, and whoever
  /// reads may count.
  var position: Int64? { get }
}

extension Decoder {
  public var position: Int64? { nil }
}

/// What went wrong with a file or a device, as a sentence for people: the thing, the cause and the way out.
public struct AudioError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// No such file, or it may not be read.
    case unreadable
    /// It is there, but it is not audio that can be decoded.
    case undecodable
    /// The device cannot be opened, configured or written.
    case device
    /// Another program holds the device.
    case busy
  }
  public let kind: Kind
  /// Sanitised.
  public let description: String

  public init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    description = sentence
  }
}
