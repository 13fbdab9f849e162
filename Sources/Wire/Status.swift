/// Everything at a glance: what `status` answers, `subscribe` streams and `alarm status --json` prints.
///
/// Instants are ISO 8601 with offset, spans are seconds, volumes 0–100. Text is as it was given, not sanitised: whoever
/// shows it sanitises it. Keys may be added, never changed.
public struct Status: Codable, Hashable, Sendable {
  public struct Engine: Codable, Hashable, Sendable {
    public var pid: Int32
    public var version: String
    public var startedAt: String
    public var socket: String
    /// One sentence for each wrong value in the settings file.
    public var configErrors: [String]
    /// One sentence for each thing that the settings name and that is not there; they are used all the same. nil from an
    /// engine that does not look.
    @Nullable public var configWarnings: [String]?
    /// Sentences about what is wrong with the store: a database set aside, changes that cannot be saved.
    public var storeErrors: [String]
    public init(
      pid: Int32, version: String, startedAt: String, socket: String, configErrors: [String],
      configWarnings: [String] = [], storeErrors: [String]
    ) {
      (self.pid, self.version, self.startedAt, self.socket) = (pid, version, startedAt, socket)
      (self.configErrors, self.storeErrors) = (configErrors, storeErrors)
      self.configWarnings = configWarnings
    }
  }

  public struct Track: Codable, Hashable, Sendable {
    /// `FileName.text`.
    public var path: String
    public var title: String
    public var artist: String
    public var album: String
    /// nil where the file does not say.
    @Nullable public var duration: Double?
    public init(path: String, title: String, artist: String, album: String, duration: Double?) {
      (self.path, self.title, self.artist, self.album) = (path, title, artist, album)
      self.duration = duration
    }
  }

  public struct Player: Codable, Hashable, Sendable {
    /// `stopped`, `playing`, `paused` or `interrupted`.
    public var state = "stopped"
    @Nullable public var track: Track?
    /// Seconds into the track, as heard.
    public var position = 0.0
    public var volume = 100
    public var muted = false
    /// When the music fades out and stops by itself.
    @Nullable public var sleepAt: String?
    public init() {}
  }

  public struct Queue: Codable, Hashable, Sendable {
    public var length = 0
    @Nullable public var index: Int?
    /// `off`, `one` or `all`.
    public var `repeat` = "off"
    public var shuffle = false
    /// The player stops when the present track has ended.
    public var stopAfter = false
    /// Another number whenever the tracks, their order or their tags are others, so that who shows the queue knows when to
    /// read it again. It means nothing after a restart of the engine.
    public var changes = 0
    public init() {}
  }

  public struct Output: Codable, Hashable, Sendable {
    public var device = "default"
    /// `closed`, `running` or `interrupted`.
    public var state = "closed"
    /// Why it is as it is, where a person should know: the device's fault, or that nobody will hear.
    @Nullable public var reason: String?
    /// False where what is played cannot reach an ear: no sound card, a null device.
    public var audible = true
    @Nullable public var rate: Int?
    @Nullable public var channels: Int?
    /// ALSA's name of the sample format, such as `S16_LE`.
    @Nullable public var format: String?
    public var opens = 0
    public var underruns = 0
    public var streams = 0
    public var framesWritten: Int64 = 0
    public init() {}
  }

  public struct KeepAlive: Codable, Hashable, Sendable {
    public var active = false
    public var mode = "stream"
    public var signal = "zero"
    /// Why the device is kept awake, such as `alarm 3 is due at 07:00` or `a track is loaded`.
    @Nullable public var why: String?
    public init() {}
  }

  public struct Lease: Codable, Hashable, Sendable {
    public var id: Int
    public var owner: String
    public var reason: String
    public var kinds: [String]
    /// nil where it ends with what the engine holds it for.
    @Nullable public var expiresAt: String?
    @Nullable public var secondsLeft: Double?
    /// How often it goes on by itself for as long again.
    public var renewalsLeft: Int
    public init(
      id: Int, owner: String, reason: String, kinds: [String], expiresAt: String?, secondsLeft: Double?,
      renewalsLeft: Int
    ) {
      (self.id, self.owner, self.reason, self.kinds) = (id, owner, reason, kinds)
      (self.expiresAt, self.secondsLeft, self.renewalsLeft) = (expiresAt, secondsLeft, renewalsLeft)
    }
  }

