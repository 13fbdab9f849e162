import CALSA
import Glibc
import Platform

extension Output {
  // MARK: Resting between clips

  /// True where it went to rest.
  func rests(
    _ device: any SoundDevice, _ orders: Orders, _ state: Look, heard: Int64, now: Int64
  ) -> Bool {
    let mayRest = orders.keepAlive.interval != nil && closingSince == nil && orders.wish != nil
    let isQuiet = !state.isBusy && heard >= state.lastSound
    let ringIsFar = (state.nextBeginning ?? .max) > now + 2_000_000
    guard mayRest, isQuiet, ringIsFar, watch.hasConsumed, let interval = orders.keepAlive.interval else {
      rest.clipEnd = nil
      return false
    }
    guard let end = rest.clipEnd else {
      // A clip has just begun, or the music has just ended: one clip's length, then rest.
      let frames = orders.keepAlive.clip.map { max(1, $0.frames) } ?? device.format.frames(0.5)
      rest.clipEnd = device.given + Int64(frames)
      rest.nextClip += interval
      if rest.nextClip <= now { rest.nextClip = now + interval }
      _ = inside { stage.rewindClip() }
      return false
    }
    guard heard >= end, device.pause(true) else { return false }
    rest.isPaused = true
    return true
  }

  func stayAtRest(_ device: any SoundDevice, _ orders: Orders, _ now: Int64) -> Bool {
    let looked = inside { (stage.mixer.isBusy, stage.mixer.nextBeginning ?? .max) }
    guard let (isBusy, beginning) = looked else { return false }
    let mayRest =
      orders.keepAlive.interval != nil && orders.wish != nil && !orders.quits
      && orders.wish.map { serves($0) } == true
    let until = min(rest.nextClip, beginning - 2_000_000)
    if mayRest, !isBusy, now < until {
      stage.promiseReturn(within: until - now + 1_000_000, now: now)
      stage.bell.wait(microseconds: until - now)
      return true
    }
    rest.isPaused = false
    rest.clipEnd = nil
    if !device.pause(false) { return recover(device, code: -Int(EPIPE), orders: orders) }
    watch.restart(now: now)
    return true
  }

  // MARK: Faults

  func recover(_ device: any SoundDevice, code: Int, orders: Orders) -> Bool {
    let now = Clocks.monotonicMicroseconds()
    guard let pcm = device as? PCM else { return lose(PCM.reason(code), wish: orders.wish) }
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
        return lose("the sound device “\(name)” does not take sound any more", wish: orders.wish)
      }
      stage.streams.add(1, ordering: .relaxed)
      return true
    default:
      return lose("the sound device “\(name)” went away: \(PCM.reason(code))", wish: orders.wish)
    }
  }
}
