import CLinux
import Glibc
import Platform

/// The helper `alarm-wake`, which may set the machine's clock to wake it where the engine itself may not.
///
/// It is a child of the engine as long as it is wanted, and holds what it has set as long as its input is open. A line asks
/// it and a line answers. What does not answer in time, says what means nothing or ends is done without, and tried again
/// later; what refuses is tried again when another file is there. On the loop's thread; SIGCHLD must be blocked.
final class WakeHelper {
  /// Why it cannot be used; nil: it can, as far as is known.
  private(set) var problem: String?
  /// Nothing is asked that it has yet to answer.
  var isSettled: Bool { questions.isEmpty }

  private let loop: EventLoop
  private let workers: Workers
  private let places: [String]
  private let patience: Int64
  private let rest: Int64
  private let changed: () -> Void
  private var watches: [FileChangeSource] = []
  private var deadline: TimerSource?
  private var pause: TimerSource?
  /// How long it is left alone when it fails next.
  private var nextRest: Int64
  private var child: Child?
  /// One is being started; each start has a number of its own.
  private var starting: Int?
  private var starts = 0
  /// Killed, and not yet gone.
  private var leaving: [pid_t: ChildSource] = [:]
  /// What was asked, in order; without seconds: to set nothing.
  private var questions: [(seconds: Int64?, done: (String?) -> Void)] = []
  private var held: Int64?
  /// It is being tried whether it can be used again, and something has changed since.
  private var (isTrying, isStale) = (false, false)

  private final class Child {
    let file: File
    let process: pid_t
    let socket: Descriptor
    /// CLOCK_MONOTONIC, in microseconds.
    let began = Clocks.monotonicMicroseconds()
    var input: DescriptorSource?
    var end: ChildSource?
    var line: [UInt8] = []
    init(_ file: File, _ process: pid_t, _ socket: Descriptor) {
      (self.file, self.process, self.socket) = (file, process, socket)
    }
  }

  private struct File: Sendable {
    var path: String
    var hasCapability: Bool
    var name: String { "the helper “\(clean(path))”" }
  }

  /// What a worker made of a start.
  private enum Start: Sendable {
    case running(File, pid_t, Descriptor)
    case missing
    case failed(SystemError)
  }

  /// The longest line that means anything is far shorter.
  private static let longestLine = 256
  private static let longestRest: Int64 = 3_600_000_000

