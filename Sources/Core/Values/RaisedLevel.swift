/// A mute or volume of the system's that was raised for a ring and is to be put back: stored before it is touched, so that
/// an engine that is killed meanwhile leaves word for the next one.
public struct RaisedLevel: Hashable, Sendable {
  /// What is raised, in the words of whoever raises it.
  public var control: String
  /// How it stood before.
  public var before: String
  /// How it was set: it is put back only where it still stands so.
  public var after: String

  public init(control: String, before: String, after: String) {
    (self.control, self.before, self.after) = (control, before, after)
  }
}
