import Core

/// Everything that is stored, as the state machines take it when the engine starts.
public struct StoredState: Sendable {
  public var alarms: [Alarm] = []
  /// Those that ring, are snoozed, or are scheduled and had a source opened.
  public var live: [Occurrence] = []
  /// The last few that ended of each alarm, oldest first.
  public var settled: [Occurrence] = []
  /// Notifications that have not been dealt with, in the order they came.
  public var inbox: [InboxEntry] = []
  public var badge = 0
  public var player = PlayerState()
  /// The device a person has chosen in the place of the settings' one.
  public var outputDevice: String?
  public var leases: [Lease] = []
  /// Levels that the engine before this one raised and did not put back.
  public var raised: [RaisedLevel] = []
  public var nextID = 1
  /// When the clock was set by more than a day.
  public var clockTurns: [ClockTurn] = []
  /// nil in a new database.
  public var lastSeen: Seen?
  /// Whole sentences: what could be read only in part.
  public var warnings: [String] = []
  public init() {}

  /// The book of these alarms.
  public func book(settings: Settings) -> AlarmBook {
    AlarmBook(
      alarms: alarms, occurrences: live + settled, nextID: nextID, lastSeen: lastSeen, settings: settings,
      inbox: inbox, badge: badge, clockTurns: clockTurns)
  }
}
