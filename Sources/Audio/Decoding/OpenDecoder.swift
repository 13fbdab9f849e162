import Platform

/// Opens an audio file for decoding, by what it holds and never by its name.
///
/// libmpg123 takes MPEG audio, also behind ID3v2 tags; libsndfile everything else. Blocks on the disk (an MP3 is read
/// through once to know its length): for workers. Throws one sentence that names the file where it is missing, may
/// not be read, is a folder, a pipe or a device, is empty, or holds nothing that can be decoded.
public func openDecoder(_ file: FileName) throws(AudioError) -> any Decoder {
  let audio = try AudioFile(file)
  switch Content.of(audio) {
  case .foreign(let kind):
    throw .isForeign(file, kind)
  case .mpeg:
    return try Mpg123Decoder(audio)
  case .sampled(let kind):
    guard let handle = Sndfile(audio) else { throw .isDamaged(file, as: kind) }
    return handle.isMPEG ? try Mpg123Decoder(audio) : try SndfileDecoder(audio, handle)
  case .unknown:
    // libsndfile knows more kinds than are worth a signature here.
    guard let handle = Sndfile(audio), !handle.isMPEG else { throw .isUnknown(file) }
    return try SndfileDecoder(audio, handle)
  }
}
