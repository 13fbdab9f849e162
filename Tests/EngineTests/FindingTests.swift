import Audio
import Core
import Desktop
import Platform
import Schedule
import Testing
import Wire

@testable import Engine

@Suite("What the doctor makes of facts")
struct FindingTests {
  private func facts(_ change: (inout MachineFacts) -> Void = { _ in }) -> MachineFacts {
    var facts = MachineFacts()
    facts.person = PersonFacts()
    facts.sleep.sleep = SleepFacts()
    facts.power = MachinePower()
    change(&facts)
    return facts
  }

  @Test(
    "A battery is judged by how long it lasts, else by how full it is, and on mains not at all",
    arguments: [
      (nil, nil, nil, Finding.Result.ok), (false, 3, nil, .ok), (true, 80, nil, .ok), (true, 29, nil, .warn),
      (true, 9, nil, .fail), (true, 9, 20_000, .ok), (true, 60, 8000, .warn), (true, 60, 7000, .fail),
    ] as [(Bool?, Double?, Int?, Finding.Result)])
  func battery(isOnBattery: Bool?, percentage: Double?, seconds: Int?, result: Finding.Result) {
    let facts = facts {
      $0.power?.isOnBattery = isOnBattery
      $0.power?.percentage = percentage
      $0.power?.timeToEmpty = seconds.map { .seconds($0) }
    }
    #expect(Finding.battery(facts, until: .seconds(7200)).result == result)
    #expect(Finding.battery(facts, until: nil).result == .ok)
  }

  @Test("Without UPower the kernel is asked, and without a battery there is none")
  func kernelBattery() {
    var facts = facts { $0.power = nil }
    #expect(Finding.battery(facts, until: .seconds(60)).text.contains("no battery"))
    facts.kernel.power = PowerState(isOnBattery: true, percentage: 4)
    #expect(Finding.battery(facts, until: .seconds(60)).result == .fail)
  }

  @Test("The lid counts where there is one that means sleep, unless what is locked outlasts it")
  func lid() {
    var facts = facts {
      $0.sleep.sleep?.handleLidSwitch = "suspend"
      $0.power?.hasLid = true
    }
    func result() -> Finding.Result { Finding.lid(facts).result }
    #expect(result() == .warn)
    facts.sleep.wakeUp = Status.WakeUp(by: "systemd", at: "2026-12-01T06:59:00+00:00")
    #expect(result() == .warn)
    facts.sleep.wakeUp?.by = "block"
    #expect(result() == .warn)
    facts.sleep.inhibitors = [
      InhibitorState(what: "handle-lid-switch", mode: "block", by: "logind", isHeld: true)
    ]
    #expect(result() == .ok)
    facts.sleep.wakeUp = nil
    facts.sleep.sleep?.handleLidSwitch = "lock"
    #expect(result() == .ok)
    facts.sleep.sleep?.handleLidSwitch = "hibernate"
    facts.power?.hasLid = false
    #expect(result() == .ok)
    facts.power = nil
    #expect(result() == .ok)
    facts.kernel.hasLid = true
    #expect(result() == .warn)
    facts.sleep.sleep = nil
    #expect(result() == .ok)
  }

