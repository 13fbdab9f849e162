import Core
import Schedule
import Testing

/// A random history, and where and when it begins.
private struct History {
  var start: Instant
  var zone: String
  var happenings: [Happening]

  init(seed: Int, length: Int, clocks: Bool) {
    var generator = Seeded(UInt64(seed))
    // Somewhere in the year that begins in October 2026.
    start = Instant(seconds: 1_790_812_800 + Int64.random(in: 0..<31_536_000, using: &generator))
    zone = Happening.zones[seed % Happening.zones.count]
    let start = start
    happenings = (0..<length).map { _ in Happening.random(&generator, near: start, clocks: clocks) }
  }

  var world: World { World(start.iso(in: .utc), zone: zone, settings: History.settings) }

  /// Nobody comes for most rings, and while it rings each half minute is an event: ten minutes of it are twenty times one.
  static let settings: Settings = {
    var settings = Settings()
    settings.alarm.silenceAfter = .seconds(70)
    return settings
  }()
}

@Suite("Random histories")
struct HistoryTests {
  @Test(
    "With clocks set, zones changed, suspends, hangs, kills and full disks each ends once, with a true reason",
    arguments: 0..<6)
  func anything(block: Int) {
    find(block, of: 1000) {
      History(seed: $0, length: 24, clocks: true)
    } breaks: { start, history in
      var world = start
      for happening in history where world.broken.isEmpty { world.happen(happening) }
      if !world.broken.isEmpty { return world.broken }
      return quietDays(&world)
    }
  }

  @Test(
    "With suspends, hangs and kills each due occurrence ends once, and rings just when it must",
    arguments: 0..<4)
  func nothingForgotten(block: Int) {
    find(block, of: 1000) {
      History(seed: $0 + 1_000_000, length: 20, clocks: false)
    } breaks: { start, history in
      var oracle = Oracle(start)
      for happening in history where oracle.world.broken.isEmpty { oracle.happen(happening) }
      return oracle.complaints()
    }
  }

  @Test(
    "A year in each of forty zones, with suspends and kills: each due occurrence just as it must be",
    arguments: 0..<4)
  func year(block: Int) {
    #expect(Happening.zones.count == 40)
    for (number, zone) in Happening.zones.enumerated() where number % 4 == block {
      #expect(Zone(zone) != nil, "\(zone)")
      var generator = Seeded(UInt64(number) + 77)
      let start = Instant(seconds: 1_790_812_800)
      var oracle = Oracle(
        World(start.iso(in: .utc), zone: zone, settings: History.settings))
      let morning = clock(Int.random(in: 0...3, using: &generator), 30)
      let rules: [Rule] = [
        .every(.weekly([.monday, .sunday]), morning), .every(.monthDays([1, 29, 31]), clock(2, 15)),
        .every(.lastDayOfMonth, clock(0, 5)), .every(.ordinal([.first, .last], .sunday), clock(1, 45)),
        .every(.yearly(month: 2, day: 28), clock(23, 59)),
        .once(date("2027-03-28"), morning, clockAlone: false),
        .fixed(start + .seconds(15_000_000)), .timer(.seconds(20_000_000)),
      ]
      for rule in rules { oracle.happen(.add(AlarmDraft(rule: rule))) }
      while oracle.world.wall - start < .seconds(366 * 86_400), oracle.world.broken.isEmpty {
        oracle.happen(.pass(Int.random(in: 1...260_000, using: &generator)))
        oracle.happen(.request(.stop, 1))
        let span = [5, 300, 700, 40_000].randomElement(using: &generator) ?? 5
        switch Int.random(in: 0..<7, using: &generator) {
        case 6: oracle.happen(.stop(span))
        case 0: oracle.happen(.sleep(span))
        case 1: oracle.happen(.kill(span, reboot: Bool.random(using: &generator), step: 0))
        case 2: oracle.happen(.hang(span))
        case 3: oracle.happen(.request(.skip, Int.random(in: 1...5, using: &generator)))
        default: break
        }
      }
      #expect(oracle.complaints().isEmpty, "\(zone): \(oracle.complaints())")
      #expect(oracle.world.told.count { $0.state.isSettled } > 150)
    }
  }

  /// After all that, two days in peace: whatever is due rings on time, and only what has ended already does not.
  private func quietDays(_ world: inout World) -> [String] {
    world.isDiskFull = false
    world.send(.stopRinging())
    let (from, told) = (world.wall, world.told.count)
    // What is snoozed may be for a date that has yet to come in the zone of now.
    let ended = Set((world.told.filter(\.state.isSettled) + world.book.snoozed).map(\.id))
    var expected: [(Int, Instant)] = []
    for alarm in world.book.all where alarm.isEnabled && alarm.rule.repeats && alarm.draft.count == nil {
      var after = from
      while let due = alarm.rule.next(after: after, in: alarm.zone ?? world.zone),
        due.instant <= from + .seconds(172_800), alarm.draft.until.map({ due.date <= $0 }) ?? true
      {
        after = due.instant
        let id = OccurrenceID(alarm: alarm.id, date: due.date, version: alarm.version)
        let isSkipped = alarm.skips.contains { $0.contains(due.date) }
        if !isSkipped, !ended.contains(id) { expected.append((alarm.id, due.instant)) }
      }
    }
    world.pass(.seconds(172_800))
    if !world.broken.isEmpty { return world.broken }
    let rang = world.told[told...].filter { $0.state == .ringing && $0.late == nil }
    return expected.filter { id, due in !rang.contains { $0.alarm == id && $0.due == due } }.map {
      "alarm \($0.0) does not ring at \($0.1.iso(in: world.zone))"
    }
  }

  /// Lives the histories of a block until one breaks a promise, and prints what is left of that after shrinking.
  private func find(
    _ block: Int, of count: Int, history: (Int) -> History, breaks: (World, [Happening]) -> [String]
  ) {
    for seed in (block * count)..<(block * count + count) {
      let history = history(seed)
      let world = history.world
      guard !breaks(world, history.happenings).isEmpty else { continue }
      let short = shrink(history.happenings) { breaks(world, $0) }
      let story = short.map(\.description).joined(separator: "\n  ")
      Issue.record(
        "seed \(seed), \(history.start.iso(in: world.zone)) in \(history.zone): \(breaks(world, short))\n  \(story)"
      )
      return
    }
  }
}
