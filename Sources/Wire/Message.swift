import FoundationEssentials

/// One line of the socket, read: JSON-RPC 2.0.
///
/// `Payload` keeps the line's bytes, so that `params` and `result` are decoded once, straight into what is wanted.
public enum Incoming: Sendable {
  /// Wants a reply that carries the same id (a number, a text or null).
  case request(id: JSON, method: String, params: Payload)
  case notification(method: String, params: Payload)
  case reply(id: JSON, result: Payload)
  /// An error reply; the id is null where the request could not be read.
  case failure(id: JSON, WireError)

  /// A part of a line, not decoded yet.
  public struct Payload: Sendable {
    fileprivate enum Part { case params, result }
    fileprivate let line: [UInt8]
    fileprivate let part: Part

    /// Reads it as `Value`; an absent one reads as null.
    public func decode<Value: Decodable>(_ kind: Value.Type = Value.self) throws(WireError) -> Value {
      do {
        switch part {
        case .params: return try JSONDecoder().decode(ParamsPart<Value>.self, from: Data(line)).params
        case .result: return try JSONDecoder().decode(ResultPart<Value>.self, from: Data(line)).result
        }
      } catch {
        throw WireError(code: ErrorCode.invalidParams, "the \(part) are not as expected: \(problem(error))")
      }
    }

    /// Any JSON; an absent one is an empty object.
    public func json() throws(WireError) -> JSON {
      let value = try decode(JSON?.self)
      return value ?? [:]
    }
  }

  /// Arrays and objects may be nested this deep. Every decoder of JSON recurses; a line of brackets must not reach the
  /// end of a stack.
  public static let deepestNesting = 64

  /// A request may hold so many values: each costs time that everybody else waits for.
  public static let mostRequestValues = 20_000

  /// Reads one line. The error is the reply's: `parse` for what is no JSON, `invalidRequest` for what is no JSON-RPC or
  /// has more than `mostValues` values.
  public init(line: [UInt8], mostValues: Int = .max) throws(WireError) {
    let (depth, values) = Incoming.measure(line)
    guard depth <= Incoming.deepestNesting else {
      throw WireError(
        code: ErrorCode.parse, "the line is nested more than \(Incoming.deepestNesting) levels deep")
    }
    guard values <= mostValues else {
      throw WireError(code: ErrorCode.invalidRequest, "the line has more than \(mostValues) values")
    }
    let first = line.first { $0 != 32 && $0 != 9 && $0 != 13 }
    if first == UInt8(ascii: "[") {
      throw WireError(
        code: ErrorCode.invalidRequest, "batches are not supported: send one request a line")
    }
    let head: Head
    do {
      head = try JSONDecoder().decode(Head.self, from: Data(line))
    } catch let error as DecodingError {
      if case .dataCorrupted(let context) = error, context.codingPath.isEmpty {
        throw WireError(code: ErrorCode.parse, "the line is not JSON")
      }
      throw WireError(
        code: ErrorCode.invalidRequest, "the line is not a JSON-RPC 2.0 object: \(problem(error))")
    } catch {
      throw WireError(code: ErrorCode.parse, "the line is not JSON")
    }
    guard head.jsonrpc == "2.0" else {
      throw WireError(code: ErrorCode.invalidRequest, "“jsonrpc” must be \"2.0\"")
    }
    switch head.id {
    case .none, .null?, .string?, .int?: break
    default:
      throw WireError(code: ErrorCode.invalidRequest, "“id” must be a whole number, a text or null")
    }
    if let method = head.method {
      let params = Payload(line: line, part: .params)
      if let id = head.id {
        self = .request(id: id, method: method, params: params)
      } else {
        self = .notification(method: method, params: params)
      }
    } else if let failure = head.error {
      self = .failure(id: head.id ?? .null, WireError(code: failure.code, failure.message))
    } else if let id = head.id {
      self = .reply(id: id, result: Payload(line: line, part: .result))
    } else {
      throw WireError(code: ErrorCode.invalidRequest, "the line names no “method”")
    }
  }

