import CLinux
import Glibc
import Platform

/// A private folder (0700) under /tmp, removed with all that is in it when the last reference goes.
public final class TemporaryFolder: Sendable {
  public let path: String
  private let name: FileName

  public init() throws(SystemError) {
    var template = Array("/tmp/reveille-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("cannot make a folder in /tmp") }
    let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
    guard let name = FileName(bytes: bytes) else {
      throw SystemError("no name for a folder in /tmp", code: EINVAL)
    }
    (self.name, path) = (name, String(decoding: bytes, as: UTF8.self))
  }

  deinit { TemporaryFolder.remove(name) }

  /// Something in the folder, as a name of bytes.
  public func file(_ name: String) -> FileName { file(Array(name.utf8)) }
  public func file(_ name: [UInt8]) -> FileName { self.name.appending(name) }

  /// Writes a whole file; the name may hold any bytes but NUL.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: FileName) throws(SystemError) -> FileName {
    let number = name.withCPath { reveille_open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
    guard number >= 0 else { throw SystemError("cannot make “\(name.shown)”") }
    try Descriptor(owning: number).writeAll(bytes)
    return name
  }

  /// Walks depth first; follows no link.
  private static func remove(_ name: FileName) {
    guard name.withCPath({ unlink($0) }) != 0, errno == EISDIR else { return }
    if let folder = name.withCPath({ opendir($0) }) {
      while let entry = readdir(folder) {
        let bytes = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: UInt8.self, capacity: 256) {
            Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
          }
        }
        if bytes != Array(".".utf8), bytes != Array("..".utf8) { remove(name.appending(bytes)) }
      }
      closedir(folder)
    }
    _ = name.withCPath { rmdir($0) }
  }
}
