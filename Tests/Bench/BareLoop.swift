import CALSA
import CSndfile
import Glibc

/// The least a player can be: libsndfile into ALSA's `default`, blocking, nothing else. What it costs is what playing
/// costs on this machine, and the measure for ours.
enum BareLoop {
  static func run(_ path: String) -> Int32 {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { return 1 }
    defer { sf_close(file) }
    var handle: OpaquePointer?
    guard snd_pcm_open(&handle, "default", SND_PCM_STREAM_PLAYBACK, 0) == 0, let handle else { return 1 }
    defer { snd_pcm_close(handle) }
    let channels = UInt32(info.channels)
    guard
      snd_pcm_set_params(
        handle, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, channels, UInt32(info.samplerate), 1,
        200_000)
        == 0
    else { return 1 }
    var samples = [Int16](repeating: 0, count: 2048 * Int(channels))
    while true {
      let frames = sf_readf_short(file, &samples, 2048)
      if frames <= 0 { break }
      var written = 0
      while written < Int(frames) {
        let count = samples.withUnsafeBufferPointer { buffer in
          snd_pcm_writei(
            handle, buffer.baseAddress.map { $0 + written * Int(channels) },
            snd_pcm_uframes_t(Int(frames) - written))
        }
        if count < 0 {
          if snd_pcm_recover(handle, Int32(count), 1) < 0 { return 1 }
        } else {
          written += count
        }
      }
    }
    snd_pcm_drain(handle)
    return 0
  }

  /// Decodes a whole file by libsndfile alone; the frames.
  static func decode(_ path: String) -> Int {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { return 0 }
    defer { sf_close(file) }
    var samples = [Float](repeating: 0, count: 4096 * Int(max(1, info.channels)))
    var sum = 0
    while true {
      let frames = sf_readf_float(file, &samples, 4096)
      if frames <= 0 { return sum }
      sum += Int(frames)
    }
  }
}
