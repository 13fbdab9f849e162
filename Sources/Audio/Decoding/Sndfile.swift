import CSndfile
import Platform

/// One open `SNDFILE`, closed when the last reference goes.
final class Sndfile {
  let info: SF_INFO
  private let handle: OpaquePointer
  /// Held because the handle reads through it, by an unretained pointer.
  private let source: FileSource

  /// nil where libsndfile does not make head or tail of it, or not in time. Only the first `length` bytes count, where
  /// that is said. (`sf_open_virtual`)
  init?(_ file: AudioFile, length: Int64? = nil, within patience: Patience = .usual) {
    let source = FileSource(file, length: length)
    var calls = Sndfile.calls
    var info = SF_INFO()
    var opened: OpaquePointer?
    let isInTime: Void? = source.bounded(by: patience) {
      opened = sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
    }
    guard let handle = opened else { return nil }
    guard isInTime != nil else {
      _ = withExtendedLifetime(source) { sf_close(handle) }
      return nil
    }
    (self.info, self.handle, self.source) = (info, handle, source)
  }

  deinit { sf_close(handle) }

  /// How far it has come in the file, in bytes.
  var offset: Int64 { source.at }
  var isAtEnd: Bool { source.at >= source.length }

  /// Whole frames, at most `frames` of them; 0 at the end, on an error, at damage and where patience is over alike.
  /// (`sf_readf_float`)
  func read(
    into samples: UnsafeMutableBufferPointer<Float>, frames: Int, within patience: Patience = .usual
  ) -> Int {
    precondition(frames >= 0 && samples.count / Int(info.channels) >= frames)
    guard frames > 0 else { return 0 }
    let got = source.bounded(by: patience) {
      sf_readf_float(handle, samples.baseAddress, sf_count_t(frames))
    }
    return max(0, Int(got ?? 0))
  }

  /// Where it stands afterwards, nil where it could not go there, or not in time. After that the handle is of no more
  /// use: FLAC then fails wherever it is sent. (`sf_seek`)
  func seek(to frame: Int64, within patience: Patience = .usual) -> Int64? {
    let reached = source.bounded(by: patience) { sf_seek(handle, frame, Int32(SF_SEEK_SET)) } ?? -1
    return reached < 0 ? nil : reached
  }

  private static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { Sndfile.source($0)?.length ?? 0 },
      seek: { offset, whence, source in Sndfile.source(source)?.seek(offset, whence) ?? -1 },
      read: { target, count, source in
        guard let target else { return 0 }
        return sf_count_t(Sndfile.source(source)?.read(Int(count), into: target) ?? 0)
      },
      write: { _, _, _ in 0 },
      tell: { Sndfile.source($0)?.tell() ?? -1 })
  }

  private static func source(_ pointer: UnsafeMutableRawPointer?) -> FileSource? {
    pointer.map { Unmanaged<FileSource>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The frames that the file promises, nil where it does not say.
  var promise: Int64? {
    info.frames >= 0 && info.frames < reveille_sf_unknown_count() ? Int64(info.frames) : nil
  }

  var isSeekable: Bool { info.seekable != 0 }
  var container: Int32 { info.format & Int32(SF_FORMAT_TYPEMASK) }
  var coding: Int32 { info.format & Int32(SF_FORMAT_SUBMASK) }

  /// Bits of a sample, where samples are whole numbers.
  var bits: Int? {
    switch coding {
    case Int32(SF_FORMAT_PCM_S8), Int32(SF_FORMAT_PCM_U8): 8
    case Int32(SF_FORMAT_PCM_16), Int32(SF_FORMAT_ALAC_16): 16
    case Int32(SF_FORMAT_ALAC_20): 20
    case Int32(SF_FORMAT_PCM_24), Int32(SF_FORMAT_ALAC_24): 24
    case Int32(SF_FORMAT_PCM_32), Int32(SF_FORMAT_ALAC_32): 32
    default: nil
    }
  }

  /// MPEG audio inside a WAV or on its own, which is left to libmpg123.
  var isMPEG: Bool {
    container == Int32(SF_FORMAT_MPEG)
      || [Int32(SF_FORMAT_MPEG_LAYER_I), Int32(SF_FORMAT_MPEG_LAYER_II), Int32(SF_FORMAT_MPEG_LAYER_III)]
        .contains(coding)
  }

  /// (`sf_get_string`)
  var tags: Tags {
    var tags = Tags()
    func text(_ kind: Int) -> String { sf_get_string(handle, Int32(kind)).map { String(cString: $0) } ?? "" }
    tags.title = text(SF_STR_TITLE)
    tags.artist = text(SF_STR_ARTIST)
    tags.album = text(SF_STR_ALBUM)
    return tags
  }
}
