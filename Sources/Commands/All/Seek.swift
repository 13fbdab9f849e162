import Schedule
import Wire

extension Command {
  static let seek = Command(
    "seek", .player, forms: ["+SPAN|-SPAN|M:SS|N%"], "goes to another place in the track",
    about: ["+SPAN and -SPAN go on and back, M:SS or H:MM:SS goes there, N% to that part of the track."],
    options: [.json],
    examples: [
      Example("alarm seek +30s", "half a minute on"), Example("alarm seek -10s", "ten seconds back"),
      Example("alarm seek 1:30", "to there"), Example("alarm seek 50%", "to the middle"),
    ]
  ) { call throws(Complaint) in
    let typed = try call.texts().joined(separator: " ")
    guard let place = SeekPlace(typed) else {
      let start = typed.isEmpty ? "say where to" : "“\(typed)” is no place in a track"
      throw .wrongWords(
        "\(start): “alarm seek +30s”, “alarm seek -10s”, “alarm seek 1:30” or “alarm seek 50%”")
    }
    return switch place {
    case .by(let seconds): try call.perform("seek", ["by": .number(seconds)])
    case .to(let seconds): try call.perform("seek", ["to": .number(seconds)])
    case .percent(let percent): try call.perform("seek", ["percent": .number(percent)])
    }
  }
}

/// Where to go in a track.
enum SeekPlace: Hashable {
  /// Seconds on, or back where negative.
  case by(Double)
  /// Seconds from the beginning.
  case to(Double)
  case percent(Double)

  /// Reads `+30s`, `-1m30s`, `1:30`, `1:02:03`, `50%`; nil for everything else.
  init?(_ text: String) {
    if let sign = text.first, "+-".contains(sign) {
      guard let span = Spans.read(String(text.dropFirst())) else { return nil }
      self = .by(sign == "-" ? -span.inSeconds : span.inSeconds)
    } else if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
      self = .percent(percent)
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Call.number($0) }
      guard (2...3).contains(parts.count), numbers.count == parts.count,
        numbers.dropFirst().allSatisfy({ $0 < 60 }),
        parts.dropFirst().allSatisfy({ $0.count == 2 }), numbers[0] < 10_000
      else { return nil }
      self = .to(Double(numbers.reduce(0) { $0 * 60 + $1 }))
    }
  }
}
