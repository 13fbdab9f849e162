import CLinux
import Core
import Glibc
import Platform
import Wire

/// How the engine is run.
public struct EngineOptions: Sendable {
  public var paths: Paths
  /// What `status` and `hello` name.
  public var version: String
  /// This process is only the tiny parent, which starts the engine as its child and again when it dies.
  public var inBackground = false
  /// Descriptor `Connect.readyDescriptor` wants one byte when the socket is there.
  public var tellsReady = false
  /// It takes the place of an engine that died. There is nobody to refuse to, and alarms that must ring.
  public var takesOver = false
  /// A socket that a service manager listens at in the engine's stead.
  var handedOver: ServiceManager.HandedOver?
  /// What is wrong with settings of which only a screen makes use.
  public var judge: SettingsJudge

  public init(paths: Paths, version: String, judge: @escaping SettingsJudge = { _ in [] }) {
    (self.paths, self.version, self.judge) = (paths, version, judge)
  }

  /// Reads what stands behind `engine run`: nothing, `--background` (said by `Connect`), `--ready` or `--again` (said by
  /// the tiny parent). nil where something else stands there.
  public init?(
    paths: Paths, version: String, words: [String], judge: @escaping SettingsJudge = { _ in [] }
  ) {
    self.init(paths: paths, version: version, judge: judge)
    for word in words {
      switch word {
      case "--background": inBackground = true
      case "--ready": tellsReady = true
      case "--again": takesOver = true
      default: return nil
      }
    }
  }
}

/// The engine as a process.
public enum EngineProcess {
  /// How it ends under a service manager where another engine has the data (EX_TEMPFAIL of sysexits.h), so that it is not
  /// started again and again.
  public static let anotherRuns: Int32 = 75

  /// Runs until it is asked to end; the exit status: 0 ended in order, 1 could not be started. Logs to descriptor 2.
  public static func run(_ options: EngineOptions) -> Int32 {
    umask(0o077)
    reveille_signal_ignore(SIGPIPE)
    // A file that may grow no further (ulimit -f) is an error like a full disk, not the end of every alarm.
    reveille_signal_ignore(SIGXFSZ)
    if options.inBackground {
      // Whoever started it may have stood in a folder that is to be unmounted or removed.
      _ = chdir("/")
      return Supervisor.run(
        options.paths, ready: isPipe(Connect.readyDescriptor) ? Connect.readyDescriptor : nil)
    }
    var ready: Descriptor?
    if options.tellsReady, isPipe(Connect.readyDescriptor) {
      reveille_set_cloexec(Connect.readyDescriptor)
      ready = Descriptor(owning: Connect.readyDescriptor)
    }
    var options = options
    var isManaged = false
    if !options.tellsReady, !options.takesOver {
      options.handedOver = ServiceManager.takeSocket()
      isManaged = options.handedOver != nil || ServiceManager.isListening
      // There is nobody to refuse to, and alarms that must ring.
      options.takesOver = isManaged
    }
    do {
      return try runEngine(options, ready, isManaged)
    } catch {
      complain("the engine cannot run: \(error)")
      return 1
    }
  }

  private static func runEngine(_ options: EngineOptions, _ ready: Descriptor?, _ isManaged: Bool) throws
    -> Int32
  {
    // Before the first thread, so that every thread has them blocked and the loop alone sees them.
    blockSignals([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
    nameThread("alarm-engine")
    if let sentence = Connect.problem(with: options.paths.socket) { throw sentence }
    try options.paths.makeDataFolder()
    guard let lock = try DataLock.take(options.paths) else {
      let process = EngineLock.process(options.paths).map { " (process \($0))" } ?? ""
      let socket = EngineLock.socket(options.paths) ?? options.paths.socket
      complain(
        "an engine\(process) already runs on the data in “\(options.paths.data)”; its socket is “\(socket)”: use that one, or end it with “alarm engine stop”"
      )
      return isManaged ? anotherRuns : 1
    }
    Log.keepShort(options.paths.log)
    let loop = try EventLoop()
    let engine = try AlarmEngine(loop, options, lock)
    try engine.start()
    if let ready {
      _ = try? ready.write([1])
      ready.close()
    }
    loop.notifyReady()
    loop.feedWatchdog()
    return try loop.run()
  }

  /// A sentence for the person who started it, as every command says it; in the background it is the log's last line.
  private static func complain(_ sentence: String) {
    let line = Array("alarm: \(clean(sentence))\n".utf8)
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
