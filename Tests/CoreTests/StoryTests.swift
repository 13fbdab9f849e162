import Core
import Schedule
import Testing

@Suite("The story of an occurrence")
struct StoryTests {
  let seven = Rule.every(.daily, clock(7))

  /// `07:00:00 rang`, with what stands behind it.
  private func told(_ world: World, of alarm: Int? = nil) -> [String] {
    func clock(_ instant: Instant?) -> String {
      instant.map { String($0.iso(in: world.zone).dropFirst(11).prefix(8)) } ?? ""
    }
    return world.story.filter { alarm == nil || $0.occurrence.alarm == alarm }.map { line in
      var words = [clock(line.at), line.kind.rawValue]
      if let reason = line.reason { words.append(reason.rawValue) }
      if line.from != nil { words.append("from \(clock(line.from))") }
      if line.until != nil { words.append("until \(clock(line.until))") }
      if let span = line.span { words.append("by \(span.microseconds / 1_000_000)") }
      if !line.text.isEmpty { words.append(line.text) }
      return words.joined(separator: " ")
    }
  }

  @Test("On time, with a sound that failed, snoozed and dismissed: each with its instant and by whose hand")
  func ordinary() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.sound = "/gone.ogg" }
    world.pass(.seconds(60))
    let id = try #require(world.book.ringing.first?.id)
    world.send(.ringFailed(id, source: "/gone.ogg", sentence: "“/gone.ogg”: no such file"))
    world.send(.sounding(id, source: "dawn"))
    world.send(.sounding(id, source: "dawn"))
    world.pass(.seconds(5))
    world.send(.snooze(id: nil, span: .seconds(60), by: .screen))
    world.pass(.seconds(60))
    world.send(.dismiss(id: nil, by: .desktop))
    #expect(
      told(world) == [
        "06:59:58 armed until 07:00:00", "07:00:00 rang", "07:00:00 soundFailed “/gone.ogg”: no such file",
        "07:00:00 sounds dawn", "07:00:05 snoozed until 07:01:05 the screen", "07:01:03 armed until 07:01:05",
        "07:01:05 again", "07:01:05 dismissed the desktop",
      ])
  }

  @Test("A sound that is heard a moment before the book sees the instant is told behind its ring, again too")
  func heardAhead() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven)
    world.pass(.seconds(59) + .milliseconds(999))
    let id = try #require(world.prepared.keys.first)
    world.send(.sounding(id, source: "dawn"))
    #expect(!world.story.contains { $0.kind == .sounds })
    world.pass(.milliseconds(1))
    world.send(.sounding(id, source: "dawn"))
    #expect(world.book.ringing.map(\.sound) == ["dawn"])
    world.send(.snooze(id: nil, span: .seconds(60)))
    world.pass(.seconds(59) + .milliseconds(999))
    world.send(.sounding(id, source: "built-in tone"))
    world.pass(.milliseconds(1))
    #expect(world.book.ringing.map(\.sound) == ["built-in tone"])
    world.send(.dismiss(id: nil))
    #expect(
      told(world) == [
        "06:59:58 armed until 07:00:00", "07:00:00 rang", "07:00:00 sounds dawn",
        "07:00:00 snoozed until 07:01:00 the command line", "07:00:58 armed until 07:01:00", "07:01:00 again",
        "07:01:00 sounds built-in tone", "07:01:00 dismissed the command line",
      ])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test(
    "A covered ring tells from when to when it was silent, and what it sounds with only once that is heard")
  func covered() {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(.timer(.seconds(60)))
    world.add(.timer(.seconds(60))) { $0.label = "Tea" }
    world.pass(.seconds(59) + .milliseconds(999))
    // Both begin by themselves, a moment before the book covers one of them.
    for id in world.prepared.keys {
      world.send(
        .sounding(id, source: id.alarm == 1 ? "/music" : "dawn", file: id.alarm == 1 ? "/music/a.ogg" : nil))
    }
    world.pass(.milliseconds(1))
    #expect(world.book.ringing.map(\.alarm) == [2, 1])
    #expect(told(world, of: 2) == ["06:59:58 armed until 07:00:00", "07:00:00 rang", "07:00:00 sounds dawn"])
    let silent = ["06:59:58 armed until 07:00:00", "07:00:00 rang", "07:00:00 covered alarm 2 (Tea)"]
    #expect(told(world, of: 1) == silent)
    world.pass(.seconds(10))
    world.send(.dismiss(id: 2))
    world.pass(.seconds(5))
    world.send(.dismiss(id: 1))
    #expect(
      told(world, of: 1) == silent + [
        "07:00:10 uncovered", "07:00:10 sounds /music/a.ogg", "07:00:15 dismissed the command line",
      ])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("One that was covered until its end was not heard; one that sounded before it was covered was")
  func unheard() {
    var world = World("2026-11-30T06:59:00+01:00")
    for time in [clock(7), clock(7, 5), clock(7, 5)] { world.add(.every(.daily, time)) }
    world.pass(until: "2026-11-30T07:01:00+01:00")
    if let id = world.book.ringing.first?.id { world.send(.sounding(id, source: "dawn")) }
    world.pass(until: "2026-11-30T07:05:00+01:00")
    world.send(.snooze(id: 2, span: .seconds(60)))
    world.pass(.seconds(62))
    #expect(world.book.ringing.map(\.alarm) == [2, 3, 1])
    world.send(.stopRinging())
    #expect(
      told(world, of: 1) == [
        "06:59:58 armed until 07:00:00", "07:00:00 rang", "07:01:00 sounds dawn", "07:05:00 covered alarm 3",
        "07:06:02 dismissed the command line",
      ])
    #expect(
      told(world, of: 2) == [
        "07:05:00 rang", "07:05:00 covered alarm 3", "07:05:00 unheard",
        "07:05:00 snoozed until 07:06:00 the command line", "07:05:58 armed until 07:06:00", "07:06:00 again",
        "07:06:02 dismissed the command line",
      ])
    // It was to sound, and had not begun to.
    #expect(
      told(world, of: 3) == [
        "07:04:58 armed until 07:05:00", "07:05:00 rang", "07:06:00 covered alarm 2", "07:06:02 unheard",
        "07:06:02 dismissed the command line",
      ])
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("One that was uncovered and silenced before its sound began was not heard")
  func uncoveredUnheard() {
    var world = World("2026-11-30T06:59:00+01:00")
    for _ in 0..<3 { world.add(seven) }
    world.pass(.seconds(60))
    #expect(world.book.ringing.map(\.alarm) == [3, 2, 1])
    world.send(.dismiss(id: 3))
    world.pass(.milliseconds(3))
    world.send(.dismiss(id: 2))
    #expect(
      told(world, of: 2) == [
        "07:00:00 rang", "07:00:00 covered alarm 3", "07:00:00 uncovered", "07:00:00 unheard",
        "07:00:00 dismissed the command line",
      ])
    world.pass(.seconds(1))
    world.send(.sounding(OccurrenceID(alarm: 1, date: date("2026-11-30"), version: 1), source: "dawn"))
    world.send(.dismiss(id: 1))
    #expect(!told(world, of: 1).contains { $0.contains("unheard") })
    #expect(world.broken.isEmpty, "\(world.broken)")
  }

  @Test("A folder's file that sounds first stands in the story, the present one in the book")
  func folder() throws {
    var world = World("2026-11-30T06:59:00+01:00")
    world.add(seven) { $0.sound = "/music" }
    world.pass(.seconds(60))
    let id = try #require(world.book.ringing.first?.id)
    for name in ["a", "b"] { world.send(.sounding(id, source: "/music", file: "/music/\(name).ogg")) }
    #expect(world.book.ringing.map(\.file) == ["/music/b.ogg"])
    #expect(world.book.ringing.map(\.sound) == ["/music"])
    #expect(told(world).suffix(1) == ["07:00:00 sounds /music/a.ogg"])
  }

  @Test("Late because the engine was away, restarted while it rang, and missed unanswered")
  func away() {
    var settings = Settings()
    settings.alarm.unanswered = 1
    var world = World("2026-11-30T06:59:00+01:00", settings: settings)
    world.add(seven)
    world.kill(away: .seconds(240))
    world.kill(away: .seconds(60))
    world.pass(.seconds(1800))
    #expect(
      told(world) == [
        "07:03:00 late away from 06:59:00 until 07:03:00 by 180",
        "07:04:00 restarted away from 07:03:00 until 07:04:00", "07:14:00 silenced until 07:24:00",
        "07:23:58 armed until 07:24:00", "07:24:00 again", "07:34:00 missed unanswered",
      ])
  }

  @Test("Missed because the machine slept, and from when to when")
  func asleep() {
    var world = World("2026-11-30T06:50:00+01:00")
    world.add(seven)
    world.sleep(.seconds(3600))
    #expect(told(world) == ["07:50:00 missed asleep from 06:50:00 until 07:50:00"])
  }

  @Test("Missed because the clock was set, open again when it went back, and missed by a change of zone")
  func clocks() {
    var world = World("2026-11-30T06:00:00-05:00", zone: "America/New_York")
    world.add(seven)
    world.setClock(by: .seconds(7200))
    world.setClock(by: .seconds(-7200))
    world.move(to: "Europe/Berlin")
    // By the clock of the zone the machine is in now.
    #expect(
      told(world) == [
        "14:00:00 missed clockSet from 12:00:00 until 14:00:00", "12:00:00 reopened",
        "12:00:00 missed zoneChanged Europe/Berlin",
      ])
  }

  @Test("Skipped, edited away and superseded")
  func ends() {
    var settings = Settings()
    settings.alarm.silenceAfter = .seconds(90_000)
    var world = World("2026-11-30T06:59:00+01:00", settings: settings)
    world.add(seven)
    world.send(.skip(.next(1)))
    world.pass(.seconds(3 * 86_400))
    world.send(.setEnabled([1], false))
    #expect(
      told(world) == [
        "07:00:00 skipped", "06:59:58 armed until 07:00:00", "07:00:00 rang",
        "07:00:00 superseded", "06:59:58 armed until 07:00:00", "07:00:00 rang", "06:59:00 edited",
      ])
  }
}
