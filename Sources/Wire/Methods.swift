/// The methods of the socket. A method is the command's words, its params the command's long options; what stands here
/// is the list of what this engine answers.
///
/// | method | params | result |
/// |---|---|---|
/// | `hello` | `protocol?`, `client?` (`screen` counts as an attached screen; the story names `screen` and `command`) | `Hello` |
/// | `focus` | `focused` (boolean; a screen, on its terminal's focus events) | `DoneReply` |
/// | `status` | – | `Status` |
/// | `settings` | – | `SettingsReply`: those in force that the screen goes by |
/// | `subscribe` | `events?` (array of names), `motion?` (false: not told each second where the track is), `levels?` (a `LevelsWish`) | `Status`, then notifications `status` and, where asked for, `event` and `levels` (`Levels`) |
/// | `add` | `when`, `zone?`, and the alarm options | `AlarmReply` |
/// | `edit` | `id`, `when?`, `zone?`, alarm options; an empty string removes | `AlarmReply` |
/// | `list` | `after?` (a number) | `[AlarmEntry]`: all, or `listPage` at most of those with larger numbers |
/// | `show` | `id` | `AlarmEntry` |
/// | `remove` | `ids`, or `spent: true` | `AlarmReply` |
/// | `on`, `off` | `ids` | `AlarmReply` |
/// | `skip` | `id` or `all: true`; `until?` (date as text) or `off: true`; `all` needs one of them | `AlarmReply` |
/// | `undo` | – | `AlarmReply` |
/// | `export` | `after?` (a number) | `ExportReply`: the alarms with larger numbers, some at a time |
/// | `import` | `ImportParams` | `ImportReply` |
/// | `next` | `count?` (1) | `[NextEntry]` |
/// | `timer` | `span` (text), `label?` | `AlarmReply` |
/// | `ring` | `id` | `DoneReply` |
/// | `snooze` | `id?`, `span?` (text) | `DoneReply` |
/// | `dismiss` | `id?` | `DoneReply` |
/// | `stop` | – | `DoneReply` |
/// | `inbox` | `seen?: true` (the badge is 0 then), `clear?: true` (takes out what was missed and answers it) | `[Status.InboxEntry]`, the newest first |
/// | `badge` | – | `BadgeReply` |
/// | `log` | `id?` | `[LogEntry]`, the newest first |
/// | `play` | `sources?` (array of `FileName.text`, absolute) | `DoneReply` |
/// | `pause`, `toggle` | – | `DoneReply` |
/// | `seek` | `by` (seconds, may be negative), `to` (seconds) or `percent` | `DoneReply` |
/// | `volume` | `set?` (0–100) or `by?` | `DoneReply`, the line is the volume |
/// | `mute` | – | `DoneReply` |
/// | `track.next`, `track.previous` | – | `DoneReply` |
/// | `queue.list` | `from?` (a place, 1) | `[QueueEntry]`, `queuePage` of them at most |
/// | `queue.play` | `place` (from 1 on) | `DoneReply` |
/// | `queue.add` | `sources` (as `play`), `next?` (true: behind the present track) | `DoneReply` |
/// | `queue.move` | `place`, `to` (both from 1 on) | `DoneReply` |
/// | `queue.remove` | `places` (array, from 1 on) | `DoneReply` |
/// | `queue.clear` | – | `DoneReply` |
/// | `queue.repeat` | `mode` (`off`, `one`, `all`) | `DoneReply` |
/// | `queue.shuffle`, `queue.stop-after` | `on` (boolean) | `DoneReply` |
/// | `sleep` | `span?` (text; none: no longer) | `DoneReply` |
/// | `output` | `device?` (ALSA's name; `auto`: the settings' one) | `DoneReply`, the line is the device |
/// | `output.list` | – | `[OutputEntry]` |
/// | `awake` | `span?` (text) or `until?` (one time), `audio?: true` or `system?: true` (neither: both), `reason?`, `owner?`, `while?` (a process), `then?` (for the shell), `bind?` (true: ends with the connection) | `LeaseReply` |
/// | `awake.list` | – | `[Status.Lease]` |
/// | `awake.renew` | `id`, `span?` | `LeaseReply` |
/// | `awake.off` | `id?` | `DoneReply` |
/// | `doctor` | – | `DoctorReply`, after up to 15 s |
/// | `engine.stop` | – | `DoneReply`; the engine ends after answering |
///
/// The alarm options are `label`, `sound` (`FileName.text`, absolute, or a sound's name), `volume`, `fade`, `snooze`,
/// `snooze-limit`, `silence-after`, `body`, `action`, `info` (object), `badge`, `run`, `until`, `count`; spans and dates as
/// text, numbers as numbers or text.
///
/// What begins a track (`play`, `toggle`, `track.next`, `track.previous`, `queue.play`) is answered once its file is open or
/// refused, after two seconds at most.
///
/// What a method does not know is refused, as is anything but a boolean where one is meant.
public enum Methods {
  /// The protocol's version; it goes up when a key or method changes its meaning.
  public static let protocolVersion = 1
  /// The names of a method's params; nil for one that there is not, and for `import`, whose params are `ImportParams`.
  public static func params(of method: String) -> [String]? { paramNames[method] }

