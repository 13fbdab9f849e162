import Core
import Glibc
import Platform

/// Runs the commands of rings: each by `/bin/sh -c` in a process group of its own, which is ended when it outlives its ring
/// by a minute. What a command says goes where the engine's log goes.
final class RingCommands {
  /// How long a command may go on after its ring, and how long after being asked to end.
  static let grace: Int64 = 60_000_000
  static let lastGrace: Int64 = 5_000_000

  private final class Running {
    let occurrence: OccurrenceID
    let process: pid_t
    /// What every process of it has in its environment.
    let mark: [UInt8]
    var child: ChildSource?
    var timer: TimerSource?
    var status: ExitStatus?
    var wasEnded = false
    init(_ occurrence: OccurrenceID, _ process: pid_t, mark: String) {
      (self.occurrence, self.process, self.mark) = (occurrence, process, Array(mark.utf8))
    }
  }

  private let loop: EventLoop
  private let home: String
  private let grace: Int64
  private let tell: (OccurrenceID, StoryLine.Kind, String) -> Void
  private var running: [OccurrenceID: Running] = [:]

  /// `tell`: how one ended, `ran` or `runFailed`, and a sentence. `grace` in microseconds.
  init(
    _ loop: EventLoop, home: String, grace: Int64 = RingCommands.grace,
    tell: @escaping (OccurrenceID, StoryLine.Kind, String) -> Void
  ) {
    (self.loop, self.home, self.grace, self.tell) = (loop, home, grace, tell)
  }

  func run(_ command: RingCommand) {
    let id = command.occurrence
    do {
      let nothing = try Descriptor.open("/dev/null", O_RDONLY)
      let environment = RingCommands.environment(of: command, from: currentEnvironment())
      let process = try spawn(
        ["/bin/sh", "-c", command.line], environment: environment,
        descriptors: [(0, nothing.number), (1, 2)],
        newGroup: true, folder: access(home, X_OK) == 0 ? home : "/")
      let entry = Running(id, process, mark: "ALARM_OCCURRENCE=\(id)\0")
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
  }

  func ringEnded(_ id: OccurrenceID) {
    guard let entry = running[id], !entry.wasEnded else { return }
    entry.timer?.arm(atMicroseconds: Clocks.bootMicroseconds() + grace)
  }

  /// The engine ends, and nobody would end them later.
  func end() {
    for entry in running.values { signal(entry, SIGTERM) }
    running = [:]
  }

  private func end(_ id: OccurrenceID) {
    guard let entry = running[id] else { return }
    guard !entry.wasEnded else {
      signal(entry, SIGKILL)
      // Of what the shell left behind nobody tells the end.
      if entry.status != nil { running[id] = nil }
      return
    }
    guard entry.status == nil || groupIsOurs(entry) else {
      running[id] = nil
      return
    }
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
    // Its number is nobody else's yet, so who is in its group is of it. What is about to become another program has no
    // environment for a moment, and could not be known by that.
    if kill(-entry.process, 0) != 0 { running[id] = nil }
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
    guard kill(-entry.process, 0) == 0, let folder = opendir("/proc") else { return false }
    defer { closedir(folder) }
    while let item = readdir(folder) {
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), getpgid(process) == entry.process,
        let environment = try? readFile("/proc/\(process)/environ")
      else { continue }
      if environment.split(separator: 0, omittingEmptySubsequences: false).contains(
        where: { $0.elementsEqual(entry.mark.dropLast()) })
      {
        return true
      }
    }
    return false
  }

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
