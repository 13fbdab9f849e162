import Wire

/// What the screen asks of the engine.
public enum Request: Hashable, Sendable {
  case subscribe, list
  case toggle
  /// All that ring.
  case snooze
  /// The alarm that was on the screen when the key was pressed; nil: what is snoozed.
  case dismiss(Int?)
  case add(String)

  public var method: String {
    switch self {
    case .subscribe: "subscribe"
    case .list: "list"
    case .toggle: "toggle"
    case .snooze: "snooze"
    case .dismiss: "dismiss"
    case .add: "add"
    }
  }

  public var params: JSON {
    switch self {
    case .dismiss(let id?): ["id": .int(Int64(id))]
    case .add(let when): ["when": .string(when)]
    case .subscribe: ["events": ["open"]]
    default: [:]
    }
  }
}

/// An answer, by what was asked.
public enum Reply: Hashable, Sendable {
  case status(Status)
  case list([AlarmEntry])
  case alarm(AlarmReply)
  case done(DoneReply)
}

/// What words in the WHEN grammar would do.
public enum Preview: Hashable, Sendable {
  /// The next instant, ISO 8601 with offset, and what to warn of.
  case rings(String, warnings: [String])
  /// A sentence that says what is wrong with the words.
  case wrong(String)
}

/// Everything that can happen to the screen.
public enum Event: Sendable {
  case key(Key)
  /// Only where the mouse is on (`ui.mouse`).
  case mouse(Mouse)
  /// The terminal says that it has, or has not, the person's eye.
  case focus(Bool)
  /// Text that was pasted; it never counts as keys.
  case paste(String)
  case resize(Size)
  /// Time has passed: a second or minute began, or a deadline came.
  case tick
  case connected
  /// The engine's socket was closed, with the reason where there is one.
  case disconnected(String?)
  case connectFailed(String)
  case status(Status)
  /// Somebody opened this notification on the desktop or by `alarm open`.
  case opened(String)
  case replied(Request, Result<Reply, WireError>)
  case previewed(String, Preview)
}

/// What the screen wants done; the shell does it.
public enum Effect: Hashable, Sendable {
  case request(Request)
  /// Connects to the engine; starts one only where a person asked for it.
  case connect(mayStart: Bool)
  /// Drops a connection that is of no use.
  case disconnect
  /// Asks what the words would do; the answer is `previewed`.
  case preview(String)
  /// Draws every cell anew, for a terminal that somebody else wrote on.
  case redraw
  /// Rings the terminal's bell.
  case bell
  case quit
}