  private static let paramNames: [String: [String]] = [
    "hello": ["protocol", "client"], "focus": ["focused"], "status": [], "settings": [],
    "subscribe": ["events", "motion", "levels"],
    "add": ["when", "zone"] + alarmOptions, "edit": ["id", "when", "zone"] + alarmOptions,
    "list": ["after"], "show": ["id"], "remove": ["ids", "id", "spent"], "on": ["ids", "id"],
    "off": ["ids", "id"], "skip": ["id", "all", "until", "off"], "undo": [], "export": ["after"],
    "next": ["count"], "timer": ["span", "label"], "ring": ["id"], "snooze": ["id", "span"],
    "dismiss": ["id"], "stop": [], "inbox": ["seen", "clear"], "badge": [], "log": ["id"],
    "play": ["sources"], "pause": [], "toggle": [], "seek": ["by", "to", "percent"], "volume": ["set", "by"],
    "mute": [], "track.next": [], "track.previous": [], "queue.list": ["from"], "queue.play": ["place"],
    "queue.add": ["sources", "next"], "queue.move": ["place", "to"], "queue.remove": ["places"],
    "queue.clear": [], "queue.repeat": ["mode"], "queue.shuffle": ["on"], "queue.stop-after": ["on"],
    "sleep": ["span"], "output": ["device"], "output.list": [],
    "awake": ["span", "until", "audio", "system", "reason", "owner", "while", "then", "bind"],
    "awake.list": [], "awake.renew": ["id", "span"], "awake.off": ["id"], "doctor": [], "engine.stop": [],
  ]

  private static let alarmOptions = [
    "label", "sound", "volume", "fade", "snooze", "snooze-limit", "silence-after", "body", "action", "info",
    "badge", "run", "until", "count",
  ]

  /// How many entries `queue.list` answers at once, so that no line grows without bound.
  public static let queuePage = 500
  /// The same for `list` where it is asked for a part: written in some milliseconds.
  public static let listPage = 1000
}

/// The answer to `hello`.
public struct Hello: Codable, Hashable, Sendable {
  public var `protocol`: Int
  public var version: String
  public var pid: Int32
  public init(protocol version: Int, version program: String, pid: Int32) {
    (self.protocol, self.version, self.pid) = (version, program, pid)
  }
}

/// An error reply's number, as JSON-RPC 2.0 has them, and our own from 1 on.
public enum ErrorCode {
  public static let parse = -32700
  public static let invalidRequest = -32600
  public static let unknownMethod = -32601
  public static let invalidParams = -32602
  /// It could not be done: exit status 1.
  public static let refused = 1
  /// The words were wrong, every wrong WHEN included: exit status 2.
  public static let wrongWords = 2
  /// Made by the client: the engine does not answer, or died while it was asked. Exit status 1.
  public static let connectionLost = 3
}

/// An error reply: a sentence for people and its number.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  public let code: Int
  public let description: String
  public init(code: Int, _ sentence: String) {
    self.code = code
    description = sentence
  }
}
