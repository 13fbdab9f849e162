import CLinux
import Glibc

/// One open file descriptor, closed when the last reference goes.
///
/// Any thread may hold one; it is closed on whichever drops it last.
public final class Descriptor: @unchecked Sendable {
  // @unchecked: `number` changes only in `close()` and `release()`, which their callers make from the owning thread.
  public private(set) var number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }
  deinit { close() }

  /// Closes it now; closing twice does nothing.
  public func close() {
    guard number >= 0 else { return }
    _ = Glibc.close(number)
    number = -1
  }

  /// Gives the number away; the caller closes it from here on.
  public func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  /// `open(2)` with O_CLOEXEC.
  public static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError)
    -> Descriptor
  {
    Descriptor(
      owning: try check("cannot open “\(clean(path))”") { reveille_open(path, flags | O_CLOEXEC, mode) })
  }

  /// `read(2)`: at most `count` bytes, empty at the end of the file, nil where a non-blocking one has none yet.
  public func read(_ count: Int) throws(SystemError) -> [UInt8]? {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        let got = Glibc.read(number, buffer.baseAddress, count)
        if got >= 0 {
          filled = got
          return
        }
        code = errno
        if code != EINTR { return }
        code = 0
      }
    }
    if code == EAGAIN { return nil }
    if code != 0 { throw SystemError("cannot read", code: code) }
    return bytes
  }

  /// `write(2)` once; the number of bytes taken, 0 where a non-blocking one takes none now. SIGPIPE must be ignored.
  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
    while true {
      let wrote = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if wrote >= 0 { return wrote }
      let code = errno
      if code == EAGAIN { return 0 }
      if code != EINTR { throw SystemError("cannot write", code: code) }
    }
  }

  /// Writes everything to a blocking descriptor.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(try write(rest)) }
  }
}

/// Reads a whole file of at most `limit` bytes. A pipe in its place never blocks; it gives what it holds at this moment.
public func readFile(_ path: String, limit: Int = 16 << 20) throws(SystemError) -> [UInt8] {
  let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK)
  var bytes: [UInt8] = []
  do {
    while bytes.count < limit, let more = try file.read(min(65_536, limit - bytes.count)), !more.isEmpty {
      bytes += more
    }
  } catch {
    throw SystemError("cannot read “\(clean(path))”", code: error.code)
  }
  return bytes
}

/// Puts a whole file in place at once: written beside, synced, renamed over. Where that fails nothing is left of it.
public func replaceFile(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(SystemError) {
  let beside = path + ".new"
  do {
    let file = try Descriptor.open(beside, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
    try file.writeAll(bytes)
    try check("cannot write “\(clean(beside))”") { fsync(file.number) }
    try check("cannot rename to “\(clean(path))”") { rename(beside, path) }
  } catch {
    unlink(beside)
    throw error.attempt == "cannot write"
      ? SystemError("cannot write “\(clean(path))”", code: error.code) : error
  }
}
