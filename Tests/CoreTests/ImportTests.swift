import Schedule
import Testing

@testable import Core

@Suite("Alarms that are brought in")
struct ImportTests {
  private func copy(_ text: String, id: Int? = nil) throws -> AlarmCopy {
    AlarmCopy(AlarmDraft(rule: try #require(Rule(text: text))), id: id)
  }

  private func now() throws -> Moment {
    Moment(
      wall: Instant(seconds: 1_796_014_800), boot: 1_000_000, bootID: "boot",
      zone: try #require(Zone("Europe/Berlin")))
  }

  private func book(_ now: Moment) throws -> AlarmBook {
    var book = AlarmBook()
    _ = try book.handle(.loaded, at: now)
    _ = try book.handle(.add(AlarmDraft(rule: .every(.daily, try #require(ClockTime("07:00"))))), at: now)
    return book
  }

  @Test("One keeps its number where that was never used, and the others come after all that are kept")
  func numbers() throws {
    let now = try now()
    var book = try book(now)
    let copies = try [1, 9, nil, 9, 4, 2_000_000].map { try copy("every day 08:00", id: $0) }
    let effects = try book.handle(.bringIn(copies), at: now)
    #expect(book.all.map(\.id) == [1, 4, 9, 10, 11, 12, 13])
    let answer = effects.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    #expect(answer.first?.alarms == [10, 9, 11, 12, 4, 13])
    let later = try book.handle(.add(AlarmDraft(rule: .timer(.seconds(60)))), at: now)
    #expect(!later.isEmpty && book.all.last?.id == 14)
  }

  @Test("All are stored in one go, planned, and taken back by one undo", arguments: [3, 500])
  func undone(count: Int) throws {
    let now = try now()
    var book = try book(now)
    let before = book.nextOccurrences(2000, at: now).prefix(900).map(\.alarm)
    var copies = try (0..<count).map { try copy("every day 0\($0 % 10):1\($0 % 6)") }
    copies.append(try copy("+10m"))
    let effects = try book.handle(.bringIn(copies), at: now)
    let saves = effects.compactMap { if case .save(let changes, true) = $0 { changes } else { nil } }
    #expect(saves.count == 1 && saves[0].count { if case .alarm = $0 { true } else { false } } == count + 1)
    #expect(book.count == count + 2 && book.enabledCount == count + 2)
    #expect(Set(book.nextOccurrences(count + 2, at: now).map(\.alarm)).count == count + 2)
    _ = try book.handle(.undo, at: now)
    #expect(book.all.map(\.id) == [1] && book.enabledCount == 1)
    #expect(book.nextOccurrences(2000, at: now).prefix(900).map(\.alarm) == before)
  }

  @Test("A store that refuses leaves everything as it was", arguments: [3, 500])
  func reverted(count: Int) throws {
    let now = try now()
    var book = try book(now)
    let copies = try (0..<count).map { try copy("every day 0\($0 % 10):1\($0 % 6)") }
    _ = try book.handle(.bringIn(copies), at: now)
    book.revert()
    #expect(book.all.map(\.id) == [1] && book.enabledCount == 1 && !book.canUndo)
    #expect(book.nextOccurrences(3, at: now).map(\.alarm) == [1, 1, 1])
  }

  @Test("One that no alarm may be takes all of them away, with its place")
  func refused() throws {
    let now = try now()
    var book = try book(now)
    var wrong = try copy("every day 08:00")
    wrong.draft.volume = 700
    let copies = [try copy("every day 09:00"), wrong]
    let refusal = #expect(throws: Refusal.self) { try book.handle(.bringIn(copies), at: now) }
    #expect(refusal?.description.contains("at place 2: the volume") == true)
    #expect(book.count == 1)
  }

  @Test("What has passed is taken, off and spent; a timer goes on where it was")
  func passed() throws {
    let now = try now()
    var book = try book(now)
    var (running, over) = (try copy("+1h"), try copy("+1h"))
    running.endsAt = now.wall + .seconds(600)
    over.endsAt = now.wall - .seconds(600)
    _ = try book.handle(
      .bringIn([try copy("2020-01-01 07:00"), running, over, try copy("2020-01-01T07:00:00Z")]), at: now)
    #expect(book.all.map(\.isEnabled) == [true, false, true, false, false])
    #expect(book.all.map(\.isSpent) == [false, true, false, true, true])
    #expect(book.nextDue(of: 3, at: now)?.instant == now.wall + .seconds(600))
  }

  @Test("Those just like others that are there already are counted in a warning")
  func twins() throws {
    let now = try now()
    var book = try book(now)
    let effects = try book.handle(
      .bringIn([try copy("every day 07:00"), try copy("every day 09:00")]), at: now)
    let warnings = effects.compactMap { if case .answer(let answer) = $0 { answer.warnings } else { nil } }
    #expect(
      warnings == [
        ["1 of them is just like what was there already; “alarm undo” takes all of this import back"]
      ])
  }
}
