// What methods answer beside the status and the alarms.

/// One track of the queue, as `queue.list` answers.
public struct QueueEntry: Codable, Hashable, Sendable {
  /// From 1 on.
  public var place: Int
  /// It is the one that plays, or is paused.
  public var current: Bool
  /// `FileName.text`.
  public var path: String
  /// What the tags say, empty until they were read.
  public var title: String
  public var artist: String
  public var album: String
  @Nullable public var duration: Double?
  public init(
    place: Int, current: Bool, path: String, title: String, artist: String, album: String, duration: Double?
  ) {
    (self.place, self.current, self.path) = (place, current, path)
    (self.title, self.artist, self.album, self.duration) = (title, artist, album, duration)
  }
}

/// What `awake` and `awake.renew` answer.
public struct LeaseReply: Codable, Hashable, Sendable {
  public var lease: Status.Lease
  public var lines: [String]
  public var warnings: [String]
  public init(lease: Status.Lease, lines: [String], warnings: [String] = []) {
    (self.lease, self.lines, self.warnings) = (lease, lines, warnings)
  }
}

/// What the settings in force say of the screen, as `settings` answers: those of the file, or those from before where
/// something in it is wrong.
public struct SettingsReply: Codable, Hashable, Sendable {
  /// The keys of one action, by their names.
  public struct Keys: Codable, Hashable, Sendable {
    public var action: String
    public var keys: [String]
    public init(action: String, keys: [String]) { (self.action, self.keys) = (action, keys) }
  }
  /// 12 or 24.
  public var clock: Int
  public var theme: String
  public var mouse: Bool
  /// `auto`, `on` or `off`.
  public var meter: String
  public var keys: [Keys]
  /// The folder in which browsing begins; empty: where the desktop keeps music.
  public var music: String
  public init(clock: Int, theme: String, mouse: Bool, meter: String, keys: [Keys], music: String) {
    (self.clock, self.theme, self.mouse, self.meter) = (clock, theme, mouse, meter)
    (self.keys, self.music) = (keys, music)
  }
}

/// One device, as `output.list` answers.
public struct OutputEntry: Codable, Hashable, Sendable {
  /// ALSA's name.
  public var name: String
  public var description: String
  /// It is the one that plays.
  public var chosen: Bool
  public init(name: String, description: String, chosen: Bool) {
    (self.name, self.description, self.chosen) = (name, description, chosen)
  }
}

/// What a command that only does something answers: sentences for standard output and for standard error.
public struct DoneReply: Codable, Hashable, Sendable {
  public var lines: [String]
  public var warnings: [String]
  public init(lines: [String] = [], warnings: [String] = []) {
    (self.lines, self.warnings) = (lines, warnings)
  }
}
