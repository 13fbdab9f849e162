import Core
import Schedule
import Testing

@Suite("The count of changes, by which a screen knows when to read the alarms again")
struct ChangeCountTests {
  let seven = Rule.every(.daily, clock(7))

  /// Whether the count grows by what `deed` does.
  private func grows(_ world: inout World, _ deed: (inout World) -> Void) -> Bool {
    let before = world.book.changes
    deed(&world)
    return world.book.changes > before
  }

  @Test("It grows with each change of an alarm, and with each new state of an occurrence")
  func grows() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    let id = world.add(seven)
    #expect(world.book.changes > 0)
    #expect(grows(&world) { $0.add(seven) })
    #expect(grows(&world) { $0.send(.edit(id, AlarmDraft(rule: seven, label: "Up"))) })
    #expect(grows(&world) { $0.send(.setEnabled([id], false)) })
    #expect(grows(&world) { $0.send(.setEnabled([id], true)) })
    #expect(grows(&world) { $0.send(.skip(.next(2))) })
    #expect(grows(&world) { $0.pass(.seconds(60)) })
    #expect(world.book.ringing.map(\.alarm) == [id])
    #expect(grows(&world) { $0.send(.snooze(id: nil, span: .seconds(60))) })
    #expect(grows(&world) { $0.pass(.seconds(60)) })
    #expect(grows(&world) { $0.send(.dismiss(id: nil)) })
    #expect(grows(&world) { $0.send(.rehearse(id)) })
    #expect(grows(&world) { $0.pass(.seconds(3600)) }, "nobody came")
    #expect(grows(&world) { $0.send(.remove([id])) })
    #expect(grows(&world) { $0.send(.undo) })
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("It grows where the times are others and no alarm is: the clock was set, the zone is another")
  func times() {
    var world = World("2026-11-30T12:00:00+01:00")
    world.add(seven)
    #expect(grows(&world) { $0.setClock(by: .seconds(-3600)) })
    #expect(grows(&world) { $0.move(to: "Asia/Tokyo") })
  }

  @Test("It stands still while nothing changes, while something rings, and where a request is refused")
  func standsStill() throws {
    var world = World("2026-11-30T06:00:00+01:00")
    world.add(seven)
    #expect(!grows(&world) { $0.pass(.seconds(1800)) })
    #expect(!grows(&world) { $0.ask(.remove([7])) })
    world.pass(.seconds(1800))
    let id = try #require(world.book.ringing.first?.id)
    world.send(.sounding(id, source: "dawn"))
    #expect(!grows(&world) { $0.pass(.seconds(120)) }, "it is stored every half minute, and is no other")
    #expect(!grows(&world) { $0.send(.inboxSeen) })
    #expect(world.book.ringing.count == 1)
  }
}
