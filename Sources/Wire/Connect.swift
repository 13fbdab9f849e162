import CLinux
import Glibc
import Platform

/// Finding the engine, and starting it where none runs, so that of many clients at once exactly one starts it.
public enum Connect {
  /// Words behind the program's own name that start the engine's tiny parent in the background. Descriptor 3 is a pipe:
  /// the engine writes one byte when its socket is there, and everybody closes it.
  public static let backgroundWords = ["engine", "run", "--background"]
  /// The child's descriptor on which readiness is told.
  public static let readyDescriptor: Int32 = 3

  /// A connection to the engine that runs, nil where none does.
  public static func toRunningEngine(_ paths: Paths, client: String = "command") throws(WireError) -> Client?
  {
    // Where systemd listens in the engine's stead, connecting alone would start one; the lock's file may have been removed
    // under an engine.
    guard EngineLock.isHeld(paths) || Listener.isEngine(paths.socket) else { return nil }
    return try find(paths, client)
  }

  /// Whoever answers: an engine, or systemd, which then starts one.
  private static func find(_ paths: Paths, _ client: String) throws(WireError) -> Client? {
    // The one that runs on this data may have its socket elsewhere: another XDG_RUNTIME_DIR, or none. It is asked first,
    // because nobody else can have the data while it runs.
    if let other = EngineLock.socket(paths), other != paths.socket, EngineLock.isHeld(paths),
      let found = try attempt(other, client)
    {
      return found
    }
    return try attempt(paths.socket, client)
  }

  /// A connection to the engine, which is started where none runs.
  ///
  /// The start race: connect; refused → take the start lock; connect again, because somebody may have started it while
  /// this process waited; only then start, by systemd where its unit is installed, else by ourselves. The socket that a dead engine left is removed by the new engine, under the
  /// lock beside the data, never here.
  public static func toEngine(_ paths: Paths, client: String = "command") throws(WireError) -> Client {
    if let found = try find(paths, client) { return found }
    do {
      try paths.makeDataFolder()
      try paths.makeRuntimeFolder()
      let lock = try FileLock.take(paths.data + "/start.lock", waiting: true)
      defer { withExtendedLifetime(lock) {} }
      if let found = try find(paths, client) { return found }
      // Without a service manager (a login by su, a machine without systemd) the unit is of no use now.
      if EngineUnit.isInstalled(paths), EngineUnit.start(), let found = try find(paths, client) {
        return found
      }
      return try start(paths, client)
    } catch let error as WireError {
      throw error
    } catch {
      throw WireError(code: ErrorCode.refused, "the engine cannot be started: \(error)")
    }
  }

  /// What is wrong with a path as that of a socket; nil where nothing is.
  public static func problem(with path: String) -> WireError? {
    guard path.utf8.count > UnixSocket.longestPath else { return nil }
    return WireError(
      code: ErrorCode.refused,
      "the socket's path “\(clean(path))” is longer than \(UnixSocket.longestPath) bytes: set XDG_RUNTIME_DIR to a shorter folder"
    )
  }

  private static func attempt(_ path: String, _ client: String) throws(WireError) -> Client? {
    let found: Client
    do {
      found = try Client(path: path)
    } catch {
      switch error.code {
      case ENOENT, ECONNREFUSED, ENOTDIR: return nil
      default: throw problem(with: path) ?? WireError(code: ErrorCode.refused, error.description)
      }
    }
    do {
      try found.hello(client: client)
    } catch {
      // It died or ended while this client connected. Nothing was asked of it yet, so it is as if none ran.
      guard error == Client.lost else {
        guard error.code == ErrorCode.connectionLost, access(EngineUnit.managerFolder(of: path), F_OK) == 0
        else {
          throw error
        }
        throw WireError(
          code: error.code, error.description + "; “systemctl --user status \(EngineUnit.service)” says more")
      }
      return nil
    }
    return found
  }

