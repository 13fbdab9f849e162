import FoundationEssentials

extension JSON {
  /// Reads JSON5 (comments, bare keys, single quotes, trailing commas), as the settings file is written in. Throws one
  /// sentence part that says where the mistake is as far as that is known.
  public init(json5 bytes: [UInt8]) throws(WireError) {
    // A mark at the beginning that some editors write is no part of the text.
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    guard !Incoming.isTooDeep(Array(text)) else {
      throw WireError(code: ErrorCode.parse, "it is nested more than \(Incoming.deepestNesting) levels deep")
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    do {
      self = try decoder.decode(JSON.self, from: Data(text))
    } catch {
      throw WireError(code: ErrorCode.parse, "it is not JSON5\(JSON.place(of: error))")
    }
  }

  /// ` (line 3, column 7)`-like words out of the decoder's own complaint.
  private static func place(of error: any Error) -> String {
    guard let error = error as? DecodingError, case .dataCorrupted(let context) = error,
      let cause = context.underlyingError
    else { return "" }
    // The library has no public type for it; its text ends in "around line 1, column 5."
    let text = "\(cause)"
    guard let start = text.firstRange(of: "line ")?.lowerBound else { return "" }
    let tail = text[start...].prefix { $0 != "." && $0 != "\"" && $0 != ")" }
    return " at \(tail)"
  }
}
