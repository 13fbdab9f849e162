import CSndfile
import Platform

/// One open `SNDFILE`, closed when the last reference goes. Reads from the file's descriptor, which it does not close.
final class Sndfile {
  let info: SF_INFO
  private let handle: OpaquePointer
  /// Held because the handle reads from its descriptor.
  private let file: AudioFile

  /// nil where libsndfile does not make head or tail of it. (`sf_open_fd`)
  init?(_ file: AudioFile) {
    var info = SF_INFO()
    guard let handle = sf_open_fd(file.rewound(), Int32(SFM_READ), &info, 0) else { return nil }
    (self.info, self.handle, self.file) = (info, handle, file)
  }

  deinit { sf_close(handle) }

  /// Whole frames, at most `frames` of them; 0 at the end, on an error and at damage alike. (`sf_readf_float`)
  func read(into samples: UnsafeMutableBufferPointer<Float>, frames: Int) -> Int {
    precondition(frames >= 0 && samples.count / Int(info.channels) >= frames)
    guard frames > 0 else { return 0 }
    return max(0, Int(sf_readf_float(handle, samples.baseAddress, sf_count_t(frames))))
  }

  /// Where it stands afterwards, nil where it could not go there. After that the handle is of no more use: FLAC then
  /// fails wherever it is sent. (`sf_seek`)
  func seek(to frame: Int64) -> Int64? {
    let reached = sf_seek(handle, frame, Int32(SF_SEEK_SET))
    return reached < 0 ? nil : reached
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
