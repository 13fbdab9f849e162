import CLinux
import CSystemd
import Glibc

/// The loop: libsystemd's `sd-event`, which waits for descriptors, timers, signals, children and file changes in one
/// place. It is made, used and ended on one thread; only `Mailbox` may be touched from others.
///
/// Handlers cannot fail: sd-event switches a source off for good when its handler returns a negative number, so the
/// thin C callbacks here always return 0.
public final class EventLoop {
  /// The `sd_event`, for what attaches itself to it (the buses).
  package let event: OpaquePointer

  /// A fresh loop of its own, not the thread's default one.
  public init() throws(SystemError) {
    var pointer: OpaquePointer?
    try EventLoop.checked("cannot make an event loop", sd_event_new(&pointer))
    guard let pointer else { throw SystemError("cannot make an event loop", code: ENOMEM) }
    event = pointer
  }

  deinit { sd_event_unref(event) }

  /// Runs until `stop` is called; the value given there. `sd_event_loop`.
  public func run() throws(SystemError) -> Int32 {
    let result = sd_event_loop(event)
    if result < 0 { throw SystemError("the event loop failed", code: -result) }
    return result
  }

  /// Handles what is ready, waiting for at most `microseconds` (0: not at all); false when the loop has ended.
  @discardableResult
  public func runOnce(waitingAtMost microseconds: UInt64) throws(SystemError) -> Bool {
    let result = sd_event_run(event, microseconds)
    if result == -ESTALE { return false }
    if result < 0 { throw SystemError("the event loop failed", code: -result) }
    return sd_event_get_state(event) != SD_EVENT_FINISHED
  }

  /// Ends `run` after the current handler.
  public func stop(_ code: Int32 = 0) { sd_event_exit(event, code) }

  /// Tells the service manager, where there is one (`NOTIFY_SOCKET`), that the start is over. `sd_notify`.
  public func notifyReady() { ServiceManager.tell("READY=1") }

  /// Lets systemd's watchdog be fed by the loop where `WATCHDOG_USEC` is set; a loop that hangs is then noticed.
  public func feedWatchdog() { sd_event_set_watchdog(event, 1) }

  static func checked(_ attempt: String, _ result: Int32) throws(SystemError) {
    if result < 0 { throw SystemError(attempt, code: -result) }
  }
}

/// Something the loop waits for. It is waited for as long as this object lives and `cancel` was not called.
public class EventSource {
  fileprivate var source: OpaquePointer?

  fileprivate init() {}
  deinit { cancel() }

  /// Stops waiting, for good.
  public func cancel() {
    guard let source else { return }
    sd_event_source_set_enabled(source, SD_EVENT_OFF.value)
    sd_event_source_unref(source)
    self.source = nil
  }

  /// Which goes first of several sources that are ready; those of one priority take turns.
  public enum Priority: Int64, Sendable {
    /// What tells of things that happened before a timer went off.
    case high = -10
    /// Timers and devices, unless said otherwise.
    case normal = 0
    case low = 10
  }

  public func setPriority(_ priority: Priority) {
    if let source { sd_event_source_set_priority(source, priority.rawValue) }
  }

  fileprivate func add(_ attempt: String, _ body: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32)
    throws(SystemError)
  {
    // Unretained: the source is disabled and freed before this object goes, so the pointer cannot outlive it.
    try EventLoop.checked(attempt, body(&source, Unmanaged.passUnretained(self).toOpaque()))
  }

