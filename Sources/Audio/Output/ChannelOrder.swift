import CALSA
import Glibc

/// Where each channel of a device is, and how ours, which are in WAVE's order, get there.
enum ChannelOrder {
  /// ALSA's positions of WAVE's channels (`snd_pcm_chmap_position`).
  static func positions(_ channels: Int) -> [UInt32]? {
    let all: [snd_pcm_chmap_position]? =
      switch channels {
      case 1: [SND_CHMAP_MONO]
      case 2: [SND_CHMAP_FL, SND_CHMAP_FR]
      case 3: [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC]
      case 4: [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_RL, SND_CHMAP_RR]
      case 5: [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC, SND_CHMAP_RL, SND_CHMAP_RR]
      case 6: [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC, SND_CHMAP_LFE, SND_CHMAP_RL, SND_CHMAP_RR]
      case 7:
        [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC, SND_CHMAP_LFE, SND_CHMAP_RC, SND_CHMAP_SL, SND_CHMAP_SR]
      case 8:
        [
          SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_FC, SND_CHMAP_LFE, SND_CHMAP_RL, SND_CHMAP_RR, SND_CHMAP_SL,
          SND_CHMAP_SR,
        ]
      default: nil
      }
    return all?.map(\.rawValue)
  }

  /// ALSA's own order, which counts where a device has no map (the `pulse` plugin has none).
  private static func usual(_ channels: Int) -> [UInt32]? {
    let rear = [SND_CHMAP_FL, SND_CHMAP_FR, SND_CHMAP_RL, SND_CHMAP_RR]
    let all: [snd_pcm_chmap_position]? =
      switch channels {
      case 5: rear + [SND_CHMAP_FC]
      case 6: rear + [SND_CHMAP_FC, SND_CHMAP_LFE]
      case 8: rear + [SND_CHMAP_FC, SND_CHMAP_LFE, SND_CHMAP_SL, SND_CHMAP_SR]
      default: nil
      }
    return all?.map(\.rawValue)
  }

  /// For each channel of a device which of ours it plays; nil: they are in order, or where they are is not known.
  static func permutation(of device: [UInt32]) -> [Int]? {
    guard let ours = positions(device.count), ours != device else { return nil }
    let order = device.compactMap { ours.firstIndex(of: $0) }
    return Set(order).count == ours.count ? order : nil
  }

  /// Tells an open and configured PCM our order; where it has one of its own, that of the samples is to be changed so.
  /// `snd_pcm_set_chmap`, `snd_pcm_get_chmap`.
  static func agree(_ handle: OpaquePointer, channels: Int) -> [Int]? {
    guard let ours = positions(channels) else { return nil }
    let words = ours.count + 1
    let asked = UnsafeMutableRawPointer.allocate(byteCount: words * 4, alignment: 8)
    defer { asked.deallocate() }
    asked.storeBytes(of: UInt32(channels), as: UInt32.self)
    for (index, position) in ours.enumerated() {
      asked.storeBytes(of: position, toByteOffset: (index + 1) * 4, as: UInt32.self)
    }
    if snd_pcm_set_chmap(handle, asked.assumingMemoryBound(to: snd_pcm_chmap_t.self)) == 0 { return nil }
    guard let told = snd_pcm_get_chmap(handle) else {
      // A file is read by who knows what is in it; whatever plays has ALSA's own order.
      let type = snd_pcm_type(handle)
      return type == SND_PCM_TYPE_NULL || type == SND_PCM_TYPE_FILE
        ? nil : usual(channels).flatMap(permutation)
    }
    defer { free(told) }
    let raw = UnsafeRawPointer(told)
    guard raw.load(as: UInt32.self) == UInt32(channels) else { return nil }
    // The upper bits say how sure the device is of a position, and that its phase is turned.
    return permutation(of: (1...channels).map { raw.load(fromByteOffset: $0 * 4, as: UInt32.self) & 0xffff })
  }
}
