/// The loops that touch every sample. The compiler checks that they neither allocate nor lock.
enum Kernels {
  typealias Samples = UnsafeMutablePointer<Float>

  @_noLocks @_noAllocation
  static func clear(_ out: Samples, count: Int) {
    var index = 0
    while index < count {
      out[index] = 0
      index &+= 1
    }
  }

  /// Adds without a gain: a lone voice comes through as it is.
  @_noLocks @_noAllocation
  static func add(_ source: UnsafePointer<Float>, to out: Samples, count: Int) {
    var index = 0
    while index < count {
      out[index] += source[index]
      index &+= 1
    }
  }

  /// Adds with a gain that goes evenly from `first` to `last`.
  @_noLocks @_noAllocation
  static func add(
    _ source: UnsafePointer<Float>, to out: Samples, frames: Int, channels: Int, from first: Double,
    to last: Double
  ) {
    let step = (last - first) / Double(max(1, frames))
    var frame = 0
    var at = 0
    while frame < frames {
      let gain = Float(first + step * Double(frame))
      var channel = 0
      while channel < channels {
        out[at] += source[at] * gain
        at &+= 1
        channel &+= 1
      }
      frame &+= 1
    }
  }

  /// The largest magnitude; a sample that is no number counts as nothing.
  @_noLocks @_noAllocation
  static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    // Without their signs floats are in the order of their bits, of which the compiler compares several at once.
    var most: Int32 = 0
    var index = 0
    while index < count {
      let bits = Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF)
      most = bits > most ? bits : most
      index &+= 1
    }
    let peak = Float(bitPattern: UInt32(bitPattern: most))
    return peak.isNaN ? peakOfNumbers(samples, count: count) : peak
  }

  @_noLocks @_noAllocation
  private static func peakOfNumbers(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    var peak: Float = 0
    var index = 0
    while index < count {
      let size = samples[index].magnitude
      if size > peak { peak = size }
      index &+= 1
    }
    return peak
  }

  /// The largest magnitude and the sum of the squares of every `stride`th sample; what is no number counts as nothing.
  @_noLocks @_noAllocation
  static func level(_ samples: UnsafePointer<Float>, frames: Int, stride: Int) -> (peak: Float, square: Float)
  {
    var peak: Float = 0
    var square: Float = 0
    var at = 0
    var frame = 0
    while frame < frames {
      let size = samples[at].magnitude
      peak = size > peak ? size : peak
      square += size > 0 ? size * size : 0
      at &+= stride
      frame &+= 1
    }
    return (peak, square)
  }

  /// Multiplies by a gain that goes evenly from `first` to `last`.
  @_noLocks @_noAllocation
  static func scale(_ samples: Samples, frames: Int, channels: Int, from first: Float, to last: Float) {
    let step = (last - first) / Float(max(1, frames))
    var frame = 0
    var at = 0
    while frame < frames {
      let gain = first + step * Float(frame)
      var channel = 0
      while channel < channels {
        samples[at] *= gain
        at &+= 1
        channel &+= 1
      }
      frame &+= 1
    }
  }

  /// To whole numbers of `bits` bits that sit in the upper or lower end of a 32-bit word.
  @_noLocks @_noAllocation
  static func convert(
    _ samples: UnsafePointer<Float>, to out: UnsafeMutablePointer<Int32>, count: Int, bits: Int
  ) {
    let scale = Float(Int64(1) << Int64(bits &- 1))
    let least = Int32(truncatingIfNeeded: -(Int64(1) << Int64(bits &- 1)))
    let most = Int32(truncatingIfNeeded: (Int64(1) << Int64(bits &- 1)) &- 1)
    var index = 0
    while index < count {
      out[index] = whole(samples[index] * scale, scale: scale, least: least, most: most)
      index &+= 1
    }
  }

  /// To 16 bits; `noise` is the state of the dither's generator, nil for none (exact samples, silence).
  @_noLocks @_noAllocation
  static func convert16(
    _ samples: UnsafePointer<Float>, to out: UnsafeMutablePointer<Int16>, count: Int, dither: Bool,
    noise: inout UInt32
  ) {
    var index = 0
    while index < count {
      var value = samples[index] * 32_768
      if dither {
        // Triangular noise of two least bits' width (TPDF): the difference of two even ones.
        noise = noise &* 1_664_525 &+ 1_013_904_223
        let first = Float(noise >> 8) * 0x1p-24
        noise = noise &* 1_664_525 &+ 1_013_904_223
        value += first - Float(noise >> 8) * 0x1p-24
      }
      out[index] = Int16(
        truncatingIfNeeded: whole(value, scale: 32_768, least: -32_768, most: 32_767))
      index &+= 1
    }
  }

  /// To 24 bits in three bytes, the low one first.
  @_noLocks @_noAllocation
  static func convert24(_ samples: UnsafePointer<Float>, to out: UnsafeMutablePointer<UInt8>, count: Int) {
    var index = 0
    while index < count {
      let value = whole(samples[index] * 8_388_608, scale: 8_388_608, least: -8_388_608, most: 8_388_607)
      out[3 &* index] = UInt8(truncatingIfNeeded: value)
      out[3 &* index &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
      out[3 &* index &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
      index &+= 1
    }
  }

  @inline(__always) @_noLocks @_noAllocation
  private static func whole(_ value: Float, scale: Float, least: Int32, most: Int32) -> Int32 {
    if value >= scale { return most }
    // A sample that is no number fails this comparison too.
    guard value > -scale else { return value.isNaN ? 0 : least }
    // A float of this size has no fraction, and adding a half would change it.
    if value.magnitude >= 0x1p22 { return Int32(value) }
    return Int32(value < 0 ? value - 0.5 : value + 0.5)
  }
}
