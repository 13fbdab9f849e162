import Platform

// When a device is let go.
extension Output {
  /// Closes where nobody needs the device any more, or another one is wanted; nil where it stays.
  func closeIfUnwanted(
    _ device: any SoundDevice, _ orders: Orders, _ state: Look, heard: Int64, now: Int64
  ) -> Bool? {
    let changes = orders.quits || orders.isSuspended || (orders.wish.map { !serves($0) } ?? false)
    guard orders.wish == nil || changes else {
      if closingSince != nil {
        closingSince = nil
        return inside { stage.mixer.unyield() } == nil ? false : nil
      }
      return nil
    }
    if changes, closingSince == nil {
      closingSince = now
      guard inside({ stage.mixer.yield() }) != nil else { return false }
      return nil
    }
    let isLate = closingSince.map { now - $0 > 1_000_000 } ?? false
    guard isLate || (!state.isBusy && surely(heard, device) >= state.lastSound) else { return nil }
    if isInterrupted, orders.wish != nil {
      // The interruption lasts until the other device consumes frames.
      self.device = nil
      openFor = nil
      missingSince = nil
    } else {
      close()
    }
    return true
  }

  /// Whether what is open does for a wish: another device than the one asked for only while a ring needs it and that one
  /// is not back.
  func serves(_ wish: DeviceWish) -> Bool {
    guard let openFor, wish.matches(openFor) else { return false }
    guard let pcm = device as? any OpenDevice, pcm.name != wish.device else { return true }
    return !wish.others.isEmpty && !(scout?.hasFound ?? false)
  }
}
