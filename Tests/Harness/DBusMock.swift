import CLinux
import Glibc
import Platform

/// python-dbusmock answering for a service on a private bus. Ended when it goes.
public final class DBusMock {
  private let bus: PrivateBus
  private let name: String
  private let path: String
  private let log: TemporaryFolder
  private var server: pid_t = 0

  /// `words`: what `python3 -m dbusmock` is given. Comes back once the service has its name.
  public init(_ bus: PrivateBus, _ name: String, at path: String, _ words: [String]) throws {
    (self.bus, self.name, self.path) = (bus, name, path)
    log = try TemporaryFolder()
    let output = try Descriptor.open("\(log.path)/log", O_WRONLY | O_CREAT | O_APPEND)
    server = try spawn(
      ["/usr/bin/python3", "-m", "dbusmock"] + words, environment: bus.environment,
      descriptors: [(1, output.number), (2, output.number)])
    do {
      try wait(until: name) { try bus.owner(of: name) != nil }
    } catch let timeout as Timeout {
      let text = (try? readFile("\(log.path)/log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw Timeout(description: "\(timeout.description); it wrote: \(text)")
    }
  }

  deinit { if server != 0 { endProcess(server, SIGTERM) } }

  /// Calls a method of the mock with `busctl`, `words` being signature and arguments; what that prints.
  @discardableResult
  public func call(_ member: String, _ words: String...) throws -> String {
    String(
      decoding: try runOrThrow(
        [
          "busctl", "--address=\(bus.address)", "--", "call", name, path, "org.freedesktop.DBus.Mock", member,
        ] + words, environment: bus.environment), as: UTF8.self)
  }
}

/// UPower with one battery (dbusmock's own template).
public final class PowerServer {
  private let mock: DBusMock
  private static let manager = "org.freedesktop.UPower"

  public init(_ bus: PrivateBus, isOnBattery: Bool, percentage: Int) throws {
    mock = try DBusMock(
      bus, PowerServer.manager, at: "/org/freedesktop/UPower",
      ["--template", "upower", "--parameters", "{\"OnBattery\": \(isOnBattery)}"])
    try set(percentage: percentage)
  }

  public func set(percentage: Int) throws {
    let share = "\(percentage)"
    try mock.call(
      "SetupDisplayDevice", "uuddddxxbsu", "2", "2", share, share, "100", "10", "3600", "0", "true",
      "battery", "1")
  }

  public func set(isOnBattery: Bool) throws {
    try mock.call(
      "UpdateProperties", "sa{sv}", PowerServer.manager, "1", "OnBattery", "b", "\(isOnBattery)")
  }
}
