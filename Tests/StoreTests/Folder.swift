import Core
import Glibc
import Platform
import Schedule

@testable import Store

/// A private folder under /tmp, removed with all that is in it when the last reference goes.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/reveille-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("cannot make a folder under /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var database: String { path + "/reveille.db" }
  var backup: String { Store.backupPath(of: database) }

  deinit {
    chmod(path, 0o700)
    for name in ["", "-wal", "-shm", "-journal", ".backup", ".backup.new", ".backup-wal", ".backup-shm"] {
      unlink(database + name)
    }
    rmdir(path)
  }

  /// Calls `body` as somebody to whom permissions apply: root is asked by none. Only this thread is another
  /// (setfsuid(2)), so `body` must not suspend.
  func readOnly<Result>(_ body: () throws -> Result) rethrows -> Result {
    chmod(path, 0o555)
    chmod(database, 0o444)
    if geteuid() == 0 { _ = setfsuid(65_534) }
    defer {
      if geteuid() == 0 { _ = setfsuid(0) }
      chmod(path, 0o700)
      chmod(database, 0o600)
    }
    return try body()
  }
}

// Declared in <sys/fsuid.h>, which no module imports.
@_silgen_name("setfsuid")
private func setfsuid(_ user: UInt32) -> Int32

func bytes(_ path: String) -> [UInt8] { (try? readFile(path)) ?? [] }

func write(_ bytes: [UInt8], to path: String) throws {
  try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC).writeAll(bytes)
}

/// A small generator with a seed, so that what fails once fails again (xorshift64*, Vigna 2016).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_f491_4f6c_dd1d
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &self) ? value : nil }
  mutating func one<Value>(_ values: [Value]) -> Value { values[int(0...(values.count - 1))] }
  mutating func span() -> Duration { .microseconds(int(1...100_000_000_000)) }

  /// Every kind of letter that could be mistaken on the way.
  mutating func text() -> String {
    let parts = [
      "", "a", "Ü", "⏰", "\n", "\r\n", "\\", "\\n", "\0", "'", "\"", "|", " ", "\u{1b}[2J", "\u{202e}",
    ]
    return (0..<int(0...6)).map { _ in one(parts) }.joined()
  }

  mutating func rule() -> Rule {
    let clock = ClockTime(hour: int(0...23), minute: int(0...59), second: int(0...59))!
    switch int(0...4) {
    case 0: return .once(LocalDate(dayNumber: int(-1000...90_000)), clock, clockAlone: int(0...1) == 0)
    case 1: return .fixed(Instant(microseconds: Int64(int(-1_000_000...4_000_000_000_000_000))))
    case 2: return .timer(span())
    default: return .every(days(depth: 0), clock)
    }
  }

  mutating func days(depth: Int) -> Days {
    switch int(0...(depth < 2 ? 5 : 4)) {
    case 0: return .weekly(Set((0..<int(0...4)).map { _ in Weekday.allCases[int(0...6)] }))
    case 1: return .monthDays(Set((0..<int(0...3)).map { _ in int(1...31) }))
    case 2: return .lastDayOfMonth
    case 3: return .ordinal(Set((0..<int(0...3)).map { _ in one(Ordinal.allCases) }), one(Weekday.allCases))
    case 4: return .yearly(month: int(1...12), day: int(1...31))
    default: return .any((0..<int(0...3)).map { _ in days(depth: depth + 1) })
    }
  }

  mutating func deadline() -> Deadline {
    Deadline(
      bootID: text(), boot: Int64(int(0...1_000_000)), wall: Instant(microseconds: Int64(int(0...1_000_000))))
  }

  mutating func alarm(_ id: Int) -> Alarm {
    var draft = AlarmDraft(
      rule: rule(), zone: maybe(Zone(one(["Europe/Berlin", "UTC", "Asia/Kolkata"])) ?? .utc))
    (draft.label, draft.body) = (text(), text())
    (draft.sound, draft.volume) = (maybe(text()), maybe(int(0...100)))
    (draft.fade, draft.snooze, draft.silenceAfter) = (maybe(span()), maybe(span()), maybe(span()))
    (draft.snoozeLimit, draft.count) = (maybe(int(0...9)), maybe(int(1...9)))
    draft.info = (0..<int(0...3)).map { _ in InfoPair(text(), text()) }
    (draft.action, draft.run, draft.badge) = (text(), text(), maybe(int(0...99)))
    draft.until = maybe(LocalDate(dayNumber: int(0...90_000)))
    var alarm = Alarm(id: id, draft: draft, createdAt: Instant(microseconds: Int64(int(0...1_000_000))))
    (alarm.version, alarm.counted) = (int(1...9), int(0...9))
    (alarm.isEnabled, alarm.isSpent) = (int(0...1) == 0, int(0...1) == 0)
    alarm.timerEnd = maybe(deadline())
    alarm.skips = (0..<int(0...2)).map { _ in
      let first = LocalDate(dayNumber: int(0...40_000))
      return first...first.adding(days: one([0, 1, 400]))
    }
    return alarm
  }

  mutating func occurrence(_ alarm: Int, settledAt: Int64?) -> Occurrence {
    let id = OccurrenceID(
      alarm: alarm, date: LocalDate(dayNumber: int(0...90_000)), version: int(1...9), rehearsal: int(0...2))
    let states: [Occurrence.State] =
      settledAt == nil ? [.scheduled, .ringing, .snoozed] : [.dismissed, .missed, .skipped]
    var occurrence = Occurrence(
      id: id, due: Instant(microseconds: Int64(int(0...1_000_000))), state: one(states), label: text())
    occurrence.reason = maybe(one(Occurrence.Reason.allCases))
    (occurrence.late, occurrence.lateReason) = (maybe(span()), maybe(one(Occurrence.Reason.allCases)))
    occurrence.wasHeard = int(0...1) == 0
    occurrence.ringingSince = maybe(Instant(microseconds: Int64(int(0...1_000_000))))
    (occurrence.snoozedUntil, occurrence.snoozeSpan) = (maybe(deadline()), maybe(span()))
    (occurrence.snoozesUsed, occurrence.unansweredUsed) = (int(0...9), int(0...9))
    (occurrence.soundedFor, occurrence.sound) = (span(), maybe(text()))
    occurrence.attempts = (0..<int(0...2)).map { _ in text() }
    occurrence.passedOver = (0..<int(0...2)).map { _ in text() }
    occurrence.notes = (0..<int(0...2)).map { _ in text() }
    occurrence.settledAt = settledAt.map { Instant(microseconds: $0) }
    (occurrence.isReopened, occurrence.hasRun) = (int(0...1) == 0, int(0...1) == 0)
    return occurrence
  }
}
