import Core
import FoundationEssentials

/// What `export` answers: some alarms, and where the next answer goes on.
public struct ExportReply: Codable, Hashable, Sendable {
  public var alarms: [AlarmCopy]
  /// The `after` to ask for next; nil where these were the last.
  @Nullable public var next: Int?
  public init(alarms: [AlarmCopy], next: Int?) { (self.alarms, self.next) = (alarms, next) }
}

/// What `import` takes. All that is sent with `more` on one connection is taken together with the first that is sent
/// without, or none of it.
public struct ImportParams: Codable, Hashable, Sendable {
  public var alarms: [AlarmCopy]
  public var more: Bool

  public init(alarms: [AlarmCopy], more: Bool) { (self.alarms, self.more) = (alarms, more) }

  private enum Key: String, CodingKey { case alarms, more }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    alarms = try members.decode([AlarmCopy].self, forKey: .alarms)
    more = try members.decodeIfPresent(Bool.self, forKey: .more) ?? false
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(alarms, forKey: .alarms)
    if more { try members.encode(true, forKey: .more) }
  }

  /// So many alarms one import may bring in.
  public static let mostAlarms = 100_000
}

/// What `import` answers: the numbers the alarms got, in the order in which they were sent; none while `more` is to come.
public struct ImportReply: Codable, Hashable, Sendable {
  public var ids: [Int]
  public var warnings: [String]
  public init(ids: [Int] = [], warnings: [String] = []) { (self.ids, self.warnings) = (ids, warnings) }
}

extension JSON {
  /// Any value as JSON, for `params`.
  public init(encoding value: some Encodable) throws(WireError) {
    do {
      self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    } catch {
      throw WireError(code: ErrorCode.invalidParams, "the request cannot be written as JSON")
    }
  }
}
