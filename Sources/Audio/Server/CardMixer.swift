import CALSA
import Glibc

/// A card's own mixer (`snd_mixer`), where a device goes to a card without a server between. Waits for the driver: for
/// workers.
public struct CardView: Hashable, Sendable {
  /// One knob with a name.
  public struct Knob: Hashable, Sendable {
    /// `Master`, `PCM`, `Speaker`, `Headphone` …
    public var name: String
    public var index: UInt32
    public var level: OutputLevel
    /// How loud that is on the scale of volumes, by the card's decibels where it tells them: 0 … 100; nil: no volume.
    public var percent: Double?
    /// The number that would be the least volume asked for.
    public var least: Int

    public init(name: String, index: UInt32, level: OutputLevel, percent: Double?, least: Int) {
      (self.name, self.index, self.level, self.percent, self.least) = (name, index, level, percent, least)
    }
  }

  /// ALSA's name of the card's controls, such as `hw:0`.
  public var control: String
  public var knobs: [Knob]

  public init(control: String, knobs: [Knob]) { (self.control, self.knobs) = (control, knobs) }
}

public enum CardMixer {
  /// The knobs that stand between samples and ears, and no others.
  static let knobs = ["Master", "PCM", "Speaker", "Headphone", "Front", "Master Mono", "Digital"]

