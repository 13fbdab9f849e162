import Harness
import Platform
import Testing
import Wire

@Suite("What a subscriber is told while music plays", .serialized)
struct MotionTests {
  /// The statuses that come within that many seconds.
  private func statuses(_ client: Client, within seconds: Double) throws -> [Status] {
    let end = Clocks.monotonicMicroseconds() + Int64(seconds * 1e6)
    var found: [Status] = []
    while case let left = end - Clocks.monotonicMicroseconds(), left > 0,
      let notification = try client.nextNotification(waitingAtMost: Double(left) / 1e6)
    {
      if notification.method == "status" { found.append(try notification.params.decode()) }
    }
    return found
  }

  @Test("Without motion it is told of a seek at once, and nothing each second; with it, each second")
  func motion() throws {
    let world = try World(sound: .pulse)
    try world.must("play", try world.makeTone(seconds: 120))
    try world.waitForStatus("music that is heard") { $0.player.position > 2 }
    let (still, moving) = (try Client(path: world.socket), try Client(path: world.socket))
    let _: Status = try still.call("subscribe", ["motion": false])
    let _: Status = try moving.call("subscribe")
    _ = try statuses(still, within: 0.2)
    #expect(try statuses(still, within: 2.5).isEmpty)
    #expect(try statuses(moving, within: 0.5).count >= 2)
    try world.must("seek", "1:00")
    #expect(try statuses(still, within: 1).contains { $0.player.position >= 60 })
    // In a pause no second passes, and a seek is told all the same.
    try world.must("pause")
    _ = try statuses(still, within: 0.5)
    try world.must("seek", "-30s")
    let told = try statuses(still, within: 1)
    #expect(told.contains { $0.player.state == "paused" && $0.player.position < 40 })
  }
}