  /// How deep it is nested and about how many values it has, without reading any; it need not be JSON.
  static func measure(_ line: [UInt8]) -> (depth: Int, values: Int) {
    var depth = 0
    var deepest = 0
    var values = 1
    var inText = false
    var escaped = false
    for byte in line {
      if escaped {
        escaped = false
      } else if byte == UInt8(ascii: "\\") {
        escaped = inText
      } else if byte == UInt8(ascii: "\"") {
        inText.toggle()
      } else if !inText {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: ","): values += 1
        default: break
        }
      }
    }
    return (deepest, values)
  }
}

/// Lines to be sent, each with its line feed.
public enum Outgoing {
  public static func request(id: Int64, method: String, params: JSON) -> [UInt8] {
    line(RequestLine(id: id, method: method, params: params))
  }

  public static func notification(method: String, params: some Encodable) -> [UInt8] {
    line(NotificationLine(method: method, params: params))
  }

  public static func reply(id: JSON, result: some Encodable) -> [UInt8] {
    line(ReplyLine(id: id, result: result))
  }

  public static func failure(id: JSON, _ error: WireError) -> [UInt8] {
    line(FailureLine(id: id, error: Failure(code: error.code, message: error.description)))
  }

  private static func line(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // A number that JSON has no form for must not take the reply away.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return Array(try encoder.encode(value)) + [10]
    } catch {
      return Array(
        #"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"the answer cannot be written as JSON"}}"#
          .utf8) + [10]
    }
  }
}

private struct Failure: Codable {
  var code: Int
  var message: String
}

private struct Head: Decodable {
  var jsonrpc: String?
  var id: JSON?
  var method: String?
  var error: Failure?

  private enum Key: String, CodingKey { case jsonrpc, id, method, error }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    jsonrpc = try members.decodeIfPresent(String.self, forKey: .jsonrpc)
    // An id of null is an id: only a message without one is a notification.
    id = members.contains(.id) ? try members.decode(JSON.self, forKey: .id) : nil
    method = try members.decodeIfPresent(String.self, forKey: .method)
    error = try members.decodeIfPresent(Failure.self, forKey: .error)
  }
}

private struct ParamsPart<Value: Decodable>: Decodable {
  var params: Value
  private enum Key: String, CodingKey { case params }
  init(from decoder: any Decoder) throws {
    params = try decodeMember(decoder, Key.params)
  }
}

private struct ResultPart<Value: Decodable>: Decodable {
  var result: Value
  private enum Key: String, CodingKey { case result }
  init(from decoder: any Decoder) throws {
    result = try decodeMember(decoder, Key.result)
  }
}

/// A member that may be absent: what reads null also reads nothing.
private func decodeMember<Value: Decodable, Key: CodingKey>(_ decoder: any Decoder, _ key: Key) throws
  -> Value
{
  let members = try decoder.container(keyedBy: Key.self)
  if !members.contains(key), let absent = (Value?.none as Any) as? Value { return absent }
  return try members.decode(Value.self, forKey: key)
}

private struct RequestLine: Encodable {
  var jsonrpc = "2.0"
  var id: Int64
  var method: String
  var params: JSON
}

private struct NotificationLine<Params: Encodable>: Encodable {
  var jsonrpc = "2.0"
  var method: String
  var params: Params
}

private struct ReplyLine<Result: Encodable>: Encodable {
  var jsonrpc = "2.0"
  var id: JSON
  var result: Result
}

private struct FailureLine: Encodable {
  var jsonrpc = "2.0"
  var id: JSON
  var error: Failure
}

/// A decoder's complaint in a few words: where, and what.
private func problem(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return "it cannot be read" }
  func place(_ path: [any CodingKey], _ last: String? = nil) -> String {
    let words = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue } + (last.map { [$0] } ?? [])
    return words.isEmpty ? "the line" : "“\(words.joined(separator: "."))”"
  }
  return switch error {
  case .keyNotFound(let key, let context): "\(place(context.codingPath, key.stringValue)) is missing"
  case .valueNotFound(_, let context): "\(place(context.codingPath)) is null"
  case .typeMismatch(_, let context): "\(place(context.codingPath)) has the wrong type"
  case .dataCorrupted(let context): "\(place(context.codingPath)) cannot be read"
  @unknown default: "it cannot be read"
  }
}
