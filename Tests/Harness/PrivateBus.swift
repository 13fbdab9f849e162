import CLinux
import Glibc
import Platform

/// A message bus of one's own: `dbus-daemon` with a socket in a private folder, on which every one of this user may do
/// everything and which starts no services. Any thread, one at a time; it is stopped when it goes.
public final class PrivateBus {
  public let folder: TemporaryFolder
  private var daemon: pid_t = 0

  /// `isRunning` false: the place of a bus that is not there yet.
  public init(isRunning: Bool = true) throws {
    folder = try TemporaryFolder()
    try folder.write(Array(configuration.utf8), to: folder.file("bus.conf"))
    if isRunning { try start() }
  }

  deinit { stop() }

  public var socket: String { "\(folder.path)/bus" }
  public var address: String { "unix:path=\(socket)" }

  /// For programs that are to use this bus as that of their session.
  public var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LANG": "C.UTF-8",
      "DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address,
    ]
  }

  private var configuration: String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }

  public func start() throws {
    guard daemon == 0 else { return }
    let log = try Descriptor.open("\(folder.path)/bus.log", O_WRONLY | O_CREAT | O_APPEND)
    daemon = try spawn(
      ["dbus-daemon", "--nofork", "--nopidfile", "--nosyslog", "--config-file=\(folder.path)/bus.conf"],
      environment: environment, descriptors: [(1, log.number), (2, log.number)])
    try wait(until: "the bus") { (try? UnixSocket.connect(socket)) != nil }
  }

  /// In order, which takes the socket away.
  public func stop() {
    end(SIGTERM)
    unlink(socket)
  }

  /// As a crash would: the socket stays behind.
  public func kill9() { end(SIGKILL) }

  /// SIGSTOP: its socket takes connections and nobody answers; `resume` lets it go on.
  public func suspend() { if daemon != 0 { kill(daemon, SIGSTOP) } }
  public func resume() { if daemon != 0 { kill(daemon, SIGCONT) } }

  private func end(_ signal: Int32) {
    guard daemon != 0 else { return }
    resume()
    endProcess(daemon, signal)
    daemon = 0
  }

  /// Sends with `dbus-send`, which is another client than ours; what it prints.
  @discardableResult
  public func send(_ words: String...) throws -> String {
    String(
      decoding: try runOrThrow(["dbus-send", "--bus=\(address)"] + words, environment: environment),
      as: UTF8.self)
  }

  /// Who has a name; nil where nobody has it.
  public func owner(of name: String) throws -> String? {
    let finished = try run(
      [
        "dbus-send", "--bus=\(address)", "--print-reply=literal", "--dest=org.freedesktop.DBus",
        "/org/freedesktop/DBus", "org.freedesktop.DBus.GetNameOwner", "string:\(name)",
      ], environment: environment)
    return finished.succeeded
      ? finished.text.split(whereSeparator: \.isWhitespace).first.map(String.init) : nil
  }

  /// Reads along with `dbus-monitor`.
  public func monitor(_ rules: String...) throws -> BusMonitor { try BusMonitor(self, rules) }
}

/// What an independent client, `dbus-monitor`, reads on a bus.
public final class BusMonitor {
  private let process: pid_t
  private let path: String
  private let folder: TemporaryFolder

  init(_ bus: PrivateBus, _ rules: [String]) throws {
    let folder = try TemporaryFolder()
    path = "\(folder.path)/monitor"
    self.folder = folder
    let output = try Descriptor.open(path, O_WRONLY | O_CREAT)
    process = try spawn(
      ["dbus-monitor", "--address", bus.address] + rules, environment: bus.environment,
      descriptors: [(1, output.number), (2, output.number)])
    // It says of itself that it was given a name, and from then on reads along.
    try Harness.wait(until: "the monitor") { text.contains("NameLost") }
  }

  deinit { endProcess(process, SIGTERM) }

  public var text: String { (try? readFile(path)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// The messages so far whose first line holds `part`, each with its arguments.
  public func messages(_ part: String) -> [String] {
    var messages: [String] = []
    for line in text.split(separator: "\n") {
      if line.first == " ", !messages.isEmpty {
        messages[messages.count - 1] += "\n" + line
      } else {
        messages.append(String(line))
      }
    }
    return messages.filter { $0.prefix { $0 != "\n" }.contains(part) }
  }

  /// Waits for a message that `condition` accepts.
  @discardableResult
  public func wait(
    for part: String, within deadline: Duration = .seconds(10), _ condition: (String) -> Bool = { _ in true }
  ) throws -> String {
    do {
      return try Harness.wait(for: "“\(part)” on the bus", within: deadline) {
        messages(part).first(where: condition)
      }
    } catch let timeout as Timeout {
      throw Timeout(description: "\(timeout.description); read were: \(text)")
    }
  }
}

/// Ends a child by its process id; what does not go when it is asked to is killed.
public func endProcess(_ process: pid_t, _ signal: Int32) {
  _ = kill(process, signal)
  let hasEnded = try? wait(for: "the end of process \(process)", within: .seconds(5)) {
    waitpid(process, nil, WNOHANG) == 0 ? nil : true
  }
  guard hasEnded == nil else { return }
  _ = kill(process, SIGKILL)
  _ = waitpid(process, nil, 0)
}
