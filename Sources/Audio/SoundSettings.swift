import Platform

/// How the one output is to behave: which device, which rate, and how it is kept awake.
public struct SoundSettings: Sendable, Equatable {
  /// Which sample rate the device is opened at.
  public enum RateChoice: Sendable, Equatable {
    /// The device keeps its rate while it is kept awake, else it follows the track.
    case auto
    /// The device follows every track, even where it must be reopened for it.
    case track
    /// Always this many frames a second.
    case fixed(Int)
  }

  /// How the silent clip keeps the device awake.
  public enum KeepAliveMode: String, Sendable, Equatable {
    /// Fed without end.
    case stream
    /// The clip is played every `interval`, and the device rests between.
    case pulse
  }

  /// What the silence is made of.
  public enum Signal: String, Sendable, Equatable {
    /// Picked by the kind of device.
    case auto
    /// Zero samples: they keep a PipeWire node or a sound card awake.
    case zero
    /// The device's own least bit, up and down 50 times a second, made behind every volume: for receivers that mute when
    /// they are sent equal samples.
    case lsb
    /// 30 Hz at 1 %, faded, two seconds a minute (in `pulse`: a clip): for Bluetooth and analogue speakers that sleep.
    case sine
    /// A clip of one's own that is not silent; only ever told in the status.
    case clip
  }

  /// ALSA's name of the device.
  public var device: String
  /// Devices a ring tries, in this order, where `device` cannot be opened.
  public var alarmDevices: [String]
  public var rate: RateChoice
  public var keepAliveMode: KeepAliveMode
  /// From the beginning of one clip to the next in `pulse` mode; at least one second.
  public var interval: Duration
  public var signal: Signal
  /// The silent clip. Where there is anything in it, it sounds instead of `signal`; where it is nil, cannot be decoded or
  /// is nothing but zeros, `signal` counts.
  public var clip: FileName?
  /// What music is evened by, from the next track on. Rings always are.
  public var gain: Gains.Mode

  public init(
    device: String = "default", alarmDevices: [String] = [], rate: RateChoice = .auto,
    keepAliveMode: KeepAliveMode = .stream, interval: Duration = .seconds(10), signal: Signal = .auto,
    clip: FileName? = nil, gain: Gains.Mode = .off
  ) {
    self.device = device
    self.alarmDevices = alarmDevices
    self.rate = rate
    self.keepAliveMode = keepAliveMode
    self.interval = interval
    self.signal = signal
    self.clip = clip
    self.gain = gain
  }
}
