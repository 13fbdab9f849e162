import CALSA

/// The sample formats that a device may have.
enum SampleFormat: CaseIterable {
  case s32, s24, s24packed, float, s16

  /// Those that are offered to a device, the best first: 32 bits hold every other one exactly. Sound servers mix floats,
  /// which hold 24 bits exactly, and ours need no conversion for them.
  static func offered(to kind: DeviceKind) -> [SampleFormat] {
    kind.isServer ? [.float, .s32, .s24, .s24packed, .s16] : allCases
  }

  var alsa: snd_pcm_format_t {
    switch self {
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s24packed: SND_PCM_FORMAT_S24_3LE
    case .float: SND_PCM_FORMAT_FLOAT_LE
    case .s16: SND_PCM_FORMAT_S16_LE
    }
  }

  /// Bytes of a sample.
  var size: Int {
    switch self {
    case .s32, .s24, .float: 4
    case .s24packed: 3
    case .s16: 2
    }
  }

  /// Bits of a sample; of a float those that count at full scale.
  var bits: Int {
    switch self {
    case .s32: 32
    case .s24, .s24packed, .float: 24
    case .s16: 16
    }
  }

  /// Converts samples; `noise` is the state of the dither's generator.
  func convert(
    _ samples: UnsafePointer<Float>, to out: UnsafeMutableRawPointer, count: Int, dither: Bool,
    noise: inout UInt32
  ) {
    switch self {
    case .s32:
      Kernels.convert(samples, to: out.assumingMemoryBound(to: Int32.self), count: count, bits: 32)
    case .s24:
      Kernels.convert(samples, to: out.assumingMemoryBound(to: Int32.self), count: count, bits: 24)
    case .s24packed: Kernels.convert24(samples, to: out.assumingMemoryBound(to: UInt8.self), count: count)
    case .float: out.copyMemory(from: samples, byteCount: count * 4)
    case .s16:
      Kernels.convert16(
        samples, to: out.assumingMemoryBound(to: Int16.self), count: count, dither: dither, noise: &noise)
    }
  }

  /// Makes frames of one channel or more the device's least bit, up and down 50 times a second; `given` is the number of
  /// the first frame at `out`.
  func put(
    _ least: Int32, to out: UnsafeMutableRawPointer, in frames: Range<Int>, of format: StreamFormat,
    after given: Int64
  ) {
    // Receivers mute after some thousand equal samples, whatever the rate.
    let half = Int64(min(2000, max(1, format.rate / 100)))
    for frame in frames {
      let value = (given + Int64(frame)) / half % 2 == 0 ? least : -least
      for channel in 0..<format.channels { put(value, to: out, at: frame * format.channels + channel) }
    }
  }

  /// Writes one sample of so many least bits.
  func put(_ least: Int32, to out: UnsafeMutableRawPointer, at index: Int) {
    switch self {
    case .s32, .s24: out.storeBytes(of: least, toByteOffset: index * 4, as: Int32.self)
    case .float: out.storeBytes(of: Float(least) * 0x1p-23, toByteOffset: index * 4, as: Float.self)
    case .s16:
      out.storeBytes(of: Int16(truncatingIfNeeded: least), toByteOffset: index * 2, as: Int16.self)
    case .s24packed:
      for byte in 0..<3 {
        out.storeBytes(
          of: UInt8(truncatingIfNeeded: least >> Int32(byte * 8)), toByteOffset: index * 3 + byte,
          as: UInt8.self)
      }
    }
  }
}
