import CLinux
import Glibc
import Platform

/// A world of its own for the whole program: home, XDG folders, sound server and buses in one private folder. Whatever
/// was started in it is ended with it, by process id.
public final class World {
  public enum Sound: Sendable {
    /// A sound server with a null sink behind ALSA's `pulse` plugin, PulseAudio or PipeWire (`PulseServer.Kind.chosen`).
    case pulse
    /// The same, and PipeWire whatever else there is.
    case pipeWire
    /// A machine without a sound card or server.
    case none
  }

  public let folder: TemporaryFolder
  public let pulse: PulseServer?
  public private(set) var environment: [String: String]
  /// The program under test, beside the running test bundle or bench.
  public let program: String

  public init(sound: Sound = .none, zone: String = "Europe/Berlin", settings: String? = nil) throws {
    folder = try TemporaryFolder()
    var environment = [
      "HOME": folder.path + "/home", "XDG_CONFIG_HOME": folder.path + "/config",
      "XDG_DATA_HOME": folder.path + "/data", "XDG_RUNTIME_DIR": folder.path + "/run",
      "PATH": currentEnvironment()["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": zone,
      // Nothing may reach the buses or the sound of whoever runs the tests.
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/no-session-bus",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-system-bus",
      "PULSE_SERVER": "unix:\(folder.path)/no-pulse",
      "PULSE_CLIENTCONFIG": folder.path + "/pulse-client.conf",
    ]
    for name in ["home", "config", "data", "run"] { mkdir(folder.path + "/" + name, 0o700) }
    try folder.write(Array("autospawn = no\n".utf8), to: folder.file("pulse-client.conf"))
    if sound != .none {
      let server = try PulseServer(kind: sound == .pipeWire ? .pipeWire : nil)
      // Only the way to the server: home and folders stay this world's.
      for key in ["PULSE_SERVER", "PULSE_CLIENTCONFIG"] { environment[key] = server.environment[key] }
      try folder.write(
        Array("pcm.!default { type pulse }\nctl.!default { type pulse }\n".utf8),
        to: folder.file("home/.asoundrc"))
      pulse = server
    } else {
      pulse = nil
    }
    self.environment = environment
    let parts = currentExecutable().split(separator: "/").dropLast()
    let beside = "/" + parts.joined(separator: "/") + "/alarm"
    // Those of people: what the optimiser does shows there alone.
    program = currentEnvironment()["TEST_PROGRAMS"].map { "\($0)/alarm" } ?? beside
    if let settings { try write(settings: settings) }
  }

  deinit { end() }

  /// Replaces the settings file.
  public func write(settings: String) throws {
    mkdir(folder.path + "/config/reveille", 0o700)
    try replaceFile(folder.path + "/config/reveille/config.json5", with: Array(settings.utf8))
  }

  public func setEnvironment(_ key: String, _ value: String?) { environment[key] = value }

  /// Runs the program with these arguments to its end.
  public func alarm(_ words: String..., input: String = "", within deadline: Duration = .seconds(30)) throws
    -> Finished
  {
    try alarm(words, input: input, within: deadline)
  }

  public func alarm(_ words: [String], input: String = "", within deadline: Duration = .seconds(30)) throws
    -> Finished
  {
    try run([program] + words, input: Array(input.utf8), environment: environment, within: deadline)
  }

  /// Runs the program, which must succeed; its standard output.
  @discardableResult
  public func must(_ words: String...) throws -> String {
    let finished = try alarm(words)
    guard finished.succeeded else {
      throw RunError(
        description: "“alarm \(words.joined(separator: " "))” ended with \(finished.status): "
          + finished.complaint + "\nlog: \(log)")
    }
    return finished.text
  }

  public var socket: String { folder.path + "/run/reveille/engine.sock" }
  public var database: String { folder.path + "/data/reveille/reveille.db" }

  /// What the engine wrote to its log.
  public var log: String {
    (try? readFile(folder.path + "/data/reveille/engine.log")).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Every process of this world that runs the program, told by the folder in its environment.
  public func processes() -> [pid_t] {
    let mark = Array("XDG_RUNTIME_DIR=\(environment["XDG_RUNTIME_DIR"] ?? "")\0".utf8)
    return listFolder("/proc").compactMap { pid_t($0) }.filter { process in
      guard process != getpid(), let words = try? readFile("/proc/\(process)/cmdline"),
        words.starts(with: program.utf8), let environment = try? readFile("/proc/\(process)/environ")
      else { return false }
      return environment.contains(mark)
    }
  }

  /// Ends everything that was started here.
  public func end() {
    for _ in 0..<100 {
      let left = processes()
      if left.isEmpty { break }
      for process in left { kill(process, SIGKILL) }
      usleep(5000)
    }
    pulse?.stop()
  }
}

/// The names in a folder; none where it cannot be read.
public func listFolder(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

extension Array where Element == UInt8 {
  func contains(_ part: [UInt8]) -> Bool {
    guard !part.isEmpty, count >= part.count else { return false }
    return withUnsafeBytes { whole in
      part.withUnsafeBytes { wanted in
        guard let start = whole.baseAddress, let sought = wanted.baseAddress else { return false }
        return memmem(start, whole.count, sought, wanted.count) != nil
      }
    }
  }
}
