import CLinux
import Core
import Desktop
import Glibc
import Platform
import Schedule

// What alarms are judged by: the clock, the zones, and the store they are kept in.
extension Doctor {
  func askClock(then done: @escaping Answer) {
    Enquiry(system).isClockSynchronised { [weak self] isSynchronised in
      if let isSynchronised { return done([.clock(isSynchronised, by: "timedated")]) }
      self?.work("clock") {
        reveille_clock_is_synchronised() != 0
      } then: {
        done([.clock($0, by: "the kernel")])
      }
    }
  }

  func askZones(_ patient: Patient, then done: @escaping Answer) {
    work("zones") {
      Finding.zones(patient)
    } then: {
      done([$0])
    }
  }

  func askDisk(_ patient: Patient, then done: @escaping Answer) {
    let folder = patient.folder
    work("disk") {
      DiskFacts.look(folder)
    } then: {
      done([.disk($0, troubles: patient.storeTroubles)])
    }
  }
}

/// What can be stored. Read, and tried, by a worker.
struct DiskFacts: Sendable, Equatable {
  /// For whoever is not root, in bytes.
  var free: UInt64 = 0
  /// Why a file could not be written, a sentence.
  var refusal: String?

  private static let trial = 64 << 10

  /// Writes a file of some blocks beside the database and takes it away again.
  static func look(_ folder: String) -> DiskFacts {
    var facts = DiskFacts()
    do throws(SystemError) {
      var status = statvfs()
      try check("") { statvfs(folder, &status) }
      facts.free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
      let path = folder + "/doctor.trial"
      defer { unlink(path) }
      let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
      try file.writeAll([UInt8](repeating: 0, count: trial))
      try check("") { fsync(file.number) }
    } catch {
      // What was tried is of no use to anybody but us.
      facts.refusal = "cannot write in “\(clean(folder))”: \(SystemError.reason(error.code))"
    }
    return facts
  }
}

extension Finding {
  static func clock(_ isSynchronised: Bool, by whom: String) -> Finding {
    isSynchronised
      ? .ok("clock", "\(whom) says that the clock is synchronised")
      : .warn(
        "clock", "\(whom) says that the clock is not synchronised, so it may be wrong",
        advice: "“timedatectl set-ntp true” keeps it right, with systemd-timesyncd or chrony installed")
  }

  /// Two years of every zone that alarms go by. Reads zone files: for a worker.
  static func zones(_ patient: Patient) -> Finding {
    let end = patient.now + .seconds(2 * 366 * 86_400)
    let advice =
      "end the engine with “alarm engine stop” so that it reads them again, and see what TZDIR names"
    var names: [String] = []
    for zone in [patient.zone] + patient.zones where !names.contains(zone.identifier) {
      names.append(zone.identifier)
      let other = zone.identifier == "UTC" ? nil : Zone.ofSystem(zone.identifier)
      guard let turn = other.flatMap({ zone.disagreement(with: $0, from: patient.now, until: end) }) else {
        continue
      }
      return differing(zone, turn, patient, advice)
    }
    if let turn = patient.zone.disagreementWithCLibrary(from: patient.now, until: end) {
      return differing(patient.zone, turn, patient, advice)
    }
    let list = names.prefix(3).map { clean($0) }.joined(separator: ", ") + (names.count > 3 ? " …" : "")
    return .ok("zones", "\(list): the same as the system's for two years")
  }

  private static func differing(_ zone: Zone, _ turn: Instant, _ patient: Patient, _ advice: String)
    -> Finding
  {
    let when = turn <= patient.now ? "now" : "from \(turn.shown(in: zone, now: patient.now)) on"
    return .fail(
      "zones", "\(clean(zone.identifier)): \(when) the program and the system tell different times",
      advice: advice)
  }

  /// `troubles`: what the engine knows to be wrong with the store.
  static func disk(_ facts: DiskFacts, troubles: [String]) -> Finding {
    if let problem = facts.refusal ?? troubles.first {
      return .fail(
        "disk", problem,
        advice: "free some space or make the folder writable; until then no change of an alarm is kept")
    }
    let free = facts.free >> 20
    if free < 16 {
      return .warn("disk", "only \(free) MB are free for the alarms", advice: "free some space")
    }
    return .ok("disk", "alarms can be stored, \(free < 10_000 ? "\(free) MB" : "\(free >> 10) GB") are free")
  }
}
