import Wire

/// What the screen asks of the engine.
public enum Request: Hashable, Sendable {
  case subscribe, list
  /// From now on the engine tells how loud what is heard is, or no more.
  case levels(LevelsWish)
  /// A line of the list of what sounds and plays: a method without params.
  case toggle, pause, stop, mute, nextTrack, previousTrack
  case seekBy(Double)
  case seekTo(Double)
  case volume(by: Int)
  case repeats(String)
  case shuffle(Bool)
  /// All that ring, for that many minutes where they are given.
  case snooze(minutes: Int?)
  /// The alarm that was on the screen when the key was pressed; nil: what is snoozed.
  case dismiss(Int?)
  /// The params of `add` and `edit` as the form made them.
  case add([String: JSON])
  case edit([String: JSON])
  case on(Int)
  case off(Int)
  case skip(Int, off: Bool)
  case ring(Int)
  case remove(Int)
  case undo
  /// From this place (1) on.
  case queue(from: Int)
  case playPlace(Int)
  case movePlace(Int, to: Int)
  case removePlace(Int)
  case clearQueue
  /// `FileName.text` of each.
  case play([String])
  case enqueue([String])
  case inbox(seen: Bool)
  case clearInbox
  case log
  case focus(Bool)
  case stopEngine

  public var method: String {
    switch self {
    case .subscribe, .levels: "subscribe"
    case .list: "list"
    case .toggle: "toggle"
    case .pause: "pause"
    case .stop: "stop"
    case .mute: "mute"
    case .nextTrack: "track.next"
    case .previousTrack: "track.previous"
    case .seekBy, .seekTo: "seek"
    case .volume: "volume"
    case .repeats: "queue.repeat"
    case .shuffle: "queue.shuffle"
    case .snooze: "snooze"
    case .dismiss: "dismiss"
    case .add: "add"
    case .edit: "edit"
    case .on: "on"
    case .off: "off"
    case .skip: "skip"
    case .ring: "ring"
    case .remove: "remove"
    case .undo: "undo"
    case .queue: "queue.list"
    case .playPlace: "queue.play"
    case .movePlace: "queue.move"
    case .removePlace: "queue.remove"
    case .clearQueue: "queue.clear"
    case .play: "play"
    case .enqueue: "queue.add"
    case .inbox, .clearInbox: "inbox"
    case .log: "log"
    case .focus: "focus"
    case .stopEngine: "engine.stop"
    }
  }

  public var params: JSON {
    switch self {
    // The screen works out by itself where the track is.
    case .subscribe: ["events": ["open"], "motion": false]
    case .levels(let wish): ["events": ["open"], "motion": false, "levels": .string(wish.rawValue)]
    case .seekBy(let seconds): ["by": .number(seconds)]
    case .seekTo(let seconds): ["to": .number(seconds)]
    case .volume(by: let step): ["by": .int(Int64(step))]
    case .repeats(let mode): ["mode": .string(mode)]
    case .shuffle(let isOn): ["on": .bool(isOn)]
    case .snooze(minutes: let minutes?): ["span": .string("\(minutes) min")]
    case .dismiss(let id?), .ring(let id): ["id": .int(Int64(id))]
    case .add(let params), .edit(let params): .object(params)
    case .on(let id), .off(let id), .remove(let id): ["ids": [.int(Int64(id))]]
    case .skip(let id, off: let off): off ? ["id": .int(Int64(id)), "off": true] : ["id": .int(Int64(id))]
    case .queue(let from): ["from": .int(Int64(from))]
    case .playPlace(let place): ["place": .int(Int64(place))]
    case .movePlace(let place, let to): ["place": .int(Int64(place)), "to": .int(Int64(to))]
    case .removePlace(let place): ["places": [.int(Int64(place))]]
    case .play(let sources), .enqueue(let sources): ["sources": .array(sources.map { .string($0) })]
    case .inbox(let seen): seen ? ["seen": true] : [:]
    case .clearInbox: ["clear": true]
    case .focus(let focused): ["focused": .bool(focused)]
    default: [:]
    }
  }
}

/// An answer, by what was asked.
public enum Reply: Hashable, Sendable {
  case status(Status)
  case list([AlarmEntry])
  case alarm(AlarmReply)
  case queue([QueueEntry])
  case inbox([Status.InboxEntry])
  case log([LogEntry])
  case done(DoneReply)

  init(to request: Request, _ result: Incoming.Payload) throws(WireError) {
    self =
      switch request {
      case .subscribe, .levels: .status(try result.decode())
      case .list: .list(try result.decode())
      case .add, .edit, .on, .off, .skip, .remove, .undo: .alarm(try result.decode())
      case .queue: .queue(try result.decode())
      case .inbox, .clearInbox: .inbox(try result.decode())
      case .log: .log(try result.decode())
      default: .done(try result.decode())
      }
  }
}
