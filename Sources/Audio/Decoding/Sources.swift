import Glibc
import Platform

/// The audio files that files, folders and playlists stand for, in order.
///
/// A file stands for itself, whatever its name. A folder stands for the files below it whose names end like audio, in
/// natural order (`2` before `10`), hidden ones and playlists left out; a link to a folder is followed, and a folder that
/// several lead to is walked once. A playlist (`.m3u`, `.m3u8`, `.pls`) stands for its entries, seen from its own folder;
/// what it names and is not there is left out and told in `complaints`. Relative names are seen from the working folder.
/// Blocks on the disk: for workers, and within bounds, however folders and playlists lead to each other. Throws one sentence where a name is
/// nothing, a folder or playlist has no music, an entry is a stream, or it is all too much.
///
/// `isOver`, which is asked again and again: nobody wants it any more, and what comes then is worth nothing.
public func expandSources(
  _ names: [FileName], complaints: inout [String], isOver: @escaping () -> Bool = { false }
) throws(AudioError) -> [FileName] {
  var walk = SourceWalk(isOver: isOver)
  for name in names { try walk.add(name) }
  complaints += walk.told
  return walk.files
}

/// As the other, for whoever has no use for complaints.
public func expandSources(
  _ names: [FileName], isOver: @escaping () -> Bool = { false }
) throws(AudioError) -> [FileName] {
  var complaints: [String] = []
  return try expandSources(names, complaints: &complaints, isOver: isOver)
}

/// One expansion: what was found, and what bounds it.
struct SourceWalk {
  private let isOver: () -> Bool
  private(set) var files: [FileName] = []
  private var complaints: [String] = []
  private var untold = 0
  /// Playlists and folders that are open above the present place; a loop of links would come upon one of them again.
  private var above: [Place] = []
  /// The folders that the named one led to so far: links from each to each would be as many ways as there are orders.
  private var walked: Set<Place> = []
  /// What was looked at, in entries of a folder or playlist.
  private var steps = 0
  private var isTooMuch = false

  private struct Place: Hashable {
    let device: UInt64
    let number: UInt64
  }

  private static let deepest = 64
  private static let most = 200_000
  /// Playlists that name each other twice double at each level, and may lead to nothing at all.
  private static let mostSteps = 1_000_000
  /// Reading a playlist costs so many.
  private static let stepsOfPlaylist = 200
  private static let mostComplaints = 100

  /// What could not be had, a sentence each.
  var told: [String] {
    untold == 0 ? complaints : complaints + ["\(untold) more names in playlists and folders cannot be had"]
  }

  private mutating func complain(_ sentence: @autoclosure () -> String) {
    if complaints.count < SourceWalk.mostComplaints { complaints.append(sentence()) } else { untold += 1 }
  }

  private mutating func look(at count: Int, of name: FileName) throws(AudioError) {
    steps += count
    guard steps > SourceWalk.mostSteps else { return }
    isTooMuch = true
    throw AudioError(
      .unreadable,
      "“\(name.shown)” is where it was too much: the folders and playlists lead to each other again and again; name fewer"
    )
  }

  init(isOver: @escaping () -> Bool) { self.isOver = isOver }

  mutating func add(_ name: FileName) throws(AudioError) {
    if let scheme = StreamName.scheme(of: name), !name.exists {
      throw .isStream(StreamName.url(in: name, scheme))
    }
    var status = stat()
    guard name.withCPath({ stat($0, &status) }) == 0 else { throw .cannotOpen(name, errno) }
    let place = Place(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let before = files.count
      walked = []
      try addFolder(name, place)
      if files.count == before { throw .hasNoMusic(name) }
    case S_IFREG where Playlist.Kind(name) != nil:
      try addPlaylist(name, place)
    case S_IFREG:
      try append(name)
    default:
      // Opening it says what it is instead of a file.
      _ = try AudioFile(name)
    }
  }

  private mutating func append(_ name: FileName) throws(AudioError) {
    guard files.count < SourceWalk.most else {
      isTooMuch = true
      throw AudioError(
        .unreadable,
        "“\(name.shown)” is one too many: at most \(SourceWalk.most) files are taken; name fewer folders")
    }
    files.append(name)
  }

  private mutating func addFolder(_ name: FileName, _ place: Place) throws(AudioError) {
    guard above.count < SourceWalk.deepest, !above.contains(place), walked.insert(place).inserted else {
      return
    }
    above.append(place)
    defer { above.removeLast() }
    guard let folder = name.withCPath({ opendir($0) }) else {
      let code = errno
      // The folder that was named must open; one further down that is somebody else's is told and passed by.
      if above.count == 1 { throw .cannotOpen(name, code) }
      complain(AudioError.cannotOpen(name, code).description)
      return
    }
    var entries: [[UInt8]] = []
    while !isOver(), let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes.first != UInt8(ascii: ".") { entries.append(bytes) }
    }
    closedir(folder)
    try look(at: 1 + entries.count, of: name)
    // To put tens of thousands in order takes a second.
    entries.sort { !isOver() && AudioName.comesBefore($0, $1) }
    for entry in entries {
      if isOver() { return }
      let path = name.appending(entry)
      var status = stat()
      guard path.withCPath({ stat($0, &status) }) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        try addFolder(path, Place(device: UInt64(status.st_dev), number: UInt64(status.st_ino)))
      case S_IFREG where AudioName.isTrack(entry):
        try append(path)
      default: continue
      }
    }
  }

  private mutating func addPlaylist(_ name: FileName, _ place: Place) throws(AudioError) {
    guard above.count < SourceWalk.deepest, !above.contains(place) else { return }
    above.append(place)
    defer { above.removeLast() }
    let before = files.count
    try look(at: SourceWalk.stepsOfPlaylist, of: name)
    let entries = try Playlist.read(name)
    try look(at: entries.count, of: name)
    var refusal: AudioError?
    for entry in entries where !isOver() {
      do throws(AudioError) {
        switch entry {
        case .file(let file): try add(Playlist.present(file))
        case .stream(let url): throw .isStream(url)
        }
      } catch {
        if isTooMuch { throw error }
        refusal = refusal ?? error
        complain("the playlist “\(name.shown)” names what cannot be had: \(error)")
      }
    }
    if files.count == before { throw refusal ?? .playlistIsEmpty(name) }
  }
}

extension AudioError {
  static func hasNoMusic(_ name: FileName) -> AudioError {
    AudioError(
      .undecodable,
      "the folder “\(name.shown)” holds no music that can be played; name one with WAV, FLAC, Ogg, Opus or MP3 files"
    )
  }

  static func playlistIsEmpty(_ name: FileName) -> AudioError {
    AudioError(
      .undecodable, "the playlist “\(name.shown)” names no file; put the names of audio files into it")
  }

  /// `url` may be anything: it is sanitised here.
  static func isStream(_ url: String) -> AudioError {
    AudioError(.undecodable, "“\(clean(url))” is a stream, which cannot be played; save it to a file first")
  }
}
