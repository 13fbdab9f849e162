/// One thing to store. Those of one request are committed together or not at all.
public enum Change: Hashable, Sendable {
  /// Adds or replaces an alarm.
  case alarm(Alarm)
  /// The alarm is removed; its occurrences stay as its story.
  case removed(alarm: Int)
  /// Adds or replaces an occurrence.
  case occurrence(Occurrence)
  /// A scheduled occurrence that will not come about.
  case dropped(OccurrenceID)
  /// A settled occurrence is open again, or closed again.
  case reopened(OccurrenceID, Bool)
  /// Adds or replaces a notification in the inbox.
  case inbox(InboxEntry)
  case outOfInbox(OccurrenceID)
  case badge(Int)
  /// Another line of an occurrence's story.
  case story(StoryLine)
  /// The number the next alarm gets.
  case nextID(Int)
  /// Everything due until then has been judged.
  case seen(Seen)
  /// When the clock was set by more than a day, all that are remembered.
  case clockTurns([ClockTurn])
  case player(PlayerState)
  /// The device a person has chosen; nil: the settings' one.
  case outputDevice(String?)
  case leases([Lease])
  /// All levels that are raised for a ring now.
  case raised([RaisedLevel])
  /// Adds or replaces what was measured of one file.
  case loudness(FileLoudness)
}

/// A person's request that cannot be done: one sentence with the thing, the cause and the way out.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  /// What was asked for could never be done, however things stand: a mistake in words.
  public let isAboutWords: Bool
  public init(_ sentence: String, aboutWords: Bool = false) {
    (description, isAboutWords) = (sentence, aboutWords)
  }
}
