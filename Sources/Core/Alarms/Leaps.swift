import Schedule

/// The wall clock was set by more than a day, or may have been while the machine was off.
public struct ClockTurn: Hashable, Sendable {
  /// Up to then everything had been judged.
  public var from: Instant
  public var to: Instant
  public init(from: Instant, to: Instant) { (self.from, self.to) = (from, to) }
}

/// What a clock that jumps forward leaps over without anybody having lived through it: times from before an alarm was made,
/// and those that were judged already, before the clock went back. A machine whose clock starts in 1970 leaps so at every
/// start.
struct Leap {
  private var start: Instant
  private var end: Instant
  /// More than a day, which no correction of a clock that runs is.
  private var isLong: Bool
  /// The machine was not restarted, so that it is known how much of it was lived through.
  var isInOneBoot: Bool { isLong && boot != nil }
  private var boot: Int64?
  /// The latest that the clock showed before it went back to before `start`; what was due till then was judged then.
  private var judged: Instant?
  /// Since then the clock has shown what it does.
  private var turnedAt: Instant?

  static let long = Duration.seconds(86_400)
  /// 1 January 2026: there was no such program before, so a clock that shows less is wrong.
  private static let written = Instant(seconds: 1_767_225_600)

  init(_ passage: Passage, after turns: [ClockTurn]) {
    (start, end) = (passage.expectedWall ?? passage.lastWall, passage.now.wall)
    isLong = passage.wasSet && end - start > Leap.long
    boot = passage.expectedWall == nil ? nil : passage.now.boot
    guard isLong else { return }
    let (start, end) = (start, end)
    judged = turns.lazy.map(\.from).filter { start < $0 && $0 <= end }.max()
    turnedAt = turns.last?.to
  }

  /// That instant was judged before the clock went back.
  func wasJudged(_ instant: Instant) -> Bool { judged.map { instant <= $0 } ?? false }

  /// Up to when nothing of this alarm is judged, for it was not there or was judged; nil where all is. What comes but once
  /// was ahead when it was made, and is judged in any case.
  func passesOver(_ alarm: Alarm) -> Instant? {
    guard alarm.rule.repeats else { return nil }
    let created = alarm.createdAt
    let before = start < created && created <= end ? created : nil
    if let judged {
      // Made by a clock that was wrong.
      if let turnedAt, turnedAt <= created, created <= start { return end }
      return max(judged, before ?? judged)
    }
    if isLong, created <= start, created < Leap.written { return end }
    // Made by this clock since the machine was started: it is known how long ago.
    if isLong, let boot, created <= start, start - created <= .microseconds(boot) {
      return created + (end - start)
    }
    return before
  }
}

extension AlarmBook {
  /// How many turns of the clock are remembered.
  static let turns = 16

  /// Remembers where the clock stood, where it was set by more than a day.
  mutating func noteTurn(_ passage: Passage) {
    let (from, to) = (passage.lastWall, passage.now.wall)
    let step = to - (passage.expectedWall ?? from)
    guard step > Leap.long || step < .zero - Leap.long else { return }
    clockTurns.append(ClockTurn(from: from, to: to))
    if clockTurns.count > AlarmBook.turns { clockTurns.removeFirst() }
    out.changes.append(.clockTurns(clockTurns))
  }
}
