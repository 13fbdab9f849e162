/// What the status says of one lock.
public struct InhibitorState: Equatable, Sendable {
  /// `idle`, `sleep`, `handle-lid-switch`.
  public var what: String
  /// `block`, `delay`, or the service of the session that holds it.
  public var mode: String
  public var isHeld: Bool
  /// The reason in the service's words, sanitised; nil: it was not refused.
  public var refused: String?

  public init(what: String, mode: String, isHeld: Bool, refused: String? = nil) {
    (self.what, self.mode, self.isHeld, self.refused) = (what, mode, isHeld, refused)
  }
}
