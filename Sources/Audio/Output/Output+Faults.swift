import CALSA
import Glibc
import Platform

extension Output {
  // MARK: Resting between clips

  /// µs: so long before a clip the device runs again, because what is queued and the device's time line have to be known
  /// for the clip to begin at its instant; and so much longer must the rest be to be one.
  private static let clipLead: Int64 = 600_000
  private static let leastRest: Int64 = 200_000

  /// True where it went to rest.
  func rests(
    _ device: any SoundDevice, _ orders: Orders, _ state: Look, heard: Int64, now: Int64
  ) -> Bool {
    let heard = surely(heard, device)
    guard orders.keepAlive.interval != nil, closingSince == nil, orders.wish != nil, watch.hasConsumed,
      !state.isBusy, heard >= state.lastSound, (state.nextBeginning ?? .max) > now + 2_000_000
    else { return false }
    let mayRest = inside { stage.clip.isBetweenClips && heard >= stage.clip.end ? stage.clip.due : nil }
    guard let due = mayRest ?? nil, due - now > Output.clipLead + Output.leastRest, device.pause(true) else {
      return false
    }
    isAtRest = true
    return true
  }

  /// What has been heard for certain: as long as a device's line is only guessed the guess is up to a step of the server
  /// early, and what is let go then is cut off, or comes when the device goes on.
  func surely(_ heard: Int64, _ device: any SoundDevice) -> Int64 {
    device.knowsItsLine ? heard : heard - Int64(device.format.frames(0.1))
  }

  func stayAtRest(_ device: any SoundDevice, _ orders: Orders, _ now: Int64) -> Bool {
    let looked = inside { (stage.mixer.isBusy, stage.mixer.nextBeginning ?? .max, stage.clip.due) }
    guard let (isBusy, beginning, due) = looked else { return false }
    let mayRest =
      orders.keepAlive.interval != nil && orders.wish != nil && !orders.quits
      && orders.wish.map { serves($0) } == true
    let until = min(due - Output.clipLead, beginning - 2_000_000)
    if mayRest, !isBusy, now < until {
      stage.promiseReturn(within: until - now + 1_000_000, now: now)
      stage.bell.wait(microseconds: until - now)
      return true
    }
    isAtRest = false
    if !device.pause(false) { return recover(device, code: -Int(EPIPE), orders: orders) }
    watch.restart(now: now)
    return true
  }

  // MARK: Faults

  func recover(_ device: any SoundDevice, code: Int, orders: Orders) -> Bool {
    let now = Clocks.monotonicMicroseconds()
    guard let pcm = device as? any OpenDevice else { return lose(PCM.reason(code), wish: orders.wish) }
    let name = clean(pcm.name)
    switch code {
    case -Int(EPIPE), -Int(ESTRPIPE):
      if code == -Int(ESTRPIPE) {
        guard let woke = pcm.wake() else {
          stage.bell.wait(microseconds: 100_000)
          return true
        }
        if woke { return true }
      } else {
        stage.underruns.add(1, ordering: .relaxed)
      }
      // A dead server looks like an underrun: prepared twice without a frame consumed between is a loss.
      guard watch.mayPrepare(now: now), pcm.prepare() else {
        return lose(
          "the sound device “\(name)” does not take sound any more; it sounds again when it does",
          wish: orders.wish)
      }
      stage.streams.add(1, ordering: .relaxed)
      return true
    default:
      return lose(
        "the sound device “\(name)” went away: \(pcm.reason(code)); it sounds again when it is back",
        wish: orders.wish)
    }
  }
}
