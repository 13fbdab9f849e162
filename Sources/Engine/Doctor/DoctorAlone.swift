import Audio
import Core
import Desktop
import Glibc
import Platform
import Schedule
import Wire

/// The doctor without an engine: asks what can be asked without one.
public enum DoctorAlone {
  /// Runs a loop of its own until every question is answered or given up; `reason` is why no engine can be asked: none can
  /// be started, or the one that runs does not answer. Of the alarms nothing is known then. Blocks for some seconds: for a
  /// command.
  public static func examine(
    _ paths: Paths, because reason: String, judge: SettingsJudge = { _ in [] }
  ) throws(SystemError) -> [Finding] {
    // What the parts would tell a log is in the rows.
    Log.setLevel(.error)
    // The helper's end is the loop's to hear of.
    blockSignals([SIGCHLD])
    let loop = try EventLoop()
    let workers = try Workers(loop)
    let finder = SoundSources(soundFolders: paths.soundFolders)
    let (settings, errors) = SettingsFile.read(paths, judge: judge)
    let sounds = try SoundSystem(loop: loop, settings: finder.soundSettings(settings)) { _ in }
    let (session, system) = (try Bus(loop, .session), try Bus(loop, .system))
    let inhibitors = try InhibitorKeeper(loop, session: session, system: system, workers) { _ in }
    let wakeUps = try WakeUpKeeper(loop, session: session, workers, paths) {}
    let doctor = Doctor(loop, workers, finder, session: session, system: system) { done in
      inhibitors.ask { done(PowerFacts(inhibitors, wakeUps)) }
    }
    var patient = Patient(
      now: Instant(microseconds: Clocks.wallMicroseconds()), zone: .current(), settings: settings,
      folder: paths.data)
    (patient.settingsErrors, patient.settingsFile, patient.home) = (errors, paths.settingsFile, paths.home)
    let holder = EngineLock.isHeld(paths) ? EngineLock.process(paths) : nil
    patient.care = holder.map { .hangs($0, reason) } ?? .noEngine(reason)
    var rows: [Finding] = []
    doctor.when({ inhibitors.isSettled && wakeUps.isSettled }) {
      doctor.examine(patient, sounds, hold: { sounds.holdOpen($0) }, isQuick: false) { findings in
        rows = findings
        wakeUps.close()
        inhibitors.close()
        session.close()
        system.close()
        // A device that hangs is not waited for.
        sounds.shutDown(within: .milliseconds(500)) { loop.stop() }
      }
    }
    _ = try loop.run()
    return rows
  }
}

extension PowerFacts {
  /// What is known without an engine, and so without an alarm.
  fileprivate init(_ inhibitors: InhibitorKeeper, _ wakeUps: WakeUpKeeper) {
    (sleep, self.inhibitors) = (inhibitors.sleepFacts, inhibitors.states)
    delayRefusal = inhibitors.delayRefusal
    (wakeUpRefusals, cannotWake) = (wakeUps.refusals, wakeUps.isImpossible)
    lacksHelper = wakeUps.lacksHelper
  }
}
