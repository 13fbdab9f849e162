import CLinux
import Glibc
import Platform

/// Files of `install` and `uninstall` as they lie on the disk.
enum Files {
  enum Found: Hashable {
    case nothing
    /// A plain file, with what it holds.
    case file([UInt8])
    /// A link, a folder, or what cannot be read: not ours, whatever it is.
    case other
  }

  static func look(at path: String) -> Found {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .other }
    guard status.st_mode & S_IFMT == S_IFREG, let bytes = try? readFile(path) else { return .other }
    return .file(bytes)
  }

  /// The folders on the way to `path` that are not there, outer ones first.
  static func missingFolders(of path: String) -> [String] {
    var missing: [String] = []
    var folder = parent(of: path)
    while !folder.isEmpty, access(folder, F_OK) != 0 {
      missing.insert(folder, at: 0)
      folder = parent(of: folder)
    }
    return missing
  }

  static func makeFolders(_ folders: [String]) throws(SystemError) {
    // 0700 is what the XDG Base Directory Specification wants of whoever makes them.
    for folder in folders where mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw SystemError("cannot make the folder “\(clean(folder))”")
    }
  }

  static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw SystemError("cannot remove “\(clean(path))”")
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
