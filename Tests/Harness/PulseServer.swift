import CLinux
import Glibc
import Platform

/// A PulseAudio daemon of one's own with one null sink, which paces like a sound card and can be recorded.
///
/// It lives in a private folder with its own home and runtime folder, so that it meets no other server. Any thread, one
/// at a time; it is stopped when it goes.
public final class PulseServer {
  public let folder: TemporaryFolder
  private let isFavoured: Bool
  private var server: pid_t = 0

  /// Starts it and waits until it answers.
  ///
  /// `isFavoured`: with the priorities that a person's own server asks for, where they are to be had.
  public init(isFavoured: Bool = false) throws {
    self.isFavoured = isFavoured
    folder = try TemporaryFolder()
    for name in ["home", "run", "config"] { mkdir("\(folder.path)/\(name)", 0o700) }
    try folder.write(
      Array("pcm.!default { type pulse }\nctl.!default { type pulse }\n".utf8),
      to: folder.file("home/.asoundrc"))
    try folder.write(
      Array("autospawn = no\ndefault-server = unix:\(socket)\n".utf8), to: folder.file("client.conf"))
    try start()
  }

  deinit { stop() }

  private var socket: String { "\(folder.path)/run/native" }

  /// For programs that are to use this server: PATH, and nothing of the person's own.
  public var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": "\(folder.path)/home", "XDG_RUNTIME_DIR": "\(folder.path)/run",
      "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_DATA_HOME": "\(folder.path)/home/.local/share",
      "PULSE_SERVER": "unix:\(socket)", "PULSE_CLIENTCONFIG": "\(folder.path)/client.conf",
    ]
  }

  public func start() throws {
    guard server == 0 else { return }
    unlink(socket)
    let log = try Descriptor.open("\(folder.path)/log", O_WRONLY | O_CREAT | O_APPEND)
    server = try spawn(
      [
        "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes",
        "--high-priority=\(isFavoured ? "yes" : "no")", "--realtime=\(isFavoured ? "yes" : "no")", "-L",
        "module-null-sink sink_name=sink rate=48000 sink_properties=device.form_factor=speaker",
        "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
      ], environment: environment, descriptors: [(1, log.number), (2, log.number)])
    let end = ContinuousClock.now + .seconds(15)
    while !answers() {
      guard ContinuousClock.now < end else { throw RunError(description: "pulseaudio does not answer") }
      usleep(20_000)
    }
  }

  /// In order, by its process id.
  public func stop() { finish(SIGTERM) }

  /// As a crash would.
  public func kill9() { finish(SIGKILL) }

  public func restart() throws {
    stop()
    try start()
  }

  /// SIGSTOP: it is there and answers nothing; `resume` lets it go on.
  public func suspend() { _ = Glibc.kill(server, SIGSTOP) }
  public func resume() { _ = Glibc.kill(server, SIGCONT) }

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

  /// Records what the sink plays, until `stop` is called or the server ends.
  public func record() throws -> Recording { try Recording(environment: environment) }

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

  private func answers() -> Bool {
    let finished = try? run(["pactl", "info"], environment: environment, within: .seconds(5))
    return finished?.succeeded ?? false
  }

  private func finish(_ signal: Int32) {
    guard server != 0 else { return }
    resume()
    PulseServer.kill(server, signal)
    server = 0
  }

  private static func kill(_ process: pid_t, _ signal: Int32) {
    _ = Glibc.kill(process, signal)
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
