import CLinux
import Glibc
import Platform

/// A real notification server, dunst, on a private bus and a virtual X server.
public final class NotificationServer {
  /// What dunst put on the screen, as it told a script of ours.
  public struct Shown: Equatable, Sendable {
    public var id = 0
    public var title = ""
    /// As it was sent: with markup escaped.
    public var body = ""
    public var urgency = ""
    public var category = ""
    public var icon = ""
    public var desktopEntry = ""
  }

  private let bus: PrivateBus
  private let folder: TemporaryFolder
  private let display: Display
  private var server: pid_t = 0

  public init(_ bus: PrivateBus, isRunning: Bool = true) throws {
    self.bus = bus
    folder = try TemporaryFolder()
    display = try Display()
    try script(
      "shown",
      """
      umask 077
      {
        printf '%s\\n' "$DUNST_ID" "$DUNST_SUMMARY" "$DUNST_URGENCY" "$DUNST_CATEGORY" "$DUNST_ICON_PATH" "$DUNST_DESKTOP_ENTRY" "$DUNST_BODY"
      } > "\(folder.path)/new.$$"
      mv "\(folder.path)/new.$$" "\(folder.path)/shown.$(date +%s%N)"
      """)
    // The menu from which dunst lets a person choose an action.
    try script("menu", "grep -F -m1 \"#$(cat \"\(folder.path)/choice\") (\"")
    try folder.write(
      Array(
        """
        [global]
        dmenu = \(folder.path)/menu
        always_run_script = true
        font = Monospace 8
        markup = full
        [all]
        script = \(folder.path)/shown

        """.utf8), to: folder.file("dunstrc"))
    if isRunning { try start() }
  }

  deinit { stop() }

  private func script(_ name: String, _ text: String) throws {
    try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: folder.file(name))
    chmod("\(folder.path)/\(name)", 0o700)
  }

  private var environment: [String: String] {
    bus.environment.merging(["DISPLAY": display.name, "HOME": folder.path]) { _, new in new }
  }

  public func start() throws {
    guard server == 0 else { return }
    let log = try Descriptor.open("\(folder.path)/log", O_WRONLY | O_CREAT | O_APPEND)
    server = try spawn(
      ["dunst", "-config", "\(folder.path)/dunstrc"], environment: environment,
      descriptors: [(1, log.number), (2, log.number)])
    do {
      try wait(until: "the notification server") {
        try bus.owner(of: "org.freedesktop.Notifications") != nil
      }
    } catch let timeout as Timeout {
      let text = (try? readFile("\(folder.path)/log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw Timeout(description: "\(timeout.description); it wrote: \(text)")
    }
  }

  public func stop() { end(SIGTERM) }
  /// As a crash would.
  public func kill9() { end(SIGKILL) }
  /// SIGSTOP: it is there and answers nothing.
  public func suspend() { if server != 0 { kill(server, SIGSTOP) } }
  public func resume() { if server != 0 { kill(server, SIGCONT) } }

  private func end(_ signal: Int32) {
    guard server != 0 else { return }
    resume()
    endProcess(server, signal)
    server = 0
  }

  /// Everything it showed since it was made, oldest first.
  public func shown() -> [Shown] {
    listFolder(folder.path).filter { $0.hasPrefix("shown.") }.sorted().compactMap { name in
      guard let bytes = try? readFile("\(folder.path)/\(name)") else { return nil }
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", maxSplits: 6, omittingEmptySubsequences: false
      ).map(String.init)
      guard lines.count == 7 else { return nil }
      return Shown(
        id: Int(lines[0]) ?? 0, title: lines[1], body: String(lines[6].dropLast()), urgency: lines[2],
        category: lines[3], icon: lines[4], desktopEntry: lines[5])
    }
  }

  /// How many are on the screen now.
  public func displayed() throws -> Int { Int(try control("count", "displayed").filter(\.isNumber)) ?? -1 }

  public func closeAll() throws { try control("close-all") }

  /// Chooses an action by its title from the menu of all that is shown.
  public func choose(_ title: String) throws {
    try folder.write(Array(title.utf8), to: folder.file("choice"))
    try control("context")
  }

  /// A click on the newest notification itself.
  public func click() throws { try control("action") }

  @discardableResult
  public func control(_ words: String...) throws -> String {
    String(decoding: try runOrThrow(["dunstctl"] + words, environment: environment), as: UTF8.self)
  }
}

/// A virtual X server, `Xvfb`, on a display that nobody else has.
public final class Display {
  public let name: String
  private let process: pid_t

  public init() throws {
    var ends: [Int32] = [-1, -1]
    try check("cannot make a pipe") { pipe2(&ends, O_CLOEXEC) }
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    let nothing = try Descriptor.open("/dev/null", O_RDWR)
    process = try spawn(
      ["Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp"],
      environment: ["PATH": "/usr/bin:/bin"],
      descriptors: [(0, nothing.number), (1, nothing.number), (2, nothing.number), (3, writing.number)])
    writing.close()
    var said: [UInt8] = []
    while !said.contains(10), let bytes = try reading.read(64), !bytes.isEmpty { said += bytes }
    guard let number = Int(String(decoding: said.filter { $0 > 32 }, as: UTF8.self)) else {
      endProcess(process, SIGKILL)
      throw RunError(description: "Xvfb did not say which display it is")
    }
    name = ":\(number)"
  }

  deinit { endProcess(process, SIGTERM) }
}
