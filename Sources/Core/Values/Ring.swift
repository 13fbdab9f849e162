import Schedule

/// Everything the output needs to ring: it asks nobody else once it holds this.
public struct Ring: Hashable, Sendable {
  public var occurrence: OccurrenceID
  /// In line: the chosen one, then the default (`FileName.text` or a sound's name). The built-in tone comes after the
  /// last and is not named here.
  public var sounds: [String]
  /// 0–100; 0 is a notification only.
  public var volume: Int
  public var fade: Duration
  public var label: String
  public var body: String
  public var info: [InfoPair]
  /// False while a newer ring covers it: it is started silent.
  public var sounding: Bool
  public var isRehearsal: Bool

  public init(
    occurrence: OccurrenceID, sounds: [String], volume: Int, fade: Duration, label: String = "",
    body: String = "", info: [InfoPair] = [], sounding: Bool = true, isRehearsal: Bool = false
  ) {
    (self.occurrence, self.sounds, self.volume, self.fade) = (occurrence, sounds, volume, fade)
    (self.label, self.body, self.info) = (label, body, info)
    (self.sounding, self.isRehearsal) = (sounding, isRehearsal)
  }
}
