/// What the status says of one lock.
public struct InhibitorState: Equatable, Sendable {
  /// `idle`, `sleep`, `handle-lid-switch`.
  public var what: String
  /// `block` or `delay`.
  public var mode: String
  /// Who holds it: `logind`, or the name of the session's service.
  public var by: String
  public var isHeld: Bool
  /// The reason in the service's words, sanitised; nil: it was not refused.
  public var refused: String?

  public init(what: String, mode: String, by: String, isHeld: Bool, refused: String? = nil) {
    (self.what, self.mode, self.by) = (what, mode, by)
    (self.isHeld, self.refused) = (isHeld, refused)
  }
}
