import Glibc

/// The scale of volumes: 0 … 100 as a person turns the knob.
///
/// Hearing is not linear, so the factor is the cube of the share, as PulseAudio has it: 100 is 0 dB and leaves every
/// sample as it is, 80 is −5.8 dB, 50 is −18 dB, 10 is −60 dB, 0 is silence.
public enum Loudness {
  /// The factor samples are multiplied by.
  public static func factor(percent: Int) -> Double {
    let share = Double(min(100, max(0, percent))) / 100
    return share * share * share
  }

  static func factor(decibels: Double) -> Double { pow(10, decibels / 20) }
  static func decibels(_ factor: Double) -> Double { 20 * log10(factor) }
}

/// A factor on its way to another one, in even steps of decibels, so that a fade sounds even.
struct Ramp: Sendable {
  private(set) var value: Double
  private(set) var target: Double
  private var left = 0
  private var step = 0.0

  /// −60 dB stands for silence at either end of a fade, which then jumps unheard.
  private static let floor = 0.001

  init(_ value: Double) { (self.value, target) = (value, value) }

  var isMoving: Bool { left > 0 }
  /// Silent, and to stay so.
  var isShut: Bool { left == 0 && value == 0 }

  /// Moves to `target` over a number of frames from here.
  mutating func move(to target: Double, frames: Int) {
    self.target = target
    guard frames > 0, target != value else {
      value = target
      left = 0
      return
    }
    if value < Ramp.floor { value = min(Ramp.floor, max(target, 0)) }
    left = frames
    step = value > 0 ? log(max(target, Ramp.floor) / value) / Double(frames) : 0
  }

  /// Goes on by a number of frames; the value then.
  mutating func advance(_ frames: Int) -> Double {
    if left > frames {
      left -= frames
      value *= exp(step * Double(frames))
    } else if left > 0 {
      left = 0
      value = target
    }
    return value
  }
}
