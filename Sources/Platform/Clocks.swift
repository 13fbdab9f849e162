import CLinux
import Glibc

/// The kernel's clocks, read directly.
public enum Clocks {
  /// CLOCK_REALTIME: microseconds since 1970. It can be set, forward and back.
  public static func wallMicroseconds() -> Int64 { microseconds(CLOCK_REALTIME) }
  /// CLOCK_BOOTTIME: microseconds since boot, suspended time included. It never goes back while the machine is up.
  public static func bootMicroseconds() -> Int64 { microseconds(CLOCK_BOOTTIME) }
  /// CLOCK_MONOTONIC: microseconds, suspended time not included.
  public static func monotonicMicroseconds() -> Int64 { microseconds(CLOCK_MONOTONIC) }

  /// The machine has a clock that can wake it (CLOCK_REALTIME_ALARM can be read), whoever may set it.
  public static var canWake: Bool {
    var time = timespec()
    return clock_gettime(CLOCK_REALTIME_ALARM, &time) == 0
  }

  /// A text that is another one after each boot (`/proc/sys/kernel/random/boot_id`), so that boot-time instants that
  /// were stored before it can be told from those after.
  public static func bootID() -> String {
    guard let bytes = try? readFile("/proc/sys/kernel/random/boot_id") else { return "unknown" }
    return String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
  }

  private static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
