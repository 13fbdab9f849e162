import CLinux
import Glibc
import Platform

/// Somebody who answers for logind on a private bus.
public final class LoginServer {
  public enum Kind: Sendable {
    /// python-dbusmock's template, which can be made to announce sleep.
    case mock
    /// The real thing: Debian's elogind, unpacked aside (`make test-deps`), in a mount namespace of its own in which it
    /// finds neither a power button nor a way to suspend.
    case real
  }

  private let bus: PrivateBus
  private let kind: Kind
  private let canSuspend: String
  private var server: pid_t = 0
  private var hasLid = false

  /// `canSuspend`: what the mock answers to that.
  public init(_ bus: PrivateBus, _ kind: Kind = .mock, canSuspend: String = "yes") throws {
    (self.bus, self.kind, self.canSuspend) = (bus, kind, canSuspend)
    try start()
  }

  deinit { stop() }

  /// Where elogind was unpacked.
  private static let unpacked =
    #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/.build/elogind"

  /// It is unpacked, and we may make a mount namespace for it.
  public static let hasReal: Bool =
    access("\(unpacked)/lib/elogind/elogind", X_OK) == 0
    && (try? run(["unshare", "--mount", "true"]))?.succeeded == true

  public func start() throws {
    guard server == 0 else { return }
    let log = try Descriptor.open("\(bus.folder.path)/login.log", O_WRONLY | O_CREAT | O_APPEND)
    let words: [String]
    switch kind {
    case .mock:
      words = [
        "/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind", "--parameters",
        "{\"CanSuspend\": \"\(canSuspend)\"}",
      ]
    case .real:
      let hide = ["/run", "/dev/input", "/sys/power"].map {
        "{ [ ! -d \($0) ] || mount -t tmpfs none \($0); }"
      }
      words = [
        "unshare", "--mount", "sh", "-c",
        hide.joined(separator: " && ") + " && mkdir -p /run/systemd && exec \"$0\"",
        "\(LoginServer.unpacked)/lib/elogind/elogind",
      ]
    }
    let environment = bus.environment.merging(
      ["LD_LIBRARY_PATH": "\(LoginServer.unpacked)/lib/elogind", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    ) { _, new in new }
    server = try spawn(
      words, environment: kind == .real ? environment : bus.environment,
      descriptors: [(1, log.number), (2, log.number)])
    do {
      try wait(until: "logind") { try bus.owner(of: "org.freedesktop.login1") != nil }
    } catch let timeout as Timeout {
      let text =
        (try? readFile("\(bus.folder.path)/login.log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw Timeout(description: "\(timeout.description); it wrote: \(text)")
    }
  }

  public func stop() {
    guard server != 0 else { return }
    endProcess(server, SIGTERM)
    (server, hasLid) = (0, false)
  }

  public struct Lock: Equatable, Sendable, Comparable {
    public var what: String
    public var who: String
    public var why: String
    public var mode: String
    public init(_ what: String, _ who: String, _ why: String, _ mode: String) {
      (self.what, self.who, self.why, self.mode) = (what, who, why, mode)
    }
    public static func < (left: Lock, right: Lock) -> Bool {
      (left.what, left.mode) < (right.what, right.mode)
    }
  }

  /// The locks it lists, asked with `busctl`.
  public func locks() throws -> [Lock] {
    let text = try call("org.freedesktop.login1.Manager", "ListInhibitors")
    // a(ssssuu) 1 "sleep" "Reveille" "why" "block" 0 123
    let words = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    let texts = stride(from: 1, to: words.count, by: 2).map { words[$0] }
    return stride(from: 0, to: texts.count - 3, by: 4).map {
      Lock(texts[$0], texts[$0 + 1], texts[$0 + 2], texts[$0 + 3])
    }.sorted()
  }

  /// The lid is closed, or open; told to whoever asks from then on. The mock alone.
  public func setLid(closed: Bool) throws {
    let value = ["org.freedesktop.login1.Manager", "LidClosed", "b", "\(closed)"]
    if hasLid {
      try call("org.freedesktop.DBus.Properties", "Set", "ssv", value[0], value[1], value[2], value[3])
    } else {
      try call("org.freedesktop.DBus.Mock", "AddProperty", "ssv", value[0], value[1], value[2], value[3])
    }
    hasLid = true
  }

  /// Announces sleep, or that it is over; the mock alone.
  public func announceSleep(_ isStart: Bool) throws {
    try call(
      "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", "org.freedesktop.login1.Manager",
      "PrepareForSleep", "b", "1", "b", isStart ? "true" : "false")
  }

  @discardableResult
  private func call(_ interface: String, _ words: String...) throws -> String {
    String(
      decoding: try runOrThrow(
        [
          "busctl", "--address=\(bus.address)", "call", "org.freedesktop.login1", "/org/freedesktop/login1",
          interface,
        ] + words, environment: bus.environment), as: UTF8.self)
  }
}
