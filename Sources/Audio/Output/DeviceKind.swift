import CALSA
import Glibc
import Platform

/// What kind of device is behind an open PCM, as far as ALSA and the kernel know.
enum DeviceKind: Sendable, Equatable {
  /// PulseAudio or PipeWire.
  case server(String)
  /// S/PDIF, HDMI, DisplayPort.
  case digital
  case usb
  case bluetooth
  case analogue
  /// Nobody hears it, or nothing is known.
  case unknown

  /// What keeps such a device awake.
  var signal: SoundSettings.Signal {
    switch self {
    case .server, .analogue, .unknown: .zero
    case .digital, .usb: .lsb
    case .bluetooth: .sine
    }
  }

  /// A sentence for people.
  var why: String {
    switch self {
    case .server(let name): "zero samples keep \(name) and the device behind it awake"
    case .analogue: "zero samples keep a sound card awake"
    case .unknown: "zero samples keep most devices awake"
    case .digital: "a digital receiver mutes when it is sent equal samples, so the least bit flips"
    case .usb: "USB converters mute when they are sent equal samples, so the least bit flips"
    case .bluetooth:
      "Bluetooth speakers sleep on what cannot be heard, so a deep soft tone comes now and then"
    }
  }

  /// `words`: what ALSA says of the device and all that is behind it; `card` its number, negative where it has none.
  /// Reads a link in /sys.
  init(words: String, card: Int32) {
    let words = words.lowercased()
    func has(_ marks: String...) -> Bool { marks.contains { words.contains($0) } }
    if has("bluetooth", "bluealsa") {
      self = .bluetooth
    } else if has("pulseaudio") {
      self = .server("PulseAudio")
    } else if has("pipewire") {
      self = .server("PipeWire")
    } else if card < 0 {
      self = .unknown
    } else if has("iec958", "spdif", "s/pdif", "hdmi", "displayport", "digital") {
      self = .digital
    } else {
      self = DeviceKind.isUSB(card) ? .usb : .analogue
    }
  }

  /// Whether samples go through a program that may change their format.
  var isServer: Bool { if case .server = self { true } else { false } }

  private static func isUSB(_ card: Int32) -> Bool {
    var target = [CChar](repeating: 0, count: 512)
    let count = readlink("/sys/class/sound/card\(card)", &target, target.count - 1)
    guard count > 0 else { return false }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).contains("/usb")
  }
}

extension DeviceKind {
  /// Asks an open PCM: `snd_pcm_info`, and `snd_pcm_dump`, the only one that names plugins and what is behind them.
  init(_ handle: OpaquePointer, pcm: String) {
    var words = pcm
    var card: Int32 = -1
    var made: OpaquePointer?
    if snd_pcm_info_malloc(&made) == 0, let info = made {
      if snd_pcm_info(handle, info) == 0 {
        card = snd_pcm_info_get_card(info)
        for text in [snd_pcm_info_get_name(info), snd_pcm_info_get_id(info)] {
          if let text { words += " \(String(cString: text))" }
        }
      }
      snd_pcm_info_free(info)
    }
    if snd_output_buffer_open(&made) == 0, let output = made {
      var text: UnsafeMutablePointer<CChar>?
      if snd_pcm_dump(handle, output) == 0 {
        let count = snd_output_buffer_string(output, &text)
        if let text {
          let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
          words += " \(String(decoding: bytes, as: UTF8.self))"
        }
      }
      snd_output_close(output)
    }
    self.init(words: words, card: card)
  }
}
