import CLinux
import Glibc
import Platform

/// A bare connection to a Unix socket, for saying things that a well-behaved client never says.
public final class Connection {
  private let socket: Descriptor
  private var pending: [UInt8] = []

  public init(_ path: String) throws {
    let number = try check("cannot make a socket") {
      CLinux.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    socket = Descriptor(owning: number)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < 108 else { throw SystemError("“\(path)” is too long", code: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try check("cannot connect to “\(path)”") {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }

  /// Sends everything, or stops where the other side has closed or takes nothing for `deadline`; the bytes sent.
  @discardableResult
  public func send(_ bytes: [UInt8], within deadline: Duration = .seconds(10)) -> Int {
    var sent = 0
    let end = ContinuousClock.now + deadline
    while sent < bytes.count, ContinuousClock.now < end {
      var wait = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
      if poll(&wait, 1, 100) == 0 { continue }
      let count = bytes[sent...].withUnsafeBytes {
        CLinux.send(
          socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        )
      }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { continue }
        break
      }
      sent += count
    }
    return sent
  }

  @discardableResult
  public func send(line: String) -> Int { send(Array(line.utf8) + [10]) }

  /// The next line, nil where the other side has closed. Throws where none comes within `deadline`.
  public func readLine(within deadline: Duration = .seconds(10)) throws -> String? {
    let end = ContinuousClock.now + deadline
    while true {
      if let place = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(place + 1) }
        return String(decoding: pending[..<place], as: UTF8.self)
      }
      var wait = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      let left = (end - ContinuousClock.now) / .milliseconds(1)
      guard left > 0, poll(&wait, 1, Int32(left) + 1) >= 0 else {
        throw Timeout(description: "a line from the socket did not come within \(deadline)")
      }
      guard wait.revents != 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = recv(socket.number, &chunk, chunk.count, 0)
      if count <= 0 { return nil }
      pending += chunk[..<count]
    }
  }
}
