/// What a piece of the screen is, for choosing its colour: the painter knows what each looks like on this terminal.
public enum Ink: UInt8, Hashable, Sendable, CaseIterable {
  /// The terminal's own foreground.
  case plain
  /// The large digits and what is current.
  case accent
  /// Something is as it should be.
  case good
  /// Something a person should look at.
  case warning
  /// An alarm that rings, an error.
  case alarm
}

/// How a cell looks. Colours stay the terminal's own; without them bold, dim and reverse carry the meaning.
public struct Style: Hashable, Sendable {
  public var ink = Ink.plain
  public var isBold = false
  public var isDim = false
  public var isReversed = false

  public init(_ ink: Ink = .plain, bold: Bool = false, dim: Bool = false, reversed: Bool = false) {
    (self.ink, isBold, isDim, isReversed) = (ink, bold, dim, reversed)
  }

  public static let plain = Style()
  public static let dim = Style(dim: true)
  public static let bold = Style(bold: true)
}
