import Glibc
import Harness
import Platform
import Testing
import Wire

/// On a machine without a clock that wakes it, as the machines that tests run on are.
@Suite("Waking the machine", .serialized)
struct WakeUpTests {
  /// Where the machine's own clock does it, nothing else is asked.
  private static let hasClock: Bool = {
    var time = timespec()
    return clock_gettime(CLOCK_REALTIME_ALARM, &time) == 0
  }()

  private static let warning = "if this machine sleeps, it sleeps through the alarm"

  @Test(
    "A timer of systemd's is armed a minute ahead, moved with the alarm, outlives a kill and goes with it",
    .enabled(if: !hasClock))
  func systemd() throws {
    let bus = try PrivateBus()
    let login = try LoginServer(bus)
    let manager = try UnitManager(bus, version: "254.5-1")
    let world = try World()
    world.use(bus)
    let added = try world.alarm("add", "daily 07:00")
    #expect(!added.complaint.contains(WakeUpTests.warning), "\(added.complaint)")
    let status = try world.waitForStatus("the wake-up") { $0.awake.wakeUp != nil }
    #expect(status.awake.wakeUp?.by == "systemd")
    let due = try microseconds(status.alarms.next?.at)
    #expect(try microseconds(status.awake.wakeUp?.at) == due - 60_000_000)
    func shown(_ due: Int64) -> [String] {
      let seconds = due / 1_000_000 - 60
      return ["reveille-wake-\(seconds).timer @\(seconds) WakeSystem /bin/sh"]
    }
    #expect(try manager.timers() == shown(due))
    #expect(try world.must("status").contains("06:59, by a timer of systemd"))
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try world.waitForStatus("the wake-up at the next engine", within: .seconds(20)) {
      $0.engine.pid != engine && $0.awake.wakeUp?.by == "systemd"
    }
    #expect(try manager.timers() == shown(due))
    try world.must("edit", "1", "08:00")
    try wait(until: "the other timer") { try manager.timers() == shown(due + 3600 * 1_000_000) }
    try world.must("off", "1")
    try wait(until: "no timer") { try manager.timers().isEmpty }
    #expect(try world.status().awake.wakeUp == nil)
    try world.must("on", "1")
    try wait(until: "the timer") { try manager.timers().count == 1 }
    // A snooze's end is an alarm's time as well.
    try world.must("remove", "1")
    try world.must("timer", "1s")
    try world.waitForStatus("the ring") { !$0.ringing.isEmpty }
    try world.must("snooze", "10m")
    let until = try microseconds(try world.status().snoozed.first?.until)
    let snoozed = try world.waitForStatus("its wake-up") { $0.awake.wakeUp != nil }
    #expect(abs(try microseconds(snoozed.awake.wakeUp?.at) - (until - 60_000_000)) < 1_100_000)
    try world.must("dismiss")
    try world.must("add", "daily 07:00")
    try wait(until: "the timer") { try manager.timers().count == 1 }
    try world.must("engine", "stop")
    try wait(until: "no timer") { try manager.timers().isEmpty }
    withExtendedLifetime(login) {}
  }

  @Test(
    "Where nothing wakes it, adding an alarm warns; where it is so set sleep and the lid are blocked until then",
    .enabled(if: !hasClock))
  func nothingWakes() throws {
    let bus = try PrivateBus()
    let login = try LoginServer(bus)
    let manager = try UnitManager(bus, version: "252.39-1~deb12u2")
    let world = try World()
    world.use(bus)
    // The first one too, for which the engine has only just been started.
    let added = try world.alarm("add", "daily 07:00")
    #expect(added.succeeded)
    #expect(
      added.complaint.contains(
        "alarm: \(WakeUpTests.warning): the machine has no clock that wakes it, and systemd 252 lets no user's timer wake the machine; 254 and later do; set awake.untilAlarm to “block”, or leave it on\n"
      ), "\(added.complaint)")
    let json = try world.alarm("timer", "9h", "Tea", "--json")
    #expect(
      try decode(AlarmReply.self, from: json.text).warnings.contains { $0.hasPrefix(WakeUpTests.warning) })
    #expect(try world.status().awake.wakeUp == nil)
    #expect(try manager.timers().isEmpty)
    #expect(try login.locks().map(\.mode) == ["delay"])

    try world.write(settings: "{ awake: { untilAlarm: 'block' } }")
    let status = try world.waitForStatus("the locks") { $0.awake.wakeUp != nil }
    #expect(status.awake.wakeUp == Status.WakeUp(by: "block", at: try #require(status.alarms.next?.at)))
    #expect(
      try login.locks().filter { $0.mode == "block" }.map(\.what) == ["handle-lid-switch", "sleep"])
    #expect(try world.must("status").contains("none; the machine is kept from sleeping until"))
    #expect(!status.keepAlive.active, "the audio device need not be awake all night")
    #expect(try !world.alarm("add", "daily 08:00").complaint.contains(WakeUpTests.warning))
    // Refused or away: then that is the warning.
    login.stop()
    try world.must("off", "1", "2", "3")
    try login.start()
    try wait(until: "nothing to be blocked") { try login.locks().map(\.mode) == ["delay"] }
    #expect(try world.status().awake.wakeUp == nil)
  }

  @Test(
    "No warning where the machine cannot sleep, nor where nobody says whether it can",
    arguments: ["na", ""])
  func cannotSleep(_ answer: String) throws {
    let bus = try PrivateBus()
    let login = answer.isEmpty ? nil : try LoginServer(bus, canSuspend: answer)
    let world = try World(settings: "{ awake: { untilAlarm: 'block' } }")
    world.use(bus)
    let added = try world.alarm("add", "daily 07:00")
    #expect(added.succeeded && !added.complaint.contains(WakeUpTests.warning), "\(added.complaint)")
    #expect(try world.status().awake.inhibitors.isEmpty)
    withExtendedLifetime(login) {}
  }

  @Test("A start that systemd does not confirm is none", .enabled(if: !hasClock))
  func startFails() throws {
    let bus = try PrivateBus()
    let login = try LoginServer(bus)
    let manager = try UnitManager(bus, version: "257", result: "failed")
    let world = try World()
    world.use(bus)
    let added = try world.alarm("add", "daily 07:00")
    #expect(added.complaint.contains("systemd could not start its timer (failed)"), "\(added.complaint)")
    #expect(try world.status().awake.wakeUp == nil)
    // Another manager may do better.
    manager.stop()
    try manager.start(version: "257")
    try world.waitForStatus("the wake-up") { $0.awake.wakeUp?.by == "systemd" }
    withExtendedLifetime(login) {}
  }
}
