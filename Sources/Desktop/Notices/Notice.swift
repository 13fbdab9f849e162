/// A notification as the desktop shall show it.
public struct Notice: Equatable, Sendable {
  public struct Pair: Equatable, Sendable {
    public var key: String
    public var value: String
    public init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
  }

  /// One line.
  public var title: String
  /// Plain text, of several lines perhaps; markup in it is shown as it stands.
  public var body: String
  /// Critical and resident, without an end; shown again where it is closed while it is still wanted.
  public var isRinging: Bool
  public var offersSnooze: Bool
  public var offersDismiss: Bool
  /// The title of the alarm's own action; nil: none. A click on the notification itself does the same.
  public var action: String?
  /// A sound of the desktop's theme, where ours failed; nil: the desktop is asked to make none.
  public var soundName: String?
  /// Goes along untouched in the hint `x-reveille-info`.
  public var info: [Pair]
  /// Shown as text below the body too.
  public var showsInfo: Bool

  public init(
    title: String, body: String = "", isRinging: Bool = false, offersSnooze: Bool = false,
    offersDismiss: Bool = false, action: String? = nil, soundName: String? = nil, info: [Pair] = [],
    showsInfo: Bool = false
  ) {
    (self.title, self.body, self.isRinging) = (title, body, isRinging)
    (self.offersSnooze, self.offersDismiss) = (offersSnooze, offersDismiss)
    (self.action, self.soundName) = (action, soundName)
    (self.info, self.showsInfo) = (info, showsInfo)
  }
}

/// What a person does on a notification.
public enum NoticeAction: String, Sendable, CaseIterable {
  case snooze, dismiss
  /// The alarm's own action, or a click on the notification itself.
  case open
}

/// Why a server closed a notification (Desktop Notifications Specification, “NotificationClosed”).
public enum NoticeEnd: Sendable, Equatable {
  case expired, byPerson, byUs, unknown

  init(code: Int64?) {
    switch code {
    case 1: self = .expired
    case 2: self = .byPerson
    case 3: self = .byUs
    default: self = .unknown
    }
  }
}

/// What came of a notification.
public enum NoticeEvent: Sendable, Equatable {
  /// `token`: what a window that opens for it needs to come to the front (`XDG_ACTIVATION_TOKEN`).
  case invoked(key: String, NoticeAction, token: String?)
  /// The desktop closed it. One that rings is shown again.
  case closed(key: String, NoticeEnd)
  /// The server showed it.
  case shown(key: String)
}
