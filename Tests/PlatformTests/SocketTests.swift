import Glibc
import Harness
import Platform
import Testing

@Suite("Local sockets and locks")
struct SocketTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test("A socket is its owner's alone, whatever the umask")
  func mode() throws {
    let path = folder.path + "/s"
    let socket = try UnixSocket.listen(path)
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    socket.close()
  }

  @Test("Who connects is known by what the kernel noted")
  func peer() throws {
    let listener = try UnixSocket.listen(folder.path + "/s")
    let client = try UnixSocket.connect(folder.path + "/s")
    let server = try #require(try UnixSocket.accept(listener))
    let peer = try UnixSocket.peer(server)
    #expect(peer.user == getuid())
    #expect(peer.process == getpid())
    #expect(try UnixSocket.accept(listener) == nil)
    #expect(try UnixSocket.receive(server) == nil)
    client.close()
    #expect(try UnixSocket.receive(server) == [])
  }

  @Test("A full socket takes nothing and does not wait")
  func full() throws {
    let listener = try UnixSocket.listen(folder.path + "/s")
    let client = try UnixSocket.connect(folder.path + "/s")
    let piece = [UInt8](repeating: 1, count: 65_536)
    var taken = 0
    while true {
      let count = try UnixSocket.send(client, piece[...])
      if count == 0 { break }
      taken += count
    }
    #expect(taken > 0)
    listener.close()
  }

  @Test("A path that is too long, and one where nobody listens, name the path and the cause")
  func faults() throws {
    let long = folder.path + "/" + String(repeating: "x", count: 120)
    let tooLong = #expect(throws: SystemError.self) { try UnixSocket.listen(long) }
    #expect(tooLong?.code == ENAMETOOLONG)
    let nobody = #expect(throws: SystemError.self) { try UnixSocket.connect(folder.path + "/none") }
    #expect(nobody?.code == ENOENT)
    #expect(nobody?.description.contains(folder.path) == true)
  }

  @Test("A lock is held by one, given back when it goes, and says what was written last")
  func lock() throws {
    let path = folder.path + "/lock"
    var first = try FileLock.take(path, waiting: false)
    #expect(first != nil)
    #expect(try FileLock.take(path, waiting: false) == nil)
    try first?.write("a long text\n")
    try first?.write("short\n")
    #expect(try readFile(path) == Array("short\n".utf8))
    first = nil
    #expect(try FileLock.take(path, waiting: false) != nil)
  }

  @Test("Waiting for a descriptor ends at its deadline")
  func deadline() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let reading = Descriptor(owning: ends[0])
    let writing = Descriptor(owning: ends[1])
    #expect(try !waitFor(reading.number, POLLIN, until: Clocks.monotonicMicroseconds() + 10_000))
    _ = try writing.write([1])
    #expect(try waitFor(reading.number, POLLIN, until: nil))
  }
}
