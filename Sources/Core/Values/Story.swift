import Schedule

/// One thing that happened to an occurrence: together they tell why it rang, rang late or did not.
public struct StoryLine: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The output was given the ring, to begin at `until` by itself.
    case armed
    /// It rang, at its time.
    case rang
    /// It rang, `span` after its time, because of `reason` (from `from` to `until`).
    case late
    case rehearsed
    /// It rang again at the end of a snooze.
    case again
    /// It rang again, for the engine had ended while it rang (from `from` to `until`).
    case restarted
    /// `text` is heard: a sound's name, or the path of a file.
    case sounds
    /// It is silent from here on, or has been since it rang, because `text` rings over it.
    case covered
    /// Nothing covers it any more: it is to sound.
    case uncovered
    /// It was covered all the time until then, and not heard.
    case unheard
    /// A sound could not be played: `text` is the sentence.
    case soundFailed
    /// `text` is a sentence for the person.
    case noted
    /// Until `until`, by `text`.
    case snoozed
    /// Nobody came: it snoozed by itself until `until`.
    case silenced
    /// By `text`.
    case dismissed
    /// Its own next time took over.
    case superseded
    /// It was given another time, switched off or removed.
    case edited
    /// Because of `reason` (from `from` to `until`).
    case missed
    case skipped
    /// It had ended, and is to come again because the clock went back before it.
    case reopened
    /// The command of the ring was run, and `text` says how that ended.
    case ran
    /// The command of the ring failed: `text` is the sentence.
    case runFailed
  }

  /// The `text` where the reason is `away` and an engine was there that did not run.
  public static let stopped = "stopped"

  public var occurrence: OccurrenceID
  /// By the wall clock.
  public var at: Instant
  public var kind: Kind
  public var text = ""
  public var reason: Occurrence.Reason?
  public var from: Instant?
  public var until: Instant?
  public var span: Duration?

  public init(_ occurrence: OccurrenceID, _ kind: Kind, at: Instant, text: String = "") {
    (self.occurrence, self.kind, self.at, self.text) = (occurrence, kind, at, text)
  }
}

/// An occurrence and what happened to it, oldest first.
public struct Story: Hashable, Sendable {
  public var occurrence: Occurrence
  public var lines: [StoryLine]
  public init(occurrence: Occurrence, lines: [StoryLine]) {
    (self.occurrence, self.lines) = (occurrence, lines)
  }
}
