import Core
import Schedule

/// What was read of a file, before anything is taken.
public struct Import: Hashable, Sendable {
  /// Something of the file, and a sentence's rest about it. Neither is sanitised.
  public struct Remark: Hashable, Sendable {
    public var what: String
    public var why: String
    public init(_ what: String, _ why: String) { (self.what, self.why) = (what, why) }
  }

  public enum Format: String, Sendable { case json, iCalendar }

  public var format: Format
  public var alarms: [AlarmCopy] = []
  /// What cannot be taken, and why.
  public var leftOut: [Remark] = []
  /// What is taken, but not just as it stands.
  public var changed: [Remark] = []
  /// Events and to-dos that have no alarm.
  public var silent = 0

  public init(format: Format) { self.format = format }

  /// A larger file is refused before it is read.
  public static let largestFile = 64 << 20
  /// So many alarms one file may bring.
  public static let mostAlarms = 100_000
}

/// What the reading of a file depends on.
public struct ImportContext: Sendable {
  public var now: Instant
  /// The zone of the machine.
  public var zone: Zone
  /// Shell lines in the file are taken too. A calendar that somebody sent must not run programs.
  public var takesCommands: Bool

  public init(now: Instant, zone: Zone, takesCommands: Bool = false) {
    (self.now, self.zone, self.takesCommands) = (now, zone, takesCommands)
  }
}

/// A file of which nothing can be taken: one sentence with the cause and the way out.
public struct ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  init(_ sentence: String) { description = sentence }
}

/// Reads the alarms of a file: our own JSON or iCalendar, told by its content. Any thread; takes a second or two for the
/// largest.
///
/// - Throws: where the file is neither, is of a newer version, or libical is not installed.
public func readAlarms(_ bytes: [UInt8], _ context: ImportContext) throws(ExchangeError) -> Import {
  // A byte order mark is no content.
  let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
  let start = text.prefix(4096).drop { [9, 10, 13, 32].contains($0) }
  if start.first == UInt8(ascii: "{") { return try AlarmDocument.read(Array(text), context) }
  let head = String(decoding: start.prefix(15), as: UTF8.self)
  if head.uppercased() == "BEGIN:VCALENDAR" { return try CalendarReader.read(Array(text), context) }
  if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
    throw ExchangeError("it is UTF-16: save it as UTF-8")
  }
  throw ExchangeError(
    bytes.isEmpty
      ? "it is empty: give what “alarm export” wrote, or a calendar (.ics)"
      : "it is neither what “alarm export” wrote nor a calendar (.ics)")
}
