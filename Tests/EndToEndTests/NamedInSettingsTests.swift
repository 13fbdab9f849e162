import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("What the settings name and is not there")
struct NamedInSettingsTests {
  /// What the status warns of, by key.
  private func warnings(_ world: World) throws -> [String: String] {
    let sentences = try world.status().engine.configWarnings ?? []
    return Dictionary(
      sentences.map { ($0.components(separatedBy: ": ").first ?? "", $0) }, uniquingKeysWith: { $0 + $1 })
  }

  @Test(
    "Sounds, clips, folders, devices and programs are told by key, and what is right is used all the same")
  func kinds() throws {
    let world = try World()
    let text = world.folder.path + "/words.txt"
    try world.folder.write(Array("no sound".utf8), to: world.folder.file("words.txt"))
    try world.write(
      settings: """
        {
          alarm: { sound: "\(text)", snooze: "7 min" },
          output: { device: "nodevice", alarmDevices: ["null", "hw:77", "attic:1"] },
          keepAlive: { clip: "clip.wav" },
          player: { music: "~/nowhere" },
          ui: { terminal: ["no-such-terminal", "-e"] },
        }
        """)
    try world.must("engine", "start")
    let found = try wait(for: "the warnings") { () -> [String: String]? in
      let found = try warnings(world)
      return found.isEmpty ? nil : found
    }
    #expect(
      found.keys.sorted() == [
        "alarm.sound", "keepAlive.clip", "output.alarmDevices", "output.device", "player.music",
        "ui.terminal",
      ])
    #expect(found["alarm.sound"]?.contains("words.txt” is not audio of a known kind") == true)
    #expect(found["alarm.sound"]?.contains("until then the built-in tone rings in its place (in “") == true)
    #expect(found["output.alarmDevices"]?.contains("“attic:1”") == true)
    #expect(
      found["output.alarmDevices"]?.contains("no sound card “77” for the device “hw:77”; connect it") == true)
    #expect(found["keepAlive.clip"]?.contains("is not a whole path") == true)
    #expect(found["player.music"]?.contains("\(world.folder.path)/home/nowhere” cannot be opened") == true)
    #expect(found["ui.terminal"]?.contains("“no-such-terminal”") == true)
    #expect(try world.must("status").contains("settings    alarm.sound: "))
    #expect(try world.alarm("engine", "status").complaint.contains("ui.terminal: "))
    #expect(try world.status().engine.configErrors.isEmpty)
    // They are in use: the alarm rings, with what takes the sound's place, and snoozes as is said there.
    try world.must("add", "daily 07:00")
    try world.must("ring", "1")
    try world.waitForStatus("the tone") { $0.ringing.first?.sound == "built-in tone" }
    try world.must("snooze")
    let until = try microseconds(try world.status().snoozed.first?.until)
    #expect(until > wallMicroseconds() + 360_000_000 && until <= wallMicroseconds() + 421_000_000)
  }

  @Test("It is said no longer once it is there; a path from “~/” on is one in the home folder")
  func mended() throws {
    let world = try World(settings: "{ alarm: { sound: \"~/up.wav\" }, keepAlive: { clip: \"~/up.wav\" } }")
    try world.must("engine", "start")
    try wait(until: "the warnings") { try warnings(world).count == 2 }
    #expect(try warnings(world)["alarm.sound"]?.contains("home/up.wav” does not exist") == true)
    _ = try world.makeTone("home/up.wav")
    try wait(until: "them to go") { try warnings(world).isEmpty }
    try world.must("add", "daily 07:00")
    try world.must("ring", "1")
    try world.waitForStatus("its own sound") { $0.ringing.first?.sound == world.folder.path + "/home/up.wav" }
    try world.must("stop")
  }
}
