import CLinux
import Glibc

/// Local stream sockets (unix(7)): connecting, listening, accepting and who is at the other side.
public enum UnixSocket {
  /// The longest path the kernel takes: `sun_path` less its NUL.
  public static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Connects to the socket at `path`; the descriptor is blocking and CLOEXEC. ENOENT and ECONNREFUSED mean that nobody
  /// listens there.
  public static func connect(_ path: String) throws(SystemError) -> Descriptor {
    let attempt = "cannot connect to “\(clean(path))”"
    var address = try make(path, attempt)
    let socket = try open(attempt)
    try check(attempt) {
      withAddress(&address) { Glibc.connect(socket.number, $0, $1) }
    }
    return socket
  }

  /// Makes the socket file, mode 0600, and listens; non-blocking. The path must not exist.
  public static func listen(_ path: String, backlog: Int32 = 128) throws(SystemError) -> Descriptor {
    let attempt = "cannot listen at “\(clean(path))”"
    var address = try make(path, attempt)
    let socket = try open(attempt)
    // bind(2) gives the file the mode of the socket itself, less the umask (Linux, unix_bind), so there is no moment at
    // which others could connect. The umask is the whole process's: changing it would reach into other threads.
    try check(attempt) { fchmod(socket.number, 0o600) }
    try check(attempt) {
      withAddress(&address) { bind(socket.number, $0, $1) }
    }
    try check(attempt) { Glibc.listen(socket.number, backlog) }
    try check(attempt) { reveille_set_nonblocking(socket.number) }
    return socket
  }

  /// Takes the next waiting connection, non-blocking and CLOEXEC; nil where none waits. `accept4`.
  public static func accept(_ listener: Descriptor) throws(SystemError) -> Descriptor? {
    while true {
      let number = reveille_accept(listener.number)
      if number >= 0 { return Descriptor(owning: number) }
      let code = errno
      switch code {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED: continue
      default: throw SystemError("cannot take a connection", code: code)
      }
    }
  }

  /// The user and process at the other side, as the kernel noted them when it connected. SO_PEERCRED.
  public static func peer(_ socket: Descriptor) throws(SystemError) -> (user: uid_t, process: pid_t) {
    var credentials = ucred()
    var length = socklen_t(MemoryLayout<ucred>.size)
    try check("cannot ask who connected") {
      getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    }
    return (credentials.uid, credentials.pid)
  }

  /// The path that a socket is bound to; nil where it has none. `getsockname(2)`.
  public static func path(ofSocket number: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    // Its NUL may be missing, and a name without a path (abstract) begins with one.
    let size = min(max(0, Int(length) - MemoryLayout<sa_family_t>.size), longestPath + 1)
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0[..<size].prefix { $0 != 0 }) }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// `send(2)` without SIGPIPE and without waiting; the number of bytes taken, 0 where none are taken now.
  public static func send(_ socket: Descriptor, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    while true {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if sent >= 0 { return sent }
      let code = errno
      if code == EAGAIN { return 0 }
      if code != EINTR { throw SystemError("cannot write", code: code) }
    }
  }

  /// `recv(2)` without waiting: at most `count` bytes, empty when the other side has closed, nil where none are there.
  public static func receive(_ socket: Descriptor, _ count: Int = 65_536) throws(SystemError) -> [UInt8]? {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      repeat {
        let got = recv(socket.number, buffer.baseAddress, count, Int32(MSG_DONTWAIT))
        code = got < 0 ? errno : 0
        if got >= 0 { filled = got }
      } while code == EINTR
    }
    if code == EAGAIN { return nil }
    if code != 0 { throw SystemError("cannot read", code: code) }
    return bytes
  }

  private static func open(_ attempt: String) throws(SystemError) -> Descriptor {
    Descriptor(
      owning: try check(attempt) {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      })
  }

  private static func make(_ path: String, _ attempt: String) throws(SystemError) -> sockaddr_un {
    let bytes = Array(path.utf8)
    guard bytes.count <= longestPath else { throw SystemError(attempt, code: ENAMETOOLONG) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return address
  }

  private static func withAddress(
    _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// Waits until a descriptor is ready for `events` (POLLIN, POLLOUT), has hung up, or the deadline on CLOCK_MONOTONIC
/// (microseconds; nil: for ever) has come; false in the last case. `poll(2)`.
public func waitFor(_ descriptor: Int32, _ events: Int32, until deadline: Int64?) throws(SystemError) -> Bool
{
  while true {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    var milliseconds: Int32 = -1
    if let deadline {
      let left = deadline - Clocks.monotonicMicroseconds()
      milliseconds = left <= 0 ? 0 : Int32(clamping: (left + 999) / 1000)
    }
    let result = poll(&entry, 1, milliseconds)
    if result > 0 { return true }
    if result == 0 { return false }
    let code = errno
    if code != EINTR { throw SystemError("cannot wait for a descriptor", code: code) }
  }
}

/// An exclusive lock of a whole file (flock(2)), held until this object goes or the process ends, however it ends.
public final class FileLock {
  private let file: Descriptor

  private init(_ file: Descriptor) { self.file = file }

  /// Unlocked by name: a child that is being started holds a copy of the descriptor until its exec(2), and closing ours
  /// alone would leave the file locked for that long.
  deinit { flock(file.number, LOCK_UN) }

  /// Makes the file where it is missing and locks it; nil where somebody else holds it and `waiting` is false. One that
  /// cannot be written (a disk that has become read-only) is locked all the same.
  public static func take(_ path: String, waiting: Bool) throws(SystemError) -> FileLock? {
    let file: Descriptor
    do {
      file = try Descriptor.open(path, O_RDWR | O_CREAT)
    } catch {
      guard let readable = try? Descriptor.open(path, O_RDONLY) else { throw error }
      file = readable
    }
    let operation = LOCK_EX | (waiting ? 0 : LOCK_NB)
    while flock(file.number, operation) != 0 {
      let code = errno
      if code == EWOULDBLOCK { return nil }
      if code != EINTR { throw SystemError("cannot lock “\(clean(path))”", code: code) }
    }
    return FileLock(file)
  }

  /// Whether the file that is locked lies at this path; false where that was removed or is another one.
  public func lies(at path: String) -> Bool {
    var (ours, there) = (stat(), stat())
    return fstat(file.number, &ours) == 0 && stat(path, &there) == 0
      && (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
  }

  /// Replaces what stands in the file.
  public func write(_ text: String) throws(SystemError) {
    try check("cannot write a lock file") { ftruncate(file.number, 0) }
    let bytes = Array(text.utf8)
    let wrote = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
    guard wrote == bytes.count else { throw SystemError("cannot write a lock file") }
  }
}
