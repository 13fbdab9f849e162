import Core
import Platform
import Schedule
import Wire

extension WireError {
  init(_ refusal: Refusal) {
    self.init(
      code: refusal.isAboutWords ? ErrorCode.wrongWords : ErrorCode.refused, refusal.description)
  }
}

/// A request's params, read by name: numbers may come as numbers or text, spans and dates come as text. What is wrong
/// is a sentence that names the option.
struct Params {
  let members: [String: JSON]

  init(_ payload: Incoming.Payload) throws(WireError) {
    switch try payload.json() {
    case .object(let members): self.members = members
    case .null: members = [:]
    default: throw WireError(code: ErrorCode.invalidParams, "“params” must be an object")
    }
  }

  /// What is given for an option of `edit`: nothing, the empty value that removes, or a value.
  enum Given<Value> {
    case absent
    case removed
    case value(Value)

    /// Changes a field accordingly.
    func apply(to field: inout Value?) {
      switch self {
      case .absent: break
      case .removed: field = nil
      case .value(let value): field = value
      }
    }
  }

  static func wrong(_ sentence: String) -> WireError { WireError(code: ErrorCode.wrongWords, sentence) }

  func has(_ key: String) -> Bool {
    if let value = members[key], value != .null { true } else { false }
  }

  func text(_ key: String) throws(WireError) -> String? {
    switch members[key] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    case .int(let number)?: return String(number)
    case .number(let number)?: return String(number)
    default: throw WireError(code: ErrorCode.invalidParams, "“\(key)” must be a text")
    }
  }

  func required(_ key: String) throws(WireError) -> String {
    guard let text = try text(key) else {
      throw WireError(code: ErrorCode.invalidParams, "“\(key)” is missing")
    }
    return text
  }

  /// Only `true` and `false` are: what else a client means by it, such as "true", it must not be left to believe.
  func flag(_ key: String, otherwise: Bool = false) throws(WireError) -> Bool {
    switch members[key] {
    case nil, .null?: return otherwise
    case .bool(let isOn)?: return isOn
    default: throw WireError(code: ErrorCode.invalidParams, "“\(key)” must be true or false")
    }
  }

  /// Refuses what the method does not know, because whoever says it relies on it.
  func expectOnlyKnown(to method: String) throws(WireError) {
    guard let known = Methods.params(of: method),
      let key = members.keys.filter({ !known.contains($0) }).min()
    else { return }
    let shown = known.map { "“\($0)”" }.joined(separator: ", ")
    throw WireError(
      code: ErrorCode.invalidParams,
      "“\(method)” knows no “\(clean(key, atMost: 60))”: "
        + (known.isEmpty ? "it takes no params" : "it takes \(shown)"))
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(WireError) -> Int? {
    guard let text = try text(key) else { return nil }
    return try Params.integer(key, text, range)
  }

  private static func integer(_ key: String, _ text: String, _ range: ClosedRange<Int>) throws(WireError)
    -> Int
  {
    guard let number = Int(text), range.contains(number) else {
      let limits =
        range.upperBound == .max
        ? "a whole number from \(range.lowerBound) on"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw wrong("“\(clean(text, atMost: 60))” is not right for --\(key): give \(limits)")
    }
    return number
  }

  /// Seconds or a percentage, as a number.
  func number(_ key: String) throws(WireError) -> Double? {
    guard let text = try text(key) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw Params.wrong("“\(clean(text, atMost: 60))” is not a number for “\(key)”")
    }
    return number
  }

  func span(_ key: String, allowZero: Bool = false) throws(WireError) -> Duration? {
    guard let text = try text(key) else { return nil }
    return try Params.span(key, text, allowZero)
  }

  private static func span(_ key: String, _ text: String, _ allowZero: Bool) throws(WireError) -> Duration {
    do {
      return try Span.parse(text, allowZero: allowZero)
    } catch {
      throw wrong("--\(key): \(error)")
    }
  }

  // MARK: Values that an empty text removes

  func givenText(_ key: String) throws(WireError) -> Given<String> {
    guard let text = try text(key) else { return .absent }
    return text.isEmpty ? .removed : .value(text)
  }

  func givenInteger(_ key: String, in range: ClosedRange<Int>) throws(WireError) -> Given<Int> {
    guard let text = try text(key) else { return .absent }
    return text.isEmpty ? .removed : .value(try Params.integer(key, text, range))
  }

  func givenSpan(_ key: String, allowZero: Bool = false) throws(WireError) -> Given<Duration> {
    guard let text = try text(key) else { return .absent }
    return text.isEmpty ? .removed : .value(try Params.span(key, text, allowZero))
  }

  // MARK: Alarms

  /// The ids of alarms in `ids` (or one in `id`).
  func ids() throws(WireError) -> [Int] {
    if let list = members["ids"] {
      guard case .array(let values) = list else {
        throw WireError(code: ErrorCode.invalidParams, "“ids” must be an array of numbers")
      }
      var result: [Int] = []
      for value in values {
        guard case .int(let number) = value, let id = Int(exactly: number) else {
          throw WireError(code: ErrorCode.invalidParams, "“ids” must be an array of numbers")
        }
        if !result.contains(id) { result.append(id) }
      }
      if !result.isEmpty { return result }
    }
    if let id = try optionalID() { return [id] }
    throw WireError(code: ErrorCode.invalidParams, "“ids” is missing: say which alarms")
  }

  func id() throws(WireError) -> Int {
    guard let id = try optionalID() else {
      throw WireError(code: ErrorCode.invalidParams, "“id” is missing: say which alarm")
    }
    return id
  }

  /// Where leaving it out means all, or the one that sounds.
  func optionalID() throws(WireError) -> Int? {
    guard let text = try text("id") else { return nil }
    guard let id = Int(text), id > 0 else {
      throw WireError(
        code: ErrorCode.invalidParams,
        "“id” must be an alarm's number, not “\(clean(text, atMost: 60))”: “alarm list” shows them")
    }
    return id
  }
}