  /// `isFirst`: where nothing came of it although nobody holds the data, it is tried once more.
  private static func start(_ paths: Paths, _ client: String, isFirst: Bool = true) throws -> Client {
    rotateLog(paths)
    let log = try openLog(paths)
    let null = try Descriptor.open("/dev/null", O_RDONLY)
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, Int32(O_CLOEXEC)) }
    let readEnd = Descriptor(owning: ends[0])
    let writeEnd = Descriptor(owning: ends[1])
    let process = try spawn(
      [paths.executable] + backgroundWords,
      descriptors: [(0, null.number), (1, log.number), (2, log.number), (readyDescriptor, writeEnd.number)],
      newSession: true)
    writeEnd.close()

    // Readable when the byte has come, or when everybody has closed the pipe: then the engine could not start.
    let deadline = Clocks.monotonicMicroseconds() + 10_000_000
    let spoke = try waitFor(readEnd.number, POLLIN, until: deadline)
    let ready = spoke ? try readEnd.read(1)?.isEmpty == false : false
    if ready, let found = try find(paths, client) { return found }
    // An engine whose socket was removed makes it anew within two seconds, and the one started here gives way to it.
    let last = Clocks.monotonicMicroseconds() + 3_000_000
    while !ready, EngineLock.isHeld(paths), Clocks.monotonicMicroseconds() < last {
      if let found = try find(paths, client) { return found }
      usleep(20_000)
    }
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG) == process
    // One that was killed holds the data until the kernel has put it away, which on a busy machine takes longer than the new
    // one waits for it.
    if spoke, !ready, isFirst, !EngineLock.isHeld(paths) {
      return try find(paths, client) ?? start(paths, client, isFirst: false)
    }
    let cause = lastLine(of: paths.log).map { ": \($0)" } ?? ""
    throw WireError(
      code: ErrorCode.refused,
      ended || spoke
        ? "the engine could not start\(cause) (all it said is in “\(clean(paths.log))”)"
        : "the engine was started but does not answer within 10 seconds\(cause) (see “\(clean(paths.log))”)")
  }

  /// A disk that cannot be written must not keep alarms from ringing.
  private static func openLog(_ paths: Paths) throws(SystemError) -> Descriptor {
    if let log = try? Descriptor.open(paths.log, O_WRONLY | O_CREAT | O_APPEND) { return log }
    return try Descriptor.open("/dev/null", O_WRONLY)
  }

  /// Keeps one older log, so that a complaint every minute does not fill a disk.
  private static func rotateLog(_ paths: Paths) {
    var status = stat()
    if stat(paths.log, &status) == 0, status.st_size > Log.mostBytes { rename(paths.log, paths.log + ".1") }
  }

  private static func lastLine(of path: String) -> String? {
    guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
    let end = lseek(file.number, 0, SEEK_END)
    lseek(file.number, max(0, end - 4096), SEEK_SET)
    guard let bytes = try? file.read(4096) else { return nil }
    return bytes.split(separator: 10).last.map { line in
      // Each line begins with its date and time, or is a complaint with the program's name before it.
      let text = clean(String(decoding: line, as: UTF8.self))
      if text.hasPrefix("alarm: ") { return String(text.dropFirst(7)) }
      let words = text.split(separator: " ", maxSplits: 2)
      return words.count == 3 && words[0].contains("-") && words[1].contains(":") ? String(words[2]) : text
    }
  }
}

/// The file beside the data whose lock the engine holds: its process and its socket's path stand in it.
public enum EngineLock {
  /// What is written there.
  public static func text(pid: pid_t, socket: String) -> String { "\(pid)\n\(socket)\n" }

  /// The process that wrote the file; it may be long gone.
  public static func process(_ paths: Paths) -> pid_t? { read(paths).flatMap { pid_t($0.process) } }

  /// The socket it names.
  public static func socket(_ paths: Paths) -> String? { read(paths)?.socket }

  /// Whether somebody holds it at this moment.
  public static func isHeld(_ paths: Paths) -> Bool {
    guard let file = try? Descriptor.open(paths.lock, O_RDONLY) else { return false }
    // A shared lock, so that two who look at the same time do not see each other.
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }

  /// A path may have a line feed in it, so the socket's ends where the text does.
  private static func read(_ paths: Paths) -> (process: String, socket: String)? {
    guard let bytes = try? readFile(paths.lock, limit: 8192), let end = bytes.firstIndex(of: 10),
      bytes.last == 10, end + 1 < bytes.count
    else { return nil }
    return (
      String(decoding: bytes[..<end], as: UTF8.self),
      String(decoding: bytes[(end + 1)..<(bytes.count - 1)], as: UTF8.self)
    )
  }
}
