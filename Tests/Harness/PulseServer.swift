import CLinux
import Glibc
import Platform

/// A sound server of one's own that speaks PulseAudio's protocol, with one null sink, which paces like a sound card and can
/// be recorded: PulseAudio, or PipeWire where that is what the machine has.
///
/// It lives in a private folder with its own home and runtime folder, so that it meets no other server. Any thread, one
/// at a time; it is stopped when it goes.
public final class PulseServer {
  public enum Kind: String, Sendable {
    case pulseAudio = "pulseaudio"
    /// PipeWire, WirePlumber and PipeWire's pulse server, on a bus of their own.
    case pipeWire = "pipewire"

    /// The programs that it takes are there.
    public var isInstalled: Bool {
      let programs = self == .pulseAudio ? ["pulseaudio"] : ["pipewire-pulse", "wireplumber", "dbus-daemon"]
      return programs.allSatisfy { program in
        ["/usr/bin", "/bin"].contains { access("\($0)/\(program)", X_OK) == 0 }
      }
    }

    /// What `REVEILLE_SOUND_SERVER` says (`pulseaudio`, `pipewire`), else what is installed, PulseAudio first.
    public static func chosen() throws -> Kind {
      if let name = currentEnvironment()["REVEILLE_SOUND_SERVER"], !name.isEmpty {
        guard let kind = Kind(rawValue: name) else {
          throw RunError(
            description: "REVEILLE_SOUND_SERVER is “\(clean(name))”: it can be pulseaudio or pipewire")
        }
        return kind
      }
      return !Kind.pulseAudio.isInstalled && Kind.pipeWire.isInstalled ? .pipeWire : .pulseAudio
    }
  }

  /// How programs reach it.
  public enum Way: Sendable {
    /// Over PulseAudio's protocol.
    case pulse
    /// The same, but by a definition that is left to ALSA's plugin.
    case plugin
    /// PipeWire's own.
    case pipeWire

    /// Where PipeWire's plugin is: installed, or unpacked aside (`make test-deps`); nil where it is not.
    public static let pipeWirePlugin: String? = {
      let file = "alsa-lib/libasound_module_pcm_pipewire.so"
      let aside =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/.build/pipewire-alsa"
      let libraries = listFolder("/usr/lib").filter { $0.hasSuffix("-linux-gnu") }.map { "/usr/lib/\($0)" }
      return (libraries + libraries.map { aside + $0 }).map { "\($0)/\(file)" }.first {
        access($0, R_OK) == 0
      }
    }()

    var asoundrc: String {
      switch self {
      case .pulse: "pcm.!default { type pulse }\nctl.!default { type pulse }\n"
      case .plugin: "pcm.!default { type pulse handle_underrun 0 }\nctl.!default { type pulse }\n"
      case .pipeWire:
        """
        pcm_type.pipewire { lib "\(Way.pipeWirePlugin ?? "missing")" }
        pcm.!default { type pipewire }
        ctl.!default { type pulse }

        """
      }
    }
  }

  public let folder: TemporaryFolder
  public let kind: Kind
  private let way: Way
  private let isFavoured: Bool
  /// What plays; what needs another stands behind it.
  private var servers: [pid_t] = []
  /// PipeWire's bus, which outlives the servers as a session's does.
  private var bus: pid_t = 0

  /// Starts it and waits until it answers.
  ///
  /// `isFavoured`: with the priorities that a person's own server asks for, where they are to be had. `kind`: this one,
  /// whatever the environment says. `way`: how programs reach it, PipeWire's own for that server alone.
  public init(isFavoured: Bool = false, kind: Kind? = nil, way: Way = .pulse) throws {
    (self.isFavoured, self.way) = (isFavoured, way)
    self.kind = try way == .pipeWire ? .pipeWire : kind ?? .chosen()
    folder = try TemporaryFolder()
    for name in ["home", "run", "config"] { mkdir("\(folder.path)/\(name)", 0o700) }
    try folder.write(
      Array(way.asoundrc.utf8), to: folder.file("home/.asoundrc"))
    try folder.write(
      Array("autospawn = no\ndefault-server = unix:\(socket)\n".utf8), to: folder.file("client.conf"))
    if self.kind == .pipeWire { try pipeWire.write() }
    try start()
  }

