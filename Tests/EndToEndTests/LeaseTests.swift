import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

@Suite("Leases", .serialized)
struct LeaseTests {
  private struct Event: Decodable {
    struct Data: Decodable {
      var id: Int
      var owner: String
      var because: String?
    }
    var name: String
    var data: Data
  }

  /// The next event of a connection that asked for them, and when it came (µs on the wall clock).
  private func event(_ client: Client, _ name: String, within seconds: Double = 15) throws -> (
    Event.Data, Int64
  ) {
    let end = Clocks.monotonicMicroseconds() + Int64(seconds * 1_000_000)
    while Clocks.monotonicMicroseconds() < end {
      guard let notification = try client.nextNotification(waitingAtMost: seconds) else { break }
      let came = wallMicroseconds()
      guard notification.method == "event" else { continue }
      let event: Event = try notification.params.decode()
      if event.name == name { return (event.data, came) }
    }
    throw Timeout(description: "the event \(name) did not come within \(seconds) s")
  }

  private func lines(_ world: World, _ name: String) -> [String] {
    let bytes = (try? readFile(world.folder.path + "/" + name)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A connection that hears of the ends of leases.
  private func listener(_ world: World) throws -> Client {
    let client = try Client(path: world.socket)
    try client.hello(client: "test")
    let _: Status = try client.call("subscribe", ["events": ["leaseExpiring", "leaseExpired"]])
    return client
  }

  @Test("It ends within 0.2 s of its time, its command runs once, and the other's goes on")
  func endsOnTime() throws {
    let world = try World()
    try world.must("engine", "start")
    let client = try listener(world)
    let other: LeaseReply = try client.call("awake", ["span": "1h", "owner": "another"])
    let marks = world.folder.path + "/marks"
    let command = "date +%s%6N >> \(marks); ps -o pgid= -p $$ >> \(marks)"
    let reply: LeaseReply = try client.call("awake", ["span": "3s", "then": .string(command)])
    let due = wallMicroseconds() + 3_000_000
    let lease = reply.lease
    #expect(lease.renewalsLeft == 0)
    #expect(try event(client, "leaseExpiring").0.id == lease.id)
    let (ended, came) = try event(client, "leaseExpired")
    #expect(ended.id == lease.id && ended.because == "time")
    #expect(abs(came - due) < 200_000, "it ended \(came - due) µs after its time")
    let written = try wait(for: "the command") {
      lines(world, "marks").count == 2 ? lines(world, "marks") : nil
    }
    let ran = try #require(Int64(written[0]))
    #expect(ran - due > -100_000 && ran - due < 200_000, "the command ran \(ran - due) µs after it")
    #expect(Int32(written[1].filter(\.isNumber)) != getpgid(try world.enginePID()), "a group of its own")
    let status = try world.status()
    #expect(status.awake.leases.map(\.id) == [other.lease.id])
    #expect(status.keepAlive.active && status.keepAlive.why?.hasPrefix("a lease of another") == true)
    // A restart does not run it again.
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try wait(until: "another engine", within: .seconds(20)) { (try? world.enginePID()) ?? engine != engine }
    try world.must("awake", "off")
    #expect(lines(world, "marks").count == 2)
  }

  @Test("After kill -9 it goes on with its old end, on which its command runs once")
  func outlivesKill() throws {
    let world = try World()
    let marks = world.folder.path + "/marks"
    try world.must("engine", "start")
    let client = try Client(path: world.socket)
    let reply: LeaseReply = try client.call(
      "awake", ["span": "6s", "reason": "film", "then": .string("date +%s%6N >> \(marks)")])
    let due = wallMicroseconds() + 6_000_000
    let before = reply.lease
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    let status = try world.waitForStatus("another engine", within: .seconds(20)) { $0.engine.pid != engine }
    let after = try #require(status.awake.leases.first)
    #expect((after.id, after.reason, after.expiresAt) == (before.id, before.reason, before.expiresAt))
    #expect(status.keepAlive.active)
    try world.waitForStatus("the end") { $0.awake.leases.isEmpty }
    let ran = try wait(for: "the command") { lines(world, "marks").first }
    let late = try #require(Int64(ran)) - due
    #expect(abs(late) < 200_000, "it ran \(late) µs after its time")
    #expect(lines(world, "marks").count == 1)
  }

  @Test("A person's renewal is granted, off with a number ends that one, and without all")
  func renewed() throws {
    let world = try World()
    try world.must("awake", "1h")
    try world.must("awake", "2h")
    #expect(try world.must("awake", "renew", "1", "3h").hasSuffix("(lease 1)\n"))
    #expect(try world.alarm("awake", "renew", "9").status == .exited(1))
    let leases = try world.status().awake.leases
    #expect(leases.map { Int(($0.secondsLeft ?? 0) / 60 + 0.5) } == [180, 120])
    try world.must("awake", "off", "1")
    #expect(try world.status().awake.leases.map(\.id) == [2])
    #expect(try world.must("awake", "off") == "the lease has ended\n")
    #expect(try world.alarm("awake", "--until", "every mon 07:00").status == .exited(2))
    #expect(try world.must("awake", "--until", "23:30").contains("23:30"))
  }

  @Test("It ends with its process, also where that ended while no engine ran or its number is another's")
  func whileProcess() throws {
    let world = try World()
    let marks = world.folder.path + "/marks"
    var sleepers = try (0..<3).map { _ in try Conversation(["sleep", "600"]) }
    for sleeper in sleepers {
      try world.must(
        "awake", "--while", "\(sleeper.process)", "--then", "echo \(sleeper.process) >> \(marks)")
    }
    var leases = try world.status().awake.leases
    #expect(leases.map(\.renewalsLeft) == [5, 5, 5])
    #expect(leases[0].reason == "while sleep (\(sleepers[0].process)) runs")
    #expect(try world.alarm("awake", "--while", "\(Int32.max)").status == .exited(1))
    let ended = sleepers.map(\.process)
    sleepers.removeFirst()
    try wait(until: "the end of the first") { lines(world, "marks") == ["\(ended[0])"] }
    try world.must("engine", "stop")
    // The second ends meanwhile; the third's number was given to a process that began at another time.
    sleepers.removeFirst()
    try runOrThrow([
      "python3", "-c",
      "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('UPDATE leases SET processStarted=processStarted-1 WHERE process=?',(sys.argv[2],)); d.commit()",
      world.database, "\(ended[2])",
    ])
    try world.must("engine", "start")
    try wait(until: "the ends of both") { Set(lines(world, "marks")) == Set(ended.map(String.init)) }
    leases = try world.status().awake.leases
    #expect(leases.isEmpty && sleepers.count == 1)
  }

  @Test("It ends with the connection of a client that asked for it, and not with that of another")
  func bound() throws {
    let world = try World()
    try world.must("engine", "start")
    let listening = try listener(world)
    var clients: [Client] = []
    for bind in [true, false] {
      let client = try Client(path: world.socket)
      let reply: LeaseReply = try client.call("awake", ["bind": .bool(bind), "owner": "client"])
      #expect(reply.lease.renewalsLeft == (bind ? 5 : 0))
      clients.append(client)
    }
    clients = []
    let ended = try event(listening, "leaseExpired").0
    #expect(ended.id == 1 && ended.because == "connection")
    #expect(try world.status().awake.leases.map(\.id) == [2])
  }

  @Test("With a command the exit status is the command's, or one of our own where it could not be run")
  func commandStatus() throws {
    let world = try World()
    #expect(try world.alarm("awake", "--", "false").status == .exited(1))
    #expect(try world.alarm("awake", "--", "sh", "-c", "exit 7").status == .exited(7))
    #expect(try world.alarm("awake", "--", "sh", "-c", "kill -9 $$").status == .exited(137))
    #expect(try world.alarm("awake", "--", "cat", input: "through").text == "through")
    let marks = world.folder.path + "/marks"
    #expect(
      try world.alarm("awake", "--then", "echo x >> \(marks)", "--", "no-such-command").status == .exited(127)
    )
    #expect(try world.alarm("awake", "--", world.folder.path).status == .exited(126))
    try world.waitForStatus("the end of all leases") { $0.awake.leases.isEmpty }
    #expect(lines(world, "marks").isEmpty)
    let broken = try World()
    symlink("/nowhere", broken.folder.path + "/run/reveille")
    let refused = try broken.alarm("awake", "--", "touch", marks)
    #expect(refused.status == .exited(125) && access(marks, F_OK) != 0, "\(refused.complaint)")
  }

  @Test("While a command runs the lease is held; a signal reaches it; an engine that dies is asked again")
  func commandRuns() throws {
    let world = try World()
    let script = "trap 'echo got; exit 9' TERM; echo up; while :; do sleep 0.05; done"
    let command = try Conversation(
      [world.program, "awake", "--", "sh", "-c", script], environment: world.environment)
    #expect(try command.line { $0 == "up" } == "up")
    let lease = try #require(try world.status().awake.leases.first)
    #expect(lease.owner == "person" && lease.reason.hasPrefix("sh -c trap"))
    let engine = try world.enginePID()
    kill(engine, SIGKILL)
    try world.waitForStatus("the lease at the next engine", within: .seconds(20)) {
      $0.engine.pid != engine && $0.awake.leases.count == 1
    }
    kill(command.process, SIGTERM)
    #expect(try command.line { $0 == "got" } == "got")
    var status: Int32 = 0
    #expect(waitpid(command.process, &status, 0) == command.process)
    #expect(ExitStatus(waitStatus: status) == .exited(9))
    try world.waitForStatus("the end of the lease") { $0.awake.leases.isEmpty }
  }

  @Test(
    "Until the engine has answered a signal ends it, and the command never runs",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func endedBefore(_ number: Int32) throws {
    let world = try World()
    let mark = world.folder.path + "/mark"
    // An engine that takes the connection and says nothing.
    mkdir(world.folder.path + "/run/reveille", 0o700)
    let listener = try UnixSocket.listen(world.socket)
    let command = try Conversation(
      [world.program, "awake", "--", "touch", mark], environment: world.environment)
    let socket = try wait(for: "the client") { try UnixSocket.accept(listener) }
    kill(command.process, number)
    var status: Int32 = 0
    #expect(waitpid(command.process, &status, 0) == command.process)
    #expect(ExitStatus(waitStatus: status) == .killed(signal: number))
    #expect(access(mark, F_OK) != 0)
    socket.close()
  }

  @Test("Ctrl-C while the engine starts leaves the shell with 130 and the command unstarted")
  func interrupted() throws {
    let world = try World()
    let mark = world.folder.path + "/mark"
    mkdir(world.folder.path + "/run/reveille", 0o700)
    let listener = try UnixSocket.listen(world.socket)
    let terminal = try Terminal(columns: 80, rows: 24, environment: world.environment)
    try terminal.type("\(world.program) awake -- touch \(mark)")
    try terminal.press("Enter")
    let socket = try wait(for: "the client") { try UnixSocket.accept(listener) }
    try terminal.press("C-c")
    try terminal.wait(for: "^C")
    // A shell goes on with the next line, not with what stands behind it on the same.
    try terminal.type("echo status $?")
    try terminal.press("Enter")
    try terminal.wait(for: "status 130")
    #expect(access(mark, F_OK) != 0)
    socket.close()
  }

  @Test("Every signal reaches the command, and one that stops it stops who waits for it too")
  func everySignal() throws {
    let world = try World()
    try world.must("engine", "start")
    let last = __libc_current_sigrtmax()
    let numbers = ([SIGXCPU, SIGURG, SIGIO, SIGPIPE, SIGUSR1, __libc_current_sigrtmin(), last]).map(
      String.init)
    let script =
      "import os,signal\nfor n in [\(numbers.joined(separator: ","))]: signal.signal(n, lambda n, f: os.write(1, b'got %d\\n' % n))\n"
      + "print('up', flush=True)\nwhile True: signal.pause()"
    let command = try Conversation(
      [world.program, "awake", "--", "python3", "-c", script], environment: world.environment)
    #expect(try command.line { $0 == "up" } == "up")
    for number in numbers {
      kill(command.process, try #require(Int32(number)))
      #expect(try command.line { $0 == "got \(number)" } != nil, "signal \(number)")
    }
    var status: Int32 = 0
    kill(command.process, SIGTSTP)
    #expect(waitpid(command.process, &status, WUNTRACED) == command.process)
    #expect(status & 0xff == 0x7f, "it is stopped: \(status)")
    kill(command.process, SIGCONT)
    kill(command.process, SIGUSR1)
    #expect(try command.line { $0 == "got \(SIGUSR1)" } != nil)
    kill(command.process, SIGVTALRM)
    #expect(waitpid(command.process, &status, 0) == command.process)
    #expect(ExitStatus(waitStatus: status) == .exited(128 + SIGVTALRM))
  }

  @Test(
    "A script without a head is run by the shell, found by its place or by PATH; what is no command is refused"
  )
  func headless() throws {
    let world = try World()
    let folder = world.folder.path + "/bin"
    mkdir(folder, 0o700)
    try replaceFile(folder + "/headless", with: Array("echo \"$0 $*\"; exit 3\n".utf8), mode: 0o700)
    let place = folder + "/headless"
    let found = try world.alarm("awake", "--", place, "a b", "c")
    #expect(found.status == .exited(3) && found.text == "\(place) a b c\n", "\(found.complaint)")
    world.setEnvironment("PATH", folder + ":" + (world.environment["PATH"] ?? ""))
    #expect(try world.alarm("awake", "--", "headless").text == "\(place) \n")
    let nothing = try world.alarm("awake", "--")
    #expect(nothing.status == .exited(2) && nothing.complaint.contains("no command stands behind"))
    #expect(try world.status().awake.leases.isEmpty)
  }

  @Test("A command that runs on renews its lease when the engine says that it ends soon")
  func commandRenews() throws {
    let world = try World()
    // An engine that only knows these few answers, because a real one says so after six hours.
    mkdir(world.folder.path + "/run/reveille", 0o700)
    let listener = try UnixSocket.listen(world.socket)
    let command = try Conversation(
      [world.program, "awake", "--", "sh", "-c", "read line"], environment: world.environment)
    let socket = try wait(for: "the client") { try UnixSocket.accept(listener) }
    var framer = LineFramer()
    func asked() throws -> (JSON, String, JSON) {
      try wait(for: "a request") {
        if let bytes = try UnixSocket.receive(socket) { framer.append(bytes) }
        guard case .line(let text)? = framer.next(),
          case .request(let id, let method, let params) = try Incoming(line: text)
        else { return nil }
        return (id, method, try params.json())
      }
    }
    func answer(_ bytes: [UInt8]) throws { _ = try UnixSocket.send(socket, bytes[...]) }
    let hello = try asked()
    try answer(Outgoing.reply(id: hello.0, result: Hello(protocol: 1, version: "0", pid: 1)))
    let take = try asked()
    #expect(take.1 == "awake" && take.2["bind"] == true)
    let lease = Status.Lease(
      id: 41, owner: "person", reason: "", kinds: ["audio"], expiresAt: nil, secondsLeft: 3600,
      renewalsLeft: 5)
    try answer(Outgoing.reply(id: take.0, result: LeaseReply(lease: lease, lines: [])))
    for id in [40, 41] {
      let event: JSON = ["name": "leaseExpiring", "data": ["id": .int(Int64(id)), "owner": "person"]]
      try answer(Outgoing.notification(method: "event", params: event))
    }
    let renewed = try asked()
    #expect(renewed.1 == "awake.renew" && renewed.2["id"] == 41)
    try command.say("enough")
    var status: Int32 = 0
    #expect(waitpid(command.process, &status, 0) == command.process)
  }
}
