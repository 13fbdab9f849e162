/// What the mouse did, at a cell of the screen counted from 0 at the top left.
public struct Mouse: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case press, release, drag, wheelUp, wheelDown
  }

  public enum Button: Hashable, Sendable {
    case left, middle, right, none
  }

  /// Keys held meanwhile.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
  }

  public var kind: Kind
  public var button: Button
  public var row: Int
  public var column: Int
  public var modifiers: Modifiers

  public init(_ kind: Kind, _ button: Button = .none, row: Int, column: Int, modifiers: Modifiers = []) {
    (self.kind, self.button, self.row, self.column, self.modifiers) = (kind, button, row, column, modifiers)
  }
}
