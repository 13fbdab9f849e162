import CLinux
import Glibc
import Harness
import Platform
import Testing
import Wire

/// A server of one connection on a thread of its own: answers each line that comes with what `answer` gives, nil: hangs up.
private func serve(_ path: String, _ answer: @escaping @Sendable (String) -> [String]?) throws {
  let listener = try UnixSocket.listen(path)
  try startThread("test-server") {
    guard (try? waitFor(listener.number, POLLIN, until: nil)) == true,
      let socket = try? UnixSocket.accept(listener)
    else { return }
    var framer = LineFramer()
    while (try? waitFor(socket.number, POLLIN, until: nil)) == true {
      guard let bytes = try? UnixSocket.receive(socket), !bytes.isEmpty else { return }
      framer.append(bytes)
      while case .line(let line)? = framer.next() {
        guard let replies = answer(String(decoding: line, as: UTF8.self)) else { return }
        for reply in replies { _ = try? UnixSocket.send(socket, Array((reply + "\n").utf8)[...]) }
      }
    }
  }
}

@Suite("The client")
struct ClientTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/engine.sock" }
  init() throws { folder = try TemporaryFolder() }

  @Test("A call returns its own answer and keeps notifications that came before it")
  func call() throws {
    try serve(path) { line in
      line.contains("\"a\"")
        ? [
          #"{"jsonrpc":"2.0","method":"status","params":{"n":1}}"#,
          #"{"jsonrpc":"2.0","id":99,"result":"another's"}"#,
          #"{"jsonrpc":"2.0","id":1,"result":{"lines":["done"],"warnings":[]}}"#,
        ]
        : [#"{"jsonrpc":"2.0","id":2,"error":{"code":2,"message":"no such clock time"}}"#]
    }
    let client = try Client(path: path)
    let done: DoneReply = try client.call("a")
    #expect(done.lines == ["done"])
    let error = #expect(throws: WireError.self) { let _: DoneReply = try client.call("b") }
    #expect(error == WireError(code: ErrorCode.wrongWords, "no such clock time"))
    let notification = try client.nextNotification(waitingAtMost: 5)
    #expect(notification?.method == "status")
    #expect(try notification?.params.json() == ["n": 1])
    #expect(try client.nextNotification(waitingAtMost: 0) == nil)
  }

  @Test("An engine that dies before it answers is a sentence, not a hang")
  func dies() throws {
    try serve(path) { _ in nil }
    let client = try Client(path: path)
    let error = #expect(throws: WireError.self) { let _: DoneReply = try client.call("a") }
    #expect(error?.code == ErrorCode.connectionLost)
    #expect(error?.description.contains("ended the connection") == true)
  }

  @Test("An engine that does not answer is given up after the time that was allowed")
  func hangs() throws {
    try serve(path) { _ in [] }
    let client = try Client(path: path)
    let error = #expect(throws: WireError.self) {
      let _: DoneReply = try client.call("a", waitingAtMost: 0.05)
    }
    #expect(error?.code == ErrorCode.connectionLost)
  }

  @Test("A screen reads what has come without waiting, and is told of the end after the last message")
  func screen() throws {
    try serve(path) { line in
      line.contains("\"end\"") ? nil : [#"{"jsonrpc":"2.0","id":1,"result":"yes"}"#]
    }
    let client = try Client(path: path)
    #expect(try client.readAvailable().isEmpty)
    #expect(try client.send("a") == 1)
    #expect(try waitFor(client.descriptor, POLLIN, until: Clocks.monotonicMicroseconds() + 5_000_000))
    let messages = try client.readAvailable()
    guard case .reply(1, let result)? = messages.first else {
      Issue.record("not a reply")
      return
    }
    #expect(try result.decode(String.self) == "yes")
    try client.send("end")
    #expect(try waitFor(client.descriptor, POLLIN, until: Clocks.monotonicMicroseconds() + 5_000_000))
    #expect(throws: WireError.self) { try client.readAvailable() }
  }

  @Test("Another version of the protocol is refused with the way out")
  func otherProtocol() throws {
    try serve(path) { _ in
      [#"{"jsonrpc":"2.0","id":1,"result":{"protocol":99,"version":"9.9","pid":1}}"#]
    }
    let error = #expect(throws: WireError.self) { try Client(path: path).hello(client: "command") }
    #expect(error?.description.contains("alarm engine stop") == true)
  }
}

@Suite("Finding the engine")
struct ConnectTests {
  private let folder: TemporaryFolder
  private func paths(_ runtime: String, executable: String = "/bin/false") -> Paths {
    Paths(
      environment: [
        "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/data", "XDG_RUNTIME_DIR": folder.path + runtime,
      ], executable: executable)
  }
  init() throws { folder = try TemporaryFolder() }

  @Test("Where nobody listens there is no engine, and a socket that a dead one left is none either")
  func none() throws {
    let paths = paths("/run")
    #expect(try Connect.toRunningEngine(paths) == nil)
    try paths.makeRuntimeFolder()
    try UnixSocket.listen(paths.socket).close()
    #expect(try Connect.toRunningEngine(paths) == nil)
  }

  @Test("An engine that dies while a client says hello is none, so that the client starts the next")
  func diesAtHello() throws {
    let paths = paths("/run")
    try paths.makeRuntimeFolder()
    try serve(paths.socket) { _ in nil }
    #expect(try Connect.toRunningEngine(paths) == nil)
  }

  @Test("An engine whose socket lies elsewhere is found by what its lock says")
  func elsewhere() throws {
    let theirs = paths("/run1")
    let ours = paths("/run2")
    try theirs.makeRuntimeFolder()
    try theirs.makeDataFolder()
    try serve(theirs.socket) { _ in
      [#"{"jsonrpc":"2.0","id":1,"result":{"protocol":1,"version":"1","pid":1}}"#]
    }
    let lock = try #require(try FileLock.take(theirs.lock, waiting: false))
    try lock.write(EngineLock.text(pid: getpid(), socket: theirs.socket))
    #expect(EngineLock.isHeld(ours))
    #expect(EngineLock.process(ours) == getpid())
    #expect(try Connect.toRunningEngine(ours) != nil)
  }

  @Test("An engine that cannot start is a sentence with the last line of its log")
  func cannotStart() throws {
    let script = folder.path + "/engine"
    try folder.write(
      Array("#!/bin/sh\necho '2026-01-01 00:00:00 error: the disk is on fire' >&2\nexit 1\n".utf8),
      to: folder.file("engine"))
    chmod(script, 0o700)
    let error = #expect(throws: WireError.self) {
      try Connect.toEngine(paths("/run", executable: script))
    }
    #expect(error?.description.contains("error: the disk is on fire") == true)
    #expect(error?.description.contains("engine.log") == true)
  }

  @Test("A log that has grown is put aside before the engine writes to it")
  func rotation() throws {
    let paths = paths("/run")
    try paths.makeDataFolder()
    try replaceFile(paths.log, with: [UInt8](repeating: 120, count: 2 << 20))
    #expect(throws: WireError.self) { try Connect.toEngine(paths) }
    #expect(try readFile(paths.log).isEmpty)
    #expect(try readFile(paths.log + ".1").count == 2 << 20)
  }

  @Test("A socket path that no kernel takes is a sentence that says what to shorten")
  func longPath() throws {
    let paths = paths("/" + String(repeating: "r", count: 120))
    let error = #expect(throws: WireError.self) { try Connect.toEngine(paths) }
    #expect(error?.description.contains("XDG_RUNTIME_DIR") == true)
  }
}
