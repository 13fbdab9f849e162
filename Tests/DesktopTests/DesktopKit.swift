import Desktop
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
