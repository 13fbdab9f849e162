import Glibc
import Platform

/// A terminal to test in: a tmux server of its own (its socket in a private folder, no configuration) with one pane.
///
/// It is killed with its server when the last reference goes. Calls block; waits have a deadline and throw with what the
/// screen showed. Any one thread at a time.
public final class Terminal: Sendable {
  private let folder: TemporaryFolder
  private var socket: String { folder.path + "/tmux" }

  /// Opens a terminal of that size and runs `words` in it (a shell unless given), with `environment` as its own.
  public init(
    columns: Int, rows: Int, running words: [String] = ["/bin/sh"], environment: [String: String] = [:]
  ) throws {
    folder = try TemporaryFolder()
    var all = currentEnvironment()
    for name in ["TMUX", "LC_ALL", "LANG", "LC_CTYPE", "NO_COLOR", "ENV"] { all[name] = nil }
    all.merge(["LC_ALL": "C.UTF-8", "TERM": "xterm"]) { $1 }
    all.merge(environment) { $1 }
    // A pane has TERM from tmux, so another one is set for the program by env(1).
    let term = environment["TERM"].map { ["env", "TERM=\($0)"] } ?? []
    // In a file, because a program that ends at once is gone before a later command could set them.
    let settings = "set -g status off\nset -g remain-on-exit on\nset -g escape-time 0\n"
    let file = try folder.write(Array(settings.utf8), to: folder.file("tmux.conf"))
    try runOrThrow(
      ["tmux", "-u", "-S", folder.path + "/tmux", "-f", file.text, "new-session", "-d"]
        + ["-x", "\(columns)", "-y", "\(rows)", "--"] + term + words, environment: all)
    try resize(columns: columns, rows: rows)
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult
  public func tmux(_ words: String...) throws -> String {
    String(
      decoding: try runOrThrow(["tmux", "-S", socket] + words, within: .seconds(20)), as: UTF8.self)
  }

  /// Presses keys by tmux's names: `a`, `Enter`, `Escape`, `C-w`, `Left`.
  public func press(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Types text letter by letter.
  public func type(_ text: String) throws { try tmux("send-keys", "-l", "--", text) }

  /// Pastes text, in brackets where the program asked for that.
  public func paste(_ text: String) throws {
    try tmux("set-buffer", "--", text)
    try tmux("paste-buffer", "-p")
  }

  public func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What the terminal shows, a line a row, without the spaces at the ends.
  public func lines() throws -> [String] {
    try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A format of tmux, such as `#{alternate_on}` or `#{pane_pid}`.
  public func ask(_ format: String) throws -> String {
    let answer = try tmux("display-message", "-p", format)
    return answer.hasSuffix("\n") ? String(answer.dropLast()) : answer
  }

  /// Waits until the screen shows a text.
  public func wait(for text: String, within deadline: Duration = .seconds(20)) throws {
    try wait(until: "“\(text)” is shown", within: deadline) { $0.contains { $0.contains(text) } }
  }

  /// Waits until the lines are as wished.
  public func wait(
    until what: String, within deadline: Duration = .seconds(20), _ condition: ([String]) throws -> Bool
  ) throws {
    let end = ContinuousClock.now + deadline
    while true {
      let shown = try lines()
      if try condition(shown) { return }
      if ContinuousClock.now >= end {
        throw RunError(
          description: "after \(deadline) it is not so that \(what); the terminal shows:\n"
            + shown.joined(separator: "\n"))
      }
      usleep(20_000)
    }
  }
}
