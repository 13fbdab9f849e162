import Glibc
import Platform

extension Folder {
  /// A name that no file can have is shown this far.
  private static let longestShown = 1000

  /// What a playlist names, in its order; what cannot be played is among it, with the reason. Playlists in it stand for
  /// themselves, so that no loop of them is walked. Blocks on the disk. (`open(2)`, `stat(2)`)
  static func read(playlist path: FileName) -> Result<Folder, FolderTrouble> {
    func trouble(_ why: String) -> Result<Folder, FolderTrouble> {
      .failure(FolderTrouble("the playlist “\(path.shown)” \(why)"))
    }
    // A pipe that has taken the file's place since it was looked at must not keep anybody waiting.
    let number = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard number >= 0 else {
      return trouble("cannot be read: \(SystemError.reason(errno)); choose another one")
    }
    let file = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return trouble("is no file; choose another one")
    }
    guard Int64(status.st_size) <= Playlist.largest else {
      return trouble("is longer than \(Playlist.largest >> 20) MiB; choose another one")
    }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      // One that grows while it is read ends where it may.
      while Int64(bytes.count) < Playlist.largest, let more = try file.read(65_536), !more.isEmpty {
        bytes += more
      }
    } catch {
      return trouble("cannot be read: \(SystemError.reason(error.code)); choose another one")
    }
    let found = Playlist.entries(
      of: bytes, kind: Playlist.Kind(path) ?? .m3u, beside: path, most: most + 1)
    let folder = path.bytes.prefix(path.bytes.count - path.lastPart.count)
    return .success(
      Folder(
        path: path, entries: found.prefix(most).map { entry($0, below: folder) }, isCut: found.count > most,
        isPlaylist: true))
  }

  private static func entry(_ entry: Playlist.Entry, below folder: ArraySlice<UInt8>) -> Entry {
    let named: FileName
    switch entry {
    case .stream(let url):
      return Entry(
        name: Array(url.utf8.prefix(longestShown)), kind: .track, trouble: "a stream cannot be played")
    case .file(let file): named = file
    }
    guard named.bytes.count < PATH_MAX else {
      return Entry(
        name: Array(named.bytes.prefix(longestShown)), kind: .track, trouble: "no name is that long")
    }
    let file = Playlist.present(named)
    // What lies below the playlist is called as the playlist does.
    let name = file.bytes.starts(with: folder) ? Array(file.bytes.dropFirst(folder.count)) : file.bytes
    var status = stat()
    guard file.withCPath({ stat($0, &status) }) == 0 else {
      let code = errno
      let isGone = code == ENOENT || code == ENOTDIR
      return Entry(
        name: name, kind: .track, place: file, trouble: isGone ? "is not there" : SystemError.reason(code))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return Entry(name: name, kind: .folder, place: file)
    case S_IFREG:
      return Entry(name: name, kind: AudioName.isPlaylist(name) ? .playlist : .track, place: file)
    default: return Entry(name: name, kind: .track, place: file, trouble: "is no file")
    }
  }
}
