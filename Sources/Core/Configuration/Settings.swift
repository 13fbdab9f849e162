import Schedule

/// Everything a person can set, each with its default. Only what has an effect is offered.
public struct Settings: Hashable, Sendable {
  public struct Output: Hashable, Sendable {
    public enum Rate: Hashable, Sendable {
      /// The device keeps its rate while the keep-alive is on and follows the track otherwise.
      case auto
      /// It always follows the track.
      case track
      /// Hertz.
      case fixed(Int)
    }
    /// ALSA's name of the device.
    public var device = "default"
    /// Tried in this order where `device` cannot be heard when an alarm rings.
    public var alarmDevices: [String] = []
    public var rate = Rate.auto
  }

  public struct KeepAlive: Hashable, Sendable {
    public enum When: String, Hashable, Sendable, CaseIterable { case alarm, lease, always }
    public enum Mode: String, Hashable, Sendable, CaseIterable { case stream, pulse }
    public enum Signal: String, Hashable, Sendable, CaseIterable { case auto, zero, lsb, sine }
    public var when = When.alarm
    public var signal = Signal.auto
    public var mode = Mode.stream
    /// Between two clips in `pulse` mode.
    public var interval = Duration.seconds(10)
    /// A path; nil is the program's own silent clip.
    public var clip: String?
  }

  public struct Alarm: Hashable, Sendable {
    /// What the key for play and pause does to what rings.
    public enum MediaKey: String, Hashable, Sendable, CaseIterable { case snooze, dismiss, nothing }
    /// Where a notification carries the user-info.
    public enum Info: String, Hashable, Sendable, CaseIterable { case hint, body }
    public var sound = "dawn"
    public var volume = 80
    public var fade = Duration.seconds(20)
    public var snooze = Duration.seconds(600)
    /// nil: no limit.
    public var snoozeLimit: Int?
    public var silenceAfter = Duration.seconds(600)
    /// How often it snoozes by itself before it is missed.
    public var unanswered = 2
    public var lateWithin = Duration.seconds(600)
    /// Percent of the sound server's or the card's own volume; under it, it is raised for a ring.
    public var leastVolume = 30
    public var mediaKey = MediaKey.snooze
    public var info = Info.hint
  }

  public struct Player: Hashable, Sendable {
    public enum Gain: String, Hashable, Sendable, CaseIterable { case off, track, album }
    /// The folder in which the screen's browsing begins; empty: where the desktop keeps music.
    public var music = ""
    /// What the loudness of tracks is evened by.
    public var gain = Gain.off
    /// 0–100, until a person sets another.
    public var volume = 100
  }

  public struct Awake: Hashable, Sendable {
    /// logind knows no delay of these.
    public enum Idle: String, Hashable, Sendable, CaseIterable { case block, off }
    public enum Sleep: String, Hashable, Sendable, CaseIterable { case block, delay, off }
    public enum Lid: String, Hashable, Sendable, CaseIterable { case off, block }
    public enum UntilAlarm: String, Hashable, Sendable, CaseIterable { case off, block }
    public enum OnBattery: Hashable, Sendable {
      case yes, no
      /// With so many percent left at least.
      case above(Int)
    }
    public var beforeAlarm = Duration.seconds(900)
    /// How often a lease that ends with a process or connection goes on by itself.
    public var renewals = 5
    /// What a lease on the system locks there.
    public var idle = Idle.block
    public var sleep = Sleep.block
    public var lid = Lid.off
    /// Where nothing can wake the machine, sleep is blocked from now until the next alarm.
    public var untilAlarm = UntilAlarm.off
    public var whilePlaying = true
    public var onBattery = OnBattery.yes
  }

  public struct Background: Hashable, Sendable {
    public enum Mode: String, Hashable, Sendable, CaseIterable { case audio, alarms, fetch }
    /// The engine goes on when its last screen has gone.
    public var engine = true
    /// What else goes on then.
    public var modes: Set<Mode> = Set(Mode.allCases)
  }

  public struct Doctor: Hashable, Sendable {
    /// When it looks by itself on the wall's clock; nil: never.
    public var at = ClockTime(hour: 21, minute: 0)
  }

  public struct Interface: Hashable, Sendable {
    public enum Clock: Int, Hashable, Sendable, CaseIterable { case twelve = 12, twentyFour = 24 }
    public enum Theme: String, Hashable, Sendable, CaseIterable { case `default`, dark, light, mono, night }
    public enum Meter: String, Hashable, Sendable, CaseIterable { case auto, on, off }
    /// The keys of one action of the screen, by their names; which names there are the screen knows.
    public struct Keys: Hashable, Sendable {
      public var action: String
      public var keys: [String]
      public init(_ action: String, _ keys: [String]) { (self.action, self.keys) = (action, keys) }
    }
    public var clock = Clock.twentyFour
    public var theme = Theme.default
    public var mouse = true
    /// Whether the player's page shows how loud what is heard is; by itself not on battery.
    public var meter = Meter.auto
    /// What is not among them has its usual keys.
    public var keys: [Keys] = []
    /// The words of the terminal program in which the desktop opens the screen; empty: one that is installed.
    public var terminal: [String] = []
  }

  public var output = Output()
  public var keepAlive = KeepAlive()
  public var alarm = Alarm()
  public var player = Player()
  public var awake = Awake()
  public var background = Background()
  public var doctor = Doctor()
  public var interface = Interface()

  public init() {}
}

/// A value as it stands in the settings file.
public indirect enum SettingValue: Hashable, Sendable {
  case string(String)
  case number(Double)
  case bool(Bool)
  case list([SettingValue])
}

/// One setting, as `alarm help config` lists it.
public struct Setting: Sendable {
  /// With dots between the levels: `alarm.snooze`.
  public let key: String
  /// The default as it would stand in the file.
  public let defaultText: String
  /// What it does, one line.
  public let doc: String
  /// What is allowed, for the sentence about a wrong value: `a span such as 10 min`.
  public let allowed: String
  /// Puts a value into settings; false where it is not allowed.
  let apply: @Sendable (SettingValue, inout Settings) -> Bool
  /// The same for a member of a setting that is a group of names of the person's own choice: `ui.keys.mute`.
  var applyMember: (@Sendable (_ name: String, SettingValue, inout Settings) -> Bool)?
}