  /// A lock that is wanted at the system.
  public struct Inhibitor: Codable, Hashable, Sendable {
    /// `idle`, `sleep` or `handle-lid-switch`.
    public var what: String
    /// `block` or `delay`.
    public var mode: String
    /// Who was asked for it: `logind`, or the name of the session's service, for which `what` may be `idle:sleep`.
    public var by: String
    public var held: Bool
    /// Why it is not held.
    @Nullable public var refused: String?
    public init(what: String, mode: String, by: String, held: Bool, refused: String?) {
      (self.what, self.mode, self.by, self.held) = (what, mode, by, held)
      self.refused = refused
    }
  }

  /// What sees to it that a sleeping machine is awake for the next ring.
  public struct WakeUp: Codable, Hashable, Sendable {
    /// `clock` (a timer on the machine's clock), `systemd` (a timer of systemd's), `helper` (the helper `alarm-wake`
    /// sets that clock), or `block` (nothing wakes it, so it is kept from sleeping until then).
    public var by: String
    /// When it is woken; with `block`, when the ring is due.
    public var at: String
    public init(by: String, at: String) { (self.by, self.at) = (by, at) }
  }

  public struct Awake: Codable, Hashable, Sendable {
    public var leases: [Lease] = []
    public var inhibitors: [Inhibitor] = []
    /// nil: nothing wakes the machine, or nothing is due.
    @Nullable public var wakeUp: WakeUp?
    public init() {}
  }

  public struct Next: Codable, Hashable, Sendable {
    public var id: Int
    public var label: String
    public var at: String
    public init(id: Int, label: String, at: String) { (self.id, self.label, self.at) = (id, label, at) }
  }

  public struct Alarms: Codable, Hashable, Sendable {
    public var count = 0
    public var enabled = 0
    @Nullable public var next: Next?
    /// Another number whenever an alarm, one of its times or the state of an occurrence is another, so that who shows the
    /// list knows when to read it again. It means nothing after a restart of the engine.
    public var changes = 0
    public init() {}
  }

  public struct Ringing: Codable, Hashable, Sendable {
    public var id: Int
    public var occurrence: String
    public var label: String
    public var body: String
    /// What the notification's own action is called; empty: it has none.
    public var action: String
    public var since: String
    /// What sounds: a path, a sound's name, or `built-in tone`; nil where it is notification only.
    @Nullable public var sound: String?
    /// Which file of it sounds, where `sound` is a folder or playlist.
    @Nullable public var file: String?
    /// False while a newer ring covers it.
    public var sounding: Bool
    /// nil: no limit.
    @Nullable public var snoozesLeft: Int?
    public var userInfo: [String: String]
    /// Why it rings late, or which sound failed; whole sentences.
    public var notes: [String]
    public init(
      id: Int, occurrence: String, label: String, body: String, action: String = "", since: String,
      sound: String?, file: String? = nil, sounding: Bool, snoozesLeft: Int?, userInfo: [String: String],
      notes: [String]
    ) {
      self.action = action
      (self.id, self.occurrence, self.label, self.body, self.since) = (id, occurrence, label, body, since)
      (self.sound, self.file, self.sounding, self.snoozesLeft) = (sound, file, sounding, snoozesLeft)
      (self.userInfo, self.notes) = (userInfo, notes)
    }
  }

  public struct Snoozed: Codable, Hashable, Sendable {
    public var id: Int
    public var occurrence: String
    public var label: String
    public var until: String
    public init(id: Int, occurrence: String, label: String, until: String) {
      (self.id, self.occurrence, self.label, self.until) = (id, occurrence, label, until)
    }
  }

  /// A notification that has not been dealt with.
  public struct InboxEntry: Codable, Hashable, Sendable {
    public var occurrence: String
    public var id: Int
    public var label: String
    public var body: String
    public var action: String
    public var userInfo: [String: String]
    /// When it was due.
    public var at: String
    /// `ringing`, `snoozed` or `missed`.
    public var state: String
    /// Why it was missed, as a word and in words; nil while it rings or is snoozed.
    @Nullable public var reason: String?
    @Nullable public var because: String?
    public init(
      occurrence: String, id: Int, label: String, body: String, action: String, userInfo: [String: String],
      at: String, state: String, reason: String?, because: String?
    ) {
      (self.occurrence, self.id, self.label, self.body) = (occurrence, id, label, body)
      (self.action, self.userInfo, self.at, self.state) = (action, userInfo, at, state)
      (self.reason, self.because) = (reason, because)
    }
  }

