/// How far ahead of the ear a device is kept, and how far down that may go before more is given.
///
/// What is on its way to the ear is how late a key is heard, so that counts and not what is queued at a sound server alone:
/// the sink behind it holds up to one step more. Every turn wakes two threads here and one at the server, so turns are rare.
struct Pace {
  /// Frames on their way to the ear after a turn, and those left when the next one is due.
  let top: Int
  let low: Int
  private let step: Int

  /// Seconds: keys are heard within a quarter of one while something sounds, the fade to another place in a track included,
  /// and a track within 450 ms out of silence.
  private static let busy = 0.225
  private static let idle = 0.39
  /// Seconds that are left for this thread and the server's to be late, besides the step that is taken next.
  private static let reserve = 0.04

  /// `margin`: µs that are queued more because this machine is late.
  init(_ device: any SoundDevice, busy: Bool, margin: Int64) {
    step = device.step
    let more = device.format.frames(Double(margin) / 1_000_000)
    top = min(device.format.frames(busy ? Pace.busy : Pace.idle) + more, device.bufferFrames)
    low = min(step + device.format.frames(Pace.reserve) + more, top * 2 / 3)
  }

  /// Frames on their way to the ear, of which `queued` have not been taken yet as far as the device says. That, and the
  /// device's line, can each be off by a step.
  func left(queued: Int, heard: Int64, of device: any SoundDevice) -> Int {
    guard device.knowsItsLine else { return queued + step }
    return min(max(Int(device.given - heard), queued - step), queued + step)
  }
}