  fileprivate static func from<Kind: EventSource>(_ pointer: UnsafeMutableRawPointer?, as kind: Kind.Type)
    -> Kind?
  {
    pointer.map { Unmanaged<Kind>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension Int {
  fileprivate var value: Int32 { Int32(self) }
}
extension UInt32 {
  fileprivate var value: Int32 { Int32(self) }
}
extension Int32 {
  fileprivate var value: Int32 { self }
}

/// What a descriptor is watched for.
public struct Interest: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let reading = Interest(rawValue: 1)  // EPOLLIN
  public static let writing = Interest(rawValue: 4)  // EPOLLOUT
  /// The other side has gone; always told, never asked for. EPOLLERR and EPOLLHUP.
  public static let hangUp = Interest(rawValue: 0x18)
}

/// A descriptor that is watched. `sd_event_add_io`.
public final class DescriptorSource: EventSource {
  private let handler: (Interest) -> Void

  /// The descriptor must stay open until this source is cancelled.
  public init(
    _ loop: EventLoop, _ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void
  )
    throws(SystemError)
  {
    self.handler = handler
    super.init()
    try add("cannot watch a descriptor") { source, context in
      sd_event_add_io(
        loop.event, &source, descriptor, interest.rawValue,
        { _, _, ready, context in
          let me = EventSource.from(context, as: DescriptorSource.self)
          me?.handler(Interest(rawValue: ready))
          return 0
        }, context)
    }
  }

  /// Changes what is watched for; an empty set pauses.
  public func setInterest(_ interest: Interest) {
    guard let source else { return }
    sd_event_source_set_io_events(source, interest.rawValue)
  }
}

/// A clock a timer runs on.
public enum TimerClock: Sendable {
  /// CLOCK_REALTIME, which can be set.
  case wall
  /// CLOCK_BOOTTIME, which counts suspended time.
  case boot
  /// CLOCK_MONOTONIC, which does not.
  case monotonic
  /// CLOCK_REALTIME_ALARM: the wall clock, and the sleeping machine is woken. A timer on it cannot be made without the
  /// capability CAP_WAKE_ALARM (EPERM), nor where no clock of the machine can wake it (EOPNOTSUPP).
  case wakingWall

  var identifier: clockid_t {
    switch self {
    case .wall: CLOCK_REALTIME
    case .boot: CLOCK_BOOTTIME
    case .monotonic: CLOCK_MONOTONIC
    case .wakingWall: CLOCK_REALTIME_ALARM
    }
  }
}

/// A timer that goes off once each time it is armed. `sd_event_add_time`.
public final class TimerSource: EventSource {
  private let handler: () -> Void

  /// Made disarmed. `accuracy` in microseconds says how much later it may go off so that wake-ups can be shared.
  public init(
    _ loop: EventLoop, _ clock: TimerClock, accuracy: UInt64 = 1000, _ handler: @escaping () -> Void
  )
    throws(SystemError)
  {
    self.handler = handler
    super.init()
    try add("cannot make a timer") { source, context in
      // An accuracy of 0 would mean sd-event's default of a quarter of a second.
      sd_event_add_time(
        loop.event, &source, clock.identifier, UInt64.max, max(1, accuracy),
        { _, _, context in
          let me = EventSource.from(context, as: TimerSource.self)
          me?.handler()
          return 0
        }, context)
    }
    disarm()
  }

  /// Goes off at an instant of its clock, at once where that has passed.
  public func arm(atMicroseconds microseconds: Int64) {
    guard let source else { return }
    sd_event_source_set_time(source, UInt64(max(0, microseconds)))
    sd_event_source_set_enabled(source, SD_EVENT_ONESHOT.value)
  }

  public func disarm() {
    guard let source else { return }
    sd_event_source_set_enabled(source, SD_EVENT_OFF.value)
  }
}

/// A signal, which must have been blocked before the first thread was made (`blockSignals`). `sd_event_add_signal`.
public final class SignalSource: EventSource {
  private let handler: () -> Void

  public init(_ loop: EventLoop, _ number: Int32, _ handler: @escaping () -> Void) throws(SystemError) {
    self.handler = handler
    super.init()
    try add("cannot watch for signal \(number)") { source, context in
      sd_event_add_signal(
        loop.event, &source, number,
        { _, _, context in
          let me = EventSource.from(context, as: SignalSource.self)
          me?.handler()
          return 0
        }, context)
    }
  }
}

/// A child process that has not been waited for; SIGCHLD must be blocked. `sd_event_add_child`.
public final class ChildSource: EventSource {
  private let handler: (ExitStatus) -> Void

  public init(_ loop: EventLoop, _ process: pid_t, _ handler: @escaping (ExitStatus) -> Void)
    throws(SystemError)
  {
    self.handler = handler
    super.init()
    try add("cannot watch process \(process)") { source, context in
      sd_event_add_child(
        loop.event, &source, process, Int32(WEXITED),
        { _, info, context in
          let me = EventSource.from(context, as: ChildSource.self)
          if let info {
            me?.handler(ExitStatus(code: info.pointee.si_code, status: reveille_child_status(info)))
          }
          return 0
        }, context)
    }
  }
}

/// Changes in a folder or file. `sd_event_add_inotify`; `mask` as in inotify(7).
public final class FileChangeSource: EventSource {
  private let handler: (_ name: [UInt8], _ mask: UInt32) -> Void

  public init(
    _ loop: EventLoop, _ path: String, mask: UInt32,
    _ handler: @escaping (_ name: [UInt8], _ mask: UInt32) -> Void
  ) throws(SystemError) {
    self.handler = handler
    super.init()
    try add("cannot watch “\(clean(path))”") { source, context in
      sd_event_add_inotify(
        loop.event, &source, path, mask,
        { _, change, context in
          let me = EventSource.from(context, as: FileChangeSource.self)
          guard let me, let change else { return 0 }
          me.handler(
            reveille_inotify_name(change).map { Array(String(cString: $0).utf8) } ?? [], change.pointee.mask)
          return 0
        }, context)
    }
  }
}

/// Work for the end of the current round of the loop, each time `schedule` is called. `sd_event_add_defer`.
public final class DeferredSource: EventSource {
  private let handler: () -> Void

  public init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    self.handler = handler
    super.init()
    try add("cannot defer work") { source, context in
      sd_event_add_defer(
        loop.event, &source,
        { _, context in
          let me = EventSource.from(context, as: DeferredSource.self)
          me?.handler()
          return 0
        }, context)
    }
    if let source { sd_event_source_set_enabled(source, SD_EVENT_OFF.value) }
    // After timers and devices, so that many changes become one; in turn with the clients, so that no flood of theirs
    // keeps it from its turn.
    setPriority(.low)
  }

  public func schedule() {
    guard let source else { return }
    sd_event_source_set_enabled(source, SD_EVENT_ONESHOT.value)
  }
}
