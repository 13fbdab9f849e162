import Schedule

/// What an occurrence delivers: shown on the desktop while it rings, is snoozed or was missed, one for each occurrence,
/// each new one in the place of the one before.
public struct Notification: Hashable, Sendable {
  /// What a person can choose on it. What was chosen goes back as `AlarmBook.Event.chosen`.
  public enum Choice: String, Hashable, Sendable, CaseIterable {
    case snooze, dismiss
    /// The alarm's own action, by the name in `action`: the screen is opened on it.
    case open
  }

  /// The occurrence as it is now: its state, why it is late or was missed, and its notes, which say which sound failed.
  public var occurrence: Occurrence
  /// The label, or `Alarm 3`. As it was given, not sanitised.
  public var title: String
  public var body: String
  /// What the choice `open` is called; empty where there is none.
  public var action: String
  /// In the order given, handed back untouched.
  public var info: [InfoPair]
  public var choices: [Choice]

  /// It is urgent and stays until it is dealt with: closing it, or its time running out, ends nothing.
  public var isUrgent: Bool { occurrence.state == .ringing }
}

/// A notification that has not been dealt with: it rings, is snoozed, or was missed.
public struct InboxEntry: Hashable, Sendable {
  public var occurrence: OccurrenceID
  public var label: String
  public var body: String
  public var action: String
  public var info: [InfoPair]
  /// When it was due.
  public var at: Instant
  public var state: Occurrence.State
  public var reason: Occurrence.Reason?

  public init(
    occurrence: OccurrenceID, label: String, body: String, action: String, info: [InfoPair], at: Instant,
    state: Occurrence.State, reason: Occurrence.Reason?
  ) {
    (self.occurrence, self.label, self.body, self.action) = (occurrence, label, body, action)
    (self.info, self.at, self.state, self.reason) = (info, at, state, reason)
  }
}

/// By whose hand something was done; the raw value stands in the story.
public enum Hand: String, Hashable, Sendable, CaseIterable {
  case commandLine = "the command line"
  case screen = "the screen"
  case desktop = "the desktop"
  case mediaKey = "a media key"
  /// Something else on the socket.
  case program = "a program"
}

/// What is to be run when it rings.
public struct RingCommand: Hashable, Sendable {
  public var occurrence: OccurrenceID
  /// A line for the shell.
  public var line: String
  public var label: String
  public var body: String
  public var info: [InfoPair]

  public init(occurrence: OccurrenceID, line: String, label: String, body: String, info: [InfoPair]) {
    (self.occurrence, self.line, self.label) = (occurrence, line, label)
    (self.body, self.info) = (body, info)
  }
}