  public var engine: Engine
  /// `active`, `inactive`, `background`, `suspending` or `terminating`.
  public var lifecycle = "background"
  public var player = Player()
  public var queue = Queue()
  public var output = Output()
  public var keepAlive = KeepAlive()
  public var awake = Awake()
  public var alarms = Alarms()
  public var ringing: [Ringing] = []
  public var snoozed: [Snoozed] = []
  /// The newest first; where there are many, only those (`inbox` answers all).
  public var inbox: [InboxEntry] = []
  /// How many have not been seen or dealt with, or the number an alarm set.
  public var badge = 0

  public init(engine: Engine) { self.engine = engine }
}

/// One alarm as `list`, `show`, `add` and `edit` answer it.
public struct AlarmEntry: Codable, Hashable, Sendable {
  public var id: Int
  /// The rule as WHEN words that can be typed again.
  public var when: String
  /// What was understood, in words: `every Mon-Fri 07:00`, `once 2026-12-01 07:00`.
  public var sentence: String
  public var enabled: Bool
  /// The next instant, nil where there is none; `nextShown` is the same for people.
  @Nullable public var next: String?
  @Nullable public var nextShown: String?
  /// Seconds until then.
  @Nullable public var inSeconds: Double?
  public var label: String
  /// The fixed zone, nil where it follows the machine.
  @Nullable public var zone: String?
  /// What was chosen, nil for the default of the settings.
  @Nullable public var sound: String?
  @Nullable public var volume: Int?
  @Nullable public var fade: Double?
  @Nullable public var snooze: Double?
  @Nullable public var snoozeLimit: Int?
  @Nullable public var silenceAfter: Double?
  public var body: String
  /// What the notification's own action is called; empty: it has none.
  public var action: String
  public var userInfo: [String: String]
  /// The number the badge is set to when it fires, nil where it goes up by one.
  @Nullable public var badge: Int?
  /// The shell's line that is run when it rings; empty: none.
  public var run: String
  @Nullable public var until: String?
  @Nullable public var count: Int?
  /// The dates whose times are left out.
  public var skips: [Skip]
  /// `scheduled`, `ringing`, `snoozed` or `off`.
  public var state: String
  /// Where the last time it was due ended in a miss: when that was, and why.
  @Nullable public var missed: Missed?

  /// A time at which nobody got up by this alarm.
  public struct Missed: Codable, Hashable, Sendable {
    public var at: String
    /// The same for people.
    public var shown: String
    /// `unanswered`, `away`, `asleep`, `clockSet` or `zoneChanged`.
    public var reason: String
    /// The reason in words: `nobody came`.
    public var because: String
    public init(at: String, shown: String, reason: String, because: String) {
      (self.at, self.shown, self.reason, self.because) = (at, shown, reason, because)
    }
  }

  /// Local dates, both ends included.
  public struct Skip: Codable, Hashable, Sendable {
    public var from: String
    public var until: String
    public init(from: String, until: String) { (self.from, self.until) = (from, until) }
  }

  public init(id: Int, when: String, sentence: String) {
    (self.id, self.when, self.sentence) = (id, when, sentence)
    (enabled, label, body, userInfo, state) = (true, "", "", [:], "scheduled")
    (action, run, skips) = ("", "", [])
  }
}

/// What `add`, `edit`, `timer`, `on`, `off`, `undo` and `remove` answer: the alarms concerned and what to warn of.
public struct AlarmReply: Codable, Hashable, Sendable {
  public var alarms: [AlarmEntry]
  /// Whole sentences for standard error.
  public var warnings: [String]
  /// What was done, in words, where the alarms alone do not say: `undone: removal of alarm 3`.
  @Nullable public var done: String?
  public init(alarms: [AlarmEntry], warnings: [String] = [], done: String? = nil) {
    (self.alarms, self.warnings, self.done) = (alarms, warnings, done)
  }
}

/// One coming occurrence, as `next` answers.
public struct NextEntry: Codable, Hashable, Sendable {
  public var id: Int
  public var at: String
  public var shown: String
  public var inSeconds: Double
  public var label: String
  public init(id: Int, at: String, shown: String, inSeconds: Double, label: String) {
    (self.id, self.at, self.shown, self.inSeconds, self.label) = (id, at, shown, inSeconds, label)
  }
}
