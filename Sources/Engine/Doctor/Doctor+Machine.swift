import CLinux
import Core
import Desktop
import Glibc
import Platform
import Schedule

/// What the machine is, as far as the doctor asks.
struct MachineFacts: Sendable {
  /// Of sleep, and of waking from it.
  var sleep = PowerFacts()
  /// nil: there is no UPower.
  var power: MachinePower?
  /// nil: there is no logind that knows the person.
  var person: PersonFacts?
  var kernel = KernelFacts()
  /// What logind said to the locks that may be needed until the next alarm; nil: there is no logind to ask.
  var locks: Locks?

  struct Locks: Sendable {
    var wanted: [Logind.What] = []
    /// Refused, each with its reason.
    var refusals: [(what: String, why: String)] = []
  }
}

/// What the kernel and the file system say. Read by a worker.
struct KernelFacts: Sendable, Equatable {
  var power = PowerState()
  var hasLid = false
  /// Devices of sound cards; empty: there is no card, or it cannot be seen.
  var cards: [Card] = []
  var isRoot = false
  /// The person's name.
  var user = ""
  /// systemd lets the person's services go on (`/var/lib/systemd/linger`).
  var lingers = false

  struct Card: Sendable, Equatable {
    /// The group's name, and whether we are in it and it may write.
    var group: String
    var isOurs: Bool
  }

  static func look() -> KernelFacts {
    var facts = KernelFacts()
    facts.power = .ofKernel()
    facts.hasLid = !namesInFolder("/proc/acpi/button/lid").isEmpty
    facts.isRoot = geteuid() == 0
    facts.user = nameOfUser(geteuid()) ?? ""
    facts.lingers = access("/var/lib/systemd/linger/\(facts.user)", F_OK) == 0
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    let ours = Set(groups.prefix(Int(max(0, count))) + [getegid()])
    for name in namesInFolder("/dev/snd") where name.hasPrefix("pcm") && name.hasSuffix("p") {
      var status = stat()
      guard stat("/dev/snd/\(name)", &status) == 0 else { continue }
      facts.cards.append(
        Card(
          group: nameOfGroup(status.st_gid) ?? "\(status.st_gid)",
          isOurs: ours.contains(status.st_gid) && status.st_mode & S_IWGRP != 0))
    }
    return facts
  }
}

extension Doctor {
  private typealias Step = (_ facts: Gathering, _ next: @escaping () -> Void) -> Void

  func askSleep(_ patient: Patient, then done: @escaping Answer) {
    gather([kernel("sleep"), sleep, power, locks(patient.settings.awake)]) {
      done([.wakeUp($0.sleep, patient), .lid($0), .inhibitors($0)])
    }
  }

  func askBattery(_ patient: Patient, then done: @escaping Answer) {
    gather([kernel("battery"), power]) {
      done([.battery($0, until: patient.next.map { $0 - patient.now })])
    }
  }

  func askPerson(_ patient: Patient, then done: @escaping Answer) {
    gather([kernel("person"), person]) {
      done([.rights($0), .linger($0, patient.isUserService)].compactMap { $0 })
    }
  }

  /// Takes all steps side by side, so that what hangs costs its own patience only; goes on when all are done.
  private func gather(_ steps: [Step], then done: @escaping (MachineFacts) -> Void) {
    let gathering = Gathering()
    var open = steps.count
    for step in steps {
      step(gathering) {
        open -= 1
        if open == 0 { done(gathering.facts) }
      }
    }
  }

  private func kernel(_ name: String) -> Step {
    { [self] gathering, next in
      work("kernel-\(name)", KernelFacts.look) {
        gathering.facts.kernel = $0
        next()
      }
    }
  }

  private func sleep(_ gathering: Gathering, _ next: @escaping () -> Void) {
    askPower {
      gathering.facts.sleep = $0
      next()
    }
  }

  private func power(_ gathering: Gathering, _ next: @escaping () -> Void) {
    Enquiry(system).power {
      gathering.facts.power = $0
      next()
    }
  }

  private func person(_ gathering: Gathering, _ next: @escaping () -> Void) {
    Enquiry(system).person {
      gathering.facts.person = $0
      next()
    }
  }

  private func locks(_ settings: Settings.Awake) -> Step {
    { [self] gathering, next in
      askLocks(settings) {
        gathering.facts.locks = $0
        next()
      }
    }
  }

  /// Takes every lock that may be needed and gives it back at once.
  private func askLocks(_ settings: Settings.Awake, then done: @escaping (MachineFacts.Locks?) -> Void) {
    let enquiry = Enquiry(system)
    enquiry.hasService("org.freedesktop.login1") { isThere in
      guard isThere else { return done(nil) }
      var locks = MachineFacts.Locks(wanted: settings.wantedLocks)
      func ask(_ rest: ArraySlice<Logind.What>) {
        guard let what = rest.first else { return done(locks) }
        enquiry.mayInhibit(what) { refusal in
          if let refusal { locks.refusals.append((what.rawValue, refusal)) }
          ask(rest.dropFirst())
        }
      }
      ask(locks.wanted[...])
    }
  }

  func askBuses(then done: @escaping Answer) {
    var rows: [Finding] = [.buses(missing: [session, system].filter { !$0.isConnected })]
    guard session.isConnected else { return done(rows) }
    Enquiry(session).hasService("org.freedesktop.Notifications") { isThere in
      rows.append(.notifications(isThere))
      done(rows)
    }
  }
}

/// What comes in from several sides.
private final class Gathering {
  var facts = MachineFacts()
}

extension Settings.Awake {
  /// What may be asked of logind between now and the next alarm.
  fileprivate var wantedLocks: [Logind.What] {
    var wanted: [Logind.What] = []
    if idle == .block { wanted.append(.idle) }
    if sleep == .block || untilAlarm == .block { wanted.append(.sleep) }
    if lid == .block || untilAlarm == .block { wanted.append(.lid) }
    return wanted
  }
}

private func nameOfUser(_ id: uid_t) -> String? {
  getpwuid(id).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
}

private func nameOfGroup(_ id: gid_t) -> String? {
  getgrgid(id).flatMap { $0.pointee.gr_name }.map { String(cString: $0) }
}
