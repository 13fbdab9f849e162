/// How loud what is heard is at this moment: the params of the notification `levels`, ten a second while music plays, for
/// whoever asked for them in `subscribe`.
///
/// Decibels under full scale, 0 the loudest there is and -100 silence; one number for each channel, of which there are one
/// or two.
public struct Levels: Codable, Hashable, Sendable {
  /// The largest sample since the notification before.
  public var peak: [Double]
  /// The root of the mean square since then, on the scale on which a sine has the same as its peak.
  public var rms: [Double]

  public init(peak: [Double], rms: [Double]) { (self.peak, self.rms) = (peak, rms) }
}

/// When a subscriber wants to be told of `levels`; the raw value is the param of `subscribe`.
public enum LevelsWish: String, Hashable, Sendable, CaseIterable {
  case never
  /// While the machine is known not to run on its battery, or where nobody says.
  case onMains = "mains"
  case always
}
