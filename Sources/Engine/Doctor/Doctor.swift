import Audio
import Core
import Desktop
import Platform

/// Looks at everything that stands between the next alarm and an ear.
///
/// Nothing here waits: what blocks is asked by workers, what is on a bus by calls without waiting, and each question has a
/// deadline of its own, at which its row says that nobody answered. On the loop's thread.
final class Doctor {
  typealias Answer = ([Finding]) -> Void

  /// One question, which may bring several rows. `ask` calls its argument once, or never where what it asks hangs.
  struct Question {
    let name: String
    /// How long it may take, in microseconds.
    let patience: Int64
    let ask: (@escaping Answer) -> Void
  }

  let loop: EventLoop
  let workers: Workers
  let finder: SoundSources
  let session: Bus
  let system: Bus
  /// Asks anew for what is known of sleep and of waking from it.
  let askPower: (@escaping (PowerFacts) -> Void) -> Void
  private var running: [Bool: Examination] = [:]
  private var waits: [ObjectIdentifier: Settling] = [:]
  /// What a worker has been asked and has not answered: a disk or a server that hangs costs one thread, not one a visit.
  private var asked: Set<String> = []
  private var probe: DeviceProbe?

  static let usualPatience: Int64 = 6_000_000
  /// How long a device may take to open: the output gives it as long.
  static let lookPatience: Int64 = 4_000_000
  /// How long the others may take where it did not.
  static let othersPatience: Int64 = 3_000_000

  init(
    _ loop: EventLoop, _ workers: Workers, _ finder: SoundSources, session: Bus, system: Bus,
    askPower: @escaping (@escaping (PowerFacts) -> Void) -> Void
  ) {
    (self.loop, self.workers, self.finder, self.askPower) = (loop, workers, finder, askPower)
    (self.session, self.system) = (session, system)
  }

  /// Looks at all of it, or at what gives no device any sound and takes little time (`isQuick`); `done` gets the rows in
  /// their order.
  ///
  /// `sounds` is what plays, and `hold` keeps its device open.
  func examine(
    _ patient: Patient, _ sounds: SoundSystem?, hold: @escaping (Bool) -> Void = { _ in }, isQuick: Bool,
    done: @escaping Answer
  ) {
    // One at a time: two would ask the same workers.
    if let examination = running[false] ?? (isQuick ? running[true] : nil) { return examination.add(done) }
    if let quick = running[true] {
      return quick.add { [weak self] _ in
        self?.examine(patient, sounds, hold: hold, isQuick: false, done: done)
      }
    }
    let examination = Examination(loop) { [weak self] in self?.running[isQuick] = nil }
    running[isQuick] = examination
    examination.add(done)
    // An engine that was started for this very question is still greeting its buses.
    let (session, system) = (session, system)
    when({ session.isSettled && system.isSettled }) { [weak self] in
      guard let self else { return }
      examination.ask(questions(patient, sounds, hold, isQuick))
    }
  }

  private func questions(
    _ patient: Patient, _ sounds: SoundSystem?, _ hold: @escaping (Bool) -> Void, _ isQuick: Bool
  ) -> [Question] {
    [
      Question("engine") { $0([.engine(patient.care)] + Finding.background(patient.settings.background)) },
      Question("settings") { self.askSettings(patient, then: $0) },
      Question("sound") { self.askSounds(patient, then: $0) },
      Question("device", patience: isQuick ? Doctor.lookPatience + Doctor.usualPatience : 14_000_000) {
        self.askDevice(patient, sounds, hold, isQuick, then: $0)
      },
      Question("wake-up", patience: 9_000_000) { self.askSleep(patient, then: $0) },
      Question("battery") { self.askBattery(patient, then: $0) },
      Question("rights") { self.askPerson(patient, then: $0) },
      Question("bus") { self.askBuses(then: $0) },
      Question("clock") { self.askClock(then: $0) },
      Question("zones") { self.askZones(patient, then: $0) },
      Question("disk") { self.askDisk(patient, then: $0) },
    ]
  }

  // MARK: Asking

  /// A worker finds it out; never called back where it hangs, or already hangs over the same.
  func work<Value: Sendable>(
    _ name: String, _ body: @escaping @Sendable () -> Value, then done: @escaping (Value) -> Void
  ) {
    guard asked.insert(name).inserted else { return }
    workers.run("doctor-\(name)", urgent: true, body) { [weak self] value in
      self?.asked.remove(name)
      done(value)
    }
  }

  /// Goes on when `isSettled`, or after `patience` (µs) where that does not come.
  func when(
    _ isSettled: @escaping () -> Bool, within patience: Int64 = Settling.patience,
    then proceed: @escaping () -> Void
  ) {
    if isSettled() { return proceed() }
    let wait = Settling(loop, patience: patience, isSettled) { [weak self] wait in
      self?.waits[ObjectIdentifier(wait)] = nil
      proceed()
    }
    waits[ObjectIdentifier(wait)] = wait
    wait.begin()
  }

  /// Holds a look at the device until it is over.
  func begin(_ probe: DeviceProbe) { self.probe = probe }
  func endProbe() { probe = nil }
  var isProbing: Bool { probe != nil }
}

extension Doctor.Question {
  init(
    _ name: String, patience: Int64 = Doctor.usualPatience, ask: @escaping (@escaping Doctor.Answer) -> Void
  ) {
    (self.name, self.patience, self.ask) = (name, patience, ask)
  }
}

/// The questions of one visit and what came of them.
private final class Examination {
  private let loop: EventLoop
  private let ended: () -> Void
  private var waiting: [Doctor.Answer] = []
  private var open: [(question: Doctor.Question, deadline: Int64, rows: [Finding]?)] = []
  private var timer: TimerSource?

  init(_ loop: EventLoop, ended: @escaping () -> Void) { (self.loop, self.ended) = (loop, ended) }

  func add(_ done: @escaping Doctor.Answer) { waiting.append(done) }

  func ask(_ questions: [Doctor.Question]) {
    let now = Clocks.monotonicMicroseconds()
    open = questions.map { ($0, now + $0.patience, nil) }
    timer = try? TimerSource(loop, .monotonic, accuracy: 50_000) { [weak self] in self?.losePatience() }
    arm()
    for (place, question) in questions.enumerated() {
      question.ask { [weak self] rows in self?.take(rows, place) }
    }
  }

  private func take(_ rows: [Finding], _ place: Int) {
    guard open.indices.contains(place), open[place].rows == nil else { return }
    open[place].rows = rows
    finishIfDone()
  }

  private func losePatience() {
    let now = Clocks.monotonicMicroseconds()
    for place in open.indices where open[place].rows == nil && open[place].deadline <= now {
      let (question, _, _) = open[place]
      open[place].rows = [
        .warn(
          question.name, "nobody has answered within \(question.patience / 1_000_000) s",
          advice: "see what hangs: the disk, the sound server or a service on the bus")
      ]
    }
    arm()
    finishIfDone()
  }

  private func arm() {
    if let next = open.filter({ $0.rows == nil }).map(\.deadline).min() { timer?.arm(atMicroseconds: next) }
  }

  private func finishIfDone() {
    guard !waiting.isEmpty, open.allSatisfy({ $0.rows != nil }) else { return }
    let told = waiting
    waiting = []
    timer?.disarm()
    ended()
    let rows = open.flatMap { $0.rows ?? [] }
    for done in told { done(rows) }
  }
}
