/// One audio file, and what its tags say.
public struct Track: Hashable, Sendable {
  /// `FileName.text`.
  public var path: String
  public var title = ""
  public var artist = ""
  public var album = ""
  /// nil where the file does not say.
  public var duration: Duration?

  public init(path: String) { self.path = path }
}

/// What is stored of the player: after a restart it is paused at its place.
public struct PlayerState: Hashable, Sendable {
  public var queue: [Track] = []
  /// Places of `queue` in the order of playing, where that is shuffled.
  public var order: [Int]?
  public var repeats = Repeat.off
  public var stopsAfter = false
  public var index: Int?
  public var position: Duration = .zero
  /// 0–100; nil until a person sets it, when the setting counts.
  public var volume: Int?
  public var isMuted = false
  public init() {}
}
