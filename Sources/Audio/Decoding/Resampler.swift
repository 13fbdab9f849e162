import CSoxr

/// Interleaved floats from one rate to another, in high quality (soxr, 20-bit recipe). Not thread-safe: one worker owns it.
///
/// Frame k of the output belongs to frame k × input rate / output rate of the input: soxr takes its own delay away. After
/// `flush` the frames that came out are those that went in times the ratio, ±1.
public final class Resampler {
  public let inputRate: Int
  public let outputRate: Int
  public let channels: Int
  private let handle: soxr_t

  /// Rates in frames a second, 1 to 32 channels. Throws where soxr cannot be had (memory).
  public init(from inputRate: Int, to outputRate: Int, channels: Int) throws(AudioError) {
    precondition(inputRate > 0 && outputRate > 0 && channels > 0)
    guard let made = reveille_soxr_make(Double(inputRate), Double(outputRate), UInt32(channels)) else {
      throw AudioError(
        .undecodable,
        "cannot convert from \(inputRate) to \(outputRate) Hz: the resampler found no memory; close other programs"
      )
    }
    (self.inputRate, self.outputRate, self.channels, handle) = (inputRate, outputRate, channels, made)
  }

  deinit { soxr_delete(handle) }

  /// Takes what it can of the input and fills what it can of the output, both in whole frames. (`soxr_process`)
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    guard !input.isEmpty else { return (0, 0) }
    return run(input.baseAddress, frames: input.count / channels, into: output)
  }

  /// Says that no input follows and fetches what is left; call until it answers 0. (`soxr_process` without input)
  public func flush(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    run(nil, frames: 0, into: output).produced
  }

  /// Forgets everything: ready for another piece at the same rates. (`soxr_clear`)
  public func reset() { soxr_clear(handle) }

  private func run(
    _ input: UnsafePointer<Float>?, frames: Int, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    var consumed = 0
    var produced = 0
    let room = output.count / channels
    guard room > 0 else { return (0, 0) }
    let error = soxr_process(handle, input, frames, &consumed, output.baseAddress, room, &produced)
    // soxr fails only on null pointers and nonsensical sizes: a bug here, not a fault of the file.
    precondition(error == nil)
    return (consumed, produced)
  }
}
