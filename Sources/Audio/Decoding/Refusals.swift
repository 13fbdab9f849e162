import Glibc
import Platform

/// The sentences with which a file is refused: the thing, the cause, the way out. Names are shown sanitised.
extension AudioError {
  static func cannotOpen(_ name: FileName, _ code: Int32) -> AudioError {
    switch code {
    case ENOENT, ENOTDIR:
      AudioError(.unreadable, "“\(name.shown)” does not exist; check the name and the folder")
    case EACCES, EPERM:
      AudioError(
        .unreadable, "“\(name.shown)” may not be read: \(SystemError.reason(code)); allow it with chmod")
    default:
      AudioError(
        .unreadable, "“\(name.shown)” cannot be read: \(SystemError.reason(code)); mend that and try again")
    }
  }

  static func isFolder(_ name: FileName) -> AudioError {
    AudioError(.undecodable, "“\(name.shown)” is a folder; name an audio file in it")
  }

  static func isNoFile(_ name: FileName, _ kind: String) -> AudioError {
    AudioError(.undecodable, "“\(name.shown)” is \(kind), not a file; save the sound to a file first")
  }

  static func isEmpty(_ name: FileName) -> AudioError {
    AudioError(.undecodable, "“\(name.shown)” is empty; copy or download it again")
  }

  static func isUnknown(_ name: FileName) -> AudioError {
    AudioError(
      .undecodable,
      "“\(name.shown)” is not audio of a known kind; name another file, or convert it, e.g. to FLAC or Ogg")
  }

  /// `kind` is one that is known and beyond the decoders: `AAC/M4A`.
  static func isForeign(_ name: FileName, _ kind: String) -> AudioError {
    AudioError(.undecodable, "“\(name.shown)”: \(kind) cannot be decoded; convert it, e.g. to FLAC or Ogg")
  }

  static func isDamaged(_ name: FileName, as kind: String) -> AudioError {
    AudioError(
      .undecodable,
      "“\(name.shown)” begins like \(kind) but is damaged, cut short or of a rare sort; copy it again, "
        + "or convert it, e.g. to FLAC or Ogg")
  }

  static func hasNoSound(_ name: FileName) -> AudioError {
    AudioError(
      .undecodable,
      "“\(name.shown)” holds no sound that can be decoded: it is empty, damaged or cut short; copy it again")
  }

  static func isAbsurd(_ name: FileName, _ channels: Int, _ rate: Int) -> AudioError {
    AudioError(
      .undecodable,
      "“\(name.shown)” claims \(channels) channels at \(rate) Hz, which cannot be played "
        + "(1 to 32 channels, 1000 to 768000 Hz); it is damaged: copy it again")
  }

  static func hasNoMemory(_ name: FileName) -> AudioError {
    AudioError(.undecodable, "“\(name.shown)” cannot be decoded for want of memory; close other programs")
  }
}

extension SourceFormat {
  /// What is refused as nonsense, however well the rest of the header reads.
  var isAbsurd: Bool { !(1000...768_000).contains(rate) || !(1...32).contains(channels) }

  /// A place in the file as people read it: `3:07`, `1:02:07`.
  func clock(_ frame: Int64) -> String {
    let seconds = max(0, frame) / Int64(max(1, rate))
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }

  /// A length as people read it: `0.4 s`.
  func span(_ frames: Int64) -> String {
    let tenths = (max(0, frames) * 10 + Int64(rate) / 2) / Int64(max(1, rate))
    return tenths == 0 ? "less than 0.1 s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
