import Desktop
import Glibc
import Harness
import Platform

/// Runs a loop until `done`; throws where that does not come about in time.
func run(
  _ loop: EventLoop, until what: String, within deadline: Duration = .seconds(10), _ done: () throws -> Bool
) throws {
  let end = ContinuousClock.now + deadline
  while try !done() {
    guard ContinuousClock.now < end else { throw Timeout(description: "\(what) did not come about") }
    try loop.runOnce(waitingAtMost: 20_000)
  }
}

/// Runs a loop for a span in which something must not happen.
func run(_ loop: EventLoop, for span: Duration) throws {
  let end = ContinuousClock.now + span
  while ContinuousClock.now < end { try loop.runOnce(waitingAtMost: 10_000) }
}

/// Notifications on a private bus, and what they told.
final class NoticeStage {
  let loop: EventLoop
  let bus: PrivateBus
  let connection: Bus
  let notifications: Notifications
  private final class Heard { var events: [NoticeEvent] = [] }
  private let heard = Heard()
  var events: [NoticeEvent] { heard.events }

  init(_ bus: PrivateBus) throws {
    self.bus = bus
    loop = try EventLoop()
    connection = try Bus(loop, .session, environment: bus.environment)
    let heard = heard
    notifications = try Notifications(connection) { heard.events.append($0) }
  }

  deinit { connection.close() }

  func run(until what: String, within deadline: Duration = .seconds(10), _ done: () throws -> Bool) throws {
    do {
      try DesktopTests.run(loop, until: what, within: deadline, done)
    } catch let timeout as Timeout {
      throw Timeout(description: "\(timeout.description); told was: \(events)")
    }
  }
}

/// A ring as the tests show it.
let ring = Notice(
  title: "Up", body: "Get <b>up</b> & go", isRinging: true, offersSnooze: true, offersDismiss: true,
  action: "Open the kitchen", info: [.init("room", "kitchen"), .init("tune", "<1> & \"2\"")])

/// Runs another program to its end while the loop runs; what it wrote, complaints too.
func run(_ loop: EventLoop, beside words: [String], _ environment: [String: String]) throws -> String {
  let folder = try TemporaryFolder()
  let path = "\(folder.path)/out"
  let output = try Descriptor.open(path, O_WRONLY | O_CREAT)
  let child = try spawn(
    words, environment: environment, descriptors: [(1, output.number), (2, output.number)])
  try run(loop, until: "the end of “\(words.joined(separator: " "))”", within: .seconds(30)) {
    waitpid(child, nil, WNOHANG) != 0
  }
  return String(decoding: try readFile(path), as: UTF8.self)
}
