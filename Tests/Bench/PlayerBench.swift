import Audio
import Glibc
import Harness
import Platform

/// CPU, memory and wake-ups of the engine while it plays, pauses and keeps the device awake, beside a bare loop and
/// beside other players where they are installed; everything behind a PulseAudio of its own, one after the other.
enum PlayerBench {
  struct Figures {
    /// Thousandths of one core.
    var cpu: Double
    /// KiB.
    var resident: Int
    var switchesPerSecond: Double
  }

  static let span = 15

  static func run() throws {
    for format in ["flac", "mp3"] {
      print("playing \(format), 44.1 kHz stereo, \(span) s        CPU        resident      switches/s")
      let files = try TemporaryFolder()
      let file = files.path + "/music.\(format)"
      try runOrThrow(["sox", "-n", "-r", "44100", "-c", "2", file, "synth", "90", "pinknoise", "vol", "0.3"])
      // Measured first and last, so that a machine that changes its speed meanwhile shows.
      let bare = format == "flac" ? try measure(bareLoop(file)) : nil
      if let bare { row("bare libsndfile → ALSA loop", bare, bare) }
      let ours = try measure(engine(file))
      row("alarm", ours, bare)
      for (name, start) in [("mpd", mpd), ("cmus", cmus), ("moc", moc)] {
        do {
          if let figures = try start(file).map({ try measure($0) }) {
            row(name, figures, bare)
          } else {
            Bench.row("  " + name, "not installed")
          }
        } catch {
          Bench.row("  " + name, "could not be driven: \(error)")
        }
      }
    }
    let world = try World(sound: .pulse)
    try world.must("awake", "10m")
    row("alarm, keep-alive only", try measure(.init(pid: try enginePID(world), world: world, stop: {})), nil)
    try decoding()
  }

  private static func row(_ name: String, _ figures: Figures, _ bare: Figures?) {
    let ratio = bare.map { "  \(Bench.decimals(figures.cpu / max(0.01, $0.cpu), 2)) × bare" } ?? ""
    Bench.row(
      "  " + name,
      "\(Bench.decimals(figures.cpu / 10, 2)) %  \(Bench.decimals(Double(figures.resident) / 1024, 1)) MiB  "
        + "\(Bench.decimals(figures.switchesPerSecond, 1))\(ratio)")
  }

  /// Something that plays: its process, and how it is ended.
  struct Subject {
    var pid: pid_t
    /// Kept alive while it is measured.
    var world: World
    var stop: () -> Void
  }

  private static func measure(_ subject: Subject) throws -> Figures {
    defer { subject.stop() }
    // Opening and filling buffers is not playing.
    sleep(4)
    let before = (nanoseconds(subject.pid), RestBench.switches([subject.pid]))
    sleep(UInt32(span))
    let after = (nanoseconds(subject.pid), RestBench.switches([subject.pid]))
    return Figures(
      cpu: Double(after.0 - before.0) / Double(span) / 1e6, resident: RestBench.resident(subject.pid),
      switchesPerSecond: Double(after.1 - before.1) / Double(span))
  }

