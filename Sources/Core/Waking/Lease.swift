import Schedule

/// A process that a lease lasts as long as: its number, and what tells it from a later one of the same number.
public struct LeaseProcess: Hashable, Sendable {
  public var id: Int32
  /// When it began, in clock ticks since boot (proc(5), `starttime`).
  public var started: Int64
  /// Which boot that counts from.
  public var bootID: String

  public init(id: Int32, started: Int64, bootID: String) {
    (self.id, self.started, self.bootID) = (id, started, bootID)
  }
}

/// Somebody's request to stay awake.
public struct Lease: Hashable, Sendable {
  /// The audio device is kept awake.
  public static let audio = "audio"
  /// The machine is kept from falling asleep.
  public static let system = "system"

  public var id: Int
  public var owner: String
  public var reason: String
  /// `audio`, `system` or both.
  public var kinds: [String]
  /// nil: as long as what the engine took it for lasts.
  public var until: Deadline?
  /// What was asked for: the length of a renewal, and the longest a clock that starts wrong can make of it.
  public var span: Duration
  /// So many more times it goes on by itself for a whole `span`.
  public var renewalsLeft = 0
  /// It ends with this process at the latest.
  public var process: LeaseProcess?
  /// It ends with this connection at the latest, and with the engine.
  public var connection: Int?
  /// A line for the shell, run when it ends by itself.
  public var then: String?
  /// Its end was announced.
  var isAnnounced = false

  public init(id: Int, owner: String, reason: String, kinds: [String], until: Deadline?, span: Duration) {
    (self.id, self.owner, self.reason, self.kinds) = (id, owner, reason, kinds)
    (self.until, self.span) = (until, span)
  }

  /// How long before its end it is renewed or its end announced; a short one half of its length.
  var notice: Duration { min(.seconds(10), span / 2) }

  /// How a lease came to its end by itself.
  public enum End: String, Hashable, Sendable { case time, process, connection }
}

/// What somebody asks for who takes a lease.
public struct LeaseRequest: Hashable, Sendable {
  public var owner = Wakefulness.person
  public var reason = ""
  public var kinds = [Lease.audio]
  /// How long; nil is an hour, renewed by itself a few times where it ends with a process or connection.
  public var span: Duration?
  /// Until that instant of the wall clock, in the place of `span`.
  public var until: Instant?
  public var process: LeaseProcess?
  public var connection: Int?
  public var then: String?
  public init() {}
}

extension Deadline {
  /// An instant of the wall clock: where that is set, the deadline moves with it.
  public init(wall: Instant) { self.init(bootID: "", boot: 0, wall: wall) }

  /// It goes by the wall clock.
  var followsWall: Bool { bootID.isEmpty }
}
