import Platform

/// What the screen has done beside itself, because it may take long: looking into folders, and running the shell's words.
/// Each on a thread of its own that ends with it; what came of it comes back into the loop as an event.
final class Chores: Sendable {
  let outcomes: Mailbox<Event>
  private let running: TerminalScreen.Running?

  init(running: TerminalScreen.Running?) throws(SystemError) {
    outcomes = try Mailbox()
    self.running = running
  }

  func read(_ path: FileName) {
    start("alarm-folder") { .folder(path, Folder.read(path)) }
  }

  func run(_ words: String, columns: Int) {
    let none = CommandOutcome(complaints: ["commands cannot be run here: use them in a shell"])
    start("alarm-words") { [running] in .ran(words, running?(words, columns) ?? none) }
  }

  private func start(_ name: String, _ work: @escaping @Sendable () -> Event) {
    do {
      try startThread(name) { [outcomes] in outcomes.send(work()) }
    } catch {
      // Late is better than never.
      outcomes.send(work())
    }
  }
}
