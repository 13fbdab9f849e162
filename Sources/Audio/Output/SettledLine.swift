/// Whether a device's line is so well known that the device need not be asked for a while.
///
/// Every question takes the lock of the sound server's client library and costs more than mixing what is given in the same
/// turn. When all answers of some seconds agree, one a second is enough, as long as what the device takes stays as far ahead
/// of what is heard as it has been all the time: a server that ran dry, or a stream that was moved, shows there at once.
struct SettledLine {
  /// µs of CLOCK_MONOTONIC until which nothing need be asked.
  private var until: Int64 = 0
  /// By how much (µs) what was taken has been ahead of what was heard.
  private var ahead: ClosedRange<Int64>?

  /// µs.
  private static let pause: Int64 = 1_000_000
  private static let tolerance: Int64 = 2000
  private static let slack: Int64 = 5000

  mutating func forget() { (until, ahead) = (0, nil) }

  /// An answer came at the instant `now`: `zeros` are all those that are kept, `enough` so many that they are sure.
  mutating func observe(_ zeros: [Int64], enough: Int, line: TimeLine?, taken: Int64, now: Int64) {
    guard let line, zeros.count >= enough,
      zeros.allSatisfy({ abs($0 - line.zero) <= SettledLine.tolerance })
    else { return forget() }
    let place = SettledLine.ahead(line, taken: taken, now: now)
    ahead = ahead.map { min($0.lowerBound, place)...max($0.upperBound, place) } ?? place...place
    until = now + SettledLine.pause
  }

  /// At the instant `now`, when `taken` frames have been taken, the line holds without a question.
  func holds(_ line: TimeLine, taken: Int64, now: Int64) -> Bool {
    guard now < until, let ahead else { return false }
    let place = SettledLine.ahead(line, taken: taken, now: now)
    return place >= ahead.lowerBound - SettledLine.slack && place <= ahead.upperBound + SettledLine.slack
  }

  private static func ahead(_ line: TimeLine, taken: Int64, now: Int64) -> Int64 {
    line.instant(ofFrame: taken) - now
  }
}