  /// The controls behind a device that names a card: `hw:1,0`, `plughw:CARD=PCH`, `front:CARD=PCH,DEV=0`. nil for every
  /// other name, of which nothing is known.
  public static func control(ofDevice name: String) -> String? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let kind = name[..<colon]
    let kinds = ["hw", "plughw", "sysdefault", "front", "iec958", "hdmi", "dmix", "surround51", "surround71"]
    guard kinds.contains(String(kind)) else { return nil }
    var card = ""
    for (place, part) in name[name.index(after: colon)...].split(separator: ",").enumerated() {
      if part.hasPrefix("CARD=") { card = String(part.dropFirst(5)) }
      if place == 0, !part.contains("=") { card = String(part) }
    }
    return card.isEmpty ? nil : "hw:\(card)"
  }

  /// nil where there is no such mixer. `leastVolume` is what each knob's `least` stands for, in percent.
  public static func ask(_ control: String, leastVolume: Int) -> CardView? {
    guard let mixer = Mixer(control) else { return nil }
    let knobs = mixer.elements.compactMap { mixer.knob($0, leastVolume: leastVolume) }
    return CardView(control: control, knobs: knobs)
  }

  /// Sets mute and volume of one knob; false where there is no such knob or it does not take it.
  static func set(_ control: String, knob name: String, _ index: UInt32, to level: OutputLevel) -> Bool {
    guard let mixer = Mixer(control), let element = mixer.element(name, index) else { return false }
    return mixer.set(element, to: level)
  }

  /// What one knob is set to; nil where there is none.
  static func level(_ control: String, knob name: String, _ index: UInt32) -> OutputLevel? {
    guard let mixer = Mixer(control), let element = mixer.element(name, index) else { return nil }
    return mixer.knob(element, leastVolume: 0)?.level
  }

  private final class Mixer {
    private let handle: OpaquePointer

    init?(_ control: String) {
      reveille_alsa_silence()
      var opened: OpaquePointer?
      guard snd_mixer_open(&opened, 0) == 0, let opened else { return nil }
      handle = opened
      guard snd_mixer_attach(handle, control) == 0, snd_mixer_selem_register(handle, nil, nil) == 0,
        snd_mixer_load(handle) == 0
      else { return nil }
    }

    deinit { snd_mixer_close(handle) }

    var elements: [OpaquePointer] {
      var result: [OpaquePointer] = []
      var next = snd_mixer_first_elem(handle)
      while let element = next {
        result.append(element)
        next = snd_mixer_elem_next(element)
      }
      return result
    }

    func element(_ name: String, _ index: UInt32) -> OpaquePointer? {
      elements.first { self.name($0) == (name, index) }
    }

    func name(_ element: OpaquePointer) -> (String, UInt32) {
      (
        snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? "",
        snd_mixer_selem_get_index(element)
      )
    }

    func knob(_ element: OpaquePointer, leastVolume: Int) -> CardView.Knob? {
      let (name, index) = name(element)
      guard CardMixer.knobs.contains(name), snd_mixer_selem_is_active(element) != 0 else { return nil }
      var level = OutputLevel(isMuted: nil, volumes: [], full: 0)
      let channels = channels(of: element)
      if snd_mixer_selem_has_playback_switch(element) != 0 {
        // Muted where no channel is on.
        level.isMuted = !channels.contains { channel in
          var value: Int32 = 0
          return snd_mixer_selem_get_playback_switch(element, channel, &value) == 0 && value != 0
        }
      }
      if snd_mixer_selem_has_playback_volume(element) != 0 {
        let (least, most) = range(of: element)
        level.full = most - least
        level.volumes = channels.map { channel in
          var value = 0
          guard snd_mixer_selem_get_playback_volume(element, channel, &value) == 0 else { return 0 }
          return value - least
        }
      }
      guard level.isMuted != nil || level.full > 0 else { return nil }
      let (percent, wanted) = loudness(of: element, level, leastVolume)
      return CardView.Knob(name: name, index: index, level: level, percent: percent, least: wanted)
    }

    /// A card's numbers are no loudness: where it tells decibels, those under its most are put on the scale of `Loudness`.
    private func loudness(of element: OpaquePointer, _ level: OutputLevel, _ leastVolume: Int) -> (
      percent: Double?, least: Int
    ) {
      guard let value = level.volumes.max(), level.full > 0 else { return (nil, 0) }
      let (bottom, _) = range(of: element)
      var (lowest, highest, here) = (0, 0, 0)
      guard snd_mixer_selem_get_playback_dB_range(element, &lowest, &highest) == 0, highest > lowest,
        snd_mixer_selem_ask_playback_vol_dB(element, value + bottom, &here) == 0
      else { return (level.percent, level.full * leastVolume / 100) }
      // In hundredths of a decibel; the scale is a cube, so 60 dB a power of ten.
      let percent = value == 0 ? 0 : 100 * pow(10, Double(here - highest) / 6000)
      let wanted = highest + Int(6000 * log10(Double(max(1, leastVolume)) / 100))
      var number = 0
      guard snd_mixer_selem_ask_playback_dB_vol(element, max(lowest, wanted), 1, &number) == 0 else {
        return (percent, level.full * leastVolume / 100)
      }
      return (percent, min(level.full, max(0, number - bottom)))
    }

    func set(_ element: OpaquePointer, to level: OutputLevel) -> Bool {
      if let isMuted = level.isMuted, snd_mixer_selem_has_playback_switch(element) != 0,
        snd_mixer_selem_set_playback_switch_all(element, isMuted ? 0 : 1) < 0
      {
        return false
      }
      guard snd_mixer_selem_has_playback_volume(element) != 0 else { return true }
      let (least, most) = range(of: element)
      for (channel, value) in zip(channels(of: element), level.volumes) {
        let value = min(most, max(least, value + least))
        if snd_mixer_selem_set_playback_volume(element, channel, value) < 0 { return false }
      }
      return true
    }

    private func range(of element: OpaquePointer) -> (least: Int, most: Int) {
      var (least, most) = (0, 0)
      snd_mixer_selem_get_playback_volume_range(element, &least, &most)
      return (least, max(least, most))
    }

    private func channels(of element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
      // SND_MIXER_SCHN_LAST is 31.
      (0...31).compactMap { number in
        let channel = snd_mixer_selem_channel_id_t(rawValue: Int32(number))
        return snd_mixer_selem_has_playback_channel(element, channel) != 0 ? channel : nil
      }
    }
  }
}
