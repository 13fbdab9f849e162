import Core
import Glibc
import Platform

/// Runs the commands of rings: each by `/bin/sh -c` in a process group of its own, which is ended when it outlives its ring
/// by a minute. What a command says goes where the engine's log goes.
///
/// One that outlives its engine is found again by what is in its environment, and ended as if it had been started here.
final class RingCommands {
  /// So many at once; the others run as soon as one of these has ended.
  static let most = 64
  /// How long a command may go on after its ring, and how long after being asked to end.
  static let grace: Int64 = 60_000_000
  static let lastGrace: Int64 = 5_000_000

  private final class Running {
    let occurrence: OccurrenceID
    let process: pid_t
    var child: ChildSource?
    /// Of one that an engine before this one started.
    var other: OtherProcess?
    var timer: TimerSource?
    var status: ExitStatus?
    var wasEnded = false
    init(_ occurrence: OccurrenceID, _ process: pid_t) {
      (self.occurrence, self.process) = (occurrence, process)
    }
  }

  private let loop: EventLoop
  private let home: String
  private let data: String
  private let output: CommandOutput
  private let grace: Int64
  private let tell: (OccurrenceID, StoryLine.Kind, String) -> Void
  private var running: [OccurrenceID: Running] = [:]
  /// Those that have not been started yet, and when (CLOCK_BOOTTIME, µs) their rings ended.
  private var waiting: [(command: RingCommand, ringEndedAt: Int64?)] = []
  private var isWaitTold = false
  private var starter: DeferredSource?

  /// `data` tells this engine's commands from those of engines on other data. `tell`: how one ended, `ran` or
  /// `runFailed`, and a sentence. `grace` in microseconds.
  init(
    _ loop: EventLoop, home: String, data: String, _ output: CommandOutput,
    grace: Int64 = RingCommands.grace, tell: @escaping (OccurrenceID, StoryLine.Kind, String) -> Void
  ) throws(SystemError) {
    (self.loop, self.home, self.data, self.output) = (loop, home, data, output)
    (self.grace, self.tell) = (grace, tell)
    starter = try DeferredSource(loop) { [weak self] in self?.startNext() }
  }

  /// Starts it in a moment, or when one of too many has ended.
  func run(_ command: RingCommand) {
    waiting.append((command, nil))
    starter?.schedule()
  }

  /// A few in each round of the loop, so that it is never long away from anything else.
  private func startNext() {
    // Asked once the one that ended has been reaped. What is about to become another program has no environment for a
    // moment, and could not be known by that.
    for (id, entry) in running where entry.status != nil && entry.other == nil && !entry.wasEnded {
      if kill(-entry.process, 0) != 0 { running[id] = nil }
    }
    for _ in 0..<4 where !waiting.isEmpty && running.count < RingCommands.most {
      let (command, ringEndedAt) = waiting.removeFirst()
      let id = command.occurrence
      let end = ringEndedAt.map { $0 + grace }
      if let end, end <= Clocks.bootMicroseconds() {
        fail(id, "its command was not run: \(RingCommands.most) others ran for a minute after its ring")
        continue
      }
      start(command)
      if let end { running[id]?.timer?.arm(atMicroseconds: end) }
    }
    guard !waiting.isEmpty else {
      isWaitTold = false
      return
    }
    guard running.count >= RingCommands.most else { return starter?.schedule() ?? () }
    guard !isWaitTold else { return }
    isWaitTold = true
    Log.warning(
      "\(RingCommands.most) commands of rings run already; \(waiting.count) more wait for their end")
  }

  private func forget(_ id: OccurrenceID) {
    running[id] = nil
    starter?.schedule()
  }

  private func start(_ command: RingCommand) {
    let id = command.occurrence
    do {
      let nothing = try Descriptor.open("/dev/null", O_RDONLY)
      let says = try output.open("alarm \(id.alarm): its command")
      var environment = RingCommands.environment(of: command, from: currentEnvironment())
      environment["ALARM_DATA"] = data
      let process = try spawn(
        ["/bin/sh", "-c", command.line], environment: environment,
        descriptors: [(0, nothing.number), (1, says.number), (2, says.number)],
        newGroup: true, folder: access(home, X_OK) == 0 ? home : "/")
      let entry = Running(id, process)
      running[id] = entry
      entry.timer = try TimerSource(loop, .boot) { [weak self] in self?.end(id) }
      entry.child = try ChildSource(loop, process) { [weak self] status in self?.ended(id, status) }
      Log.info("alarm \(id.alarm): its command runs (process \(process))")
    } catch {
      Log.warning("alarm \(id.alarm): its command could not be run: \(error)")
      tell(id, .runFailed, "its command could not be run: \(error)")
    }
  }

  /// It rings again before its command had to end.
  func ringBegan(_ id: OccurrenceID) {
    if let entry = running[id], !entry.wasEnded { entry.timer?.disarm() }
    if let index = waiting.firstIndex(where: { $0.command.occurrence == id }) {
      waiting[index].ringEndedAt = nil
    }
  }

  func ringEnded(_ id: OccurrenceID) {
    if let index = waiting.firstIndex(where: { $0.command.occurrence == id }) {
      waiting[index].ringEndedAt = Clocks.bootMicroseconds()
    }
    guard let entry = running[id], !entry.wasEnded else { return }
    entry.timer?.arm(atMicroseconds: Clocks.bootMicroseconds() + grace)
  }

  /// The engine ends, and nobody would end them later.
  func end() {
    for entry in running.values { signal(entry, SIGTERM) }
    (running, waiting) = ([:], [])
  }

