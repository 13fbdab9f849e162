import Core
import Glibc
import Platform
import Schedule

/// Where the track was heard last, in a small file beside the database, once a second.
///
/// A commit to the database each second would keep a disk awake. What is written here waits for no disk: it outlives a
/// killed engine, though not a power cut, for which the database has the place of a few seconds before.
final class PlaceFile {
  private let path: String
  private var file: Descriptor?
  private var written: [UInt8] = []

  init(_ paths: Paths) { path = paths.data + "/player.place" }

  /// The loop's thread. A file that cannot be written costs the seconds since the last commit, nothing else.
  func note(_ track: Track, _ position: Duration) {
    // The position first: a name may hold anything, line breaks too.
    let bytes = Array("\(position.microseconds)\n\(track.path)".utf8)
    guard bytes != written else { return }
    if file == nil { file = try? Descriptor.open(path, O_WRONLY | O_CREAT) }
    guard let file else { return }
    let length = written.isEmpty ? .max : written.count
    written = bytes
    let count = bytes.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
    // A file system has work with that even where the file is as long as it was.
    if count >= 0, count < length { _ = ftruncate(file.number, off_t(count)) }
  }

  /// The place in this track, where the file speaks of it.
  func place(in track: Track) -> Duration? {
    guard let bytes = try? readFile(path, limit: 64 << 10), let end = bytes.firstIndex(of: 10),
      let microseconds = Int64(String(decoding: bytes[..<end], as: UTF8.self)), microseconds >= 0,
      bytes[(end + 1)...].elementsEqual(track.path.utf8)
    else { return nil }
    return .microseconds(microseconds)
  }
}
