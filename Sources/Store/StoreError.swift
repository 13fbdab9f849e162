/// What the database refused: a whole sentence for the person, with the file, the cause and the way out.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// It cannot be written now: full disk, read-only folder, stalled or locked.
    case cannotWrite
    /// It is not a database, or a broken one.
    case broken
    /// A newer program made it.
    case newer
    /// It cannot be opened or read.
    case cannotRead
  }

  public let kind: Kind
  public let description: String
  /// SQLite's extended result code, for the log; 0 where SQLite was not asked.
  public let code: Int32

  public init(_ kind: Kind, _ sentence: String, code: Int32 = 0) {
    (self.kind, description, self.code) = (kind, sentence, code)
  }
}