  @Test("Sleep counts where the machine can sleep, an alarm is due and nothing wakes it")
  func wakeUp() {
    var patient = Patient(
      now: Instant(seconds: 1_796_022_000), zone: .utc, settings: Settings(), folder: "/nowhere")
    var sleep = PowerFacts()
    func found() -> Finding { Finding.wakeUp(sleep, patient) }
    sleep.sleep = SleepFacts()
    sleep.sleep?.canSuspend = "yes"
    #expect(found().result == .ok)
    sleep.nextRing = patient.now + .seconds(7200)
    sleep.wakeUp = Status.WakeUp(by: "clock", at: "2026-12-01T06:59:00+00:00")
    #expect(found().result == .ok && found().text.contains("the machine's clock"))
    sleep.wakeUp = nil
    sleep.cannotWake = true
    sleep.wakeUpRefusals = [.clock: "no clock", .systemd: "no systemd"]
    #expect(found().result == .fail && found().text.contains("no clock, and no systemd"))
    #expect(found().advice?.contains("awake.untilAlarm") == true)
    #expect(found().advice?.contains("--wake-helper") == false)
    sleep.wakeUpRefusals[.helper] = WakeHelper.neither
    #expect(found().text.contains("no clock, and no systemd"))
    sleep.wakeUpRefusals[.helper] = WakeHelper.nobody
    sleep.lacksHelper = true
    #expect(found().text.contains("no clock, no systemd, and the helper that could do it is not installed"))
    #expect(
      found().advice?.hasPrefix("say “alarm install --wake-helper”, which lets it be woken, or") == true)
    patient.settings.awake.untilAlarm = .block
    #expect(found().result == .fail && found().text.contains("sleep is not blocked"))
    sleep.wakeUp = Status.WakeUp(by: "block", at: "2026-12-01T07:00:00+00:00")
    #expect(found().result == .ok)
    sleep.wakeUp = nil
    sleep.nextRing = nil
    #expect(found().result == .warn)
    sleep.sleep?.canSuspend = "na"
    #expect(found().result == .ok)
    sleep.sleep = nil
    #expect(found().result == .ok && found().text.contains("no logind"))
  }

  @Test(
    "Rights to a card come from its group, from a seat or from being root; without a card there are none to have"
  )
  func rights() {
    var facts = facts()
    #expect(Finding.rights(facts) == nil)
    facts.kernel.cards = [.init(group: "audio", isOurs: false)]
    facts.kernel.user = "ann"
    let row = Finding.rights(facts)
    #expect(row?.result == .warn && row?.advice?.contains("usermod -aG audio ann") == true)
    facts.person?.isAtSeat = true
    #expect(Finding.rights(facts)?.result == .ok)
    facts.person?.isAtSeat = false
    facts.kernel.isRoot = true
    #expect(Finding.rights(facts)?.result == .ok)
    facts.kernel.isRoot = false
    facts.kernel.cards[0].isOurs = true
    #expect(Finding.rights(facts)?.result == .ok)
  }

  @Test("Lingering is asked only of a service of the person's own, and of the file where logind is not there")
  func linger() {
    var facts = facts { $0.person?.lingers = false }
    #expect(Finding.linger(facts, false) == nil)
    #expect(Finding.linger(facts, true)?.result == .warn)
    facts.person = nil
    facts.kernel.lingers = true
    #expect(Finding.linger(facts, true)?.result == .ok)
  }

  @Test("A sound that cannot be played names what rings instead, and every row says what to do")
  func sounds() {
    var patient = Patient(
      now: Instant(seconds: 1_796_022_000), zone: .utc, settings: Settings(), folder: "/nowhere")
    #expect(Finding.sounds(patient, [:]).isEmpty)
    patient.alarms = [
      .init(id: 1, label: "Up", at: patient.now + .seconds(60), sound: "/m/a.flac", volume: 80),
      .init(id: 2, label: "", at: patient.now + .seconds(120), sound: "harp", volume: 0),
      .init(id: 3, label: "", at: patient.now + .seconds(180), sound: "dawn", volume: 80),
    ]
    let rows = Finding.sounds(patient, ["/m/a.flac": "it is not there"])
    #expect(rows.map(\.result) == [.warn, .warn])
    #expect(
      rows[0].text.contains("alarm 1 “Up”") && rows[0].text.contains("with “dawn” instead: it is not there"))
    #expect(rows[1].text.contains("only shown"))
    let worse = Finding.sounds(patient, ["/m/a.flac": "gone", "dawn": "gone too"])
    #expect(worse[0].text.contains("the built-in tone") && worse.count == 3)
    #expect(worse[2].advice?.contains("alarm.sound") == true)
    patient.alarms?.append(
      .init(id: 4, label: "", at: patient.now + .seconds(240), sound: "dawn", volume: 80))
    let many = Finding.sounds(patient, ["dawn": "gone too"])
    #expect(
      many.count == 2 && many[1].text.contains("alarm 3, due at 07:03, and 1 more will ring"), "\(many)")
    #expect((rows + worse).allSatisfy { $0.advice != nil })
  }

  @Test(
    "Settings have a row for each thing that is wrong, and not more than a person reads"
  )
  func settings() {
    var patient = Patient(
      now: Instant(seconds: 1_796_022_000), zone: .utc, settings: Settings(), folder: "/nowhere")
    let missing = [
      MissingThing(key: "output.device", sentence: "x"),
      MissingThing(key: "alarm.sound", sentence: "no \u{1b}"),
    ]
    #expect(Finding.settings(patient, []) == [.ok("settings", "nothing is wrong in them")])
    #expect(
      Finding.settings(patient, missing).map(\.text) == ["output.device: x", "alarm.sound: no \u{fffd}"])
    patient.settingsErrors = (1...20).map { "wrong \($0)" }
    let rows = Finding.settings(patient, missing)
    #expect(rows.count == 9 && rows.allSatisfy { $0.result == .warn && $0.advice != nil })
    #expect(rows[0].text == "wrong 1" && rows[8].text.hasPrefix("14 more"))
  }

  @Test("The disk fails where nothing can be written, whoever noticed it, and warns while little is left")
  func disk() {
    #expect(Finding.disk(DiskFacts(free: 1 << 30), troubles: []).result == .ok)
    #expect(Finding.disk(DiskFacts(free: 1 << 20), troubles: []).result == .warn)
    #expect(
      Finding.disk(DiskFacts(free: 0, refusal: "cannot write"), troubles: ["set aside"]).text
        == "cannot write")
    #expect(Finding.disk(DiskFacts(free: 1 << 30), troubles: ["set aside"]).result == .fail)
    #expect(DiskFacts.look("/nowhere/at/all").refusal?.contains("/nowhere/at/all") == true)
  }

  @Test("The next look is at the next such time on the wall, over midnight and over a change of the clocks")
  func nextLook() throws {
    let zone = try #require(Zone("Europe/Berlin"))
    let clock = try #require(ClockTime(hour: 21, minute: 0))
    func next(_ iso: String) throws -> String? {
      NightWatch.next(clock, in: zone, after: try #require(Instant(iso: iso)))?.iso(in: zone)
    }
    #expect(try next("2026-11-30T20:59:59+01:00") == "2026-11-30T21:00:00+01:00")
    #expect(try next("2026-11-30T21:00:00+01:00") == "2026-12-01T21:00:00+01:00")
    #expect(try next("2027-03-27T22:00:00+01:00") == "2027-03-28T21:00:00+02:00")
    let gap = try #require(ClockTime(hour: 2, minute: 30))
    let after = try #require(Instant(iso: "2027-03-28T00:00:00+01:00"))
    #expect(NightWatch.next(gap, in: zone, after: after)?.iso(in: zone) == "2027-03-28T03:30:00+02:00")
  }
}
