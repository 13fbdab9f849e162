/// The keep-alive as `status` shows it.
public struct KeepAliveStatus: Sendable, Equatable {
  /// The device is being kept awake right now.
  public var active = false
  public var mode = SoundSettings.KeepAliveMode.stream
  /// What the silence is made of; never `auto`, and `clip` where it is one of one's own.
  public var signal = SoundSettings.Signal.zero
  /// Why this signal, or what stands in the way.
  public var why = ""
  public init() {}
}

/// The one output at a glance.
public struct OutputStatus: Sendable, Equatable {
  public enum State: String, Sendable, Equatable {
    case closed, running, interrupted
  }

  /// The device that sounds or is to sound; `null` where time is kept without one.
  public var device = ""
  public var state = State.closed
  /// A sentence for people about what is not as it should be; empty where all is well. Sanitised.
  public var reason = ""
  /// Whether samples go to something that can be heard, as far as ALSA can tell.
  public var audible = false
  /// Frames a second; 0 while closed.
  public var rate = 0
  /// Samples in a frame; 0 while closed.
  public var channels = 0
  /// ALSA's name of the sample format; empty while closed.
  public var format = ""
  /// Devices opened since the start.
  public var opens = 0
  /// Times the device ran dry.
  public var underruns = 0
  /// Streams made at the sound server: one an open, and one each time the device had to be prepared again.
  public var streams = 0
  /// Frames given to devices since the start.
  public var framesWritten: Int64 = 0
  public var keepAlive = KeepAliveStatus()
  public init() {}
}