  private func end(_ id: OccurrenceID) {
    guard let entry = running[id] else { return }
    guard !entry.wasEnded else {
      signal(entry, SIGKILL)
      // Of what the shell left behind nobody tells the end.
      if entry.status != nil { forget(id) }
      return
    }
    guard entry.status == nil || groupIsOurs(entry) else { return forget(id) }
    entry.wasEnded = true
    signal(entry, SIGTERM)
    entry.timer?.arm(atMicroseconds: Clocks.bootMicroseconds() + RingCommands.lastGrace)
    let sentence = "its command went on for a minute after the ring, so it was ended"
    Log.warning("alarm \(id.alarm): \(sentence)")
    tell(id, .runFailed, sentence)
  }

  private func ended(_ id: OccurrenceID, _ status: ExitStatus) {
    guard let entry = running[id] else { return }
    entry.status = status
    entry.child = nil
    starter?.schedule()
    guard !entry.wasEnded else { return }
    switch status {
    case .exited(0): tell(id, .ran, "its command has ended")
    case .exited(let code): fail(id, "its command ended with status \(code)")
    case .killed(let number): fail(id, "its command was killed by signal \(number)")
    }
  }

  private func fail(_ id: OccurrenceID, _ sentence: String) {
    Log.warning("alarm \(id.alarm): \(sentence)")
    tell(id, .runFailed, sentence)
  }

  private func signal(_ entry: Running, _ number: Int32) {
    if entry.status == nil || groupIsOurs(entry) { kill(-entry.process, number) }
  }

  /// Whether the shell, which has ended, left something behind. Its number may be another's by now, so the group is known
  /// by what is in its environment.
  private func groupIsOurs(_ entry: Running) -> Bool {
    guard kill(-entry.process, 0) == 0 else { return false }
    return RingCommands.survivors(of: data, group: entry.process).contains {
      $0.occurrence == entry.occurrence
    }
  }

  // MARK: Those of an engine that died

  struct Survivor: Hashable, Sendable {
    let group: pid_t
    let occurrence: OccurrenceID
  }

  /// Takes over what an engine on this data left running; `rings`: whether that occurrence rings now. What does not ring
  /// any more has its minute from now on.
  func adopt(_ survivors: Set<Survivor>, rings: (OccurrenceID) -> Bool) {
    for found in survivors where running[found.occurrence] == nil {
      let id = found.occurrence
      let entry = Running(id, found.group)
      // It is not our child; whether it is still there its group says.
      entry.status = .exited(0)
      entry.timer = try? TimerSource(loop, .boot) { [weak self] in self?.end(id) }
      running[id] = entry
      Log.info("alarm \(id.alarm): its command still runs (process \(found.group)), from before this engine")
      entry.other = OtherProcess(found.group)
      try? entry.other?.watch(loop) { [weak self] in self?.leftAlone(id) }
      if !rings(id) { ringEnded(id) }
    }
  }

  private func leftAlone(_ id: OccurrenceID) {
    guard let entry = running[id], !entry.wasEnded, kill(-entry.process, 0) != 0 else { return }
    forget(id)
    tell(id, .ran, "its command has ended; how is not known, because the engine was started again meanwhile")
  }

  /// The groups of processes that engines on this data have started for rings, found by their environment. What has gone
  /// into a session of its own was meant to outlive its ring. Reads all of `/proc`, or what concerns one group.
  static func survivors(of data: String, group wanted: pid_t? = nil) -> Set<Survivor> {
    var result: Set<Survivor> = []
    for name in namesInFolder("/proc") {
      guard let process = pid_t(name), process != getpid() else { continue }
      let group = getpgid(process)
      guard group > 0, group != getpgrp(), wanted ?? group == group, let id = occurrence(of: process, data),
        getsid(process) != group, occurrence(of: getsid(process), data) != id
      else { continue }
      result.insert(Survivor(group: group, occurrence: id))
    }
    return result
  }

  /// For which ring of an engine on this data a process was started; nil where for none, or where it is another user's.
  private static func occurrence(of process: pid_t, _ data: String) -> OccurrenceID? {
    guard process > 0, let environment = try? readFile("/proc/\(process)/environ") else { return nil }
    let pairs = environment.split(separator: 0)
    guard pairs.contains(where: { $0.elementsEqual("ALARM_DATA=\(data)".utf8) }) else { return nil }
    let mark = Array("ALARM_OCCURRENCE=".utf8)
    return pairs.first { $0.starts(with: mark) }.flatMap {
      OccurrenceID(String(decoding: $0.dropFirst(mark.count), as: UTF8.self))
    }
  }

  /// What tells a command from all else, and is not handed on to what is none.
  static let marks = ["ALARM_OCCURRENCE", "ALARM_DATA"]

  /// The engine's own environment, and what the person attached: `ALARM_LABEL`, `ALARM_ID`, `ALARM_OCCURRENCE`,
  /// `ALARM_BODY`, and `ALARM_INFO_KEY` for each pair, its key in capitals with `_` for what is neither letter nor digit.
  static func environment(of command: RingCommand, from own: [String: String]) -> [String: String] {
    var result = own
    // They are the engine's own business with systemd.
    for key in ServiceManager.variables { result[key] = nil }
    // A value ends at a NUL, so what stands behind one would be lost.
    func set(_ key: String, _ value: String) {
      result[key] = String(String.UnicodeScalarView(value.unicodeScalars.filter { $0 != "\0" }))
    }
    for pair in command.info {
      let name = pair.key.unicodeScalars.map { scalar -> Character in
        guard scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) else {
          return "_"
        }
        return Character(String(scalar).uppercased())
      }
      set("ALARM_INFO_" + String(name), pair.value)
    }
    set("ALARM_LABEL", command.label)
    set("ALARM_BODY", command.body)
    set("ALARM_ID", "\(command.occurrence.alarm)")
    set("ALARM_OCCURRENCE", command.occurrence.description)
    return result
  }
}
