import Glibc
import Harness
import Platform

/// A minute of playing with the clock view open: what all processes cost together, and what is written to the terminal,
/// beside other players' screens on the same track where they are installed. All are measured over the same seconds.
enum ScreenBench {
  static let span = 60

  /// A player with its screen: the processes that belong to it, and the terminal they are seen in.
  private struct Subject {
    let name: String
    let processes: [pid_t]
    let terminal: Emulator
    /// Kept as long as it is measured.
    let owners: [AnyObject]
  }

  static func run() throws {
    // What decoding costs each of them differs by the kind of file.
    for format in ["flac", "mp3"] { try run(format) }
  }

  private static func run(_ format: String) throws {
    let files = try TemporaryFolder()
    let file = files.path + "/music." + format
    try runOrThrow(["sox", "-n", "-r", "44100", "-c", "2", file, "synth", "120", "pinknoise", "vol", "0.3"])
    var subjects = [try ours(file)]
    for (name, start) in [("cmus", cmus), ("ncmpcpp with mpd", ncmpcpp)] {
      do {
        if let subject = try start(file) {
          subjects.append(subject)
        } else {
          Bench.row(name, "not installed")
        }
      } catch {
        Bench.row(name, "could not be driven: \(error)")
      }
    }
    // Opening, filling buffers and measuring once how loud the track is, which waits for an idle processor, is not rest.
    sleep(8)
    let processes = subjects[0].processes
    try wait(until: "the track is measured", within: .seconds(120), every: .seconds(1)) {
      !processes.contains { process in
        listFolder("/proc/\(process)/task").contains { task in
          (try? readFile("/proc/\(process)/task/\(task)/comm"))?.starts(with: Array("loudness".utf8)) == true
        }
      }
    }
    let before = try subjects.map(measure)
    sleep(UInt32(span))
    let after = try subjects.map(measure)
    print(
      PlayerBench.padded("at rest, playing \(format), 80 × 24", 32) + "     CPU    wake-ups/s     bytes/s")
    for (index, subject) in subjects.enumerated() {
      let spent = zip(before[index], after[index]).map { Double($1 - $0) / Double(span) }
      let bound = index == 0 ? "   (to reach: below both; at most 200 bytes/s)" : ""
      print(
        PlayerBench.padded("  " + subject.name, 32)
          + PlayerBench.padded(Bench.decimals(spent[0] / 1e7, 3) + " %", 8, left: true)
          + PlayerBench.padded(Bench.decimals(spent[1], 1), 14, left: true)
          + PlayerBench.padded(Bench.decimals(spent[2], 1), 12, left: true) + bound)
      if subject.processes.count > 1 {
        for (place, process) in subject.processes.enumerated() {
          let share = Double(after[index][3 + place] - before[index][3 + place]) / Double(span) / 1e7
          print(
            PlayerBench.padded("    " + name(process), 32)
              + PlayerBench.padded(Bench.decimals(share, 3) + " %", 8, left: true))
        }
      }
    }
    fflush(nil)
  }

  /// Nanoseconds of processor time, wake-ups and bytes written so far, and the time of each process.
  private static func measure(_ subject: Subject) throws -> [Int] {
    let times = subject.processes.map(PlayerBench.nanoseconds)
    return [times.reduce(0, +), RestBench.switches(subject.processes), try subject.terminal.count()] + times
  }

  private static func name(_ process: pid_t) -> String {
    let words = ((try? readFile("/proc/\(process)/cmdline")) ?? []).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
    let program = words.first?.split(separator: "/").last.map(String.init) ?? "?"
    return ([program] + words.dropFirst().prefix(3).filter { !$0.contains("/") }).joined(separator: " ")
  }

  private static func open(_ world: World, _ words: [String]) throws -> Emulator {
    try Emulator(
      .plain, running: words,
      environment: world.environment.merging(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { $1 })
  }

  private static func ours(_ file: String) throws -> Subject {
    let world = try World(sound: .pulse)
    try world.must("add", "mon-fri", "07:00", "--label", "Up")
    try world.must("play", file)
    let terminal = try open(world, [world.program])
    try wait(until: "the screen") { try terminal.count() > 500 }
    return Subject(name: "alarm", processes: world.processes(), terminal: terminal, owners: [world])
  }

  private static func cmus(_ file: String) throws -> Subject? {
    guard PlayerBench.isInstalled("cmus") else { return nil }
    let world = try World(sound: .pulse)
    let socket = world.folder.path + "/cmus"
    let terminal = try open(world, ["cmus", "--listen", socket])
    try wait(until: "cmus") { access(socket, F_OK) == 0 }
    // Without a session bus it asks for Enter before it begins.
    try wait(until: "its first picture") { try terminal.count() > 100 }
    try terminal.type("\r")
    try runOrThrow(
      ["cmus-remote", "--server", socket, "-C", "player-play " + file], environment: world.environment)
    return Subject(name: "cmus", processes: [try terminal.pid()], terminal: terminal, owners: [world])
  }

  private static func ncmpcpp(_ file: String) throws -> Subject? {
    guard PlayerBench.isInstalled("ncmpcpp"), let mpd = try PlayerBench.mpd(file) else { return nil }
    let terminal = try open(mpd.world, ["ncmpcpp", "--host", mpd.world.folder.path + "/mpd.socket"])
    try wait(until: "ncmpcpp") { try terminal.count() > 500 }
    return Subject(
      name: "ncmpcpp with mpd", processes: [mpd.pid, try terminal.pid()], terminal: terminal, owners: [mpd])
  }
}