  deinit {
    stop()
    if bus != 0 { PulseServer.end(bus, SIGTERM) }
  }

  private var socket: String { "\(folder.path)/run/native" }
  private var pipeWire: PipeWireConfig {
    PipeWireConfig(folder: folder, socket: socket, isFavoured: isFavoured)
  }

  /// For programs that are to use this server: PATH, and nothing of the person's own.
  public var environment: [String: String] {
    let common = [
      "PATH": "/usr/bin:/bin", "HOME": "\(folder.path)/home", "XDG_RUNTIME_DIR": "\(folder.path)/run",
      "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_DATA_HOME": "\(folder.path)/home/.local/share",
      "PULSE_SERVER": "unix:\(socket)", "PULSE_CLIENTCONFIG": "\(folder.path)/client.conf",
    ]
    // Debian's own configuration makes `pulse` the default again where such a server runs.
    let whole = ["ALSA_CONFIG_PATH": "\(folder.path)/home/.asoundrc"]
    return way != .pipeWire ? common : common.merging(whole) { $1 }
  }

  public func start() throws {
    guard servers.isEmpty else { return }
    for attempt in 1...3 {
      unlink(socket)
      switch kind {
      case .pulseAudio: try startPulseAudio()
      case .pipeWire: try startPipeWire()
      }
      // PipeWire 0.3.65, killed and started again under a program that plays, comes up once in some thirty times with its
      // core spinning and deaf; whoever sees to a desktop's services starts such a one anew.
      let isLast = kind == .pulseAudio || attempt == 3
      do {
        try wait(until: "an answer of \(kind.rawValue)", within: .seconds(isLast ? 15 : 5)) { answers() }
        return
      } catch let error {
        kill9()
        if isLast { throw error }
      }
    }
  }

  private func startPulseAudio() throws {
    try launch([
      "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes",
      "--high-priority=\(isFavoured ? "yes" : "no")", "--realtime=\(isFavoured ? "yes" : "no")", "-L",
      "module-null-sink sink_name=sink rate=48000 sink_properties=device.form_factor=speaker",
      "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
    ])
  }

  private func startPipeWire() throws {
    if bus == 0 {
      bus = try spawnLogged(pipeWire.busCommand)
      try wait(until: "the bus") { access(pipeWire.busSocket, F_OK) == 0 }
    }
    // What a crash left behind would look like the new one's.
    unlink(pipeWire.coreSocket)
    try launch(pipeWire.coreCommand)
    try wait(until: "PipeWire") { access(pipeWire.coreSocket, F_OK) == 0 }
    for command in pipeWire.otherCommands { try launch(command) }
  }

  private func launch(_ words: [String]) throws { servers.append(try spawnLogged(words)) }

  private func spawnLogged(_ words: [String]) throws -> pid_t {
    let log = try Descriptor.open("\(folder.path)/log", O_WRONLY | O_CREAT | O_APPEND)
    let more = kind == .pipeWire ? pipeWire.environment : [:]
    return try spawn(
      words, environment: environment.merging(more) { _, new in new },
      descriptors: [(1, log.number), (2, log.number)])
  }

