/// How loud something is set, in the units of whoever keeps it.
public struct OutputLevel: Hashable, Sendable {
  /// nil where it cannot be muted.
  public var isMuted: Bool?
  /// A number a channel; empty where it has no volume. PulseAudio's go up to 65 536 for 100 %, a card's as far as its
  /// mixer says.
  public var volumes: [Int]
  /// The number that is 100 %.
  public var full: Int

  public init(isMuted: Bool?, volumes: [Int], full: Int) {
    (self.isMuted, self.volumes, self.full) = (isMuted, volumes, full)
  }

  /// The loudest channel; nil where it has no volume.
  public var percent: Double? {
    guard full > 0, let most = volumes.max() else { return nil }
    return Double(most) * 100 / Double(full)
  }

  /// Whether somebody who set `other` would find it unchanged: whole steps of any mixer are larger than this.
  public func isStill(_ other: OutputLevel) -> Bool {
    isMuted == other.isMuted && volumes.count == other.volumes.count
      && zip(volumes, other.volumes).allSatisfy { abs($0 - $1) <= max(0, full / 250) }
  }

  /// Unmuted, and with the loudest channel at no less than `least`: the balance between channels stays.
  func raised(to least: Int) -> OutputLevel {
    var result = self
    if isMuted == true { result.isMuted = false }
    guard let most = volumes.max(), most < least else { return result }
    result.volumes = volumes.map {
      most > 0 ? Int((Double($0) * Double(least) / Double(most)).rounded()) : least
    }
    return result
  }
}

/// What the sound server says of itself and of our own sound. A value, put together by `SoundServer.ask`.
public struct ServerView: Hashable, Sendable {
  /// What a sink leads to.
  public enum Kind: String, Hashable, Sendable {
    case speaker, headphones, bluetooth, hdmi, other
  }

  /// A device of the server.
  public struct Sink: Hashable, Sendable {
    /// The server's own name for it.
    public var name: String
    /// For people; not sanitised.
    public var description: String
    public var kind = Kind.other
    /// It leads nowhere: `auto_null`, or a null sink that nobody said leads to a speaker.
    public var isNull = false
    /// Its plug is known to be out.
    public var isUnplugged = false
    /// The volume of its streams is counted from full scale, not from its own volume.
    public var isFlat = false
    public var level: OutputLevel

    public init(name: String, description: String, level: OutputLevel) {
      (self.name, self.description, self.level) = (name, description, level)
    }
  }

  /// One of our own streams.
  public struct Stream: Hashable, Sendable {
    public var index: UInt32
    /// The name of the sink it plays on.
    public var sink: String
    public var level: OutputLevel

    public init(index: UInt32, sink: String, level: OutputLevel) {
      (self.index, self.sink, self.level) = (index, sink, level)
    }
  }

  /// The server that answered, such as `pulseaudio 16.1`; not sanitised.
  public var server = ""
  /// What streams without a wish of their own play on; nil where there is no sink at all.
  public var defaultSink: String?
  public var sinks: [Sink] = []
  public var streams: [Stream] = []

  public init() {}

  public func sink(_ name: String?) -> Sink? { sinks.first { $0.name == name } }
}
