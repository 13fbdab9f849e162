/// What became of one occurrence and what happened when, as `log` answers it.
public struct LogEntry: Codable, Hashable, Sendable {
  public struct Line: Codable, Hashable, Sendable {
    public var at: String
    /// A word that stays, such as `rang`, `late`, `soundFailed` or `missed`.
    public var what: String
    /// The same as a sentence.
    public var text: String
    public init(at: String, what: String, text: String) { (self.at, self.what, self.text) = (at, what, text) }
  }

  public var occurrence: String
  public var id: Int
  /// The label as it was then.
  public var label: String
  /// When it was due.
  public var at: String
  /// `ringing`, `snoozed`, `dismissed`, `missed` or `skipped`.
  public var state: String
  /// Why it ended so, as a word and in words; nil while it is here.
  @Nullable public var reason: String?
  @Nullable public var because: String?
  /// By how many seconds it rang late.
  @Nullable public var late: Double?
  public var rehearsal: Bool
  /// Oldest first.
  public var story: [Line]

  public init(
    occurrence: String, id: Int, label: String, at: String, state: String, reason: String?, because: String?,
    late: Double?, rehearsal: Bool, story: [Line]
  ) {
    (self.occurrence, self.id, self.label, self.at) = (occurrence, id, label, at)
    (self.state, self.reason, self.because, self.late) = (state, reason, because, late)
    (self.rehearsal, self.story) = (rehearsal, story)
  }
}

/// What `badge` answers.
public struct BadgeReply: Codable, Hashable, Sendable {
  public var badge: Int
  public init(badge: Int) { self.badge = badge }
}
