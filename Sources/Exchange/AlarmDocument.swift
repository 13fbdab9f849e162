import Core
import FoundationEssentials
import Schedule

/// Our own form of alarms, as JSON:
///
/// ```
/// {"format": "reveille-alarms", "version": 1, "exportedAt": "2026-11-30T06:00:00Z", "alarms": [
///   {"id": 3, "when": "every Mon-Fri 07:00", "label": "Up", "fade": "20s"}
/// ]}
/// ```
///
/// The keys of an alarm are those of `AlarmCopy`; one that is left out has its default. The version goes up when a key
/// changes its meaning; new keys may come without.
public enum AlarmDocument {
  public static let format = "reveille-alarms"
  public static let version = 1

  /// Arrays and objects may be nested this deep: every reader of JSON recurses.
  static let deepestNesting = 32

  // MARK: Writing

  /// All that stands before the first alarm. Between two stands `separator`, behind the last `footer`.
  public static func header(at now: Instant) -> String {
    "{\"format\": \"\(format)\", \"version\": \(version), \"exportedAt\": \"\(now.isoUTC)\", \"alarms\": ["
  }

  public static let separator = ","
  public static let footer = "\n]}\n"

  /// One alarm on a line of its own. Nothing in it can reach into a terminal: what could is escaped.
  public static func line(_ alarm: AlarmCopy) throws(ExchangeError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    guard let data = try? encoder.encode(alarm) else {
      throw ExchangeError("alarm \(alarm.id ?? 0) cannot be written as JSON")
    }
    return "\n  " + escaped(String(decoding: data, as: UTF8.self))
  }

  /// Such characters stand in texts only, where JSON can name them by their numbers.
  private static func escaped(_ json: String) -> String {
    if json.utf8.allSatisfy({ $0 < 0x7f }) { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb,
        0xe0000...0xe007f:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: Reading

  static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ExchangeError) -> Import {
    guard depth(of: bytes) <= deepestNesting else {
      throw ExchangeError("it is nested more than \(deepestNesting) levels deep, which no export is")
    }
    let head: Head
    do {
      head = try JSONDecoder().decode(Head.self, from: Data(bytes))
    } catch {
      throw ExchangeError("it begins as JSON does and is none that can be read: \(reason(error))")
    }
    guard head.format == format else {
      throw ExchangeError("it is JSON, but not what “alarm export” writes: its “format” is not “\(format)”")
    }
    guard let found = head.version else { throw ExchangeError("it has no “version”") }
    guard found >= 1 else {
      throw ExchangeError(
        "its “version” is \(found), which no program ever wrote; exports of today have \(version)")
    }
    guard found <= version else {
      throw ExchangeError(
        "it was written by a newer program (version \(found), this one reads \(version)): install that")
    }
    guard let elements = head.alarms else { throw ExchangeError("it has no “alarms”") }
    guard elements.count <= Import.mostAlarms else {
      throw ExchangeError("it has \(elements.count) alarms, more than \(Import.mostAlarms): divide the file")
    }
    var result = Import(format: .json)
    for (index, element) in elements.enumerated() {
      let name = "the alarm at place \(index + 1)" + (element.label.map { " (\($0))" } ?? "")
      switch element.content {
      case .success(let alarm):
        var alarm = alarm
        alarm.takeBounded(name, context, &result.changed)
        result.alarms.append(alarm)
      case .failure(let problem): result.leftOut.append(Import.Remark(name, problem.description))
      }
      for key in element.unknown.sorted() {
        result.changed.append(Import.Remark(name, "“\(key)” is nothing this program knows; it is left out"))
      }
    }
    return result
  }

  private struct Head: Decodable {
    var format: String?
    var version: Int?
    var alarms: [Element]?
  }

  /// An alarm, or what is wrong with it: one that cannot be read does not take the others away.
  private struct Element: Decodable {
    let content: Result<AlarmCopy, ExchangeError>
    var label: String?
    var unknown: [String] = []

    init(from decoder: any Decoder) throws {
      guard let members = try? decoder.container(keyedBy: AnyKey.self) else {
        content = .failure(ExchangeError("it is no object"))
        return
      }
      label = (try? members.decodeIfPresent(String.self, forKey: AnyKey("label"))).flatMap { $0 }
      unknown = members.allKeys.map(\.stringValue).filter { AlarmCopy.Key(rawValue: $0) == nil }
      do {
        content = .success(try AlarmCopy(from: decoder))
      } catch {
        content = .failure(ExchangeError(reason(error)))
      }
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it cannot be read" }
    func place(_ context: DecodingError.Context) -> String {
      guard let name = context.codingPath.last(where: { $0.intValue == nil })?.stringValue else {
        return "it"
      }
      // A list's places are counted from 0 there.
      guard let index = context.codingPath.last?.intValue else { return "its “\(name)”" }
      return "what stands at place \(index + 1) of its “\(name)”"
    }
    switch error {
    case .dataCorrupted(let context):
      return context.underlyingError == nil && !context.codingPath.isEmpty
        ? context.debugDescription : "it is not JSON as it should be, or was cut off"
    case .keyNotFound(let key, _): return "it has no “\(key.stringValue)”"
    case .valueNotFound(_, let context): return "\(place(context)) is null"
    case .typeMismatch(_, let context): return "\(place(context)) is of the wrong kind"
    @unknown default: return "it cannot be read"
    }
  }

  private static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    var (inText, escaped) = (false, false)
    for byte in bytes {
      if escaped {
        escaped = false
      } else if inText {
        if byte == UInt8(ascii: "\\") { escaped = true } else if byte == UInt8(ascii: "\"") { inText = false }
      } else if byte == UInt8(ascii: "\"") {
        inText = true
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth -= 1
      }
    }
    return deepest
  }
}
