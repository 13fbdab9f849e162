import CLinux
import Glibc

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// From waitid(2)'s `si_code` and `si_status`.
  init(code: Int32, status: Int32) {
    self = code == Int32(CLD_EXITED) ? .exited(status) : .killed(signal: status)
  }

  /// From wait(2)'s status word.
  public init(waitStatus: Int32) {
    self =
      reveille_exited(waitStatus) != 0
      ? .exited(reveille_exit_status(waitStatus)) : .killed(signal: reveille_term_signal(waitStatus))
  }

  /// As a shell has it: the exit status, or 128 and the signal's number.
  public var shellStatus: Int32 {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }
}

/// Blocks signals in the calling thread and every thread it makes from here on, so that the loop alone sees them; or lets
/// them through again (`isOn` false), those first that are waiting.
public func blockSignals(_ numbers: [Int32], _ isOn: Bool = true) {
  var set = sigset_t()
  sigemptyset(&set)
  for number in numbers { sigaddset(&set, number) }
  pthread_sigmask(Int32(isOn ? SIG_BLOCK : SIG_UNBLOCK), &set, nil)
}

/// Sets back what a child must not inherit: the signal mask and an ignored SIGPIPE.
public func resetSignalsInChild() {
  var set = sigset_t()
  sigemptyset(&set)
  pthread_sigmask(Int32(SIG_SETMASK), &set, nil)
  reveille_signal_default(SIGPIPE)
}

/// Gives the calling thread a name of at most 15 bytes, as `top -H` and `/proc` show it.
public func nameThread(_ name: String) { pthread_setname_np(pthread_self(), String(name.prefix(15))) }

/// A thread of the system with a name. Its work must not touch the loop's state; it talks through a `Mailbox`.
public func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) throws(SystemError) {
  final class Box: Sendable {
    let name: String
    let work: @Sendable () -> Void
    init(_ name: String, _ work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
  }
  let box = Unmanaged.passRetained(Box(name, work))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  pthread_attr_setstacksize(&attributes, 512 << 10)
  var thread = pthread_t()
  let code = pthread_create(
    &thread, &attributes,
    { context in
      guard let context else { return nil }
      let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
      nameThread(box.name)
      box.work()
      return nil
    }, box.toOpaque())
  pthread_attr_destroy(&attributes)
  if code != 0 {
    box.release()
    throw SystemError("cannot start the thread “\(name)”", code: code)
  }
}

/// `posix_spawnp` with the child's signals set back; its process id. What has no head that says how to run it is given to
/// the shell, as execvp(3) has it. `descriptors` are (child's number, ours); all
/// others are closed by their CLOEXEC flag, and with `newSession` also those without it: what the caller was started
/// with (a script's lock, the end of a pipe) is not to be held for days by what goes on without it. It begins in `folder`.
public func spawn(
  _ arguments: [String], environment: [String: String]? = nil, descriptors: [(Int32, Int32)] = [],
  newSession: Bool = false, newGroup: Bool = false, folder: String? = nil
) throws(SystemError) -> pid_t {
  try spawn(
    bytes: arguments.map { Array($0.utf8) }, environment: environment, descriptors: descriptors,
    newSession: newSession, newGroup: newGroup, folder: folder)
}

/// The same with arguments that need not be UTF-8.
public func spawn(
  bytes arguments: [[UInt8]], environment: [String: String]? = nil, descriptors: [(Int32, Int32)] = [],
  newSession: Bool = false, newGroup: Bool = false, folder: String? = nil
) throws(SystemError) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
  for (theirs, ours) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
  if newSession {
    posix_spawn_file_actions_addclosefrom_np(&actions, max(2, descriptors.map(\.0).max() ?? 2) + 1)
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  var defaults = sigset_t()
  sigemptyset(&none)
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  sigaddset(&defaults, SIGXFSZ)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  var flags = Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
  if newSession { flags |= 0x80 }  // POSIX_SPAWN_SETSID
  if newGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
  posix_spawnattr_setflags(&attributes, Int16(flags))
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { copy($0) } + [nil]
  defer { for word in words { free(word) } }
  var process = pid_t()
  var code: Int32
  if let environment {
    var pairs: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pair in pairs { free(pair) } }
    code = posix_spawnp(&process, words[0] ?? strdup(""), &actions, &attributes, &words, &pairs)
  } else {
    code = posix_spawnp(&process, words[0] ?? strdup(""), &actions, &attributes, &words, reveille_environ())
  }
  if code == ENOEXEC, let script = placeOfScript(arguments[0]) {
    return try spawn(
      bytes: [Array("/bin/sh".utf8), script] + arguments.dropFirst(), environment: environment,
      descriptors: descriptors, newSession: newSession, newGroup: newGroup, folder: folder)
  }
  if code != 0 {
    let name = String(decoding: arguments.first ?? [], as: UTF8.self)
    throw SystemError("cannot run “\(clean(name))”", code: code)
  }
  return process
}

/// Where what was to be run lies: what has a slash is its own place, all else is found by PATH. nil where it is nowhere.
private func placeOfScript(_ name: [UInt8]) -> [UInt8]? {
  let slash = UInt8(ascii: "/")
  // The shell itself was refused: there is none to ask.
  if name == Array("/bin/sh".utf8) { return nil }
  if name.contains(slash) { return name }
  // posix_spawnp(3) looks where the caller's own PATH says, whatever that of the child.
  let folders = (currentEnvironment()["PATH"] ?? "/bin:/usr/bin").utf8.split(
    separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
  for folder in folders {
    let place = (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + [slash] + name
    if isProgram(at: place) { return place }
  }
  return nil
}

/// Whether a program of that name could be run: at its own place where it has a slash, else by PATH.
public func isProgram(_ name: String) -> Bool {
  let bytes = Array(name.utf8)
  let place = bytes.contains(UInt8(ascii: "/")) ? bytes : placeOfScript(bytes)
  return place.map { isProgram(at: $0) } ?? false
}

/// (A folder may be “executed” too, says access(2).)
private func isProgram(at place: [UInt8]) -> Bool {
  guard let file = FileName(bytes: place) else { return false }
  return file.withCPath { path in
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// A copy with a NUL at its end, as the kernel wants it; freed by the caller.
private func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  (bytes + [0]).withUnsafeBufferPointer { whole in
    whole.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { strdup($0) } }
  }
}
