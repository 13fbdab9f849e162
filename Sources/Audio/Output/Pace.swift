/// How far ahead of the ear a device is kept, and how far down that may go before more is given.
///
/// What is on its way to the ear is how late a key is heard, so that counts and not what is queued at a sound server alone:
/// the sink behind it holds up to one step more. Every turn wakes two threads here and one at the server, so turns are rare.
struct Pace {
  /// Frames on their way to the ear after a turn at most.
  let top: Int
  private let reserve: Int
  private let least: Int
  /// Frames of the steps that the device takes and of which it can be told when; 0 where that is not known.
  private let step: Int
  /// All that is queued was given in whole steps: a server takes the rest of one together with the next.
  private let isEven: Bool
  private let isBlind: Bool
  /// Frames given beyond whole steps, for clocks and resamplers that are not quite exact.
  private let excess: Int

  /// Seconds: keys are heard within a quarter of one while something sounds, the fade to another place in a track included,
  /// and a track within 450 ms out of silence.
  private static let busy = 0.225
  private static let idle = 0.39
  /// Seconds that are left for this thread and the server's to be late, besides the step that is taken next.
  private static let reserve = 0.04
  private static let excess = 0.004

  /// `margin`: µs that are queued more because this machine is late. `even`: turns before this one, in a row, after which
  /// whole steps were queued.
  init(_ device: any SoundDevice, busy: Bool, margin: Int64, even: Int = 0) {
    let more = device.format.frames(Double(margin) / 1_000_000)
    top = min(device.format.frames(busy ? Pace.busy : Pace.idle) + more, device.bufferFrames)
    reserve = device.format.frames(Pace.reserve) + more
    least = device.needs
    step = device.takesWholeSteps && device.knowsItsLine ? device.step : 0
    excess = device.format.frames(Pace.excess)
    isEven = step > 0 && even >= Pace.enough
    isBlind = !device.knowsItsLine
  }

  private static let enough = 3

  /// Frames on their way to the ear at which the next turn is due, where `queued` of them have not been taken yet.
  ///
  /// A device may take what it needs at any moment. One that takes whole steps takes the next when the one before has been
  /// heard, and lacks something only at the end of those that are queued: the rest of a step is then what is left.
  func low(queued: Int) -> Int { min((isEven ? queued % step : least) + reserve, top * 2 / 3) }

  /// Frames on their way to the ear at which more is given by a turn that came for another reason. Near enough to where the
  /// next one would be due, because a sound server takes frames in steps and would be asked again and again; any where
  /// nothing is known but what was queued a step ago.
  func middle(queued: Int) -> Int { isBlind ? top : (low(queued: queued) + top) / 2 }

  /// Whether these are whole steps.
  func isWhole(_ queued: Int) -> Bool { step > 0 && queued % step == excess }

  /// Frames to give, where `left` are on their way to the ear: up to the top, or to the last whole step below it.
  func room(queued: Int, left: Int) -> Int {
    let room = top - left
    guard step > 0, queued + room > excess else { return room }
    let whole = (queued + room - excess) / step * step + excess - queued
    return whole > 0 ? whole : room
  }

  /// Frames on their way to the ear, of which `queued` have not been taken yet as far as the device says. That, and the
  /// device's line, can each be off by a step.
  func left(queued: Int, heard: Int64, of device: any SoundDevice) -> Int {
    guard device.knowsItsLine else { return queued + device.step }
    return min(max(Int(device.given - heard), queued - device.step), queued + device.step)
  }
}
