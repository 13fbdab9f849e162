import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The engine looks by itself before the night", .serialized)
struct NightWatchTests {
  /// Sets `doctor.at` to a moment from now on, by the clock on the world's wall.
  private func lookSoon(_ world: World) throws {
    let clock = String(
      decoding: try runOrThrow(
        ["date", "-d", "now + 2 seconds", "+%H:%M:%S"], environment: world.environment),
      as: UTF8.self
    ).filter { $0 != "\n" }
    try world.write(settings: "{ doctor: { at: \"\(clock)\" } }")
  }

  /// How often it has said what it found.
  private func looks(_ world: World) -> Int {
    world.log.split(separator: "\n").count { $0.contains("doctor: ") && $0.contains("from being heard") }
  }

  @Test("Nobody would hear the alarm: the desktop is told, and no longer once it is mended")
  func appearsAndVanishes() throws {
    let ward = try Ward()
    let (world, server) = (ward.world, try #require(ward.desktop))
    let pulse = try #require(world.pulse)
    try world.must("add", "+8h", "--label", "Up")
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    try lookSoon(world)
    try wait(until: "the notice") { server.shown().count == 1 }
    let shown = try #require(server.shown().first)
    #expect(shown.title.hasPrefix("alarm 1 “Up” at ") && shown.title.hasSuffix("may not be heard"))
    #expect(shown.body.contains("leads nowhere") && shown.body.contains("connect a loudspeaker"))
    #expect(world.log.contains("doctor: something may keep alarm 1 “Up”, due at"))
    #expect(try server.displayed() == 1)
    // The same the next time is the same notice.
    try lookSoon(world)
    try wait(until: "the second look") { looks(world) == 2 }
    #expect(try server.displayed() == 1)
    try pulse.control("set-default-sink", "sink")
    try lookSoon(world)
    try wait(until: "the notice to vanish") { try server.displayed() == 0 }
    #expect(world.log.contains("doctor: nothing keeps alarm 1 “Up”"))
    #expect(try world.status().output.opens == 0, "the quick half gives no device any sound")
  }

  @Test(
    "A device that nobody has opened yet is not believed in: one that is missing, a card that is not there, a sound server that has gone or hangs",
    arguments: [
      ("nowhere", "cannot be opened"), ("hw:9,0", "cannot be opened"), ("gone", "cannot be opened"),
      ("hung", "takes no sound"),
    ])
  func unopened(_ what: String, _ sentence: String) throws {
    let usesServer = ["gone", "hung"].contains(what)
    let ward = try Ward(settings: usesServer ? nil : "{ output: { device: \"\(what)\" } }")
    let (world, server) = (ward.world, try #require(ward.desktop))
    let pulse = try #require(world.pulse)
    try world.must("add", "+8h")
    if what == "gone" { pulse.stop() }
    if what == "hung" { pulse.suspend() }
    defer { if what == "hung" { pulse.resume() } }
    let clock = String(
      decoding: try runOrThrow(
        ["date", "-d", "now + 2 seconds", "+%H:%M:%S"], environment: world.environment), as: UTF8.self
    ).filter { $0 != "\n" }
    let output = usesServer ? "" : "output: { device: \"\(what)\" }, "
    try world.write(settings: "{ \(output)doctor: { at: \"\(clock)\" } }")
    try wait(until: "the notice", within: .seconds(30)) { server.shown().count == 1 }
    #expect(world.log.contains("doctor: something may keep alarm 1, due at"), "\(world.log)")
    #expect(server.shown().first?.body.contains(sentence) == true, "\(server.shown())")
    #expect(try world.status().output.opens == 0)
  }

  @Test("What is only a warning, and what no alarm of the next twelve hours needs, is told to nobody")
  func tellsOnlyOfFails() throws {
    var facts = Machine.Facts()
    facts.lidAction = "suspend"
    let ward = try Ward(facts: facts)
    let (world, server) = (ward.world, try #require(ward.desktop))
    let pulse = try #require(world.pulse)
    try pulse.control("set-sink-mute", "sink", "1")
    try world.must("add", "+8h")
    try lookSoon(world)
    try wait(until: "the look") { looks(world) == 1 }
    #expect(world.log.contains("doctor: lid: closing the lid sends the machine to sleep"))
    #expect(world.log.contains("doctor: mixer: ") && world.log.contains("doctor: nothing keeps alarm 1"))
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    try world.must("edit", "1", "+13h")
    try lookSoon(world)
    // What is shown is that nothing happens: real time has to pass.
    usleep(3_500_000)
    #expect(looks(world) == 1)
    #expect(server.shown().isEmpty)
  }

  @Test("A visit of the person's own that finds nothing wrong takes the notice away too")
  func ownVisit() throws {
    let ward = try Ward()
    let (world, server) = (ward.world, try #require(ward.desktop))
    let pulse = try #require(world.pulse)
    try world.must("add", "+8h")
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    try lookSoon(world)
    try wait(until: "the notice") { try server.displayed() == 1 }
    #expect(try world.alarm("doctor").status == .exited(1))
    #expect(try server.displayed() == 1)
    try pulse.control("set-default-sink", "sink")
    try world.must("doctor")
    try wait(until: "the notice to vanish") { try server.displayed() == 0 }
  }
}
