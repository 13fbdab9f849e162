import Glibc
import Platform

/// A regular file, open for reading, that is never anything else: a pipe or a device would block a worker for ever.
final class AudioFile {
  let name: FileName
  let size: Int64
  private let descriptor: Descriptor

  init(_ name: FileName) throws(AudioError) {
    // Looked at before it is opened, because opening some devices does something; and again after, because the name may
    // mean another file by then. O_NONBLOCK so that a pipe that slipped in between does not wait for its writer.
    var status = stat()
    guard name.withCPath({ stat($0, &status) }) == 0 else { throw .cannotOpen(name, errno) }
    try AudioFile.refuseUnlessRegular(name, status)
    let number = name.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard number >= 0 else { throw .cannotOpen(name, errno) }
    descriptor = Descriptor(owning: number)
    guard fstat(number, &status) == 0 else { throw .cannotOpen(name, errno) }
    try AudioFile.refuseUnlessRegular(name, status)
    self.name = name
    size = Int64(status.st_size)
  }

  /// At most `count` bytes from `offset` on, fewer at the end or where the disk fails; moves nothing.
  func peek(at offset: Int64, _ count: Int) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Fills `buffer` from `offset` on; the number of bytes, fewer at the end or where the disk fails. (`pread`)
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count, let base = buffer.baseAddress {
      let got = pread(descriptor.number, base + filled, buffer.count - filled, off_t(offset) + off_t(filled))
      if got < 0, errno == EINTR { continue }
      if got <= 0 { break }
      filled += got
    }
    return filled
  }

  private static func refuseUnlessRegular(_ name: FileName, _ status: stat) throws(AudioError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: if status.st_size == 0 { throw .isEmpty(name) }
    case S_IFDIR: throw .isFolder(name)
    case S_IFIFO: throw .isNoFile(name, "a pipe")
    case S_IFSOCK: throw .isNoFile(name, "a socket")
    default: throw .isNoFile(name, "a device")
    }
  }
}
