import Glibc
import Platform

/// Who listens at a Unix socket, without connecting to it: where a service manager listens in the engine's stead, a
/// connection alone would start one.
enum Listener {
  /// The engine's main thread, whose name is the process's.
  private static let name = "alarm-engine"

  /// Whether an engine of this user has the listening socket of that path open. proc(5); may take some milliseconds.
  static func isEngine(_ path: String) -> Bool {
    guard let sockets = try? readFile("/proc/net/unix", limit: 16 << 20), let inode = inode(of: path, sockets)
    else { return false }
    let link = Array("socket:[\(inode)]".utf8)
    return namesInFolder("/proc").contains { process in
      guard process.first?.isNumber == true,
        let found = try? readFile("/proc/\(process)/comm", limit: 64),
        String(decoding: found, as: UTF8.self).hasPrefix(name)
      else { return false }
      return namesInFolder("/proc/\(process)/fd").contains { target(of: "/proc/\(process)/fd/\($0)") == link }
    }
  }

  /// A line of /proc/net/unix: `address: references protocol flags type state inode path`. The flags of one that listens
  /// have SO_ACCEPTCON, which is 0x10000.
  private static func inode(of path: String, _ sockets: [UInt8]) -> String? {
    for line in sockets.split(separator: 10) {
      let words = line.split(separator: 32, maxSplits: 7, omittingEmptySubsequences: true)
      guard words.count == 8, words[7].elementsEqual(path.utf8) else { continue }
      let flags = UInt32(String(decoding: words[3], as: UTF8.self), radix: 16) ?? 0
      if flags & 0x10000 != 0 { return String(decoding: words[6], as: UTF8.self) }
    }
    return nil
  }

  private static func target(of link: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = bytes.withUnsafeMutableBytes { room in
      room.baseAddress.map { readlink(link, $0, room.count) } ?? -1
    }
    return count > 0 ? Array(bytes[..<count]) : nil
  }
}
