import Wire

/// How the screen stands with the engine. Times are CLOCK_MONOTONIC in microseconds.
public enum Link: Hashable, Sendable {
  /// Being connected for the first time, or started because a person asked for it.
  case connecting
  case up
  /// It has gone; it is being looked for until the deadline, at growing pauses. `next` is nil while an attempt is made.
  case lost(until: Int64, pause: Int64, next: Int64?)
  /// Not found, with the reason; a key starts it. Somebody else may do so: it is looked for again at `next`, which is nil
  /// while an attempt is made.
  case down(String, next: Int64?)
}

/// A line that goes away by itself.
public struct Message: Hashable, Sendable {
  public var text: String
  public var isError: Bool
  /// CLOCK_MONOTONIC in microseconds.
  public var until: Int64
}

/// The line in which an alarm is typed.
public struct Prompt: Hashable, Sendable {
  public var field = TextField()
  /// What the words mean, for exactly these words.
  public var preview: Preview?
  /// The engine's complaint about what was sent; it goes with the next change.
  public var refusal: String?
  /// Sent, and not answered yet.
  public var isSent = false
}

/// Everything the screen knows. Time, answers and keys come in by `update`; `view` draws it.
public struct Model: Hashable, Sendable {
  public var now: Moment
  public var size: Size
  public let clock: ClockStyle
  public let charset: Charset
  public let keys: KeyTable

  public var link = Link.connecting
  public var status: Status?
  /// When the status came (CLOCK_MONOTONIC in microseconds): the track has moved on since.
  public var statusAt: Int64 = 0
  public var alarms: [AlarmEntry] = []
  /// How many alarms are scrolled away above.
  public var scroll = 0

  public var prompt: Prompt?
  public var showsHelp = false
  public var message: Message?
  /// The notification that somebody opened, until a key is pressed or it has been dealt with.
  public internal(set) var opened: String?

  /// The occurrence that the ringing overlay shows, nil while there is no overlay.
  public internal(set) var overlay: String?
  /// Until then (CLOCK_MONOTONIC in microseconds) the overlay takes no key: whoever is typing or reaching for another key
  /// must not deal with an alarm unread.
  public internal(set) var overlayDeafUntil: Int64 = 0
  /// Whether the terminal has the person's eye; nil where it does not say.
  public internal(set) var hasFocus: Bool?
  /// When the terminal's bell rings next (CLOCK_MONOTONIC in microseconds), while an alarm is heard by nobody.
  var bellAt: Int64?

  public init(now: Moment, size: Size, clock: ClockStyle, charset: Charset, keys: KeyTable = .standard) {
    (self.now, self.size, self.clock, self.charset) = (now, size, clock, charset)
    self.keys = keys
  }

  /// The alarm that was opened, else the one that sounds, else the first that rings.
  public var shownRing: Status.Ringing? {
    guard let ringing = status?.ringing else { return nil }
    return ringing.first { $0.occurrence == opened } ?? ringing.first { $0.sounding } ?? ringing.first
  }

  /// What was opened, where it does not ring: then the overlay shows it.
  public var openedEntry: Status.InboxEntry? {
    guard let opened, prompt == nil else { return nil }
    return status?.inbox.first { $0.occurrence == opened }
  }

  public var overlayIsDeaf: Bool { overlay != nil && now.monotonic < overlayDeafUntil }

  /// Seconds into the track at this moment.
  public var position: Double {
    guard let player = status?.player else { return 0 }
    let since = player.state == "playing" ? Double(max(0, now.monotonic - statusAt)) / 1e6 : 0
    let position = player.position.isFinite ? max(0, player.position) + since : 0
    return min(position, player.track?.duration.flatMap { $0.isFinite ? $0 : nil } ?? .infinity)
  }

  /// When something changes that is not told by the clock's face (CLOCK_MONOTONIC in microseconds); nil: never.
  public var deadline: Int64? {
    var deadlines: [Int64] = []
    if let message { deadlines.append(message.until) }
    if overlayIsDeaf { deadlines.append(overlayDeafUntil) }
    if let bellAt { deadlines.append(bellAt) }
    switch link {
    case .lost(_, _, let next?), .down(_, let next?): deadlines.append(next)
    default: break
    }
    return deadlines.min()
  }
}
