import CMpg123
import Glibc
import Platform

/// One `mpg123_handle`, deleted when the last reference goes.
final class Mpg123 {
  enum Outcome { case good, end, newFormat, failed, gaveUp }

  private let handle: OpaquePointer
  /// Held because the handle reads through it, by an unretained pointer.
  private let source: FileSource

  /// Opened and set to floats; nil where memory is wanting.
  init?(_ file: AudioFile) {
    guard let made = mpg123_new(nil, nil) else { return nil }
    (handle, source) = (made, FileSource(file))
    let context = Unmanaged.passUnretained(source).toOpaque()
    let isOpen = source.bounded(by: .usual) {
      reveille_mpg123_set_up(made) == reveille_mpg123_ok()
        && reveille_mpg123_open(made, context, Mpg123.readBytes, Mpg123.seekByte) == reveille_mpg123_ok()
    }
    guard isOpen ?? false else { return nil }
  }

  deinit {
    mpg123_close(handle)
    mpg123_delete(handle)
  }

  /// Rate and channels of what comes next, nil where no frame is found in time or it would not come as 32-bit floats.
  func layout(within patience: Patience = .waiting(.seconds(1))) -> (rate: Int, channels: Int)? {
    var (rate, channels, encoding): (Int, Int32, Int32) = (0, 0, 0)
    let isKnown = source.bounded(by: patience) {
      mpg123_getformat(handle, &rate, &channels, &encoding) == reveille_mpg123_ok()
    }
    guard isKnown ?? false, encoding == reveille_mpg123_float() else { return nil }
    return (rate, Int(channels))
  }

  /// Allows no other layout from here on: a frame with more or fewer channels is brought to it.
  func fix(rate: Int, channels: Int) {
    mpg123_format_none(handle)
    mpg123_format(handle, rate, Int32(channels), reveille_mpg123_float())
  }

  /// Frames in all without delay and padding: by the Info header before a `scan`, counted after. nil where unknown.
  var length: Int64? {
    let frames = reveille_mpg123_length(handle)
    return frames > 0 ? frames : nil
  }

  /// Looks at the header of every frame of the file, so that length and seeks are exact; false where that would take
  /// longer than that. (`mpg123_scan`)
  func scan(within patience: Patience) -> Bool {
    source.bounded(by: patience) { mpg123_scan(handle) == reveille_mpg123_ok() } ?? false
  }

  /// `gaveUp`, and what came until then, where the next frame was not found in time. (`mpg123_read`)
  func read(
    into samples: UnsafeMutableBufferPointer<Float>, within patience: Patience
  ) -> (samples: Int, outcome: Outcome) {
    var bytes = 0
    let result = source.bounded(by: patience) {
      mpg123_read(handle, samples.baseAddress, samples.count * MemoryLayout<Float>.stride, &bytes)
    }
    let outcome: Outcome =
      switch result {
      case nil: .gaveUp
      case reveille_mpg123_ok(): .good
      case reveille_mpg123_done(): .end
      case reveille_mpg123_new_format(): .newFormat
      default: .failed
      }
    return (bytes / MemoryLayout<Float>.stride, outcome)
  }

  /// Where it stands afterwards, nil where it could not go there, or not in time. (`mpg123_seek`)
  func seek(to frame: Int64, within patience: Patience) -> Int64? {
    let reached = source.bounded(by: patience) { reveille_mpg123_seek(handle, frame) } ?? -1
    return reached < 0 ? nil : reached
  }

  private static let readBytes:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> Int = {
      source, target, count in
      guard let source, let target else { return -1 }
      return Unmanaged<FileSource>.fromOpaque(source).takeUnretainedValue().read(count, into: target)
    }

  private static let seekByte: @convention(c) (UnsafeMutableRawPointer?, off_t, Int32) -> off_t = {
    source, offset, whence in
    guard let source else { return -1 }
    return off_t(Unmanaged<FileSource>.fromOpaque(source).takeUnretainedValue().seek(Int64(offset), whence))
  }

  /// ID3v2 where it says something, else ID3v1. (`mpg123_id3`)
  var tags: Tags {
    var tags = Tags()
    var first: UnsafeMutablePointer<mpg123_id3v1>?
    var second: UnsafeMutablePointer<mpg123_id3v2>?
    guard mpg123_id3(handle, &first, &second) == reveille_mpg123_ok() else { return tags }
    if let second = second?.pointee {
      tags.title = Mpg123.text(second.title)
      tags.artist = Mpg123.text(second.artist)
      tags.album = Mpg123.text(second.album)
    }
    if let first = first?.pointee {
      if tags.title.isEmpty { tags.title = Mpg123.text(first.title) }
      if tags.artist.isEmpty { tags.artist = Mpg123.text(first.artist) }
      if tags.album.isEmpty { tags.album = Mpg123.text(first.album) }
    }
    return tags
  }

  /// libmpg123 has made UTF-8 of whatever ID3v2 had; several values of one field stand behind each other with NULs.
  private static func text(_ string: UnsafeMutablePointer<mpg123_string>?) -> String {
    guard let string = string?.pointee, let start = string.p, string.fill > 0 else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: string.fill).prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// 30 bytes filled up with NULs or blanks: UTF-8 where it is valid, else Latin-1.
  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { raw in
      var bytes = Array(raw.prefix { $0 != 0 })
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }
}
