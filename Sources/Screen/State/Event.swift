import Platform
import Wire

/// What words in the WHEN grammar would do.
public enum Preview: Hashable, Sendable {
  /// The next instant, ISO 8601 with offset, and what to warn of.
  case rings(String, warnings: [String])
  /// The alarm has no time ahead: it is off, or has rung.
  case rests
  /// A sentence that says what is wrong with the words.
  case wrong(String)
}

/// What came of a line of the shell's words.
public struct CommandOutcome: Hashable, Sendable {
  /// What it printed, then what it complained of; not sanitised.
  public var lines: [String]
  public var complaints: [String]
  /// An occurrence that the screen is to show.
  public var opens: String?
  /// What the screen is to ask before it is done.
  public var asks: Question?

  public init(lines: [String] = [], complaints: [String] = [], opens: String? = nil, asks: Question? = nil) {
    (self.lines, self.complaints, self.opens, self.asks) = (lines, complaints, opens, asks)
  }
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
  /// How loud what is heard is.
  case levels(Levels)
  /// Somebody opened this notification on the desktop or by `alarm open`.
  case opened(String)
  case replied(Request, Result<Reply, WireError>)
  case previewed(String, Preview)
  /// What a folder holds, or a sentence why it cannot be told.
  case folder(FileName, Result<Folder, FolderTrouble>)
  /// The line of words has been run.
  case ran(String, CommandOutcome)
}

/// What the screen wants done; the shell does it.
public enum Effect: Hashable, Sendable {
  case request(Request)
  /// Connects to the engine; starts one only where a person asked for it.
  case connect(mayStart: Bool)
  /// Drops a connection that is of no use.
  case disconnect
  /// Asks what the words would do; the answer is `previewed`. `changing`: the WHEN that they are to change.
  case preview(String, changing: String?)
  /// Looks into a folder; the answer is `folder`.
  case readFolder(FileName)
  /// Runs words as the shell would, what they print laid out for so many columns; the answer is `ran`.
  case run(String, columns: Int)
  /// Draws every cell anew, for a terminal that somebody else wrote on.
  case redraw
  /// Rings the terminal's bell.
  case bell
  case quit
}
