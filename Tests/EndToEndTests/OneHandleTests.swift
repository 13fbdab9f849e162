import Harness
import Testing

@Suite("One device handle", .serialized)
struct OneHandleTests {
  @Test(
    "Keep-alive on, then play, pause, play, stop: the device is opened once, and the sink sees one stream")
  func oneOpenOneStream() throws {
    let world = try World(sound: .pulse)
    let server = try #require(world.pulse)
    try world.must("awake", "10m")
    try world.waitForStatus("the keep-alive") { $0.keepAlive.active && $0.output.state == "running" }
    let stream = try wait(for: "the stream") { try server.sinkInputs().first }
    let tone = try world.makeTone(seconds: 20)
    for words in [["play", tone], ["pause"], ["play"], ["pause"], ["play"], ["stop"]] {
      #expect(try world.alarm(words).succeeded, "\(words)")
      let wanted = words[0] == "play" ? "playing" : words[0] == "pause" ? "paused" : "stopped"
      try world.waitForStatus(wanted) { $0.player.state == wanted }
      // Long enough for what was queued to have passed.
      let written = try world.status().output.framesWritten
      try world.waitForStatus("half a second of frames") { $0.output.framesWritten > written + 24_000 }
      #expect(try server.sinkInputs() == [stream])
    }
    let status = try world.status()
    #expect(status.output.opens == 1)
    #expect(status.output.streams == 1)
    #expect(status.output.underruns == 0)
    #expect(status.keepAlive.active)
  }

  @Test("Before an alarm the device is woken and kept awake by the silent clip, and let go after it")
  func awakeBeforeAlarm() throws {
    let world = try World(sound: .pulse, settings: #"{ awake: { beforeAlarm: "12s" } }"#)
    try world.must("add", "+15s", "--sound", try world.makeTone())
    #expect(try world.status().output.state == "closed")
    // Ten seconds ahead the ring itself holds the device; the keep-alive comes before that.
    let status = try world.waitForStatus("the keep-alive") { $0.keepAlive.active }
    #expect(status.keepAlive.why?.isEmpty == false)
    #expect(status.ringing.isEmpty)
    try world.waitForStatus("the ring", within: .seconds(20)) { !$0.ringing.isEmpty }
    try world.must("dismiss")
    try world.waitForStatus("a closed device") { $0.output.state == "closed" && !$0.keepAlive.active }
  }

  @Test("While a track is loaded the device is kept awake, paused too; stop lets it go")
  func awakeWhileLoaded() throws {
    let world = try World(sound: .pulse)
    try world.must("play", try world.makeTone(seconds: 20))
    try world.must("pause")
    let status = try world.waitForStatus("the pause") { $0.player.state == "paused" }
    #expect(status.keepAlive.active)
    #expect(try world.pulse?.sinkInputs().count == 1)
    try world.must("stop")
    try world.waitForStatus("a closed device") { $0.output.state == "closed" }
  }
}
