import Platform
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

/// Everything the screen knows. Time, answers and keys come in by `update`; `view` draws it.
public struct Model: Hashable, Sendable {
  public var now: Moment
  public var size: Size
  public let clock: ClockStyle
  public let charset: Charset
  public let keys: KeyTable
  public let names: CalendarNames
  public let places: Places

  public var link = Link.connecting
  public var status: Status?
  /// When the status came (CLOCK_MONOTONIC in microseconds): the track has moved on since.
  public var statusAt: Int64 = 0

  /// What the meter shows; nil where nothing is told.
  public internal(set) var meter: Meter?
  public var meterChoice = MeterChoice.auto
  /// What the engine was asked for last.
  var levelsAsked = LevelsWish.never

  // What the pages show.
  public internal(set) var page = Page.clock
  public internal(set) var lines: [Page: ListPlace] = [:]
  public internal(set) var alarms: [AlarmEntry] = []
  public internal(set) var queue = QueueCache()
  public internal(set) var folder: Folder?
  public internal(set) var inbox: [Status.InboxEntry] = []
  public internal(set) var log: [LogEntry] = []
  /// What is out of date, and what is being asked for, so that nothing is asked twice.
  var isStale: Set<Page> = [.inbox, .log, .files]
  var isAsked: Set<Page> = []
  /// What was refused: it is not asked again before something is another.
  var isRefused: Set<Page> = []
  /// The folder that is being looked into, and the entry that is to be selected in it.
  var folderWanted: Wanted?

  // What lies over them.
  public internal(set) var typing: Typing?
  public internal(set) var question: Question?
  public internal(set) var output: Output?
  /// The words that are being run.
  var running: String?
  /// Newest last.
  var history: [String] = []
  /// What was searched last, in any list.
  var sought = ""
  public internal(set) var message: Message?
  /// The notification that somebody opened, until a key is pressed or it has been dealt with.
  public internal(set) var opened: String?

  /// The occurrence that the ringing overlay shows, nil while there is no overlay.
  public internal(set) var overlay: String?
  /// Until then (CLOCK_MONOTONIC in microseconds) the overlay takes no key: whoever is typing or reaching for another key
  /// must not deal with an alarm unread.
  public internal(set) var overlayDeafUntil: Int64 = 0
  /// The minutes that are being typed into the overlay, and when they count (CLOCK_MONOTONIC in microseconds).
  var snoozeDigits = ""
  var snoozeDigitsUntil: Int64?
  /// Whether the terminal has the person's eye; nil where it does not say.
  public internal(set) var hasFocus: Bool?
  /// The last press of the mouse: one more on the same line soon after opens it.
  var lastClick: Click?
  /// When the terminal's bell rings next (CLOCK_MONOTONIC in microseconds), while an alarm is heard by nobody.
  var bellAt: Int64?

  struct Click: Hashable, Sendable {
    var target: Target
    var at: Int64
  }

  struct Wanted: Hashable, Sendable {
    var path: FileName
    var selecting: [UInt8]?
  }

  public init(
    now: Moment, size: Size, clock: ClockStyle, charset: Charset, keys: KeyTable = .standard,
    names: CalendarNames = .english, places: Places = .root
  ) {
    (self.now, self.size, self.clock, self.charset) = (now, size, clock, charset)
    (self.names, self.places) = (names, places)
    var keys = keys
    keys.charset = charset
    self.keys = keys
  }

  public var form: Form? { if case .form(let form) = typing { form } else { nil } }

  /// The alarm that was opened, else the one that sounds, else the first that rings.
  public var shownRing: Status.Ringing? {
    guard let ringing = status?.ringing else { return nil }
    return ringing.first { $0.occurrence == opened } ?? ringing.first { $0.sounding } ?? ringing.first
  }

  /// What was opened, where it does not ring: then the overlay shows it.
  public var openedEntry: Status.InboxEntry? {
    guard let opened, typing == nil else { return nil }
    return status?.inbox.first { $0.occurrence == opened } ?? inbox.first { $0.occurrence == opened }
  }

  public var overlayIsDeaf: Bool { overlay != nil && now.monotonic < overlayDeafUntil }

  /// A person sees the page itself, as far as the terminal tells.
  var pageIsSeen: Bool {
    hasFocus != false && typing == nil && overlay == nil && output == nil && openedEntry == nil
  }

  /// Nothing is set, nothing is loaded: what to press first is worth more than empty lists.
  public var isFirstRun: Bool {
    guard let status, link == .up else { return false }
    return status.alarms.count == 0 && status.queue.length == 0 && status.player.track == nil
      && status.inbox.isEmpty && status.ringing.isEmpty
  }

  /// Seconds into the track at this moment.
  public var position: Double {
    guard let player = status?.player else { return 0 }
    let since = player.state == "playing" ? Double(max(0, now.monotonic - statusAt)) / 1e6 : 0
    let position = player.position.isFinite ? max(0, player.position) + since : 0
    return min(position, duration ?? .infinity)
  }

  /// How long the track is, where that is known.
  var duration: Double? { status?.player.track?.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }

  /// When something changes that is not told by the clock's face (CLOCK_MONOTONIC in microseconds); nil: never.
  public var deadline: Int64? {
    var deadlines: [Int64] = []
    if let message { deadlines.append(message.until) }
    if overlayIsDeaf { deadlines.append(overlayDeafUntil) }
    if let snoozeDigitsUntil { deadlines.append(snoozeDigitsUntil) }
    if let bellAt { deadlines.append(bellAt) }
    if let meter { deadlines.append(meter.deadline) }
    switch link {
    case .lost(_, _, let next?), .down(_, let next?): deadlines.append(next)
    default: break
    }
    return deadlines.min()
  }
}
