import Core
import Glibc
import Platform
import Schedule

/// The clocks: one timer on the wall clock, one on the boot clock, and word of every change that no timer tells: the
/// clock was set, the machine woke, the zone is another.
final class TimeWatch {
  private let loop: EventLoop
  private let changed: () -> Void
  private let bootID = Clocks.bootID()
  private(set) var zone = Zone.current()

  private var wallTimer: TimerSource?
  private var bootTimer: TimerSource?
  private var clockWatch: ClockWatch?
  private var zoneWatch: FileChangeSource?
  private var settling: TimerSource?

  /// `tick` is called when a timer goes off, the clock was set, the machine woke or the zone changed.
  init(_ loop: EventLoop, tick: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    changed = tick
    wallTimer = try TimerSource(loop, .wall, tick)
    bootTimer = try TimerSource(loop, .boot, tick)
    clockWatch = try ClockWatch(loop, tick)
    // A zone is changed in several steps (remove, link, rename): looked at when they are over.
    settling = try TimerSource(loop, .monotonic) { [weak self] in self?.readZone() }
    watchZone()
  }

  /// Now, by every clock.
  var moment: Moment {
    let boot = Clocks.bootMicroseconds()
    return Moment(
      wall: Instant(microseconds: Clocks.wallMicroseconds()), boot: boot, bootID: bootID, zone: zone,
      suspended: boot - Clocks.monotonicMicroseconds())
  }

  /// CLOCK_MONOTONIC at a wall instant, if the clock is not set meanwhile.
  func monotonic(at wall: Instant) -> Int64 {
    Clocks.monotonicMicroseconds() + (wall.microseconds - Clocks.wallMicroseconds())
  }

  /// When `tick` is wanted next; nil: not by that clock.
  func arm(wall: Instant?, boot: Int64?) {
    if let wall { wallTimer?.arm(atMicroseconds: wall.microseconds) } else { wallTimer?.disarm() }
    if let boot { bootTimer?.arm(atMicroseconds: boot) } else { bootTimer?.disarm() }
  }

  /// The machine's zone is the link /etc/localtime, or the file that TZ names.
  private func watchZone() {
    var file = "/etc/localtime"
    if let given = currentEnvironment()["TZ"] {
      let path = given.hasPrefix(":") ? String(given.dropFirst()) : given
      guard path.hasPrefix("/") else { return }
      file = path
    }
    let folder = file.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    let name = Array((file.split(separator: "/").last.map(String.init) ?? "").utf8)
    let mask =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE)
      | UInt32(IN_MOVED_FROM)
    do {
      zoneWatch = try FileChangeSource(loop, folder.isEmpty ? "/" : folder, mask: mask) {
        [weak self] changed, _ in
        if changed == name {
          self?.settling?.arm(atMicroseconds: Clocks.monotonicMicroseconds() + 50_000)
        }
      }
    } catch {
      Log.warning("\(error); a change of the time zone is noticed only after a restart")
    }
  }

  private func readZone() {
    let now = Zone.current()
    guard now != zone else { return }
    Log.info("the time zone is \(now.identifier) now")
    zone = now
    // The log's times are the C library's.
    tzset()
    changed()
  }
}
