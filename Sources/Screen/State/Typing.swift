/// Who has the letters: while something is typed no letter is a key, and a ring shows only as a banner.
public enum Typing: Hashable, Sendable {
  case form(Form)
  case command(CommandEntry)
  case search(Search)
}

/// The command line: the shell's words.
public struct CommandEntry: Hashable, Sendable {
  public var field = TextField()
  /// How far back in the history it is; 0: what is being typed.
  var back = 0
  /// What was being typed before the history was looked through.
  var draft = ""

  public init() {}
}

/// What is searched in the list.
public struct Search: Hashable, Sendable {
  public var field = TextField()
  /// The line that was selected when it began.
  let origin: Int

  init(from origin: Int) { self.origin = origin }
}

/// What a command printed, as long as a person reads it.
public struct Output: Hashable, Sendable {
  public struct Line: Hashable, Sendable {
    public let text: String
    public let isComplaint: Bool
  }

  public let words: String
  public let lines: [Line]
  public var first = 0
}

/// Something that is asked before it is done.
public enum Question: Hashable, Sendable {
  case stopEngine
}
