import CLinux
import Glibc
import Platform

/// The side of a service manager that a service tells how it is doing (`NOTIFY_SOCKET`, sd_notify(3)).
public final class NotifySocket {
  public let path: String
  private let socket: Descriptor

  public init(_ path: String) throws {
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let number = try check("cannot make a socket") {
      Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    socket = Descriptor(owning: number)
    try check("cannot bind “\(path)”") {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }

  /// The lines of the next message and when it was taken (CLOCK_MONOTONIC, microseconds); nil where none comes in time.
  public func next(within deadline: Duration) throws -> (lines: [String], at: Int64)? {
    let end = Clocks.monotonicMicroseconds() + Int64(deadline / .microseconds(1))
    guard try waitFor(socket.number, POLLIN, until: end) else { return nil }
    let bytes = try UnixSocket.receive(socket) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, Clocks.monotonicMicroseconds())
  }

  /// Waits for a message with such a line; when it was taken.
  @discardableResult
  public func wait(for line: String, within deadline: Duration = .seconds(15)) throws -> Int64 {
    try wait(forLine: line, within: deadline) { $0 == line }
  }

  @discardableResult
  public func wait(forLine what: String, within deadline: Duration = .seconds(15), _ isIt: (String) -> Bool)
    throws -> Int64
  {
    let end = ContinuousClock.now + deadline
    var heard: [String] = []
    while ContinuousClock.now < end {
      guard let message = try next(within: end - ContinuousClock.now) else { break }
      heard += message.lines
      if message.lines.contains(where: isIt) { return message.at }
    }
    throw Timeout(description: "“\(what)” was not told within \(deadline), but \(heard)")
  }
}
