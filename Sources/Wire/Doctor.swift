import Core

/// What `doctor` answers: whether the next alarm will be heard.
public struct DoctorReply: Codable, Hashable, Sendable {
  public struct Row: Codable, Hashable, Sendable {
    /// `ok`, `warn` or `fail`.
    public var result: String
    /// A word that stays, such as `sound` or `wake-up`; a name may come more than once.
    public var name: String
    /// How it is.
    public var finding: String
    /// What to do; nil where there is nothing.
    @Nullable public var advice: String?
  }

  /// The worst of the rows' results.
  public var result: String
  public var rows: [Row]

  public init(_ findings: [Finding]) {
    result = findings.worst.rawValue
    rows = findings.map {
      Row(result: $0.result.rawValue, name: $0.name, finding: $0.text, advice: $0.advice)
    }
  }
}
