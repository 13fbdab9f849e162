import Glibc

/// The bytes of a file as libmpg123 asks for them. It looks for a lost frame byte by byte, and a system call for each
/// would take minutes in a file with a hole of 100 MB; from a buffer it takes a moment.
final class Mpg123Source {
  private let file: AudioFile
  private var at: Int64 = 0
  /// `filled` bytes of the file from `base` on.
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var base: Int64 = 0
  private var giveUp: ContinuousClock.Instant?
  private var gaveUp = false

  init(_ file: AudioFile) {
    self.file = file
    buffer = .allocate(byteCount: 32_768, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// From here on the file seems to end once `limit` has passed.
  func limit(to limit: Duration) { (giveUp, gaveUp) = (ContinuousClock.now + limit, false) }

  /// Takes the limit away; whether it was kept.
  func unlimit() -> Bool {
    giveUp = nil
    return !gaveUp
  }

  static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int = {
    source, target, count in
    guard let source, let target else { return -1 }
    return Unmanaged<Mpg123Source>.fromOpaque(source).takeUnretainedValue().read(count, into: target)
  }

  static let seek: @convention(c) (UnsafeMutableRawPointer?, off_t, Int32) -> off_t = {
    source, offset, whence in
    guard let source else { return -1 }
    return Unmanaged<Mpg123Source>.fromOpaque(source).takeUnretainedValue().seek(offset, whence)
  }

  private func read(_ count: Int, into target: UnsafeMutableRawPointer) -> Int {
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

  /// Reads on from the present place; false at the end of the file, or of patience.
  private func refill() -> Bool {
    if let giveUp, ContinuousClock.now > giveUp {
      gaveUp = true
      return false
    }
    base = at
    filled = file.read(at: at, into: buffer)
    return filled > 0
  }

  private func seek(_ offset: off_t, _ whence: Int32) -> off_t {
    let origin =
      switch whence {
      case SEEK_SET: Int64(0)
      case SEEK_CUR: at
      default: file.size
      }
    let target = origin.addingReportingOverflow(Int64(offset))
    guard !target.overflow, target.partialValue >= 0 else { return -1 }
    at = target.partialValue
    return off_t(at)
  }
}