  /// Processor time of every thread, from the scheduler's own account.
  private static func nanoseconds(_ process: pid_t) -> Int {
    listFolder("/proc/\(process)/task").reduce(0) { sum, task in
      let text = (try? readFile("/proc/\(process)/task/\(task)/schedstat")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return sum + (text?.split(separator: " ").first.flatMap { Int($0) } ?? 0)
    }
  }

  private static func enginePID(_ world: World) throws -> pid_t {
    try wait(for: "the engine") { world.processes().max() }
  }

  private static func engine(_ file: String) throws -> Subject {
    let world = try World(sound: .pulse)
    try world.must("play", file)
    return Subject(pid: try enginePID(world), world: world, stop: {})
  }

  private static func child(_ words: [String], _ world: World) throws -> Subject {
    let pid = try spawn(words, environment: world.environment, descriptors: [])
    return Subject(pid: pid, world: world) {
      kill(pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
    }
  }

  private static func bareLoop(_ file: String) throws -> Subject {
    try child([currentExecutable(), "--bare", file], try World(sound: .pulse))
  }

  private static func isInstalled(_ name: String) -> Bool {
    (try? Harness.run(["sh", "-c", "command -v \(name)"]))?.succeeded == true
  }

  private static func mpd(_ file: String) throws -> Subject? {
    guard isInstalled("mpd"), isInstalled("mpc") else { return nil }
    let world = try World(sound: .pulse)
    let folder = world.folder.path
    let text = """
      music_directory "\(folder)/home"
      playlist_directory "\(folder)/home"
      db_file "\(folder)/mpd.db"
      bind_to_address "\(folder)/mpd.socket"
      audio_output {
        type "alsa"
        name "default"
        device "default"
      }
      """
    try world.folder.write(Array(text.utf8), to: world.folder.file("mpd.conf"))
    let subject = try child(["mpd", "--no-daemon", folder + "/mpd.conf"], world)
    try wait(until: "mpd's socket") { access(folder + "/mpd.socket", F_OK) == 0 }
    var environment = world.environment
    environment["MPD_HOST"] = folder + "/mpd.socket"
    try runOrThrow(["mpc", "add", "file://" + file], environment: environment)
    try runOrThrow(["mpc", "play"], environment: environment)
    return subject
  }

  private static func cmus(_ file: String) throws -> Subject? {
    guard isInstalled("cmus") else { return nil }
    let world = try World(sound: .pulse)
    let terminal = try Terminal(
      columns: 80, rows: 24,
      running: ["cmus", "--listen", world.folder.path + "/cmus"], environment: world.environment)
    try wait(until: "cmus") { access(world.folder.path + "/cmus", F_OK) == 0 }
    // Without a session bus it asks for Enter before it begins.
    try terminal.wait(until: "cmus is there") { $0.contains { !$0.isEmpty } }
    try terminal.press("Enter")
    try runOrThrow(
      ["cmus-remote", "--server", world.folder.path + "/cmus", "-C", "player-play " + file],
      environment: world.environment)
    let pid = pid_t(try terminal.ask("#{pane_pid}")) ?? 0
    return Subject(pid: pid, world: world) { _ = try? terminal.tmux("kill-server") }
  }

  private static func moc(_ file: String) throws -> Subject? {
    guard isInstalled("mocp") else { return nil }
    let world = try World(sound: .pulse)
    let words = ["mocp", "-M", world.folder.path + "/moc", "-O", "SoundDriver=ALSA"]
    mkdir(world.folder.path + "/moc", 0o700)
    try runOrThrow(words + ["-S"], environment: world.environment)
    try runOrThrow(words + ["-l", file], environment: world.environment)
    let text = String(decoding: try readFile(world.folder.path + "/moc/pid"), as: UTF8.self)
    let pid = pid_t(text.split(separator: "\n").first.map(String.init) ?? "") ?? 0
    return Subject(pid: pid, world: world) { kill(pid, SIGTERM) }
  }

  /// Decoding a FLAC file: ours beside libsndfile alone.
  private static func decoding() throws {
    let files = try TemporaryFolder()
    let path = files.path + "/long.flac"
    try runOrThrow(["sox", "-n", "-r", "44100", "-c", "2", path, "synth", "120", "pinknoise", "vol", "0.3"])
    guard let name = FileName(text: path) else { return }
    var bare: [Duration] = []
    var ours: [Duration] = []
    for _ in 0..<5 {
      bare.append(ContinuousClock().measure { _ = BareLoop.decode(path) })
      ours.append(try ContinuousClock().measure { try decodeAll(name) })
    }
    let ratio = (bare.median ?? .zero) / (ours.median ?? .seconds(1))
    Bench.row(
      "decoding 120 s of FLAC, ours and libsndfile alone",
      "\(Bench.milliseconds(ours.median ?? .zero)), \(Bench.milliseconds(bare.median ?? .zero)): "
        + "\(Bench.decimals(ratio, 2)) × its speed", toReach: "at least 0.9")
  }

  private static func decodeAll(_ file: FileName) throws {
    let reader = try TrackReader(file, rate: 44_100, channels: 2)
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * 2)
    defer { buffer.deallocate() }
    while try reader.read(into: buffer) > 0 {}
  }
}
