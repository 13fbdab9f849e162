import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

/// The program `alarm-wake` as it is, spoken to over its input.
@Suite("The helper that wakes the machine", .serialized)
struct WakeHelperTests {
  fileprivate static let isRoot = getuid() == 0
  /// What it answers where it may set the clock that wakes the machine.
  private func armed(_ second: Int64) -> String {
    Clocks.canWake ? "armed \(second)\n" : "refused 95 Operation not supported\n"
  }
  private var off: String { Clocks.canWake ? "off\n" : "refused 95 Operation not supported\n" }
  private static let forbidden = "refused 1 Operation not permitted\n"
  /// Nobody in particular.
  fileprivate static let stranger = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  private func helper(_ before: [String] = [], _ input: String, _ path: String? = nil) throws -> Finished {
    try run(before + [path ?? builtProgram("alarm-wake")], input: Array(input.utf8))
  }

  /// A copy in a folder that everybody may look into.
  private func copy() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let path = folder.path + "/alarm-wake"
    try runOrThrow(["install", "-m", "755", try builtProgram("alarm-wake"), path])
    return (folder, path)
  }

  @Test("It needs no library but the C library, and little room")
  func small() throws {
    let path = try builtProgram("alarm-wake")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size < 500_000, "\(status.st_size)")
    let libraries = String(decoding: try runOrThrow(["ldd", path]), as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).first }
    #expect(libraries.allSatisfy { !$0.contains("swift") }, "\(libraries)")
  }

  @Test("Without the right to it, it says so", .enabled(if: isRoot))
  func forbidden() throws {
    let without = ["setpriv", "--bounding-set=-wake_alarm", "--inh-caps=-wake_alarm"]
    #expect(
      try helper(without, "wake 2000000000\noff\n").text == WakeHelperTests.forbidden
        + WakeHelperTests.forbidden)
    let (folder, path) = try copy()
    #expect(try helper(WakeHelperTests.stranger, "wake 2000000000\n", path).text == WakeHelperTests.forbidden)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "The capability of its file gives it to whoever runs it, but not where no rights may be gained",
    .enabled(if: isRoot))
  func capability() throws {
    let (folder, path) = try copy()
    #expect(!WakeCapability.isSet(on: path))
    try runOrThrow(["setcap", WakeCapability.words, path])
    #expect(
      String(decoding: try runOrThrow(["getcap", path]), as: UTF8.self) == "\(path) cap_wake_alarm=ep\n")
    #expect(WakeCapability.isSet(on: path))
    #expect(try helper(WakeHelperTests.stranger, "wake 2000000000\n", path).text == armed(2_000_000_000))
    #expect(
      try helper(WakeHelperTests.stranger + ["setpriv", "--no-new-privs"], "wake 2000000000\n", path).text
        == WakeHelperTests.forbidden)
    // Whoever writes to it takes the capability from it.
    try replaceFile(folder.path + "/more", with: [0])
    try runOrThrow(["sh", "-c", "cat \"$0\" >>\"$1\"", folder.path + "/more", path])
    #expect(!WakeCapability.isSet(on: path))
    // Others than this one, or one that is not in effect, do not count.
    for words in ["cap_net_raw+ep", "cap_wake_alarm+p", "cap_wake_alarm+i"] {
      try runOrThrow(["setcap", words, path])
      #expect(!WakeCapability.isSet(on: path), "\(words)")
    }
    try runOrThrow(["setcap", "cap_net_raw,cap_wake_alarm+ep", path])
    #expect(WakeCapability.isSet(on: path))
  }

  @Test(
    "It keeps that one right and no other, nobody may look into it, and it holds no descriptor but its three",
    .enabled(if: isRoot))
  func confines() throws {
    let talk = try Conversation(["sh", "-c", "exec 5</dev/null; exec \"$0\"", try builtProgram("alarm-wake")])
    try talk.say("off")
    _ = try talk.line { _ in true }
    let status = String(decoding: try readFile("/proc/\(talk.process)/status"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    func field(_ name: String) -> String? { status.first { $0.first == name + ":" }?.last }
    for name in ["CapPrm", "CapEff"] { #expect(field(name) == "0000000800000000", "\(name)") }
    for name in ["CapInh", "CapAmb"] { #expect(field(name) == "0000000000000000", "\(name)") }
    #expect(field("NoNewPrivs") == "1")
    #expect(Set(listFolder("/proc/\(talk.process)/fd")).isSubset(of: ["0", "1", "2", "3"]))
    let link = String(decoding: try runOrThrow(["readlink", "/proc/\(talk.process)/cwd"]), as: UTF8.self)
    #expect(link == "/\n")
  }

  @Test(
    "Every line has one answer, and what means nothing is refused with the reason",
    arguments: [
      ("", "22"), ("wake", "22"), ("wake ", "22"), ("wake x", "22"), ("wake -5", "22"), ("wake 12 ", "22"),
      ("wake 1e9", "22"),
      ("Wake 2000000000", "22"), ("wake\t2000000000", "22"), (" off", "22"), ("off ", "22"), ("offf", "22"),
      ("\u{0}", "22"),
      ("wake 0", "34"), ("wake 9223372037", "34"), ("wake 99999999999999999999999999", "34"),
      ("wake 18446744073709551616", "34"), ("wake 18446744075709551616", "34"),
    ])
  func refuses(_ line: String, _ code: String) throws {
    let answers = try helper([], line + "\noff\n").text.split(separator: "\n")
    #expect(answers.count == 2 && answers.first?.hasPrefix("refused \(code) ") == true, "\(answers)")
    if WakeHelperTests.isRoot { #expect(answers.last.map { $0 + "\n" } == off[...]) }
  }

  @Test(
    "A line that is longer than any, and one without an end, are the end of it",
    arguments: [33, 64, 65, 4096, 1_000_000])
  func tooLong(_ count: Int) throws {
    let long = try helper([], String(repeating: "9", count: count))
    #expect(long.status == .exited(1) && long.text == "refused 90 Message too long\n")
    let cut = try helper([], "wake 20000")
    #expect(cut.status == .exited(0) && cut.text.isEmpty)
  }

  @Test("Whatever it is told, it answers a line for a line and ends in order")
  func anything() throws {
    var generator = SeededGenerator(seed: 5)
    let letters = Array("wake off 0123456789-+\u{0}\r\t%sé".utf8)
    for _ in 0..<200 {
      var input: [UInt8] = []
      var lines = 0
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        for _ in 0..<Int.random(in: 0...32, using: &generator) {
          input.append(
            Bool.random(using: &generator)
              ? letters.randomElement(using: &generator)! : UInt8.random(in: 11...255, using: &generator))
        }
        input.append(10)
        lines += 1
      }
      let finished = try run([builtProgram("alarm-wake")], input: input)
      #expect(finished.status == .exited(0))
      let answers = finished.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(answers.count == lines)
      #expect(
        answers.allSatisfy { $0.hasPrefix("refused ") || $0.hasPrefix("armed ") || $0 == "off" }, "\(answers)"
      )
    }
  }

  @Test("It holds as long as its input is open, and ends with it, or where nobody hears its answers")
  func ends() throws {
    let (ours, theirs) = try UnixSocket.pair()
    let process = try spawn(
      [try builtProgram("alarm-wake")], descriptors: [(0, theirs.number), (1, theirs.number)])
    theirs.close()
    try ours.writeAll(Array("off\n".utf8))
    #expect(try ours.read(100)?.isEmpty == false)
    #expect(isAlive(process))
    ours.close()
    var status: Int32 = 0
    try wait(until: "its end") { waitpid(process, &status, WNOHANG) == process }
    #expect(status == 0)
    // Closed from the start: the timer's descriptor must not become its input.
    for closed in ["<&-", ">&-", "<&- >&-"] {
      let finished = try run(
        ["sh", "-c", "exec \"$0\" \(closed)", try builtProgram("alarm-wake")], input: Array("off\n".utf8))
      #expect(finished.status == .exited(1), "\(closed)")
    }
    let deaf = try run([
      "sh", "-c", "(sleep 0.2; echo off; sleep 0.2; echo off) | \"$0\" | true",
      try builtProgram("alarm-wake"),
    ])
    #expect(deaf.succeeded)
  }

  @Test(
    "Where the machine has such a clock the kernel holds the timer, and nobody reaches in through the environment",
    .enabled(if: isRoot))
  func setsTheTimer() throws {
    // The timer is the kernel's own.
    let (folder, path) = try copy()
    let shim = try ClockShim.make(in: folder)
    let talk = try Conversation([path], environment: ["LD_PRELOAD": shim])
    func timer() throws -> [String] {
      for name in listFolder("/proc/\(talk.process)/fdinfo") {
        let text = String(decoding: try readFile("/proc/\(talk.process)/fdinfo/\(name)"), as: UTF8.self)
        if text.contains("clockid: 8") { return text.split(separator: "\n").map(String.init) }
      }
      return []
    }
    let second = Clocks.wallMicroseconds() / 1_000_000 + 5000
    try talk.say("wake \(second)")
    #expect(try talk.line { _ in true } == "armed \(second)")
    // it_value is what is left.
    let held = try timer()
    let left = held.first { $0.hasPrefix("it_value: (") }?.dropFirst("it_value: (".count).prefix { $0 != "," }
    #expect((4990...5000).contains(left.flatMap { Int($0) } ?? 0), "\(held)")
    try talk.say("off")
    #expect(try talk.line { _ in true } == "off")
    #expect(try timer() == [], "the kernel has it no more")

    // With a capability it is a program whose environment the loader does not trust.
    guard !Clocks.canWake else { return }
    try runOrThrow(["setcap", WakeCapability.words, path])
    let trusted = try run(
      WakeHelperTests.stranger + [path], input: Array("off\n".utf8),
      environment: ["LD_PRELOAD": shim, "PATH": currentEnvironment()["PATH"] ?? "/usr/bin"])
    #expect(trusted.text == "refused 95 Operation not supported\n")
  }
}

extension WakeHelperTests {
  @Test(
    "An engine without the right says so, and of the helper that it is missing, lacks its capability or may not use it",
    .enabled(if: isRoot))
  func engineOfAStranger() throws {
    let world = try World()
    let place = world.folder.path
    let helper = place + "/data/reveille/alarm-wake"
    // Where the machine has no such clock, it looks to the engine as if it had; the helper is not deceived.
    world.setEnvironment("LD_PRELOAD", try ClockShim.make(in: world.folder))
    mkdir(place + "/bin", 0o755)
    try runOrThrow(["cp", world.program, place + "/bin"])
    try runOrThrow(["chown", "-R", "65534:65534", place])
    func alarm(_ before: [String] = [], _ words: String...) throws -> Finished {
      try run(
        WakeHelperTests.stranger + before + [place + "/bin/alarm"] + words, environment: world.environment)
    }
    defer { _ = try? alarm([], "engine", "stop") }
    func waitForRow(_ what: String, _ condition: (String) -> Bool) throws {
      var row = ""
      do {
        try wait(until: what, within: .seconds(60)) {
          let reply = try decode(DoctorReply.self, from: try alarm([], "doctor", "--json").text)
          row = reply.rows.first { $0.name == "wake-up" }?.finding ?? ""
          return condition(row)
        }
      } catch let timeout as Timeout {
        throw Timeout(description: "\(timeout.description); the row was: \(row)")
      }
    }
    let forbidden = "the engine may not set the machine's clock to wake it (CAP_WAKE_ALARM)"
    try waitForRow("the helper to be missed") {
      $0.contains(forbidden) && $0.contains("and the helper that could do it is not installed")
    }
    try runOrThrow(["install", "-m", "700", "-o", "65534", try builtProgram("alarm-wake"), helper])
    try waitForRow("its capability to be missed") {
      $0.contains("the helper “\(helper)” lacks the capability cap_wake_alarm")
    }
    try runOrThrow(["setcap", WakeCapability.words, helper])
    try waitForRow("it to have it") { !$0.contains("lacks") }
    #expect(try alarm([], "engine", "stop").succeeded)
    // The engine gains no right any more, so neither do its children.
    #expect(try alarm(["setpriv", "--no-new-privs"], "engine", "start").succeeded)
    try waitForRow("the wall to be noticed") {
      $0.contains("may not use its capability (a file system mounted")
    }
  }
}

/// The engine with it, where neither its own timer nor one of systemd's works. What stands in for the clock that test
/// machines do not have is a script that says it has set it.
@Suite("Woken by the helper", .serialized, .enabled(if: !Clocks.canWake))
struct WokenByHelperTests {
  private let bus: PrivateBus
  private let login: LoginServer
  private let world: World
  private var path: String { world.folder.path + "/data/reveille/alarm-wake" }

  init() throws {
    bus = try PrivateBus()
    login = try LoginServer(bus)
    world = try World()
    world.use(bus)
    mkdir(world.folder.path + "/data/reveille", 0o700)
  }

  /// What the doctor says of being woken.
  private func doctorRow() throws -> DoctorReply.Row? {
    let text = try world.alarm("doctor", "--json", within: .seconds(40)).text
    return try decode(DoctorReply.self, from: text).rows.first { $0.name == "wake-up" }
  }

  @Test("It is told each instant, stands in the status, and ends with the engine however that ends")
  func armed() throws {
    try WakeHelperScript.put(WakeHelperScript.obeys, at: path)
    let added = try world.alarm("add", "daily 07:00")
    #expect(added.succeeded && !added.complaint.contains("if this machine sleeps"), "\(added.complaint)")
    let status = try world.waitForStatus("the wake-up") { $0.awake.wakeUp != nil }
    #expect(status.awake.wakeUp?.by == "helper")
    let due = try microseconds(status.alarms.next?.at) / 1_000_000
    #expect(WakeHelperScript.armed(path) == [due - 60])
    #expect(try world.must("status").contains("06:59, by the helper alarm-wake"))
    let row = try doctorRow()
    #expect(row?.finding.hasPrefix("the helper alarm-wake wakes the sleeping machine at") == true)
    try world.must("edit", "1", "08:00")
    let later = try microseconds(try world.status().alarms.next?.at) / 1_000_000
    #expect(later != due)
    try wait(until: "the other instant") { WakeHelperScript.armed(path).last == later - 60 }
    let first = try #require(WakeHelperScript.process(path))
    try world.must("off", "1")
    try wait(until: "its end") { !isAlive(first) }
    #expect(try world.status().awake.wakeUp == nil)
    try world.must("on", "1")
    try world.waitForStatus("the wake-up") { $0.awake.wakeUp?.by == "helper" }
    let second = try #require(WakeHelperScript.process(path))
    #expect(second != first && isAlive(second))
    try world.must("engine", "stop")
    try wait(until: "its end with the engine") { !isAlive(second) }
    let engine = try world.enginePID()
    try world.waitForStatus("the next engine's") { $0.awake.wakeUp?.by == "helper" }
    let third = try #require(WakeHelperScript.process(path))
    #expect(third != second && isAlive(third))
    kill(engine, SIGKILL)
    try wait(until: "its end with the engine") { !isAlive(third) }
    try world.waitForStatus("the one after", within: .seconds(20)) {
      $0.engine.pid != engine && $0.awake.wakeUp?.by == "helper"
    }
  }

  @Test("Killed, its place is taken by the next way, the reason is told, and nobody waits for it")
  func dies() throws {
    try WakeHelperScript.put(WakeHelperScript.obeys, at: path)
    try world.write(settings: "{ awake: { untilAlarm: 'block' } }")
    try world.must("add", "daily 07:00")
    try world.waitForStatus("the wake-up") { $0.awake.wakeUp?.by == "helper" }
    #expect(try login.locks().map(\.mode) == ["delay"])
    kill(try #require(WakeHelperScript.process(path)), SIGKILL)
    try world.waitForStatus("the block") { $0.awake.wakeUp?.by == "block" }
    try world.write(settings: "{}")
    try world.waitForStatus("nothing") { $0.awake.wakeUp == nil }
    let added = try world.alarm("add", "daily 08:00")
    #expect(added.complaint.contains("the helper “\(path)” ended (137)"), "\(added.complaint)")
    let row = try doctorRow()
    #expect(
      row?.result == "fail" && row?.finding.contains("ended (137)") == true, "\(String(describing: row))")
  }

  @Test("One that hangs holds nobody up, and is ended")
  func hangs() throws {
    try WakeHelperScript.put(WakeHelperScript.hangs, at: path)
    let began = ContinuousClock.now
    try world.must("add", "daily 07:00")
    // Whoever adds an alarm waits a second at most to be told what wakes the machine.
    #expect(ContinuousClock.now - began < .seconds(4))
    for _ in 0..<20 {
      let asked = ContinuousClock.now
      try world.must("status")
      #expect(ContinuousClock.now - asked < .seconds(1))
    }
    let process = try #require(WakeHelperScript.process(path))
    try wait(until: "its end") { !isAlive(process) }
    #expect(try world.alarm("add", "daily 08:00").complaint.contains("the helper “\(path)” does not answer"))
  }

  @Test("Where no engine can run the doctor asks it too, the one that is there for everybody as well")
  func doctorAlone() throws {
    let place = world.folder.path
    rmdir(place + "/data/reveille")
    try replaceFile(place + "/data/reveille", with: Array("no folder".utf8))
    try runOrThrow(["mkdir", "-p", place + "/bin", place + "/libexec/reveille"])
    try runOrThrow(["cp", world.program, place + "/bin"])
    func finding() throws -> String? {
      let text = try run([place + "/bin/alarm", "doctor", "--json"], environment: world.environment).text
      return try decode(DoctorReply.self, from: text).rows.first { $0.name == "wake-up" }?.finding
    }
    #expect(try finding()?.hasPrefix("nothing could wake the sleeping machine for an alarm") == true)
    let shared = place + "/libexec/reveille/alarm-wake"
    try WakeHelperScript.put(WakeHelperScript.obeys, at: shared)
    #expect(try finding() == "the machine can be woken, and no alarm is known to be due")
    let process = try #require(WakeHelperScript.process(shared))
    try wait(until: "its end") { !isAlive(process) }
  }

  @Test("One that is installed while the engine runs is used at once, until there is a better way")
  func comesLater() throws {
    let before = try world.alarm("add", "daily 07:00")
    #expect(before.complaint.contains("if this machine sleeps"))
    #expect(!before.complaint.contains("--wake-helper"), "no helper could do it on this machine")
    #expect(try world.status().awake.wakeUp == nil)
    try WakeHelperScript.put(WakeHelperScript.obeys, at: path)
    try world.waitForStatus("the wake-up") { $0.awake.wakeUp?.by == "helper" }
    // A better way that comes is used for the next instant, and the helper let go.
    let manager = try UnitManager(bus, version: "254")
    let process = try #require(WakeHelperScript.process(path))
    try wait(until: "systemd to be seen") {
      try world.must("edit", "1", "08:00")
      try world.must("edit", "1", "07:00")
      return try world.status().awake.wakeUp?.by == "systemd"
    }
    try wait(until: "the helper's end") { !isAlive(process) }
    #expect(try manager.timers().count == 1)
  }

  @Test(
    "The real one says that the machine has no clock, which is no more than is known already",
    .enabled(if: getuid() == 0))
  func real() throws {
    try runOrThrow(["cp", try builtProgram("alarm-wake"), path])
    let added = try world.alarm("add", "daily 07:00")
    #expect(
      added.complaint.contains("the machine has no clock that wakes it, and there is no systemd"),
      "\(added.complaint)")
    #expect(try world.status().awake.wakeUp == nil)
  }
}
