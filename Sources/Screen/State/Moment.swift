import Schedule

/// How the clock reads.
public enum ClockStyle: String, Hashable, Sendable, CaseIterable {
  case hours24 = "24"
  case hours12 = "12"
}

/// A date and a time on the wall, with the instant it stands for.
public struct WallTime: Hashable, Sendable {
  public let instant: Instant
  /// Seconds the wall is ahead of UTC.
  public let offset: Int
  public let date: LocalDate
  public let clock: ClockTime

  /// The time without its seconds, as a clock's face shows it.
  var minute: ClockTime { ClockTime(hour: clock.hour, minute: clock.minute) ?? clock }

  /// What a wall `offset` seconds ahead of UTC shows at an instant.
  public init(_ instant: Instant, offset: Int) {
    self.instant = instant
    self.offset = offset
    let bound: Int64 = 1 << 50
    let seconds = Int(min(max(instant.seconds, -bound), bound)) + offset
    let day = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
    date = LocalDate(dayNumber: day)
    let second = seconds - day * 86_400
    clock = ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60) ?? .midnight
  }

  /// Reads ISO 8601 with an offset, as the socket has it: `2026-11-30T07:00:00+01:00`; nil for everything else.
  public init?(iso text: String) {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count <= 12, let date = LocalDate(parts[0]) else { return nil }
    var time = parts[1]
    var offset = 0
    if time.hasSuffix("Z") {
      time.removeLast()
    } else {
      guard let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }),
        let shift = WallTime.seconds(time[time.index(after: sign)...]), shift.fraction == 0
      else { return nil }
      offset = time[sign] == "-" ? -shift.whole : shift.whole
      time = time[..<sign]
    }
    guard let clock = WallTime.seconds(time) else { return nil }
    let seconds = Int64(date.dayNumber) * 86_400 + Int64(clock.whole - offset)
    self.init(Instant(microseconds: seconds * 1_000_000 + Int64(clock.fraction)), offset: offset)
  }

  /// `07:00`, `07:00:30` or `07:00:30.25` in seconds and microseconds.
  private static func seconds(_ text: Substring) -> (whole: Int, fraction: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var whole = 0
    var fraction = 0
    for (index, part) in parts.enumerated() {
      let halves = part.split(separator: ".", omittingEmptySubsequences: false)
      guard halves.count <= (index == 2 ? 2 : 1), let digits = halves.first, digits.utf8.count == 2,
        let number = Int(digits), number >= 0, number < (index == 0 ? 24 : 60)
      else { return nil }
      whole += number * [3600, 60, 1][index]
      if halves.count == 2 {
        let digits = (halves[1] + "000000").prefix(6)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else { return nil }
        fraction = number
      }
    }
    return (whole, fraction)
  }
}

extension ClockTime {
  fileprivate static var midnight: ClockTime {
    // 00:00 exists on every face; the initialiser only fails outside 00:00–23:59.
    guard let time = ClockTime(hour: 0, minute: 0) else { preconditionFailure("00:00 is a time") }
    return time
  }
}

/// Now, as it is given to everything that needs it.
public struct Moment: Hashable, Sendable {
  public let wall: WallTime
  /// CLOCK_MONOTONIC in microseconds: what waits and expires is measured by it, for the wall clock can be set.
  public let monotonic: Int64

  public init(wall: WallTime, monotonic: Int64) { (self.wall, self.monotonic) = (wall, monotonic) }
}
