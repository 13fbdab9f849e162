import Glibc
import Platform
import Screen
import Synchronization
import Wire

/// The screen alone, for tests in a real terminal: `ScreenStage SOCKET [trap]`. It never starts an engine. With `trap`
/// the attempt to connect again is a bug that traps.
@main enum ScreenStage {
  static func main() {
    let words = CommandLine.arguments
    let path = words.count > 1 ? words[1] : ""
    let traps = words.contains("trap")
    let attempts = Counter()
    let status = TerminalScreen.run(connect: { (_) throws(WireError) in
      if attempts.next() > 1, traps { preconditionFailure("a trap that was asked for") }
      do {
        let client = try Client(path: path)
        try client.hello(client: "screen")
        return client
      } catch let error as WireError {
        throw error
      } catch {
        return nil
      }
    })
    exit(status)
  }
}

/// How often the screen has connected.
final class Counter: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
