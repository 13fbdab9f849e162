import Glibc
import Platform

/// The terminal in which the desktop lets a person see the screen.
public struct TerminalCommand: Equatable, Sendable {
  /// Words of the program; `{}` stands for the command's words, which go to the end where it is not there.
  public var template: [String]

  public init(template: [String]) { self.template = template }

  /// Each with what comes before the command's words.
  private static let known = [
    ["x-terminal-emulator", "-e"], ["foot"], ["gnome-terminal", "--"], ["konsole", "-e"], ["xterm", "-e"],
  ]

  /// The first of the usual terminals that is installed; nil where there is none, or no display to show it on.
  public static func usual(environment: [String: String]) -> TerminalCommand? {
    guard hasDisplay(environment) else { return nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return known.first { words in
      folders.contains { access("\($0)/\(words[0])", X_OK) == 0 }
    }.map(TerminalCommand.init)
  }

  public static func hasDisplay(_ environment: [String: String]) -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
  }

  /// The words that are run for a command; no shell reads them.
  public func words(for command: [String]) -> [String] {
    guard template.contains("{}") else { return template + command }
    return template.flatMap { $0 == "{}" ? command : [$0] }
  }

  /// Starts it in a session of its own, with nothing of ours open; its process id, to be waited for by the caller
  /// (`ChildSource`).
  ///
  /// `token`: lets the new window come to the front (xdg-activation).
  public func open(_ command: [String], environment: [String: String], token: String? = nil)
    throws(SystemError) -> pid_t
  {
    let nothing = try Descriptor.open("/dev/null", O_RDWR)
    var environment = environment
    for key in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] { environment[key] = token }
    return try spawn(
      words(for: command), environment: environment,
      descriptors: [(0, nothing.number), (1, nothing.number), (2, nothing.number)], newSession: true)
  }
}
