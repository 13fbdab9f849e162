/// One thing that stands between an alarm and the ear it is for, looked at: how it is, and what is to be done about it.
public struct Finding: Hashable, Sendable {
  /// `warn`: it will ring, but not as it was meant, or not in every case. `fail`: something keeps it from being heard.
  public enum Result: String, Hashable, Sendable, Comparable, CaseIterable {
    case ok, warn, fail

    public static func < (left: Result, right: Result) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warn: 1
      case .fail: 2
      }
    }
  }

  public var result: Result
  /// One word that stays: `sound`, `wake-up`.
  public var name: String
  /// How it is, a sentence without its full stop.
  public var text: String
  /// What to do, a sentence without its full stop; nil where there is nothing to do.
  public var advice: String?

  public static func ok(_ name: String, _ text: String) -> Finding {
    Finding(result: .ok, name: name, text: text, advice: nil)
  }

  public static func warn(_ name: String, _ text: String, advice: String) -> Finding {
    Finding(result: .warn, name: name, text: text, advice: advice)
  }

  public static func fail(_ name: String, _ text: String, advice: String) -> Finding {
    Finding(result: .fail, name: name, text: text, advice: advice)
  }
}

extension Sequence<Finding> {
  /// The worst of all results; `ok` where there is none.
  public var worst: Finding.Result { map(\.result).max() ?? .ok }
}
