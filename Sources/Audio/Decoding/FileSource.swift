import Glibc

/// The bytes of a file as the libraries ask for them, within a `Patience`: a library that looks for something without
/// end cannot be interrupted, but it comes back where the file seems to end. Not thread-safe.
///
/// libmpg123 looks for a lost frame byte by byte, and a system call for each would take minutes in a file with a hole of
/// 100 MB; from a buffer it takes a moment.
final class FileSource {
  /// Where the file ends for the library, in bytes.
  let length: Int64
  /// The byte that the library reads next.
  private(set) var at: Int64 = 0
  private let file: AudioFile
  /// `filled` bytes of the file from `base` on.
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var base: Int64 = 0
  private var patience: Patience?
  private var gaveUp = false

  /// Of a file of which only the first `length` bytes count.
  init(_ file: AudioFile, length: Int64? = nil) {
    self.file = file
    self.length = min(length ?? file.size, file.size)
    buffer = .allocate(byteCount: 32_768, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// A call into the library that reads from here; nil where it went on for longer than that.
  func bounded<Result>(by patience: Patience, _ call: () -> Result) -> Result? {
    (self.patience, gaveUp) = (patience, false)
    let result = call()
    self.patience = nil
    return gaveUp ? nil : result
  }

  /// At most `count` bytes from here on, fewer at the end or where patience is over.
  func read(_ count: Int, into target: UnsafeMutableRawPointer) -> Int {
    if gaveUp { return 0 }
    var done = 0
    while done < count {
      let start = at - base
      if start < 0 || start >= filled {
        guard refill() else { break }
        continue
      }
      guard let bytes = buffer.baseAddress else { break }
      let more = min(count - done, filled - Int(start))
      memcpy(target + done, bytes + Int(start), more)
      done += more
      at += Int64(more)
    }
    return done
  }

  /// As `lseek`. Going somewhere costs nothing, so it is possible even when patience is over.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let origin =
      switch whence {
      case SEEK_SET: Int64(0)
      case SEEK_CUR: at
      default: length
      }
    let target = origin.addingReportingOverflow(offset)
    guard !target.overflow, target.partialValue >= 0 else { return -1 }
    _ = isOver()
    at = target.partialValue
    return at
  }

  /// Where the library stands; nowhere once patience is over, because libsndfile takes the file's end for a place to go
  /// on from without reading.
  func tell() -> Int64 { gaveUp ? -1 : at }

  /// Reads on from the present place; false at the end of the file, or of patience.
  private func refill() -> Bool {
    guard !isOver(), at < length else { return false }
    base = at
    let room = Int(min(Int64(buffer.count), length - at))
    filled = file.read(at: at, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
    return filled > 0
  }

  /// Asked wherever the library moves on in the file or goes back: what does neither comes to an end by itself.
  private func isOver() -> Bool {
    if !gaveUp, let patience, patience.isOver { gaveUp = true }
    return gaveUp
  }
}