  /// Calls `condition` until it holds; what the servers wrote goes into the error.
  private func wait(until what: String, within deadline: Duration = .seconds(15), _ condition: () -> Bool)
    throws
  {
    do {
      try Harness.wait(until: what, within: deadline, every: .milliseconds(20), condition)
    } catch let timeout as Timeout {
      let log = (try? readFile("\(folder.path)/log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let states = servers.map { server in
        let stat =
          (try? readFile("/proc/\(server)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? "gone"
        return stat.split(separator: " ").prefix(3).joined(separator: " ")
      }
      let info = try? run(["pactl", "info"], environment: environment, within: .seconds(5))
      throw RunError(
        description: "\(timeout.description); processes: \(states); pactl says: "
          + "\(info.map { $0.text + $0.complaint } ?? "nothing"); the log says: \(log)")
    }
  }

  /// In order, by their process ids.
  public func stop() { finish(SIGTERM) }

  /// As a crash would.
  public func kill9() { finish(SIGKILL) }

  public func restart() throws {
    stop()
    try start()
  }

  /// SIGSTOP: it is there and answers nothing; `resume` lets it go on.
  public func suspend() { for server in servers { _ = Glibc.kill(server, SIGSTOP) } }
  public func resume() { for server in servers { _ = Glibc.kill(server, SIGCONT) } }

  /// The sink stands still, as where another program holds the card; or goes on.
  public func suspendSink(_ on: Bool) throws {
    try runOrThrow(["pactl", "suspend-sink", "sink", on ? "1" : "0"], environment: environment)
  }

  /// The numbers of the streams that play now.
  public func sinkInputs() throws -> [Int] {
    let text = String(
      decoding: try runOrThrow(["pactl", "list", "short", "sink-inputs"], environment: environment),
      as: UTF8.self)
    return text.split(separator: "\n").compactMap { $0.split(separator: "\t").first.flatMap { Int($0) } }
  }

  /// Records what the sink plays, until `stop` is called or the server ends, `block` frames at once.
  public func record(block: Int = 512) throws -> Recording {
    try Recording(environment: environment, block: block)
  }

  /// Records another sink, `channels` in the order of `map` (PulseAudio's names of positions).
  public func record(_ sink: String, channels: Int, map: String) throws -> Recording {
    try Recording(environment: environment, sink: sink, channels: channels, map: map)
  }

  /// Adds a null sink with channels of its own.
  public func addSink(_ name: String, channels: Int, map: String, format: String = "s16le") throws {
    try runOrThrow(
      [
        "pactl", "load-module", "module-null-sink", "sink_name=\(name)", "rate=48000", "channels=\(channels)",
        "channel_map=\(map)", "format=\(format)",
      ], environment: environment)
  }

  /// It answers, and what is played goes to the sink.
  private func answers() -> Bool {
    guard let finished = try? run(["pactl", "info"], environment: environment, within: .seconds(3)) else {
      return false
    }
    return finished.succeeded && finished.text.split(separator: "\n").contains("Default Sink: sink")
  }

  private func finish(_ signal: Int32) {
    resume()
    if signal == SIGKILL { for server in servers { _ = Glibc.kill(server, signal) } }
    for server in servers.reversed() { PulseServer.end(server, signal) }
    servers = []
  }

  /// What does not go when it is asked to is killed.
  private static func end(_ process: pid_t, _ signal: Int32) {
    _ = Glibc.kill(process, signal)
    let hasEnded = try? Harness.wait(for: "the end of a server", within: .seconds(5)) {
      waitpid(process, nil, WNOHANG) == 0 ? nil : true
    }
    guard hasEnded == nil else { return }
    _ = Glibc.kill(process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }
}

/// An ALSA configuration whose device `capture` writes every sample into a raw file, over `null`.
public func captureEnvironment(_ folder: TemporaryFolder) throws -> (
  environment: [String: String], file: String
) {
  let file = "\(folder.path)/capture.raw"
  try folder.write(
    Array("pcm.capture { type file slave.pcm \"null\" file \"\(file)\" format raw }\n".utf8),
    to: folder.file(".asoundrc"))
  return (["PATH": "/usr/bin:/bin", "HOME": folder.path, "PULSE_SERVER": "unix:/nonexistent"], file)
}
