import Platform

/// Audio files for tests, made by ffmpeg from samples that are the same on every machine.
public enum SoundFiles {
  /// What is in the file, and how ffmpeg is told to put it there.
  public enum Kind: String, CaseIterable, Sendable {
    case wav16, wav24, wavFloat, aiff16, flac16, flac24, vorbis, opus, mp3

    public var ending: String {
      switch self {
      case .wav16, .wav24, .wavFloat: "wav"
      case .aiff16: "aiff"
      case .flac16, .flac24: "flac"
      case .vorbis: "ogg"
      case .opus: "opus"
      case .mp3: "mp3"
      }
    }

    /// Whether decoded samples are those that went in.
    public var isLossless: Bool { ![.vorbis, .opus, .mp3].contains(self) }

    var options: [String] {
      switch self {
      case .wav16: ["-c:a", "pcm_s16le"]
      case .wav24: ["-c:a", "pcm_s24le"]
      case .wavFloat: ["-c:a", "pcm_f32le"]
      case .aiff16: ["-c:a", "pcm_s16be"]
      case .flac16: ["-c:a", "flac", "-sample_fmt", "s16"]
      case .flac24: ["-c:a", "flac", "-sample_fmt", "s32", "-bits_per_raw_sample", "24"]
      case .vorbis: ["-c:a", "libvorbis", "-q:a", "6"]
      case .opus: ["-c:a", "libopus", "-b:a", "160k"]
      case .mp3: ["-c:a", "libmp3lame", "-b:a", "192k"]
      }
    }
  }

  /// Makes a file of tones, within ±0.6; blocks for as long as ffmpeg takes. `tags` go in as ffmpeg names them.
  @discardableResult
  public static func make(
    _ kind: Kind, in folder: TemporaryFolder, named name: String? = nil, seconds: Double = 3,
    rate: Int = 44_100,
    channels: Int = 2, tags: [(String, String)] = []
  ) throws -> FileName {
    let file = folder.file(name ?? "\(kind.rawValue).\(kind.ending)")
    let layouts = [1: "mono", 2: "stereo", 6: "5.1"]
    // In each channel a tone of its own that swells, with a little noise on it; the low-frequency channel a deep one.
    let tones = (0..<channels).map { channel in
      "(0.5*sin(2*PI*\(channel == 3 ? 60 : 300 + 130 * channel)*t)+0.1*random(\(channel)))*(0.2+mod(t\\,0.7))"
    }
    let source =
      "aevalsrc=\(tones.joined(separator: "|")):c=\(layouts[channels] ?? "\(channels)c"):s=\(rate):d=\(seconds)"
    let words =
      ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-fflags", "+bitexact"]
      + tags.flatMap { ["-metadata", "\($0.0)=\($0.1)"] } + kind.options
      + (kind == .opus && channels > 2 ? ["-mapping_family", "1"] : []) + [file.shown]
    try runOrThrow(words)
    return file
  }

  /// What ffmpeg makes of a file: interleaved, at the file's own rate and channels; by its own decoder of the format, which
  /// shares no code with ours, or by `decoder`.
  public static func decode(_ file: FileName, by decoder: String? = nil) throws -> [Float] {
    let choice = decoder.map { ["-c:a", $0] } ?? []
    let bytes = try runOrThrow(
      ["ffmpeg", "-v", "error"] + choice + ["-i", file.shown, "-f", "f32le", "-c:a", "pcm_f32le", "pipe:1"])
    return bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  /// Interleaved: in each channel a tone of its own that swells and fades, with a little noise on it; within ±0.6.
  public static func samples(frames: Int, channels: Int) -> [Float] {
    var noise: UInt32 = 1
    var phases = [Double](repeating: 0, count: channels)
    var result: [Float] = []
    result.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      let swell = Double(frame % 20_000) / 20_000
      for channel in 0..<channels {
        phases[channel] += 0.02 + 0.013 * Double(channel)
        if phases[channel] >= 2 { phases[channel] -= 4 }
        // A parabola for a sine: no maths library, the same everywhere.
        let x = phases[channel]
        let tone = x * (2 - abs(x))
        noise = noise &* 1_664_525 &+ 1_013_904_223
        result.append(Float(tone * swell * 0.5 + (Double(noise >> 16) / 65_536 - 0.5) * 0.1))
      }
    }
    return result
  }

  /// A WAV file of whole numbers of 16 or 24 bits.
  public static func wave(_ samples: [Float], rate: Int, channels: Int, bits: Int = 16) -> [UInt8] {
    let size = bits / 8
    var bytes =
      Array("RIFF".utf8) + little(36 + samples.count * size, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    bytes += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * size, 4)
    bytes +=
      little(channels * size, 2) + little(bits, 2) + Array("data".utf8) + little(samples.count * size, 4)
    let scale = Float(1 << (bits - 1)) - 1
    for sample in samples { bytes += little(Int((sample * scale).rounded()), size) }
    return bytes
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
