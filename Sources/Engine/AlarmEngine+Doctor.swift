import Core
import Desktop
import Platform
import Schedule
import Wire

// Whether the next alarm will be heard: asked, and looked at by itself before the night.
extension AlarmEngine {
  /// False where the method is another's.
  func doctorMethod(_ request: Request) throws -> Bool {
    guard request.method == "doctor" else { return false }
    let connection = try opening(request)
    doctor.examine(
      patient, sounds,
      hold: { [weak self] in
        self?.doctorHolds = $0
        self?.holdDevice()
      }, isQuick: false
    ) { [weak self] findings in
      self?.answer(request) { request.reply(DoctorReply(findings)) }
      connection.requestAnswered()
      if findings.worst < .fail { self?.desktop.withdrawDoctor() }
    }
    return true
  }

  /// What the doctor looks at.
  var patient: Patient {
    let now = now
    var patient = Patient(now: now.wall, zone: now.zone, settings: effectiveSettings, folder: paths.data)
    let environment = currentEnvironment()
    patient.settingsInFile = settings
    patient.care = .ofThisProcess(environment, executable: paths.executable)
    patient.isUserService = patient.care == .systemd && Patient.Care.isUserService(environment)
    patient.next = book.soonest(at: now)?.at
    var seen: Set<Int> = []
    patient.alarms = due(within: .seconds(86_400), at: now).compactMap { id, at in
      guard seen.insert(id).inserted, let alarm = book.alarm(id) else { return nil }
      return Patient.Upcoming(
        id: id, label: alarm.label, at: at, sound: alarm.sound ?? settings.alarm.sound,
        volume: alarm.volume ?? settings.alarm.volume)
    }
    patient.zones = book.zones
    patient.storeTroubles = keeper.troubles
    (patient.settingsErrors, patient.settingsFile, patient.home) = (
      configErrors, paths.settingsFile, paths.home
    )
    return patient
  }

  /// Every ring within a span, a snooze's end included, soonest first.
  private func due(within span: Duration, at now: Moment) -> [(id: Int, at: Instant)] {
    let coming = book.nextOccurrences(200, at: now).map { ($0.alarm, $0.due.instant) }
    let snoozed = book.snoozed.compactMap { occurrence in
      occurrence.snoozedUntil.map { (occurrence.alarm, now.wall + $0.remaining(at: now)) }
    }
    return (coming + snoozed).filter { $0.1 - now.wall <= span }.sorted { $0.1 < $1.1 }
      .map { (id: $0.0, at: $0.1) }
  }

  /// The wall's clock may be another, or the setting.
  func updateNightWatch() {
    let now = now
    nightWatch.update(settings.doctor.at, in: now.zone, at: now.wall)
  }

  /// The quick half, before the night: whoever sleeps is told only of what would keep the alarm from being heard.
  func lookBeforeNight() {
    guard !isEnding else { return }
    let patient = patient
    guard let next = patient.alarms?.first, next.at - patient.now <= NightWatch.reach else {
      return desktop.withdrawDoctor()
    }
    doctor.examine(patient, sounds, isQuick: true) { [weak self] findings in
      guard let self, !isEnding else { return }
      let name = next.label.isEmpty ? "alarm \(next.id)" : "alarm \(next.id) “\(clean(next.label))”"
      let due = "\(name), due at \(patient.shown(next.at))"
      for finding in findings where finding.result != .ok {
        Log.warning("doctor: \(finding.name): \(finding.text); \(finding.advice ?? "")")
      }
      let fails = findings.filter { $0.result == .fail }
      guard !fails.isEmpty else {
        Log.info("doctor: nothing keeps \(due), from being heard")
        return desktop.withdrawDoctor()
      }
      Log.warning("doctor: something may keep \(due), from being heard")
      desktop.showDoctor(
        "\(name) at \(patient.shown(next.at)) may not be heard",
        fails.map { "\($0.text): \($0.advice ?? "")" } + ["“alarm doctor” says more."])
    }
  }
}
