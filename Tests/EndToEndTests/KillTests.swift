import Glibc
import Harness
import Platform
import Synchronization
import Testing
import Wire

@Suite("Kills and restarts", .serialized)
struct KillTests {
  @Test(
    "The engine is killed at any instant, fifty times: what a command acknowledged is there after the restart, once"
  )
  func nothingAcknowledgedIsLost() throws {
    let world = try World()
    try world.must("engine", "start")
    var generator = SeededGenerator(seed: 2026)
    var acknowledged: [String] = []
    for round in 0..<50 {
      let engine = try world.enginePID()
      // The kill comes from another thread, somewhere within or after the adds of this round.
      let delay = UInt32.random(in: 0...60_000, using: &generator)
      let flag = Flag()
      try startThread("killer") {
        usleep(delay)
        kill(engine, SIGKILL)
        flag.raise()
      }
      for number in 0..<3 {
        let label = "r\(round)n\(number)"
        let finished = try world.alarm("add", "mon 07:00", "--label", label)
        if finished.succeeded { acknowledged.append(label) }
      }
      try wait(until: "the kill") { flag.isRaised }
      // Dead, and a new one answers: started by its parent or by the next command.
      try wait(until: "another engine", within: .seconds(20)) {
        guard let status = try? world.status() else { return false }
        return status.engine.pid != engine
      }
      let labels = try world.list().map(\.label)
      for label in acknowledged {
        #expect(labels.count { $0 == label } == 1, "\(label) after round \(round)")
      }
      #expect(Set(labels).count == labels.count)
    }
    #expect(acknowledged.count >= 50)
    let ids = try world.list().map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  @Test("A killed engine is started again by its parent, with no command sent, and what was ringing rings on")
  func parentRestarts() throws {
    let world = try World(sound: .pulse)
    let recorder = try Recorder(try #require(world.pulse))
    defer { recorder.stop() }
    let tone = try world.makeTone()
    try world.must("add", "+2s", "--sound", tone, "--fade", "0s", "--label", "Up")
    try world.waitForStatus("the ring") { $0.ringing.count == 1 }
    _ = try recorder.waitForSound()
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    // Nothing is asked of it here: only the recording tells.
    let quiet = try recorder.waitForSilence(
      from: recorder.count, lasting: .milliseconds(100), within: .seconds(10))
    _ = try recorder.waitForSound(from: quiet + 4800, within: .seconds(15))
    let status = try world.status()
    #expect(status.engine.pid != engine)
    #expect(status.ringing.map(\.label) == ["Up"])
    try world.must("dismiss")
    kill(status.engine.pid, SIGKILL)
    try wait(until: "another engine", within: .seconds(20)) {
      (try? world.enginePID()) ?? status.engine.pid != status.engine.pid
    }
    #expect(try world.status().ringing.isEmpty)
  }

  @Test("The engine is killed at any instant: a player that was playing is paused at its place")
  func playerIsPaused() throws {
    let world = try World()
    let tone = try world.makeTone(seconds: 60)
    try world.must("play", tone)
    try world.must("seek", "0:20")
    // Some seconds of playing that no command has written down.
    let heard = try world.waitForStatus("the place") { $0.player.position >= 25 }.player.position
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    // A question that is under way when the engine dies is answered with a complaint.
    try wait(until: "its end") { !isAlive(engine) }
    let status = try world.waitForStatus("the restart", within: .seconds(20)) { $0.engine.pid != engine }
    #expect(status.player.state == "paused")
    #expect(status.player.track?.path == tone)
    #expect(
      status.player.position >= heard - 2.5 && status.player.position < heard + 2,
      "at \(status.player.position), heard \(heard)")
  }

  @Test("SIGTERM ends in order: exit, no socket, and everything there at the next start")
  func terminates() throws {
    let world = try World()
    try world.must("add", "daily 07:00", "--label", "Keep")
    let engine = try world.enginePID()
    kill(engine, SIGTERM)
    try wait(until: "the end of every process") { world.processes().isEmpty }
    #expect(access(world.socket, F_OK) != 0)
    #expect(try world.list().map(\.label) == ["Keep"])
  }
}

/// A flag that one thread raises and another sees.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  func raise() { value.store(true, ordering: .releasing) }
  var isRaised: Bool { value.load(ordering: .acquiring) }
}
