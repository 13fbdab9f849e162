/// Holds the sum under full scale, and does nothing at all where it is under it by itself.
///
/// The gain goes down evenly over the 64 frames before a peak where the peak is known in time, at once where it is
/// not, and comes back within a fifth of a second.
struct Limiter: Sendable {
  private var gain: Float = 1
  private static let block = 64

  mutating func process(_ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int, rate: Int) {
    if gain == 1, Kernels.peak(samples, count: frames * channels) <= 1 { return }
    let recovery = Float(Limiter.block) / (0.2 * Float(rate))
    var at = 0
    var here = Limiter.allowed(samples, min(Limiter.block, frames), channels)
    while at < frames {
      let count = min(Limiter.block, frames - at)
      let rest = frames - at - count
      let next =
        rest > 0 ? Limiter.allowed(samples + (at + count) * channels, min(Limiter.block, rest), channels) : 1
      let first = min(gain, here)
      let last = min(here, next, min(1, first + recovery))
      if first != 1 || last != 1 {
        Kernels.scale(samples + at * channels, frames: count, channels: channels, from: first, to: last)
      }
      gain = last
      here = next
      at += count
    }
  }

  private static func allowed(_ samples: UnsafePointer<Float>, _ frames: Int, _ channels: Int) -> Float {
    let peak = Kernels.peak(samples, count: frames * channels)
    return peak > 1 ? 1 / peak : 1
  }
}
