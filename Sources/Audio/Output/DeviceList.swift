import CALSA
import Glibc
import Platform

/// One device that ALSA offers for playing.
public struct DeviceEntry: Hashable, Sendable {
  /// ALSA's name, as it is opened by: `default`, `plughw:CARD=PCH,DEV=0`.
  public var name: String
  /// What ALSA says of it, in one line; empty where it says nothing.
  public var description: String

  public init(name: String, description: String) { (self.name, self.description) = (name, description) }
}

/// What devices there are. Reads ALSA's configuration and asks the drivers: for workers.
public enum DeviceList {
  /// Every device that can play, `default` first (`snd_device_name_hint`).
  public static func all() -> [DeviceEntry] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var entries: [DeviceEntry] = []
    var place = hints
    while let hint = place.pointee {
      place += 1
      guard let name = text(hint, "NAME"), text(hint, "IOID") != "Input", name != "null" else { continue }
      let lines = (text(hint, "DESC") ?? "").split(separator: "\n").joined(separator: "; ")
      if !entries.contains(where: { $0.name == name }) {
        entries.append(DeviceEntry(name: name, description: lines))
      }
    }
    let first = entries.firstIndex { $0.name == "default" }.map { entries.remove(at: $0) }
    return [first ?? DeviceEntry(name: "default", description: "")] + entries
  }

  /// Whether ALSA's configuration has a device of that name, there at the moment or not. Opens nothing; true where the
  /// configuration cannot be read.
  public static func isDefined(_ name: String) -> Bool {
    let base = name.prefix { $0 != ":" }
    // A dot would lead on within a definition.
    guard !base.isEmpty, !base.contains(".") else { return true }
    var configuration: OpaquePointer?
    guard snd_config_update_ref(&configuration) >= 0, let configuration else { return true }
    defer { snd_config_unref(configuration) }
    return snd_config_search(configuration, "pcm.\(base)", nil) >= 0
  }

  /// The card that a device's name tells of, where there is none such now; nil for a device that names none. Opens no
  /// device to play; reads /proc/asound and asks `snd_card_get_index`.
  public static func absentCard(of name: String) -> String? {
    guard let card = CardMixer.control(ofDevice: name)?.dropFirst(3), !card.isEmpty, !card.contains("/")
    else {
      return nil
    }
    // Whoever may not open a card is told by ALSA that there is none, and the folder is hidden in some containers.
    let entry = card.allSatisfy { $0.isASCII && $0.isNumber } ? "card\(card)" : String(card)
    guard access("/proc/asound/\(entry)", F_OK) != 0 else { return nil }
    let code = snd_card_get_index(String(card))
    return code >= 0 || code == -EACCES || code == -EPERM || code == -EBUSY ? nil : String(card)
  }

  /// What keeps a device from being chosen; nil where it can be opened, or is only held by somebody at the moment.
  public static func problem(with name: String) -> AudioError? {
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    if let handle { snd_pcm_close(handle) }
    if code >= 0 || code == -EBUSY || code == -EAGAIN { return nil }
    return AudioError(
      .unreadable,
      "the device “\(clean(name))” cannot be opened: \(SystemError.reason(-code)); “alarm output list” shows those there are"
    )
  }

  /// Why nothing could sound there at this moment, as an output that opens it says it; nil where it can be opened. Gives
  /// it no sound. Blocks for ever where a sound server hangs.
  public static func obstacle(to name: String) -> AudioError? {
    do throws(AudioError) { try PCM.tryOpening(name) } catch { return error }
    return nil
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
