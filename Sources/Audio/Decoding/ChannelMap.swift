/// How the channels of a source become those of a target; a value, made once for a track.
///
/// - same number: unchanged, bit for bit;
/// - mono → any: the same in the first two, silence in the rest;
/// - 3 to 8 channels (WAVE order) → stereo: front left and right, centre and surrounds at −3 dB (ITU-R BS.775), the
///   low-frequency channel left out, and the whole scaled so that full scale in every channel stays full scale;
/// - any → mono: the mean of the stereo form;
/// - else: the first channels one to one, the rest dropped or silent.
public struct ChannelMap: Hashable, Sendable {
  public let from: Int
  public let to: Int
  /// `to` rows of `from` factors.
  @usableFromInline let factors: [Float]
  public let isIdentity: Bool

  /// Both at least 1.
  public init(from: Int, to: Int) {
    precondition(from >= 1 && to >= 1)
    (self.from, self.to) = (from, to)
    isIdentity = from == to
    factors = ChannelMap.matrix(from: from, to: to)
  }

  /// Maps whole frames; `output` has room for `frames × to` samples, `input` holds `frames × from`. Does not allocate.
  @inlinable
  public func apply(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>, frames: Int
  ) {
    precondition(input.count >= frames * from && output.count >= frames * to)
    guard frames > 0, let read = input.baseAddress, let write = output.baseAddress else { return }
    if isIdentity {
      write.update(from: read, count: frames * from)
      return
    }
    factors.withUnsafeBufferPointer { factors in
      for frame in 0..<frames {
        for row in 0..<to {
          var sum: Float = 0
          for column in 0..<from {
            sum += factors[row * from + column] * read[frame * from + column]
          }
          write[frame * to + row] = sum
        }
      }
    }
  }

  private static func matrix(from: Int, to: Int) -> [Float] {
    var result = [Float](repeating: 0, count: from * to)
    switch (from, to) {
    case (_, 1) where from > 1:
      let stereo = from == 2 ? [1, 0, 0, 1] : matrix(from: from, to: 2)
      for column in 0..<from { result[column] = (stereo[column] + stereo[from + column]) / 2 }
    case (1, _):
      for row in 0..<min(2, to) { result[row] = 1 }
    case (3...8, 2):
      for (column, share) in layout(from).enumerated() {
        (result[column], result[from + column]) = share
      }
      let loudest = max(result[..<from].reduce(0, +), result[from...].reduce(0, +))
      for index in result.indices { result[index] /= loudest }
    default:
      for row in 0..<min(from, to) { result[row * from + row] = 1 }
    }
    return result
  }

  /// What each channel gives to left and right, in WAVE's order.
  private static func layout(_ channels: Int) -> [(Float, Float)] {
    let left: (Float, Float) = (1, 0)
    let right: (Float, Float) = (0, 1)
    let half = Float(0.5).squareRoot()
    let centre = (half, half)
    let none: (Float, Float) = (0, 0)
    let leftRear = (half, Float(0))
    let rightRear = (Float(0), half)
    switch channels {
    case 3: return [left, right, centre]
    case 4: return [left, right, leftRear, rightRear]
    case 5: return [left, right, centre, leftRear, rightRear]
    case 6: return [left, right, centre, none, leftRear, rightRear]
    case 7: return [left, right, centre, none, (0.5, 0.5), leftRear, rightRear]
    default: return [left, right, centre, none, leftRear, rightRear, leftRear, rightRear]
    }
  }
}
