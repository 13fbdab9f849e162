import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("The doctor finds what is broken, and nothing else", .serialized)
struct DoctorTests {
  @Test("In a healthy world every row is ok, on paper as in JSON, and the device is closed again")
  func healthy() throws {
    let ward = try Ward()
    try ward.world.must("add", "+8h", "--label", "Up")
    let (reply, status) = try ward.examine()
    #expect(reply.rows.filter { $0.result != "ok" } == [])
    #expect(status == .exited(0) && reply.result == "ok")
    let names = [
      "engine", "settings", "sound", "device", "heard", "mixer", "wake-up", "lid", "inhibitors", "battery",
      "bus",
      "notifications", "clock", "zones", "disk",
    ]
    #expect(reply.rows.map(\.name) == names)
    let text = try ward.world.must("doctor")
    #expect(text.split(separator: "\n").count == names.count)
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("ok    ") }, "\(text)")
    #expect(text.contains("“dawn” of alarm 1"))
    try ward.world.waitForStatus("the device to be closed") { $0.output.state == "closed" }
    #expect(try ward.world.status().output.opens == 2, "each visit opens it once")
    // The one that lets the engine close the device before the machine sleeps is always held.
    try wait(until: "every lock to be given back") { try ward.machine.locks(ward.system) == 1 }
  }

  @Test("While music plays the doctor opens nothing and the music goes on")
  func duringMusic() throws {
    let ward = try Ward()
    try ward.world.must("play", try ward.world.makeTone(seconds: 60))
    try ward.world.waitForStatus("the music") { $0.player.state == "playing" && $0.output.state == "running" }
    let before = try ward.world.status()
    #expect(try ward.examine().reply.result == "ok")
    let after = try ward.world.status()
    #expect(after.output.opens == before.output.opens && after.output.streams == before.output.streams)
    #expect(after.output.underruns == before.output.underruns)
    #expect(after.player.state == "playing" && after.player.position > before.player.position)
  }

  @Test("Something is wrong in the settings: a value that is not allowed, or a name of what is not there")
  func settings() throws {
    let ward = try Ward(settings: "{ alarm: { fade: \"soon\" } }")
    try ward.expect(
      only: "settings", "warn", "alarm.fade: “soon” is not allowed", advice: "alarm help config")
    try ward.world.write(settings: "{ output: { alarmDevices: [\"nowhere\"] } }")
    try ward.world.waitForStatus("the warning") { $0.engine.configWarnings?.isEmpty == false }
    try ward.expect(only: "settings", "warn", "ALSA knows no device “nowhere”", advice: "config.json5")
    try ward.world.write(settings: "{ alarm: { sound: \"dwn\" } }")
    try ward.world.waitForStatus("the warning") {
      $0.engine.configWarnings?.first?.hasPrefix("alarm.sound: ") == true
    }
    try ward.expect(only: "settings", "warn", "there is no sound called “dwn”", advice: "config.json5")
    try ward.world.write(settings: "{}")
    try ward.world.waitForStatus("good settings") { $0.engine.configWarnings == [] }
    #expect(try ward.examine().reply.result == "ok")
  }

  @Test("The file of an alarm's sound is gone: it says so, and what rings instead")
  func soundGone() throws {
    let ward = try Ward()
    let tone = try ward.world.makeTone()
    try ward.world.must("add", "+8h", "--label", "Up", "--sound", tone)
    unlink(tone)
    try ward.expect(only: "sound", "warn", "will ring with “dawn” instead", advice: "alarm edit 1 --sound")
    try replaceFile(tone, with: Array("RIFF, but no more than that".utf8))
    try ward.expect(only: "sound", "warn", "will ring with “dawn” instead", advice: "alarm edit 1 --sound")
    // The day after tomorrow it is nobody's trouble.
    try ward.world.must("edit", "1", "+30h")
    #expect(try ward.examine().reply.result == "ok")
  }

  @Test("The sink is muted: the ring would switch it on; one that is low is raised; neither is touched now")
  func muted() throws {
    let ward = try Ward()
    let pulse = try #require(ward.world.pulse)
    try ward.world.must("add", "+8h")
    try pulse.control("set-sink-volume", "sink", "5%")
    let low = try ward.examine().reply
    #expect(low.result == "ok")
    #expect(low.rows.first { $0.name == "mixer" }?.finding.contains("5 %") == true)
    try pulse.control("set-sink-mute", "sink", "1")
    try ward.expect(only: "mixer", "warn", "is muted", advice: "switch it on")
    #expect(try pulse.sinkIsMuted() && pulse.sinkVolume() == 5)
  }

  @Test("The volume stands at 0 and nothing raises it: the alarm would not be heard")
  func silent() throws {
    let ward = try Ward(settings: "{ alarm: { leastVolume: 0 } }")
    let pulse = try #require(ward.world.pulse)
    try pulse.control("set-sink-volume", "sink", "0%")
    try ward.expect(only: "mixer", "fail", "only 0 %", advice: "turn it up")
  }

  @Test("The sound server plays to a sink that leads nowhere")
  func dummy() throws {
    let ward = try Ward()
    let pulse = try #require(ward.world.pulse)
    try pulse.control("load-module", "module-null-sink", "sink_name=dummy")
    try pulse.control("set-default-sink", "dummy")
    try ward.expect(only: "heard", "fail", "leads nowhere", advice: "connect a loudspeaker")
  }

  @Test("Headphones alone are a warning, and one that says on what else alarms sound")
  func headphones() throws {
    let ward = try Ward()
    let pulse = try #require(ward.world.pulse)
    try pulse.control(
      "load-module", "module-null-sink", "sink_name=ear", "sink_properties=device.form_factor=headphone")
    try pulse.control("set-default-sink", "ear")
    try ward.expect(only: "heard", "warn", "headphones", advice: "output.alarmDevices")
  }

  @Test("The device that the settings name is not there")
  func absent() throws {
    let ward = try Ward(settings: "{ output: { device: \"nowhere\" } }")
    let rows = try ward.examine().reply.rows
    let broken = rows.filter { $0.result != "ok" }
    #expect(
      broken.map(\.name) == ["settings", "device"] && broken.map(\.result) == ["warn", "fail"], "\(rows)")
    #expect(broken.allSatisfy { $0.finding.contains("“nowhere”") && $0.advice != nil }, "\(rows)")
    #expect(broken.last?.advice?.contains("alarm output list") == true, "\(rows)")
    #expect(!rows.contains { $0.name == "heard" || $0.name == "mixer" }, "there is nothing to ask them of")
  }

  @Test("The device is not there, and a ring has another one: it will ring, and not as it was meant")
  func other() throws {
    let ward = try Ward(
      settings: "{ output: { device: \"nowhere\", alarmDevices: [\"nowhere\", \"default\"] } }")
    let (reply, status) = try ward.examine()
    let row = reply.rows.first { $0.name == "device" }
    #expect(status == .exited(0) && reply.result == "warn", "\(reply.rows)")
    #expect(row?.result == "warn" && row?.finding.contains("nobody will hear") == false, "\(reply.rows)")
    #expect(row?.finding.contains("alarms sound on “default” instead") == true, "\(reply.rows)")
    #expect(reply.rows.first { $0.name == "heard" }?.result == "ok", "\(reply.rows)")
    // None of them is there.
    try ward.world.write(settings: "{ output: { device: \"nowhere\", alarmDevices: [\"hw:77\"] } }")
    try ward.world.waitForStatus("the warnings") {
      $0.engine.configWarnings?.contains { $0.contains("no sound card “77”") } == true
    }
    let worse = try ward.examine()
    #expect(worse.status == .exited(1), "\(worse.reply.rows)")
    #expect(worse.reply.rows.first { $0.name == "device" }?.result == "fail", "\(worse.reply.rows)")
    let named = worse.reply.rows.filter { $0.name == "settings" }
    #expect(named.count == 2 && named.allSatisfy { $0.result == "warn" }, "\(named)")
  }

  @Test("Another program holds the device, until it lets go")
  func busy() throws {
    let ward = try Ward(settings: "{ output: { device: \"held\" } }")
    let held = try HeldDevice(ward.world.folder, behind: "default")
    try ward.world.folder.write(
      Array(
        ("pcm.!default { type pulse }\nctl.!default { type pulse }\n" + held.configuration).utf8),
      to: ward.world.folder.file("home/.asoundrc"))
    try held.hold()
    try ward.expect(only: "device", "fail", "“held”", advice: "end what holds it")
    held.release()
    #expect(try ward.examine().reply.result == "ok")
  }

  @Test("A machine without any sound: the device fails, and the rest is asked all the same")
  func noSound() throws {
    let ward = try Ward(sound: .none)
    try ward.expect(only: "device", "fail", "nobody will hear", advice: "connect it")
  }

  @Test("No notification server, and then no session bus at all")
  func noDesktop() throws {
    // Without a session bus systemd could not be asked to wake the machine either.
    var facts = Machine.Facts()
    facts.canSuspend = "na"
    let ward = try Ward(facts: facts, hasDesktop: false)
    try ward.expect(only: "notifications", "warn", "no notification server", advice: "dunst")
    ward.session.stop()
    try wait(until: "the engine to miss the bus") { ward.world.log.contains("there is no session bus") }
    try ward.expect(only: "bus", "warn", "no session bus", advice: "DBUS_SESSION_BUS_ADDRESS")
  }

  @Test("Nothing can wake the machine: it fails, and with awake.untilAlarm it is kept awake instead")
  func wakeUp() throws {
    let ward = try Ward(systemd: "252")
    try ward.world.must("add", "+8h")
    try ward.expect(only: "wake-up", "fail", "nothing wakes it for the alarm", advice: "awake.untilAlarm")
    try ward.world.write(settings: "{ awake: { untilAlarm: \"block\" } }")
    try ward.world.waitForStatus("sleep to be blocked") { $0.awake.wakeUp?.by == "block" }
    let rows = try ward.examine().reply.rows
    #expect(rows.filter { $0.result != "ok" } == [])
    #expect(rows.first { $0.name == "wake-up" }?.finding.contains("sleep is blocked until the alarm") == true)
  }

  @Test("Closing the lid sends the machine to sleep")
  func lid() throws {
    var facts = Machine.Facts()
    facts.lidAction = "suspend"
    let ward = try Ward(facts: facts)
    try ward.world.must("add", "+8h")
    try ward.expect(
      only: "lid", "warn", "closing the lid sends the machine to sleep", advice: "leave it open")
    facts.hasLid = false
    #expect(try Ward(facts: facts, hasDesktop: true).examine().reply.result == "ok")
  }

  @Test("The battery does not last until the alarm; on mains it need not")
  func battery() throws {
    var facts = Machine.Facts()
    (facts.isOnBattery, facts.percentage, facts.timeToEmpty) = (true, 4, 1800)
    let ward = try Ward(facts: facts)
    try ward.world.must("add", "+8h")
    try ward.expect(only: "battery", "fail", "another 30 min", advice: "connect it to the mains")
    facts.isOnBattery = false
    let mains = try Ward(facts: facts)
    try mains.world.must("add", "+8h")
    #expect(try mains.examine().reply.result == "ok")
  }

  @Test("The clock is not synchronised")
  func clock() throws {
    var facts = Machine.Facts()
    facts.isClockSynchronised = false
    try Ward(facts: facts).expect(only: "clock", "warn", "not synchronised", advice: "timedatectl")
  }

  @Test("logind refuses the locks that are needed")
  func inhibitors() throws {
    var facts = Machine.Facts()
    facts.refusal = "Permission denied"
    try Ward(facts: facts).expect(only: "inhibitors", "warn", "Permission denied", advice: "polkit")
  }

  @Test("A logind that does not say whether the machine can sleep is there, and it may")
  func silentLogind() throws {
    var facts = Machine.Facts()
    facts.canSuspend = nil
    let ward = try Ward(facts: facts, systemd: "252")
    let added = try ward.world.alarm("add", "+8h")
    #expect(added.succeeded && added.complaint.contains("wakes"), "\(added.complaint)")
    try ward.expect(only: "wake-up", "fail", "if the machine sleeps", advice: "awake.untilAlarm")
  }

  @Test("The program reads other zone data than the system has")
  func zones() throws {
    let ward = try Ward()
    let folder = ward.world.folder.path + "/zones"
    try runOrThrow(["mkdir", "-p", folder + "/Europe"])
    try runOrThrow(["cp", "/usr/share/zoneinfo/America/New_York", folder + "/Europe/Berlin"])
    ward.world.setEnvironment("TZDIR", folder)
    try ward.expect(only: "zones", "fail", "Europe/Berlin: now the program and the system", advice: "TZDIR")
  }

  @Test("The zone of one alarm has new rules since the engine read it")
  func zoneOfAlarm() throws {
    let ward = try Ward()
    let folder = ward.world.folder.path + "/zones"
    try runOrThrow(["mkdir", "-p", folder + "/Asia", folder + "/Europe"])
    // With TZDIR the C library looks nowhere else.
    try runOrThrow(["cp", "/usr/share/zoneinfo/Europe/Berlin", folder + "/Europe/Berlin"])
    try runOrThrow(["cp", "/usr/share/zoneinfo/Asia/Seoul", folder + "/Asia/Tokyo"])
    try runOrThrow(["cp", "/usr/share/zoneinfo/Europe/Kyiv", folder + "/Asia/Amman"])
    ward.world.setEnvironment("TZDIR", folder)
    try ward.world.must("add", "daily 07:00", "--zone", "Asia/Tokyo")
    #expect(try ward.examine().reply.result == "ok", "Seoul's clocks show Tokyo's time")
    try ward.world.must("add", "daily 07:00", "--zone", "Asia/Amman")
    try ward.expect(only: "zones", "fail", "Asia/Amman", advice: "alarm engine stop")
  }

  @Test("Nobody starts the engine again where it dies")
  func unsupervised() throws {
    let ward = try Ward()
    let engine = try spawn(
      [ward.world.program, "engine", "run"], environment: ward.world.environment,
      descriptors: [(1, 2)], newGroup: true)
    defer { endProcess(engine, SIGTERM) }
    try wait(until: "the engine") { (try? ward.world.alarm("engine", "status"))?.succeeded == true }
    try ward.expect(only: "engine", "warn", "nobody starts it again", advice: "alarm engine stop")
  }

  @Test("A person has chosen that alarms are not heard without a screen")
  func background() throws {
    let ward = try Ward(settings: "{ background: { modes: [\"audio\"] } }")
    try ward.expect(only: "background", "warn", "shown and not heard", advice: "background.modes")
  }

  @Test("A service of the person's systemd is looked after, and ends with the last logout unless they linger")
  func linger() throws {
    for lingers in [true, false] {
      var facts = Machine.Facts()
      facts.lingers = lingers
      let ward = try Ward(facts: facts)
      let engine = try spawn(
        [
          "sh", "-c", "MANAGERPID=1 SYSTEMD_EXEC_PID=$$ exec \"$0\" engine run", ward.world.program,
        ], environment: ward.world.environment, descriptors: [(1, 2)], newGroup: true)
      defer { endProcess(engine, SIGTERM) }
      try wait(until: "the engine") { (try? ward.world.alarm("engine", "status"))?.succeeded == true }
      let reply = try ward.examine().reply
      #expect(reply.rows.first?.finding.contains("systemd starts it again") == true)
      if lingers {
        #expect(reply.result == "ok" && reply.rows.contains { $0.name == "linger" })
      } else {
        try ward.expect(only: "linger", "warn", "last logout", advice: "loginctl enable-linger")
      }
    }
  }

  @Test("The disk is full: nothing can be stored, and every other row is as it was")
  func diskFull() throws {
    let ward = try Ward()
    // A small disk of its own, which nobody else sees.
    let finished = try run(
      [
        "unshare", "--mount", "--propagation", "private", "sh", "-c",
        """
        mount -t tmpfs -o size=3m none "$1/data" && "$0" engine start >/dev/null \
          && { cat /dev/zero > "$1/data/all" 2>/dev/null; "$0" doctor --json; }
        """, ward.world.program, ward.world.folder.path,
      ], environment: ward.world.environment)
    let reply = try decode(DoctorReply.self, from: finished.text)
    try Ward.expect(
      (reply, finished.status), only: "disk", "fail", "no space left", advice: "free some space")
  }

  @Test("No engine can be started: that row fails with its reason, and what needs none is asked all the same")
  func noEngine() throws {
    var facts = Machine.Facts()
    (facts.isClockSynchronised, facts.lidAction, facts.refusal) = (false, "suspend", "Permission denied")
    let ward = try Ward(facts: facts, systemd: "252")
    try replaceFile(ward.world.folder.path + "/data/reveille", with: Array("no folder".utf8))
    let (reply, status) = try ward.examine()
    #expect(status == .exited(1))
    let rows = Dictionary(grouping: reply.rows, by: \.name).mapValues { $0[0] }
    #expect(rows["engine"]?.result == "fail")
    #expect(rows["engine"]?.finding.contains("cannot") == true, "\(reply.rows)")
    #expect(rows["sound"] == nil, "which alarms there are nobody knows")
    #expect(rows["clock"]?.result == "warn" && rows["disk"]?.result == "fail")
    for name in ["lid", "inhibitors", "wake-up"] { #expect(rows[name]?.result == "warn", "\(reply.rows)") }
    for name in ["device", "heard", "mixer", "battery", "bus", "notifications", "zones"] {
      #expect(rows[name]?.result == "ok", "\(reply.rows)")
    }
  }

  @Test("An engine that hangs is said to run, by its number, with what to do")
  func engineHangs() throws {
    let ward = try Ward()
    try ward.world.must("add", "+8h")
    let engine = try ward.world.enginePID()
    kill(engine, SIGSTOP)
    defer { kill(engine, SIGCONT) }
    let row = try #require(try ward.examine().reply.rows.first { $0.name == "engine" })
    #expect(row.result == "fail")
    #expect(
      row.finding.hasPrefix("the engine (process \(engine)) holds the alarms and does not answer"), "\(row)")
    #expect(row.advice?.contains("kill -9 \(engine)") == true, "\(row)")
  }

  @Test("Sound server and logind hang: the doctor comes back, says so, and the engine answers meanwhile")
  func hangs() throws {
    let ward = try Ward()
    try ward.world.must("engine", "start")
    let pulse = try #require(ward.world.pulse)
    pulse.suspend()
    ward.machine.suspend()
    defer {
      pulse.resume()
      ward.machine.resume()
    }
    let asker = try Connection(ward.world.socket)
    asker.send(line: #"{"jsonrpc":"2.0","id":1,"method":"doctor"}"#)
    let began = ContinuousClock.now
    _ = try ward.world.status()
    #expect(ContinuousClock.now - began < .seconds(1))
    let line = try #require(try asker.readLine(within: .seconds(25)))
    let reply = try decode(JSON.self, from: line)["result"]
    #expect(reply?["result"] == "fail", "\(line)")
    guard case .array(let rows)? = reply?["rows"] else { throw RunError(description: line) }
    let broken = rows.filter { $0["result"] != "ok" }.map { $0["name"] }
    #expect(broken.contains("device") && broken.contains("wake-up"), "\(line)")
    for name in ["sound", "zones", "disk", "notifications"] as [JSON] {
      #expect(!broken.contains(name), "\(line)")
    }
  }
}