  /// `places`: where it may lie, the best first. `changed` is called when what it held is held no more, and when it can be
  /// used again or there is another reason why not: `problem` is worked out then. `patience` is how long it may take to
  /// answer, `rest` how long it is left alone when it failed, twice as long each time; both in microseconds.
  init(
    _ loop: EventLoop, _ workers: Workers, _ places: [String], patience: Int64 = 5_000_000,
    rest: Int64 = 60_000_000, changed: @escaping () -> Void
  ) throws(SystemError) {
    (self.loop, self.workers, self.places, self.changed) = (loop, workers, places, changed)
    (self.patience, self.rest, nextRest) = (patience, rest, rest)
    deadline = try TimerSource(loop, .monotonic) { [weak self] in
      guard let self else { return }
      fail("\(child?.file.name ?? "the helper that could do it") does not answer")
    }
    pause = try TimerSource(loop, .boot) { [weak self] in self?.lookAgain() }
    for place in places {
      guard let slash = place.lastIndex(of: "/") else { continue }
      let name = Array(place[place.index(after: slash)...].utf8)
      // A capability is an attribute. A folder that is not there now is none that a helper is put into while we run.
      let mask = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB)
      let watch = try? FileChangeSource(loop, String(place[..<slash]), mask: mask) { [weak self] found, _ in
        if found == name { self?.lookAgain() }
      }
      if let watch { watches.append(watch) }
    }
  }

  deinit { stop() }

  /// Has the machine woken at that instant (CLOCK_REALTIME, µs, cut to whole seconds), in the place of any before; `done` is
  /// called once, with the reason where it will not.
  func start(at microseconds: Int64, done: @escaping (String?) -> Void) {
    let seconds = microseconds / 1_000_000
    if questions.isEmpty, held == seconds { return done(nil) }
    ask(seconds, done)
  }

  /// Whether it could; sets nothing.
  func probe(done: @escaping (String?) -> Void) { ask(nil, done) }

  /// Lets it go, and what it holds.
  func stop() {
    letGo()
    answerAll("it is no longer wanted")
  }

  // MARK: Asking

  private func ask(_ seconds: Int64?, _ done: @escaping (String?) -> Void) {
    if let problem { return done(problem) }
    questions.append((seconds, done))
    if questions.count == 1 { deadline?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + patience) }
    if child != nil {
      send(seconds)
    } else if starting == nil {
      begin()
    }
  }

  private func send(_ seconds: Int64?) {
    guard let child else { return }
    let line = Array((seconds.map { "wake \($0)\n" } ?? "off\n").utf8)
    // One that has closed its side is ending, which is told with the reason, or says nothing until the deadline.
    guard let sent = try? UnixSocket.send(child.socket, line[...]) else { return }
    // One that leaves so much unread that this does not fit is hung, and not waited for.
    if sent < line.count { fail("\(child.file.name) does not read") }
  }

  /// Looks for the file and runs it, which may wait for a disk, so a worker does it.
  private func begin() {
    starts += 1
    let (number, places) = (starts, places)
    starting = number
    workers.run("alarm-helper") {
      WakeHelper.run(places)
    } then: { [weak self] start in
      self?.started(number, start)
    }
  }

  private static func run(_ places: [String]) -> Start {
    let files = places.filter { access($0, X_OK) == 0 }
      .map { File(path: $0, hasCapability: WakeCapability.isSet(on: $0)) }
    guard let file = files.first(where: \.hasCapability) ?? files.first else { return .missing }
    do throws(SystemError) {
      let (ours, theirs) = try UnixSocket.pair()
      // It needs nothing of what the engine was started with.
      let process = try spawn(
        [file.path], environment: [:], descriptors: [(0, theirs.number), (1, theirs.number)], newSession: true
      )
      return .running(file, process, ours)
    } catch {
      return .failed(error)
    }
  }

  private func started(_ number: Int, _ start: Start) {
    let isWanted = starting == number
    if isWanted { starting = nil }
    switch start {
    case .running(let file, let process, let socket):
      let child = Child(file, process, socket)
      do throws(SystemError) {
        child.end = try ChildSource(loop, process) { [weak self] in self?.ended(process, $0) }
        guard isWanted else { return retire(child) }
        child.input = try DescriptorSource(loop, socket.number, .reading) { [weak self] _ in self?.read() }
      } catch {
        // Not waited for yet, so its number is still its own.
        kill(process, SIGKILL)
        child.socket.close()
        return fail("\(file.name) cannot be watched: \(error)")
      }
      self.child = child
      for question in questions where self.child === child { send(question.seconds) }
    case .missing where isWanted:
      fail(Clocks.canWake ? WakeHelper.nobody : WakeHelper.neither, isLasting: true)
    case .failed(let error) where isWanted: fail("the helper that could do it does not run: \(error)")
    case .missing, .failed: break
    }
  }

  // MARK: Its answers

  private func read() {
    guard let child, let bytes = try? UnixSocket.receive(child.socket, 512) else { return }
    guard !bytes.isEmpty else {
      // Its end is told with how it ended. What has only closed its side answers nothing any more.
      child.input?.cancel()
      deadline?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + patience)
      return
    }
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        let line = child.line
        child.line = []
        answered(child, line)
        // It was found wanting, or let go by whoever was answered.
        guard self.child === child else { return }
      } else if child.line.count < WakeHelper.longestLine {
        child.line.append(byte)
      } else {
        return fail("\(child.file.name) says what means nothing")
      }
    }
  }

  private func answered(_ child: Child, _ line: [UInt8]) {
    guard let question = questions.first else { return fail("\(child.file.name) speaks unasked") }
    switch WakeAnswer(line) {
    case .armed(let seconds) where seconds == question.seconds: held = seconds
    case .off where question.seconds == nil: held = nil
    case .refused(let code): return fail(WakeHelper.sentence(child.file, code), isLasting: true)
    case .armed, .off, nil: return fail("\(child.file.name) says what means nothing")
    }
    questions.removeFirst()
    if questions.isEmpty {
      deadline?.disarm()
    } else {
      deadline?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + patience)
    }
    question.done(nil)
  }

  private func ended(_ process: pid_t, _ status: ExitStatus) {
    leaving[process] = nil
    guard let child, child.process == process else { return }
    // What it said last is still to be read.
    read()
    guard self.child === child else { return }
    child.end = nil
    // One that did its work for long is had again at once, one that always ends now and then.
    if Clocks.monotonicMicroseconds() - child.began >= rest { nextRest = 0 }
    fail("\(child.file.name) ended (\(status.shellStatus))")
  }

  // MARK: Doing without it

  /// Everybody who waits is told, and whoever relied on it. `isLasting`: it is only tried again when another file is there.
  private func fail(_ sentence: String, isLasting: Bool = false) {
    let heldSomething = held != nil
    problem = sentence
    letGo()
    if isLasting {
      nextRest = rest
    } else {
      Log.warning(sentence)
      pause?.arm(atMicroseconds: Clocks.bootMicroseconds() + nextRest)
      nextRest = min(max(rest, nextRest * 2), WakeHelper.longestRest)
    }
    answerAll(sentence)
    if heldSomething { changed() }
  }

  private func answerAll(_ sentence: String) {
    let waiting = questions
    questions = []
    for question in waiting { question.done(sentence) }
  }

  private func letGo() {
    deadline?.disarm()
    (held, starting) = (nil, nil)
    guard let child else { return }
    self.child = nil
    retire(child)
  }

  /// Nothing is lost by killing it: what it held goes with its descriptors.
  private func retire(_ child: Child) {
    child.input?.cancel()
    child.socket.close()
    // One that has ended already is not ours to kill, its number may be another's.
    guard let end = child.end else { return }
    kill(child.process, SIGKILL)
    leaving[child.process] = end
  }

  /// Whether it can be used again, where it could not be.
  private func lookAgain() {
    guard !isTrying else {
      isStale = true
      return
    }
    guard let before = problem else { return }
    pause?.disarm()
    (isTrying, isStale, problem) = (true, false, nil)
    probe { [weak self] trouble in
      guard let self else { return }
      isTrying = false
      if trouble != before { changed() }
      if trouble != nil, isStale { lookAgain() }
    }
  }

  // MARK: Words

  /// Where the machine has a clock that a helper could set.
  static let nobody = "the helper that could do it is not installed"
  /// Where it has none, which the clock's own refusal says already.
  static let neither = "a helper could not either"

  /// Why a helper refuses, by the errno value it gave.
  private static func sentence(_ file: File, _ code: Int32) -> String {
    switch code {
    case EOPNOTSUPP: neither
    case EPERM where file.hasCapability:
      "\(file.name) may not use its capability (a file system mounted with nosuid, or NoNewPrivileges=)"
    case EPERM: "\(file.name) lacks the capability cap_wake_alarm"
    default: "\(file.name) cannot do it: \(SystemError.reason(code))"
    }
  }
}
