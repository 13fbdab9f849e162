import Glibc
import Platform

extension Folder {
  /// More than this nobody scrolls through; a folder may hold millions.
  static let most = 20_000

  /// What a folder holds that can be gone into or played: folders first, then playlists and tracks, each in natural order;
  /// hidden ones are left out. A playlist is gone into too and holds what it names. Blocks on the disk. (`opendir(3)`,
  /// `stat(2)`)
  static func read(_ path: FileName) -> Result<Folder, FolderTrouble> {
    var status = stat()
    if AudioName.isPlaylist(path.lastPart), path.withCPath({ stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    {
      return read(playlist: path)
    }
    guard let stream = path.withCPath({ opendir($0) }) else {
      return .failure(
        FolderTrouble(
          "“\(path.shown)” cannot be looked into: \(SystemError.reason(errno)); choose another folder"))
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    var isCut = false
    while let item = readdir(stream) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.first != UInt8(ascii: "."), let kind = kind(of: name, in: path, type: item.pointee.d_type)
      else {
        continue
      }
      if entries.count == most {
        isCut = true
        break
      }
      entries.append(Entry(name: name, kind: kind))
    }
    entries.sort { left, right in
      let (first, second) = (left.kind == .folder ? 0 : 1, right.kind == .folder ? 0 : 1)
      return first == second ? AudioName.comesBefore(left.name, right.name) : first < second
    }
    return .success(Folder(path: path, entries: entries, isCut: isCut))
  }

  private static func kind(of name: [UInt8], in folder: FileName, type: UInt8) -> Entry.Kind? {
    var isFolder = Int(type) == Int(DT_DIR)
    if Int(type) != Int(DT_DIR), Int(type) != Int(DT_REG) {
      // A link, or a file system that does not say.
      var status = stat()
      guard folder.appending(name).withCPath({ stat($0, &status) }) == 0 else { return nil }
      isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return nil }
    }
    if isFolder { return .folder }
    return AudioName.isPlaylist(name) ? .playlist : AudioName.isTrack(name) ? .track : nil
  }
}
