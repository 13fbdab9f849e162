/// What a piece of the screen is. The theme says what that looks like on this terminal; without colours bold, dim and
/// reverse carry the meaning.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
  /// The terminal's own foreground.
  case normal
  /// What matters less: rules, hints, what is off.
  case dim
  /// What a line is about: labels, titles of tracks.
  case strong
  /// Small signs that lead the eye: the part of the bar that was played, a prompt.
  case accent
  /// The large digits of the clock.
  case digits
  /// The heading of a view.
  case title
  /// A tab in the row of views, and the one that is shown.
  case tab
  case tabShown
  /// A key that is named on the screen.
  case key
  /// What is being typed.
  case field
  /// Something is as it should be.
  case good
  /// The track that plays, where tracks are listed.
  case playing
  /// Something a person should look at.
  case warning
  /// Something failed, or nobody will hear.
  case error
  /// The heading and the banner of an alarm that rings: it must be seen across a room.
  case ringing
  /// The heading of a notification that was opened.
  case heading
  /// The progress bar: what was played, and the rest.
  case bar
  case barRest
}

/// How a cell looks.
public struct Style: Hashable, Sendable {
  public var role: Role
  /// The line that the keys act on. It must be told apart from every role without it, in every theme.
  public var isSelected: Bool

  public init(_ role: Role = .normal, selected: Bool = false) {
    (self.role, isSelected) = (role, selected)
  }

  public static let normal = Style(.normal)
  public static let dim = Style(.dim)
  public static let strong = Style(.strong)
  public static let accent = Style(.accent)
  public static let title = Style(.title)
  public static let good = Style(.good)
  public static let warning = Style(.warning)
  public static let error = Style(.error)
}
