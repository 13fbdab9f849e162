/// How loud a sound file was measured to be.
public struct FileLoudness: Hashable, Sendable {
  /// As a text (`FileName.text`).
  public var path: String
  /// Bytes, and microseconds since 1970: another file by the same name is measured anew.
  public var size: Int64
  public var changedAt: Int64
  /// Thousandths of a LUFS; nil: silent.
  public var loudness: Int?
  /// The largest sample in thousandths of a decibel of full scale.
  public var peak: Int
  /// How often measuring was begun; 0 once it came to its end.
  public var attempts = 0

  public init(path: String, size: Int64, changedAt: Int64, loudness: Int?, peak: Int) {
    (self.path, self.size, self.changedAt) = (path, size, changedAt)
    (self.loudness, self.peak) = (loudness, peak)
  }
}
