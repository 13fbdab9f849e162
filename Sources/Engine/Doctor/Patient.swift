import Core
import Platform
import Schedule

/// What the doctor looks at: everything the engine knows that has to do with the next alarms being heard. A value, so that
/// a worker may have it.
struct Patient: Sendable {
  /// An alarm that is due within a day.
  struct Upcoming: Sendable, Equatable {
    var id: Int
    var label: String
    var at: Instant
    /// `FileName.text`, or a sound's name.
    var sound: String
    /// 0–100; 0 is a notification only.
    var volume: Int
  }

  /// Who starts the engine again where it dies.
  enum Care: Sendable, Equatable {
    case systemd, parent, nobody
    /// No engine runs, and this is why none can be started.
    case noEngine(String)
    /// That process is the engine, and this is what came of asking it.
    case hangs(Int32, String)
  }

  var now: Instant
  /// The machine's.
  var zone: Zone
  var settings: Settings
  /// The same without what a person has chosen since.
  var settingsInFile: Settings
  var care = Care.nobody
  /// It is a service of the person's own systemd, which ends with the last logout.
  var isUserService = false
  /// Soonest first; nil where no engine can be asked.
  var alarms: [Upcoming]?
  /// When the next one is due, however far away.
  var next: Instant?
  /// The zones that alarms are fixed to, without the machine's.
  var zones: [Zone] = []
  /// The folder of the database.
  var folder: String
  /// What is wrong in the settings file, in sentences.
  var settingsErrors: [String] = []
  /// That file, and what `~` in it stands for.
  var settingsFile = ""
  var home = "/"
  /// What is wrong with the store, in sentences.
  var storeTroubles: [String] = []

  init(now: Instant, zone: Zone, settings: Settings, folder: String) {
    (self.now, self.zone, self.settings, self.folder) = (now, zone, settings, folder)
    settingsInFile = settings
  }

  /// `07:00` on the same day, else `Mon 30 Nov 07:00`.
  func shown(_ instant: Instant) -> String {
    let (date, clock, _) = zone.local(instant)
    return date == zone.local(now).date ? "\(clock)" : instant.shown(in: zone, now: now)
  }
}

extension Patient.Care {
  /// Looks at the process that started this one: systemd says which process it executed (`SYSTEMD_EXEC_PID`, systemd.exec(5));
  /// the tiny parent is known by its words.
  static func ofThisProcess(_ environment: [String: String], executable: String) -> Patient.Care {
    if environment["SYSTEMD_EXEC_PID"] == "\(thisProcess())" { return .systemd }
    return isParent(executable) ? .parent : .nobody
  }

  /// Of a service of the person's own systemd; that of the system leaves the variable out.
  static func isUserService(_ environment: [String: String]) -> Bool { environment["MANAGERPID"] != nil }
}
