import Platform
import Schedule
import Wire

@testable import Commands

/// An engine that answers what a test tells it to, as lines of JSON that go through Wire's own reading.
final class FakeEngine: EngineLink {
  struct Asked: Hashable {
    let method: String
    let params: JSON
  }

  /// What has been asked, in order.
  var asked: [Asked] = []
  /// What each method answers.
  var answers: [String: Result<JSON, WireError>] = [:]
  /// What it says unasked, in order; then it goes.
  var notifications: [JSON] = []

  func answer(_ method: String, _ value: some Encodable) throws {
    let line = Outgoing.reply(id: 1, result: value)
    guard case .reply(_, let payload) = try Incoming(line: line.dropLast()) else { return }
    answers[method] = .success(try payload.decode())
  }

  func ask<Reply: Decodable>(_ method: String, _ params: JSON, as kind: Reply.Type) throws(WireError) -> Reply
  {
    asked.append(Asked(method: method, params: params))
    let result = answers[method] ?? .failure(WireError(code: ErrorCode.unknownMethod, "unknown method"))
    let line =
      switch result {
      case .success(let json): Outgoing.reply(id: 1, result: json)
      case .failure(let error): Outgoing.failure(id: 1, error)
      }
    switch try Incoming(line: line.dropLast()) {
    case .reply(_, let payload): return try payload.decode()
    case .failure(_, let error): throw error
    default: throw WireError(code: ErrorCode.connectionLost, "no answer")
    }
  }

  func awaitNotification() throws(WireError) -> (method: String, params: Incoming.Payload)? {
    guard !notifications.isEmpty else { return nil }
    let line = Outgoing.notification(method: "status", params: notifications.removeFirst())
    guard case .notification(let method, let params) = try Incoming(line: line.dropLast()) else { return nil }
    return (method, params)
  }
}

/// One call of the program in this process, with everything outside it made up.
final class Bench {
  let engine = FakeEngine()
  let outside: Surroundings
  /// What came out of descriptors 1 and 2.
  var output: [UInt8] = []
  var complaints: [UInt8] = []
  /// False: no engine runs, and none can be started.
  var engineRuns = true
  var screenOpened = false
  /// The occurrence it was opened on.
  var opened: String?
  /// The errno value that writing to standard output fails with.
  var writeFault: Int32?
  var typed: [String] = []

  /// Monday, 30 November 2026, 00:00 UTC.
  static let now = Instant(seconds: 1_795_996_800)

  init(folder: String = "/home/ann", environment: [String: String] = ["HOME": "/home/ann", "TERM": "xterm"]) {
    // The closures need the bench, which is not there yet.
    final class Later { weak var bench: Bench? }
    let later = Later()
    outside = Surroundings(
      environment: environment, paths: Paths(environment: environment, executable: "/opt/bin/alarm"),
      currentFolder: { () throws(SystemError) in
        guard let name = FileName(text: folder) else {
          throw SystemError("the current folder cannot be told", code: 2)
        }
        return name
      },
      write: { descriptor, bytes throws(SystemError) in
        guard let bench = later.bench else { return }
        if descriptor == 1 {
          if let code = bench.writeFault { throw SystemError("cannot write", code: code) }
          bench.output += bytes
        } else {
          bench.complaints += bytes
        }
      },
      connect: { starting throws(WireError) in
        guard let bench = later.bench, bench.engineRuns else {
          if starting {
            throw WireError(code: ErrorCode.refused, "the engine cannot be started: it is a test")
          }
          return nil
        }
        return bench.engine
      },
      runScreen: { opening in
        later.bench?.screenOpened = true
        later.bench?.opened = opening
        return 0
      },
      runEngine: { _ in 7 })
    outside.now = { Bench.now }
    outside.readLine = { later.bench.flatMap { $0.typed.isEmpty ? nil : $0.typed.removeFirst() } }
    later.bench = self
  }

  /// Runs a line of words without spaces in them.
  func run(_ line: String) -> Int32 { run(words: line.split(separator: " ").map { Argument(String($0)) }) }

  func run(words: [Argument]) -> Int32 { CommandLineProgram.run(words, in: outside) }

  var text: String { String(decoding: output, as: UTF8.self) }
  var complaint: String { String(decoding: complaints, as: UTF8.self) }
}

/// A shell's splitting, as far as the examples of the help need it: spaces and double quotes.
func shellWords(_ line: String) -> [Argument] {
  var words: [String] = []
  var word = ""
  var quoted = false
  for character in line {
    if character == "\"" {
      quoted.toggle()
    } else if character == " ", !quoted {
      if !word.isEmpty { words.append(word) }
      word = ""
    } else {
      word.append(character)
    }
  }
  if !word.isEmpty { words.append(word) }
  return words.map { Argument($0) }
}
