import Audio
import Glibc
import Harness
import Platform

/// CPU, memory and wake-ups of the engine while it plays, pauses and keeps the device awake, beside a bare loop and
/// beside other players where they are installed. Each has a sound server of its own, all of them alike.
///
/// What is compared is measured over the same seconds: what a wake-up costs depends on what else the machine does, by more
/// than the players differ.
enum PlayerBench {
  struct Figures {
    /// Thousandths of one core.
    var cpu: Double
    /// KiB.
    var resident: Int
    var switchesPerSecond: Double
  }

  static let span = 20
  private static let others = [("mpd", mpd), ("cmus", cmus), ("moc", moc)]

  static func run() throws {
    for format in ["flac", "mp3"] {
      let files = try TemporaryFolder()
      let file = files.path + "/music.\(format)"
      try runOrThrow(["sox", "-n", "-r", "44100", "-c", "2", file, "synth", "90", "pinknoise", "vol", "0.3"])
      var subjects = [("alarm", try engine(file)), ("bare libsndfile → ALSA loop", try bareLoop(file))]
      subjects += startOthers(file)
      table("playing \(format), 44.1 kHz stereo", subjects, judged: true)
      if format == "mp3" { continue }
      subjects.removeAll { $0.1.pause == nil }
      for (_, subject) in subjects { try subject.pause?() }
      table("paused", subjects, judged: false)
    }
    let world = try World(sound: .pulse)
    try world.must("awake", "10m")
    table(
      "keep-alive only, nothing loaded",
      [("alarm", Subject(pid: try enginePID(world), world: world, stop: {}))], judged: false)
    try decoding()
  }

  private static func startOthers(_ file: String) -> [(String, Subject)] {
    others.compactMap { name, start in
      do {
        if let subject = try start(file) { return (name, subject) }
        Bench.row(name, "not installed")
      } catch {
        Bench.row(name, "could not be driven: \(error)")
      }
      return nil
    }
  }

  /// One block: all of them over the same seconds, the first one ours and, where `judged`, the second the bare loop.
  private static func table(_ title: String, _ subjects: [(String, Subject)], judged: Bool) {
    let figures = measure(subjects.map(\.1))
    print(padded(title, 32) + "     CPU    resident  wake-ups/s" + (judged ? "  CPU by the bare loop's" : ""))
    for ((name, _), found) in zip(subjects, figures) {
      let ratio =
        judged ? padded(Bench.decimals(found.cpu / max(0.01, figures[1].cpu), 2), 8, left: true) : ""
      let isOurs = name == "alarm"
      let bound =
        isOurs ? "   (to reach: \(judged ? "CPU at most 1.5, and below mpd; " : "")under 24 MiB)" : ""
      print(
        padded("  " + name, 32) + padded(Bench.decimals(found.cpu / 10, 2) + " %", 8, left: true)
          + padded(Bench.decimals(Double(found.resident) / 1024, 1) + " MiB", 12, left: true)
          + padded(Bench.decimals(found.switchesPerSecond, 1), 12, left: true) + ratio + bound)
    }
    fflush(nil)
  }

  static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
  }

  /// Something that plays: its process, and how it is paused; it is ended when the last reference goes.
  final class Subject {
    let pid: pid_t
    let pause: (() throws -> Void)?
    /// Kept alive while it is measured.
    let world: World
    private let stop: () -> Void

    init(pid: pid_t, world: World, pause: (() throws -> Void)? = nil, stop: @escaping () -> Void) {
      (self.pid, self.world, self.pause, self.stop) = (pid, world, pause, stop)
    }

    deinit { stop() }
  }

  private static func measure(_ subjects: [Subject]) -> [Figures] {
    // Opening, filling buffers and getting to know a sound server is not playing.
    sleep(10)
    let before = subjects.map { (nanoseconds($0.pid), RestBench.switches([$0.pid])) }
    sleep(UInt32(span))
    return zip(subjects, before).map { subject, before in
      Figures(
        cpu: Double(nanoseconds(subject.pid) - before.0) / Double(span) / 1e6,
        resident: RestBench.resident(subject.pid),
        switchesPerSecond: Double(RestBench.switches([subject.pid]) - before.1) / Double(span))
    }
  }

  /// Processor time of every thread, from the scheduler's own account.
  static func nanoseconds(_ process: pid_t) -> Int {
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
    return Subject(
      pid: try enginePID(world), world: world, pause: { try world.must("pause") }, stop: {})
  }

  private static func child(_ words: [String], _ world: World, pause: (() throws -> Void)? = nil) throws
    -> Subject
  {
    // What it complains of at its start would stand in the middle of the table.
    let silence = try Descriptor.open("/dev/null", O_WRONLY)
    let pid = try spawn(
      words, environment: world.environment, descriptors: [(1, silence.number), (2, silence.number)])
    return Subject(pid: pid, world: world, pause: pause) {
      kill(pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
    }
  }

  private static func bareLoop(_ file: String) throws -> Subject {
    try child([currentExecutable(), "--bare", file], try World(sound: .pulse))
  }

  static func isInstalled(_ name: String) -> Bool {
    (try? Harness.run(["sh", "-c", "command -v \(name)"]))?.succeeded == true
  }

  static func mpd(_ file: String) throws -> Subject? {
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
    let environment = world.environment.merging(["MPD_HOST": folder + "/mpd.socket"]) { $1 }
    let subject = try child(["mpd", "--no-daemon", folder + "/mpd.conf"], world) {
      try runOrThrow(["mpc", "pause"], environment: environment)
    }
    try wait(until: "mpd's socket") { access(folder + "/mpd.socket", F_OK) == 0 }
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
    func say(_ words: String...) throws {
      try runOrThrow(
        ["cmus-remote", "--server", world.folder.path + "/cmus"] + words, environment: world.environment)
    }
    try say("-C", "player-play " + file)
    let pid = pid_t(try terminal.ask("#{pane_pid}")) ?? 0
    return Subject(pid: pid, world: world, pause: { try say("--pause") }) {
      _ = try? terminal.tmux("kill-server")
    }
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
    return Subject(
      pid: pid, world: world, pause: { try runOrThrow(words + ["-P"], environment: world.environment) }
    ) { kill(pid, SIGTERM) }
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
